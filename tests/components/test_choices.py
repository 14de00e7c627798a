"""What one arrives with, and what the menus offer, can be walked."""

import pytest

from components import state
from components.cached import shared_engine
from components.compare.examples import MIXED, SETS
from components.selection import SENTENCE
from components.sentence_links import LONGEST
from components.state import DEFAULTS, put, read, text_of
from core.analysis.comparison import as_corpus
from core.corpora.cleaning import clean_lines
from core.errors import RecipeError
from core.literature.presets import PRESETS
from core.recipe import Recipe


@pytest.mark.parametrize("name", SETS)
def test_the_examples_are_sentences_as_they_stand(name):
    examples, question = SETS[name]
    cleaned = clean_lines("\n".join(examples))
    assert cleaned.sentences == examples
    assert cleaned.notes == ()
    assert 8 <= len(set(examples)) == len(examples) <= 12
    assert len(as_corpus(examples).sentences) == len(examples)
    assert len("\n".join(examples)) < LONGEST
    assert question.endswith(".")


def test_no_sentence_stands_in_two_sets_of_examples():
    examples = [sentence for sentences, _ in SETS.values() for sentence in sentences]
    assert len(set(examples)) == len(examples)
    assert next(iter(SETS.values()))[0] is MIXED


def test_sentences_whose_weights_come_along_have_no_unknown_token():
    """What comes along says nothing of unknown tokens."""
    engine = shared_engine()
    tokenizer = engine.passes.tokenizer(engine.source(read("a", DEFAULTS["a"])))
    examples = [sentence for sentences, _ in SETS.values() for sentence in sentences]
    assert tokenizer.unk_id is not None
    assert tokenizer.unk_id not in tokenizer([*examples, SENTENCE]).tokens.ids


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_a_preset_can_be_read_and_explains_itself(preset):
    recipe = Recipe.parse(preset.recipe)
    assert Recipe.parse(str(recipe)) == recipe
    assert preset.explanation.endswith(".")
    assert preset.published


def test_presets_have_different_names():
    assert len({preset.name for preset in PRESETS}) == len(PRESETS)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_a_preset_keeps_the_model_and_the_reference(preset):
    before = Recipe.parse("source=some/model;reference=wiki")
    after = preset.apply(before)
    assert after.reference == before.reference
    assert (after.source == before.source) is ("source=" not in preset.recipe)


@pytest.mark.parametrize("side", state.SIDES)
def test_one_arrives_with_recipes_in_their_shortest_form(side):
    assert str(Recipe.parse(DEFAULTS[side])) == DEFAULTS[side]


def test_the_recipes_one_arrives_with_work_for_two_sentences():
    assert all("target" not in text and "post=zscore;" not in text for text in DEFAULTS.values())
    assert Recipe.parse(DEFAULTS["b"]).on_reference() == Recipe.parse(DEFAULTS["b"])


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_the_text_of_a_recipe_is_never_empty_and_is_read_back(preset):
    recipe = Recipe.parse(preset.recipe)
    assert text_of(recipe)
    assert read("a", text_of(recipe)) == recipe


def test_b_may_be_none_and_a_may_not():
    assert read("b", " none ") is None
    assert text_of(None) == "none"
    with pytest.raises(RecipeError, match="write none for B"):
        read("a", "none")


def test_a_recipe_is_put_where_its_box_finds_it(monkeypatch):
    kept = {}
    monkeypatch.setattr(state.st, "session_state", kept)
    put("b", Recipe.parse("layers=0"))
    put("a", None)
    assert kept.items() >= {"b": "layers=0", "a": "none", "an": "", "bn": ""}.items()


def test_names_stay_with_their_recipes(monkeypatch):
    kept = {"a": "layers=0", "b": "layers=1", "an": "mine", "bn": ""}
    monkeypatch.setattr(state.st, "session_state", kept)
    state.remember()
    state.swap()
    assert [kept[key] for key in ("a", "b", "an", "bn")] == ["layers=1", "layers=0", "", "mine"]
    state.remember()
    state.change({"b": Recipe.parse("layers=2")})
    assert (kept["b"], kept["bn"]) == ("layers=2", "mine")
    state.remember()
    state.put("b", Recipe.parse("layers=2"))
    assert kept["bn"] == "mine"
    state.put("b", Recipe.parse("layers=3"))
    assert (kept["b"], kept["bn"]) == ("layers=3", "")
    state.remember()
    for expected in (("layers=1", "layers=2", "", "mine"), ("layers=1", "layers=0", "", "mine")):
        state.undo()
        assert tuple(kept[key] for key in ("a", "b", "an", "bn")) == expected
    for _ in range(3):
        state.undo()
    assert (kept["a"], kept["an"]) == ("layers=0", "mine"), "there is nothing before it"


def test_a_recipe_that_is_too_long_to_be_read_is_refused_and_all_stay(monkeypatch):
    kept = {"a": "layers=0", "b": "layers=1", "an": "mine", "bn": ""}
    monkeypatch.setattr(state.st, "session_state", kept)
    before, long = dict(kept), Recipe().replace(reference="x" * 3000)
    with pytest.raises(RecipeError, match="at most 2,000 characters"):
        state.change({"b": Recipe.parse("layers=2"), "a": long})
    state.put("a", long)
    assert kept.items() >= before.items()
    assert "at most 2,000 characters" in state.problem("a")
