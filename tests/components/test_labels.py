"""Titles shortened to links end where a clause does."""

import pytest

from components.bar.rows import told_apart
from components.figures.labels import clauses, cut_distinct, distinct, plain, short, wrapped


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
        (
            "A: 9 outlier dimensions, 21 % of cosines; B: 2 of them",
            "A: 9 outlier dimensions, 21 % of cosines",
        ),
        (
            "Variance of scores on dev: weight explains 40 %, pool 20 %",
            "Variance of scores on dev: weight explains 40 %…",
        ),
        (
            "Spearman × 100 on dev, 51.2 to 52.5: no difference shown",
            "Spearman × 100 on dev, 51.2 to 52.5",
        ),
        (
            "B, last layer, idf, z-score has the best rank of 2 recipes: 1",
            "B, last layer, idf, z-score has the best rank…",
        ),
    ],
    ids=range(10),
)
def test_a_link_ends_with_a_clause(title, link):
    assert clauses([title], 48) == [link]


def test_titles_with_the_same_first_clause_are_told_apart():
    links = clauses(["The score by layer: layer 2 is best", "The score by layer: layer 5 is best"], 30)
    assert len(set(links)) == 2
    assert ["2" in links[0], "5" in links[1]] == [True, True]


def test_names_that_begin_alike_are_cut_before_the_step_at_which_they_part():
    same = "first+last, content tokens, idf, centring, ABTT d="
    assert cut_distinct([f"{same}3", f"{same}5, euclidean"], 44) == [
        "first+last,… ABTT d=3",
        "first+last,… ABTT d=5, euclidean",
    ]


def test_sentences_that_begin_alike_are_cut_before_the_word_at_which_they_part():
    same = "Her train to the north was cancelled because of the"
    assert cut_distinct([f"{same} storm", f"{same} strike"], 30) == [
        "Her train… storm",
        "Her train… strike",
    ]


@pytest.mark.parametrize(
    ("a", "b", "shown"),
    [
        ("last layer, mean", "last layer, idf", ("last layer, mean", "last layer, idf")),
        ("one name", "one name", ("one name", "one name")),
        ("x" * 60, "y" * 60, ("x" * 60, "y" * 60)),
        (f"{'all layers, ' * 4}idf", f"{'all layers, ' * 4}SIF", ("all layers,… idf", "all layers,… SIF")),
    ],
    ids=["short", "equal", "cut by the browser", "alike"],
)
def test_the_bar_tells_names_apart(a, b, shown):
    assert tuple(told_apart({"a": a, "b": b}).values()) == shown
    assert told_apart({"a": a}) == {"a": a}


@pytest.mark.parametrize(
    "show", [plain, lambda text: short(text, 40), wrapped, lambda t: distinct([t], 40)[0]]
)
def test_a_template_of_plotly_in_a_text_is_shown_as_it_is_written(show):
    assert show("is %{y} <b>") == "is &#37;{y} &lt;b&gt;", "the entity is drawn as a percent sign"
    assert show("100 % of {x}") == "100 % of {x}"
