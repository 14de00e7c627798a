"""Gains over one recipe are the paired differences of scores, kept one by one."""

import math

import numpy as np
import pytest
from scipy.stats import spearmanr

from core.corpora.corpus import Corpus
from core.errors import CorpusError, ModelError
from core.evaluation import gains as module
from core.evaluation.gains import gain, gains
from core.evaluation.sts import compare
from core.pipeline.engine import Engine
from core.recipe import Recipe


@pytest.fixture
def recipes(bert) -> dict[str, Recipe]:
    stages = {"whitened": "post=whiten(k=4)", "maximum": "pool=max", "plain again": ""}
    return {name: Recipe.parse(f"{bert};layers=last;{text}") for name, text in stages.items()}


def test_a_gain_is_the_paired_difference_of_two_scores(engine, bert, scored, recipes):
    plain = Recipe.parse(f"{bert};layers=last")
    results = gains(engine, plain, recipes, scored)
    assert list(results) == list(recipes)
    theirs, _ = engine.similarities(plain, scored)
    for name, recipe in recipes.items():
        ours, _ = engine.similarities(recipe, scored)
        own, other = (100 * spearmanr(x, scored.gold).statistic for x in (ours, theirs))
        assert results[name].spearman == pytest.approx(own, abs=1e-6)
        assert results[name].difference.value == pytest.approx(own - other, abs=1e-6)
        assert results[name].difference == compare(theirs, ours, scored, "all")
    same = results["plain again"].difference
    assert (same.value, same.low, same.high, same.shown) == (0, 0, 0, False)


def test_each_gain_is_kept(engine, bert, scored, recipes, monkeypatch):
    plain = Recipe.parse(f"{bert};layers=last")
    first = gains(engine, plain, recipes, scored)
    monkeypatch.setattr(module, "compare", lambda *_: pytest.fail("compared again"))
    assert gains(Engine(engine.settings), plain, recipes, scored) == first
    with pytest.raises(pytest.fail.Exception, match="compared again"):
        gain(engine, plain.replace(layers="1"), recipes["maximum"], scored)


def test_a_stopped_computation_goes_on_where_it_was(engine, bert, scored, recipes):
    plain, steps = Recipe.parse(f"{bert};layers=last"), []

    def stop(step):
        if step.what == "Comparing recipes" and step.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gains(engine, plain, recipes, scored, progress=stop)
    kept = len(list((engine.settings.cache / "tables").glob("gains-*")))
    gains(engine, plain, recipes, scored, progress=steps.append)
    assert kept == 2
    assert len(list((engine.settings.cache / "tables").glob("gains-*"))) == 3


def test_a_recipe_that_cannot_be_followed_says_why_and_the_others_stand(engine, bert, scored, recipes):
    plain = Recipe.parse(f"{bert};layers=last")
    results = gains(engine, plain, {"odd": plain.replace(layers="9"), **recipes}, scored)
    assert "has no layer 9" in results["odd"]
    assert np.isfinite(results["maximum"].difference.value)


def test_a_recipe_without_a_correlation_has_no_gain(engine, bert, scored):
    plain = Recipe.parse(f"{bert};layers=last")
    result = gain(engine, plain, Recipe.parse(f"{bert};layers=0;pool=cls"), scored)
    assert math.isnan(result.spearman)
    assert not result.difference.shown


def test_what_cannot_be_compared_at_all_is_refused(engine, bert, recipes, tmp_path):
    plain = Recipe.parse(f"{bert};layers=last")
    with pytest.raises(CorpusError, match="no scored pairs"):
        gains(engine, plain, recipes, Corpus.of_texts("t", ["a", "b"]))
    with pytest.raises(ModelError):
        gains(engine, Recipe.parse(f"source={tmp_path / 'gone'}"), recipes, _pairs())


def _pairs() -> Corpus:
    return Corpus.of_pairs("p", ["a", "b", "c"], ["d", "e", "f"], [1, 2, 3])
