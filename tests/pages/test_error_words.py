"""Words that drive the errors, on the page Scores."""

from dataclasses import replace

from components import chosen_points
from components.scores import error_words
from components.scores.error_words import headline, table
from core.analysis.why.error_words import ErrorWord, ErrorWords
from core.corpora.corpus import Corpus
from tests.pages.reading import errors, pairs_of, shown


def test_the_section_says_which_word_and_lists_all_with_intervals(visit, corpora, small):
    corpora(dogs=pairs_of([f"the dog {i} ran by the cat {i * i % 7}" for i in range(40)]))
    query = {"errors": "true", "errors.pairs": "50"}
    at = visit("scores", corpus="dogs", a=small, b=f"{small};pool=max", **query)
    assert errors(at) == []
    said = [box.value for box in at.markdown if "from their gold rank" in box.value]
    assert len(said) == 2
    frames = [frame for frame in at.dataframe if "places closer" in frame.value.columns]
    assert set("".join(shown(frames[0])["low"])) <= set("+−.0123456789")
    listed = [frame.value for frame in frames]
    assert len(listed) == 2
    assert {"dog", "ran", "[CLS]"} <= set(listed[0]["word"])
    assert (listed[0]["low"] <= listed[0]["high"]).all()


def test_the_headline_names_the_word_with_its_interval():
    """An interval that holds 0 stood there without a word on what it says."""
    words = (ErrorWord("not", 6.44, -0.3, 10.9, 7), ErrorWord("a", -2.0, -3.0, -1.0, 9))
    found = ErrorWords(100, 60.8, 0.8, words)
    said = (
        "A: 100 pairs are 61 places of 100 from their gold rank; without “not” its 7 pairs come 6.4 closer "
    )
    assert headline("A", found) == f"{said}(95 %: −0.3 to 10.9); no difference shown"
    told = ErrorWords(100, 60.8, 0.8, (replace(words[0], low=0.3), words[1]))
    assert headline("A", told) == f"{said}(95 %: 0.3 to 10.9)"
    assert "no word of 5 pairs" in headline("A", ErrorWords(100, 60.8, 0.8, words[1:]))
    assert table(found)["word"].tolist() == ["not", "a"]
    assert table(ErrorWords(0, 0.0, 0.0, ())).empty


def test_the_pairs_of_a_lasso_are_those_of_one_corpus(monkeypatch):
    """Points of medians are no pairs; another corpus has no pair of it."""
    state = {}
    monkeypatch.setattr(chosen_points.st, "session_state", state)
    monkeypatch.setattr(chosen_points.held, "hold", state.__setitem__)
    dogs, cats = (
        Corpus.of_pairs(
            name, [f"{name} {i}" for i in range(9)], [name] * 9, [float(i % 5) for i in range(9)]
        )
        for name in ("dogs", "cats")
    )
    points = [
        {"curve_number": curve, "point_index": index} for curve, index in ((0, 4), (2, 1), (1, 3), (0, 1))
    ]
    error_words.choose(dogs, points)
    assert error_words.chosen(dogs) == (1, 4)
    assert error_words.chosen(cats) == ()
    error_words.choose(dogs, [])
    assert error_words.chosen(dogs) == ()
