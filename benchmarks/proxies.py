"""What choosing without gold scores loses where they are known: the regret of each proxy on real corpora.

python -m benchmarks.proxies --data FOLDER               all corpora of scored pairs, both encoders
python -m benchmarks.proxies --data FOLDER STS16 SICK    some of them
python -m benchmarks.proxies --ship …                    writes core/search/regrets.json for the page Find
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.report import circumstances, fresh_settings, show, table
from core.encoders.bundled_encoders import BUNDLED
from core.evaluation.wording import fixed, signed
from core.literature.presets.comparable import comparable, plain_mean
from core.pipeline.engine import Engine
from core.progress import written
from core.recipe import Recipe
from core.search.aims import part
from core.search.known_regrets import keep
from core.search.proxies import PROXIES, Regret, regrets

CORPORA = ("STS12", "STS13", "STS15", "STS16", "STS-B", "SICK")


def recipes(base: Recipe) -> list[Recipe]:
    """Plain mean pooling and the published methods of any encoder that read texts as they are."""
    return [plain_mean(base), *(each for each in comparable(base).values() if each.template.name == "none")]


def run(data: Path, corpora: Sequence[str] = CORPORA, *, ships: bool = False) -> None:
    """Measure and print a table for each encoder; what it prints is kept for the page where it ships."""
    for model in BUNDLED:
        base, rows, found = Recipe.parse("").replace(source=model.source), list[list[str]](), []
        for name in corpora:
            with fresh_settings(data) as settings:
                engine = Engine(settings)
                gold = part(engine.corpus(name, "all")).test
                found.append(regrets(engine, recipes(base), gold, written(60)))
                rows.append(_row(name, found[-1]))
                if ships:
                    keep(model.source, found[-1])
        means = [np.mean([each[i].regret for each in found]) for i in range(len(PROXIES))]
        blind, best = (
            np.mean([value(each) for each in found]) for value in (lambda each: each[0].at_random, _best)
        )
        rows.append(
            ["mean", "", fixed(float(best)), fixed(float(blind)), *(fixed(float(m)) for m in means)]
        )
        show(
            f"Points that a choice without gold scores loses, source={model.source}",
            table(["", "recipes", "the best", "a blind choice", *PROXIES], rows),
            "Spearman × 100 on test, or on half of the pairs where there is no dev. The regret is what the "
            "best recipe has above the choice; in brackets the rank correlation of the proxy with the "
            "scores over the recipes.\n",
        )


def _best(found: Sequence[Regret]) -> float:
    return found[0].score + found[0].regret


def _row(name: str, found: Sequence[Regret]) -> list[str]:
    told = [f"{fixed(each.regret)} ({signed(each.agrees, 2)})" for each in found]
    return [name, f"{found[0].recipes}", fixed(_best(found)), fixed(found[0].at_random), *told]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run alone."""
    parser = argparse.ArgumentParser(description="What choosing without gold scores loses.")
    parser.add_argument("--data", type=Path, default=os.environ.get("STRATA_DATA"), help="as STRATA_DATA")
    parser.add_argument("corpora", nargs="*", default=CORPORA, help=f"default: {' '.join(CORPORA)}")
    parser.add_argument("--ship", action="store_true", help="keep what is measured for the page Find")
    given = parser.parse_args(arguments)
    if given.data is None:
        sys.exit("give the folder of evaluation data: --data FOLDER, or STRATA_DATA")
    print(circumstances())
    run(Path(given.data).expanduser(), given.corpora, ships=given.ship)


if __name__ == "__main__":
    main()
