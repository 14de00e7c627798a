"""What shares of Avg. gain over w = 0, paired."""

from dataclasses import astuple

import numpy as np
import pytest

from core.analysis import mixing_tasks
from core.analysis.mixing import Mixture, mean_of, mixed, mixture
from core.analysis.mixing_gains import gains, is_kept
from core.evaluation.sts import compare
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.recipe.options import Choice
from core.settings import Settings
from tests.core.helpers.texts import pairs


@pytest.fixture(scope="module")
def own_engine(tmp_path_factory) -> Engine:
    return Engine(Settings(cache=tmp_path_factory.mktemp("gains")))


@pytest.fixture(scope="module")
def recipe(bert, texts_file) -> Recipe:
    return Recipe.parse(f'{bert};reference="{texts_file}"')


def test_each_gain_is_that_of_the_two_recipes_on_the_same_pairs(own_engine, recipe, scored):
    scores = mixture(own_engine, recipe, scored)
    found = gains(own_engine, recipe, [scored], scores)
    for share, layers, difference in zip(scores.best_shares, scores.layers, found.columns, strict=True):
        plain, best = (own_engine.similarities(mixed(recipe, w, layers), scored)[0] for w in (0.0, share))
        assert astuple(difference) == pytest.approx(astuple(compare(plain, best, scored)), abs=0.5)
        assert difference.value == pytest.approx(scores.at(share, layers) - scores.at(0.0, layers))
        assert difference.value >= 0, "the best share is no worse than w = 0, which is among them"
    share, layers = scores.best
    plain, best = (
        own_engine.similarities(mixed(recipe, *cell), scored)[0]
        for cell in ((0.0, scores.best_alone), (share, layers))
    )
    assert astuple(found.best) == pytest.approx(astuple(compare(plain, best, scored)), abs=0.5)


def test_over_several_corpora_the_gain_is_that_of_the_mean(own_engine, recipe, scored):
    corpora = [scored, pairs(40)]
    mean = mean_of([mixture(own_engine, recipe, corpus) for corpus in corpora])
    found = gains(own_engine, recipe, corpora, mean)
    for share, layers, difference in zip(mean.best_shares, mean.layers, found.columns, strict=True):
        assert difference.value == pytest.approx(mean.at(share, layers) - mean.at(0.0, layers))
        assert difference.low <= difference.value <= difference.high


def test_what_has_no_score_has_no_gain(own_engine, recipe, scored):
    scores = mixture(own_engine, recipe, scored)
    holed = scores.scores.copy()
    holed[:, 0] = np.nan
    holed[scores.shares.index(0.0), 1] = np.nan
    found = gains(
        own_engine, recipe, [scored], Mixture(scores.shares, scores.layers, scores.singles, holed)
    )
    assert [difference.known for difference in found.columns[:3]] == [False, False, True]
    nothing = Mixture(scores.shares, scores.layers, scores.singles, np.full_like(holed, np.nan))
    assert not gains(own_engine, recipe, [scored], nothing).best.known


def test_a_second_time_nothing_is_resampled(own_engine, recipe, scored, monkeypatch):
    scores = mixture(own_engine, recipe, scored)
    several = [scored, scored]
    assert not is_kept(own_engine, recipe, several, scores)
    first = gains(own_engine, recipe, [scored], scores)
    assert is_kept(own_engine, recipe, [scored], scores)
    assert not is_kept(own_engine, recipe, several, scores)
    monkeypatch.setattr("core.analysis.mixing_gains.resampled", None)
    assert gains(own_engine, recipe, [scored], scores) == first


def test_resamples_of_corpora_of_one_size_have_nothing_in_common(own_engine, recipe, scored):
    """The interval of the mean of two corpora is that of the same mean on the page Tasks."""
    corpora = [scored, scored]
    scores = mixture(own_engine, recipe, scored)
    found = gains(own_engine, recipe, corpora, scores).best
    tasks = [(corpus, Choice("sts")) for corpus in corpora]
    wanted = mixing_tasks.gain(own_engine, recipe, tasks, scores.best, (0.0, scores.best_alone))
    assert astuple(found) == pytest.approx(astuple(wanted), abs=0.5)
    alone = gains(own_engine, recipe, [scored], scores).best
    assert found.high - found.low < 0.85 * (alone.high - alone.low)
