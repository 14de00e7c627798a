"""The correlation of the leading principal components of token vectors with word frequency.

Mu & Viswanath (2018) remove the first components because they encode how frequent a word is. This module
correlates the scores of each of the first components with log frequency: for the vectors as they are, whose
components come from vectors that are not centred, and after each post-processing step. Whitening rescales
components and leaves their correlations those of the centred vectors; it changes the share of the variance
that each component holds, and thus the share of all variance that follows frequency.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.errors import StrataError
from core.evaluation.isotropy import ROUNDING
from core.evaluation.ranks import mid_ranks, rows_ranked
from core.progress import Progress, Step, silent
from core.recipe import Recipe
from core.recipe.plan import PostStep
from core.storage import json_arrays
from core.storage.store import Store
from core.storage.tables import RECIPE_LIBRARIES, TableKind

COMPONENTS = 10
MIN_TOKENS = 3
"""The smallest number of tokens that a correlation is computed from."""

PLAIN = "as they are"
STEPS = ("centre", "abtt(d=2)", "whiten")

_ARRAYS = ("pearson", "spearman", "share")
FREQUENCY_COMPONENTS = TableKind("frequency-components", 1, RECIPE_LIBRARIES, forward=True)

Scores = Float[np.ndarray, "token component"]


@dataclass(frozen=True, eq=False)
class Correlations:
    """The correlations of the first components of one set of vectors with log frequency.

    Attributes
    ----------
    step
        The post-processing step of the vectors; :data:`PLAIN` for none.
    pearson, spearman
        The absolute correlation of each component's scores with log frequency; the sign of a component is
        arbitrary. One value per component with variance, :data:`COMPONENTS` at most.
    share
        The share of the variance that each component holds.
    total
        The share of all variance that a linear function of log frequency explains, 0 to 1.
    """

    step: str
    pearson: Float[np.ndarray, " component"]
    spearman: Float[np.ndarray, " component"]
    share: Float[np.ndarray, " component"]
    total: float


@dataclass(frozen=True, eq=False)
class FrequencyCorrelations:
    """The correlations after every step on the same tokens; ``notes`` say what is left out and why."""

    tokens: int
    steps: tuple[Correlations, ...]
    notes: tuple[str, ...]


def correlate(
    rows: Float[np.ndarray, "token dim"],
    frequency: Float[np.ndarray, " token"],
    progress: Progress = silent,
) -> FrequencyCorrelations:
    """Correlate components with frequency, before and after each of :data:`STEPS`.

    Parameters
    ----------
    rows
        One vector for each token.
    frequency
        The logarithm of each token's frequency; tokens with NaN are left out.

    Raises
    ------
    StrataError
        Fewer than three tokens have a frequency, all have the same, or all vectors are equal.
    """
    known = np.isfinite(frequency)
    x, f = rows[known].astype(np.float64), frequency[known].astype(np.float64)
    notes = []
    if len(f) < MIN_TOKENS:
        raise StrataError(
            f"{len(f)} of {len(frequency):,} tokens have a frequency here; a correlation needs "
            f"{MIN_TOKENS}."
        )
    if np.ptp(f) == 0:
        raise StrataError(f"All {len(f):,} tokens are equally frequent here: no correlation exists.")
    if not _variance(x):
        raise StrataError(f"All {len(x):,} vectors are equal: they have no components.")
    if not known.all():
        notes.append(
            f"{int((~known).sum()):,} of {len(known):,} tokens have no frequency and are left out."
        )
    correlations = [_of_step(PLAIN, x, _principal(x), f)]
    for number, step in enumerate(STEPS):
        progress(Step("Correlating components with frequency: steps", number + 1, len(STEPS) + 1))
        (choice,) = Recipe().replace(post=step).post
        transformer = PostStep.of(choice)
        minimum = transformer.minimum_sentences(x.shape[1])
        if len(x) < minimum:
            notes.append(f"{step} would be learnt from {len(x):,} tokens and needs {minimum:,}: left out.")
            continue
        fitted = transformer.make()
        fitted.fit(x)
        processed = np.asarray(fitted.transform(x))
        if not _variance(processed, x):
            notes.append(f"{step} leaves no variance.")
            continue
        scores = processed if step == "whiten" else _principal(processed)
        correlations.append(_of_step(step, processed, scores, f))
    return FrequencyCorrelations(len(f), tuple(correlations), tuple(notes))


def stored_correlations(
    store: Store,
    key: Sequence[object],
    rows: Callable[[], np.ndarray],
    frequency: Float[np.ndarray, " token"],
    progress: Progress = silent,
) -> FrequencyCorrelations:
    """The result of :func:`correlate`, stored under ``key``, which names the vectors, and the frequencies.

    ``rows`` gives the vectors; it is called when nothing is stored.
    """
    parts = (list(key), np.round(frequency, 9).tolist())

    def compute() -> dict[str, np.ndarray]:
        correlations = correlate(rows(), frequency, progress)
        steps = [_as_json(step) for step in correlations.steps]
        found = {"tokens": correlations.tokens, "notes": correlations.notes, "steps": steps}
        return {"json": json_arrays.as_array(found)}

    stored = json_arrays.from_array(store.table(FREQUENCY_COMPONENTS, parts, compute, progress)["json"])
    steps = tuple(
        Correlations(step["step"], total=step["total"], **{part: np.array(step[part]) for part in _ARRAYS})
        for step in stored["steps"]
    )
    return FrequencyCorrelations(stored["tokens"], steps, tuple(stored["notes"]))


def _as_json(correlations: Correlations) -> dict[str, object]:
    arrays = {part: getattr(correlations, part).tolist() for part in _ARRAYS}
    return {"step": correlations.step, "total": correlations.total} | arrays


def _principal(x: np.ndarray) -> Scores:
    """Scores on the leading singular directions of the vectors, which are not centred."""
    from core.stages.postprocessing.principal import Whitening

    return np.asarray(Whitening(k=COMPONENTS, beta=0.0, gamma=0.0).fit(x).transform(x))


def _of_step(step: str, x: np.ndarray, scores: np.ndarray, f: np.ndarray) -> Correlations:
    centred, deviations = x - x.mean(axis=0), f - f.mean()
    variance = float(np.einsum("ij,ij->", centred, centred)) / len(x)
    scores = scores[:, :COMPONENTS]
    scores = scores[:, scores.var(axis=0) > ROUNDING * variance]
    covariance = deviations @ centred / len(f)
    return Correlations(
        step,
        np.abs(_correlations(scores, f)),
        np.abs(_correlations(rows_ranked(scores.T).T, mid_ranks(f))),
        scores.var(axis=0) / variance,
        float(covariance @ covariance / (deviations.var() * variance)),
    )


def _correlations(scores: np.ndarray, f: np.ndarray) -> np.ndarray:
    """Pearson correlation of each column with ``f``."""
    columns, values = scores - scores.mean(axis=0), f - f.mean()
    return np.asarray(values @ columns / (np.linalg.norm(columns, axis=0) * np.linalg.norm(values)))


def _variance(x: np.ndarray, before: np.ndarray | None = None) -> bool:
    """Whether vectors differ by more than rounding error, relative to ``before``, else to themselves."""
    scale = x if before is None else before
    return bool(x.var(axis=0).sum() > ROUNDING * np.einsum("ij,ij->", scale, scale) / len(x))
