"""The best share of Avg. for each choice of layers, on the page Mixing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from components import figure_frame, state, theme
from components.figure_frame import Framed
from components.figures.mixing import best_shares
from components.mixing import cells
from components.mixing.cells import best_at
from components.mixing.page import caption, summary
from components.wording import UNIT, layers_named, listed, upper_first, with_interval
from core.analysis.mixing import Mixture
from core.analysis.mixing_gains import MixtureGains
from core.corpora.corpus import Corpus
from core.errors import counted
from core.pipeline.engine import Engine
from core.recipe import Recipe


def show(
    engine: Engine, recipe: Recipe, corpora: Sequence[Corpus], mixture: Mixture, gains: MixtureGains
) -> None:
    """Each column's best share, and what it gains over the model alone; nothing where no cell scores."""
    if mixture.best is None:
        return
    title = finding(mixture, gains)
    figure_frame.show(
        Framed(
            key="mixing.best",
            title=title,
            figure=best_shares(mixture, gains.columns, theme.of(state.theme_name())),
            caption=(
                "Above each point: what the best w gains over w = 0 on the same pairs; hollow: no "
                "difference shown. Each w is chosen on the pairs that it is scored on, so that its gain "
                "looks larger than it is.",
                *caption(engine, recipe, corpora, mixture),
            ),
            summary=summary(engine, recipe, corpora),
            alt=title,
            numbers=lambda: numbers(mixture, gains),
            hint="Above each point: what its w gains over w = 0, in points; hollow: no difference shown.",
        )
    )


def finding(mixture: Mixture, gains: MixtureGains) -> str:
    """How many choices of layers gain from Avg., by adding it or by taking it away."""
    scored = {
        name: (share, difference)
        for name, share, difference in zip(mixture.layers, mixture.best_shares, gains.columns, strict=True)
        if share is not None
    }
    if not scored:
        return "No choice of layers has a score"
    known = {name: each for name, each in scored.items() if each[1].known}
    if not known:
        return f"No gain in {UNIT} from Avg. shown: too few pairs for an interval"
    shown = {name: each for name, each in known.items() if each[1].low > 0}
    name = max(shown or known, key=lambda name: known[name][1].value)
    share, largest = known[name]
    most = f"{layers_named(name)} at {best_at(share, mixture.shares)} ({with_interval(largest)})"
    end = f"(over the same layers at w = 0); largest: {most}"
    if not shown:
        which = f"No gain in {UNIT} shown for any of {counted(len(known), 'choice')} of layers"
        return f"{which} {end}"
    added = sum(share > 0 for share, _ in shown.values())
    taken = sum(share < 0 for share, _ in shown.values())
    what = "it" if added else "Avg."
    how = listed(
        [f"adding Avg. to {added}"] * bool(added) + [f"taking {what} away from {taken}"] * bool(taken)
    )
    which = f"{upper_first(how)} of {len(known)} choices of layers"
    return f"{which} raises {UNIT} {end}"


def numbers(mixture: Mixture, gains: MixtureGains) -> pd.DataFrame:
    """One row for each choice of layers."""
    best = [np.nan if share is None else share for share in mixture.best_shares]
    scores = pd.DataFrame({"layers": mixture.layers, "w": best}).merge(cells.numbers(mixture), how="left")
    return scores.assign(
        gain=[each.value for each in gains.columns],
        low=[each.low for each in gains.columns],
        high=[each.high for each in gains.columns],
    )
