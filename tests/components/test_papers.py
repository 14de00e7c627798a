"""The printed table with differences as colours, and printed figures against those here."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from components.exports import tables
from components.figures.curves import curves
from components.figures.papers import LEAST, MOST, PrintedTable, TableCell, printed_table
from components.figures.printed_and_here import Point, printed_and_here
from components.papers import cell_link, curve, one_cell, page, printed, relation
from components.papers.computing import Computed, seconds
from components.papers.here import CellHere
from components.theme import DARK, LIGHT
from components.wording import UNIT
from core.literature.presets import PRESETS
from core.literature.presets.of_paper import presets_with
from core.literature.rules.curves import curves_of
from core.literature.rules.relations import Dot, relations_of
from core.literature.rules.rule import Rule
from core.literature.rules.running import Runnable
from core.literature.tables import PAPERS, find_table
from core.literature.tables import tables as tables_of
from core.literature.tables.signs import signs_of
from core.recipe import Recipe

ROWS = [("plain <s>", "Without a model"), ("idf", "Without a model"), ("plain <s>", "With a model")]


def table(**cells):
    places = {tuple(map(int, name[1:].split("_"))): cell for name, cell in cells.items()}
    return PrintedTable(ROWS, ["STS12", "Avg. of everything"], places, (2, 1))


def heatmaps(figure):
    return [trace for trace in figure.data if trace.type == "heatmap"]


def test_headings_take_a_line_of_their_own():
    figure = printed_table(table(c0_0=TableCell("1.0", "a"), c2_1=TableCell("2.0", "b")), LIGHT)
    assert figure.layout.yaxis.tickvals == (1, 2, 4)
    assert [(note.y, note.text) for note in figure.layout.annotations] == [
        (0, "<b>Without a model</b>"),
        (3, "<b>With a model</b>"),
    ]
    assert {note.xshift for note in figure.layout.annotations} == {-48}, "they begin over the labels"
    assert figure.layout.yaxis.ticktext[0] == "plain &lt;s&gt;"
    assert figure.layout.xaxis.ticktext == ("STS12", "Avg. of<br>everything")
    (box,) = figure.layout.shapes
    assert (box.y0 + box.y1) / 2 == 4


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_open_cells_have_the_page_s_colour_and_measured_ones_that_of_their_difference(theme):
    shown = table(
        c0_0=TableCell("50.0", "a", "51.5", 1.5, open=False),
        c1_0=TableCell("60.0", "b", open=True),
        c2_1=TableCell("70.0", "c", slip=True),
    )
    figure = printed_table(shown, theme)
    neutral, coloured, on_light = heatmaps(figure)
    assert neutral.z[2][0] == 1
    assert neutral.z[4][1] == 0
    assert np.isnan(neutral.z[1][0])
    assert neutral.colorscale[1][1] == theme.paper
    assert coloured.z[1][0] == 1.5
    assert (coloured.text[1][0], coloured.textfont.color) == ("50.0 · 51.5", "#ffffff"), "a dark cell"
    assert on_light.text[1][0] == ""
    assert np.isfinite(coloured.z).sum() == 1
    assert (coloured.zmin, coloured.zmax) == (-LEAST, LEAST)
    (mark,) = [
        trace for trace in figure.data if trace.type == "scatter" and "triangle" in trace.marker.symbol
    ]
    assert list(mark.y) == [4]


def test_a_table_says_what_its_colours_and_marks_mean_where_it_has_them():
    open_ = TableCell("1.0", "a", open=True)
    told = {
        "framed: the chosen cell": table(c0_0=open_),
        "grey: cannot be computed here; framed: the chosen cell": table(c0_0=TableCell("1.0", "a")),
        "△ does not add up in print; framed: the chosen cell": table(c0_0=replace(open_, slip=True)),
        "printed · here; framed: the chosen cell": table(c0_0=replace(open_, here="2.0", difference=1.0)),
        "printed · here; italics: another model or setting": replace(
            table(c0_0=replace(open_, here="<i>2.0</i>", difference=1.0)), chosen=None
        ),
    }
    assert [printed.legend(one) for one in told.values()] == [*told]


def test_every_cell_can_be_clicked_and_says_its_place():
    figure = printed_table(table(c0_0=TableCell("1", "a"), c2_1=TableCell("2", "b")), LIGHT)
    clicks = figure.data[-1]
    assert [tuple(place) for place in clicks.customdata] == [(0, 0), (2, 1)]
    assert list(clicks.y) == [1, 4]


def test_one_far_difference_does_not_wash_out_the_others():
    figure = printed_table(table(c0_0=TableCell("1", "a", "90.0", 89.0)), LIGHT)
    _, coloured, _ = heatmaps(figure)
    assert coloured.zmax == MOST
    near = heatmaps(printed_table(table(c0_0=TableCell("1", "a", "1.1", 0.1)), LIGHT))[-1]
    assert (near.text[1][0], near.textfont.color) == ("1 · 1.1", "#000000"), "a light cell"


@pytest.mark.parametrize(
    ("label", "here", "columns", "written"),
    [
        ("plain", "71.00", 10, "70.77<br>71.00"),
        ("BERT last manual and continuous prompts", "<i>71.00</i>", 8, "70.77<br><i>71.00</i>"),
        ("plain", "<i>71.00</i>", 8, "70.77 · <i>71.00</i>"),
    ],
)
def test_figures_stand_under_each_other_where_a_column_has_no_room_for_both(label, here, columns, written):
    cells = {(0, column): TableCell("70.77", "", here, 0.2) for column in range(columns)}
    wide = PrintedTable([(label, "")], [f"task {i}" for i in range(columns)], cells)
    assert heatmaps(printed_table(wide, LIGHT))[-1].text[0][0] == written


def test_figures_on_another_model_are_hollow_and_without_interval_have_none():
    points = [Point("a", 50, 51, 49, 53, True), Point("b", 60, 40, float("nan"), float("nan"), False)]
    line, same, other = printed_and_here(points, LIGHT).data
    assert tuple(line.x) == tuple(line.y) == (38, 62)
    assert list(same.error_y.array) == [2]
    assert other.marker.symbol == "circle-open"
    assert list(other.error_y.array) == [0]


# -- a cosine, printed as such


def test_a_cosine_stands_beside_print_in_the_unit_of_print():
    table = find_table("002", "5")
    cell = table.get("BERT static avg.", "avg. Cosine Similarity", table.cells[0].group)
    found = Runnable(Rule("", ()), Recipe.parse(""), (), "bert-base-uncased", ())
    values = SimpleNamespace(value=84.94, bounds=(84.61, 85.31), holds=lambda cell: False)
    one = CellHere(cell, Computed(found, measured=values))
    assert one.difference == pytest.approx(0.0064)
    assert one_cell.value_here(one) == "0.849 ± 0.004"
    said = "**+0.006** here: the printed figure is **outside** our interval (95 %: 0.846 to 0.853)."
    assert one_cell.verdict(one, values) == said
    there = {each: CellHere(each, Computed(why="no")) for each in table.cells} | {cell: one}
    assert "0.006 from print on average" in printed.finding(table, there)
    assert printed.numbers(table, there).iloc[0].tolist()[-3:] == [0.849, 0.846, 0.853]
    drawn = printed.table_cell(one, [])
    assert drawn.here == "0.849"
    assert "cosine, printed 0.843<br>here 0.849, 95 %: 0.846 to 0.853; +0.006" in drawn.hover


def test_differences_of_cosines_have_colours_of_their_own():
    shown = PrintedTable(ROWS[:1], ["cosine"], {(0, 0): TableCell("0.843", "", "0.849", 0.006)}, scale=100)
    assert heatmaps(printed_table(shown, LIGHT))[1].zmax == pytest.approx(LEAST / 100)


# -- a score against an argument


def test_a_maximum_is_said_of_lines_that_are_complete():
    """One point of eight is the highest of nothing."""
    removed, nan = curves_of("000")[0], float("nan")
    none = (nan, nan, nan)
    lines = {"STS12": [(53.7, 52, 55), none], "STS13": [(60, 58, 62), (61, 59, 63)], "STS14": [none, none]}
    said = curve.finding(removed, [1.0, 2.0], lines, {"STS12", "STS13", "STS14"}, UNIT)
    assert said == f"{removed.title}: 3 points measured so far, no line is complete"
    numbers = curve.numbers(removed, [1.0, 2.0], lines)
    assert list(numbers.columns) == [
        removed.argument,
        *(f"{name}{end}" for name in ("STS12", "STS13") for end in ("", ", low", ", high")),
    ]
    assert tables.csv([], numbers).decode("utf-8-sig").splitlines()[1].startswith("1,53.7,")
    said = curve.finding(removed, [1.0, 2.0], lines, {"STS12", "STS14"}, UNIT)
    assert (
        said == "Highest Spearman × 100 by components removed: STS13 61.0 at 2; 1 more line is not complete"
    )
    said = curve.finding(removed, [1.0, 2.0], {"STS13": lines["STS13"]}, set(), UNIT)
    assert said == "Highest Spearman × 100 by components removed: STS13 61.0 at 2"


def test_a_score_against_an_argument_says_its_unit_and_whose_the_dotted_line_is():
    lines = {"STS13": [(60, 58, 62), (61, 59, 63)]}
    figure = curves([1.0, 2.0], lines, "components removed", "Spearman × 100", 2, LIGHT)
    assert figure.layout.yaxis.title.text == "Spearman × 100"
    (key,) = (note for note in figure.layout.annotations if note.text == "the paper's: 2")
    assert (key.x, key.xref) == (1, "x")
    alone = curves([1.0, 2.0], lines, "components removed", "Spearman × 100", None, LIGHT)
    assert [note.text for note in alone.layout.annotations] == ["STS13"]


def test_names_of_lines_that_end_alike_stand_below_each_other():
    ends = {"STS16": 69.2, "STS-B": 69.3, "STS12": 49.0, "early": 69.2}
    lines = {name: [(end, end - 2, end + 2)] * 2 for name, end in ends.items()}
    lines["early"] = [lines["early"][0], (float("nan"),) * 3]
    figure = curves([1.0, 2.0], lines, "dimensions kept", UNIT, None, LIGHT)
    places = {note.text: (note.x, note.y) for note in figure.layout.annotations}
    assert places["STS-B"] == (1, 69.3)
    assert places["early"] == (0, 69.2), "a name elsewhere is in nobody's way"
    assert places["STS12"] == (1, 49.0)
    assert places["STS-B"][1] - places["STS16"][1] > 0.07 * (71.3 - 47.0)


# -- one figure of many recipes against another


def relation_of(scores):
    """A relation of rows a, b, … with what is measured across (x) and upwards (None for nothing)."""
    rules = Rule("", ())
    dots = {row: Dot(rules, rules, printed) for row, (_, _, printed) in scores.items()}
    there = {}
    for row, (x, y, _) in scores.items():
        there[row, "across"] = Computed(why="not here") if x is None else measured(x)
        there[row, "upwards"] = Computed(why="not here") if y is None else measured(y)
    return dots, there


def measured(value):
    return Computed(found=None, measured=SimpleNamespace(value=value))


def test_a_printed_score_stands_where_none_is_here():
    scores = {"a": (1.0, 50.0, 49.0), "b": (2.0, None, 60.0), "c": (None, 70.0, 70.0)}
    points = relation.places(*relation_of(scores))
    assert points == {"a": (1.0, 50.0, "here"), "b": (2.0, 60.0, relation.PRINTED)}
    assert (
        relation.finding(points, "RE", "IsoScore × 100")
        == "RE: IsoScore × 100 from 1.0 to 2.0 over 2 recipes"
    )
    table = relation.numbers(points, relations_of("000")[0])
    assert table.to_dict("list") == {
        "recipe": ["a", "b"],
        "IsoScore × 100": [1.0, 2.0],
        "mean Spearman × 100": [50.0, 60.0],
        "score": ["here", "as printed"],
    }


def test_a_correlation_is_named_from_four_recipes_on():
    scores = {name: (float(i), 2.0 * i + (i == 2), 0.0) for i, name in enumerate("abcd")}
    points = relation.places(*relation_of(scores))
    r = np.corrcoef([0, 1, 2, 3], [0, 2, 5, 6])[0, 1]
    low, high = np.tanh(np.arctanh(r) + np.array([-1, 1]) * 1.959964)
    said = f"Pearson +{r:.2f} (95 %: {low:.2f} to {high:.2f}), Spearman +1.00 over 4 recipes"
    words = relation.finding(points, "T0", "IsoScore × 100")
    assert words.startswith(f"T0: IsoScore rises with the score: {said}; still")
    assert words.endswith("; IsoScore × 100 from 0.0 to 3.0")
    even = relation.places(
        *relation_of({name: (float(i), float(i % 2), 0.0) for i, name in enumerate("abcd")})
    )
    words = relation.finding(even, "T0", "IsoScore × 100")
    assert words.startswith("T0: No correlation shown of IsoScore with the score: ")


def test_computing_takes_references_passes_and_what_tasks_learn(monkeypatch):
    """Classifiers of a row and its second training were left out: 10 seconds were said of minutes."""
    corpus = SimpleNamespace(text_digest="texts")
    rows = [
        SimpleNamespace(recipe=Recipe.parse(text), parts=[SimpleNamespace(task="task", corpus=corpus)])
        for text in ("post=flow", "post=flow(epochs=5)")
    ]
    engine = SimpleNamespace(
        references=SimpleNamespace(splitting_seconds=lambda recipe: 7.0),
        pending=lambda recipe, corpus: {"pass": 100.0, str(recipe): 20.0},
    )
    monkeypatch.setattr("components.works.learning", lambda engine, recipe, task, corpus: 3.0)
    assert seconds(engine, rows[:1]) == 7 + 100 + 20 + 3
    assert seconds(engine, rows) == 7 + 100 + 2 * 20 + 2 * 3


def test_a_note_says_that_it_is_of_the_printed_figure():
    cell = find_table("002", "6").get("BERT first-last Ditto", "STS-B")
    hover = printed.table_cell(CellHere(cell, Computed(why="no")), []).hover
    assert hover.endswith("<br>Of the printed figure: the paper's own")


def test_every_published_figure_of_a_method_is_found_in_its_table_and_back():
    for preset in PRESETS:
        for score in preset.scores:
            said = cell_link.place(score.cell)
            (paper,) = (one for one in PAPERS if one.citation == said["paper"])
            there = page.titled(paper)[said["table"]]
            group, row = page.rows_of(there)[said["papers.row"]]
            cell = there.cell(row, said["papers.column"], group)
            assert cell.value == score.value
            assert preset in presets_with(cell)


def test_signs_in_names_of_rows_are_said_where_a_table_has_them():
    whole = "^W: learnt from WikiText-2; ^T: from the texts that are scored; print has the two letters"
    assert signs_of(find_table("000", "11")).startswith(whole)
    others = [table for paper in PAPERS[1:] for table in tables_of(paper.number)]
    assert {signs_of(table) for table in others} == {""}
    for table in tables_of("000"):
        assert bool(signs_of(table)) == any("^" in cell.row for cell in table.cells), table.place
