"""What a recipe learns from the reference is learnt once, for all targets."""

from collections import Counter

import numpy as np
import pytest

from core.corpora.corpus import Corpus
from core.encoders.encoder import Encoder
from core.errors import RecipeError
from core.pipeline import token_stages
from core.pipeline.engine import Engine
from core.pipeline.weighted_states import WeightedStates
from core.recipe import Recipe
from core.settings import Settings
from core.stages.bert_flow import normalizing_flow
from core.stages.pooling import word_clusters
from core.stages.postprocessing.scalers import Standard
from tests.core.helpers.texts import many

LEARNING = (
    "weight=idf(fit=reference);post=zscore(fit=reference)",
    "tokens=infrequent(n=2);post=normalize+whiten(k=4,fit=reference)+abtt(d=1,fit=reference)",
    "pool=s3e(k=3,fit=reference)",
    "pool=gem(k=25,fit=reference)",
    "weight=sif(fit=reference);post=flow(epochs=1,transforms=2,fit=reference)",
    "mix=averaged(w=0.5);post=zscore(fit=reference)",
)
TARGETS = tuple(Corpus.of_texts(f"target {i}", many(40)[3 * i : 3 * i + 5]) for i in range(4))


@pytest.fixture
def counts(monkeypatch) -> Counter:
    """How often the model reads, and how often anything learns."""
    counter = Counter()

    def counting(owner, name, key):
        original = getattr(owner, name)

        def counted(*arguments, **keywords):
            counter[key] += 1
            return original(*arguments, **keywords)

        monkeypatch.setattr(owner, name, counted)

    counting(Encoder, "run", "passes")
    counting(Standard, "fit", "fits")
    counting(normalizing_flow.Flow, "fit", "fits")
    counting(word_clusters, "learn_groups", "fits")
    return counter


def recipe_of(stages: str, bert: str, reference) -> Recipe:
    return Recipe.parse(f"{bert};{stages};reference={reference}")


@pytest.mark.parametrize("stages", LEARNING)
def test_nothing_is_pooled_again_from_the_reference_for_another_target(
    stages, bert, engine, texts_file, monkeypatch
):
    recipe = recipe_of(stages, bert, texts_file)
    sentences = []
    pool, batches = token_stages.pool_groups, WeightedStates.batches

    def pooled(weighted, *arguments):
        sentences.append(weighted.states.tokens.sentences)
        return pool(weighted, *arguments)

    def learnt(self, *arguments):
        sentences.append(self.states.tokens.sentences)
        return batches(self, *arguments)

    monkeypatch.setattr(token_stages, "pool_groups", pooled)
    monkeypatch.setattr(WeightedStates, "batches", learnt)
    engine.embed(recipe, TARGETS[0])
    assert 80 in sentences
    sentences.clear()
    for target in TARGETS[1:]:
        engine.embed(recipe, target)
    assert set(sentences) == {5}


def test_a_step_learns_once_for_all_targets(bert, engine, texts_file, counts):
    recipe = recipe_of(LEARNING[0], bert, texts_file)
    for target in TARGETS:
        engine.embed(recipe, target)
    assert counts["fits"] == 1
    engine.embed(recipe.replace(similarity="dot"), TARGETS[0])
    assert counts["fits"] == 1


@pytest.mark.parametrize("forgotten", [False, True], ids=["one process", "a process each"])
def test_a_flow_is_trained_and_stored_once_for_all_targets(bert, settings, texts_file, counts, forgotten):
    recipe = recipe_of(LEARNING[4], bert, texts_file)
    engine = Engine(settings)
    for target in TARGETS:
        engine = Engine(settings) if forgotten else engine
        engine.embed(recipe, target)
        assert engine.pending_seconds(recipe, target) == 0
    assert counts["fits"] == 1
    assert len(list((settings.cache / "tables").glob("trained*"))) == 1


def test_a_reference_too_large_to_store_is_read_once_for_all_targets(bert, tmp_path, texts_file, counts):
    engine = Engine(Settings(cache=tmp_path / "cache", budget_bytes=300_000))
    recipe = recipe_of(LEARNING[0], bert, texts_file)
    engine.embed(recipe, TARGETS[0])
    begun = counts["passes"]
    for target in TARGETS[1:]:
        engine.embed(recipe, target)
    assert counts["passes"] - begun == len(TARGETS[1:])  # the targets alone
    assert all(engine.pending_seconds(recipe, target) == 0 for target in TARGETS)


def test_what_is_learnt_from_the_target_is_learnt_for_each(bert, engine, counts):
    recipe = Recipe.parse(f"{bert};post=zscore")
    for number in range(3):
        engine.embed(recipe, Corpus.of_texts("t", many(40 + number)))
    assert counts["fits"] == 3


@pytest.mark.parametrize(
    "stages",
    [
        *LEARNING,
        "weight=idf;post=zscore(fit=reference)",
        "weight=tfidf;pool=s3e(k=3,fit=reference)",
        "post=zscore+whiten(k=3,fit=reference)+normalize",
    ],
)
def test_what_other_targets_left_behind_changes_no_number(stages, bert, engine, texts_file):
    """Also where the reference is weighted by the target, so that it is learnt for each target."""
    recipe = recipe_of(stages, bert, texts_file)
    targets = [Corpus.of_texts(f"target {i}", many(60)[i : i + 35]) for i in range(3)]
    after_others = [engine.embed(recipe, target).vectors for target in targets]
    for target, vectors in zip(targets, after_others, strict=True):
        alone = Engine(Settings(cache=engine.settings.cache)).embed(recipe, target).vectors
        np.testing.assert_array_equal(vectors, alone)
    assert np.abs(after_others[0][1:] - after_others[1][:-1]).max() > 0 or "idf;" not in recipe.label()


def test_a_stream_pools_no_more_layers_than_memory_has_room_for(bert, tmp_path, monkeypatch):
    corpus, groups = Corpus.of_texts("t", many(60)), []
    pool = token_stages.pool_groups

    def pooled(weighted, pooling, wanted, *others):
        groups.append(list(wanted))
        return pool(weighted, pooling, wanted, *others)

    monkeypatch.setattr(token_stages, "pool_groups", pooled)
    layer_bytes = 60 * 32 * 4
    for room, layers in ((100 * layer_bytes, 5), (2 * layer_bytes, 2), (0, 1)):
        settings = Settings(cache=tmp_path / f"{room}", budget_bytes=1000, memory_bytes=4 * room)
        vectors = Engine(settings).embed(Recipe.parse(f"{bert};layers=2"), corpus).vectors
        assert groups[-1][0] == (2,)
        assert len(groups[-1]) == layers
        plenty = Engine(Settings(cache=tmp_path / "plenty"))
        np.testing.assert_allclose(
            vectors, plenty.embed(Recipe.parse(f"{bert};layers=2"), corpus).vectors, atol=1e-6
        )


def test_a_sentence_without_tokens_under_a_selection_is_counted_in_a_note(bert, engine):
    corpus = Corpus.of_texts("t", ["the dog sat", "the", ".", "a cat"])
    notes = engine.embed(Recipe.parse(f"{bert};tokens=unbiased"), corpus).notes
    assert notes == ("2 sentences have no token left under tokens=unbiased; all their tokens count.",)
    again = engine.embed(Recipe.parse(f"{bert};tokens=unbiased"), corpus)
    assert again.notes == notes
    assert engine.embed(Recipe.parse(bert), corpus).notes == ()


def test_a_sentence_without_any_weight_is_counted_in_a_note(bert, engine):
    corpus = Corpus.of_texts("t", ["dog", "dog cat"])
    recipe = Recipe.parse(f"{bert};tokens=content;weight=idf;layers=1+2")
    assert engine.embed(recipe, corpus).notes == (
        "1 sentence has no weight above 0 under weight=idf; all its tokens count the same.",
    )


def test_a_flow_that_diverges_is_refused_in_words(engine, scored, monkeypatch):
    recipe = Recipe.parse("source=random(dim=4);post=flow(epochs=1,transforms=2)")
    restore = normalizing_flow.Flow.restore

    def diverged(self, arrays):
        weights = {name: np.full_like(a, np.nan) for name, a in arrays.items() if "weight" in name}
        return restore(self, arrays | weights)

    monkeypatch.setattr(normalizing_flow.Flow, "restore", diverged)
    with pytest.raises(RecipeError, match="post=flow has diverged.*Take a smaller rate"):
        engine.embed(recipe, scored)


def test_pooled_texts_of_a_stream_are_stored(bert, tmp_path, counts):
    settings = Settings(cache=tmp_path / "cache", budget_bytes=1000)
    corpus, recipe = Corpus.of_texts("t", many(60)), Recipe.parse(f"{bert};layers=1+2;weight=idf")
    first = Engine(settings).embed(recipe, corpus)
    assert counts["passes"] == 1
    again = Engine(settings)
    assert again.pending_seconds(recipe, corpus) == 0
    vectors = again.embed(recipe, corpus).vectors
    np.testing.assert_array_equal(vectors, first.vectors)
    assert counts["passes"] == 1
    assert again.pending_seconds(recipe.replace(layers="3"), corpus) > 0
    plenty = Engine(Settings(cache=tmp_path / "plenty")).embed(recipe, corpus).vectors
    np.testing.assert_allclose(vectors, plenty, atol=1e-6)


def test_the_weight_of_a_mask_token_that_the_reference_lacks_is_noted(bert, engine, texts_file):
    recipe = Recipe.parse(f"{bert};weight=idf(fit=reference);reference={texts_file}")
    corpus = Corpus.of_texts("t", many(5))
    (note,) = engine.embed(recipe.replace(template="T0"), corpus).notes
    assert "mask token occurs in no text of the reference" in note
    for stages in ({"template": "none"}, {"template": "T0", "tokens": "nomask"}, {"weight": "uniform"}):
        assert engine.embed(recipe.replace(**stages), corpus).notes == ()
