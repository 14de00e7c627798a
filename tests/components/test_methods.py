"""Scores of methods here and as published: what is drawn, what is matched, what is written."""

import re
from dataclasses import replace

import numpy as np
import pytest

from components.figures.methods import KEY, SYMBOLS, Row, marks_of, scores_and_published
from components.methods import every, two_models
from components.methods.against_published import drawn, finding
from components.methods.in_print import numbers, ordered
from components.methods.page import WORKED
from components.methods.scores import ScoresHere, best_match, task_of
from components.methods.stages import stages_html
from components.methods.times import times_table
from components.theme import DARK, LIGHT
from core.corpora.corpus import Corpus
from core.evaluation.difference import NO_DIFFERENCE
from core.evaluation.sts import Score
from core.evaluation.timing import Timing
from core.literature.presets import PRESETS
from core.literature.published import AVERAGE, PublishedScore
from core.literature.tables.table import Cell
from core.pipeline.engine import Engine
from core.recipe import STAGES, Recipe
from core.settings import Settings

NAMES = {preset.name: preset for preset in PRESETS}
NAN = float("nan")


def score(value: float) -> Score:
    """A score five points wide on either side."""
    return Score(value, value, value - 5, value + 5, 20, "all", {})


def test_scores_of_methods_do_not_depend_on_the_stages_of_the_recipe(tmp_path):
    engine = Engine(Settings(cache=tmp_path))
    both = [
        ScoresHere(engine, Recipe.parse(f"source=untuned;{stages}"), corpus())
        for stages in ("layers=last", "layers=2;pool=max;weight=idf;post=centre")
    ]
    method = Recipe.parse("source=untuned;layers=last")
    assert both[0]._key(method) == both[1]._key(method)
    other = ScoresHere(engine, Recipe.parse("source=bundled"), corpus())
    assert other._key(method) != both[0]._key(method)


def test_scores_of_a_method_are_of_the_file_that_it_names(tmp_path):
    """A file that came, or was replaced, left the answer of before."""
    here = ScoresHere(Engine(Settings(cache=tmp_path / "cache")), Recipe.parse("source=bundled"), corpus())
    path = tmp_path / "glove.txt"
    method = Recipe.parse(f"source=vectors(path={path})")
    keys = [here.work("GloVe", method, 0, asks=False).key]
    for vectors in ("a 1 2", "a 1 2 3"):
        path.write_text(vectors)
        keys += [here.work("GloVe", method, 0, asks=False).key for _ in range(2)]
    assert keys[1::2] == keys[2::2]
    assert len(set(keys)) == 3


def test_gains_are_of_the_reference_as_it_is(tmp_path):
    """Plain mean learns nothing from it, so that gains over it outlived a file of other texts."""
    engine, reference = Engine(Settings(cache=tmp_path / "cache")), tmp_path / "texts.txt"
    compared = two_models.ModelGains.on(Recipe.parse(f"source=bundled;reference={reference}"))
    keys = set()
    for word in ("one", "another"):
        reference.write_text("\n".join(f"{word} text {i}" for i in range(40)) + "\n" * len(word), "utf-8")
        keys.add(two_models._work(engine, "bundled", compared, corpus()).key)
    assert len(keys) == 2


def test_the_highest_says_what_it_is_the_highest_of():
    best = [("SIF", score(60)), ("idf", score(50))]
    words = every.finding(best, "all families", NO_DIFFERENCE)
    assert words.startswith("Highest of 2 methods scored here with an interval (all families): SIF, ")
    few = [(name, replace(each, low=NAN, high=NAN)) for name, each in best]
    assert every.counted_as(few) == "2 methods scored here"


def published(value: float, metric="Spearman", corpus="STS12", model="BERT") -> PublishedScore:
    """One figure of a made-up table."""
    cell = Cell("000", "1", "", model, corpus, str(value), f"{metric} × 100", "", "")
    return PublishedScore(corpus, value, model, "all", metric, "Someone 2020, Table 1", cell)


def corpus(name="STS12", split="test") -> Corpus:
    """A corpus of one pair, by this name."""
    return Corpus.of_pairs(name, ["a"], ["b"], [1.0], split=[split], origin="a file")


# -- the figure


def test_scores_here_have_intervals_and_published_ones_are_hollow():
    figure = scores_and_published(
        [Row("one", score(60), (published(55),)), Row("two", score(50)), Row("three", None)], LIGHT
    )
    theirs, here, words = figure.data
    assert theirs.marker.symbol == "circle-open"
    assert "here, with 95 % interval" in figure.layout.title.text
    assert (list(theirs.x), list(theirs.y)) == ([55], [0])
    assert here.marker.color == LIGHT.a
    assert (list(here.x), list(here.y)) == ([60, 50], [0, 1])
    assert list(here.error_x.array) == list(here.error_x.arrayminus) == [5, 5]
    assert [text.strip() for text in words.text] == ["60.0", "50.0"]
    assert list(figure.layout.yaxis.ticktext) == ["one", "two", "three"]
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1], "top to bottom"


def test_a_score_is_written_where_no_published_marker_is():
    near, both = (published(66),), (published(66), published(54))
    rows = [
        Row("free", score(60), (published(80),)),
        Row("near", score(60), near),
        Row("both", score(60), both),
    ]
    words = scores_and_published(rows, LIGHT).data[-1]
    assert list(words.textposition) == ["middle right", "middle left", "top center"]
    assert list(words.x) == [65, 55, 60]


def test_a_score_of_few_pairs_stands_without_an_interval():
    few = Score(60, 60, NAN, NAN, 3, "all", {})
    figure = scores_and_published([Row("x", few, (published(61),))], LIGHT)
    here, words = figure.data[1:]
    assert list(here.error_x.array) == [0]
    assert here.customdata[0] == "no interval"
    assert "interval" not in figure.layout.title.text
    assert np.isfinite(words.x).all()
    assert np.isfinite(figure.layout.xaxis.range).all()


def test_pearson_is_marked_as_such():
    figure = scores_and_published([Row("x", score(60), (published(55), published(57, "Pearson")))], LIGHT)
    assert [trace.marker.symbol for trace in figure.data[:2]] == ["circle-open", "diamond-open"]
    assert figure.layout.xaxis.title.text == "Correlation × 100"
    assert "Pearson, published" in figure.layout.title.text
    alone = scores_and_published([Row("x", score(60), (published(55),))], LIGHT)
    assert alone.layout.xaxis.title.text == "Spearman × 100"


def test_encoders_that_figures_are_published_of_are_told_apart():
    row = (published(55, model="BERT"), published(60, model="BERT"), published(52, model="<b>LLaMA</b>"))
    figure = scores_and_published(
        [Row("x", score(60), (*row, published(50, "Pearson", model="GloVe")))], LIGHT
    )
    theirs = figure.data[:3]
    assert [trace.marker.symbol for trace in theirs] == ["circle-open", "square-open", "diamond-open"]
    assert [list(trace.x) for trace in theirs] == [[55, 60], [52], [50]]
    key = figure.layout.title.text
    assert "○ Spearman, published: BERT<" in key
    assert "□ Spearman, published: &lt;b&gt;LLaMA&lt;/b&gt;<" in key
    assert "◇ Pearson, published: GloVe<" in key


def test_more_encoders_than_marks_share_the_last_one_and_the_key_says_so():
    figures = [published(50 + i, model=f"encoder {i}") for i in range(9)]
    marks = marks_of([*figures, figures[8]])
    assert [mark.symbol for mark in marks] == list(SYMBOLS["Spearman"])
    assert marks[0].models == ("encoder 8",), "the one with most figures"
    assert len(marks[-1].models) == 4
    assert marks[-1].words == "⬡ Spearman, published: 4 other encoders"
    figure = scores_and_published([Row("x", score(60), tuple(figures))], LIGHT)
    assert sum(len(trace.x) for trace in figure.data[: len(marks)]) == 9
    lines = figure.layout.title.text.split("<br>")
    assert len(lines) > 2
    assert figure.layout.margin.t > 60, "there is room for them"
    assert all(len(re.sub("<[^>]*>", "", line)) <= KEY for line in lines)


def test_names_with_markup_stay_text_and_names_alike_keep_their_rows():
    figure = scores_and_published(
        [Row("<b>x</b>", score(1), (published(1, model="<s>"),)), Row("x", score(2)), Row("x", score(3))],
        DARK,
    )
    assert list(figure.layout.yaxis.ticktext) == ["&lt;b&gt;x&lt;/b&gt;", "x", "x"]
    assert list(figure.layout.yaxis.tickvals) == [0, 1, 2]
    assert figure.data[0].text[0].startswith("&lt;s&gt;")


@pytest.mark.parametrize("rows", [[Row("x", None)], [Row("x", score(NAN))]])
def test_no_score_at_all_is_drawn_empty(rows):
    assert len(scores_and_published(rows, LIGHT).data) == 0


@pytest.mark.parametrize("count", [1, 10, 75])
def test_rows_have_room_for_type_that_can_be_read(count):
    figure = scores_and_published([Row(str(i), score(i)) for i in range(count)], LIGHT)
    assert figure.layout.height >= 26 * count
    assert figure.layout.template.layout.font.size >= 14


def test_every_number_is_inside():
    figure = scores_and_published([Row("x", score(60), (published(20), published(90)))], LIGHT)
    low, high = figure.layout.xaxis.range
    assert low < 20
    assert high > 90


# -- what is set against what


@pytest.mark.parametrize(
    ("name", "split", "task"),
    [
        ("STS12", "test", "STS12"),
        ("stsb", "test", "STS-B"),
        ("STS-B.raw", "test", "STS-B"),
        ("SICK", "test", "SICK-R"),
        ("sickr", "test", "SICK-R"),
        ("STS-B", "dev", ""),
        ("demo", "test", ""),
    ],
)
def test_a_corpus_is_known_by_the_names_it_goes_by(name, split, task):
    assert task_of(corpus(name, split)) == task


def test_a_published_figure_of_the_same_corpus_comes_before_an_average():
    sif = NAMES["SIF"]
    assert best_match(sif, corpus("STS12"), "all-MiniLM-L6-v2").value == 56.2
    assert best_match(sif, corpus("demo"), "all-MiniLM-L6-v2").corpus == AVERAGE


def test_of_figures_of_one_corpus_the_one_that_differs_least_is_taken():
    scores = (published(1, "Pearson"), published(2), published(3, model="RoBERTa"))
    preset = replace(NAMES["idf"], scores=scores, differs=())
    assert best_match(preset, corpus(), "bert-base-uncased").value == 2
    assert best_match(replace(preset, scores=()), corpus(), "bert") is None


def test_differences_are_signed_and_stand_on_the_same_corpus_alone():
    table = numbers(ordered(NAMES["SIF"], "STS12"), score(60.0), "STS12")
    assert table.loc[0, "corpus"] == "STS12"
    assert table.loc[0, "here − published"] == pytest.approx(60 - 56.2)
    assert table["here"].notna().sum() == 1
    assert len(table) == len(NAMES["SIF"].scores)


def test_the_table_of_the_figure_has_the_score_here_with_its_interval_whatever_is_printed():
    table = drawn(replace(NAMES["SIF"], scores=()), score(60.0), "", "demo")
    assert table.loc[0, ["corpus", "here", "low", "high"]].tolist() == ["demo", 60.0, 55.0, 65.0]
    beside = drawn(NAMES["SIF"], score(60.0), "", "demo")
    assert len(beside) == len(NAMES["SIF"].scores) + 1
    assert beside["here"].notna().tolist() == [True] + [False] * len(NAMES["SIF"].scores)
    same = drawn(NAMES["SIF"], score(60.0), "STS12", "STS12")
    assert len(same) == len(NAMES["SIF"].scores)
    assert same.loc[0, ["published", "here", "low", "high"]].tolist() == [56.2, 60.0, 55.0, 65.0]
    assert drawn(NAMES["SIF"], None, "", "demo").equals(numbers(NAMES["SIF"].scores, None, ""))


def test_the_finding_says_both_or_what_is_missing():
    assert finding(NAMES["SIF"], score(60), published(55), corpus()) == (
        "SIF: Spearman × 100 = 60.0 ± 5.0 on STS12 here; published Spearman × 100 = 55.0 on STS12"
    )
    assert finding(NAMES["SIF"], None, published(55), corpus()) == (
        "SIF: published Spearman × 100 = 55.0 on STS12"
    )
    assert "nothing published" in finding(NAMES["uSIF"], score(60), None, corpus())


# -- a recipe, stage by stage


def test_every_stage_says_what_its_value_does_and_defaults_are_dimmed():
    made = stages_html(Recipe.parse("layers=1+last;weight=sif;post=centre+zscore"))
    assert made.count("<tr") == len(STAGES)
    assert made.count("opacity") == len(STAGES) - 3
    assert "sif(a=0.001, punctuation=frequent, unknown=never, fit=" in made
    assert STAGES["post"].options["zscore"].explanation[:20] in made


def test_a_reference_that_nothing_learns_from_is_none():
    unused = stages_html(Recipe.parse("layers=last;reference=topics"))
    assert "topics" not in unused
    assert "Nothing in this recipe learns from one." in unused
    used = stages_html(Recipe.parse("weight=idf(fit=reference);reference=topics"))
    assert "<code>topics</code>" in used
    assert "learns from one" not in used


def test_markup_in_a_recipe_stays_text():
    made = stages_html(Recipe.parse('source="<script>";template="<b>[X]</b>"'))
    assert "<script>" not in made
    assert "&lt;b&gt;" in made


def test_the_worked_example_needs_nothing():
    assert not NAMES[WORKED].needs


# -- times


def test_times_stand_beside_those_that_are_published():
    table = times_table([Timing("SIF", "weight=sif", NAN, 0.5), Timing("uSIF", "", 2.0, NAN, "no words")])
    assert table.loc[0, "published, CPU"] == "SIF 1.56"
    assert table.loc[0, "published in"] == "Wang et al. 2020, Table IV"
    assert np.isnan(table.loc[0, "forward pass, ms"])
    assert table.loc[0, "together, ms"] == 0.5
    assert table.loc[1, "problem"] == "no words"
    assert table.loc[1, "published, CPU"] == ""
