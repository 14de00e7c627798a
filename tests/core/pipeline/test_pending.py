"""How long what a recipe learns still takes: once for a score, in each fold for a task with labels."""

import numpy as np
import pytest

from core.corpora.corpus import Corpus
from core.corpora.vocabulary_size import SAMPLED
from core.recipe import Recipe

TABLE = "source=random(dim=8)"
"""Token vectors that are there at once."""


@pytest.mark.parametrize("pool", ["s3e(k=4", "vlawe(k=4"])
def test_the_groups_of_a_pooling_take_time_until_they_are_learnt(pool, engine, scored):
    recipe = Recipe.parse(f"{TABLE};pool={pool})")
    seconds = engine.pending_seconds(recipe, scored)
    assert seconds > 0
    longer = recipe.replace(pool=f"{pool},starts=20)")
    assert engine.pending_seconds(longer, scored) == pytest.approx(2 * seconds)
    assert len(engine.pending(recipe, scored) | engine.pending(recipe.replace(post="zscore"), scored)) == 1
    engine.embed(recipe, scored)
    assert engine.pending_seconds(recipe, scored) == 0
    assert engine.pending_seconds(longer, scored) == pytest.approx(2 * seconds)


def test_groups_of_a_reference_are_learnt_once_for_all_corpora(engine, scored, texts_file):
    recipe = Recipe.parse(f"{TABLE};pool=s3e(k=4,fit=reference);reference={texts_file}")
    assert engine.pending_seconds(recipe, scored) > 0
    engine.embed(recipe, Corpus.of_texts("other", ["the dog ran", "a cat"]))
    assert engine.pending_seconds(recipe, scored) == 0


@pytest.mark.parametrize("step", ["post=flow(epochs=1,transforms=2)", "pool=s3e(k=4)"])
def test_what_is_learnt_in_each_fold_is_counted_once_less_where_it_is_pending(step, engine, scored):
    recipe = Recipe.parse(f"{TABLE};{step}")
    once = engine.pending_seconds(recipe, scored)
    assert engine.pending_over(recipe, scored, 9) == pytest.approx(8 * once)
    assert engine.pending_over(recipe, scored, 0.8) == 0
    engine.embed(recipe, scored)
    assert engine.pending_seconds(recipe, scored) == 0
    assert engine.pending_over(recipe, scored, 9) == pytest.approx(9 * once)
    assert engine.pending_over(Recipe.parse(f"{TABLE};post=zscore"), scored, 9) == 0


def test_the_size_of_a_vocabulary_is_counted_or_grows_as_texts_do():
    assert Corpus.of_texts("t", ["The dog, the cat.", "A dog!"]).vocabulary_size == 7
    assert Corpus.of_texts("t", [""]).vocabulary_size == 0
    texts = [f"w{i} w{i + 1}" for i in range(0, SAMPLED, 2)]
    twice = [*texts, *(text.upper() + "!" for text in texts)]
    for given in (twice, ["\n".join(twice)]):
        assert Corpus.of_texts("t", given).vocabulary_size == pytest.approx(SAMPLED, rel=0.25)


def test_a_vocabulary_that_is_nearly_all_there_grows_no_more():
    """Words as frequent as their rank says: a fixed power of the length made them twice as many."""
    frequency = 1 / np.arange(1, 8_001)
    drawn = np.random.default_rng(0).choice(8_000, 10 * SAMPLED, p=frequency / frequency.sum())
    texts = [" ".join(f"w{i}" for i in some) for some in np.split(drawn, SAMPLED // 2)]
    assert Corpus.of_texts("t", texts).vocabulary_size == pytest.approx(len(set(drawn)), rel=0.15)
