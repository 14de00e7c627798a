"""Papers: a printed table, what is here of it, what is not and why, and what is computed."""

import json
import re
from urllib.parse import parse_qs

import pytest
import streamlit as st

from components.link.arriving import MARK
from components.papers.page import START, START_CELL
from core.literature.tables import find_table
from core.recipe import Recipe
from tests.core.helpers.texts import many
from tests.pages.reading import captions, errors, figures, headings, markdown, pairs_of, plain, press

TABLE = find_table(*START)
DITTO = {"paper": "Chen et al. 2023", "table": "Table 6: Similarity: 16 systems on seven tasks"}


@pytest.fixture
def data(corpora) -> None:
    """A corpus with the name of a benchmark."""
    corpora(**{"STS-B": pairs_of(many(60))})


def drawn(at):
    """The texts of all cells in the figure, and the differences that are coloured."""
    figure = json.loads(figures(at)[0])
    maps = [trace for trace in figure["data"] if trace["type"] == "heatmap"]
    texts = [text for trace in maps for row in trace["text"] for text in row if text]
    return texts, len(maps) > 1


def test_one_arrives_on_a_printed_table_and_reads_why_nothing_is_computed(visit):
    at = visit("papers")
    assert errors(at) == []
    assert not at.warning
    texts, coloured = drawn(at)
    assert len(texts) == TABLE.results
    assert not coloured
    assert "238 figures as printed, none of them can be computed here yet" in headings(at)[0]
    assert "^W: learnt from WikiText-2; ^T: from the texts that are scored" in captions(at)
    (missing,) = [box for box in at.expander if "cannot be computed here" in box.label]
    assert "The corpus STS-B (or stsb) is not here" in plain(missing.markdown[0].value)
    assert "figures of B2S and B2S-100 under idf^T are those of plain averages" in plain(markdown(at))


def codes(at) -> list[str]:
    """The lines to copy."""
    return [box.value for box in at.code]


def test_the_lines_that_bring_a_benchmark_stand_beside_the_table_once(visit, monkeypatch, new_engine):
    at = visit("papers")
    fetch = "python -m core data stsb --data my-data\nSTRATA_DATA=my-data make run"
    assert codes(at).count(fetch) == 1
    several = visit("papers", **DITTO)
    assert (
        "python -m core data sts12,sts13,sts14,sts15,sts16,stsb,sickr --data my-data" in codes(several)[0]
    )
    monkeypatch.setenv("STRATA_READ_ONLY", "true")
    st.cache_resource.clear()
    kept = visit("papers")
    assert codes(kept) == []
    assert "Whoever keeps this installation can fetch STS-B into its data folder" in captions(kept)


def test_a_benchmark_that_is_here_is_not_fetched(visit, data):
    at = visit("papers", **{"papers.scope": "cell"})
    assert not any("core data" in code for code in codes(at))
    lacking = visit("papers", **DITTO)
    assert "python -m core data sts12,sts13,sts14,sts15,sts16,sickr --data FOLDER" in codes(lacking)


def test_a_figure_is_computed_on_a_press_and_there_at_the_next_visit(visit, data):
    at = visit("papers", **{"papers.scope": "cell"})
    assert not drawn(at)[1]
    press(at, "Compute 1 figure")
    assert errors(at) == []
    said = "1 of 238 figures is measured here under the paper's own setting: "
    assert re.match(f"{said}[0-9.]+ points from print on average", headings(at)[0])
    assert any(text.startswith("70.0 · ") for text in drawn(at)[0])
    assert "random on STS-B, Spearman × 100" in captions(at)
    assert any("side our interval (" in plain(text.value).replace("*", "") for text in at.markdown)
    again = visit("papers", **{"papers.scope": "cell"})
    assert drawn(again) == drawn(at)
    press(again, "Take as recipe A")
    assert again.session_state["a"].startswith("source=random;tokens=content;weight=idf;post=zscore")


def test_what_to_do_is_said_of_a_paper_of_which_nothing_is_measured(visit):
    at = visit("papers", **{"papers.whole": "true"})
    said = r"none of its [\d,]+ figures can be computed yet: under each table stands what that needs"
    assert re.search(said, captions(at))


def test_how_much_can_be_computed_is_said_of_a_paper_of_which_nothing_is_measured(visit, corpora):
    corpora(**{"STS-B": pairs_of(many(36))})
    at = visit("papers", **{"papers.whole": "true"})
    assert re.search(r"Compute, beside a table, does it for [\d,]+ of [\d,]+ figures\.", captions(at))


def test_another_model_is_named_and_not_counted_as_the_paper_s(visit, data, small):
    link = DITTO | {"papers.scope": "row", "papers.row": "BERT last avg.", "papers.whole": "true"}
    at = press(visit("papers", a=small, **link, **{"papers.column": "STS-B"}), "Compute 1 figure")
    assert errors(at) == []
    assert headings(at)[0] == "1 of 128 figures have one here, all on another model or setting"
    assert "bert here, bert-base-uncased there." in captions(at)
    assert len(figures(at)) == 2
    tables = at.dataframe[0].value.set_index("table")
    assert list(tables.loc["all", ["figures", "measured", "own setting"]]) == [184, 1, 0]


def test_a_table_of_another_paper_has_headings_and_marks_what_does_not_add_up(visit):
    table = find_table("003", "I")
    at = visit("papers", paper=table.paper.citation, table=f"{table.label}: {table.title}")
    assert errors(at) == []
    assert not at.warning
    figure = json.loads(figures(at)[0])
    assert any("Non-parameterized models" in note["text"] for note in figure["layout"]["annotations"])
    assert "69.59" in plain(markdown(at))


def test_each_table_keeps_its_own_cell(visit):
    """Avg. is a method in one table and the mean over tasks in another."""
    at = visit("papers")
    cell = ("papers.row", "papers.column")

    def chosen():
        return [at.selectbox(key=key).value for key in cell]

    assert chosen() == [*START_CELL]
    at.selectbox(key="paper").set_value(DITTO["paper"]).run()
    at.selectbox(key="table").set_value(DITTO["table"]).run()
    at.selectbox(key="papers.column").set_value("Avg.").run()
    at.selectbox(key="paper").set_value(TABLE.paper.citation).run()
    assert chosen() == [*START_CELL]
    at.selectbox(key="papers.column").set_value("BERT").run()
    at.selectbox(key="paper").set_value(DITTO["paper"]).run()
    at.selectbox(key="table").set_value(DITTO["table"]).run()
    assert chosen()[1] == "Avg."
    at.selectbox(key="paper").set_value(TABLE.paper.citation).run()
    assert chosen() == [START_CELL[0], "BERT"]
    assert not at.warning


@pytest.mark.parametrize("query", [{"paper": "nobody 2020", "table": "Table 99", "papers.column": "x"}])
def test_a_link_to_nothing_is_told(visit, query):
    at = visit("papers", **query)
    assert errors(at) == []
    assert at.warning
    assert figures(at)


def test_a_score_against_an_argument_is_drawn_as_far_as_its_corpora_are_here(visit, data, small):
    link = {"papers.curves": "true", "a": small}
    at = visit("papers", **link)
    assert len(figures(at)) == 1
    assert "8 points: The corpus STS12 (or sts12) is not here" in captions(at)
    press(at, "Compute 8 figures")
    assert errors(at) == []
    assert any("Highest Spearman × 100 by components removed: STS-B" in line for line in headings(at))
    told = captions(at)
    assert "Stankevičius & Lukoševičius 2025, Section 4.1 · measured here on STS-B · bert" in told
    assert "Every point is measured here, after Stankevičius & Lukoševičius 2025, Section 4.1" in told
    assert re.search(r"STS-B: .* · fingerprint [0-9a-f]+", told)
    line = next(trace for trace in json.loads(figures(at)[1])["data"])
    assert line["name"] == "STS-B"
    assert "post=abtt(d): got 100; the vectors have" in told, "the last points are not what they are called"


def test_a_figure_s_recipe_is_taken_to_scores_with_its_corpus(visit, data, small):
    """The mark of the link sets the controls whatever they held before."""
    at = visit("papers", a=small, **DITTO, **{"papers.row": "BERT last avg.", "papers.column": "STS-B"})
    assert errors(at) == []
    (link,) = (one for one in at.get("page_link") if one.proto.label.startswith("Take it as recipe A"))
    said = parse_qs(link.proto.query_string)
    assert Recipe.parse(said["a"][0]).spelled()["source"] == small.removeprefix("source=").partition(";")[0]
    assert said["corpus"] == ["STS-B"]
    assert said["split"] == ["all"]
    assert said["aggregate"] == ["all"]
    assert MARK in said
    (link,) = (one for one in at.get("page_link") if one.proto.label == "The method Last layer, mean")
    said = parse_qs(link.proto.query_string)
    assert [said[name] for name in ("a", "method", "corpus", "split")] == [
        [small],
        ["Last layer, mean"],
        ["STS-B"],
        ["all"],
    ]


def test_a_figure_that_is_trained_says_so_and_has_an_interval(visit, corpora, small):
    """It is no cosine: the same recipe scores otherwise on Scores."""
    corpora(SICK=pairs_of(many(80)))
    table = find_table("003", "I")
    link = {"paper": table.paper.citation, "table": f"{table.label}: {table.title}"}
    link |= {"papers.row": "Avg. BERT", "papers.column": "SICK-R", "papers.scope": "cell"}
    at = visit("papers", a=small, **link)
    assert "supervised_sts: a classifier is trained on some rows" in captions(at)
    press(at, "Compute 1 figure")
    assert errors(at) == []
    assert "supervised_sts, scored on 40 rows: " in captions(at)
    assert "no interval" not in plain(markdown(at))
    assert "±" in next(metric.value for metric in at.metric if metric.label.startswith("here"))
