"""The finding over the heatmaps."""

import pandas as pd
import pytest

from components.compare.page import finding


def table(**columns) -> pd.DataFrame:
    """One pair, with what is said of it."""
    return pd.DataFrame(
        {"sentence 1": ["one"], "sentence 2": ["two"]} | {k: [v] for k, v in columns.items()}
    )


def test_a_alone_names_the_closest_pair():
    assert finding(table(), 2) == "Under A the closest of 1 pairs is “one” / “two”."


@pytest.mark.parametrize(("change", "verb"), [(7, "rises"), (-7, "falls")])
def test_the_pair_that_moves_most_is_named(change, verb):
    said = finding(table(**{"change": change, "rank A": 9, "rank B": 2}), 2)
    assert said == f"Under B “one” / “two” {verb} from rank 9 to 2 of 1."


def test_the_same_order_is_said():
    assert "in the same order" in finding(table(change=0), 2)


def test_a_long_sentence_is_clipped():
    rows = table(change=1, **{"rank A": 2, "rank B": 1})
    rows["sentence 1"] = ["x" * 500]
    assert len(finding(rows, 2)) < 120
