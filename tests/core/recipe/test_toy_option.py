"""A new pooling is three lines, and everything that reads the registry has it at once."""

import numpy as np
import pytest

from core.cli import main
from core.errors import RecipeError
from core.recipe import POOL, STAGES, Recipe
from core.tokens.token_batch import TokenBatch
from tests.core.helpers.examples import stage_choices


@pytest.fixture
def toy():
    @POOL.option
    def toy(batch: TokenBatch, *, times: int = 2) -> np.ndarray:
        """The first token, some times over."""
        return np.stack([times * batch.states[i] for i in batch.offsets[:-1]])

    yield POOL.options["toy"]
    POOL.forget("toy")


@pytest.mark.usefixtures("toy")
def test_it_is_read_and_printed():
    recipe = Recipe.parse("pool=toy(times=3)")
    assert str(recipe) == "pool=toy(times=3)"
    assert str(Recipe.parse("pool=toy(times=2)")) == "pool=toy"
    with pytest.raises(RecipeError, match=r"Allowed: mean, sum, .*toy\(times=2\)"):
        Recipe.parse("pool=nothing")


def test_a_form_finds_all_that_it_shows(toy):
    assert toy in list(STAGES["pool"])
    assert toy.explanation == "The first token, some times over."
    (times,) = toy.arguments.values()
    assert (times.name, times.type, times.default) == ("times", int, 2)


@pytest.mark.usefixtures("toy")
def test_the_command_line_explains_it(capsys):
    with pytest.raises(SystemExit):
        main(["score", "--help"])
    assert "The first token, some times over." in capsys.readouterr().out


@pytest.mark.usefixtures("toy")
def test_the_contract_test_lists_it():
    assert "pool=toy" in stage_choices()


@pytest.mark.usefixtures("toy")
def test_it_runs_in_the_engine(shared_engine, bert, scored):
    twice = shared_engine.embed(Recipe.parse(f"{bert};layers=2;pool=toy"), scored).vectors
    first = shared_engine.embed(Recipe.parse(f"{bert};layers=2;pool=cls"), scored).vectors
    np.testing.assert_allclose(twice, 2 * first, atol=1e-6)


def test_it_is_gone_afterwards():
    assert "toy" not in POOL.options
    assert not [t for t in stage_choices() if "toy" in t]
