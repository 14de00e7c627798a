"""What a page shows of the options of the open editor is computed while nothing else is done."""

import pytest

from components import job
from components.bar import foreseen
from components.bar.alternatives import one_click_away
from components.bar.control import Control
from components.cached import shared_engine, shared_queue
from core.analysis import mixing
from core.analysis.geometry import of_recipe
from core.analysis.layers import layer_scores
from core.evaluation.scoring import similarities_of
from core.recipe import STAGES, Recipe
from core.work import Work
from tests.core.helpers.texts import many
from tests.pages.conftest import SECONDS
from tests.pages.reading import errors, table_of


@pytest.fixture
def asked(monkeypatch) -> list[Work[object]]:
    """The idle work that pages ask for, which is not done."""
    works: list[Work[object]] = []
    monkeypatch.setattr(job, "idle", works.append)
    return works


def is_measured(engine, recipe, corpus) -> bool:
    return of_recipe.is_measured(engine, recipe, corpus) and of_recipe.has_layers(engine, recipe, corpus)


def is_embedded(engine, recipe, corpus) -> bool:
    before = engine.bytes_in_memory()["vectors"]
    similarities_of(engine, recipe, corpus)
    return engine.bytes_in_memory()["vectors"] == before


@pytest.mark.parametrize(
    ("page", "edit", "options", "is_stored"),
    [
        ("layers", "a.pool", ["pool=max", "pool=cls"], layer_scores.is_kept),
        ("layers", "b.weight", ["weight=idf", "weight=sif"], layer_scores.is_kept),
        ("geometry", "b.post", ["post=centre+zscore", "post=none"], is_measured),
        ("mixing", "a.similarity", ["similarity=dot"], mixing.is_kept),
        ("scores", "b.post", ["post=centre+zscore", "post=centre+quantile"], is_embedded),
    ],
)
def test_options_that_are_one_click_away_are_stored_before_the_click(
    visit, small, corpora, page, edit, options, is_stored
):
    texts = many(40)
    corpora(dogs=table_of([(texts[2 * i], texts[2 * i + 1], i % 5) for i in range(20)]))
    text = f"{small};post=centre;reference=dogs"
    at = visit(page, edit=edit, corpus="dogs", **({"a": text, "b": "none"} | {edit[0]: text}))
    assert errors(at) == []
    for going in shared_queue().active():
        assert going.wait(SECONDS), f"{going.what} does not end"
    engine = shared_engine()
    corpus = engine.corpus("dogs")
    for option in options:
        stage, _, value = option.partition("=")
        assert is_stored(engine, Recipe.parse(text).replace(**{stage: value}), corpus), option


@pytest.mark.parametrize("edit", [{}, {"edit": "a.source"}, {"edit": "a"}, {"edit": "b.template"}])
def test_nothing_is_foreseen_where_no_option_changes_what_a_page_shows(visit, small, asked, edit):
    visit("layers", a=small, b=small, corpus="demo", **edit)
    assert [work for work in asked if work.what.startswith("Options")] == []


def test_nothing_is_foreseen_on_a_large_corpus(visit, small, asked, monkeypatch):
    link = {"a": small, "b": "none", "corpus": "demo", "edit": "a.similarity"}
    visit("geometry", **link)
    assert {work.what for work in asked} == {"Options of similarity on geometry"}
    asked.clear()
    monkeypatch.setattr(foreseen, "MOST", 10)
    visit("geometry", **link)
    assert asked == []


@pytest.mark.parametrize(
    ("stage", "text", "expected"),
    [
        ("pool", "layers=last;pool=max", {"pool=mean": "layers=last"}),
        ("post", "post=centre+zscore(fit=reference)", {
            "post=centre": "post=centre",
            "normalize last": "post=centre+zscore(fit=reference)+normalize",
        }),
        ("layers", "layers=1+2", {
            "without 1": "layers=2",
            "with 3": "layers=1+2+3",
            "all": "layers=all",
        }),
        ("layers", "layers=wk", {"a single layer in place of a set": "layers=1"}),
    ],
)  # fmt: skip
def test_a_click_changes_adds_or_takes_away_an_option(visit, small, stage, text, expected):
    source = small.partition(";")[0]
    visit("deck", a=small, b="none")
    recipe = Recipe.parse(f"{source};{text}")
    found = set(one_click_away(Control("a", STAGES[stage], recipe), shared_engine()))
    assert recipe not in found
    for what, one in expected.items():
        assert Recipe.parse(f"{source};{one}") in found, what


@pytest.mark.parametrize(
    ("stage", "text"),
    [("post", "post=centre"), ("post", "post=centre(fit=reference)"), ("layers", "layers=1")],
)
def test_these_are_the_recipes_that_clicks_give(visit, small, stage, text):
    recipe, key = Recipe.parse(f"{small.partition(';')[0]};{text}"), f"a/{stage}/options"
    given = set()
    for place in range(4):
        at = visit("deck", a=str(recipe), b="none", edit=f"a.{stage}")
        pills = at.pills(key=key)
        (pills.unselect if place in pills.indices else pills.select)(pills.options[place]).run()
        given.add(at.text_input(key="a").value)
    found = one_click_away(Control("a", STAGES[stage], recipe), shared_engine())
    assert len(given) == 4
    assert given <= {str(recipe), *map(str, found)}, "the last layer is not taken away"
