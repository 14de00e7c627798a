"""What methods cost: the pass as it was timed, the way to the vector without memory."""

import math

import pytest

from core.encoders.encoder import Encoder
from core.evaluation.timing import ALONE, measure
from core.literature.presets import PRESETS
from core.literature.published_times import TIMED, TIMES, published_times
from core.recipe import Recipe

NAMES = {preset.name: preset for preset in PRESETS}


@pytest.fixture
def steps():
    return []


def test_a_recipe_is_timed_from_the_stored_pass(engine, scored, bert, steps):
    recipes = {
        "mean": Recipe.parse(f"{bert};layers=last"),
        "words": Recipe.parse(f"{bert};layers=static;tokens=content"),
    }
    mean, words = measure(engine, scored, recipes, steps.append, repeats=2)
    assert (mean.name, words.name) == ("mean", "words")
    stored = engine.passes.get(engine.source(recipes["mean"]), scored)[0].seconds
    assert mean.pass_ms == pytest.approx(1000 * stored / len(scored.sentences))
    assert mean.vector_ms > 0
    assert mean.total_ms == mean.pass_ms + mean.vector_ms
    assert mean.alone_ms > 0
    assert mean.alone_total_ms == mean.alone_ms + mean.vector_ms
    assert math.isnan(words.alone_ms)
    assert [str(step) for step in steps if step.what.startswith("Timing")] == [
        "Timing mean: 0 of 2",
        "Timing words: 1 of 2",
    ]


def test_sentences_are_read_one_at_a_time_and_each_source_once(engine, scored, bert, monkeypatch):
    read, run = [], Encoder.run

    def counted(self, encoded, *rest):
        read.append(encoded.tokens.sentences)
        return run(self, encoded, *rest)

    recipes = {name: Recipe.parse(f"{bert};layers={name}") for name in ("last", "first")}
    engine.embed(recipes["last"], scored)
    monkeypatch.setattr(Encoder, "run", counted)
    measure(engine, scored, recipes, repeats=1)
    alone = [number for number in read if number == 1]
    assert len(alone) == 1 + min(ALONE, len(scored.sentences))


def test_word_embedding_rows_need_no_pass_but_attention_does(engine, scored, bert):
    rows = Recipe.parse(f"{bert};layers=static")
    looks = Recipe.parse(f"{bert};layers=static;weight=ditto(layer=1,head=1)")
    table = Recipe.parse("source=random")
    found = measure(engine, scored, {"rows": rows, "looks": looks, "table": table}, repeats=1)
    assert [math.isnan(one.pass_ms) for one in found] == [True, False, True]
    assert found[0].total_ms == found[0].vector_ms


def test_a_recipe_that_cannot_be_run_says_why(engine, scored, bert):
    wrong, right = measure(
        engine,
        scored,
        {"wrong": Recipe.parse(f"{bert};layers=99"), "right": Recipe.parse(f"{bert}")},
        repeats=1,
    )
    assert "no layer 99" in wrong.problem
    assert math.isnan(wrong.vector_ms)
    assert right.problem == ""


def test_published_times_name_presets_that_there_are():
    assert {time.preset for time in TIMES if time.preset} <= set(NAMES)
    assert all(not NAMES[name].needs for name in TIMED)
    assert all(time.milliseconds > 0 for time in TIMES)
    assert all(time.where.endswith(("Table IV", "Table VIII")) for time in TIMES)


def test_times_that_are_known_by_heart_stand_where_they_belong():
    assert [time.milliseconds for time in published_times("SIF")] == [1.56]
    assert [time.milliseconds for time in published_times("SBERT-WK")] == [10.60, 8.59, 179.27]
    assert [time.milliseconds for time in published_times("SBERT-WK", "GPU")] == [42.79]
    assert published_times("uSIF") == ()
