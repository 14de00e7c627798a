"""Impact against tf-idf over a corpus: the sample, the counts, the correlations, and what is kept."""

import math

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from core.analysis.masking import tfidf_correlation
from core.analysis.masking.impact import MERGES, METRICS, impact
from core.analysis.masking.plan import LEVELS, plan_masking
from core.analysis.masking.tfidf_correlation import (
    PUBLISHED,
    TFIDF_CORRELATION,
    Agreement,
    AgreementRequest,
    agreement,
    agreement_seconds,
    sample,
    stored_agreement,
)
from core.analysis.masking.unit_frequencies import UnitFrequencies, inverse_frequencies
from core.corpora.corpus import Corpus
from core.encoders.encoder import Encoder
from core.errors import CorpusError, RecipeError
from core.pipeline.engine import Engine
from core.recipe import Recipe
from tests.core.helpers.texts import many
from tests.core.helpers.tiny import DEPTH

TEXTS = ["the dog run", "a dog, a cat, a dog", "rain falls on the dogs", "the dog run"]


@pytest.fixture
def corpus() -> Corpus:
    return Corpus.of_texts("small", TEXTS)


@pytest.fixture
def source(engine, model):
    return engine.source(Recipe().replace(source=str(model("bert"))))


@pytest.fixture
def run(monkeypatch) -> list[int]:
    """The rows of every batch that models were given."""
    rows: list[int] = []
    states = Encoder.states

    def counted(self, ids, types, wanted):
        rows.append(len(ids))
        return states(self, ids, types, wanted)

    monkeypatch.setattr(Encoder, "states", counted)
    return rows


# -- the sample


def test_a_sample_is_drawn_by_its_seed_without_repeats(corpus):
    large = Corpus.of_texts("many", many(100) + many(20))
    first = sample(large, 30, seed=3)
    assert first == sample(large, 30, seed=3)
    assert first != sample(large, 30, seed=4)
    assert len(set(first)) == 30
    assert first == sample(large, 60, seed=3)[:30], "a larger one holds the smaller"
    assert sorted(sample(corpus, 50)) == sorted(set(TEXTS)), "no more than there are"


def test_only_sentences_of_fit_length_are_drawn():
    corpus = Corpus.of_texts("mixed", ["too short", "just right", "x" * 200, "x" * 201])
    assert sorted(sample(corpus, 9)) == ["just right", "x" * 200]
    with pytest.raises(CorpusError, match="No sentence of short has 10 to 200 characters"):
        sample(Corpus.of_texts("short", ["a", "b"]), 5)


# -- tf-idf


def expected_idf(words, level):
    """log(texts / texts with it) by counting in hand-cut texts, the repeated text twice."""
    cut = {
        "words": [
            ["the", "dog", "run"],
            ["a", "dog", ",", "a", "cat", ",", "a", "dog"],
            ["rain", "falls", "on", "the", "dogs"],
        ],
        "tokens": [
            ["the", "dog", "run"],
            ["a", "dog", ",", "a", "cat", ",", "a", "dog"],
            ["rain", "fall", "##s", "on", "the", "dog", "##s"],
        ],
    }[level]
    texts = [cut[0], *cut]
    return [math.log(4 / max(1, sum(word in text for text in texts))) for word in words]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("text", TEXTS)
def test_idf_is_counted_over_texts_and_their_repeats(engine, source, corpus, level, text):
    planned = plan_masking(engine, source, text, level)
    found = inverse_frequencies(engine, planned, corpus)
    np.testing.assert_allclose(found, expected_idf(planned.units, level))


@pytest.mark.parametrize("level", LEVELS)
def test_tf_counts_in_the_sentence_and_is_not_scaled(engine, source, corpus, level):
    planned = plan_masking(engine, source, TEXTS[1], level)
    times = [TEXTS[1].replace(",", " ,").split().count(word) for word in planned.units]
    assert times == [3, 2, 2, 3, 1, 2, 3, 2]
    expected = np.array(expected_idf(planned.units, level)) * times
    frequencies = UnitFrequencies.of(engine, source, level, corpus)
    np.testing.assert_allclose(frequencies.tf_idf(planned), expected)


@pytest.mark.parametrize("level", LEVELS)
def test_a_word_that_occurs_nowhere_counts_as_in_one_text(engine, source, corpus, level):
    planned = plan_masking(engine, source, "the girl plays", level)
    found = inverse_frequencies(engine, planned, corpus)
    np.testing.assert_allclose(found, [math.log(4 / 3), math.log(4), math.log(4)])


@pytest.mark.parametrize("level", LEVELS)
def test_a_template_plays_no_role(engine, model, source, corpus, level):
    prompted = engine.source(Recipe().replace(source=str(model("bert")), template="T0"))
    found = [
        inverse_frequencies(engine, plan_masking(engine, one, TEXTS[1], level), corpus)
        for one in (prompted, source)
    ]
    assert (found[0] == found[1]).all()


def test_capitals_do_not_make_another_word(engine, model, corpus):
    source = engine.source(Recipe().replace(source=str(model("roberta"))))
    planned = plan_masking(engine, source, "The DOG run")
    assert planned.units == ("The", "DOG", "run")
    assert inverse_frequencies(engine, planned, corpus)[2] == pytest.approx(math.log(2))
    assert inverse_frequencies(engine, planned, corpus)[0] == pytest.approx(math.log(4 / 3))


# -- the correlation


@pytest.mark.parametrize("level", LEVELS)
def test_the_correlation_is_that_of_all_words_of_all_sentences(engine, source, corpus, level):
    texts = tuple(sample(corpus, 9))
    found = agreement(engine, AgreementRequest(source, texts, corpus, level))
    assert found.depth == DEPTH
    for layer, metric, merge in [(DEPTH, "euclidean", "first"), (1, "cosine", "sum")]:
        x, y, within = [], [], []
        for text in texts:
            planned = plan_masking(engine, source, text, level)
            matrix = impact(engine, planned).matrix(layer, metric, merge)
            means = [sum(row[j] for row in matrix) / len(matrix) for j in range(len(matrix))]
            weights = np.array(expected_idf(planned.units, level))
            weights *= [planned.units.count(unit) for unit in planned.units]
            x, y = [*x, *means], [*y, *weights]
            within.append(spearmanr(means, weights).statistic)
        got = found.correlation(layer, metric, merge)
        assert got.pearson == pytest.approx(100 * pearsonr(x, y).statistic, abs=1e-3)
        assert got.spearman == pytest.approx(100 * spearmanr(x, y).statistic, abs=1e-3)
        assert got.within == pytest.approx(100 * np.mean(within), abs=1e-3)
        assert (got.units, got.sentences) == (len(x), 3)
        assert np.isnan([got.low, got.high]).all(), "of three sentences there is no interval"


def made(means, tfidf, sentence) -> Agreement:
    """The same means for every metric, merge and layer."""
    whole = np.broadcast_to(means, (len(METRICS), len(MERGES), 2, len(means))).astype(np.float32)
    return Agreement(whole, np.array(tfidf, float), np.array(sentence), 0)


def test_perfect_agreement_is_100_and_its_reverse_minus_100():
    whole, parts = [1, 2, 3, 4, 5, 6], [0, 0, 0, 1, 1, 1]
    same = made(whole, [10, 20, 30, 40, 50, 60], parts).correlation(1)
    assert (same.pearson, same.spearman, same.within) == pytest.approx((100, 100, 100))
    assert np.isnan([same.low, same.high]).all(), "of two sentences there is no interval"
    ten = made(np.arange(30), np.arange(30), np.arange(30) // 3).correlation(1)
    assert (ten.low, ten.high) == pytest.approx((100, 100))
    assert made(whole, [6, 5, 4, 3, 2, 1], parts).correlation(0).spearman == pytest.approx(-100)
    scaled = made(whole, [30, 40, 50, 1, 2, 3], parts).correlation(0)
    assert scaled.within == pytest.approx(100), "sentences are not compared with each other"
    assert scaled.spearman < 0


def test_sentences_are_drawn_whole_for_the_interval():
    generator = np.random.default_rng(0)
    x = generator.normal(size=200)
    y = x + generator.normal(size=200)
    alone = made(x, y, np.arange(200)).correlation(0)
    clumped = made(np.repeat(x[:20], 10), np.repeat(y[:20], 10), np.repeat(np.arange(20), 10)).correlation(
        0
    )
    assert alone.low < alone.spearman < alone.high
    assert clumped.high - clumped.low > 2 * (alone.high - alone.low)


def test_no_correlation_exists_where_nothing_moves():
    found = made([0, 0, 0, 0], [1, 2, 3, 4], [0, 0, 1, 1]).correlation(0)
    assert np.isnan([found.pearson, found.spearman, found.low, found.high, found.within]).all()
    one = made([1, 2, 3], [1, 2, 4], [0, 0, 0]).correlation(0)
    assert one.spearman == pytest.approx(100)
    assert np.isnan(one.low), "one sentence has no interval"
    assert np.isnan(made([1, 2], [1, 2], [0, 1]).correlation(0, intervals=False).low)


def test_the_published_figures_are_those_of_the_paper():
    assert [(one.pearson, one.spearman) for one in PUBLISHED] == [
        (57.27, 57.44),
        (62.90, 70.21),
        (12.97, 21.91),
    ]


# -- what is kept


def test_the_answer_is_kept_for_every_visitor(engine, settings, source, corpus, run):
    question = AgreementRequest(source, tuple(sample(corpus, 9)), corpus)
    inputs, seconds = agreement_seconds(engine, question)
    assert seconds > 0
    assert stored_agreement(engine, question) is None
    found = agreement(engine, question)
    assert sum(run) == inputs == sum(plan_masking(engine, source, text).inputs for text in set(TEXTS))
    again = stored_agreement(Engine(settings), question)
    assert again is not None
    assert sum(run) == inputs
    for part in ("means", "tfidf", "sentence"):
        assert (getattr(again, part) == getattr(found, part)).all()
    assert agreement_seconds(engine, question) == (inputs, 0)


def test_what_an_answer_depends_on_is_in_its_key(engine, source, corpus):
    other = Corpus.of_texts("small", [*TEXTS, TEXTS[0]])
    request = AgreementRequest(source, tuple(TEXTS), corpus)
    requests = [
        request,
        AgreementRequest(source, tuple(TEXTS), corpus, "tokens"),
        AgreementRequest(source, tuple(TEXTS), other),
        AgreementRequest(source, tuple(TEXTS[:2]), corpus),
        AgreementRequest(engine.source(Recipe()), tuple(TEXTS), corpus),
    ]
    keys = {TFIDF_CORRELATION.key(request.parts(engine)) for request in requests}
    assert len(keys) == 5


def test_stopped_work_goes_on_where_it_was(engine, source, run):
    corpus = Corpus.of_texts("many", many(12))
    question = AgreementRequest(source, tuple(sample(corpus, 8)), corpus)
    inputs, _ = agreement_seconds(engine, question)

    def stop(step):
        if step.done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        agreement(engine, question, stop)
    assert 0 < sum(run) < inputs
    assert stored_agreement(engine, question) is None
    steps = []
    agreement(engine, question, steps.append)
    assert sum(run) == inputs, "no input twice"
    assert steps[-1].total == 8
    larger = AgreementRequest(source, tuple(sample(corpus, 10)), corpus)
    agreement(engine, larger)
    assert sum(run) == agreement_seconds(engine, larger)[0], "what was asked before is not asked again"


# -- what cannot be done


def test_sentences_that_say_nothing_are_left_out_and_counted(engine, source):
    texts = ("aaaaaaaaaaaa", "the dog run", "bbbbbbbbbbbb")
    corpus = Corpus.of_texts("odd", texts)
    found = agreement(engine, AgreementRequest(source, texts, corpus))
    assert found.left_out == 2
    assert found.sentence.tolist() == [0, 0, 0]
    with pytest.raises(CorpusError, match="fewer than two words in each of 1 sentence drawn"):
        agreement(engine, AgreementRequest(source, texts[:1], corpus))


def test_a_model_without_mask_token_is_refused(engine, model, corpus):
    decoder = engine.source(Recipe().replace(source=str(model("gpt2"))))
    with pytest.raises(RecipeError, match="has no mask token"):
        agreement(engine, AgreementRequest(decoder, tuple(TEXTS), corpus))
    assert not tfidf_correlation.stored_agreement(engine, AgreementRequest(decoder, tuple(TEXTS), corpus))
