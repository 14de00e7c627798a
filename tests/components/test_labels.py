"""Titles shortened to links end where a clause does."""

import pytest

from components.figures.labels import clauses


@pytest.mark.parametrize(
    ("title", "link"),
    [
        ("Layer 6 is best: 82.0", "Layer 6 is best: 82.0"),
        (
            "Cosine: the closest pair is 0.99: “A nurse, who thanked (her)” / “The doctor”; B: 0.87",
            "Cosine: the closest pair is 0.99",
        ),
        ("Whitening loses 0.9 Spearman × 100 (81.1 at k = 128)", "Whitening loses 0.9 Spearman × 100"),
        (
            "Lowest of all: A on negation, 23.2 ± 3; B on roles, 33.3",
            "Lowest of all: A on negation, 23.2 ± 3",
        ),
        (
            "One clause that goes on and on without any mark to end at",
            "One clause that goes on and on without any…",
        ),
        (
            "“He said; she said; all of them said it again” is the sentence",
            "“He said; she said; all of them said it again”…",
        ),
    ],
    ids=range(6),
)
def test_a_link_ends_with_a_clause(title, link):
    assert clauses([title], 48) == [link]


def test_titles_with_the_same_first_clause_are_told_apart():
    links = clauses(["The score by layer: layer 2 is best", "The score by layer: layer 5 is best"], 30)
    assert len(set(links)) == 2
    assert ["2" in links[0], "5" in links[1]] == [True, True]
