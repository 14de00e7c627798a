"""The correlation of masking impact with tf-idf over the sentences of a corpus.

Chen et al. 2023 (Ditto), Table 3: the correlation, over all words of many sentences, of the
column means of their impact matrices (:mod:`core.analysis.masking.impact`) with the words' tf-idf.
Special tokens are left out. The impact of every sentence is stored by itself, so that an interrupted run
continues.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from core.analysis.masking.impact import (
    MERGES,
    METRICS,
    DistanceMetric,
    Merge,
    impact,
    pending_seconds,
)
from core.analysis.masking.plan import Level, MaskingPlan, masked_by, plan_masking
from core.analysis.masking.unit_frequencies import UnitFrequencies
from core.corpora.corpus import Corpus
from core.errors import CorpusError, counted
from core.evaluation.statistics import bootstrap_spearman, draw, interval, pearson, spearman
from core.evaluation.sts import FEW_PAIRS
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.sources.source import Source
from core.storage.tables import TableKind

TFIDF_CORRELATION = TableKind("tfidf-correlation", 1, forward=True)

SHORTEST, LONGEST = 10, 200
"""Characters of the sentences that are drawn: too few words allow no correlation, and the number of inputs
grows with the square of the number of words."""


@dataclass(frozen=True)
class PublishedCorrelation:
    """One row of the table: correlations × 100."""

    model: str
    pearson: float
    spearman: float


PUBLISHED = (
    PublishedCorrelation("BERT (bert-base-uncased)", 57.27, 57.44),
    PublishedCorrelation("SBERT (bert-base-nli-stsb-mean-tokens)", 62.90, 70.21),
    PublishedCorrelation("ELECTRA", 12.97, 21.91),
)
WHERE = (
    "Chen et al. 2023 (Ditto), Table 3: 1,000 sentences of the English PUD treebank, tf-idf learnt from a "
    "million sentences of Wikipedia"
)


@dataclass(frozen=True)
class ImpactCorrelation:
    """Column means against tf-idf, × 100; NaN where one of them is constant.

    Attributes
    ----------
    pearson, spearman
        Over the words of all sentences together.
    low, high
        95 % bootstrap interval of ``spearman``, drawn over sentences; NaN of fewer than
        :data:`~core.evaluation.sts.FEW_PAIRS` of them.
    within
        The mean of the Spearman correlations within single sentences.
    units, sentences
        The number of words, or tokens, and of sentences.
    """

    pearson: float
    spearman: float
    low: float
    high: float
    within: float
    units: int
    sentences: int


@dataclass(frozen=True, eq=False)
class Agreement:
    """Column means and tf-idf of all units of some sentences, end to end.

    Attributes
    ----------
    means
        ``[metric, merge, layer, unit]``, in the order of :data:`~core.analysis.masking.impact.METRICS` and
        :data:`~core.analysis.masking.impact.MERGES`.
    tfidf
        Count in the sentence × log(texts / texts with it).
    sentence
        The sentence of each unit.
    left_out
        The number of sentences of the sample with too few or too many words for the model.
    """

    means: Float[np.ndarray, "metric merge layer unit"]
    tfidf: Float[np.ndarray, " unit"]
    sentence: Int[np.ndarray, " unit"]
    left_out: int

    @property
    def depth(self) -> int:
        """The last layer."""
        return self.means.shape[2] - 1

    def correlation(
        self,
        layer: int,
        metric: DistanceMetric = "euclidean",
        merge: Merge = "first",
        *,
        intervals: bool = True,
    ) -> ImpactCorrelation:
        """The correlation in one layer; without ``intervals`` its bounds are NaN."""
        means = self.means[METRICS.index(metric), MERGES.index(merge), layer].astype(np.float64)
        sentences = int(self.sentence.max(initial=-1)) + 1
        low = high = float("nan")
        value = spearman(means, self.tfidf)
        if intervals and np.isfinite(value) and sentences >= FEW_PAIRS:
            counts = draw(np.zeros(sentences, int))[:, self.sentence]
            low, high = interval(bootstrap_spearman(means, self.tfidf, counts))
        parts = (np.flatnonzero(self.sentence == i) for i in range(sentences))
        single = np.array([spearman(means[part], self.tfidf[part]) for part in parts])
        known = single[np.isfinite(single)]
        within = float(known.mean()) if len(known) else float("nan")
        return ImpactCorrelation(
            100 * pearson(means, self.tfidf),
            100 * value,
            100 * low,
            100 * high,
            100 * within,
            len(means),
            sentences,
        )


def sample(corpus: Corpus, number: int, seed: int = 0) -> list[str]:
    """A sample of a corpus' different sentences, drawn without replacement; all when it has no more.

    Sentences have :data:`SHORTEST` to :data:`LONGEST` characters whatever the model, so that models get the
    same ones. A larger sample by the same seed holds the smaller one.

    Raises
    ------
    CorpusError
        None of its sentences has such a length.
    """
    order = np.random.default_rng(seed).permutation(len(corpus.sentences))
    sentences = [text for i in order if SHORTEST <= len(text := corpus.sentences[i]) <= LONGEST]
    if not sentences:
        raise CorpusError(
            f"No sentence of {corpus.name} has {SHORTEST} to {LONGEST} characters, as those have that are "
            "drawn here; take another corpus."
        )
    return sentences[:number]


@dataclass(frozen=True, eq=False)
class AgreementRequest:
    """A model, some sentences to mask, and the corpus that tf-idf is learnt from."""

    source: Source
    texts: Sequence[str]
    learn: Corpus
    level: Level = "words"

    def parts(self, engine: Engine) -> tuple[object, ...]:
        """The parts of the key of the result in the store."""
        model, learn = masked_by(engine, self.source), self.learn
        return *model, self.level, list(self.texts), learn.text_digest, learn.repeats.tolist()


def stored_agreement(engine: Engine, request: AgreementRequest) -> Agreement | None:
    """The stored result; None when there is none."""
    if not engine.store.has_table(TFIDF_CORRELATION, request.parts(engine)):
        return None
    return agreement(engine, request)


def agreement(engine: Engine, request: AgreementRequest, progress: Progress = silent) -> Agreement:
    """Mask the sentences one by one; every sentence is stored when it is done, and so is the result.

    Raises
    ------
    RecipeError
        The source is no model, or has no mask token.
    CorpusError
        The model has a matrix for none of the sentences.
    """
    arrays = engine.store.table(
        TFIDF_CORRELATION,
        request.parts(engine),
        lambda: _collect(engine, request, progress),
        progress,
        request.source.name,
    )
    return Agreement(arrays["means"], arrays["tfidf"], arrays["sentence"], int(arrays["left_out"]))


def agreement_seconds(engine: Engine, request: AgreementRequest) -> tuple[int, float]:
    """The number of model inputs of all sentences, and the estimated seconds of those not stored yet."""
    planned, _ = _plans(engine, request)
    return sum(p.inputs for p in planned), sum(pending_seconds(engine, p) for p in planned)


def _collect(engine: Engine, request: AgreementRequest, progress: Progress) -> dict[str, np.ndarray]:
    planned, left_out = _plans(engine, request)
    name, total = request.source.name, len(planned)
    frequencies = UnitFrequencies.of(engine, planned[0].source, request.level, request.learn, progress)
    means, weights = [], []
    for number, plan in enumerate(planned):
        step = Step(f"Masking with {name}: sentences", number, total)
        moved = impact(engine, plan, _reporting(progress, step))
        layers = range(moved.depth + 1)
        means.append(
            [[[moved.means(i, metric, merge) for i in layers] for merge in MERGES] for metric in METRICS]
        )
        weights.append(frequencies.tf_idf(plan))
    return {
        "means": np.concatenate(means, axis=-1).astype(np.float32),
        "tfidf": np.concatenate(weights),
        "sentence": np.repeat(np.arange(total), [len(plan.units) for plan in planned]),
        "left_out": np.array(left_out),
    }


def _plans(engine: Engine, request: AgreementRequest) -> tuple[list[MaskingPlan], int]:
    """The plan of each sentence, and the number of sentences without one."""
    planned = []
    for text in request.texts:
        try:
            planned.append(plan_masking(engine, request.source, text, request.level))
        except CorpusError:
            continue
    if not planned:
        raise CorpusError(
            f"{request.source.name} reads fewer than two {request.level} in each of "
            f"{counted(len(request.texts), 'sentence')} drawn; take another corpus."
        )
    return planned, len(request.texts) - len(planned)


def _reporting(progress: Progress, step: Step) -> Callable[[Step], None]:
    """Report a step of all sentences for every step of one, so that it can be stopped in between."""
    return lambda _: progress(step)
