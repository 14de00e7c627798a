"""Signs, intervals and quotes in words."""

import pytest

from core.evaluation.difference import Difference
from core.evaluation.wording import between, fixed, isolated, quoted, signed


@pytest.mark.parametrize(
    ("value", "digits", "text", "with_sign"),
    [
        (2.44, 1, "2.4", "+2.4"),
        (-2.46, 1, "−2.5", "−2.5"),
        (-0.04, 1, "0.0", "0.0"),
        (0.04, 1, "0.0", "0.0"),
        (-0.04, 2, "−0.04", "−0.04"),
        (12.0, 0, "12", "+12"),
    ],
)
def test_what_rounds_to_0_has_no_sign_and_minus_is_a_minus(value, digits, text, with_sign):
    assert fixed(value, digits) == text
    assert signed(value, digits) == with_sign


def test_a_bound_that_would_be_printed_as_0_has_two_decimals():
    assert between(-0.2, 1.14) == "95 %: −0.2 to 1.1"
    assert between(0.03, 1.14) == "95 %: 0.03 to 1.14"
    assert between(0.0, 0.0) == "95 %: 0.0 to 0.0"


def test_bounds_that_are_no_numbers_are_no_interval():
    assert between(float("nan"), float("nan")) == "no interval"
    assert between(float("nan"), 1.0, 2) == "no interval"


@pytest.mark.parametrize("word", ["الطقس", "שלום (2)", "a ب"])
def test_words_from_right_to_left_leave_quotes_and_numbers_where_they_are(word):
    assert quoted(word) == f"“\u2068{word}\u2069”"
    assert isolated(word) == f"\u2068{word}\u2069"


@pytest.mark.parametrize("word", ["rain", "[CLS]", "雨", "", "12.5 %", "naïve"])
def test_other_words_stay_as_they_are(word):
    assert quoted(word) == f"“{word}”"
    assert isolated(word) == word


def test_a_difference_has_as_many_digits_as_its_bounds():
    """One that is shown is not told as 0.0."""
    small = Difference(0.04, 0.02, 0.06)
    assert small.words() == "B is better by 0.04 (Spearman × 100, 95 %: 0.02 to 0.06)."
    assert Difference(-0.04, -0.06, -0.02).ahead == ("A", "0.04", "95 %: 0.02 to 0.06")
    assert "B − A is 0.01 " in Difference(0.01, -0.03, 0.05).words().replace("+", "")
    assert Difference(2.0, 1.0, 3.0).amount == "2.0"
