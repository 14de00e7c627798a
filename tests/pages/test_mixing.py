"""Mixing: the map of shares and layers, its best cell, and how it fares elsewhere."""

import re

import pytest

from core.recipe import Recipe
from tests.core.helpers.texts import many
from tests.pages.conftest import TUNED
from tests.pages.reading import captions, errors, figures, headings, plain, table_of, told

RECIPES = TUNED


@pytest.fixture
def dogs(corpora) -> None:
    """Corpora of a dozen pairs: dogs without splits, cats with dev and test."""
    texts = many(24)
    rows = [(texts[2 * i], texts[2 * i + 1], i % 5) for i in range(12)]
    split = ["split\tsentence1\tsentence2\tscore"]
    split += [f"{'dev' if i % 2 else 'test'}\t{a}\t{b}\t{g}" for i, (a, b, g) in enumerate(rows)]
    corpora(
        dogs=table_of(rows), cats="\n".join(split) + "\n", alike=table_of([(a, b, 3) for a, b, _ in rows])
    )


def test_one_arrives_with_a_map_and_how_its_best_fares(visit):
    at = visit("mixing")
    assert errors(at) == []
    assert len(figures(at)) == 2
    found = headings(at)
    assert re.search(
        r"Spearman × 100( =| \([^)]*\):) [\d.]+ at w = [−\d.]+(, the (low|high)est tried)?, "
        r"(layers? \S+|all layers), .*; the best without Avg\. [\d.]+ \((layer|all)",
        found[0],
    )
    assert re.search(r"95 %: −?[\d.]+ to −?[\d.]+", found[0]), "beside the interval of what it gains"
    where = r"Chosen on demo dev, w = [−\d.]+ on (layer \d+|layers \S+\+\S+|all layers)"
    chosen = rf"{where} reaches Spearman × 100 = [\d.]+ ± [\d.]+ on demo test"
    assert any(re.match(chosen, line) for line in found)
    assert "Avg. over demo" in captions(at)
    assert f"w = {at.text_input(key='w').value.replace('-', '−')}," in found[0]
    assert "−1" in at.select_slider(key="w.slider/0").options, "a minus, as everywhere"


def test_the_chosen_cell_becomes_a_recipe(visit, small, dogs):
    at = visit("mixing", a=small, corpus="dogs", w="0.7", mixed="first+last")
    assert errors(at) == []
    assert any("w = **0.7** on **layers first+last**" in plain(box.value) for box in at.markdown)
    next(b for b in at.button if b.key == "mixing.take.b").click().run()
    b = Recipe.parse(at.session_state["b"])
    assert b.spelled()["mix"].startswith("averaged(w=0.7")
    assert b.spelled()["layers"] == "first+last"
    assert b.spelled()["source"] == Recipe.parse(small).spelled()["source"]


def test_the_best_cell_is_shown_until_another_is_chosen(visit, small, dogs):
    """Of another corpus or recipe the best cell is another; what was chosen stays."""
    at = visit("mixing", a=small, corpus="dogs")

    def best_and_shown() -> tuple[str, str]:
        best = re.search(r"w = [−\d.]+[^;]*?, (layers? [^\s,]+|all layers)", headings(at)[0])[0]
        shown = next(plain(m.value) for m in at.markdown if m.value.startswith("w = **"))
        return re.sub(r"(, the \w+ tried)?, ", " on ", best), re.sub(r":.*", "", shown.replace("*", ""))

    best = {}
    for recipe in (small, f"{small};pool=max", f"{small};weight=idf"):
        at.text_input(key="a").set_value(recipe).run()
        best[recipe], shown = best_and_shown()
        assert shown == best[recipe]
    assert len(set(best.values())) > 1
    assert "w" not in at.query_params, "nothing was chosen"
    at.select_slider(
        key=next(s.key for s in at.select_slider if str(s.key).startswith("w.slider"))
    ).set_value("0.3").run()
    at.text_input(key="a").set_value(small).run()
    assert at.session_state["w"] == "0.3"


def test_the_line_under_the_map_says_what_is_varied(visit, small, dogs):
    mixed = Recipe.parse(small).replace(layers="1", mix="averaged(w=0.75)", weight="idf")
    at = visit("mixing", a=str(mixed), corpus="dogs")
    assert errors(at) == []
    assert " · A: idf, layers and w varied, Avg. over demo\n" in captions(at)
    assert "A: layer 1" not in captions(at)


def test_a_corpus_without_splits_has_nothing_to_choose_on(visit, small, dogs):
    at = visit("mixing", a=small, corpus="dogs")
    assert errors(at) == []
    assert "dogs has no dev and test split" in captions(at)


def test_a_mean_over_more_corpora(visit, small, dogs):
    at = visit("mixing", a=small, corpus="dogs", over="cats")
    assert errors(at) == []
    assert "mean over dogs (12 pairs), cats test (6 pairs)" in captions(at)


def test_what_is_chosen_on_dev_is_said_to_be_of_the_bar_s_corpus_alone(visit, small, dogs):
    several = headings(visit("mixing", a=small, corpus="cats", over="dogs"))
    assert "Chosen on dev, shown on test: cats alone" in several
    assert any(line.startswith("Chosen on cats dev, w = ") for line in several)
    assert "Chosen on dev, shown on test" in headings(visit("mixing", a=small, corpus="cats"))


def test_a_corpus_that_cannot_be_scored_is_left_out_of_the_mean(visit, small, dogs):
    at = visit("mixing", a=small, corpus="dogs", over="alike")
    assert "Every gold score of alike is 3" in " ".join(errors(at))
    assert figures(at)
    assert "mean over" not in captions(at)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"a": "source=random"}, "take a model as source"),
        ({"a": "nonsense"}, "Recipe A cannot be read"),
        ({"corpus": "alike"}, "no correlation exists"),
    ],
)
def test_what_cannot_be_mixed_is_said(visit, small, dogs, query, said):
    at = visit("mixing", **({"a": small} | query))
    assert said in told(at)
    assert figures(at) == []


@pytest.mark.parametrize("query", [{"w": "7"}, {"w": "<b>"}, {"mixed": "99"}, {"over": "nowhere"}])
def test_nonsense_in_the_link_is_no_harm(visit, small, dogs, query):
    at = visit("mixing", a=small, corpus="dogs", **query)
    assert errors(at) == []
    assert len(figures(at)) == 2


def test_a_corpus_of_the_mean_that_is_in_the_bar_for_a_while_stays_in_the_mean(visit, small, dogs):
    at = visit("mixing", a=small, corpus="dogs", over="cats")
    for corpus in ("cats", "dogs"):
        at.text_input(key="corpus").set_value(corpus).run()
        assert errors(at) == []
    assert "mean over dogs (12 pairs), cats test (6 pairs)" in captions(at)


def test_the_reference_is_chosen_beside_a_share_that_the_page_does_not_use(visit):
    """Avg. is averaged over it: the map of another is another, and its caption says which."""
    at = visit("mixing", edit="a.mix", b="none")
    assert any(
        "the reference, which Avg. is averaged over, counts" in line for line in captions(at).split("\n")
    )
    before = captions(at)
    at.selectbox(key="a/reference/options").set_value("topics").run()
    assert "layers and w varied, Avg. over demo" in before
    assert "layers and w varied, Avg. over topics" in captions(at)
