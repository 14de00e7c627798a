"""Alignment, uniformity and isotropy of a recipe's vectors on a corpus, stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import astuple, dataclass, fields
from itertools import count

import numpy as np
from jaxtyping import Float, Int

from core.analysis.geometry import alignment_uniformity, measures
from core.analysis.geometry.measures import Isotropy
from core.analysis.geometry.ratings import DEFINITIONS
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.evaluation.isotropy import iso_score
from core.evaluation.scoring import kept_under
from core.evaluation.sts import check_scorable, evaluate
from core.pipeline.engine import Engine
from core.progress import Progress, Step, one_at_a_time, silent
from core.recipe import POST, STAGES, Recipe
from core.recipe.plan import PostStep
from core.stages.layers import by_number
from core.storage.tables import RECIPE_LIBRARIES, TableKind
from core.threads import at_once

SPACE = TableKind("space", 1, RECIPE_LIBRARIES, forward=True)

Arrays = dict[str, np.ndarray]

SUGGESTED = (
    *("post=centre", "post=zscore", "post=normalize", "post=quantile", "post=abtt"),
    *("post=whiten(k=128)", "weight=idf", "weight=idf;post=zscore"),
)
"""Stages that the papers change in the plain average of tokens."""

SMALLEST = 10
"""The smallest sample of sentences whose IsoScore is computed."""

_PAIRED = 2 * len(DEFINITIONS)
"""Stored numbers that come in pairs: alignment and uniformity by each definition."""

SIZES = 12
"""Sizes of samples, from :data:`SMALLEST` to all sentences."""


@dataclass(frozen=True, eq=False)
class RecipeGeometry:
    """The measures of one recipe's vectors that papers plot.

    Attributes
    ----------
    recipe, model
        The recipe, and its model's name.
    alignment, uniformity
        By name of :data:`core.analysis.geometry.ratings.DEFINITIONS`; NaN without positives, or for
        one sentence.
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
        """Whether whitening learnt from these vectors comes last: the IsoScore is near 1 by construction.

        Whitening in part (γ other than 1), and one that is learnt from the reference, leave it open.
        """
        if not self.recipe.post or self.recipe.post[-1].name != "whiten":
            return False
        last = self.recipe.post[-1]
        return PostStep.of(last).fit == "target" and POST.arguments(last)["gamma"] == 1


@dataclass(frozen=True, eq=False)
class SampleSizes:
    """IsoScore by the number of sentences, and the IsoScore of an isotropic cloud of as many points."""

    dim: int
    sizes: Int[np.ndarray, " size"]
    iso_score: Float[np.ndarray, " size"]
    isotropic: Float[np.ndarray, " size"]


def measure_recipe(
    engine: Engine, recipe: Recipe, corpus: Corpus, progress: Progress = silent
) -> RecipeGeometry:
    """Measure one recipe; stored. Raises what :meth:`core.pipeline.engine.Engine.embed` raises."""

    def measure() -> dict[str, np.ndarray]:
        similarities, embedded = engine.similarities(recipe, corpus, progress)
        vectors, numbers = embedded.vectors, []
        kinds = [definition.normalised for definition in DEFINITIONS.values()]
        uniform = alignment_uniformity.uniformities(
            vectors, corpus.repeats, normalised=kinds, progress=progress
        )
        for definition, uniformity in zip(DEFINITIONS.values(), uniform, strict=True):
            rows = np.flatnonzero(definition.positives(corpus.gold, corpus.scale))
            u, v = (vectors[side[rows]] for side in (corpus.first, corpus.second))
            numbers += [alignment_uniformity.alignment(u, v, normalised=definition.normalised), uniformity]
        isotropic = isotropy(engine, recipe, corpus, progress)  # which pages show as well
        numbers += [isotropic.iso_score, isotropic.average_cosine, vectors.shape[1]]
        return {"numbers": np.array([*numbers, *_score(similarities, corpus)])}

    about = kept_under(engine, recipe)
    numbers = _kept(engine, "place", about, corpus, measure, progress)["numbers"].tolist()
    both, (isotropic, cosine, dim, *score) = numbers[:_PAIRED], numbers[_PAIRED:]
    aligned, uniform = (dict(zip(DEFINITIONS, each, strict=True)) for each in (both[0::2], both[1::2]))
    return RecipeGeometry(recipe, about["model"], aligned, uniform, isotropic, cosine, int(dim), *score)


def is_measured(engine: Engine, recipe: Recipe, corpus: Corpus) -> bool:
    """Whether what :func:`measure_recipe` gives is stored; raises what it raises without a source."""
    return engine.store.has_table(SPACE, _parts("place", kept_under(engine, recipe), corpus))


def isotropy(engine: Engine, recipe: Recipe, corpus: Corpus, progress: Progress = silent) -> Isotropy:
    """Isotropy of a corpus' different sentences; stored. Raises as :func:`measure_recipe` does."""

    def measure() -> dict[str, np.ndarray]:
        measured = measures.isotropy(engine.embed(recipe, corpus, progress).vectors)
        names = [field.name for field in fields(measured)]
        return {name: np.asarray(value) for name, value in zip(names, astuple(measured), strict=True)}

    arrays = engine.store.table(SPACE, _isotropy_parts(engine, recipe, corpus), measure, progress)
    return Isotropy(
        sentences=int(arrays["sentences"]),
        dim=int(arrays["dim"]),
        zeros=int(arrays["zeros"]),
        average_cosine=float(arrays["average_cosine"]),
        iso_score=float(arrays["iso_score"]),
        common=float(arrays["common"]),
        explained=arrays["explained"],
        top=arrays["top"],
        size=arrays["size"],
        z=arrays["z"],
        part=arrays["part"],
        outliers=int(arrays["outliers"]),
        outlying=float(arrays["outlying"]),
    )


def by_layer(
    engine: Engine, recipe: Recipe, corpus: Corpus, progress: Progress = silent
) -> tuple[dict[int, Isotropy], dict[int, str]]:
    """Isotropy of every layer alone under the recipe's other stages, and the error of a layer without one.

    Raises :class:`StrataError` when the source cannot be found.
    """
    layers = engine.source(recipe, corpus).layers
    done, tell = count(), one_at_a_time(progress)
    with suppress(StrataError):  # which is one of a layer, and told with it
        first = _isotropy_parts(engine, at_layer(recipe, layers[0]), corpus)
        if not engine.store.has_table(SPACE, first):
            engine.pool_layers(recipe, corpus, tell)

    def measure(layer: int) -> Isotropy | str:
        tell(Step("Measuring isotropy: layers", next(done), len(layers)))
        try:
            return isotropy(engine, at_layer(recipe, layer), corpus, tell)
        except StrataError as error:
            return str(error)

    found = dict(zip(layers, at_once(measure, layers), strict=True))
    measured = {layer: one for layer, one in found.items() if isinstance(one, Isotropy)}
    return measured, {layer: one for layer, one in found.items() if isinstance(one, str)}


def has_isotropy(engine: Engine, recipe: Recipe, corpus: Corpus) -> bool:
    """Whether what :func:`isotropy` gives is stored; raises what it raises without a source."""
    return engine.store.has_table(SPACE, _isotropy_parts(engine, recipe, corpus))


def has_layers(engine: Engine, recipe: Recipe, corpus: Corpus) -> bool:
    """Whether what :func:`by_layer` gives is stored; raises what it raises."""
    layers = engine.source(recipe, corpus).layers
    parts = (_isotropy_parts(engine, at_layer(recipe, layer), corpus) for layer in layers)
    return all(engine.store.has_table(SPACE, each) for each in parts)


def by_sample_size(
    engine: Engine, recipe: Recipe, corpus: Corpus, progress: Progress = silent
) -> SampleSizes:
    """IsoScore of growing samples of a corpus' sentences, drawn with a fixed seed; stored.

    Raises as :func:`measure_recipe` does. A corpus of fewer than :data:`SMALLEST` sentences has one size.
    """

    def measure() -> dict[str, np.ndarray]:
        vectors = engine.embed(recipe, corpus, progress).vectors
        order = np.random.default_rng(0).permutation(len(vectors))
        sizes = _sizes(len(vectors))
        scores = np.array([iso_score(vectors[order[:size]]) for size in sizes])
        isotropic = [measures.isotropic_iso_score(size, vectors.shape[1]) for size in sizes]
        arrays = {"sizes": np.array(sizes), "scores": scores, "isotropic": np.array(isotropic)}
        return arrays | {"dim": np.array(vectors.shape[1])}

    arrays = _kept(engine, "sizes", _of_vectors(engine, recipe), corpus, measure, progress)
    return SampleSizes(int(arrays["dim"]), arrays["sizes"], arrays["scores"], arrays["isotropic"])


def has_sample_sizes(engine: Engine, recipe: Recipe, corpus: Corpus) -> bool:
    """Whether what :func:`by_sample_size` gives is stored; raises what it raises without a source."""
    return engine.store.has_table(SPACE, _parts("sizes", _of_vectors(engine, recipe), corpus))


def at_layer(recipe: Recipe, layer: int) -> Recipe:
    """``recipe`` with one layer in place of its own."""
    return recipe.replace(layers=by_number([layer]))


def suggested(recipe: Recipe) -> tuple[Recipe, tuple[Recipe, ...]]:
    """A plain recipe on the source, template and reference of ``recipe``, and variants of it."""
    base = recipe.as_read()
    return base, tuple(
        base.replace(**dict(part.split("=", 1) for part in text.split(";"))) for text in SUGGESTED
    )


def changed_stages(base: Recipe, recipe: Recipe) -> str:
    """The stages in which ``recipe`` differs from ``base``, in short: ``idf, zscore``; ``layers=last``."""
    before, after = base.spelled(), recipe.spelled()
    changed = [name for name in STAGES if after[name] != before[name]]
    bare = ("weight", "pool", "post")
    parts = [after[n] if n in bare and getattr(recipe, n) else f"{n}={after[n]}" for n in changed]
    return ", ".join(parts) or "no change"


# -- inside ------------------------------------------------------------------------------------------


def _isotropy_parts(engine: Engine, recipe: Recipe, corpus: Corpus) -> tuple[object, ...]:
    """What the stored isotropy of a recipe depends on."""
    alike = engine.by_number(recipe.replace(similarity="cosine"), corpus)  # the last layer is measured once
    return _parts("isotropy", kept_under(engine, alike), corpus)


def _of_vectors(engine: Engine, recipe: Recipe) -> dict[str, str]:
    """What results depend on that are of the vectors of a recipe, however they are compared."""
    return kept_under(engine, recipe.replace(similarity="cosine"))


def _parts(what: str, about: Mapping[str, str], corpus: Corpus) -> tuple[object, ...]:
    return (what, dict(about), corpus.fingerprint, *([corpus.scale] if corpus.scale else []))


def _kept(
    engine: Engine,
    what: str,
    about: Mapping[str, str],
    corpus: Corpus,
    measure: Callable[[], Arrays],
    progress: Progress,
) -> Arrays:
    return engine.store.table(SPACE, _parts(what, about, corpus), measure, progress)


def _score(similarities: np.ndarray, corpus: Corpus) -> tuple[float, float, float]:
    try:
        check_scorable(corpus)
    except StrataError:
        return (float("nan"),) * 3
    score = evaluate(similarities, corpus)
    return score.spearman, score.low, score.high


def _sizes(sentences: int) -> list[int]:
    if sentences <= SMALLEST:
        return [sentences]
    return sorted({int(size) for size in np.geomspace(SMALLEST, sentences, SIZES).round()})
