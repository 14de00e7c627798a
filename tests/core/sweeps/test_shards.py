"""A pass read in shards: to the bit that of one process, over workers that share nothing, come what may."""

import csv
import threading
from dataclasses import replace

import numpy as np
import pytest

from core.corpora.corpus import Corpus
from core.errors import StoreError, StrataError
from core.evaluation.tasks.groups import Asked
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.sweeps import sharded_reading, shards
from core.sweeps.planning import Request
from core.sweeps.sharded_reading import Before, read_in_shards
from core.sweeps.sweep import sweep
from core.sweeps.workers import Workers
from tests.core.helpers.cluster import cluster
from tests.core.helpers.texts import many

DASK = Workers("dask")
LOKY = Workers("loky", 2)


@pytest.fixture(autouse=True)
def small_shards(monkeypatch):
    """A corpus of 90 sentences is large, and a shard has one batch; see ``small_batches``."""
    monkeypatch.setattr(shards, "LARGE_TOKENS", 300)
    monkeypatch.setattr(shards, "SHARD_BYTES", 1)


@pytest.fixture(scope="module")
def large():
    texts = many(90)
    return Corpus.of_pairs("large", texts[:45], texts[45:], [float(i % 5) for i in range(45)])


@pytest.fixture
def small_batches(monkeypatch):
    """Batches of eight texts, in this process alone."""
    from core.encoders.encoder import Encoder

    monkeypatch.setattr(Encoder, "batch_size", lambda self, length: 8)


@pytest.fixture
def here(monkeypatch):
    """Workers in this process: what they are asked, and what they send, which a test may change."""
    asked, change = [], {}

    def run(self, task, calls):
        for call in calls:
            asked.append(call)
            number = len(asked)
            sent = task(*call)
            yield change[number](sent) if number in change else sent

    monkeypatch.setattr(Workers, "in_order", run)
    return asked, change


def states_of(engine, recipe, corpus):
    """All that the pass over a corpus holds."""
    states, _ = engine.passes.get(engine.source(recipe, corpus), corpus)
    everything = slice(0, len(states.tokens))
    layers = {layer: states.read(layer, everything) for layer in states.layers}
    return states.tokens.ids, layers, states.diagonals(everything)


def assert_same(found, expected):
    ids, layers, diagonals = found
    np.testing.assert_array_equal(ids, expected[0])
    assert layers.keys() == expected[1].keys()
    for layer, states in layers.items():
        np.testing.assert_array_equal(states, expected[1][layer])
    np.testing.assert_array_equal(diagonals, expected[2])


def gathered(settings, recipe, corpus, workers=LOKY, steps=None):
    """A pass read in shards into the store of an engine, and what is said of it."""
    engine = Engine(settings)
    progress = (lambda step: None) if steps is None else steps.append
    (before,) = read_in_shards(engine, settings, [(recipe, corpus)], workers, progress).values()
    return engine, before


def test_shards_are_whole_batches_in_order_wherever_one_begins(bert, large, settings, monkeypatch):
    engine, recipe = Engine(settings), Recipe.parse(bert)
    source = engine.source(recipe)
    encoder, tokens = engine.passes.encoder(source), engine.passes.tokens_of(source, large)
    monkeypatch.setattr(type(encoder), "batch_size", lambda self, length: 3 + length % 5)
    row_bytes = engine.passes.row_bytes(source)
    ends = [0, *(states.sentences.stop for states in encoder.run(encoder.tokenizer(large.sentences)))]
    for most in (1, 20 * row_bytes, 150 * row_bytes, 10**9):
        monkeypatch.setattr(shards, "SHARD_BYTES", most)
        spans = [*shards.cut(encoder, tokens, row_bytes)]
        assert [spans[0].start, *(span.stop for span in spans)] == sorted(
            {0, 90, *(span.start for span in spans)}
        ), "end to end"
        assert {span.stop for span in spans} <= set(ends)
        for span in spans:
            size = int(tokens.offsets[span.stop] - tokens.offsets[span.start]) * row_bytes
            assert size <= most or ends.index(span.stop) == ends.index(span.start) + 1
        assert [*shards.cut(encoder, tokens, row_bytes, spans[-1].start)] == spans[-1:]
    assert len(spans) == 1
    texts = [text for span in spans for text in shards.texts_of(large, tokens, span)]
    assert sorted(texts) == sorted(large.sentences)


@pytest.mark.parametrize("family", ["bert", "gpt2"])
@pytest.mark.parametrize("storage", ["float32", "float16"])
@pytest.mark.parametrize("template", ["", ';template="Well, [X]!"'])
def test_a_pass_in_shards_is_the_pass_of_one_process_to_the_bit(
    model, large, settings, tmp_path, family, storage, template, small_batches, here
):
    settings = replace(settings, storage=storage)
    recipe = Recipe.parse(f"source={model(family)}{template}")
    steps = []
    engine, before = gathered(settings, recipe, large, steps=steps)
    read = [step for step in steps if step.what == "Reading shards"]
    assert [(step.done, step.total) for step in read] == [(i, 12) for i in range(1, 13)]
    assert before.seconds > 0
    alone = Engine(replace(settings, cache=tmp_path / "alone"))
    assert_same(states_of(engine, recipe, large), states_of(alone, recipe, large))
    source = engine.source(recipe)
    moved = len(engine.passes.tokens_of(source, large)) * (engine.passes.row_bytes(source) + 4)
    assert (
        before.note
        == f"The workers read this corpus in 12 shards and sent {moved / 1e6:,.1f} MB of token states."
    )
    (entry,) = engine.store.entries()
    assert (entry.about["corpus"], entry.about["device"]) == ("large", "workers")
    # what workers took says nothing of reading here
    assert engine.passes.seconds_for(source, 1000) == Engine(
        replace(settings, cache=tmp_path / "none")
    ).passes.seconds_for(source, 1000)


def test_a_pass_that_was_stopped_goes_on_with_the_shard_that_is_missing(
    bert, large, settings, tmp_path, small_batches, here
):
    asked, change = here
    recipe = Recipe.parse(bert)

    def gone(sent):
        raise StrataError("The Dask scheduler is gone.")

    change[6] = gone
    with pytest.raises(StrataError, match="scheduler is gone"):
        gathered(settings, recipe, large)
    assert len(asked) == 6
    engine, _ = gathered(settings, recipe, large)
    assert len(asked) == 6 + 7, "five had come"
    alone = Engine(replace(settings, cache=tmp_path / "alone"))
    assert_same(states_of(engine, recipe, large), states_of(alone, recipe, large))


def flipped(sent):
    """The same with one bit changed on the way."""
    states = {layer: array.copy() for layer, array in sent.states.items()}
    states[1].reshape(-1).view(np.uint8)[5] ^= 4
    return replace(sent, states=states)


def test_a_damaged_shard_is_asked_for_anew(bert, large, settings, tmp_path, small_batches, here):
    asked, change = here
    recipe = Recipe.parse(bert)
    change[3], change[4] = flipped, flipped
    engine, before = gathered(settings, recipe, large)
    assert len(asked) == 14
    assert asked[2] == asked[3] == asked[4]
    alone = Engine(replace(settings, cache=tmp_path / "alone"))
    assert_same(states_of(engine, recipe, large), states_of(alone, recipe, large))
    assert "12 shards" in before.note


@pytest.mark.parametrize(
    ("change_of", "said"),
    [
        (flipped, "came damaged from its worker 3 times. Is the network"),
        (
            lambda sent: replace(sent, revision="other"),
            "another model or tokenizer under the same name (revision other there, ",
        ),
        (
            lambda sent: replace(sent, ids=sent.ids[::-1].copy(), checksums=replace_ids(sent)),
            "another model or tokenizer",
        ),
        (lambda sent: replace(sent, error="The model is not here.", checksums={}), "The model is not here"),
    ],
)
def test_what_a_worker_may_not_send_is_refused_and_nothing_of_it_is_kept(
    bert, large, settings, small_batches, here, change_of, said
):
    _, change = here
    change.update(dict.fromkeys(range(3, 9), change_of))
    recipe = Recipe.parse(bert)
    engine, before = gathered(settings, recipe, large)
    assert said in before.note and "one worker alone read" in before.note
    assert (before.seconds, before.kept) == (0, False)
    assert not engine.store.entries() and not [*(settings.cache / "passes").iterdir()]


def replace_ids(sent):
    """Checksums that agree with ids in the reverse order."""
    ids = replace(sent, ids=sent.ids[::-1].copy())
    return shards._checksums(ids.arrays)


def test_states_of_another_shard_are_refused(bert, large, settings):
    engine, recipe = Engine(settings), Recipe.parse(bert)
    source = engine.source(recipe)
    tokens = engine.passes.tokens_of(source, large)
    sent = shards.read(engine, shards.Shard(recipe, shards.texts_of(large, tokens, slice(0, 4))))
    assert shards.received(sent, tokens, slice(0, 4), source.revision).sentences == slice(0, 4)
    with pytest.raises(StoreError, match="another model or tokenizer"):
        shards.received(sent, tokens, slice(4, 8), source.revision)


def test_a_small_corpus_and_one_that_is_read_or_has_no_room_are_not_cut(
    bert, large, settings, tmp_path, monkeypatch
):
    engine, recipe = Engine(settings), Recipe.parse(bert)
    assert shards.are_worth_it(engine, recipe, large)
    assert not shards.are_worth_it(engine, Recipe.parse("source=random"), large)
    no_room = Engine(replace(settings, cache=tmp_path / "small", budget_bytes=1000))
    assert not shards.are_worth_it(no_room, recipe, large)
    monkeypatch.setattr(shards, "LARGE_TOKENS", 200_000)
    assert not shards.are_worth_it(engine, recipe, large)
    monkeypatch.setattr(shards, "LARGE_TOKENS", 300)
    engine.embed(recipe, large)
    assert not shards.are_worth_it(engine, recipe, large)


@pytest.mark.parametrize("count", [1, 5, 9])
def test_processes_give_results_in_the_order_of_the_calls(count):
    taken = []

    def calls():
        for number in range(count):
            taken.append(number)
            yield number, 4

    results = LOKY.in_order(divmod, calls())
    assert next(results) == (0, 0)
    assert len(taken) == min(count, 4), "two for each worker"
    assert [*results] == [divmod(number, 4) for number in range(1, count)]


# -- sweeps on a cluster


def file_of(corpus, path):
    rows = [
        f"{corpus.sentences[i]}\t{corpus.sentences[j]}\t{gold:g}"
        for i, j, gold in zip(corpus.first, corpus.second, corpus.gold, strict=True)
    ]
    path.write_text("\n".join(["sentence1\tsentence2\tscore", *rows]) + "\n", "utf-8")
    return Asked("large", str(path))


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        return [*csv.DictReader(file)]


def assert_same_passes(engine, settings, tmp_path, asked, large):
    """The pass of the sweep is, to the bit, the one that was read alone."""
    own = Engine(replace(settings, cache=tmp_path / "own"))
    recipe = Recipe.parse(asked.recipes[0])
    assert_same(states_of(engine, recipe, large), states_of(own, recipe, large))


def assert_same_scores(output, alone, note):
    """The same tables to the last digit, but for seconds and what is said of the workers."""
    for found, expected in zip(rows_of(output), rows_of(alone), strict=True):
        assert found.pop("notes").startswith(f"{expected.pop('notes')} {note}".strip())
        for name in ("seconds", "pass_seconds"):
            del found[name], expected[name]
        assert found == expected and not found["error"]


@pytest.fixture
def asked(bert, large, tmp_path):
    recipes = (f"{bert};layers=last", f"{bert};pool=max", f"{bert};layers=0+1;weight=idf;post=zscore")
    return Request(recipes, (file_of(large, tmp_path / "large.tsv"),))


@pytest.fixture
def alone(asked, settings, tmp_path, small_batches):
    output = tmp_path / "alone.csv"
    sweep(Engine(replace(settings, cache=tmp_path / "own")), asked, output)
    return output


@pytest.mark.parametrize("apart", [False, True])
def test_workers_give_the_scores_of_one_process_to_the_bit_with_and_without_a_common_store(
    asked, alone, large, settings, tmp_path, apart
):
    output, steps, stores = tmp_path / "cluster.csv", [], tmp_path / "stores"
    with cluster(apart=stores if apart else None):
        engine = Engine(settings)
        sweep(engine, asked, output, DASK, steps.append)
    assert len([step for step in steps if step.what == "Reading shards"]) > 1
    assert_same_scores(output, alone, "The workers read this corpus in ")
    assert_same_passes(engine, settings, tmp_path, asked, large)
    seconds = [float(row["pass_seconds"]) for row in rows_of(output)]
    assert seconds[0] > 0 and seconds[1:] == [0, 0], "the pass was made once"
    assert len(engine.store.entries()) == 1
    if apart:
        assert len([*stores.iterdir()]) == 2
        assert not [*stores.glob("*/passes/*")], "no worker keeps a pass"


def test_a_worker_that_dies_in_the_middle_has_its_shards_read_by_another(
    asked, alone, large, settings, tmp_path
):
    output, killed = tmp_path / "cluster.csv", threading.Event()
    with cluster(apart=tmp_path / "stores") as running:

        def told(step):
            if step.what == "Reading shards" and step.done == 2 and not killed.is_set():
                killed.set()
                running.kill(running.workers[0])

        engine = Engine(settings)
        sweep(engine, asked, output, DASK, told)
    assert killed.is_set()
    assert_same_scores(output, alone, "The workers read this corpus in ")
    assert_same_passes(engine, settings, tmp_path, asked, large)


def test_shards_that_cannot_be_had_leave_the_corpus_to_one_worker_and_the_rows_say_so(
    asked, alone, settings, tmp_path, monkeypatch
):
    monkeypatch.setattr(
        sharded_reading._Reading,
        "_states",
        lambda self, source, tokens, start: (_ for _ in ()).throw(StoreError("No states came.")),
    )
    output = tmp_path / "rows.csv"
    monkeypatch.setattr(Workers, "run", lambda self, task, calls: (task(*call) for call in calls))
    sweep(Engine(settings), asked, output, LOKY)
    assert_same_scores(output, alone, "No states came. So one worker alone read this corpus.")


def test_nothing_was_done_for_what_needs_no_shards(bert, large, settings, here):
    engine = Engine(settings)
    engine.embed(Recipe.parse(bert), large)
    assert read_in_shards(engine, settings, [(Recipe.parse(bert), large)], LOKY, lambda step: None) == {}


def test_a_pass_that_another_process_made_meanwhile_is_taken(bert, large, settings, here, monkeypatch):
    asked, _ = here
    Engine(settings).embed(Recipe.parse(bert), large)
    monkeypatch.setattr(shards, "are_worth_it", lambda *_: True)
    _, before = gathered(settings, Recipe.parse(bert), large)
    assert (before, asked) == (Before(0.0, "", kept=True), [])
