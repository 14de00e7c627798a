"""The options of the stage: each makes an unfitted transformer, whose file is loaded when one is made."""

from __future__ import annotations

from typing import Annotated, Literal

from core.recipe import POST
from core.recipe.arguments import Within
from core.recipe.options import FIT, Transformer


@POST.option(learns=FIT, affine=True, once=True, label="centring")
def centre() -> Transformer:
    """Subtract the mean of each dimension."""
    from core.stages.postprocessing.scalers import Standard

    return Standard(with_std=False)


@POST.option(learns=FIT, affine=True, once=True, label="z-score")
def zscore() -> Transformer:
    """Subtract the mean of each dimension and divide by its (population) standard deviation."""
    from core.stages.postprocessing.scalers import Standard

    return Standard()


@POST.option(learns=FIT, affine=True, once=True, label="robust scaling")
def robust() -> Transformer:
    """Subtract the median of each dimension and divide by its interquartile range."""
    from core.stages.postprocessing.scalers import Robust

    return Robust()


@POST.option(learns=FIT)
def quantile(*, output: Literal["uniform", "normal"] = "uniform") -> Transformer:
    """Replace each value by its quantile in its dimension, uniform or as a normal variable."""
    from core.stages.postprocessing.quantiles import Quantiles

    return Quantiles(output)


@POST.option(scaling=True, once=True)
def normalize() -> Transformer:
    """Scale each vector to Euclidean norm 1; one of 0, or next to it, stays as it is."""
    from core.stages.postprocessing.scalers import UnitLength

    return UnitLength()


@POST.option(learns=FIT, affine=True, directions="d", removes=True, label="ABTT", edition=2)
def abtt(*, d: Annotated[int, Within(1, 1000, "components removed")] = 2) -> Transformer:
    """All-but-the-top: subtract the mean and the first d principal components."""
    from core.stages.postprocessing.principal import AllButTheTop

    return AllButTheTop(d)


@POST.option(learns=FIT, affine=True, directions="d", removes=True, label="CCR", edition=2)
def ccr(*, d: Annotated[int, Within(1, 1000, "directions removed")] = 1) -> Transformer:
    """SIF's common component removal: take away the first singular directions, without centring."""
    from core.stages.postprocessing.principal import CommonComponents

    return CommonComponents(d)


@POST.option(learns=FIT, affine=True, directions="m", label="piecewise CCR", edition=2)
def pccr(*, m: Annotated[int, Within(1, 1000, "directions")] = 5) -> Transformer:
    """USIF's piecewise removal: of each of m directions its share of their squared singular values."""
    from core.stages.postprocessing.principal import CommonComponents

    return CommonComponents(m, weighted=True)


@POST.option(learns=FIT, affine=True, directions="k", label="whitening", edition=2)
def whiten(
    *,
    k: Annotated[int | None, Within(1, 4096, "dimensions kept; all when left out")] = None,
    beta: Annotated[float, Within(0, 2, "share of the mean removed")] = 1.0,
    gamma: Annotated[float, Within(0, 2, "1 gives unit variance, 0 a rotation")] = 1.0,
) -> Transformer:
    """Whitening: decorrelate the dimensions and scale them to unit variance, keep the first k."""
    from core.stages.postprocessing.principal import Whitening

    return Whitening(k, beta, gamma)
