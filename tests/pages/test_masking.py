"""Masking: one sentence, several models, and a corpus."""

import base64
import json
import threading

import numpy as np
import pytest

from components import figure_frame
from components.selection import SENTENCE
from core.analysis.masking import tfidf_correlation
from core.encoders.encoder import Encoder
from core.progress import Step
from core.sources.passes import Passes
from tests.core.helpers import tiny
from tests.core.helpers.texts import many
from tests.pages.conftest import TUNED
from tests.pages.reading import (
    captions,
    charts,
    errors,
    figures,
    headings,
    htmls,
    pairs_of,
    plain,
    table_of,
    told,
)

RECIPES = TUNED


LINKED = {"layer": "3", "distance": "cosine", "special": "true", "masked": "tokens"}
"""Choices as a link has them."""

STORM = "Masking “storm” moves words most: Euclidean distance 2.48 on average"
MOST = "Masked word that moves the sentence's words most, on average (Euclidean distance"


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """``small("bert")``: the folder of a tiny model."""
    root = tmp_path_factory.mktemp("models")
    return lambda family: str(tiny.build(family, root / family))


@pytest.fixture(scope="module")
def bert(small) -> str:
    return small("bert")


@pytest.fixture
def dogs(corpora) -> str:
    """A corpus of two dozen sentences, by its name."""
    corpora(dogs=pairs_of(many(24)))
    return "dogs"


def press(at, label: str):
    """Click the button whose label begins so."""
    return next(button for button in at.button if button.label.startswith(label)).click().run()


def labels(at) -> list[str]:
    return [button.label for button in at.button]


def drawn(at) -> dict:
    """The impact matrices."""
    return json.loads(figures(at)[0])


def panels(at) -> list[str]:
    return [note["text"] for note in drawn(at)["layout"]["annotations"]]


def read(values) -> np.ndarray:
    """An array as it is sent to the browser."""
    found = np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"])
    return found.reshape([int(size) for size in values["shape"].split(",")])


def test_the_token_that_is_looked_at_is_framed(visit, bert):
    at = visit("masking", a=f"source={bert}", sentence="the dog ran and the dog sat", token="dog (2)")
    assert errors(at) == []
    assert at.selectbox(key="token").value == "dog (2)"
    assert "Framed: masking “dog (2)” moves" in captions(at)
    boxes = [shape for shape in drawn(at)["layout"]["shapes"] if shape["type"] == "rect"]
    assert {(box["x0"], box["x1"]) for box in boxes} == {(-0.5, 6.5), (4.5, 5.5)}
    at.selectbox(key="token").set_value("[CLS]").run()
    assert errors(at) == []
    assert "Framed: masking" not in captions(at)


def test_one_arrives_with_a_matrix_and_words_against_idf(visit):
    at = visit("masking")
    assert errors(at) == []
    assert not at.warning
    assert len(figures(at)) == 2
    assert headings(at)[0] == STORM
    assert headings(at)[1].startswith(
        "Impact of words against their rarity (idf), this sentence alone, Spearman × 100: "
    )
    (trace,) = drawn(at)["data"]
    assert trace["type"] == "heatmap"
    assert len(drawn(at)["layout"]["xaxis"]["ticktext"]) == 19, "every word has its label"
    said = captions(at)
    assert "19 words, 21 tokens with special ones · 191 model inputs" in said
    assert "words masked, Euclidean distance, pieces merged by first" in said
    assert "learnt from demo, 1,730 texts" in said
    assert "% of the impact" in htmls(at)
    assert "% of the idf" in htmls(at)
    assert all(len(chart.alt) > 20 for chart in charts(at))
    assert not any(label.startswith("Correlate") for label in labels(at)), "the corpus waits, folded"


def test_the_page_says_what_it_does_not_show(visit):
    text = next(box.value for box in visit("masking").markdown if "Perturbed masking" in box.value)
    assert "neither attention nor an explanation" in text


def test_choices_are_live_and_in_the_link(visit):
    at = visit("masking")
    before = headings(at)[0]
    at.button_group(key="layer").set_value("3").run()
    assert "layer 3 of 6" in captions(at)
    at.selectbox(key="distance").set_value("cosine").run()
    assert "1 − cosine" in captions(at)
    assert headings(at)[0] != before
    at.toggle(key="special").set_value(True).run()
    rows = drawn(at)["layout"]["yaxis"]["ticktext"]
    assert (rows[0], rows[-1]) == ("[CLS]", "[SEP]")
    assert "[CLS]" not in drawn(at)["layout"]["xaxis"]["ticktext"]
    at.button_group(key="masked").set_value("tokens").run()
    assert errors(at) == []
    assert "tokens masked, 1 − cosine;" in captions(at)
    assert at.selectbox(key="pieces").disabled
    other = visit("masking", **LINKED)
    assert headings(other) == headings(at)


def test_the_same_again_asks_no_model(visit, monkeypatch):
    visit("masking")
    monkeypatch.setattr(Encoder, "states", None)
    at = visit("masking", layer="2", distance="cosine", pieces="max")
    assert errors(at) == []
    assert len(figures(at)) == 2


def test_layer_zero_says_why_nothing_moves(visit):
    at = visit("masking", layer="0")
    assert headings(at)[0] == "In layer 0 no word has seen another: masking one moves nothing"
    assert headings(at)[1].startswith("Impact and idf cannot be compared")


def test_models_stand_side_by_side_on_one_scale(visit, bert):
    at = visit("masking", b=f"source={bert}")
    assert errors(at) == []
    assert panels(at) == ["<b>all-MiniLM-L6-v2 · layer 6</b>", "<b>bert · layer 3</b>"], "its last layer"
    assert {trace["coloraxis"] for trace in drawn(at)["data"]} == {"coloraxis"}
    assert headings(at)[0].startswith(f"{MOST}): all-MiniLM-L6-v2 “storm”, 2.48; bert “")
    added = visit("masking", b="none", beside=bert, layer="2")
    assert panels(added) == ["<b>all-MiniLM-L6-v2 · layer 2</b>", "<b>bert · layer 2</b>"]


def test_matrices_may_be_divided_by_their_means(visit, bert):
    at = visit("masking", b=f"source={bert}", relative="true", special="true")
    assert errors(at) == []
    assert "each matrix divided by its mean" in captions(at)
    for trace in drawn(at)["data"]:
        assert np.nanmean(read(trace["z"])[1:-1]) == pytest.approx(1, abs=1e-5)
    mean = np.nanmean(np.nan_to_num(read(drawn(at)["data"][0]["z"])[1:-1]), axis=0).max()
    said = f"{MOST} ÷ its mean): all-MiniLM-L6-v2 “storm”, {mean:.2f}; bert “"
    assert headings(at)[0].startswith(said), "the title is on the scale that is drawn"


def test_idf_is_learnt_from_what_is_chosen(monkeypatch, visit, dogs):
    shown, show = {}, figure_frame.show
    monkeypatch.setattr(
        figure_frame, "show", lambda framed: shown.update({framed.key: framed}) or show(framed)
    )
    at = visit("masking", corpus=dogs)
    assert "learnt from dogs, 24 texts" in captions(at)
    assert "% of sentence: a word's share of the sum over the sentence." in captions(at)
    at.button_group(key="learnt").set_value("reference").run()
    assert errors(at) == []
    assert "learnt from demo, " in captions(at)
    numbers, points = shown["importance"].numbers(), shown["importance"].figure.data
    for name in ("impact", "idf"):
        share = numbers[f"{name}, % of sentence"]
        assert share.sum() == pytest.approx(100)
        assert share.corr(numbers[name]) == pytest.approx(1)
        assert any(np.allclose(np.asarray(one.y, float), share, atol=1e-3) for one in points), "as drawn"


def test_a_template_is_said_to_play_no_role(visit):
    at = visit("masking", a="template=T0;layers=last")
    assert "template plays no role" in captions(at)
    assert "19 words" in captions(at)
    assert "template plays no role" not in captions(visit("masking"))


# -- what nobody should write


@pytest.mark.parametrize("text", ["", "  \0 "])
def test_no_sentence_is_asked_for(visit, text):
    at = visit("masking")
    at.text_input(key="sentence").set_value(text).run()
    assert errors(at) == []
    assert "Write a sentence" in told(at)
    assert figures(at) == []


@pytest.mark.parametrize("text", ["Guitar", "a", "\ufeff\u202e"])
def test_one_word_is_too_few(visit, text):
    at = visit("masking", sentence=text)
    assert errors(at) == [], "nothing has failed"
    assert any("write " in info.value for info in at.info)
    assert figures(at) == []


@pytest.mark.parametrize(
    "text",
    [
        "🎸🧑🏽‍🚀 🍞",
        "שלום עולם, مرحبا",
        "[MASK] [SEP] [CLS]",
        "dog dog dog",
        ". , !",
        "a\0b c",
    ],
    ids=["emoji", "rtl", "special", "twice", "marks", "control"],
)
def test_odd_sentences_are_masked(visit, text):
    at = visit("masking", sentence=text)
    assert errors(at) == []
    assert len(figures(at)) == 2


def test_markup_in_a_sentence_is_text(visit, bert):
    at = visit(
        "masking", a=f"source={bert}", b="none", sentence="<b>bold</b> **x** [x](http://y) $x^2$ :red[x]"
    )
    assert errors(at) == []
    assert len(figures(at)) == 2
    assert "<b>bold" not in htmls(at)
    assert '">&lt;</span>' in htmls(at)
    assert "<b>" not in "".join(drawn(at)["layout"]["xaxis"]["ticktext"])


def test_a_sentence_that_is_too_long_is_refused(visit):
    at = visit("masking", sentence="word " * 399)
    (error,) = errors(at)
    assert "has 254 words; at most 200 are masked" in error


def test_a_sentence_that_the_model_cuts_says_where(visit, bert):
    at = visit("masking", a=f"source={bert}", b="none", sentence="dogs " * 60)
    assert errors(at) == []
    assert "bert reads 96 tokens at most; the sentence is longer and is cut after “dogs”" in captions(at)
    assert "cut here" in htmls(at)


def test_figures_that_leave_names_out_say_so(visit, bert):
    at = visit("masking", a=f"source={bert}", b="none", sentence="the dog " * 40)
    assert errors(at) == []
    assert captions(at).count("Every second word has its name there; all have theirs on hover") == 2
    assert "has its name there" not in captions(visit("masking", a=f"source={bert}", b="none"))


def test_a_decoder_says_what_to_take_and_the_others_are_shown(visit, small):
    at = visit("masking", b=f"source={small('gpt2')}")
    (error,) = errors(at)
    assert error.startswith("gpt2 has no mask token")
    assert "Take an encoder" in error
    assert "one sentence · 19 words · framed: “storm” · all-MiniLM-L6-v2, layer 6" in captions(at)
    alone = visit("masking", a=f"source={small('llama')}", b="none")
    assert "has no mask token" in errors(alone)[0]
    assert figures(alone) == []


def test_a_random_source_has_no_context(visit):
    at = visit("masking", a="source=random", b="none")
    (error,) = errors(at)
    assert "has no context" in error


NAMES = ("layer", "masked", "distance", "pieces", "special", "relative", "learnt", "head", "tfidf")


@pytest.mark.parametrize("value", ["99", "-1", "<script>", "nonsense"])
def test_nonsense_in_a_link_gives_the_default(visit, value):
    at = visit("masking", **dict.fromkeys(NAMES, value))
    assert errors(at) == []
    assert headings(at)[0] == STORM


def test_recipe_a_that_cannot_be_read(visit):
    at = visit("masking", a="pool=mena")
    assert "Recipe A cannot be read" in told(at)
    lost = visit("masking", a="source=nobody/no-such-model", b="none")
    assert any("nobody/no-such-model" in error for error in errors(lost))
    assert figures(lost) == []


def test_a_model_beside_it_that_is_not_here(visit):
    at = visit("masking", beside="nobody/no-such-model")
    assert any("nobody/no-such-model" in error for error in errors(at))
    assert len(drawn(at)["data"]) == 1


# -- long work


@pytest.fixture
def slow(monkeypatch):
    monkeypatch.setattr(Passes, "seconds_for", lambda *_: 120.0)


@pytest.fixture
def held(monkeypatch) -> threading.Event:
    """The model goes on only when this is set."""
    go, states = threading.Event(), Encoder.states

    def waiting(self, *arguments, **named):
        assert go.wait(30)
        return states(self, *arguments, **named)

    monkeypatch.setattr(Encoder, "states", waiting)
    yield go
    go.set()


def test_long_work_begins_by_itself_and_says_its_inputs(visit, slow, held):
    sentence = "A long sentence of ten words is said here first."
    at = visit("masking", patient=False, sentence=sentence)
    (bar,) = (plain(bar.proto.text) for bar in at.get("progress"))
    assert "67 model inputs (11 words, one by one and in pairs)" in bar
    assert "of about 2 minutes" in bar
    assert figures(at) == []
    assert "Start" not in labels(at)
    assert "Stop" in labels(at)
    held.set()
    at.patient = True
    at.run()
    assert errors(at) == []
    assert len(figures(at)) == 2
    assert "Stop" not in labels(at)
    again = visit("masking", sentence=sentence)
    assert len(figures(again)) == 2


def test_long_work_can_be_stopped(visit, slow, held):
    at = visit("masking", patient=False, sentence="Another long sentence is never read to its end.")
    assert "Stop" in labels(at)
    press(at, "Stop")
    held.set()
    assert "Start" in labels(at)
    assert "Stop" not in labels(at)
    assert figures(at) == []


# -- a corpus


def tiny_visit(visit, bert, dogs, **more):
    return visit("masking", a=f"source={bert}", b="none", corpus=dogs, tfidf="true", **more)


def test_the_correlation_is_asked_for_and_kept(visit, bert, dogs, monkeypatch):
    at = tiny_visit(visit, bert, dogs)
    assert "Correlate on 24 sentences of dogs" in labels(at)
    assert "model inputs with bert" in captions(at)
    published = at.dataframe[0].value
    assert published["Spearman × 100"].tolist() == [57.44, 70.21, 21.91]
    press(at, "Correlate on")
    assert errors(at) == []
    assert any(
        line.startswith("Impact of words against their tf-idf, Spearman × 100: ") for line in headings(at)
    )
    table = at.dataframe[0].value
    assert table["where"].tolist() == ["here", *["published"] * 3]
    assert table.loc[0, "layer"] == 3
    said = captions(at)
    assert "30 different sentences asked of the corpus" in said
    assert "seed 0" in said
    assert "words of 24 sentences" in said
    assert "tf-idf = count in the sentence × log(texts / texts with it), learnt from dogs, 24 texts" in said
    monkeypatch.setattr(tfidf_correlation, "impact", None)
    again = tiny_visit(visit, bert, dogs, layer="1", distance="cosine")
    assert "Correlate on 24 sentences of dogs" not in labels(again), "other layers cost nothing"
    assert again.dataframe[0].value.loc[0, "layer"] == 1
    assert len(figures(again)) == 3


def test_the_correlation_can_be_stopped_and_goes_on(visit, small, dogs, monkeypatch):
    electra = small("electra")
    impact, asked, go = tfidf_correlation.impact, [], threading.Event()

    def stuck(engine, planned, progress):
        asked.append(planned.text)
        while len(asked) == 3 and not go.wait(0.01):
            progress(Step("Stuck", 0, 1))
        return impact(engine, planned, progress)

    monkeypatch.setattr(tfidf_correlation, "impact", stuck)
    at = tiny_visit(visit, electra, dogs)
    at.patient = False
    press(at, "Correlate on")
    assert "Stop" in labels(at)
    press(at, "Stop")
    assert "Correlate on 24 sentences of dogs" in labels(at)
    go.set()
    at.patient = True
    press(at, "Correlate on")
    assert any(line.startswith("Impact of words against their tf-idf") for line in headings(at))
    assert len(set(asked)) == 24


def test_another_sample_is_another_question(visit, bert, dogs):
    at = tiny_visit(visit, bert, dogs)
    at.number_input(key="tfidf.number").set_value(5).run()
    at.number_input(key="tfidf.seed").set_value(7).run()
    press(at, "Correlate on 5 sentences")
    assert "words of 5 sentences" in captions(at)
    assert "seed 7" in captions(at)


def test_a_corpus_without_fit_sentences_says_so(visit, bert, corpora):
    corpora(short=table_of([("a dog", "a cat", 1), ("a man", "a girl", 2)]))
    at = visit("masking", a=f"source={bert}", b="none", corpus="short", tfidf="true")
    assert any("No sentence of short has 10 to 200 characters" in error for error in errors(at))
    assert len(figures(at)) == 2


def test_sentence_of_the_page_is_the_shared_one(visit):
    assert visit("masking").text_input(key="sentence").value == SENTENCE
