"""Scores in words: with an interval, and of too few pairs for one."""

from pathlib import Path

import components
from components.wording import brief, layers_named, plus_minus, value
from core.evaluation.sts import Score

NAN = float("nan")


def test_a_score_of_few_pairs_has_no_interval():
    known = Score(46.0, 50.0, 39.7, 52.3, 865, "all", {})
    assert value(known) == "46.0 ± 6.3"
    assert value(Score(46.0, 50.0, NAN, NAN, 3, "all", {})) == "46.0 (3 pairs)"
    assert value(Score(NAN, NAN, NAN, NAN, 3, "all", {})) == "no score"
    assert plus_minus(46.0, 40.1, 52.3) == "46.0 ± 6.1"
    assert plus_minus(61.2, 17.9, 79.9) == "61.2 (95 %: 17.9 to 79.9)", "which ± 31.0 would not say"
    assert brief(61.2, 17.9, 79.9) == "61.2"
    assert brief(46.0, 40.1, 52.3) == "46.0 ± 6.1"
    assert brief(46.0, NAN, NAN) == "46.0"
    assert plus_minus(100.0, 100.0, 100.0) == "100.0 ± 0.0"
    assert plus_minus(46.0, NAN, NAN) == "46.0"
    assert plus_minus(46.0, NAN, NAN, 3) == "46.0 (3 pairs)"


def test_one_layer_is_a_layer_and_several_are_layers():
    assert [layers_named(each) for each in ("6", "0+last", "first+last", "all")] == [
        "layer 6",
        "layers 0+last",
        "layers first+last",
        "all layers",
    ]


def test_pages_put_words_between_quotes_in_one_way():
    """A deck's line is written by who gives the talk; a word of a text goes through ``quoted``."""
    pages = Path(components.__file__).parent
    by_hand = [path for path in pages.rglob("*.py") if "“{" in path.read_text("utf-8")]
    assert [path.relative_to(pages).parts[0] for path in by_hand] == ["deck"]
