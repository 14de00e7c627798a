"""Downloads: the numbers, the page and the picture, each with its recipe."""

import io
import json
import re
from dataclasses import replace

import pandas as pd
import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from components.exports.pictures import in_theme, on_white
from components.figure_frame import COPIED, FRAMES, Framed, csv, latex, markdown, page, picture_buttons
from components.provenance import Summary
from components.theme import DARK, GREYS, LIGHT, OTHERS, seen
from tests.components.test_theme import contrast

RECIPE = "A: weight=idf(fit=reference);post=zscore(fit=reference);reference=demo"
NUMBERS = pd.DataFrame({"sentence 1": ["a, b", 'say "c"', "# no comment"], "A": [0.5, 1 / 3, -1.0]})


def framed(title: str = "A finding", caption: tuple[str, ...] = (RECIPE, "demo · 1,650 pairs")) -> Framed:
    """A small figure in its frame."""
    figure = go.Figure(go.Scatter(x=[1, 2], y=[3, 4]), layout={"height": 350})
    return Framed("small", title, figure, caption, "alt", lambda: NUMBERS)


def test_numbers_come_after_their_caption():
    lines = csv(framed()).decode("utf-8-sig").splitlines()
    assert lines[:3] == ["# A finding", f"# {RECIPE}", "# demo · 1,650 pairs"]
    assert lines[3] == "sentence 1,A"


def test_a_spreadsheet_sees_that_it_is_utf_8():
    assert csv(framed()).startswith(b"\xef\xbb\xbf")


def test_numbers_are_read_back_exactly():
    numbers = NUMBERS.iloc[:2]
    made = Framed("small", "A finding", go.Figure(), (RECIPE,), "alt", lambda: numbers)
    read = pd.read_csv(io.BytesIO(csv(made)), comment="#", encoding="utf-8-sig")
    pd.testing.assert_frame_equal(read, numbers)


def test_numbers_are_read_back_whatever_the_sentences_hold():
    content = csv(framed()).decode("utf-8-sig")
    head = sum(line.startswith("# ") for line in content.splitlines()[:3])
    read = pd.read_csv(io.StringIO(content), skiprows=head)
    pd.testing.assert_frame_equal(read, NUMBERS)


@pytest.mark.parametrize("title", ["two\nlines", "carriage\rreturn"])
def test_a_line_break_does_not_end_a_comment(title):
    lines = csv(framed(title, (f"A: {title}",))).decode("utf-8-sig").splitlines()
    assert [line[:2] for line in lines[:2]] == ["# ", "# "]
    assert lines[2] == "sentence 1,A"


def test_a_page_needs_no_network():
    content = page(framed())
    assert not re.search(r"<script[^>]*\bsrc\s*=", content)
    assert "<link" not in re.sub(r"<script.*?</script>", "", content, flags=re.DOTALL)
    assert not re.search(r"<(img|iframe|object|embed)\b[^>]*\bhttps?:", content)
    assert "cdn.plot.ly" not in re.sub(r"<script.*?</script>", "", content, flags=re.DOTALL)
    assert len(content) > 1_000_000, "the library is inside"


def test_a_page_says_the_recipe_and_the_finding():
    content = page(framed())
    assert RECIPE in content
    assert "A finding" in content


@pytest.mark.parametrize("made", [page, picture_buttons])
def test_a_title_cannot_end_a_script(made):
    evil = "</script><script>window.__xss = 1</script>"
    content = made(framed(evil, (f"A: {evil}",)))
    assert "window.__xss = 1</script>" not in content
    assert "</script><script>window" not in content


def test_a_page_has_no_button_that_sends_it_away():
    assert '"showSendToCloud": false' in page(framed()) or '"showSendToCloud":false' in page(framed())


def about(content: str) -> dict:
    """What the buttons of a picture know of their figure."""
    return json.loads(re.search(r"const FIGURE = (\{.*\});", content).group(1))


def test_a_slide_has_title_caption_and_names_of_files():
    known = about(picture_buttons(framed()))
    assert known["title"] == "A finding"
    assert known["caption"] == [RECIPE, "demo · 1,650 pairs"]
    assert known["files"] == {"png": "strata_small.png", "svg": "strata_small.svg"}
    assert known["height"] == 350
    assert "width: 1600, height: 900" in picture_buttons(framed())
    assert picture_buttons(framed()).startswith('<html lang="en"><title>Pictures of: A finding</title>')


def test_the_figure_of_a_slide_has_no_size_or_title_of_its_own():
    layout = on_white(framed().figure).layout
    assert (layout.width, layout.height, layout.title.text, layout.autosize) == (None, None, None, True)


def test_a_figure_of_a_dark_page_can_be_read_on_white():
    figure = go.Figure(go.Scatter(x=[1], y=[2], line_color=DARK.b), layout={"template": DARK.template})
    figure.add_annotation(text="peak", x=1, y=2, font_color=DARK.text)
    made = on_white(figure)
    assert made.data[0].line.color == LIGHT.b
    assert made.layout.annotations[0].font.color == LIGHT.text
    assert made.layout.template.layout.font.color == LIGHT.text
    assert made.layout.paper_bgcolor == "#ffffff"
    colors = [(DARK.b, LIGHT.b), *((DARK.readable(one), one) for one in OTHERS)]
    for dark, light in colors:
        figure = go.Figure(go.Scatter(x=[1], line_color=dark, textfont_color=DARK.readable(dark)))
        figure.add_annotation(text="B", font_color=DARK.readable(dark))
        made = on_white(figure)
        assert made.data[0].line.color == light
        assert made.data[0].textfont.color == LIGHT.readable(light)
        assert made.layout.annotations[0].font.color == LIGHT.readable(light)


@pytest.mark.parametrize("color", [DARK.b, DARK.a, DARK.faint, *map(DARK.readable, OTHERS)])
def test_names_in_a_text_can_be_read_on_the_paper_that_they_come_to(color):
    """From a dark page into a file, and from a deck, which is light, onto a dark page."""
    figure = go.Figure(layout={"template": DARK.template})
    figure.add_annotation(text=f'<span style="color:{color}">● A</span>')
    white = on_white(figure)
    (written,) = re.findall(r"color:(#\w{6})", white.layout.annotations[0].text)
    assert contrast(written, "#ffffff") >= 4.5
    (again,) = re.findall(
        r"color:(#\w{6})", in_theme(json.loads(white.to_json()), DARK).layout.annotations[0].text
    )
    assert contrast(again, DARK.paper) >= 4.5


def test_white_numbers_of_dark_cells_stay_white_on_a_dark_page_whose_paper_does_not():
    cells = {"z": [[0.0]], "textfont": {"color": LIGHT.paper}}
    figure = go.Figure(go.Heatmap(cells, colorscale=[[0, LIGHT.grid], [1, LIGHT.paper]]))
    figure.add_annotation(text="0", font_color=LIGHT.paper)
    (dark,) = (made := in_theme(json.loads(on_white(figure).to_json()), DARK)).data
    assert (dark.textfont.color, made.layout.annotations[0].font.color) == (LIGHT.paper, LIGHT.paper)
    assert dark.colorscale == ((0, DARK.grid), (1, DARK.paper))


def test_greys_of_a_dark_page_are_those_of_a_light_one_on_white():
    for dark, light in zip(GREYS["dark"], GREYS["light"], strict=True):
        made = on_white(go.Figure(go.Scatter(x=[1], marker_color=dark)))
        assert made.data[0].marker.color == light


def test_shades_of_points_and_lines_are_those_that_can_be_seen_on_their_paper():
    points = go.Scatter(
        x=[1], marker={"color": [0], "colorscale": seen(DARK)}, line_color=seen(DARK)[-1][1]
    )
    white = on_white(go.Figure(points))
    assert white.data[0].marker.colorscale == tuple(map(tuple, seen(LIGHT)))
    assert white.data[0].line.color == seen(LIGHT)[-1][1]
    (again,) = in_theme(json.loads(white.to_json()), DARK).data
    assert again.marker.colorscale == tuple(map(tuple, seen(DARK)))
    assert again.line.color == seen(DARK)[-1][1]


def test_how_to_use_the_page_stands_in_no_file():
    hint = "A click on a cell chooses its head."
    made = replace(framed(), hint=hint)
    for content in (page(made), picture_buttons(made), csv(made).decode()):
        assert hint not in content


def test_a_table_is_copied_as_lines_with_tabs_unless_it_is_long():
    assert about(picture_buttons(framed()))["table"].splitlines()[0] == "sentence 1\tA"
    assert "Copy table" in picture_buttons(framed())
    long = replace(framed(), numbers=lambda: pd.DataFrame({"x": ["x" * 1000] * (COPIED // 1000 + 1)}))
    assert about(picture_buttons(long))["table"] == ""
    assert "Copy table" not in picture_buttons(long)


def test_files_are_named_for_page_figure_corpus_and_recipes():
    of = Summary(
        "scores", {"A": "last layer, mean", "B": "idf, z-score"}, {"A": "m", "B": "m"}, "STS-B test", "9"
    )
    made = replace(framed(), key="scores.scatter", summary=of)
    assert made.file_name("png") == "strata_scores_scatter_STS-B-test_A-last-layer-mean_B-idf-z-score.png"
    assert made.line == "STS-B test · 9 · m · A: last layer, mean · B: idf, z-score"
    models = replace(of, models={"A": "m", "B": "n"})
    assert replace(made, summary=models).file_name("csv").endswith("_B-idf-z-score_m_n.csv")
    assert replace(made, summary=models).line.startswith("STS-B test · 9 · A: m · B: n · A: last")


@pytest.mark.parametrize(
    "odd", ["../../etc/passwd", "a/b\\c:d*e?f", "<script>", "名前", "x" * 500, "..", "\0"]
)
def test_a_file_name_is_safe_whatever_the_recipe_is_called(odd):
    name = replace(framed(), summary=Summary("scores", {"A": odd}, {}, odd)).file_name("tex")
    assert re.fullmatch(r"strata_[\w+.-]{1,120}\.tex", name)
    assert ".." not in name


def test_a_page_s_script_cannot_be_ended_by_a_table():
    evil = pd.DataFrame({"x": ["</script><script>window.__xss = 1</script>"]})
    assert "</script><script>window" not in picture_buttons(replace(framed(), numbers=lambda: evil))


# -- tables


def test_markdown_has_a_rule_and_aligns_numbers():
    lines = markdown(framed()).decode().splitlines()
    assert lines[0] == "A finding  "
    assert lines[4:8] == [
        "| sentence 1 | A |",
        "| --- | ---: |",
        "| a, b | 0.500 |",
        '| say "c" | 0.333 |',
    ]


def test_markup_in_markdown_is_text():
    table = pd.DataFrame({"a|b": ["**x** | <b>"]})
    assert r"\*\*x\*\* \| \<b\>" in markdown(replace(framed(), numbers=lambda: table)).decode()


def test_latex_is_a_table_of_booktabs():
    text = latex(framed()).decode()
    for line in (
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"sentence 1 & A \\",
        r"a, b & 0.500 \\",
        r"\# no comment & $-$1.000 \\",
        r"\bottomrule",
    ):
        assert line in text.splitlines(), line
    assert text.count("{") == text.count("}")


def test_what_latex_would_take_for_commands_is_escaped():
    table = pd.DataFrame({"100 %": [r"a_b & $c$ #1 {x} ~ ^ \\ <s> | − ×"]})
    text = latex(replace(framed(), numbers=lambda: table)).decode()
    assert r"100 \%" in text
    expected = r"a\_b \& \$c\$ \#1 \{x\} \textasciitilde{} \textasciicircum{} "
    assert expected + r"\textbackslash{}\textbackslash{} \textless{}s\textgreater{} \textbar{}" in text


def test_a_table_without_rows_is_a_table():
    empty = replace(framed(), numbers=lambda: pd.DataFrame({"x": []}))
    assert "| x |" in markdown(empty).decode()
    assert r"\toprule" in latex(empty).decode()
    assert picture_buttons(empty)


def test_the_figure_on_the_page_is_left_as_it_is():
    made = framed()
    before = made.figure.to_json()
    picture_buttons(made)
    page(made)
    assert made.figure.to_json() == before


def test_other_notes_in_the_figure_are_kept():
    made = framed()
    made.figure.add_annotation(text="peak", x=1, y=3)
    assert on_white(made.figure).layout.annotations[0].text == "peak"


def pages_of_one_figure():
    """A page that draws one figure and counts how often its table is made."""
    import pandas as pd
    import plotly.graph_objects as go
    import streamlit as st

    from components import figure_frame

    def numbers():
        st.session_state["tables"] = st.session_state.get("tables", 0) + 1
        return pd.DataFrame({"x": [1, 2]})

    with figure_frame.collected() as frames:
        framed = figure_frame.Framed("small", "A finding", go.Figure(), (), "alt", numbers)
        figure_frame.show(framed)
        st.session_state["drawn"] = len(frames.drawn)
        if st.button("Download"):
            figure_frame.csv(framed)


def test_the_table_is_made_when_it_is_downloaded():
    at = AppTest.from_function(pages_of_one_figure, default_timeout=60).run()
    at.run()
    assert not at.exception
    assert "tables" not in at.session_state
    next(button for button in at.button if button.label == "Download").click().run()
    assert at.session_state["tables"] == 1


def test_a_run_collects_its_figures_and_lets_go_of_them():
    at = AppTest.from_function(pages_of_one_figure, default_timeout=60).run()
    assert at.session_state["drawn"] == 1
    assert at.session_state[FRAMES].drawn == []
    at.session_state[FRAMES].add(framed())
    assert at.session_state[FRAMES].drawn == [], "a fragment that runs by itself keeps no figure either"
