"""Geometry: arrives with suggestions, pins, definitions, sliders, and what cannot be shown is said."""

import json
import re

import pytest

from components.deck.store import DeckStore
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.work import Queue, Work
from tests.core.helpers import tiny
from tests.core.helpers.texts import many
from tests.pages.conftest import TUNED
from tests.pages.reading import (
    captions,
    charts,
    errors,
    figures,
    headings,
    pairs_of,
    plain,
    press,
    table_of,
    told,
)

RECIPES = TUNED


ALONE = {"geometry.shown": "pinned"}
"""The choice of a page without its suggestions."""


@pytest.fixture
def dogs(corpora) -> str:
    """A corpus of thirty pairs, by its name."""
    corpora(dogs=pairs_of(many(60), lambda i: (7 * i) % 6))
    return "dogs"


def drawn(at) -> dict[str, dict]:
    """The figures by the first words of their y axes."""
    return {
        spec["layout"].get("yaxis", {}).get("title", {}).get("text", "").partition(" (")[0]: spec
        for spec in map(json.loads, figures(at))
    }


def arrows(at) -> int:
    """How many arrows the first figure has."""
    traces = drawn(at)["alignment"]["data"]
    return sum(len(one["x"]) // 3 for one in traces if one["marker"].get("angleref") == "previous")


def labels(at) -> str:
    """What is written beside the points of the first figure."""
    annotations = drawn(at)["alignment"]["layout"].get("annotations", [])
    return " | ".join(a["text"] for a in annotations if a["text"])


def test_one_arrives_with_suggestions_around_the_plain_average(visit):
    at = visit("geometry")
    assert errors(at) == []
    assert not at.warning
    assert len(figures(at)) == 5
    assert arrows(at) >= 5
    for name in ("first+last mean", "zscore", "whiten(k=128)", "idf", "quantile"):
        assert name in labels(at)
    assert "Suggested: first+last mean · centre · zscore" in captions(at)
    assert "first+last mean: first+last layers, all tokens, mean, cosine" in captions(at)
    assert "alignment over 315 positive pairs (gold > 4 on a scale of 0 to 5)" in captions(at)
    assert "uniformity over all 1,730 sentences" in captions(at)
    number = r"[+−]?0\.\d\d"
    said = rf"No correlation shown of IsoScore .*: Pearson {number} \(95 %: −{number} to {number}\), S"
    assert re.search(said, " ".join(headings(at)))
    (beside,) = (line for line in captions(at).split("Suggested: ")[2:])
    assert "whiten" not in beside.partition("first+last mean:")[0], "it is left out of the figure"
    assert re.search(r"A \d+ % between ratings 0–1 and 4–5; B \d+ % between", " ".join(headings(at)))
    assert "nan" not in (captions(at) + " ".join(headings(at))).lower().replace("nanny", "")
    assert all(len(chart.alt) > 15 for chart in charts(at))


def test_the_other_definition_has_its_own_positives(visit):
    at = visit("geometry", vectors="as they are")
    assert errors(at) == []
    assert "vectors as they are; alignment over 61 positive pairs (gold = 5" in captions(at)
    at.segmented_control(key="vectors").set_value("normalised").run()
    assert "315 positive pairs" in captions(at)


def test_what_the_first_figure_waits_for_begins_before_what_stands_beside_it(
    visit, small, dogs, passes, monkeypatch
):
    begun, submit = [], Queue.submit

    def noted(queue: Queue, work: Work, *given, **named):
        begun.append(work.what)
        return submit(queue, work, *given, **named)

    shown = {"pins": f"{small};post=centre"} | ALONE
    visit("geometry", corpus=dogs, a=small, b=f"{small};post=zscore", **shown)
    monkeypatch.setattr(Queue, "submit", noted)
    assert errors(visit("geometry", corpus=dogs, a=small, b=f"{small};post=centre+zscore", **shown)) == []
    figures_of_b = ["Measuring B", "Isotropy by layer under B", "Densities of cosines under B"]
    assert [what for what in begun if what in figures_of_b] == figures_of_b


def test_recipes_are_pinned_linked_kept_and_removed(visit, small, dogs, passes):
    at = visit("geometry", corpus=dogs, a=small, b=f"{small};post=zscore")
    press(at, "Pin A")
    press(at, "Pin B")
    assert errors(at) == []
    wanted = [str(Recipe.parse(small)), str(Recipe.parse(f"{small};post=zscore"))]
    assert at.multiselect(key="pins").value == wanted
    assert at.query_params["pins"] == wanted
    at.button_group(key="geometry.shown").set_value("pinned").run()
    assert arrows(at) == 1
    assert "layer, z-score (B)" in labels(at), "a pin has the name that it has in the bar"
    assert "Suggested" not in captions(at)
    assert all(b.disabled for b in at.button if b.label in ("Pin A", "Pin B"))
    at.switch_page("pages/scores.py").run()
    at.switch_page("pages/geometry.py").run()
    assert at.multiselect(key="pins").value == wanted, "pins survive a change of page"
    other = visit("geometry", corpus=dogs, a=small, b="none", pins=wanted)
    assert other.multiselect(key="pins").value == wanted
    other.multiselect(key="pins").set_value(wanted[:1]).run()
    assert errors(other) == []
    assert "pins" in other.query_params
    other.multiselect(key="pins").set_value([]).run()
    assert "Suggested" in captions(other)
    other.button(key="whitening.pin").click().run()
    deck = DeckStore(passes / "decks").get(other.query_params["deck"])
    figure = deck.figures_of(deck.slides[0])[0].plotly
    (take,) = (button.label for button in other.button if button.label.startswith("Take k = "))
    assert figure["layout"]["meta"] == {"frame": take.split()[3]}, "a step for each k, at the best one"
    assert {"1", "2", "4", "8", take.split()[3]} <= {frame["name"] for frame in figure["frames"]}


def test_a_recipe_can_be_written_as_a_pin_and_arrows_begin_elsewhere(visit, small, dogs):
    pins = [small, f"{small};post=zscore", f"{small};post=abtt"]
    at = visit("geometry", corpus=dogs, a=small, b="none", pins=pins, **ALONE)
    assert arrows(at) == 2
    box = next(box for box in at.selectbox if box.label == "Arrows from")
    box.set_value("no arrows").run()
    assert arrows(at) == 0
    assert errors(at) == []


def test_a_pin_on_another_model_has_no_arrow_and_is_not_counted(visit, small, dogs, tmp_path):
    pins = [
        small,
        f"{small};post=zscore",
        f"{small};post=abtt",
        f"source={tiny.build('roberta', tmp_path / 'roberta')}",
    ]
    at = visit("geometry", corpus=dogs, a=small, b="none", pins=pins, **ALONE)
    assert errors(at) == []
    assert sum(len(one["x"]) for one in drawn(at)["alignment"]["data"] if one["mode"] == "markers") == 4
    assert "of 2 pinned variants on its model" in " ".join(headings(at))
    assert arrows(at) == 2


def test_pins_stand_beside_suggestions_or_alone_and_it_is_said_which_is_which(visit, small, dogs):
    plain_mean = small.removesuffix("layers=last")
    pins = [f"{small};post=abtt", f"{plain_mean}post=zscore"]
    at = visit("geometry", corpus=dogs, a=small, b="none", pins=pins)
    assert errors(at) == []
    cloud = drawn(at)["alignment"]
    symbols = [symbol for trace in cloud["data"] for symbol in trace["marker"]["symbol"]]
    assert symbols.count("diamond") == 2, "the pin, and a suggestion that is pinned too"
    assert symbols.count("circle") > 5
    assert "◆ pinned     ● suggested" in labels(at)
    said = captions(at)
    assert f"Pinned: {Recipe.parse(pins[0]).label()} (last layer, ABTT) | " in said
    assert "Suggested: first+last mean · " in said
    assert "pinned variants" not in " ".join(headings(at)), "both are counted"
    assert next(box for box in at.selectbox if box.label == "Arrows from").value == "first+last mean"
    at.button_group(key="geometry.shown").set_value("pinned").run()
    assert "Suggested" not in captions(at)
    assert "◆" not in labels(at)
    at.button_group(key="geometry.shown").set_value("suggested").run()
    assert "Pinned:" not in captions(at)
    assert "Suggested" in captions(at)
    assert errors(at) == []


def test_a_recipe_has_the_name_of_the_bar_on_every_page(visit, small, dogs):
    pins = [f"{small};post=zscore", "layers=last;post=zscore"]
    at = visit("geometry", corpus=dogs, a=pins[0], b="none", pins=pins, **ALONE)
    assert errors(at) == []
    (name,) = (plain(one.label) for one in at.button if str(one.key) == "cell-a")
    name = name.removeprefix("**A** ")
    assert name.startswith("last layer, z-score · ")
    assert f"Pinned: {Recipe.parse(pins[0]).label()} ({name}) | " in captions(at)
    other = visit("scores", corpus=dogs, a=pins[0], b="none", pins=pins)
    assert f"A: {name}" in captions(other)
    assert any(plain(one.label) == f"**A** {name}" for one in other.button)
    alone = visit("scores", corpus=dogs, a=pins[0], b="none")
    assert re.search(r" · A: last layer, z-score( \||$)", captions(alone), re.MULTILINE)
    (said,) = (plain(one.label) for one in alone.button if str(one.key) == "cell-a")
    assert said == "**A** last layer, z-score", "nothing has another model"


def test_pins_that_cannot_be_read_are_said_and_ignored(visit, small, dogs):
    at = visit(
        "geometry", corpus=dogs, a=small, b="none", pins=["pool=mena", "<script>alert(1)</script>", small]
    )
    assert errors(at) == []
    assert "The pin 'pool=mena' cannot be read and is left out" in told(at)
    assert "alert(1)" in told(at)
    assert "Pinned: source=" in captions(at)
    assert not any("<script>" in figure for figure in figures(at))


def test_a_pin_that_fails_has_its_reason_and_the_others_are_drawn(visit, small, dogs):
    at = visit(
        "geometry",
        corpus=dogs,
        a=small,
        b="none",
        pins=[small, f"{small};layers=9".replace("layers=last;", "")],
    )
    assert errors(at) == []
    assert "has no layer 9" in plain(str(at.table[0].value.to_dict()))
    assert "alignment" in drawn(at)


def test_more_pins_than_a_link_can_hold_are_counted(visit, small, dogs):
    pins = [f"{small};post=abtt(d={d})" for d in range(1, 15)]
    at = visit("geometry", corpus=dogs, a=small, pins=pins)
    assert "The link holds 14 pins; the first 12 are shown" in told(at)
    assert len(at.multiselect(key="pins").value) == 12
    assert "The link holds 14 pins" in told(at.run()), "it stays when the page is drawn anew"
    at.multiselect(key="pins").set_value(at.multiselect(key="pins").value[:3]).run()
    assert "The link holds" not in told(at)


def test_sliders_whiten_anew(visit):
    at = visit("geometry", b="none")
    before = drawn(at)["Spearman × 100"], headings(at)
    at.slider(key="gamma").set_value(0.0).run()
    assert errors(at) == []
    assert headings(at) != before[1]
    assert "gamma=0" in captions(at)
    at.slider(key="beta").set_value(0.5).run()
    assert "beta=0.5,gamma=0" in captions(at)
    (button,) = (b for b in at.button if b.label.startswith("Take k = "))
    k = int(button.label.split()[3])
    button.click().run()
    assert at.text_input(key="b").value == f"layers=last;post=whiten(k={k},beta=0.5,gamma=0)"
    assert errors(at) == []


def test_sliders_are_in_the_link(visit):
    assert "beta=0.5,gamma=0.2" in captions(visit("geometry", beta="0.5", gamma="0.2", b="none"))


@pytest.mark.parametrize(
    ("tab", "words"),
    [
        ("By sample size", "an isotropic cloud of 1,730 points in 384 dimensions has 0.82, not 1"),
        ("Components", "Share of the variance that the first component holds: A "),
        ("Dimensions", "outlier dimension"),
    ],
)
def test_other_views_of_isotropy(visit, tab, words, monkeypatch):
    at = visit("geometry")
    assert not any(words in line for line in headings(at)), "hidden views are not computed"
    at.session_state["isotropy"] = tab
    at.run()
    assert errors(at) == []
    assert any(words in line for line in headings(at))


# -- what cannot be shown


def test_recipe_a_that_cannot_be_read(visit):
    at = visit("geometry", a="pool=mena", pins=["layers=last"])
    assert any("Did you mean 'mean'?" in error for error in errors(at))
    assert "Recipe A cannot be read: the reason stands under the bar" in told(at)
    assert at.multiselect(key="pins").value == ["layers=last"], "pins are not lost"


def test_recipe_b_that_cannot_run_is_said_once_and_a_is_drawn(visit):
    at = visit("geometry", b="layers=9")
    assert len(errors(at)) == 1
    assert "has no layer 9" in errors(at)[0]
    assert len(figures(at)) == 5


def test_recipe_a_that_cannot_run_is_said_once_and_b_is_drawn(visit):
    at = visit("geometry", a="weight=ditto(layer=40)")
    assert len(errors(at)) == 1
    assert "this model has 6" in errors(at)[0]
    assert len(figures(at)) == 4


def test_no_positive_pairs(visit, corpora, small):
    texts = many(60)
    corpora(low=table_of([(texts[2 * i], texts[2 * i + 1], i % 4) for i in range(30)]))
    at = visit("geometry", corpus="low", a=small, b="none")
    assert errors(at) == []
    assert "No pair of low is positive under this definition (gold > 4 on a scale of 0 to 5)" in told(at)
    assert len(figures(at)) >= 4


def test_constant_gold(visit, corpora, small):
    texts = many(60)
    corpora(flat=table_of([(texts[2 * i], texts[2 * i + 1], 5) for i in range(30)]))
    at = visit("geometry", corpus="flat", a=small, b="none")
    assert errors(at) == []
    assert "Every gold score of flat is 5" in told(at)
    assert "IsoScore is not set against scores" in told(at)
    assert "alignment" in drawn(at)


def test_a_corpus_of_texts_without_gold(visit, tmp_path, monkeypatch, small):
    folder = tmp_path / "data" / "corpus"
    folder.mkdir(parents=True)
    (folder / "texts.txt").write_text("\n".join(many(40)) + "\n", "utf-8")
    monkeypatch.setenv("STRATA_DATA", str(folder.parent))
    at = visit("geometry", corpus="texts", a=small, b="none")
    assert errors(at) == []
    assert "texts has no scored pairs, so no pair is positive" in told(at)
    assert "no ratings to tell apart" in told(at)
    assert len(figures(at)) == 1
    assert "nan" not in captions(at)


def test_one_pair_of_one_sentence(visit, corpora, small):
    corpora(one=table_of([("A girl sat.", "A girl sat.", 5)]))
    at = visit("geometry", corpus="one", a=small, b="none")
    assert errors(at) == []
    assert "One sentence has no other to be compared with" in captions(at)
    assert "nan" not in captions(at)


def test_the_same_vector_for_every_sentence(visit, small, dogs):
    at = visit("geometry", corpus=dogs, a=small.replace("layers=last", "layers=0;pool=cls"), b="none")
    assert errors(at) == []
    assert "All sentences have the same vector" in captions(at)
    assert "the cosines of its" in captions(at)
    assert "nan" not in captions(at) + " ".join(headings(at))


def test_layers_that_whitening_leaves_no_dimension_stand_beside_the_others(visit, small, dogs):
    whitened = small.replace("layers=last", "layers=last;pool=cls;post=whiten(k=2)")
    at = visit("geometry", corpus=dogs, a=small, b=whitened)
    assert errors(at) == []
    assert "B, layer static, 0: 60 sentences have the vector 0" in captions(at)


def test_too_few_sentences_to_whiten(visit, corpora, small):
    texts = many(20)
    corpora(few=table_of([(texts[2 * i], texts[2 * i + 1], i % 6) for i in range(10)]))
    at = visit("geometry", corpus="few", a=small, b="none")
    assert errors(at) == []
    assert "it needs 30" in told(at)
    assert "could not be measured here" in " ".join(box.label for box in at.expander)
    assert figures(at)


def test_a_similarity_that_is_no_sum_has_no_curve(visit, small, dogs):
    at = visit("geometry", corpus=dogs, a=f"{small};similarity=spearman", b="none")
    assert errors(at) == []
    assert "similarity=spearman ranks all dimensions anew" in told(at)
    assert len(figures(at)) >= 3


def test_long_work_is_said_beforehand(visit, small, dogs, monkeypatch):
    monkeypatch.setattr(Engine, "pending", lambda *_: {"pass": 120.0})
    new = f"{small};template=T0"  # nothing of it is stored, nor of its variants
    at = visit("geometry", a=new, b="none", corpus=dogs)
    assert "takes 60 seconds to 4 minutes, once" in told(at)
    assert figures(at) == []
    press(at, "Start")
    assert len(figures(at)) == 5


def test_layers_that_are_trained_for_one_by_one_are_asked_about(visit, dogs, small):
    def by_layer(at) -> dict:
        return next(
            json.loads(f) for f, chart in zip(figures(at), charts(at), strict=True) if chart.key == "layers"
        )

    at = visit("geometry", corpus=dogs, a=small, b=f"{small};pool=gem")
    assert errors(at) == []
    assert "Every layer is measured by itself: B with 5 trainings of gem." in captions(at)
    before = by_layer(at)
    press(at, "Measure")
    assert errors(at) == []
    assert len(by_layer(at)["data"]) == len(before["data"]) + 2, "average cosine and IsoScore of B"
    assert "trainings of gem" not in captions(at)
    again = visit("geometry", corpus=dogs, a=small, b=f"{small};pool=gem")
    assert "trainings of gem" not in captions(again), "it is stored"


def test_a_corpus_of_labelled_texts_has_no_pairs_and_what_needs_none(visit, small):
    at = visit("geometry", a=small, b="none", corpus="topics")
    assert errors(at) == []
    assert not at.exception
    assert "topics has no scored pairs, so no pair is positive" in told(at)
    assert figures(at), "isotropy needs no pairs"
