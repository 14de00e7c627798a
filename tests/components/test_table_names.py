"""Tables have a name for who hears the page."""

import ast
from pathlib import Path

import pytest

import components

FILES = sorted(Path(components.__file__).parent.rglob("*.py"))


def tables(file: Path) -> list[ast.Call]:
    """The calls of ``st.dataframe`` and ``st.table``, which Streamlit draws without a name of their own."""
    return [
        node
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("dataframe", "table", "data_editor")
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "st"
    ]


@pytest.mark.parametrize("file", [file for file in FILES if tables(file)], ids=lambda file: file.stem)
def test_every_table_has_a_name(file):
    for call in tables(file):
        assert "alt" in {keyword.arg for keyword in call.keywords}, f"{file}:{call.lineno}"


def test_tables_are_found():
    assert sum(len(tables(file)) for file in FILES) > 20
