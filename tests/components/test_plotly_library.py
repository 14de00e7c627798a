"""What the browser loads before the first figure."""

from pathlib import Path

import plotly

from components import plotly_library


def test_the_package_that_the_server_hands_out_holds_plotly_for_the_browser():
    folder = plotly_library._root()
    assert folder == Path(plotly.__file__).parent
    assert (folder / "package_data" / "plotly.min.js").stat().st_size > 1_000_000
