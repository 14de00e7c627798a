"""The pages as Streamlit runs them, without a browser."""

from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.core.helpers import tiny

APP = Path(__file__).parents[2] / "app.py"
SECONDS = 120


@pytest.fixture(scope="session")
def passes(tmp_path_factory) -> Path:
    """A cache that lasts from test to test, so that what was read once is found again."""
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="session")
def small(tmp_path_factory) -> str:
    """A recipe on a tiny model of three layers and four heads."""
    return f"source={tiny.build('bert', tmp_path_factory.mktemp('models') / 'bert')};layers=last"


@pytest.fixture(autouse=True)
def _fresh_engine(_own_settings, monkeypatch, passes):
    """Streamlit keeps its caches between tests: begin each with a new engine on the same stored passes."""
    monkeypatch.setenv("STRATA_CACHE", str(passes))
    st.cache_data.clear()
    st.cache_resource.clear()


@pytest.fixture
def visit() -> Callable[..., AppTest]:
    """``visit("scores", a="layers=0")``: a page as opened by a link with these query parameters."""

    def opened(page: str = "compare", **query: str) -> AppTest:
        at = AppTest.from_file(str(APP), default_timeout=SECONDS)
        for name, value in query.items():
            at.query_params[name] = value
        if page != "compare":
            at.switch_page(f"pages/{page}.py")
        return at.run()

    return opened


@pytest.fixture
def corpora(tmp_path, monkeypatch) -> Callable[..., None]:
    """``corpora(odd="sentence1\\t…")`` puts tables into a data folder that the pages then offer."""

    def made(**tables: str) -> None:
        folder = tmp_path / "data" / "sts"
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in tables.items():
            (folder / f"{name}.tsv").write_text(text, "utf-8")
        monkeypatch.setenv("STRATA_DATA", str(folder.parent))

    return made
