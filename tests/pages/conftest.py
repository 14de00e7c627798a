"""The pages as Streamlit runs them, without a browser."""

import time
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from components import cached
from components.bar import score
from components.cached import shared_queue
from core.corpora.catalogue import Catalogue
from core.pipeline.engine import Engine
from core.pipeline.references import References
from core.settings import Settings
from tests import checked_figures
from tests.core.helpers import tiny
from tests.core.helpers.texts import many
from tests.pages.reading import htmls, table_of

APP = Path(__file__).parents[2] / "app.py"
SECONDS = 120


class Visit(AppTest):
    """A page as a visitor sees it: after each run it waits for the work asked for, and is drawn anew.

    ``patient`` False shows what stands there while work goes on. The scores at the end of the bar's rows
    are waited for where a test asks for them, by :func:`bar_scores`.
    """

    patient = True
    has_scores = False

    def _run(self, *arguments, **named):
        at = super()._run(*arguments, **named)
        end = time.monotonic() + SECONDS
        while self.patient and self._is_unfinished() and time.monotonic() < end:
            for job in shared_queue().active():
                assert job.wait(max(0.0, end - time.monotonic())), f"{job.what} does not end"
            at = super()._run(self._tree.get_widget_states())
        return at

    def _is_unfinished(self) -> bool:
        """Whether a panel of work stands on the page, or the sign of a score that is computed."""
        is_going = any(str(button.key).endswith(".stop") for button in self.button)
        return is_going or (self.has_scores and f"<strong>{score.COMING}</strong>" in htmls(self))


@pytest.fixture(scope="session")
def passes(tmp_path_factory, with_lasting_passes) -> Path:
    """A cache that lasts from test to test, so that what was read once is found again."""
    return with_lasting_passes(tmp_path_factory.mktemp("pages"))


@pytest.fixture(scope="session")
def small(tmp_path_factory) -> str:
    """A recipe on a tiny model of three layers and four heads."""
    return f"source={tiny.build('bert', tmp_path_factory.mktemp('models') / 'bert')};layers=last"


@pytest.fixture(scope="session")
def engine_on_passes(passes) -> Callable[[], Engine]:
    """Gives the engine: one on the stored passes serves all tests with the same settings, as all visitors.

    What it keeps is named by content, so that it goes on with another data folder, too. On another cache
    Streamlit keeps the engine, as in the dashboard.
    """
    kept: dict[Settings, Engine] = {}
    of_streamlit = cached._engine

    def engine() -> Engine:
        settings = Settings.for_pages()
        if settings.cache != passes:
            return of_streamlit()
        if settings not in kept:
            anywhere = replace(settings, data=None)
            whole = kept.get(anywhere) or Engine(anywhere)
            kept.clear()
            kept.update({anywhere: whole, settings: _with_data(whole, settings)})
        return kept[settings]

    return engine


def _with_data(engine: Engine, settings: Settings) -> Engine:
    """An engine with all that another one has in memory, and the corpora of a data folder."""
    other = copy(engine)
    other.settings = settings
    other.catalogue = Catalogue(settings.data, other.uploads, settings.trust)
    other._corpora = copy(engine._corpora)
    other._corpora._catalogue = other.catalogue
    other.references = References(other._corpora, other.passes)
    return other


@pytest.fixture
def new_engine() -> None:
    """Asked for by a test that starts the dashboard again on the stored passes."""


@pytest.fixture(autouse=True)
def _engine(_own_settings, request, monkeypatch, tmp_path_factory, passes, engine_on_passes):
    """Begin each test without what Streamlit keeps between them, on the same stored passes."""
    monkeypatch.setenv("STRATA_CACHE", str(passes))
    monkeypatch.setenv("STRATA_FOLDERS", str(tmp_path_factory.getbasetemp()))
    st.cache_data.clear()
    st.cache_resource.clear()
    if "new_engine" not in request.fixturenames:
        monkeypatch.setattr(cached, "_engine", engine_on_passes)


@pytest.fixture(autouse=True)
def _figures_are_checked(monkeypatch):
    checked_figures.watch(monkeypatch)


@pytest.fixture(autouse=True)
def _through_the_door(through_the_door):
    """Every page is run by app.py."""


@pytest.fixture
def bar_scores() -> None:
    """Asked for by a test of the scores at the end of the bar's rows."""


@pytest.fixture(autouse=True)
def _bar_without_scores(request, monkeypatch):
    """They are work of their own after each run of a page: left out where no test looks at them."""
    has_scores = "bar_scores" in request.fixturenames
    monkeypatch.setattr(Visit, "has_scores", has_scores)
    if not has_scores:
        monkeypatch.setattr(score, "begin", lambda aside, scores: None)


TUNED = {"a": "layers=last", "b": "weight=idf(fit=reference);post=zscore(fit=reference)"}
"""Recipes on the model that is tuned for sentences."""


@pytest.fixture
def visit(request) -> Callable[..., AppTest]:
    """``visit("scores", a="layers=0")``: a page as opened by a link with these query parameters.

    With ``patient=False`` it is seen while its work goes on. A module that sets ``RECIPES`` opens its pages
    with these unless a test says otherwise.
    """
    recipes: dict[str, str] = getattr(request.module, "RECIPES", {})

    def opened(page: str = "compare", *, patient: bool = True, **query: str) -> AppTest:
        at = Visit(APP, default_timeout=SECONDS)
        at.patient = patient
        for name, value in (recipes | query).items():
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


@pytest.fixture
def data(corpora, tmp_path) -> None:
    """Pairs called dogs, and labelled texts called films, with few rows."""
    texts = many(60)
    corpora(dogs=table_of([(texts[2 * i], texts[2 * i + 1], i % 5) for i in range(12)]))
    folder = tmp_path / "data" / "classification"
    folder.mkdir()
    rows = [
        f"{text}\t{'girl' if 'girl' in text else 'other'}\t{'test' if i % 3 == 0 else 'train'}"
        for i, text in enumerate(texts)
    ]
    (folder / "films.tsv").write_text("\n".join(["text\tlabel\tsplit", *rows]) + "\n", "utf-8")
