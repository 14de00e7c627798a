"""Every recipe that was tried, once each, best first."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.reading import plain


def tried(*scores: tuple[str, float]):
    """The table after these recipes were scored, in this order."""

    def script(scores):
        from components.scores import history
        from core.corpora.corpus import Corpus
        from core.evaluation.sts import Score

        corpus = Corpus.of_pairs("small", ["a", "b"], ["c", "d"], [1.0, 2.0])
        for number, (recipe, value) in enumerate(scores):
            found = Score(value, value, value - 1, value + 1, 2, "all", {})
            history.add(corpus, recipe, "model", found, float(number))
        history.show()

    at = AppTest.from_function(script, kwargs={"scores": scores}, default_timeout=60).run()
    assert not at.exception
    return at


def test_the_same_recipe_stands_once_with_its_first_time():
    table = tried(("x", 50.0), ("y", 60.0), ("x", 50.0)).dataframe[0].value
    assert list(table["recipe"]) == ["y", "x"]
    assert list(table["seconds"]) == [1.0, 0.0]


def test_the_best_comes_first():
    table = tried(("x", 50.0), ("y", 70.0), ("z", 60.0)).dataframe[0].value
    assert list(table["Spearman × 100"]) == [70.0, 60.0, 50.0]


def test_no_score_comes_last():
    table = tried(("x", float("nan")), ("y", 10.0)).dataframe[0].value
    assert list(table["recipe"]) == ["y", "x"]


@pytest.mark.parametrize(("count", "words"), [(1, "1 recipe"), (2, "2 recipes")])
def test_it_says_how_many(count, words):
    at = tried(*((f"r{i}", float(i)) for i in range(count)))
    assert plain(at.markdown[0].value) == f"## Tried in this visit: {words}"


def test_it_warns_of_choosing_among_many():
    assert "Choose on dev, report on test" in tried(("x", 1.0)).caption[0].value
