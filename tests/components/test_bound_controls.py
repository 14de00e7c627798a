"""Every control that changes numbers, or what is shown, is in the link."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

CONTROLS = {
    *("selectbox", "multiselect", "slider", "select_slider", "number_input", "text_input", "text_area"),
    *("toggle", "checkbox", "radio", "pills", "segmented_control", "tabs", "file_uploader", "data_editor"),
    *("color_picker", "date_input", "time_input", "feedback", "chat_input"),
}
"""Calls that draw a control."""

WITH_KEY = {"expander", "popover", "dataframe"}
"""Calls that draw a control only where they are given ``on_change`` or ``on_select``."""

HELPERS = {"segments", "menu", "folded"}
"""Functions of components/controls.py that draw a bound control; the key is their third argument."""

ALLOWED = {
    (
        "components/bar/bring_reference.py",
        "",
    ): "how a file is read before it is kept; the recipe is then bound",
    ("components/bar/arguments.py", ""): "writes into recipe A or B, which is bound",
    ("components/bar/options.py", ""): "writes into recipe A or B, which is bound",
    ("components/bar/menu.py", "Preset"): "writes into recipe A or B, which is bound",
    ("components/bar/rows.py", "Compare with recipe B"): "writes into recipe B, which is bound",
    ("components/bar/editor.py", "for A and B"): "whether a model is written into both recipes",
    ("components/corpus/menu.py", "label"): "writes into the corpus, which is bound",
    ("components/corpus/menu.py", "By name"): "writes into the corpus, which is bound",
    ("components/corpus/menu.py", "words.label(corpus"): "opens the corpus menu",
    ("components/bring_file.py", ""): "how a file is read before it is kept; what it gives is then bound",
    ("components/bring_pairs.py", ""): "how a file is read before it is kept; the corpus is then bound",
    ("components/link/copying.py", "Link"): "shows the link itself",
    ("components/link/copying.py", "With your deck"): "what the link says, not what it shows",
    ("components/compare/page.py", "Sentence"): "shows the links that open a sentence on other pages",
    ("components/compare/pairs.py", "table"): "writes into the pair, which is bound",
    ("components/deck/bring.py", ""): "opens a deck, whose address is then bound",
    ("components/deck/page.py", "Add"): "opens what becomes a slide of the deck",
    ("components/deck/page.py", "Title of the deck"): "writes into the deck, which is bound",
    ("components/deck/offer.py", "Five papers"): "opens a deck, whose address is then bound",
    ("components/deck/page.py", "Table, with"): "what is pasted before it becomes a slide of the deck",
    ("components/deck/slide.py", "label"): "writes into the deck, which is bound",
    ("components/figure_frame.py", "Save"): "opens downloads",
    ("components/held.py", "What the browser has heard"): "out of sight: what of the page is shown by now",
    ("components/job/panel.py", "Keep running when I leave"): "whether work goes on, not what it gives",
    ("components/methods/in_print.py", "styled"): "shows the link that opens a printed figure on Papers",
    ("components/methods/page.py", "Method"): "writes into the method, which is bound",
    ("components/methods/table.py", "table_numbers"): "writes into the method, which is bound",
    ("components/mixing/chosen_cell.py", "w'"): "writes into the share, which is bound",
    ("components/scores/kept.py", "Name to keep"): "the name of what is kept, not of what is shown",
    ("components/scores/history.py", "table"): "a row is taken as recipe A or B, which are bound",
    ("components/scores/kept.py", "table_numbers"): "a row is taken as recipe A or B, which are bound",
    ("components/scores/worst_pairs.py", "table"): "shows the links that open a pair on other pages",
    ("components/tokens/sentence_neighbours.py", "table"): "writes into the rank, which is bound",
}
"""Controls that need not be in the link, by file and the beginning of their first argument, and why."""


@cache
def controls() -> list[tuple[str, str, bool]]:
    """Every control of the pages: its file, the source of its first argument, and whether it is bound."""
    found = []
    for path in sorted(
        [*(ROOT / "components").rglob("*.py"), *(ROOT / "pages").glob("*.py"), ROOT / "app.py"]
    ):
        name = path.relative_to(ROOT).as_posix()
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute | ast.Name):
                continue
            kind = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id
            given = {word.arg: word.value for word in call.keywords}
            if _is_helper(call):
                found.append((name, ast.unparse(call.args[0]), True))
            reacts = given.keys() & {"on_change", "on_select"}
            if kind in CONTROLS or (kind == "widget") or (kind in WITH_KEY and reacts):
                bind = given.get("bind")
                bound = isinstance(bind, ast.Constant) and bind.value == "query-params" and "key" in given
                label = ast.unparse(call.args[0]) if call.args else ""
                found.append((name, re.sub("^f?['\"]", "", label), bound))
    return found


def _is_helper(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in HELPERS


def test_controls_are_found():
    names = [name for name, _, _ in controls()]
    assert len(names) > 50
    assert {"components/controls.py", "components/selection.py", "pages/scores.py"} <= set(names)


@pytest.mark.parametrize(("name", "label", "bound"), controls())
def test_a_control_is_bound_to_the_link(name, label, bound):
    allowed = any(name == file and label.startswith(start) for file, start in ALLOWED)
    assert bound is not allowed, f"{name}: {label} needs key= and bind='query-params'"


def test_what_is_allowed_is_there():
    there = controls()
    for file, start in ALLOWED:
        assert any(name == file and label.startswith(start) for name, label, _ in there), (file, start)


def bound_keys() -> set[str]:
    """The parameters of all bound controls whose key stands in the source, beside those of helpers."""
    return set(_bound_keys())


@cache
def _bound_keys() -> list[str]:
    keys = []
    for path in [*(ROOT / "components").rglob("*.py"), *(ROOT / "pages").glob("*.py")]:
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            given = {word.arg: word.value for word in call.keywords} if isinstance(call, ast.Call) else {}
            if "bind" in given and isinstance(given["key"], ast.Constant):
                keys.append(given["key"].value)
            elif isinstance(call, ast.Call) and _is_helper(call):
                keys.append(
                    ast.literal_eval(call.args[2]) if isinstance(call.args[2], ast.Constant) else ""
                )
    return [key for key in keys if key]


def test_no_two_controls_share_a_parameter():
    """A key stands once; those that several pages share are drawn by one function."""
    keys = _bound_keys()
    assert sorted(keys) == sorted(set(keys))
