"""Isotropy as a task: cosines by hand, the published IsoScore, and that no corpus is for it unasked."""

import numpy as np
import pytest
from IsoScore import IsoScore as published

from core.corpora.corpus import Corpus
from core.errors import CorpusError
from core.evaluation.tasks.isotropy import isotropy
from core.evaluation.tasks.task import TASK, check_task, task_for
from tests.core.helpers.task_data import given


def cloud(points=60, dim=5):
    generator = np.random.default_rng(1)
    vectors = (generator.normal(size=(points, dim)) * (3, 2, 1, 1, 0.5) + 1).astype(np.float32)
    return Corpus.of_texts("cloud", [f"text {i}" for i in range(points)]), vectors


def cosines(vectors):
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return (units @ units.T)[~np.eye(len(units), dtype=bool)]


def test_the_average_cosine_is_that_of_all_pairs_and_its_interval_holds_it():
    corpus, vectors = cloud()
    result = isotropy(given(corpus, vectors))
    assert result.metric == "cosine"
    assert result.value == pytest.approx(100 * cosines(vectors).mean(), abs=1e-4)
    low, high = result.bounds
    assert low < result.value < high
    assert result.samples.mean() == pytest.approx(result.value, abs=2)
    assert result.others["isoscore"] == pytest.approx(
        100 * float(published.IsoScore(vectors.astype(float))), abs=1e-3
    )


def test_the_iso_score_has_no_interval_and_sentences_are_drawn_by_seed():
    corpus, vectors = cloud()
    whole = isotropy(given(corpus, vectors), metric="isoscore")
    assert np.isnan(whole.bounds).all()
    some = [isotropy(given(corpus, vectors), sentences=20, seed=seed) for seed in (0, 0, 1)]
    assert some[0].value == some[1].value != some[2].value
    assert (some[0].n, some[0].seeds) == (20, (0,))
    assert "20 drawn" in some[0].protocol


def test_it_is_scored_only_where_it_is_named():
    corpus, _ = cloud()
    with pytest.raises(CorpusError, match="no task can score it"):
        task_for(corpus)
    check_task(corpus, TASK.parse("isotropy(sentences=1000)"))
    with pytest.raises(CorpusError, match="has 1 sentence, and no pair to compare"):
        check_task(Corpus.of_texts("one", ["alone"]), TASK.parse("isotropy"))
