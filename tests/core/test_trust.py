"""What a name may open: everything from the command line, allowed folders alone from a link."""

import os
from pathlib import Path

import pytest

from core.corpora.corpus import Corpus
from core.encoders import models
from core.encoders.bundled_encoders import BUNDLED
from core.errors import CorpusError, ModelError, StrataError, shorten
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.settings import Settings
from core.trust import Trust
from tests.core.helpers.texts import many

CORPUS = Corpus.of_texts("t", many(3))
SOURCES = (
    'source="{}"',
    'source=averaged(model="{}")',
    'source=vectors(path="{}")',
    'weight=idf(fit=reference);reference="{}"',
    'mix=averaged(w=0.5);reference="{}"',
)


@pytest.fixture
def linked(tmp_path) -> Engine:
    """An engine that takes its names from links and may open one folder."""
    (tmp_path / "allowed").mkdir()
    trust = Trust((tmp_path / "allowed",), downloads=False)
    return Engine(Settings(cache=tmp_path / "cache", trust=trust))


@pytest.mark.parametrize("source", SOURCES)
def test_a_path_outside_is_refused_alike_whether_it_exists(linked, model, vectors_file, texts_file, source):
    said = set()
    for path in (model("bert"), vectors_file, texts_file, Path("/etc/passwd"), Path("/no/such/thing")):
        with pytest.raises((ModelError, CorpusError)) as caught:
            linked.embed(Recipe.parse(source.format(path)), CORPUS)
        said.add(str(caught.value).replace(shorten(path), "'PATH'").replace(str(path), "PATH"))
    assert len({text.partition("PATH")[2] or text.partition("' ")[2] for text in said}) == 1


def test_what_is_allowed_is_opened(linked, model, vectors_file, texts_file, tmp_path):
    for path in (model("bert"), vectors_file, texts_file):
        (tmp_path / "allowed" / path.name).symlink_to(path)  # a link inside leads outside
        with pytest.raises(StrataError):
            linked.source(Recipe.parse(SOURCES[0].format(tmp_path / "allowed" / path.name)))
        with pytest.raises(StrataError):
            linked.source(Recipe.parse(SOURCES[2].format(tmp_path / "allowed" / path.name)))
    free = Engine(Settings(cache=tmp_path / "cache", trust=Trust((model("bert").parent.parent,))))
    assert free.source(Recipe.parse(f"source={model('bert')}")).name == "bert"


@pytest.mark.parametrize(
    "text",
    [
        "{}/../secret",
        "{}/../allowed2/x",
        "{}2",
        "~nobody-here/x",
        "a\0b",
        "x" * 5000,
        "",
        ".",
        "/",
        "{}/loop",
    ],
)
def test_what_resolves_to_another_place_or_to_none_is_not_opened(tmp_path, text):
    folder = tmp_path / "allowed"
    folder.mkdir()
    (folder / "loop").symlink_to(folder / "loop")
    assert Trust((folder,)).path(text.format(folder)) is None


def test_the_folder_may_be_a_link_itself(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    trust = Trust((tmp_path / "link",))
    assert trust.path(str(tmp_path / "link" / "x")) == tmp_path / "real" / "x"
    assert trust.path(str(tmp_path / "real" / "x")) == tmp_path / "real" / "x"


def test_folders_come_from_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("STRATA_FOLDERS", os.pathsep.join([str(tmp_path), "", " ", "/srv/models"]))
    assert Settings.for_pages().trust == Trust((tmp_path, Path("/srv/models")), downloads=False)
    monkeypatch.delenv("STRATA_FOLDERS")
    assert Settings.for_pages().trust == Trust((), downloads=False)


def test_python_and_the_command_line_open_everything(monkeypatch):
    monkeypatch.setenv("STRATA_FOLDERS", "/srv/models")
    assert Settings.from_environment().trust == Trust()
    assert Trust().path("/etc/passwd") == Path("/etc/passwd")


def test_models_that_are_not_listed_are_refused_whether_they_are_here_or_not(monkeypatch, tmp_path, model):
    asked = []
    monkeypatch.setattr(
        models, "snapshot", lambda repository, download: asked.append(repository) or tmp_path
    )
    trust = Trust((model("bert").parent,), downloads=False, models=("lab/*", "bert-base-uncased@86b5e09"))
    for source in ("other/model", "bert-base-uncased", "bert-base-uncased@main"):
        with pytest.raises(ModelError, match=r"none of the models .* bundled, untuned, lab/\*"):
            models.locate(source, str, trust)
    assert not asked
    for source in ("lab/one", "lab/one@main", "bert-base-uncased@86b5e09"):
        with pytest.raises(ModelError, match="is no model: it has no config"):
            models.locate(source, str, trust)
    assert len(asked) == 3
    assert models.locate("bundled", lambda _: BUNDLED[0].sha256, trust).depth == 6
    assert models.locate(str(model("bert")), lambda _: "0", trust).folder == model("bert").resolve()


def test_models_that_are_not_listed_are_not_offered(monkeypatch):
    monkeypatch.setattr(models, "cached_models", lambda: ["lab/one", "other/model"])
    assert [name for name, _ in models.available(Trust(models=("lab/*",)))] == [
        "bundled",
        "untuned",
        "lab/one",
    ]
    assert len(models.available()) == 4
