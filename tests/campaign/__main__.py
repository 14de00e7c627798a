"""Run the campaigns and print their table: ``make withstand``, or ``python -m tests.campaign --help``."""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.report import circumstances, table
from tests.campaign import clicks, damages, files, injections, kills, models, recipes, toggler, visitors
from tests.campaign.tally import Bounds, Tally


@dataclass(frozen=True)
class Campaign:
    """A campaign, and how many trials it makes unless it is told otherwise."""

    run: Callable[[Bounds, Path], Tally]
    count: int


CAMPAIGNS = {
    "parses": Campaign(lambda bounds, _: recipes.parses(bounds), 100_000),
    "scores": Campaign(recipes.scores, 2_000),
    "uploads": Campaign(files.uploads, 2_000),
    "decks": Campaign(files.decks, 2_000),
    "models": Campaign(models.folders, 1_000),
    "kills": Campaign(kills.processes, 300),
    "stored": Campaign(damages.stored_files, 600),
    "texts": Campaign(lambda bounds, _: injections.texts(bounds), 200),
    "visitors": Campaign(visitors.at_once, 50),
    "toggles": Campaign(toggler.toggles, 2_000),
    "clicks": Campaign(clicks.quick, 200),
}


def main(arguments: list[str] | None = None) -> int:
    """Run campaigns; 1 when anything broke."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaign", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"some of {', '.join(CAMPAIGNS)}; all when left out")
    parser.add_argument("--seconds", type=float, default=900, help="each begins no more trials after these")
    parser.add_argument("--seed", type=int, default=0, help="of all random choices")
    parser.add_argument(
        "--count", type=int, help="trials, or visitors, in place of a campaign's own number"
    )
    parser.add_argument("--pause", type=float, help="mean seconds between two changes of a visitor")
    parser.add_argument("--memory-gb", help="the setting memory_gb of the server that visitors come to")
    parser.add_argument("--processes", type=int, default=1, help="servers with one store for visitors")
    options = parser.parse_args(arguments)
    if wrong := [name for name in options.names if name not in CAMPAIGNS]:
        parser.error(f"{wrong[0]!r} is no campaign; allowed are {', '.join(CAMPAIGNS)}")
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    tallies = []
    for name in options.names or CAMPAIGNS:
        campaign = CAMPAIGNS[name]
        with tempfile.TemporaryDirectory(prefix="strata-campaign-") as folder:
            begun = time.monotonic()
            count = campaign.count if options.count is None else options.count
            bounds = Bounds(
                count,
                options.seconds,
                options.seed,
                options.pause,
                options.memory_gb,
                options.processes,
            )
            tally = campaign.run(bounds, Path(folder))
        tally.seconds = time.monotonic() - begun
        tallies.append(tally)
        print(f"{name}: {tally.tried:,} tried, {len(tally.broken)} broken", file=sys.stderr)
        for told in tally.broken:
            print(f"  {told}", file=sys.stderr)
        if tally.told:
            print(f"  {tally.told}", file=sys.stderr)
    print(shown(tallies))
    return int(any(tally.broken for tally in tallies))


def shown(tallies: list[Tally]) -> str:
    """The table of all campaigns, with the circumstances."""
    rows = [
        [
            one.what,
            f"{one.tried:,}",
            f"{one.right:,}",
            f"{one.refused:,}",
            f"{len(one.broken):,}",
            f"{one.seconds:,.0f}",
        ]
        for one in tallies
    ]
    return (
        f"{circumstances()}\n\n{table(['what', 'tried', 'right', 'refused in words', 'broken', 's'], rows)}"
    )


if __name__ == "__main__":
    sys.exit(main())
