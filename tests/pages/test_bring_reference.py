"""Texts of one's own to learn from, brought in the editor of the reference."""

import gzip

from streamlit.testing.v1 import AppTest

from core.recipe import Recipe
from tests.core.helpers.texts import many
from tests.pages.reading import errors, pairs_of

TEXTS = [f"{text} today" for text in many(40)]


def bring() -> None:
    """The dialog's content on a page of its own, for recipe A."""
    import streamlit as st

    from components.bar import bring_reference
    from components.bar.control import Control
    from components.cached import shared_engine
    from core.recipe import REFERENCE, Recipe

    recipe = Recipe.parse(st.session_state.setdefault("a", "layers=last;weight=idf(fit=reference)"))
    bring_reference.form(Control("a", REFERENCE, recipe), shared_engine())


def brought(content: bytes, file_name: str) -> AppTest:
    at = AppTest.from_function(bring, default_timeout=60)
    at.session_state["frames"] = None
    at.run()
    return at.file_uploader[0].upload(file_name, content, "text/plain").run()


def test_a_text_file_is_looked_at_named_and_becomes_the_reference(visit, corpora, small):
    at = brought("\n".join([*TEXTS, "", "short", TEXTS[0]]).encode(), "my notes.txt")
    assert errors(at) == []
    assert "**41 texts**, 40 of them different" in [box.value for box in at.markdown]
    assert "2 of 43 lines are shorter than 10 characters" in " ".join(box.value for box in at.caption)
    assert len(at.dataframe[0].value) == 5
    at.text_input[0].set_value("Our notes").run()
    at.button(key="reference.use").click().run()
    assert errors(at) == []
    recipe = Recipe.parse(at.session_state["a"])
    name = recipe.spelled()["reference"]
    assert name.startswith("Our-notes-")
    corpora(dogs=pairs_of(many(60), lambda i: i * 7 % 6))
    page = visit("scores", corpus="dogs", a=f"{small};weight=idf(fit=reference);reference={name}", b="none")
    assert errors(page) == []
    assert page.metric[0].value[0].isdigit() or page.metric[0].value[0] == "−"
    link = {"corpus": "dogs", "a": f"{small};weight=idf(fit=reference);reference={name}", "b": "none"}
    editor = visit("scores", **link, edit="a.reference")
    menu = editor.selectbox(key="a/reference/options")
    assert "Our notes" in menu.options, "the option has the name, not the address"


def test_pasted_lines_are_texts_commas_and_all():
    at = AppTest.from_function(bring, default_timeout=60)
    at.session_state["frames"] = None
    at.run()
    at.text_area[0].set_value("\n".join(f"{text}, and more" for text in TEXTS)).run()
    assert errors(at) == []
    assert "**40 texts**, 40 of them different" in [box.value for box in at.markdown]
    at.button(key="reference.use").click().run()
    assert errors(at) == []
    assert Recipe.parse(at.session_state["a"]).spelled()["reference"].startswith("pasted-")


def test_a_column_of_a_table_may_be_the_texts():
    table = "\n".join(["id,what was said", *(f'{i},"{text}"' for i, text in enumerate(TEXTS))])
    at = brought(gzip.compress(table.encode()), "said.csv.gz")
    assert at.selectbox[0].value == "id"
    at.selectbox[0].select("what was said").run()
    assert errors(at) == []
    assert "**40 texts**, 40 of them different" in [box.value for box in at.markdown]


def test_one_text_is_one_in_words():
    at = brought(b"A text of some words.\n", "one.txt")
    assert "**1 text**, 1 of them different" in [box.value for box in at.markdown]


def test_what_is_no_text_is_said_and_nothing_can_be_used():
    at = brought(b"\x89PNG\r\n\x1a\n\xff\xfe", "picture.txt")
    assert any("cannot be read as UTF-8 text" in one for one in errors(at))
    assert not at.button
    at = brought(b"a\nb\n", "short.txt")
    assert any("has no line of 10 characters" in one for one in errors(at))
    assert at.button(key="reference.use").disabled


def test_a_column_without_a_name_gives_every_text():
    at = brought("\n".join(f"{text}." for text in TEXTS).encode(), "notes.tsv")
    assert "Read without names of columns: the first line is a row." in [box.value for box in at.caption]
    assert any(box.value.startswith("**40 texts**") for box in at.markdown)
    at.button(key="reference.use").click().run()
    assert errors(at) == []
    assert "reference=notes-" in at.session_state["a"]
