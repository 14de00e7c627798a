"""The README's pictures, taken of the dashboard as one arrives on it: ``python -m benchmarks.pictures``.

Results of arrival come along, so that a picture takes seconds. Each says in its metadata which version it
shows.
"""

from __future__ import annotations

import argparse
import io
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from benchmarks.arrival import complete, dashboard
from benchmarks.serving import ROOT, chromium
from core.versions import __version__

HEIGHTS = {"compare": 800, "heads": 860, "mixing": 760, "geometry": 860}
"""The pages that are shown, and how many pixels of each."""

WIDTH = 1280

SHOWN_BY = "Software"
"""What the version stands under in a picture's metadata."""


def take(browser: Any, url: str, page: str, path: Path) -> None:
    """Write the picture of a page, once it is complete."""
    with browser.new_context(viewport={"width": WIDTH, "height": HEIGHTS[page]}) as context:
        tab = context.new_page()
        complete(tab, url, page)
        taken = Image.open(io.BytesIO(tab.screenshot())).convert("RGB")
    about = PngInfo()
    about.add_text(SHOWN_BY, f"Sentence Strata {__version__}")
    taken.save(path, optimize=True, pnginfo=about)


def main() -> None:
    """Take them all, on a server that has computed nothing yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--output", type=Path, default=ROOT / "docs", help="the folder they are written into"
    )
    output = parser.parse_args().output
    with (
        tempfile.TemporaryDirectory(prefix="strata-pictures-") as cache,
        chromium() as browser,
        dashboard(Path(cache)) as url,
    ):
        for page in HEIGHTS:
            path = output / f"{page}.png"
            take(browser, url, page, path)
            print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
