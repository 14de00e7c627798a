"""Are the words whose masking moves the others most the rare ones? Impact against tf-idf over a corpus.

The quantity of Chen et al. 2023 (Ditto), Table 3: the correlation, over all words of many sentences, of the
column means of their impact matrices (:mod:`core.analysis.masking`) with the words' tf-idf. Special tokens
are left out. Every sentence is kept by itself, so that work that was stopped goes on where it was.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int

from core.analysis.masking import MERGES, METRICS, Merge, Metric, impact, pending_seconds
from core.analysis.masking_plan import Level, Plan, plan
from core.corpus import Corpus
from core.embed import Road
from core.errors import CorpusError
from core.evaluation.statistics import bootstrap_spearman, draw, interval, pearson, spearman
from core.passes import Source
from core.progress import Progress, Step, silent
from core.store import key_of
from core.tokens import DocumentFrequencies, document_frequencies

SHORTEST, LONGEST = 10, 200
"""Characters of the sentences that are drawn: with too few words there is nothing to correlate, and the
work grows with the square of their number."""


@dataclass(frozen=True)
class Published:
    """One row of the table: correlations × 100."""

    model: str
    pearson: float
    spearman: float


PUBLISHED = (
    Published("BERT (bert-base-uncased)", 57.27, 57.44),
    Published("SBERT (bert-base-nli-stsb-mean-tokens)", 62.90, 70.21),
    Published("ELECTRA", 12.97, 21.91),
)
WHERE = (
    "Chen et al. 2023 (Ditto), Table 3: 1,000 sentences of the English PUD treebank, tf-idf learnt from a "
    "million sentences of Wikipedia"
)


@dataclass(frozen=True)
class Correlation:
    """Column means against tf-idf, × 100; NaN where one of them is constant.

    Attributes
    ----------
    pearson, spearman
        Over the words of all sentences together.
    low, high
        95 % bootstrap interval of ``spearman``, drawn over sentences.
    within
        The mean of the Spearman correlations of single sentences: what is left when sentences are not
        compared with each other.
    units, sentences
        How many words, or tokens, of how many sentences.
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
        ``[metric, merge, layer, unit]``, in the order of :data:`~core.analysis.masking.METRICS` and
        :data:`~core.analysis.masking.MERGES`.
    tfidf
        Count in the sentence × log(texts / texts with it).
    sentence
        The sentence of each unit.
    left_out
        Sentences of the sample that the model cannot be asked about: too few words that it reads, or too
        many.
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
        self, layer: int, metric: Metric = "euclidean", merge: Merge = "first", *, intervals: bool = True
    ) -> Correlation:
        """The correlation in one layer; without ``intervals`` its bounds are NaN."""
        means = self.means[METRICS.index(metric), MERGES.index(merge), layer].astype(np.float64)
        sentences = int(self.sentence.max(initial=-1)) + 1
        low = high = float("nan")
        value = spearman(means, self.tfidf)
        if intervals and np.isfinite(value) and sentences > 1:
            counts = draw(np.zeros(sentences, int))[:, self.sentence]
            low, high = interval(bootstrap_spearman(means, self.tfidf, counts))
        parts = (np.flatnonzero(self.sentence == i) for i in range(sentences))
        single = np.array([spearman(means[part], self.tfidf[part]) for part in parts])
        known = single[np.isfinite(single)]
        within = float(known.mean()) if len(known) else float("nan")
        return Correlation(
            100 * pearson(means, self.tfidf),
            100 * value,
            100 * low,
            100 * high,
            100 * within,
            len(means),
            sentences,
        )


def sample(corpus: Corpus, number: int, seed: int = 0) -> list[str]:
    """Some of a corpus' different sentences, drawn without replacement; all when it has no more.

    Sentences of :data:`SHORTEST` to :data:`LONGEST` characters, whatever the model, so that models are
    asked about the same. A larger sample by the same seed holds the smaller one.

    Raises
    ------
    CorpusError
        None of its sentences has such a length.
    """
    order = np.random.default_rng(seed).permutation(len(corpus.sentences))
    found = [text for i in order if SHORTEST <= len(text := corpus.sentences[i]) <= LONGEST]
    if not found:
        raise CorpusError(
            f"No sentence of {corpus.name} has {SHORTEST} to {LONGEST} characters, as those have that are "
            "drawn here; take another corpus."
        )
    return found[:number]


def inverse_frequencies(
    road: Road, planned: Plan, learn: Corpus, progress: Progress = silent
) -> Float[np.ndarray, " unit"]:
    """log(texts / texts with it) of each unit of a sentence, in a corpus whose repeats count.

    A unit that occurs in no text of it counts as in one.
    """
    if planned.level == "tokens":
        known = road.passes.frequencies(planned.source, learn, progress)
        ids = planned.ids[planned.starts]
    else:
        known, numbers = word_frequencies(road, planned.source, learn, progress)
        ids = np.array([numbers.get(word, len(numbers)) for word in planned.counted])
    return known.idf(ids)


def tf_idf(
    road: Road, planned: Plan, learn: Corpus, progress: Progress = silent
) -> Float[np.ndarray, " unit"]:
    """The idf of each unit, times how often it occurs in the sentence; not scaled to the sentence."""
    times = Counter(planned.counted)
    return inverse_frequencies(road, planned, learn, progress) * [times[word] for word in planned.counted]


def word_frequencies(
    road: Road, source: Source, corpus: Corpus, progress: Progress = silent
) -> tuple[DocumentFrequencies, dict[str, int]]:
    """In how many texts of a corpus each word occurs, and the number by which it is counted; kept.

    Words are those of the source's tokenizer in lower case, punctuation apart, read without template.
    """
    source = replace(source, template="")

    def count() -> dict[str, np.ndarray]:
        tokens = road.passes.tokens(source, corpus.sentences, progress)
        words = road.passes.words(source, tokens)
        found = document_frequencies(replace(tokens, ids=words.of.astype(np.int32)), corpus.repeats)
        written = np.frombuffer(json.dumps(words.written).encode(), np.uint8)
        return {"written": written, "texts": np.array(found.texts), "counts": found.counts}

    parts = (source.cutting, corpus.text_digest, key_of(corpus.repeats.tolist()))
    arrays = road.store.table("word-df-" + key_of(*parts), count)
    numbers = {word: i for i, word in enumerate(json.loads(arrays["written"].tobytes()))}
    return DocumentFrequencies(int(arrays["texts"]), arrays["counts"]), numbers


@dataclass(frozen=True, eq=False)
class Question:
    """What is asked of a model: its impact on some sentences, against tf-idf learnt from a corpus."""

    source: Source
    texts: Sequence[str]
    learn: Corpus
    level: Level = "words"

    def key(self, road: Road) -> str:
        """What the answer depends on."""
        source, learn = self.source, self.learn
        model = (source.name, source.revision, road.settings.forward, source.location.max_tokens)
        counts = key_of(learn.text_digest, learn.repeats.tolist())
        return "impact-" + key_of(*model, self.level, list(self.texts), counts)


def known(road: Road, question: Question) -> Agreement | None:
    """The answer, when it is kept."""
    if not road.store.has_table(question.key(road)):
        return None
    return agreement(road, question)


def agreement(road: Road, question: Question, progress: Progress = silent) -> Agreement:
    """Mask the sentences one by one; the answer is kept, and so is each sentence when it is done.

    Raises
    ------
    RecipeError
        The source is no model, or has no mask token.
    CorpusError
        The model can be asked about none of the sentences.
    """
    arrays = road.store.table(question.key(road), lambda: _collect(road, question, progress))
    return Agreement(arrays["means"], arrays["tfidf"], arrays["sentence"], int(arrays["left_out"]))


def agreement_seconds(road: Road, question: Question) -> tuple[int, float]:
    """The model inputs of all sentences, and about how many seconds those take that are not kept yet."""
    planned, _ = _plans(road, question)
    return sum(p.inputs for p in planned), sum(pending_seconds(road, p) for p in planned)


def _collect(road: Road, question: Question, progress: Progress) -> dict[str, np.ndarray]:
    planned, left_out = _plans(road, question)
    name, total = question.source.name, len(planned)
    means, weights = [], []
    for number, one in enumerate(planned):
        found = impact(
            road, one, _telling(progress, Step(f"Masking with {name}: sentences", number, total))
        )
        layers = range(found.depth + 1)
        means.append(
            [[[found.means(i, metric, merge) for i in layers] for merge in MERGES] for metric in METRICS]
        )
        weights.append(tf_idf(road, one, question.learn, progress))
    return {
        "means": np.concatenate(means, axis=-1).astype(np.float32),
        "tfidf": np.concatenate(weights),
        "sentence": np.repeat(np.arange(total), [len(one.units) for one in planned]),
        "left_out": np.array(left_out),
    }


def _plans(road: Road, question: Question) -> tuple[list[Plan], int]:
    """What is masked in each sentence, and how many sentences nothing can be masked in."""
    planned = []
    for text in question.texts:
        try:
            planned.append(plan(road, question.source, text, question.level))
        except CorpusError:
            continue
    if not planned:
        raise CorpusError(
            f"{question.source.name} reads fewer than two {question.level} in each of the "
            f"{len(question.texts):,} sentences drawn; take another corpus."
        )
    return planned, len(question.texts) - len(planned)


def _telling(progress: Progress, step: Step) -> Callable[[Step], None]:
    """Progress of one sentence as a place among all of them; it can stop within the sentence."""
    return lambda _: progress(step)
