"""Signs and intervals in words."""

import pytest

from core.evaluation.wording import between, fixed, signed


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
