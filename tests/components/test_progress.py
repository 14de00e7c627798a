"""How long work is shown, and when it asks first."""

import pytest

from components.progress import LONG, duration, may_run
from core.corpus import Corpus
from core.errors import ModelError
from core.recipe import Recipe

CORPUS = Corpus.of_texts("small", ["one text", "another text"])


class Pending:
    """A road that says how long each recipe would take."""

    def __init__(self, **seconds: float) -> None:
        self.seconds = seconds

    def pending_seconds(self, recipe, corpus):
        """Seconds by the name of the source."""
        found = self.seconds[recipe.spelled()["source"]]
        if found < 0:
            raise ModelError("no such model")
        return found


def asked(road, *recipes: str) -> bool:
    """Whether these recipes run without a question."""
    return may_run(road, [Recipe.parse(recipe) for recipe in recipes], CORPUS)


def test_short_work_runs():
    assert asked(Pending(bundled=LONG - 1), "layers=last", "layers=0")


def test_two_recipes_of_one_model_share_its_pass():
    assert asked(Pending(bundled=LONG * 0.7), "layers=last", "layers=0")


def test_two_models_add_up():
    assert not asked(Pending(bundled=LONG * 0.7, other=LONG * 0.7), "layers=last", "source=other")


def test_long_work_asks():
    assert not asked(Pending(bundled=LONG), "layers=last")


def test_a_recipe_that_cannot_run_does_not_hold_up_the_other():
    assert asked(Pending(bundled=1.0, other=-1), "layers=last", "source=other")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(11, "10 seconds"), (44, "40 seconds"), (89, "90 seconds"), (120, "2 minutes"), (3600, "60 minutes")],
)
def test_a_duration_is_said_in_round_numbers(seconds, words):
    assert duration(seconds) == words
