"""The scores of options: those of the recipes themselves, and what is left out."""

import pytest

from core.evaluation import quick
from core.evaluation.option_scores import option_scores
from core.evaluation.scoring import score
from core.recipe import Recipe


@pytest.fixture
def recipes(bert):
    texts = {"mean": "pool=mean", "max": "pool=max", "whitening": "post=whiten", "layer 9": "layers=9"}
    return {name: Recipe.parse(f"{bert};{text}") for name, text in texts.items()}


def test_options_score_what_their_recipes_do(engine, recipes, scored):
    found = option_scores(engine, recipes, scored, reading=60)
    assert found.scores == {
        name: pytest.approx(score(engine, recipes[name], scored).score.spearman)
        for name in ("mean", "max", "whitening")
    }, "a layer that the model lacks is left out"
    assert found.unread == frozenset()


def test_nothing_is_read_that_takes_longer_than_it_may(engine, recipes, scored):
    found = option_scores(engine, recipes, scored)
    assert found.scores == {}
    assert found.unread == {"mean", "max", "whitening"}
    assert not engine.is_read(recipes["mean"], scored)


def test_what_is_quickly_learnt_is_learnt_where_the_corpus_is_read(engine, bert, scored, monkeypatch):
    groups = [Recipe.parse(f"{bert};pool=s3e(k={k})") for k in (2, 3)]
    assert option_scores(engine, {"S3E": groups[0]}, scored).unread == {"S3E"}, "nothing is read yet"
    score(engine, Recipe.parse(bert), scored)
    assert engine.pending_seconds(groups[0], scored) > 0
    assert option_scores(engine, {"S3E": groups[0]}, scored).scores.keys() == {"S3E"}
    monkeypatch.setattr(quick, "LEARNING", 0.0)
    assert option_scores(engine, {"S3E": groups[1]}, scored).unread == {"S3E"}, "it would take too long"


def test_an_option_that_takes_too_long_is_given_up_at_a_progress_step(engine, recipes, scored):
    given_up = option_scores(engine, recipes, scored, reading=60, patience=-60)
    assert given_up.scores == {}
    assert given_up.unread == frozenset()
    assert option_scores(engine, recipes, scored, reading=60, patience=60).scores.keys() > {"mean", "max"}
