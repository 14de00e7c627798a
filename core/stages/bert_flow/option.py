"""The option ``flow``: BERT-flow (Li et al. 2020). What it learns stands in a file that needs torch."""

from __future__ import annotations

from typing import Annotated, Literal

from core.loading import LOADING
from core.recipe import POST
from core.recipe.arguments import Within
from core.recipe.options import FIT, Trainable

Coupling = Literal["affine", "glow"]


@POST.option(learns=FIT, label="BERT-flow", package="zuko", edition=2)
def flow(
    *,
    epochs: Annotated[int, Within(1, 1000, "passes over the corpus")] = 20,
    rate: Annotated[float, Within(1e-6, 0.1, "learning rate")] = 1e-3,
    transforms: Annotated[int, Within(1, 32, "coupling layers")] = 4,
    coupling: Coupling = "affine",
    seed: Annotated[int, Within(0, 2**31 - 1, "of the random numbers")] = 0,
) -> Trainable:
    """BERT-flow: move vectors to a Gaussian by a normalizing flow, learnt; needs the package zuko.

    ``coupling=glow`` has steps as in Glow, with additive couplings, as in the paper; ``affine`` has
    those of RealNVP.
    """
    with LOADING:
        from core.stages.bert_flow.normalizing_flow import Flow

    return Flow(epochs, rate, transforms, seed, coupling)
