"""How much of the leading principal components of token vectors is frequency.

Mu & Viswanath (2018) take the first components away because they encode how frequent a word is. Here the
scores of each of the first components are correlated with log frequency: of the vectors as they are, whose
components are those of vectors that are not centred, and after each step of post-processing. Whitening only
rescales components, so its correlations are those of the centred vectors; what it changes is how much of
the variance each component holds, and with it how much of all variance goes along with frequency.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy.stats import rankdata

from core.errors import StrataError
from core.postprocessing import Whitening, least
from core.progress import Progress, Step, silent
from core.recipe import POST, Recipe
from core.store import Store, key_of

COMPONENTS = 10
LEAST = 3
"""Tokens that a correlation needs to say anything."""

PLAIN = "as they are"
STEPS = ("centre", "abtt(d=2)", "whiten")

ROUNDING = 1e-12
"""Variance up to this share of the mean squared length is what rounding leaves."""

_ARRAYS = ("pearson", "spearman", "share")
_VERSION = 1

Scores = Float[np.ndarray, "token component"]


@dataclass(frozen=True, eq=False)
class Correlations:
    """The first components of one set of vectors, and log frequency.

    Attributes
    ----------
    step
        What was done to the vectors; :data:`PLAIN` for nothing.
    pearson, spearman
        The correlation of each component's scores with log frequency, without its sign: that of a component
        is arbitrary. As many as there are components with variance, :data:`COMPONENTS` at most.
    share
        The share of the variance that each of them holds.
    total
        The share of all variance that a straight line over log frequency accounts for, 0 to 1.
    """

    step: str
    pearson: Float[np.ndarray, " component"]
    spearman: Float[np.ndarray, " component"]
    share: Float[np.ndarray, " component"]
    total: float


@dataclass(frozen=True, eq=False)
class Frequency:
    """All steps on the same tokens, and in words what was left out and why."""

    tokens: int
    steps: tuple[Correlations, ...]
    notes: tuple[str, ...]


def correlate(
    rows: Float[np.ndarray, "token dim"],
    frequency: Float[np.ndarray, " token"],
    progress: Progress = silent,
) -> Frequency:
    """Components and frequency, before and after each of :data:`STEPS`.

    Parameters
    ----------
    rows
        One vector for each token.
    frequency
        The logarithm of each token's frequency; tokens where it is NaN are left out.

    Raises
    ------
    StrataError
        Fewer than three tokens have a frequency, all have the same, or all vectors are equal.
    """
    known = np.isfinite(frequency)
    x, f = rows[known].astype(np.float64), frequency[known].astype(np.float64)
    notes = []
    if len(f) < LEAST:
        raise StrataError(
            f"{len(f)} of {len(frequency):,} tokens have a frequency here; a correlation needs {LEAST}."
        )
    if np.ptp(f) == 0:
        raise StrataError(f"All {len(f):,} tokens are equally frequent here: no correlation exists.")
    if not _variance(x):
        raise StrataError(f"All {len(x):,} vectors are equal: they have no components.")
    if not known.all():
        notes.append(
            f"{int((~known).sum()):,} of {len(known):,} tokens have no frequency and are left out."
        )
    found = [_one(PLAIN, x, _principal(x), f)]
    for number, step in enumerate(STEPS):
        progress(Step("Correlating components with frequency: steps", number + 1, len(STEPS) + 1))
        (choice,) = Recipe().replace(post=step).post
        need = least(choice, x.shape[1])
        if len(x) < need:
            notes.append(f"{step} would be learnt from {len(x):,} tokens and needs {need:,}: left out.")
            continue
        done = np.asarray(POST.bind(choice)().fit_transform(x))
        if not _variance(done, x):
            notes.append(f"{step} leaves no variance.")
            continue
        found.append(_one(step, done, done if step == "whiten" else _principal(done), f))
    return Frequency(len(f), tuple(found), tuple(notes))


def kept(
    store: Store,
    what: Sequence[object],
    rows: Callable[[], np.ndarray],
    frequency: Float[np.ndarray, " token"],
    progress: Progress = silent,
) -> Frequency:
    """The same, kept under ``what``, which stands for the vectors, and under the frequencies."""
    name = f"frequency-components-{key_of(_VERSION, list(what), np.round(frequency, 9).tolist())}"

    def make() -> dict[str, np.ndarray]:
        found = correlate(rows(), frequency, progress)
        text = json.dumps(
            {"tokens": found.tokens, "notes": found.notes, "steps": [*map(_plain, found.steps)]}
        )
        return {"json": np.frombuffer(text.encode(), np.uint8)}

    made = json.loads(store.table(name, make)["json"].tobytes())
    steps = tuple(
        Correlations(one["step"], total=one["total"], **{part: np.array(one[part]) for part in _ARRAYS})
        for one in made["steps"]
    )
    return Frequency(made["tokens"], steps, tuple(made["notes"]))


def _plain(one: Correlations) -> dict[str, object]:
    arrays = {part: getattr(one, part).tolist() for part in _ARRAYS}
    return {"step": one.step, "total": one.total} | arrays


def _principal(x: np.ndarray) -> Scores:
    """Scores on the leading directions of the vectors as they stand, not centred here."""
    return np.asarray(Whitening(k=COMPONENTS, beta=0.0, gamma=0.0).fit(x).transform(x))


def _one(step: str, x: np.ndarray, scores: np.ndarray, f: np.ndarray) -> Correlations:
    centred, along = x - x.mean(axis=0), f - f.mean()
    variance = float(np.einsum("ij,ij->", centred, centred)) / len(x)
    scores = scores[:, :COMPONENTS]
    scores = scores[:, scores.var(axis=0) > ROUNDING * variance]
    slope = along @ centred / len(f)
    return Correlations(
        step,
        np.abs(_correlations(scores, f)),
        np.abs(_correlations(rankdata(scores, axis=0), rankdata(f))),
        scores.var(axis=0) / variance,
        float(slope @ slope / (along.var() * variance)),
    )


def _correlations(scores: np.ndarray, f: np.ndarray) -> np.ndarray:
    """Pearson's correlation of each column with ``f``."""
    columns, values = scores - scores.mean(axis=0), f - f.mean()
    return np.asarray(values @ columns / (np.linalg.norm(columns, axis=0) * np.linalg.norm(values)))


def _variance(x: np.ndarray, before: np.ndarray | None = None) -> bool:
    """Whether vectors differ by more than rounding, theirs or that of the vectors they were made of."""
    made = x if before is None else before
    return bool(x.var(axis=0).sum() > ROUNDING * np.einsum("ij,ij->", made, made) / len(x))
