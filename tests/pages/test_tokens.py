"""Tokens: maps, what is found and held in them, components against frequency, sentences under A and B."""

import json
import re

import numpy as np
import pytest

from components import chosen_points
from components.cached import shared_engine
from components.deck.store import DeckStore
from components.tokens import controls as token_controls
from components.tokens import page as tokens_page
from components.tokens import token_map as tokens
from components.tokens.controls import DRAWN
from components.tokens.reading import GROUP
from core.analysis.neighbours import of_texts
from core.analysis.token_maps import projection
from core.recipe import Recipe
from tests.core.helpers import tiny
from tests.core.helpers.texts import many
from tests.pages.conftest import TUNED
from tests.pages.reading import captions, charts, errors, figures, headings, pairs_of, plain, table_of, told

RECIPES = TUNED


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """``folders("bert")``: the folder of a tiny model."""
    root = tmp_path_factory.mktemp("models")

    def folder(family: str) -> str:
        made = root / family
        return str(made if made.exists() else tiny.build(family, made))

    return folder


@pytest.fixture
def small(folders) -> str:
    """Recipe A on a tiny model."""
    return f"source={folders('bert')};layers=last"


@pytest.fixture
def dogs(corpora) -> str:
    """A corpus of a dozen pairs, by its name."""
    corpora(dogs=pairs_of(many(24)))
    return "dogs"


def press(at, label: str):
    return next(button for button in at.button if button.label == label).click().run()


def drawn(at, number: int = 0) -> dict:
    return json.loads(figures(at)[number])


def texts(figure: dict) -> set[str]:
    return {text for trace in figure["data"] for text in trace.get("hovertext", trace.get("text", []))}


# -- the map of tokens


def test_a_map_over_layers_is_pinned_with_a_frame_for_each(visit, small, dogs, passes):
    at = visit("tokens", a=small, b="none", corpus=dogs, rows="corpus contexts", layer="2")
    at.button(key="tokens.map.pin").click().run()
    assert "Pinned as slide 1." in captions(at)
    deck = DeckStore(passes / "decks").get(at.query_params["deck"])
    (figure,) = deck.figures_of(deck.slides[0])
    frames = figure.plotly["frames"]
    assert [frame["name"] for frame in frames] == ["static", "0", "1", "2", "3"]
    assert figure.plotly["layout"]["meta"] == {"frame": "2"}
    still = figure.plotly["data"][0]
    assert [frame["data"][0]["x"] == still["x"] for frame in frames] == [False, False, False, True, False]
    assert "layer 1" in frames[2]["layout"]["annotations"][0]["text"]


def test_one_arrives_with_a_map_of_a_sample_that_is_named(visit):
    at = visit("tokens")
    assert errors(at) == []
    assert not at.warning
    assert len(figures(at)) == 1
    (heading,) = headings(at)
    assert re.fullmatch(r"R² of frequency in English with the place on the map: \d+ %", heading)
    said = captions(at)
    assert "4,000 of 30,522 tokens, drawn at random with a fixed seed" in said
    assert "source=bundled · all-MiniLM-L6-v2 (sha256:" in said
    assert "static rows" in said
    assert {trace["type"] for trace in drawn(at)["data"]} == {"scattergl"}
    assert "Draw around points" in told(at)
    assert len(charts(at)[0].alt) > 20
    assert charts(at)[0].ways == ["points", "box", "lasso"]


def test_the_whole_vocabulary_in_one_control_is_small_enough_to_send(visit):
    at = visit("tokens")
    at.selectbox(key="drawn").set_value("all").run()
    assert errors(at) == []
    assert "all 30,522 tokens" in captions(at)
    assert len(figures(at)[0]) < 6_000_000
    assert len(texts(drawn(at))) > 30_000


def test_another_colour_keeps_the_map_and_says_what_it_tells(visit, small):
    at = visit("tokens", a=small, b="none")
    before = texts(drawn(at))
    at.selectbox(key="colour").set_value("sub-word").run()
    assert errors(at) == []
    assert "of being a sub-word" in headings(at)[0]
    assert texts(drawn(at)) == before
    assert {t["name"] for t in drawn(at)["data"]} == {"special", "no sub-word", "sub-word"}


def test_a_colour_that_all_share_is_said_in_words(visit, small):
    at = visit("tokens", a=small, b="none", colour="upper case")
    assert errors(at) == []
    assert headings(at) == ["None of the tokens drawn: upper case"]
    assert "nan" not in figures(at)[0].lower()


@pytest.mark.parametrize("colour", [name for name in token_controls.COLOURS if " in the " in name])
def test_every_colour_of_a_corpus_names_it(visit, small, dogs, colour):
    at = visit("tokens", a=small, b="none", corpus=dogs, colour=colour)
    assert errors(at) == []
    assert ("Colour: dogs" if colour.endswith("corpus") else "Colour: reference demo") in captions(at)


def test_layers_over_the_corpus_share_one_map_with_a_slider(visit, small, dogs):
    at = visit("tokens", a=small, b="none", corpus=dogs, rows="corpus contexts")
    assert errors(at) == []
    slider = at.select_slider(key="layer")
    assert list(slider.options) == ["static", "0", "1", "2", "3"]
    assert slider.value == "3"
    last, ranges = drawn(at), [drawn(at)["layout"][axis]["range"] for axis in ("xaxis", "yaxis")]
    slider.set_value("0").run()
    assert errors(at) == []
    assert drawn(at)["data"] != last["data"]
    assert [drawn(at)["layout"][axis]["range"] for axis in ("xaxis", "yaxis")] == ranges
    assert "one for layers static to 3 together" in captions(at)
    assert "averaged over dogs (fingerprint" in captions(at)


def test_static_rows_of_another_width_have_a_map_of_their_own(visit, folders, dogs):
    electra = f"source={folders('electra')}"
    at = visit("tokens", a=electra, b="none", corpus=dogs, rows="corpus contexts")
    assert errors(at) == []
    assert list(at.select_slider(key="layer").options) == ["0", "1", "2", "3"]
    assert "of another width" in captions(at)
    assert errors(visit("tokens", a=electra, b="none", corpus=dogs)) == []


def test_averages_over_the_reference_are_what_source_averaged_has(visit, folders):
    at = visit("tokens", a=f"source=averaged(model={folders('bert')})", b="none")
    assert errors(at) == []
    assert list(at.selectbox(key="rows").options) == ["reference contexts"]
    assert "averaged over demo (fingerprint" in captions(at)


def test_two_models_stand_beside_each_other_and_no_more(visit, folders, small):
    other = f"source={folders('roberta')}"
    at = visit("tokens", a=small, b=other)
    assert errors(at) == []
    titles = [note["text"] for note in drawn(at)["layout"]["annotations"]]
    assert titles == ["<b>bert · static rows</b>", "<b>roberta · static rows</b>"]
    assert "bert" in headings(at)[0]
    assert "roberta" in headings(at)[0]
    third = visit("tokens", a=small, b=other, beside="bundled")
    assert errors(third) == []
    assert "left out: all-MiniLM-L6-v2" in captions(third)


# -- searching and holding


def test_a_token_that_is_searched_for_is_marked_and_its_nearest_listed(visit):
    at = visit("tokens", find="guitar")
    assert errors(at) == []
    assert "Nearest to “guitar”" in headings(at)
    assert at.dataframe[0].value["token"][0] == "guitars"
    assert at.dataframe[0].value["cosine"].is_monotonic_decreasing
    rings = drawn(at)["data"][-1]
    assert rings["text"][-1] == "guitar"
    assert len(rings["text"]) == 11, "drawn or not, PCA has a place for each"
    assert any("guitar" in note["text"] for note in drawn(at)["layout"]["annotations"])


@pytest.mark.parametrize("find", ["photosynthezis", "<b>bold</b>", "**x**", "$1$", "  "])
def test_a_token_that_is_not_there_is_told(visit, small, find):
    at = visit("tokens", a=small, b="none")
    at.text_input(key="find").set_value(find).run()
    assert errors(at) == []
    if find.strip():
        assert f"bert has no token “{find}”" in told(at)
    else:
        assert "has no token" not in told(at)
    assert figures(at)


def test_markup_in_tokens_is_shown_as_it_is(visit, folders):
    at = visit("tokens", a=f"source={folders('roberta')}", b="none", find="<s>")
    assert errors(at) == []
    assert "&lt;s&gt;" in texts(drawn(at))
    assert "<s>" not in texts(drawn(at))
    assert "Nearest to “<s>”" in headings(at)


def test_the_group_in_the_lasso_is_listed_and_cleared(visit, small):
    at = visit("tokens", a=small, b="none", colour="frequency in English")
    at.session_state[GROUP] = _group(_space_key(small), [7, 8, 9])
    at.run()
    assert errors(at) == []
    assert "In the group: 3 tokens" in headings(at)
    assert len(at.dataframe[0].value) == 3
    assert re.search(r"sub-words: \d+ % of the group, \d+ % of all that are drawn", captions(at))
    assert json.loads(at.dataframe[0].proto.columns)["Zipf"]["type_config"]["format"] == "%.2f"
    press(at, "Clear the group")
    assert "In the group: 3 tokens" not in headings(at)
    assert "Draw around points" in told(at)


def _group(space: str, places: list[int]) -> str:
    return chosen_points.written(((space, "pca", DRAWN[0]),), [places])


def _space_key(recipe: str) -> str:
    from core.pipeline.engine import Engine
    from core.recipe import Recipe
    from core.settings import Settings

    return tokens.static_space(Engine(Settings.from_environment()), Recipe.parse(recipe)).key


@pytest.mark.parametrize(("control", "other"), [("map", "t-SNE"), ("drawn", "1,000 most frequent")])
def test_the_group_is_dropped_when_the_map_changes(visit, small, monkeypatch, control, other):
    monkeypatch.setattr(projection, "seconds", lambda *_: 100.0)  # t-SNE is asked for, not drawn
    at = visit("tokens", a=small, b="none")
    at.session_state[GROUP] = _group(_space_key(small), [7, 8, 9])
    at.selectbox(key="colour").set_value("sub-word").run()
    assert "In the group: 3 tokens" in headings(at), "the same points in another colour"
    before = at.selectbox(key=control).value
    for choice in (other, before):
        at.selectbox(key=control).set_value(choice).run()
        assert errors(at) == []
        assert "In the group: 3 tokens" not in headings(at)


def test_the_group_is_in_the_link_and_junk_of_it_is_told(visit, small):
    group = _group(_space_key(small), [7, 8, 9])
    at = visit("tokens", a=small, b="none", **{GROUP: group})
    assert "In the group: 3 tokens" in headings(at)
    at = visit("tokens", a=small, b="none", **{GROUP: f"{group[:-4]}banana"})
    assert "which is no choice of points" in told(at)
    assert "Draw around points" in told(at)


def test_what_is_held_of_another_model_is_not_shown(visit, small):
    at = visit("tokens", a=small, b="none")
    at.session_state[GROUP] = _group("another", [1, 2])
    at.run()
    assert errors(at) == []
    assert "Draw around points" in told(at)


# -- long work


def test_umap_is_asked_for_beforehand_and_drawn_after_a_click(visit, small, monkeypatch):
    monkeypatch.setattr(projection, "_in_a_process", lambda method, rows, progress: rows[:, 1::-1].copy())
    at = visit("tokens", a=small, b="none", map="UMAP")
    assert errors(at) == []
    assert "The map (UMAP, 4,000 at random, static rows)" in told(at)
    assert "takes 10 to 50 seconds, once" in told(at)
    assert not figures(at)
    press(at, "Start")
    assert errors(at) == []
    assert len(figures(at)) == 1
    assert "UMAP of the first 50 components, seed 0" in captions(at)
    again = visit("tokens", a=small, b="none", map="UMAP")
    assert len(figures(again)) == 1, "kept"
    assert "component 1" not in figures(again)[0]


def test_a_corpus_that_must_be_read_first_is_asked_for_once_for_both(visit, small, dogs, monkeypatch):
    from core.pipeline.engine import Engine

    monkeypatch.setattr(Engine, "pending", lambda *_: {"pass": 120.0})
    at = visit("tokens", a=small, b="none", corpus=dogs, rows="corpus contexts")
    assert "takes 60 seconds to 4 minutes, once" in told(at)
    press(at, "Start")
    assert errors(at) == []
    assert len(figures(at)) == 1


def test_few_tokens_have_no_umap_and_say_so(visit, small, corpora, monkeypatch):
    monkeypatch.setattr(projection, "seconds", lambda *_: 0.0)
    monkeypatch.setattr(projection, "MIN_POINTS", 1000)
    at = visit("tokens", a=small, b="none", map="t-SNE")
    assert any("t-SNE needs 1000 points or more" in error for error in errors(at))


# -- sources


def test_a_random_table_has_rows(visit):
    at = visit("tokens", a="source=random(dim=16)", b="none")
    assert errors(at) == []
    assert list(at.selectbox(key="rows").options) == ["static rows"]
    assert len(figures(at)) == 1


def test_doc2vec_has_no_tokens(visit, dogs):
    at = visit("tokens", a="source=doc2vec(dim=4,epochs=1)", b="none", corpus=dogs)
    assert any("none of tokens" in error for error in errors(at))
    assert not figures(at)


@pytest.mark.parametrize(
    ("query", "what"), [({"a": "pool=mena"}, "Recipe A"), ({"a": "source=no/model"}, "")]
)
@pytest.mark.parametrize("part", tokens_page.PARTS)
def test_recipe_a_that_cannot_be_read_is_told(visit, query, what, part):
    at = visit("tokens", part=part, **query)
    assert errors(at)
    assert what in told(at)


@pytest.mark.parametrize("name", ["part", "rows", "map", "drawn", "colour", "layer", "frequency", "by"])
def test_nonsense_in_a_link_is_ignored(visit, small, name):
    at = visit("tokens", a=small, b="none", **{name: "<script>"})
    assert errors(at) == []
    assert len(figures(at)) == 1


@pytest.mark.parametrize(
    ("choices", "unused"),
    [
        ({}, True),
        ({"rows": "reference contexts"}, True),
        ({"rows": "corpus contexts"}, False),
        ({"colour": "idf in the corpus"}, False),
        ({"frequency": "frequency in the corpus"}, True),
        ({"part": "frequency in components"}, True),
        ({"part": "frequency in components", "frequency": "frequency in the corpus"}, False),
        ({"part": "sentences"}, False),
    ],
)
def test_a_corpus_of_which_nothing_is_read_is_struck_and_has_no_note(visit, small, choices, unused):
    at = visit("tokens", a=small, b="none", **choices)
    assert errors(at) == []
    menu = next(one for one in at.get("popover") if "demo" in one.proto.popover.label)
    assert menu.proto.popover.label.startswith("~~demo test~~") is unused
    assert ("demo: a demonstration" in captions(at) + told(at)) is not unused


def test_a_corpus_that_cannot_be_read_stops_what_reads_it_alone(visit, small, corpora):
    corpora(broken="no\tcolumns\n")
    at = visit("tokens", a=small, b="none", corpus="broken")
    assert figures(at)
    assert "cannot be read" not in told(at)
    menu = next(one for one in at.get("popover") if "broken" in one.proto.popover.label)
    assert menu.proto.popover.label == "~~broken~~"
    at = visit("tokens", a=small, b="none", corpus="broken", rows="corpus contexts")
    assert "broken cannot be read" in told(at)
    assert not figures(at)


# -- frequency in components


def test_components_are_set_against_frequency(visit, small, dogs):
    at = visit("tokens", a="", b="none", part="frequency in components")
    assert errors(at) == []
    assert "omponent" in headings(at)[0]
    (matrix,) = drawn(at)["data"]
    assert len(matrix["customdata"]) == 4
    assert "22,955 tokens with a frequency, of 30,522" in captions(at)
    at.segmented_control(key="measure").set_value("Pearson").run()
    assert "|Pearson|" in headings(at)[0]


def test_components_of_layers_and_of_two_models(visit, small, folders, dogs):
    at = visit(
        "tokens",
        a=small,
        b=f"source={folders('roberta')}",
        corpus=dogs,
        part="frequency in components",
        rows="corpus contexts",
        frequency="frequency in the corpus",
    )
    assert errors(at) == []
    labels = drawn(at)["layout"]["yaxis"]["ticktext"]
    assert any(label.startswith("bert · layer 3: as they are") for label in labels)
    assert any(label.startswith("roberta · layer 3") for label in labels)
    assert "left out" in captions(at), "fewer tokens than a step needs"


def test_too_few_frequencies_are_told(visit, small, corpora):
    corpora(marks=table_of([("dog", "dog", 1), ("dog", "dog", 2)]))
    at = visit(
        "tokens",
        a=small,
        b="none",
        corpus="marks",
        part="frequency in components",
        rows="corpus contexts",
    )
    assert any("have a frequency here" in error for error in errors(at))
    assert not figures(at)


# -- sentences


def test_the_list_of_sentences_is_another_table_when_its_rank_was_changed_elsewhere(visit, small, dogs):
    at = visit("tokens", a=small, b=f"{small};weight=idf", corpus=dogs, part="sentences")
    first = at.dataframe[0].proto.id
    assert at.run().dataframe[0].proto.id == first
    at.number_input(key="rank").set_value(3).run()
    assert at.dataframe[0].proto.id != first


def test_sentences_stand_side_by_side_with_those_whose_neighbours_change(visit, small, dogs, passes):
    at = visit("tokens", a=small, b=f"{small};weight=idf", corpus=dogs, part="sentences")
    at.text_input(key="b").set_value(small.replace("layers=last", "layers=0")).run()
    assert errors(at) == []
    assert headings(at)[0].startswith("Of a sentence's 10 nearest, A and B share a mean Jaccard of 0.")
    assert "Procrustes" in captions(at)
    assert "A: " in captions(at)
    assert "24 different sentences" in captions(at)
    ranked, *near = [frame.value for frame in at.dataframe]
    assert ranked["shared"].is_monotonic_increasing
    assert len(near) == 2
    assert list(near[0].columns) == ["sentence", "cosine", "A alone"]
    assert near[0]["A alone"].sum() == near[1]["B alone"].sum()
    assert ranked["sentence"][0] not in set(near[0]["sentence"])
    shared = len(set(near[0]["sentence"]) & set(near[1]["sentence"]))
    assert ranked["shared"][0] == pytest.approx(shared / (20 - shared))

    at.button(key="sentences.map.pin").click().run()
    assert "Pinned as slide 1." in captions(at)
    deck = DeckStore(passes / "decks").get(at.query_params["deck"])
    (figure,) = deck.figures_of(deck.slides[0])
    assert [one["name"] for one in figure.plotly["frames"]] == ["as in A and B", "0", "1", "2", "3"]
    first = figure.plotly["frames"][0]["data"]
    drawn = [figure.plotly["data"][place] for place in figure.plotly["frames"][0]["traces"]]
    assert [(one["x"], one["y"]) for one in first] == [(one["x"], one["y"]) for one in drawn]
    at = visit("tokens", a=small, b="none", corpus=dogs, part="sentences", map="t-SNE")
    at.button(key="sentences.map.pin").click().run()
    why = "without its animation (t-SNE places the sentences of each layer anew; PCA moves)"
    assert why in captions(at)


def test_a_alone_is_shown_when_b_is_none(visit, small, dogs):
    at = visit("tokens", a=small, b="none", corpus=dogs, part="sentences")
    assert errors(at) == []
    assert len(figures(at)) == 1
    assert "Recipe B is none" in told(at)
    assert headings(at) == ["Sentences under A, by PCA", "Nearest to a text of yours"]


def test_recipe_b_that_cannot_run_leaves_a(visit, small, dogs):
    at = visit("tokens", a=small, b=f"{small};tokens=mask", corpus=dogs, part="sentences")
    assert len(errors(at)) == 1
    assert "Recipe B" in errors(at)[0]
    assert len(figures(at)) == 1


@pytest.mark.parametrize("by", ["gold", "label", "length"])
def test_what_a_corpus_does_not_have_is_said(visit, small, dogs, by):
    at = visit("tokens", a=small, b="none", corpus=dogs, part="sentences", by=by)
    assert errors(at) == []
    assert ("has no parts that could be labels" in captions(at)) == (by == "label")


def test_what_lies_nearest_to_a_text_of_ones_own_under_a_and_b(visit, small, dogs):
    text, engine = "the DOG number 3 runs.", shared_engine()
    recipes = {"A": small, "B": f"{small.replace('last', '0')};weight=idf"}
    at = visit("tokens", a=recipes["A"], b=recipes["B"], corpus=dogs, part="sentences", near=text)
    assert errors(at) == []
    corpus = engine.corpus(dogs)
    tables = dict(zip("AB", [frame.value for frame in at.dataframe][-2:], strict=True))
    for letter, recipe in recipes.items():
        found = of_texts(engine, Recipe.parse(recipe), corpus, [text])
        assert list(tables[letter]["sentence"]) == [corpus.sentences[place] for place in found.places[0]]
        np.testing.assert_allclose(tables[letter]["cosine"], found.cosines[0])
        other = set(tables["B" if letter == "A" else "A"]["sentence"])
        assert list(tables[letter][f"{letter} alone"]) == [
            each not in other for each in tables[letter]["sentence"]
        ]
    assert tables["A"]["A alone"].any()
    assert not at.text_input(key="near").proto.max_chars, "a longer text that is pasted would be left out"
    at.text_input(key="near").set_value("A dog. " * 300).run()
    assert "The text has 2,100 characters; the first 2,000 are looked at." in [
        one.value for one in at.warning
    ]
    at.text_input(key="near").set_value("  ").run()
    assert errors(at) == []
    assert "what each recipe puts beside it stands here" in captions(at)


def test_a_text_of_ones_own_has_neighbours_under_a_recipe_that_learns_from_corpus_and_reference(
    visit, small, dogs
):
    both = f"{small};weight=idf(fit=target);post=zscore(fit=reference)"
    at = visit("tokens", a=small, b=both, corpus=dogs, part="sentences", near="A dog.")
    assert errors(at) == []
    assert list(at.dataframe[-1].value.columns) == ["sentence", "cosine", "B alone"]


def test_a_corpus_of_two_sentences_has_a_map_and_no_change(visit, small, corpora):
    corpora(pair=table_of([("a dog", "the girl plays", 1)]))
    at = visit("tokens", a=small, b=small.replace("last", "0"), corpus="pair", part="sentences")
    assert errors(at) == []
    assert "three sentences or more; the corpus has 2" in told(at)
    assert len(figures(at)) == 1
    corpora(one=table_of([("a dog", "a dog", 1)]))
    at = visit("tokens", a=small, b="none", corpus="one", part="sentences")
    assert any("two points or more; got 1" in error for error in errors(at))


def test_sentences_that_are_all_the_same_vector_are_told(visit, small, dogs):
    at = visit("tokens", a=f"{small.replace('last', '0')};pool=cls", b=small, corpus=dogs, part="sentences")
    assert any("vectors are equal" in error for error in errors(at))
    assert len(figures(at)) == 1, "B alone"
    assert plain(headings(at)[0]) == "Sentences under B, by PCA"
