"""Every recipe that was tried, once each, best first."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.reading import plain

X, Y, Z = "layers=1", "layers=2", "layers=3"


def tried(*scores: tuple[str, float] | tuple[str, float, str], read_only=False):
    """The table after these recipes were scored, in this order; with what each has learnt from."""

    def script(scores, read_only):
        import numpy as np

        from components import seen_scores
        from components.scores import history
        from core.evaluation.scoring import Scored
        from core.evaluation.sts import Score
        from core.pipeline.engine import Engine
        from core.recipe import Recipe
        from core.settings import Settings

        about = {"model": "m", "corpus": "small", "split": "all", "fingerprint": "f", "aggregate": "all"}
        for number, (text, value, *read) in enumerate(scores):
            found, none = Score(value, value, value - 1, value + 1, 2, "all", {}), np.zeros(0)
            known = about | {"recipe": text, "reference_fingerprint": "".join(read)}
            seen_scores.note(Scored(Recipe.parse(text), known, none, found, none, 0.0, float(number), ()))
        history.show(Engine(Settings(read_only=read_only)))

    at = AppTest.from_function(
        script, kwargs={"scores": scores, "read_only": read_only}, default_timeout=60
    ).run()
    assert not at.exception
    return at


def test_the_same_recipe_stands_once_with_its_first_time():
    table = tried((X, 50.0), (Y, 60.0), (X, 50.0)).dataframe[0].value
    assert list(table["recipe"]) == [Y, X]
    assert list(table["seconds"]) == [1.0, 0.0]


def test_a_recipe_whose_reference_has_changed_has_its_score_anew():
    """The table showed the score of before beside a headline with another one."""
    table = tried((X, 50.0, "first"), (X, 60.0, "second")).dataframe[0].value
    assert list(table["Spearman × 100"]) == [60.0, 50.0]


def test_the_best_comes_first():
    table = tried((X, 50.0), (Y, 70.0), (Z, 60.0)).dataframe[0].value
    assert list(table["Spearman × 100"]) == [70.0, 60.0, 50.0]


def test_no_score_comes_last():
    table = tried((X, float("nan")), (Y, 10.0)).dataframe[0].value
    assert list(table["recipe"]) == [Y, X]


@pytest.mark.parametrize(("count", "words"), [(1, "1 recipe"), (2, "2 recipes")])
def test_it_says_how_many(count, words):
    at = tried(*((f"layers={i}", float(i)) for i in range(count)))
    assert plain(at.markdown[0].value) == f"## Tried in this visit: {words}"


def test_it_warns_of_choosing_among_many():
    assert "Choose on dev, report on test" in tried((X, 1.0)).caption[0].value
