"""Lookups hold as many tables as fit in memory, and never share what can be written to."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.sources.doc2vec import whole_texts
from core.sources.token_states import TableStates
from tests.core.helpers.texts import many


def test_states_of_a_table_grow_with_every_layer_and_report_it():
    sizes = []
    states = TableStates(
        whole_texts(["a", "b"]),
        lambda layer, ids: np.ones((len(ids), 100), np.float32),
        layers=(0, 1),
        on_growth=lambda grown: sizes.append(grown.bytes_in_memory),
    )
    sizes.append(states.bytes_in_memory)
    for layer in (0, 1, 0):
        states.read(layer, slice(0, 2))
    assert [after - before for before, after in itertools.pairwise(sizes)] == [800, 800]


class Growing(np.ndarray):
    """A table beside which another thread adds one when it is counted."""

    @property
    def nbytes(self):
        self.others.setdefault(len(self.others), self)
        return super().nbytes


def test_tables_are_counted_while_another_thread_adds_one():
    states = TableStates(whole_texts(["a"]), lambda _, ids: np.ones((len(ids), 100), np.float32))
    before = states.bytes_in_memory
    states.tables[0] = np.zeros(100, np.float32).view(Growing)
    states.tables[0].others = states.tables
    assert states.bytes_in_memory - before == 400
    assert len(states.tables) == 2


def test_tables_are_read_only():
    states = TableStates(whole_texts(["a", "b"]), lambda _, ids: np.ones((len(ids), 3), np.float32))
    states.read(-1, slice(0, 2))
    with pytest.raises(ValueError, match="read-only"):
        states.tables[-1][0] = 2


def test_lookups_are_bounded_in_bytes(bert, settings, texts_file):
    recipe = Recipe.parse(
        f"source=averaged(model={bert.removeprefix('source=')});layers=all;reference={texts_file}"
    )
    corpora = [Corpus.of_texts(f"t{i}", [f"{text} {i}" for text in many(40)]) for i in range(6)]
    large = Engine(settings)
    right = [large.embed(recipe, corpus).vectors for corpus in corpora]
    states, _ = large.passes.get(large.source(recipe), corpora[0])
    one = states.bytes_in_memory

    small = Engine(replace(settings, memory_bytes=int(8 * 2.5 * one)))
    vectors = [small.embed(recipe, corpus).vectors for corpus in corpora]

    assert all(np.array_equal(a, b) for a, b in zip(vectors, right, strict=True))
    source = small.source(recipe)
    again = [small.passes.get(source, corpus)[0] for corpus in reversed(corpora)]
    assert [bool(states.tables) for states in again] == [True, True, False, False, False, False]
