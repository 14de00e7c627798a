"""What can be said of a recipe without gold scores, from texts alone, and how well it would choose.

None of these measures quality. Whether the recipe that one of them takes for the best is a good one is
shown on corpora that have gold scores: its regret is what the best recipe scores above it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial

import numpy as np
from jaxtyping import Float

from core.analysis.geometry.alignment_uniformity import uniformity
from core.corpora.corpus import Corpus
from core.errors import CorpusError, RecipeError, StrataError, closest, shorten
from core.evaluation.isotropy import iso_score
from core.evaluation.scoring import kept_under
from core.evaluation.statistics import spearman
from core.evaluation.tasks.similarity import STS
from core.evaluation.tasks.task import Samples, TaskResult, no_samples, resampled_means
from core.matrices import units
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.recipe import Recipe
from core.search.aims import FEWEST, Aim, Parted
from core.search.measured import Measured
from core.storage import json_arrays
from core.storage.tables import RECIPE_LIBRARIES, Arrays, TableKind

REGRETS = TableKind("regrets", 1, RECIPE_LIBRARIES, forward=True)
"""What choosing without gold scores loses where they are known."""

MOST = 1_000
"""Sentences that are cut into halves, at most: each is compared with all others."""

WORDS = 6
"""Words from which on a sentence is cut into halves."""

Vectors = Float[np.ndarray, "row dim"]
Measure = Callable[[Vectors, Vectors], tuple[float, Callable[[], Samples]]]
"""A value × 100 from the vectors of first and of second halves, and how it is resampled."""


@dataclass(frozen=True)
class Proxy:
    """A number that is high for a recipe that might be good, from the halves of sentences."""

    name: str
    explanation: str
    measure: Measure


def _agreement(u: Vectors, v: Vectors) -> tuple[float, Callable[[], Samples]]:
    """100 / rank of a sentence's second half among all, by cosine to its first, and the other way round."""
    u, v = units(u), units(v)
    cosines = u @ v.T
    own = np.diag(cosines)
    ahead = (cosines > own[:, None]).sum(axis=1), (cosines > own[None, :]).sum(axis=0)
    ties = (cosines == own[:, None]).sum(axis=1) - 1, (cosines == own[None, :]).sum(axis=0) - 1
    credits = sum(1 / (1 + more + equal / 2) for more, equal in zip(ahead, ties, strict=True)) / 2
    assert isinstance(credits, np.ndarray)  # noqa: S101
    return 100 * float(credits.mean()), partial(resampled_means, credits[None])


def _uniformity(u: Vectors, v: Vectors) -> tuple[float, Callable[[], Samples]]:
    """Minus the logarithm of the mean of exp(−2 · squared distance) over pairs of texts, × 100."""
    return -100 * uniformity(np.concatenate([u, v]), normalised=True), no_samples


def _iso_score(u: Vectors, v: Vectors) -> tuple[float, Callable[[], Samples]]:
    """IsoScore of the texts' vectors × 100."""
    return 100 * iso_score(np.concatenate([u, v])), no_samples


PROXIES: Mapping[str, Proxy] = {
    proxy.name: proxy
    for proxy in (
        Proxy(
            "agreement",
            "how well the two halves of a sentence find each other among the halves of all: the mean of "
            "1 / rank by cosine",
            _agreement,
        ),
        Proxy(
            "uniformity",
            "how evenly unit vectors lie on the sphere (Wang & Isola 2020), low values first",
            _uniformity,
        ),
        Proxy(
            "isoscore",
            "how evenly the variance lies over all dimensions (Rudman et al. 2022)",
            _iso_score,
        ),
    )
}
"""What recipes can be chosen by without gold scores."""


def find_proxy(name: str) -> Proxy:
    """A proxy by its name; raises :class:`RecipeError` for one that is none."""
    if name not in PROXIES:
        raise RecipeError(
            f"find: there is no proxy {shorten(name)}.{closest(name, PROXIES)} "
            f"Allowed: {', '.join(PROXIES)}."
        )
    return PROXIES[name]


def halves(corpus: Corpus) -> Corpus:
    """The sentences of a corpus cut in their middle, a row each: the first words, and the rest.

    Sentences of fewer than :data:`WORDS` words are left out; of more than :data:`MOST` so many evenly over
    the corpus are taken. Raises :class:`CorpusError` where too few are left.
    """
    long = [sentence for sentence in corpus.sentences if len(sentence.split(None, WORDS)) >= WORDS]
    if len(long) < 2 * FEWEST:
        raise CorpusError(
            f"find: {len(long)} sentences of {corpus.name} have {WORDS} words or more; choosing without "
            f"gold scores needs {2 * FEWEST}."
        )
    taken = [
        long[i].split() for i in np.linspace(0, len(long) - 1, min(len(long), MOST)).astype(int).tolist()
    ]
    middles = [len(words) // 2 for words in taken]
    return Corpus.of_labelled(
        corpus.name,
        [" ".join(words[:middle]) for words, middle in zip(taken, middles, strict=True)],
        [""] * len(taken),
        text2=[" ".join(words[middle:]) for words, middle in zip(taken, middles, strict=True)],
        notes=corpus.notes,
    )


@dataclass(frozen=True, eq=False)
class ProxyAim(Aim):
    """A proxy on sentences cut into halves; ``corpus`` is what :func:`halves` gives."""

    proxy: str = ""

    @property
    def name(self) -> str:
        """``news dev, agreement``."""
        return f"{self.corpus.name} {self.part}, {self.proxy}"

    @property
    def unit(self) -> str:
        """What a scored row is called: a sentence, cut into halves."""
        return "sentences"

    @property
    def metric(self) -> str:
        """``agreement × 100``."""
        return f"{self.proxy} × 100"

    @property
    def depends_on(self) -> tuple[object, ...]:
        """What the value depends on beside the recipe."""
        return ("proxy", self.proxy, self.corpus.labelled_fingerprint)

    def measure(
        self,
        engine: Engine,
        recipe: Recipe,
        progress: Progress = silent,
        reference: Corpus | None = None,
    ) -> TaskResult:
        """The proxy of a recipe; raises what :meth:`~core.pipeline.engine.Engine.embed` raises."""
        embedded = engine.embed(recipe, self.corpus, progress, reference)
        u, v = (embedded.vectors[side] for side in (self.corpus.first, self.corpus.second))
        value, resample = find_proxy(self.proxy).measure(u, v)
        return TaskResult(self.proxy, value, resample, "", (), self.corpus.rows, notes=embedded.notes)


def parted_by(corpus: Corpus, name: str) -> Parted:
    """The halves of a corpus' sentences in two parts, to choose by a proxy on one and look at the other."""
    proxy, rows = find_proxy(name), halves(corpus)
    numbers = np.arange(rows.rows)
    dev, test = (
        ProxyAim(rows.of_rows(numbers[numbers % 2 == side]), STS, part, proxy=proxy.name)
        for side, part in ((0, "dev"), (1, "test"))
    )
    note = (
        f"Chosen without gold scores, by {proxy.name}: {proxy.explanation}. It says nothing of quality by "
        "itself; how well it chooses where gold scores are known is shown beside it."
    )
    return Parted(dev, test, (note,))


@dataclass(frozen=True)
class Regret:
    """How well a proxy chooses among recipes on a corpus with gold scores.

    Attributes
    ----------
    corpus, proxy
        Where, and by what.
    recipe, score
        What the proxy takes for the best, and its score on gold × 100.
    regret
        Points that the best of the recipes has above it.
    at_random
        The mean regret of a recipe drawn blindly.
    agrees
        Spearman's correlation of the proxy with the scores over the recipes.
    recipes
        How many recipes.
    """

    corpus: str
    proxy: str
    recipe: str
    score: float
    regret: float
    at_random: float
    agrees: float
    recipes: int


def regrets(
    engine: Engine, recipes: Sequence[Recipe], gold: Aim, progress: Progress = silent
) -> list[Regret]:
    """What each proxy would have chosen of some recipes on the texts of a corpus with gold scores.

    Recipes that cannot be followed, or have no score, take no part. The result is kept. Raises
    :class:`CorpusError` for a corpus with too few sentences, :class:`RecipeError` where fewer than two
    recipes have a score.
    """

    def compute() -> Arrays:
        found = _regrets(engine, recipes, gold, progress)
        return {"regrets": json_arrays.as_array([asdict(each) for each in found])}

    parts = [[_about(engine, recipe) for recipe in recipes], gold.depends_on, list(PROXIES)]
    kept = engine.store.table(REGRETS, parts, compute, progress)
    named = {"corpus": gold.corpus.name}  # the same texts and scores may have been kept under another one
    return [Regret(**each | named) for each in json_arrays.from_array(kept["regrets"])]


def _about(engine: Engine, recipe: Recipe) -> object:
    """What results of a recipe depend on; why it cannot be followed."""
    try:
        return kept_under(engine, recipe)
    except StrataError as error:
        return str(error)


def _regrets(engine: Engine, recipes: Sequence[Recipe], gold: Aim, progress: Progress) -> list[Regret]:
    cut = halves(gold.corpus)
    aims = [gold, *(ProxyAim(cut, STS, gold.part, proxy=name) for name in PROXIES)]
    measured, rows, followed = Measured(engine, aims), [], []
    for number, recipe in enumerate(recipes):
        progress(Step(f"Choosing on {gold.corpus.name} without its gold scores", number, len(recipes)))
        try:
            rows.append([result.value for result in measured.results(recipe, progress)])
        except StrataError:
            continue
        followed.append(str(recipe))
    if len(rows) < 2:
        raise RecipeError(f"find: {len(rows)} recipes have a score on {gold.name}; a regret needs two.")
    scores, *values = np.array(rows).T
    found = []
    for name, value in zip(PROXIES, values, strict=True):
        chosen = int(value.argmax())
        found.append(
            Regret(
                gold.corpus.name,
                name,
                followed[chosen],
                float(scores[chosen]),
                float(scores.max() - scores[chosen]),
                float(scores.max() - scores.mean()),
                spearman(value, scores),
                len(followed),
            )
        )
    return found
