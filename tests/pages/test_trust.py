"""What a link may open: models that are here, folders that are allowed, and no download unasked."""

import os
import shutil
import threading
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.storage import hub
from tests.core.helpers import tiny
from tests.pages.conftest import TUNED
from tests.pages.reading import captions, errors, figures, pairs_of, plain, press, told

RECIPES = TUNED


COMMIT = "0123456789abcdef0123456789abcdef01234567"
REFUSED = "no folder that may be opened from here"


@pytest.fixture
def allowed(tmp_path, monkeypatch) -> Path:
    """The one folder that links may name."""
    folder = tmp_path / "allowed"
    folder.mkdir()
    monkeypatch.setenv("STRATA_FOLDERS", str(folder))
    return folder


@pytest.fixture
def bert(tmp_path) -> Path:
    """A model outside that folder."""
    return tiny.build("bert", tmp_path / "outside" / "bert")


@pytest.fixture
def distant(tmp_path, monkeypatch, bert):
    """A hub that has ``owner/tiny``; ``distant.downloads`` counts what was downloaded."""
    import huggingface_hub
    from huggingface_hub import constants
    from huggingface_hub.errors import LocalEntryNotFoundError

    cache = tmp_path / "hub"
    cache.mkdir()
    state = SimpleNamespace(downloads=[], go=threading.Event())
    state.go.set()

    def snapshot_download(identifier, *, local_files_only=False, dry_run=False, **_):
        folder = cache / f"models--{identifier.replace('/', '--')}" / "snapshots" / COMMIT
        if local_files_only:
            if not folder.is_dir():
                raise LocalEntryNotFoundError("not here")
            return str(folder)
        if identifier != "owner/tiny":
            raise OSError(f"404: there is no {identifier}")
        if dry_run:
            return [SimpleNamespace(file_size=2_500_000, will_download=True)]
        assert state.go.wait(30)
        state.downloads.append(identifier)
        shutil.copytree(bert, folder)
        return str(folder)

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(cache))
    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot_download)
    monkeypatch.setattr(hub, "_require_reach", lambda _: None)
    return state


def infos(at) -> list[str]:
    return [plain(box.value) for box in at.info]


def test_the_dashboard_listens_on_this_machine_alone_and_asks_its_user_for_no_secrets():
    """Streamlit would look for them in the home folder, and end at its start where that cannot be read."""
    config = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text())
    assert config["server"]["address"] == "localhost"
    assert config["secrets"]["files"] == []


@pytest.mark.parametrize("page", ["compare", "scores"])
@pytest.mark.parametrize(
    "source",
    [
        "source={}",
        "source=averaged(model={})",
        "source=vectors(path={})",
        "weight=idf(fit=reference);reference={}",
    ],
)
def test_a_link_does_not_tell_whether_a_path_exists(visit, allowed, tmp_path, page, source):
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "words.txt").write_text("a 1 2\nb 2 3\n" * 20)
    for name in ("{}", "{}/words.txt"):
        there, absent = (
            errors(visit(page, a=source.format(f'"{tmp_path / name.format(folder)}"'), b="none"))
            for folder in ("secret", "absent")
        )
        assert there
        assert [error.replace("secret", "absent") for error in there] == absent


@pytest.mark.parametrize(
    "way", ["{outside}", "{allowed}/../outside/bert", "{allowed}/link", "~nobody/bert", "/" + "x" * 1000]
)
def test_a_folder_outside_the_allowed_ones_is_refused(visit, allowed, bert, way):
    (allowed / "link").symlink_to(bert)
    source = way.format(outside=bert, allowed=allowed)
    at = visit(a=f'source="{source}"', b="none")
    assert errors(at)
    assert all(REFUSED in error and "STRATA_FOLDERS" in error for error in errors(at))
    assert "config.json." not in told(at)
    assert figures(at) == []


def test_a_folder_that_is_allowed_is_read_through_a_link(visit, allowed, bert, tmp_path):
    shutil.copytree(bert, allowed / "own")
    (tmp_path / "short").symlink_to(allowed)
    at = visit(a=f'source="{tmp_path / "short" / "own"}";layers=last', b="none")
    assert errors(at) == []
    assert "own" in captions(at)


def test_no_folder_is_allowed_unless_somebody_says_so(visit, bert, monkeypatch):
    monkeypatch.delenv("STRATA_FOLDERS")
    assert any(REFUSED in error for error in errors(visit(a=f'source="{bert}"', b="none")))


def test_a_name_of_the_working_folder_is_a_hub_id(visit, allowed, monkeypatch, tmp_path):
    (tmp_path / "core").mkdir()
    monkeypatch.chdir(tmp_path)
    assert any("'core' is not on this machine" in error for error in errors(visit(a="source=core")))


def test_a_model_beside_is_refused_alike(visit, allowed, bert):
    at = visit("layers", beside=str(bert))
    assert any(REFUSED in error for error in errors(at))


@pytest.mark.parametrize("there", [True, False])
def test_a_corpus_in_an_allowed_folder_is_named_by_its_path(visit, allowed, tmp_path, there):
    folder = allowed if there else tmp_path
    (folder / "own.tsv").write_text(pairs_of([f"sentence number {i} of them" for i in range(40)]))
    at = visit("scores", corpus=str(folder / "own.tsv"), b="none")
    assert ("own · 20 pairs" in captions(at)) is there
    assert ("demo test · 865 pairs" in captions(at)) is not there
    assert any("names a corpus" in plain(box.value) for box in at.warning) is not there


# -- downloads


def test_a_link_downloads_nothing_before_the_visitor_says_so(visit, distant):
    at = visit(a="source=owner/tiny;layers=last", b="none")
    assert distant.downloads == []
    assert any("'owner/tiny' is not on this machine; a download" in text for text in infos(at))
    assert any("2.5 MB" in text for text in infos(at))
    press(at, "Download")
    assert distant.downloads == ["owner/tiny"]
    assert errors(at) == []
    assert "owner/tiny" in captions(at)
    assert not [button for button in at.button if button.label == "Download"]


def test_a_long_download_is_shown_and_other_visitors_join_it(visit, distant):
    distant.go.clear()
    link = {"a": "source=owner/tiny;layers=last", "b": "none"}
    at = press(visit(patient=False, **link), "Download")
    assert [button.label for button in at.button].count("Stop") == 1
    other = visit(patient=False, **link)
    assert not [button for button in other.button if button.label == "Download"]
    distant.go.set()
    for page in (at, other):
        page.patient = True
        page.run()
        assert errors(page) == []
        assert "owner/tiny" in captions(page)
    assert distant.downloads == ["owner/tiny"]


def test_a_download_for_both_recipes_is_asked_for_once(visit, distant):
    at = visit(a="source=owner/tiny", b="source=owner/tiny;layers=last")
    assert [button.label for button in at.button].count("Download") == 1


def test_a_model_that_is_here_is_free_for_the_next_visitor(visit, distant):
    press(visit(a="source=owner/tiny", b="none"), "Download")
    at = visit(a="source=owner/tiny;layers=last", b="none")
    assert errors(at) == []
    assert distant.downloads == ["owner/tiny"]


def test_a_model_beside_is_asked_for_beside(visit, distant):
    at = visit("layers", beside="owner/tiny")
    assert distant.downloads == []
    press(at, "Download")
    assert distant.downloads == ["owner/tiny"]


def test_a_benchmark_is_asked_for_too(visit, distant, monkeypatch):
    import huggingface_hub

    sized = huggingface_hub.snapshot_download
    monkeypatch.setattr(
        huggingface_hub,
        "snapshot_download",
        lambda name, **given: sized("owner/tiny" if given.get("dry_run") else name, **given),
    )
    at = visit("scores", corpus="stsb")
    assert any("'mteb/stsbenchmark-sts' is not on this machine; a download" in text for text in infos(at))
    assert distant.downloads == []
    press(at, "Download")
    assert any("404" in error for error in errors(at))
    assert [button.label for button in at.button].count("Download") == 0


def test_a_reference_is_asked_for_too(visit, distant, monkeypatch):
    import huggingface_hub

    sized = huggingface_hub.snapshot_download
    monkeypatch.setattr(
        huggingface_hub,
        "snapshot_download",
        lambda name, **given: sized("owner/tiny" if given.get("dry_run") else name, **given),
    )
    at = visit(a="weight=idf(fit=reference);reference=stsb", b="none")
    assert distant.downloads == []
    assert [button.label for button in at.button].count("Download") == 1


def test_what_the_hub_does_not_have_is_no_question(visit, distant):
    at = visit(a="source=owner/other", b="none")
    assert any("The hub does not give the model 'owner/other': 404" in error for error in errors(at))
    assert not [button for button in at.button if button.label == "Download"]


@pytest.mark.parametrize("revision", ["../../refs", "/etc/passwd", "..", "a/../../b", ".hidden"])
def test_a_revision_stays_in_the_cache(visit, distant, revision):
    at = visit(a=f'source="owner/tiny@{revision}"', b="none")
    assert any(REFUSED in error for error in errors(at))
    assert os.sep not in distant.downloads
