"""The space of a recipe's vectors on a corpus, measured by :mod:`core.analysis.geometry` and kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass, fields
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from core.analysis import geometry
from core.analysis.geometry import Isotropy
from core.analysis.ratings import DEFINITIONS
from core.corpus import Corpus
from core.embed import Road
from core.encoder import STATIC
from core.errors import StrataError
from core.evaluation.scoring import about_recipe
from core.evaluation.sts import check_scorable, evaluate
from core.progress import Progress, Step, silent
from core.recipe import STAGES, Recipe
from core.store import key_of

VERSION = 1
"""Version of what is measured; raising it makes everything kept a miss."""

Arrays = dict[str, np.ndarray]

SUGGESTED = (
    *("post=centre", "post=zscore", "post=normalize", "post=quantile", "post=abtt"),
    *("post=whiten(k=128)", "weight=idf", "weight=idf;post=zscore"),
)
"""What the papers change about the plain average of tokens, to begin with."""

SMALLEST = 10
"""The smallest sample of sentences whose IsoScore is taken."""

SIZES = 12
"""Sizes of samples, from :data:`SMALLEST` to all sentences."""


@dataclass(frozen=True, eq=False)
class Place:
    """Where one recipe's space stands, by what papers plot.

    Attributes
    ----------
    recipe, model
        What was measured.
    alignment, uniformity
        By name of :data:`core.analysis.ratings.DEFINITIONS`; NaN without positives, or for one sentence.
    iso_score, average_cosine
        Of the different sentences; NaN where they do not exist.
    dim
        Dimensions of the vectors.
    spearman, low, high
        The score over all pairs × 100 and its 95 % interval; NaN where no correlation exists.
    """

    recipe: Recipe
    model: str
    alignment: Mapping[str, float]
    uniformity: Mapping[str, float]
    iso_score: float
    average_cosine: float
    dim: int
    spearman: float
    low: float
    high: float

    @property
    def whitened(self) -> bool:
        """Whether whitening comes last, which makes the IsoScore 1 by construction."""
        return bool(self.recipe.post) and self.recipe.post[-1].name == "whiten"


@dataclass(frozen=True, eq=False)
class SampleSizes:
    """IsoScore by the number of sentences, and what an isotropic cloud of as many points would score."""

    dim: int
    sizes: Int[np.ndarray, " size"]
    iso_score: Float[np.ndarray, " size"]
    isotropic: Float[np.ndarray, " size"]


def place(road: Road, recipe: Recipe, corpus: Corpus, progress: Progress = silent) -> Place:
    """Measure one recipe; kept. Raises :class:`StrataError` as :meth:`core.embed.Road.embed` does."""

    def measure() -> dict[str, np.ndarray]:
        similarities, embedded = road.similarities(recipe, corpus, progress)
        vectors, found = embedded.vectors, []
        for definition in DEFINITIONS.values():
            rows = np.flatnonzero(definition.positives(corpus.gold))
            u, v = (vectors[side[rows]] for side in (corpus.first, corpus.second))
            found.append(geometry.alignment(u, v, normalised=definition.normalised))
            found.append(
                geometry.uniformity(
                    vectors, corpus.repeats, normalised=definition.normalised, progress=progress
                )
            )
        found += [geometry.iso_score(vectors), geometry.average_cosine(vectors), vectors.shape[1]]
        return {"numbers": np.array([*found, *_score(similarities, corpus)])}

    about = about_recipe(road, recipe)
    numbers = _kept(road, "place", about, corpus, measure)["numbers"].tolist()
    measured = dict(zip(DEFINITIONS, zip(numbers[0:4:2], numbers[1:4:2], strict=True), strict=True))
    aligned, uniform = ({name: both[i] for name, both in measured.items()} for i in (0, 1))
    isotropic, cosine, dim, *score = numbers[4:]
    return Place(recipe, about["model"], aligned, uniform, isotropic, cosine, int(dim), *score)


def isotropy(road: Road, recipe: Recipe, corpus: Corpus, progress: Progress = silent) -> Isotropy:
    """Isotropy of a corpus' different sentences under a recipe; kept. Raises as :func:`place` does."""

    def measure() -> dict[str, np.ndarray]:
        found = geometry.isotropy(road.embed(recipe, corpus, progress).vectors)
        names = [field.name for field in fields(found)]
        return {name: np.asarray(value) for name, value in zip(names, astuple(found), strict=True)}

    about = about_recipe(road, recipe.replace(similarity="cosine"))
    arrays = _kept(road, "isotropy", about, corpus, measure)
    values: dict[str, Any] = {name: a if a.ndim else a.item() for name, a in arrays.items()}
    return Isotropy(**values)


def by_layer(
    road: Road, recipe: Recipe, corpus: Corpus, progress: Progress = silent
) -> tuple[dict[int, Isotropy], dict[int, str]]:
    """Isotropy of every layer alone with the rest of the recipe as it is; and why a layer has none.

    Raises :class:`StrataError` when the source cannot be found.
    """
    layers = road.passes.layers(road.source(recipe, corpus))
    found, failed = {}, {}
    for done, layer in enumerate(layers):
        progress(Step("Measuring isotropy: layers", done, len(layers)))
        try:
            found[layer] = isotropy(road, at_layer(recipe, layer), corpus, progress)
        except StrataError as error:
            failed[layer] = str(error)
    return found, failed


def by_sample_size(road: Road, recipe: Recipe, corpus: Corpus, progress: Progress = silent) -> SampleSizes:
    """IsoScore of ever larger samples of a corpus' sentences, drawn with a fixed seed; kept.

    Raises as :func:`place` does. A corpus of fewer than :data:`SMALLEST` sentences has one size: all.
    """

    def measure() -> dict[str, np.ndarray]:
        vectors = road.embed(recipe, corpus, progress).vectors
        order = np.random.default_rng(0).permutation(len(vectors))
        sizes = _sizes(len(vectors))
        scores = np.array([geometry.iso_score(vectors[order[:size]]) for size in sizes])
        isotropic = [geometry.isotropic_iso_score(size, vectors.shape[1]) for size in sizes]
        found = {"sizes": np.array(sizes), "scores": scores, "isotropic": np.array(isotropic)}
        return found | {"dim": np.array(vectors.shape[1])}

    about = about_recipe(road, recipe.replace(similarity="cosine"))
    arrays = _kept(road, "sizes", about, corpus, measure)
    return SampleSizes(int(arrays["dim"]), arrays["sizes"], arrays["scores"], arrays["isotropic"])


def at_layer(recipe: Recipe, layer: int) -> Recipe:
    """``recipe`` with one layer in place of its own."""
    return recipe.replace(layers="static" if layer == STATIC else str(layer))


def suggested(recipe: Recipe) -> tuple[Recipe, tuple[Recipe, ...]]:
    """A plain recipe on the source, template and reference of ``recipe``, and variants of it."""
    base = Recipe(source=recipe.source, template=recipe.template, reference=recipe.reference)
    return base, tuple(
        base.replace(**dict(part.split("=", 1) for part in text.split(";"))) for text in SUGGESTED
    )


def turnings(base: Recipe, recipe: Recipe) -> str:
    """In what ``recipe`` differs from ``base``, in short: ``idf, zscore``; ``layers=last``."""
    before, after = base.spelled(), recipe.spelled()
    changed = [name for name in STAGES if after[name] != before[name]]
    bare = ("weight", "pool", "post")
    parts = [after[n] if n in bare and getattr(recipe, n) else f"{n}={after[n]}" for n in changed]
    return ", ".join(parts) or "no change"


# -- inside ------------------------------------------------------------------------------------------


def _kept(
    road: Road, what: str, about: Mapping[str, str], corpus: Corpus, measure: Callable[[], Arrays]
) -> Arrays:
    key = key_of(VERSION, dict(about), corpus.fingerprint)
    return road.store.table(f"space-{what}-{key}", measure)


def _score(similarities: np.ndarray, corpus: Corpus) -> tuple[float, float, float]:
    try:
        check_scorable(corpus)
    except StrataError:
        return (float("nan"),) * 3
    found = evaluate(similarities, corpus)
    return found.spearman, found.low, found.high


def _sizes(sentences: int) -> list[int]:
    if sentences <= SMALLEST:
        return [sentences]
    return sorted({int(size) for size in np.geomspace(SMALLEST, sentences, SIZES).round()})
