"""Token vectors averaged over contexts, against a count by hand; how they are kept; and mixing them in."""

import functools
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.corpora.corpus import Corpus
from core.encoders.encoder import Encoder
from core.errors import RecipeError, StoreError
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.settings import Settings
from core.tokens.states import STATIC
from tests.core.helpers.batches import bounded
from tests.core.helpers.reference import loaded, one_at_a_time
from tests.core.helpers.texts import many
from tests.core.helpers.tiny import DEPTH

REFERENCE = (
    "the dog sat on the mat",
    "a cat plays in the park",
    "the dog sat on the mat",
    "two dogs run in rain",
)
"""With a text that comes twice, and words that come twice in a text."""

TARGET = Corpus.of_texts("t", ["dog in the mat", "a cat", "two cat run"])
UNSEEN = Corpus.of_texts("u", ["the guitar", "dog", "boy guitar boy"])
LAYERS = ("static", *map(str, range(DEPTH + 1)))

Contexts = dict[int, list[np.ndarray]]


@functools.cache
def contexts_of(folder: Path, texts: tuple[str, ...] = REFERENCE) -> Contexts:
    """For each token id, its states in all its contexts: ``[layer, dim]``, layers static, 0 … L."""
    tokenizer, found = loaded(folder)[0], {}
    for text, states in zip(texts, one_at_a_time(folder, texts), strict=True):
        for place, token in enumerate(tokenizer(text)["input_ids"]):
            layers = [states.hidden[layer, place] for layer in range(DEPTH + 1)]
            found.setdefault(token, []).append(np.array([states.rows[place], *layers], object))
    return found


def by_hand(folder: Path, corpus: Corpus, layer: int, least: int = 1) -> np.ndarray:
    """The mean over the tokens of each sentence of their mean over contexts, else of the static row."""
    tokenizer, contexts = loaded(folder)[0], contexts_of(folder)
    vectors = []
    for text, states in zip(corpus.sentences, one_at_a_time(folder, corpus.sentences), strict=True):
        rows = []
        for place, token in enumerate(tokenizer(text)["input_ids"]):
            seen = contexts.get(token, [])
            if len(seen) >= least:
                rows.append(sum(state[layer + 1] for state in seen) / len(seen))
            else:
                rows.append(states.rows[place])
        vectors.append(sum(rows) / len(rows))
    return np.array(vectors, float)


@pytest.fixture
def reference(tmp_path) -> Path:
    path = tmp_path / "reference.txt"
    path.write_text("\n".join(REFERENCE) + "\n")
    return path


def recipe_of(folder: Path, reference: Path, more: str = "", least: int = 1) -> Recipe:
    """Averaged token vectors as a source."""
    return Recipe.parse(f"source=averaged(model={folder},least={least});reference={reference};{more}")


@pytest.fixture
def passes(monkeypatch) -> list[int]:
    """How many texts each forward pass reads."""
    ran: list[int] = []
    run = Encoder.run

    def counted(self, encoded, *rest):
        ran.append(encoded.tokens.sentences)
        return run(self, encoded, *rest)

    monkeypatch.setattr(Encoder, "run", counted)
    return ran


def no_more_passes(monkeypatch) -> None:
    def refuse(*_: object) -> Iterator[None]:
        raise AssertionError("a model was run")

    monkeypatch.setattr(Encoder, "run", refuse)


# -- the averages ------------------------------------------------------------------------------------


def test_the_reference_of_these_tests_counts_a_text_as_often_as_it_stands_there(engine, reference):
    corpus = engine.corpus(str(reference), "all")
    assert corpus.sentences == (REFERENCE[0], REFERENCE[1], REFERENCE[3])
    assert corpus.repeats.tolist() == [2, 1, 1]


@pytest.mark.parametrize("layer", LAYERS)
def test_a_token_is_its_mean_over_all_contexts(layer, model, engine, reference):
    recipe = recipe_of(model("bert"), reference, f"layers={layer}")
    embedded = engine.embed(recipe, TARGET)
    number = STATIC if layer == "static" else int(layer)
    np.testing.assert_allclose(embedded.vectors, by_hand(model("bert"), TARGET, number), atol=1e-5)
    assert embedded.notes == ()


def test_one_context_more_of_a_text_moves_the_mean(model, engine, reference, tmp_path):
    """The text that comes twice counts twice: without its repeat the averages differ."""
    once = tmp_path / "once.txt"
    once.write_text("\n".join(dict.fromkeys(REFERENCE)) + "\n")
    twice, single = (
        engine.embed(recipe_of(model("bert"), path, "layers=last"), TARGET).vectors
        for path in (reference, once)
    )
    assert np.abs(twice - single).max() > 1e-3


@pytest.mark.parametrize("layers", ["first+last", "0+last", "all", "static+2"])
def test_averaging_over_contexts_commutes_with_averaging_layers(layers, model, engine, reference):
    numbers = {"first+last": (1, 3), "0+last": (0, 3), "all": (0, 1, 2, 3), "static+2": (STATIC, 2)}
    found = engine.embed(recipe_of(model("bert"), reference, f"layers={layers}"), TARGET).vectors
    single = [by_hand(model("bert"), TARGET, layer) for layer in numbers[layers]]
    np.testing.assert_allclose(found, np.mean(single, axis=0), atol=1e-5)


@pytest.mark.parametrize("least", [2, 3, 5, 100])
def test_a_token_with_too_few_contexts_takes_its_static_row(least, model, engine, reference):
    for layer in (0, DEPTH):
        recipe = recipe_of(model("bert"), reference, f"layers={layer}", least)
        expected = by_hand(model("bert"), TARGET, layer, least)
        np.testing.assert_allclose(engine.embed(recipe, TARGET).vectors, expected, atol=1e-5)
    assert len(engine.store.entries()) == 2  # whatever is asked of them, the averages are the same


def test_how_many_contexts_a_token_needs_is_at_least_that_many(model, engine, reference):
    """The dog comes three times, counted with repeats: enough for least=3, too few for least=4."""
    dog = Corpus.of_texts("dog", ["dog"])
    vectors = [
        engine.embed(recipe_of(model("bert"), reference, "layers=last;tokens=content", least), dog).vectors
        for least in (1, 3, 4)
    ]
    assert np.array_equal(vectors[0], vectors[1])
    assert np.abs(vectors[0] - vectors[2]).max() > 1e-3


def test_a_token_that_the_reference_never_saw_takes_its_static_row_and_the_note_says_so(
    model, engine, reference
):
    for layer in (0, DEPTH):
        embedded = engine.embed(recipe_of(model("bert"), reference, f"layers={layer}"), UNSEEN)
        expected = by_hand(model("bert"), UNSEEN, layer)
        np.testing.assert_allclose(embedded.vectors, expected, atol=1e-5)
        assert embedded.notes == (
            "Avg. of bert over reference: 2 different tokens (4 of 12 tokens) never occur there; "
            "they take their static row.",
        )


def test_the_note_says_how_often_was_asked_for(model, engine, reference):
    """Of [CLS] the dog [SEP], only the dog comes fewer than four times."""
    embedded = engine.embed(recipe_of(model("bert"), reference, least=4), Corpus.of_texts("t", ["the dog"]))
    assert embedded.notes == (
        "Avg. of bert over reference: 1 different tokens (1 of 4 tokens) occur there fewer than 4 times; "
        "they take their static row.",
    )


@pytest.mark.parametrize("family", ["electra", "albert"])
def test_where_static_rows_are_narrower_an_unseen_token_takes_the_layers_mean_row(
    family, model, engine, reference
):
    contexts = contexts_of(model(family))
    tokenizer, _ = loaded(model(family))
    for layer in (0, DEPTH):
        means = {token: sum(s[layer + 1] for s in seen) / len(seen) for token, seen in contexts.items()}
        everyone = sum(means.values()) / len(means)
        expected = [
            np.mean([means.get(token, everyone) for token in tokenizer(text)["input_ids"]], axis=0)
            for text in UNSEEN.sentences
        ]
        found = engine.embed(recipe_of(model(family), reference, f"layers={layer}"), UNSEEN).vectors
        np.testing.assert_allclose(found, np.array(expected, float), atol=1e-5)
    static = engine.embed(recipe_of(model(family), reference, "layers=static"), UNSEEN).vectors
    np.testing.assert_allclose(static, by_hand(model(family), UNSEEN, STATIC), atol=1e-5)


def test_the_note_names_the_row_that_is_used(model, engine, reference):
    (note,) = engine.embed(recipe_of(model("electra"), reference, "layers=last"), UNSEEN).notes
    assert "static row" not in note
    assert "mean" in note


@pytest.mark.parametrize("family", ["roberta", "xlnet", "gpt2", "llama", "mpnet"])
def test_other_families_are_averaged_as_well(family, model, engine, reference):
    recipe = recipe_of(model(family), reference, "layers=2")
    expected = by_hand(model(family), TARGET, 2)
    np.testing.assert_allclose(engine.embed(recipe, TARGET).vectors, expected, atol=1e-5)


def test_the_target_itself_is_never_read_by_the_model(model, engine, reference, passes):
    recipe = recipe_of(model("bert"), reference)
    first = engine.embed(recipe, TARGET)
    assert passes == [3]  # the different texts of the reference, once
    assert first.pass_seconds > 0
    for more in ("layers=2", "pool=max", "weight=idf", "tokens=content"):
        engine.embed(recipe_of(model("bert"), reference, more), UNSEEN)
    assert passes == [3]


def test_texts_in_a_template_take_averages_over_plain_texts(model, engine, reference, passes):
    """The mask token, which the reference never holds, takes its static row."""
    embedded = engine.embed(recipe_of(model("bert"), reference, "layers=last;template=[MASK] [X]"), TARGET)
    prompted = Corpus.of_texts("p", [f"[MASK] {text}" for text in TARGET.sentences])
    expected = by_hand(model("bert"), prompted, DEPTH)
    np.testing.assert_allclose(embedded.vectors, expected, atol=1e-5)
    assert passes == [3]
    assert "1 different tokens (3 of 18 tokens)" in embedded.notes[0]


def test_a_model_that_reads_the_reference_already_is_not_run_again(model, engine, reference, passes):
    plain = Recipe.parse(f"source={model('bert')}")
    engine.embed(plain, engine.corpus(str(reference), "all"))
    engine.embed(recipe_of(model("bert"), reference), TARGET)
    assert passes == [3]


# -- what is kept ------------------------------------------------------------------------------------


def test_the_averages_are_kept_for_the_next_visitor(model, settings, reference, monkeypatch):
    recipe = recipe_of(model("bert"), reference, "layers=all")
    first = Engine(settings).embed(recipe, TARGET)
    no_more_passes(monkeypatch)
    monkeypatch.setattr(Encoder, "model", property(lambda _: pytest.fail("weights were loaded")))

    again = Engine(settings)
    second = again.embed(recipe, TARGET)

    assert np.array_equal(second.vectors, first.vectors)
    kinds = [entry.about.get("kind") for entry in again.store.entries()]
    assert sorted(map(str, kinds)) == ["None", "averages"]
    for layers in ("1", "static"):
        again.embed(
            recipe_of(model("bert"), reference, f"layers={layers}"), Corpus.of_texts("o", ["a dog"])
        )


def test_averages_that_were_found_took_no_seconds(model, engine, reference):
    recipe = recipe_of(model("bert"), reference)
    made = engine.embed(recipe, TARGET)
    assert made.pass_seconds > 0
    assert engine.embed(recipe, TARGET).pass_seconds == 0
    assert engine.embed(recipe, UNSEEN).pass_seconds == 0


def test_the_averages_outlive_the_pass_they_were_made_from(model, settings, reference, monkeypatch):
    recipe = recipe_of(model("bert"), reference)
    engine = Engine(settings)
    first = engine.embed(recipe, TARGET).vectors
    (pass_,) = (entry for entry in engine.store.entries() if "kind" not in entry.about)
    engine.store.discard(pass_.key)
    no_more_passes(monkeypatch)
    assert np.array_equal(Engine(settings).embed(recipe, TARGET).vectors, first)


def test_another_reference_has_averages_of_its_own(model, engine, reference, tmp_path):
    other = tmp_path / "other.txt"
    other.write_text("\n".join(many(40)) + "\n")
    vectors = [
        engine.embed(recipe_of(model("bert"), path, "layers=last"), TARGET).vectors
        for path in (reference, other)
    ]
    assert np.abs(vectors[0] - vectors[1]).max() > 1e-2
    assert len(engine.store.entries()) == 4


def test_a_reference_file_that_changed_is_averaged_anew(model, engine, reference, passes):
    recipe = recipe_of(model("bert"), reference, "layers=last")
    before = engine.embed(recipe, TARGET).vectors
    reference.write_text("\n".join((*REFERENCE, "a dog and a cat in the rain")) + "\n")
    after = engine.embed(recipe, TARGET).vectors
    assert np.abs(before - after).max() > 1e-3
    assert passes == [3, 4]


def test_a_reference_that_repeats_a_text_more_often_needs_new_averages_but_no_new_pass(
    model, engine, reference, passes
):
    recipe = recipe_of(model("bert"), reference, "layers=last")
    before = engine.embed(recipe, TARGET).vectors
    reference.write_text("\n".join((*REFERENCE, REFERENCE[1])) + "\n")
    after = engine.embed(recipe, TARGET).vectors
    assert np.abs(before - after).max() > 1e-3
    assert passes == [3]
    assert len(engine.store.entries()) == 3


def test_damaged_averages_are_made_anew(model, settings, reference, passes):
    recipe = recipe_of(model("bert"), reference, "layers=last")
    engine = Engine(settings)
    before = engine.embed(recipe, TARGET).vectors
    (table,) = (entry for entry in engine.store.entries() if "kind" in entry.about)
    path = settings.cache / "passes" / table.key / "layer-03.npy"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)

    again = Engine(settings).embed(recipe, TARGET)

    assert again.pass_seconds > 0
    assert np.array_equal(again.vectors, before)
    assert passes == [3]  # the pass itself is whole


# -- references too large to keep --------------------------------------------------------------------


@pytest.fixture
def large(tmp_path) -> Path:
    """A reference whose pass takes some 900 kB, and its averages 30."""
    path = tmp_path / "large.txt"
    texts = many(90)
    path.write_text("\n".join([*texts, *texts[:20]]) + "\n")
    return path


SMALL = 120_000


def bytes_of(engine: Engine) -> int:
    return sum(entry.bytes for entry in engine.store.entries())


def test_averages_of_a_streamed_reference_are_those_of_a_stored_one(
    model, engine, large, tmp_path, monkeypatch, passes
):
    bounded(monkeypatch, tokens=128)
    recipe = recipe_of(model("bert"), large, "layers=first+last")
    stored = engine.embed(recipe, TARGET)
    small = Engine(Settings(cache=tmp_path / "small", budget_bytes=SMALL))

    streamed = small.embed(recipe, TARGET)

    np.testing.assert_allclose(streamed.vectors, stored.vectors, atol=1e-6)
    assert streamed.pass_seconds > 0
    assert passes == [90, 90]
    (table,) = small.store.entries()  # the averages are kept, the pass is not
    assert table.about["kind"] == "averages"
    assert bytes_of(engine) > SMALL > bytes_of(small)
    for layer in LAYERS:
        expected, found = (
            r.embed(recipe_of(model("bert"), large, f"layers={layer}"), TARGET) for r in (engine, small)
        )
        np.testing.assert_allclose(found.vectors, expected.vectors, atol=1e-6)
    assert passes == [90, 90]


def test_averages_that_the_store_may_not_hold_are_refused_with_their_size(model, large, tmp_path, passes):
    small = Engine(Settings(cache=tmp_path / "small", budget_bytes=5_000))
    with pytest.raises(StoreError, match=r"averages of bert take \d+ MB, more than .* set STRATA_CACHE_GB"):
        small.embed(recipe_of(model("bert"), large), TARGET)
    assert passes == []  # before any work
    assert small.store.entries() == []


@pytest.mark.parametrize("budget", [SMALL, 20_000_000])
def test_progress_tells_how_far_the_reference_is(budget, model, large, tmp_path, monkeypatch):
    bounded(monkeypatch, tokens=256)
    engine, steps = Engine(Settings(cache=tmp_path / "cache", budget_bytes=budget)), []
    engine.embed(recipe_of(model("bert"), large), TARGET, steps.append)
    what = "Reading sentences with bert" + (" (too many to keep)" if budget == SMALL else "")
    told = [step for step in steps if step.what == what and step.total == 90]
    counts = [step.done for step in told]
    assert len(counts) > 3
    assert counts == sorted(counts)
    assert counts[-1] == 90
    assert all(step.done <= step.total for step in steps)
    assert told[-1].finished == 1.0
    assert all(step.finished > step.done / step.total for step in told[:-1]), "the longest are read first"


class Stopped(Exception):
    """Raised in the middle of making averages."""


def stop_at(number: int):
    left = iter(range(number))

    def progress(_):
        if next(left, None) is None:
            raise Stopped

    return progress


def count_steps(recipe: Recipe, settings: Settings) -> int:
    steps = []
    Engine(settings).embed(recipe, TARGET, steps.append)
    return len(steps)


def file_sizes(cache: Path) -> dict[str, int]:
    return {
        f"{path.parent.name}/{path.name}": path.stat().st_size for path in (cache / "passes").rglob("*.npy")
    }


@pytest.mark.parametrize("budget", [SMALL, 20_000_000])
def test_a_visitor_who_leaves_at_any_step_leaves_no_partial_file(
    budget, model, large, tmp_path, monkeypatch
):
    """Stopped at each step in turn, the next visitor gets the same vectors from files of the same size."""
    bounded(monkeypatch, tokens=512)
    recipe = recipe_of(model("bert"), large)
    whole = Settings(cache=tmp_path / "whole", budget_bytes=budget)
    steps = count_steps(recipe, whole)
    expected = Engine(whole).embed(recipe, TARGET).vectors
    for number in range(steps - 1):
        settings = Settings(cache=tmp_path / f"stopped-{number}", budget_bytes=budget)
        with pytest.raises(Stopped):
            Engine(settings).embed(recipe, TARGET, stop_at(number))
        assert np.array_equal(Engine(settings).embed(recipe, TARGET).vectors, expected)
        assert file_sizes(settings.cache) == file_sizes(whole.cache)


def test_a_visitor_who_leaves_at_the_last_step_leaves_no_partial_file(model, large, tmp_path):
    recipe = recipe_of(model("bert"), large)
    whole, cut = (Settings(cache=tmp_path / name) for name in ("whole", "cut"))
    steps = count_steps(recipe, whole)
    with pytest.raises(Stopped):
        Engine(cut).embed(recipe, TARGET, stop_at(steps - 1))
    assert np.array_equal(
        Engine(cut).embed(recipe, TARGET).vectors, Engine(whole).embed(recipe, TARGET).vectors
    )
    assert file_sizes(cut.cache) == file_sizes(whole.cache)


# -- mixing ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def mixing(lasting_cache) -> Engine:
    return Engine(Settings(cache=lasting_cache))


def halves(engine: Engine, folder: Path, texts_file: Path, corpus: Corpus, more: str, least: int = 1):
    model_alone = Recipe.parse(f"source={folder};reference={texts_file};{more}")
    own, averaged = (
        engine.embed(recipe, corpus).vectors
        for recipe in (model_alone, recipe_of(folder, texts_file, more, least))
    )
    assert np.abs(own - averaged).max() > 1e-3
    return own, averaged


@pytest.mark.parametrize(
    "more",
    [
        "",
        "layers=2;pool=max",
        "weight=idf",
        "weight=norm;tokens=content",
        "template=T1;tokens=sentence",
        "layers=0+last;weight=idf(fit=reference)",
        "post=zscore(fit=reference)",
        "weight=idf;post=zscore",
        "weight=idf;post=zscore(fit=reference)+normalize",
    ],
)
def test_none_of_it_is_the_model_alone_and_all_of_it_the_averages_alone(
    more, mixing, model, texts_file, scored
):
    own, averaged = halves(mixing, model("bert"), texts_file, scored, more)
    mixed = f"source={model('bert')};reference={texts_file};{more}"
    nothing, everything = (
        mixing.embed(Recipe.parse(f"{mixed};mix=averaged(w={w})"), scored).vectors for w in (0, 1)
    )
    assert np.array_equal(nothing, own)
    assert np.array_equal(everything, averaged)


@pytest.mark.parametrize("w", [-1, -0.25, 0.5, 0.75, 1.5])
@pytest.mark.parametrize("more", ["", "weight=idf", "layers=1;weight=tfidf", "pool=cls"])
def test_vectors_are_mixed_by_their_share(more, w, mixing, model, texts_file, scored):
    own, averaged = halves(mixing, model("bert"), texts_file, scored, more)
    recipe = Recipe.parse(f"source={model('bert')};reference={texts_file};{more};mix=averaged(w={w})")
    found = mixing.embed(recipe, scored).vectors
    np.testing.assert_allclose(found, own * (1 - w) + averaged * w, atol=1e-5)
    assert found.dtype == np.float32


def test_half_and_half_is_the_mean_and_the_default(mixing, model, texts_file, scored):
    own, averaged = halves(mixing, model("bert"), texts_file, scored, "")
    recipe = Recipe.parse(f"source={model('bert')};reference={texts_file};mix=averaged")
    np.testing.assert_allclose(mixing.embed(recipe, scored).vectors, (own + averaged) / 2, atol=1e-6)


@pytest.mark.parametrize("w", [-0.5, 0.5])
def test_what_is_learnt_after_mixing_is_learnt_from_mixed_vectors(w, mixing, model, texts_file, scored):
    """zscore with the mean and deviation of the reference's own mixed vectors, repeats counted."""
    corpus = mixing.corpus(str(texts_file), "all")
    weight = "weight=idf(fit=reference)"
    target, theirs = (
        own * (1 - w) + averaged * w
        for own, averaged in (
            halves(mixing, model("bert"), texts_file, c, weight) for c in (scored, corpus)
        )
    )
    learnt = theirs[corpus.positions].astype(float)
    recipe = Recipe.parse(
        f"source={model('bert')};reference={texts_file};{weight};mix=averaged(w={w});"
        "post=zscore(fit=reference)"
    )
    expected = (target - learnt.mean(axis=0)) / learnt.std(axis=0)
    np.testing.assert_allclose(mixing.embed(recipe, scored).vectors, expected, atol=1e-4)


def test_weights_learnt_from_the_target_are_the_same_in_both_halves(mixing, model, texts_file, scored):
    """idf of the target and zscore of the reference beside each other."""
    weight = "weight=idf"
    own, averaged = halves(mixing, model("bert"), texts_file, scored, weight)
    plain = mixing.embed(
        Recipe.parse(f"source={model('bert')};reference={texts_file};{weight};mix=averaged(w=0.3)"), scored
    ).vectors
    np.testing.assert_allclose(plain, own * 0.7 + averaged * 0.3, atol=1e-5)
    shown = [
        mixing.token_weights(recipe, scored)
        for recipe in (
            Recipe.parse(f"source={model('bert')};{weight}"),
            recipe_of(model("bert"), texts_file, weight),
        )
    ]
    for ours, theirs in zip(*shown, strict=True):
        assert ours.surface_forms == theirs.surface_forms
        assert np.array_equal(ours.shares, theirs.shares)


def test_how_many_contexts_are_needed_is_said_by_the_mix_too(model, engine, reference):
    folder = model("bert")
    own, averaged = halves(engine, folder, reference, TARGET, "layers=last", least=3)
    recipe = Recipe.parse(f"source={folder};reference={reference};layers=last;mix=averaged(w=0.25,least=3)")
    embedded = engine.embed(recipe, TARGET)
    np.testing.assert_allclose(embedded.vectors, own * 0.75 + averaged * 0.25, atol=1e-5)
    assert "fewer than 3 times" in embedded.notes[0]


def test_the_similarity_is_that_of_the_mixed_vectors(mixing, model, texts_file, scored):
    recipe = Recipe.parse(f"source={model('bert')};reference={texts_file};mix=averaged(w=0.5)")
    similarities, embedded = mixing.similarities(recipe, scored)
    u, v = (embedded.vectors[side].astype(float) for side in (scored.first, scored.second))
    expected = (u * v).sum(axis=1) / np.linalg.norm(u, axis=1) / np.linalg.norm(v, axis=1)
    np.testing.assert_allclose(similarities, expected, atol=1e-6)


# -- what is refused, and what is estimated beforehand -----------------------------------------------


@pytest.mark.parametrize("source", ["random", "averaged"])
def test_only_a_model_is_mixed_with_its_averages(source, engine, reference):
    recipe = Recipe.parse(f"source={source};reference={reference};mix=averaged")
    with pytest.raises(RecipeError, match=rf"mix=averaged needs a model as source; got source={source}\."):
        engine.embed(recipe, TARGET)


@pytest.mark.parametrize(
    ("mix", "message"),
    [
        (
            "averaged(w=abc)",
            r"mix=averaged\(w\): got 'abc'; allowed is w: number from -1 to 1.5 \(default 0.5\)",
        ),
        ("averaged(w=2)", r"mix=averaged\(w\): got '2'; allowed is w: number from -1 to 1.5"),
        ("averaged(w=-1.01)", r"mix=averaged\(w\): got '-1.01'"),
        ("averaged(w=nan)", r"mix=averaged\(w\): got 'nan'"),
        ("averaged(least=0)", r"mix=averaged\(least\): got '0'; allowed is least: whole number from 1"),
        ("averaged(share=1)", r"mix=averaged: no argument 'share=1'; it takes w: number"),
        ("average", r"mix: no 'average'\. Did you mean 'averaged'\?"),
    ],
)
def test_a_share_that_is_none_is_refused_when_the_recipe_is_read(mix, message):
    with pytest.raises(RecipeError, match=message):
        Recipe.parse(f"mix={mix}")


@pytest.mark.parametrize("least", ["0", "1.5", "many"])
def test_contexts_that_are_no_number_are_refused(least):
    with pytest.raises(
        RecipeError, match=r"source=averaged\(least\): got .*; allowed is least: whole number"
    ):
        Recipe.parse(f"source=averaged(least={least})")


@pytest.mark.parametrize("turn", ["mix=averaged", "source"])
def test_averaged_token_vectors_have_no_attention(turn, model, engine, reference):
    more = "weight=ditto(layer=1,head=2)"
    recipe = (
        recipe_of(model("bert"), reference, more)
        if turn == "source"
        else Recipe.parse(f"source={model('bert')};reference={reference};{turn};{more}")
    )
    with pytest.raises(RecipeError, match=r"weight=ditto\(.*looks at attention.*without context have none"):
        engine.embed(recipe, TARGET)


def test_a_layer_that_the_averages_lack_is_refused_before_anything_is_run(model, engine, reference):
    with pytest.raises(RecipeError, match="has no layer 9; allowed is static and 0 to 3"):
        engine.embed(recipe_of(model("bert"), reference, "layers=9"), TARGET)
    assert engine.store.entries() == []


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("mix=averaged(w=0.5,least=1)", "mix=averaged"),
        ("mix=averaged( least=3 , w=-1 )", "mix=averaged(w=-1,least=3)"),
        ("mix=none", ""),
        ("source=averaged(model=bundled)", "source=averaged"),
        ("source=averaged(least=2,model=owner/name)", "source=averaged(model=owner/name,least=2)"),
        ('source=averaged(model="a (b), c")', 'source=averaged(model="a (b), c")'),
    ],
)
def test_recipes_with_averages_have_one_canonical_text(text, canonical):
    recipe = Recipe.parse(text)
    assert str(recipe) == canonical
    assert Recipe.parse(canonical) == recipe
    assert recipe.needs_reference() == (text != "mix=none")


@pytest.mark.parametrize("turn", ["source", "mix"])
def test_the_time_that_is_still_needed_is_0_once_the_averages_are_made(turn, model, engine, reference):
    recipe = recipe_of(model("bert"), reference)
    if turn == "mix":
        recipe = Recipe.parse(f"source={model('bert')};reference={reference};mix=averaged")
    assert engine.pending_seconds(recipe, TARGET) > 0
    engine.embed(recipe, TARGET)
    assert engine.pending_seconds(recipe, TARGET) == 0
    assert (engine.pending_seconds(recipe, UNSEEN) == 0) == (turn == "source")
    reference.write_text("the boy plays the guitar\n")
    assert engine.pending_seconds(recipe, TARGET) > 0


def test_the_time_for_a_mix_is_that_of_both_its_halves(model, engine, reference):
    plain, averaged, mixed = (
        engine.pending_seconds(Recipe.parse(f"{source};reference={reference}"), TARGET)
        for source in (
            f"source={model('bert')}",
            f"source=averaged(model={model('bert')})",
            f"source={model('bert')};mix=averaged",
        )
    )
    assert mixed == pytest.approx(plain + averaged)


def test_the_pass_over_the_reference_is_counted_once(model, engine, reference):
    """Averaging learns from it and post-processing too, but it is read once."""
    post = "post=zscore(fit=reference)"
    plain = Recipe.parse(f"source={model('bert')};reference={reference};{post}")
    mixed = Recipe.parse(f"{plain};mix=averaged")
    assert engine.pending_seconds(mixed, TARGET) == pytest.approx(engine.pending_seconds(plain, TARGET))


def test_averages_are_no_measure_of_a_models_speed(model, tmp_path, large):
    """One row averages many tokens; the time of ten sentences is not estimated from its seconds."""
    engine = Engine(Settings(cache=tmp_path / "cache", budget_bytes=SMALL))
    target, plain = Corpus.of_texts("t", many(10)), Recipe.parse(f"source={model('bert')}")
    before = engine.pending_seconds(plain, target)
    engine.embed(recipe_of(model("bert"), large), TARGET)
    (entry,) = engine.store.entries()
    path = engine.settings.cache / "passes" / entry.key / "about.json"
    path.write_text(json.dumps(entry.about | {"seconds": 2.0}))
    assert engine.pending_seconds(plain, target) < 10 * before


def test_what_is_trained_after_mixing_is_no_longer_needed_once_it_was(model, engine, reference, scored):
    recipe = Recipe.parse(
        f"source={model('bert')};reference={reference};mix=averaged;post=flow(epochs=1,transforms=2)"
    )
    engine.embed(recipe, scored)
    assert engine.pending_seconds(recipe, scored) == 0
