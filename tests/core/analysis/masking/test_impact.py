"""Perturbed masking against its definition: every input by itself, every distance by loops."""

import string
from itertools import product

import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoTokenizer

from core.analysis.masking.impact import MERGES, METRICS, Impact, between, impact, pending_seconds
from core.analysis.masking.plan import LEVELS, MOST, plan_masking
from core.encoders.encoder import Encoder
from core.errors import CorpusError, RecipeError
from core.pipeline.engine import Engine
from core.progress import Step
from core.recipe import Recipe
from core.settings import Settings
from tests.core.helpers.batches import bounded
from tests.core.helpers.reference import loaded
from tests.core.helpers.texts import ODD
from tests.core.helpers.tiny import DEPTH, LIMIT

TEXT = "The dog plays guitars, the dog"
MASKED = ("bert", "roberta", "electra", "xlnet", "albert", "distilbert", "mpnet")
WITHOUT_MASK = ("gpt2", "llama")


def source_of(engine, folder):
    return engine.source(Recipe().replace(source=str(folder)))


def made(engine, folder, text=TEXT, level="words") -> Impact:
    return impact(engine, plan_masking(engine, source_of(engine, folder), text, level))


def groups_of(pieces, special, level):
    """The positions of each unit: a piece goes on when it says so, or lacks the mark of a beginning."""
    found = []
    marked = any(piece[0] in "Ġ▁" for piece in pieces)
    alone = set(string.punctuation)
    for at, piece in enumerate(pieces):
        if special[at]:
            continue
        first = not found or special[at - 1]
        goes_on = piece.startswith("##") or (marked and piece[0] not in "Ġ▁")
        parted = piece in alone or pieces[at - 1] in alone
        if level == "words" and goes_on and not first and not parted:
            found[-1].append(at)
        else:
            found.append([at])
    return found


@torch.inference_mode()
def literal(folder, text, level, metric, merge, special):
    """Rows [layer][row][column] by the definition: two inputs for each cell, one at a time."""
    tokenizer, model = loaded(folder)
    inputs = tokenizer(text, return_tensors="pt")
    own = tokenizer(text, return_special_tokens_mask=True)["special_tokens_mask"]
    pieces = tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])
    groups = groups_of(pieces, own, level)
    seen = {}

    def states(*masked):
        places = frozenset(at for group in masked for at in group)
        if places not in seen:
            ids = inputs["input_ids"].clone()
            for at in places:
                ids[0, at] = tokenizer.mask_token_id
            out = model(**{**inputs, "input_ids": ids}, output_hidden_states=True)
            seen[places] = [state[0].double().numpy() for state in out.hidden_states]
        return seen[places]

    def distance(a, b):
        if metric == "euclidean":
            return sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5
        dot = sum(x * y for x, y in zip(a, b, strict=True))
        return 1 - dot / (sum(x * x for x in a) * sum(y * y for y in b)) ** 0.5

    rows = [(group, False) for group in groups]
    if special:
        rows += [([at], True) for at in range(len(pieces)) if own[at]]
        rows.sort(key=lambda row: row[0][0])
    merged = {"first": lambda d: d[0], "mean": lambda d: sum(d) / len(d), "sum": sum, "max": max}[merge]
    found = np.zeros((DEPTH + 1, len(rows), len(groups)))
    for layer, (i, (row, whole)), (j, column) in product(
        range(DEPTH + 1), enumerate(rows), enumerate(groups)
    ):
        if row == column:
            continue
        before = states() if whole else states(row)
        after = states(column) if whole else states(row, column)
        found[layer, i, j] = merged([distance(before[layer][at], after[layer][at]) for at in row])
    return found


# -- the definition


@pytest.mark.parametrize("family", MASKED)
@pytest.mark.parametrize("level", LEVELS)
def test_every_cell_is_that_of_the_definition(engine, model, family, level):
    text = "The dog sings, a dog" if family in ("bert", "xlnet") else "a dogs, a"
    found = made(engine, model(family), text, level)
    for metric, merge, special in [
        *(("euclidean", merge, False) for merge in MERGES),
        ("cosine", "first", True),
        ("euclidean", "mean", True),
    ]:
        expected = literal(model(family), text, level, metric, merge, special)
        assert expected[1:].max() > 0.01
        for layer in range(DEPTH + 1):
            got = found.matrix(layer, metric, merge, special=special)
            np.testing.assert_allclose(got, expected[layer], atol=2e-4, rtol=1e-3)


def test_the_pieces_of_a_word_are_masked_together(engine, model):
    planned = plan_masking(engine, source_of(engine, model("bert")), TEXT)
    assert planned.units == ("the", "dog", "plays", "guitars", ",", "the", "dog")
    assert planned.surface_forms == (
        "[CLS]",
        "the",
        "dog",
        "plays",
        "guitar",
        "##s",
        ",",
        "the",
        "dog",
        "[SEP]",
    )
    assert planned.unit.tolist() == [-1, 0, 1, 2, 3, 3, 4, 5, 6, -1]
    assert planned.starts.tolist() == [1, 2, 3, 4, 6, 7, 8]
    tokens = plan_masking(engine, source_of(engine, model("bert")), TEXT, "tokens")
    assert tokens.units == planned.surface_forms[1:-1]
    assert tokens.unit.tolist() == [-1, 0, 1, 2, 3, 4, 5, 6, 7, -1]


def test_words_of_bytes_have_their_surface_form(engine, model):
    planned = plan_masking(engine, source_of(engine, model("roberta")), "Größe, né 🎸")
    assert planned.units == ("Größe", ",", "né", "🎸")
    assert planned.counted == ("größe", ",", "né", "🎸")


def test_a_word_said_twice_is_two_words(engine, model):
    found = made(engine, model("bert"), "the dog the dog").matrix(DEPTH)
    assert found.shape == (4, 4)
    assert found[0, 2] > 0.01
    assert abs(found[1, 0] - found[1, 2]) > 1e-4


def test_the_diagonal_is_zero_and_the_rest_is_not(engine, model):
    found = made(engine, model("bert")).matrix(DEPTH)
    assert (np.diagonal(found) == 0).all()
    assert (found[~np.eye(len(found), dtype=bool)] > 0.001).all()


def test_special_tokens_have_rows_where_they_stand_and_no_columns(engine, model):
    bert, xlnet = made(engine, model("bert"), "a dog ran"), made(engine, model("xlnet"), "a dog ran")
    assert bert.rows(special=True) == ("[CLS]", "a", "dog", "ran", "[SEP]")
    assert xlnet.rows(special=True)[-2:] == ("<sep>", "<cls>")
    assert bert.rows() == ("a", "dog", "ran")
    whole, own = bert.matrix(2, special=True), bert.matrix(2)
    assert whole.shape == (5, 3)
    assert (whole[1:4] == own).all()
    assert (whole[[0, 4]] > 0.001).all()
    assert bert.own_rows(special=True).tolist() == [1, 2, 3]
    assert bert.own_rows().tolist() == [0, 1, 2]
    np.testing.assert_allclose(bert.means(2), own.sum(axis=0) / 3)


def test_nothing_moves_where_tokens_do_not_see_each_other(engine, model, tmp_path):
    found = AutoModel.from_pretrained(model("bert"))
    for block in found.encoder.layer:
        torch.nn.init.zeros_(block.attention.output.dense.weight)
        torch.nn.init.zeros_(block.attention.output.dense.bias)
    found.save_pretrained(tmp_path / "alone", safe_serialization=True)
    AutoTokenizer.from_pretrained(model("bert")).save_pretrained(tmp_path / "alone")
    alone = made(engine, tmp_path / "alone")
    for metric, layer in product(METRICS, range(DEPTH + 1)):
        assert alone.matrix(layer, metric, "max", special=True).max() < 1e-5
    assert made(engine, model("bert")).matrix(0).max() < 1e-5, "layer 0 has seen nothing yet"


def test_merging_on_numbers_by_hand(engine, model):
    planned = plan_masking(engine, source_of(engine, model("bert")), "a guitars")
    assert planned.unit.tolist() == [-1, 0, 1, 1, -1]
    moved = np.array([[9, 9], [0, 5], [3, 0], [1, 0], [9, 9]], np.float32)[None]
    found = Impact(planned, {"euclidean": moved, "cosine": moved / 10})
    assert found.matrix(0).tolist() == [[0, 5], [3, 0]]
    assert found.matrix(0, merge="mean").tolist() == [[0, 5], [2, 0]]
    assert found.matrix(0, merge="sum").tolist() == [[0, 5], [4, 0]]
    assert found.matrix(0, merge="max").tolist() == [[0, 5], [3, 0]]
    assert found.means(0, merge="sum").tolist() == [2, 2.5]
    assert found.means(0, "cosine").tolist() == pytest.approx([0.15, 0.25])


# -- what is run


@pytest.mark.parametrize("apart", [1, 1e-2, 1e-4, 1e-6])
def test_distances_of_rows_have_six_digits_however_close_they_are(apart):
    rng = np.random.default_rng(0)
    a = rng.normal(size=(50, 96)).astype(np.float32) * 10
    b = (a + apart * rng.normal(size=a.shape)).astype(np.float32)
    found, (wide_a, wide_b) = between(a, b), (x.astype(np.longdouble) for x in (a, b))
    np.testing.assert_allclose(found["euclidean"], np.sqrt(((wide_a - wide_b) ** 2).sum(1)), rtol=1e-6)
    norms = [np.sqrt((x**2).sum(1, keepdims=True)) for x in (wide_a, wide_b)]
    expected = ((wide_a / norms[0] - wide_b / norms[1]) ** 2).sum(1) / 2
    np.testing.assert_allclose(found["cosine"], expected, rtol=2e-6)


def test_equal_rows_and_rows_of_zeros_have_no_distance_in_direction():
    a = np.array([[1, 2, 3], [0, 0, 0], [0, 0, 0], [3, 4, 0]], np.float32)
    b = np.array([[1, 2, 3], [0, 3, 4], [0, 0, 0], [6, 8, 0]], np.float32)
    found = between(a, b)
    assert found["euclidean"].tolist() == [0, 5, 0, 5]
    assert found["cosine"].tolist() == [0, 0, 0, 0]


@pytest.fixture
def run(monkeypatch) -> list[np.ndarray]:
    """Every input that models were given, one row each."""
    rows: list[np.ndarray] = []
    states = Encoder.states

    def counted(self, ids, types, wanted):
        rows.extend(ids)
        return states(self, ids, types, wanted)

    monkeypatch.setattr(Encoder, "states", counted)
    return rows


@pytest.mark.parametrize(("level", "count"), [("words", 7), ("tokens", 8)])
def test_each_input_is_run_once_and_no_other(engine, model, run, level, count):
    found = made(engine, model("bert"), TEXT, level)
    assert found.plan.inputs == len(run) == 1 + count + count * (count - 1) // 2
    assert len({row.tobytes() for row in run}) == len(run), "no input twice"
    assert len({len(row) for row in run}) == 1, "no padding"
    hidden = [np.unique(found.plan.unit[row == found.plan.mask_id]).tolist() for row in run]
    assert sorted(map(len, hidden)) == [0] + [1] * count + [2] * (count * (count - 1) // 2)
    assert all(-1 not in units for units in hidden), "special tokens are never masked"


def test_batches_do_not_change_the_answer(engine, settings, model, monkeypatch, tmp_path):
    whole = made(engine, model("bert"))
    bounded(monkeypatch, tokens=1)
    single = made(Engine(Settings(cache=tmp_path / "other")), model("bert"))
    for metric in METRICS:
        np.testing.assert_allclose(single.distances[metric], whole.distances[metric], atol=1e-5)


def test_progress_says_how_many_inputs(engine, model):
    steps: list[Step] = []
    planned = plan_masking(engine, source_of(engine, model("bert")), TEXT)
    impact(engine, planned, steps.append)
    assert steps[-1].done == steps[-1].total == planned.inputs
    assert "inputs" in steps[0].what


# -- what is kept


def test_the_answer_is_kept_for_every_visitor_and_every_choice(engine, settings, model, run):
    first = made(engine, model("bert"))
    count = len(run)
    again = made(Engine(settings), model("bert"))
    assert len(run) == count
    for metric in METRICS:
        assert (again.distances[metric] == first.distances[metric]).all()
    assert pending_seconds(engine, first.plan) == 0
    for other in (
        plan_masking(engine, source_of(engine, model("bert")), TEXT, "tokens"),
        plan_masking(engine, source_of(engine, model("bert")), TEXT + "s"),
        plan_masking(engine, source_of(engine, model("electra")), TEXT),
    ):
        assert pending_seconds(engine, other) > 0
    coarse = Engine(Settings(cache=settings.cache, forward="bfloat16"))
    assert pending_seconds(coarse, first.plan) > 0, "another precision is another answer"


def test_work_that_is_stopped_is_done_anew(engine, model, run, monkeypatch):
    bounded(monkeypatch, tokens=40)
    planned = plan_masking(engine, source_of(engine, model("bert")), TEXT)

    def stop(step):
        if step.done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        impact(engine, planned, stop)
    assert 0 < len(run) < planned.inputs
    assert pending_seconds(engine, planned) > 0
    assert impact(engine, planned).matrix(DEPTH).max() > 0


def test_a_template_plays_no_role(engine, model):
    recipe = Recipe().replace(source=str(model("bert")), template="T0")
    planned = plan_masking(engine, engine.source(recipe), TEXT)
    assert planned.units[0] == "the"
    assert len(planned.units) == 7


# -- what cannot be done


@pytest.mark.parametrize("family", WITHOUT_MASK)
def test_a_model_without_mask_token_says_what_to_take(engine, model, family):
    with pytest.raises(RecipeError, match="has no mask token.*Take an encoder"):
        plan_masking(engine, source_of(engine, model(family)), TEXT)


@pytest.mark.parametrize("source", ["random", "vectors"])
def test_a_table_has_no_context(engine, vectors_file, source):
    text = source if source == "random" else f"vectors(path={vectors_file})"
    with pytest.raises(RecipeError, match="has no context"):
        plan_masking(engine, engine.source(Recipe().replace(source=text)), TEXT)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "finds nothing"),
        (" \0 ", "finds nothing"),
        ("dog", "one word alone, 'dog': there is no other"),
        ("dogs", "one word alone"),
    ],
)
def test_a_sentence_too_short_to_ask_about(engine, model, text, says):
    with pytest.raises(CorpusError, match=says):
        plan_masking(engine, source_of(engine, model("bert")), text)


def test_pieces_of_one_word_are_tokens_enough(engine, model):
    assert plan_masking(engine, source_of(engine, model("bert")), "guitars", "tokens").units == (
        "guitar",
        "##s",
    )


def test_a_sentence_longer_than_can_be_read_is_refused(shared_engine):
    source = shared_engine.source(Recipe())
    with pytest.raises(CorpusError, match=f"has 220 words; at most {MOST} are masked"):
        plan_masking(shared_engine, source, "dog " * 220)
    assert plan_masking(shared_engine, source, "dog " * MOST).inputs == 20_101
    with pytest.raises(CorpusError, match="or mask words"):
        plan_masking(shared_engine, source, "perturbedmaskings " * 70, "tokens")


def test_a_sentence_that_the_model_cuts_says_where(engine, model):
    planned = plan_masking(
        engine, source_of(engine, model("bert")), "run " * (LIMIT - 3) + "sleep rain dog"
    )
    (note,) = planned.notes
    assert f"reads {LIMIT} tokens at most" in note
    assert "cut after “sleep”" in note
    assert plan_masking(engine, source_of(engine, model("bert")), TEXT).notes == ()


def test_a_layer_that_does_not_exist(engine, model):
    found = made(engine, model("bert"), "a dog")
    for layer in (-1, DEPTH + 1):
        with pytest.raises(RecipeError, match=f"allowed is 0 to {DEPTH}"):
            found.matrix(layer)


@pytest.mark.parametrize("family", ["bert", "roberta", "xlnet"])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", [kind for kind in ODD if kind != "very long"])
def test_odd_sentences_are_asked_about_or_refused(engine, model, family, level, kind):
    try:
        planned = plan_masking(engine, source_of(engine, model(family)), ODD[kind], level)
    except CorpusError as error:
        assert "write" in str(error)
        return
    assert len(planned.units) == len(planned.counted) == len(planned.starts) > 1
    assert all(planned.units)
    found = impact(engine, planned)
    assert np.isfinite(found.matrix(DEPTH, special=True)).all()
