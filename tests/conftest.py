"""What every test stands on: no network, nothing written elsewhere, shapes checked at each call."""

import functools
import gc
import itertools
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from tests import checked_calls

DATA = os.environ.get("STRATA_DATA")
PAPERS = os.environ.get("STRATA_PAPERS")

# Each file is compiled once, and not in every process anew where the environment says to write nothing.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Before a library reads where its cache is: this file is imported before all others of the tests.
_TEMPORARY = tempfile.TemporaryDirectory(prefix="strata-tests-")
for _name in ("HF_HOME", "HF_HUB_CACHE", "HF_DATASETS_CACHE", "XDG_CACHE_HOME", "STRATA_CACHE"):
    os.environ[_name] = str(Path(_TEMPORARY.name) / _name.lower())
SHARED = "STRATA_TESTS_SHARE"
"""The folder of what all processes of a run share: the first one makes it, and removes it at the end."""
os.environ.setdefault(SHARED, _TEMPORARY.name)
os.environ |= {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
if os.environ.get("STRATA_NEEDS_GPU") != "1":  # the tests that need one set this; others read on the CPU
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ.setdefault("OMP_NUM_THREADS", "1")  # tiny models gain nothing from more, and lose to company

# Annotations of the rooms that hold arrays are checked at every call, shapes included; an int passes for a
# float. The other rooms have plain types, which mypy knows, and a recipe is parsed so often that most of
# the time would go there: STRATA_CHECK=core checks them too.
ARRAYS = "tokens corpora encoders stages sources pipeline evaluation analysis"
CHECKED = os.environ.get("STRATA_CHECK", " ".join(f"core.{room}" for room in ARRAYS.split())).split()
checked_calls.install(CHECKED)


LARGE = 10_000_000
"""Bytes from which a file is the weights of a whole encoder."""


LONG = (
    "tests/browser",
    "tests/campaign",
    "tests/test_",
    "tests/core/pipeline",
    "tests/core/sweeps",
    "tests/training",
)
"""Where the longest files are: several processes end together where these do not come last."""


SELDOM = 20_000, 10, 50
"""New objects before the garbage collector looks through them, and how often before it looks further."""


def pytest_configure(config):
    """Several processes take files in this order; pytest-xdist would take those of most tests first."""
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


NUMBERS = itertools.count()
"""Of tests that have no folder of their own."""


FEW = 3
"""Processes up to which the tests in Chromium are so small a part that one of them can take them all."""


@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_xdist_auto_num_workers(config):
    """One process more than cores where these are few: the one with Chromium waits for it much of the time.

    On 2 cores the whole run took 17 minutes in place of 23. What the environment says holds.
    """
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ or (cores := os.cpu_count() or 1) >= FEW:
        return None
    return cores + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Few processes have one server and one Chromium between them, and not each its own."""
    if config.option.dist != "loadfile" or len(config.option.tx) > FEW:
        return None
    from xdist.scheduler import LoadFileScheduling

    class OneBrowser(LoadFileScheduling):
        """All that needs a browser goes to one process, as if it were one file."""

        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            return "tests/browser" if file.startswith("tests/browser/") else file

    return OneBrowser(config, log)


def pytest_collection_modifyitems(items):
    """Long files first."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection():
    """A million objects of libraries come and stay: garbage is looked for among what tests make alone."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(*SELDOM)
        gc.enable()


def pytest_unconfigure():
    _TEMPORARY.cleanup()


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch, request):
    """The settings of whoever runs the tests do not reach them, and what a passed test kept is removed.

    The folder of a test that asks for none is made when something is kept there: pytest looks through all
    that there are whenever it makes another one. An emptied folder stays, so that no other test gets its
    path, by which files are told apart.
    """
    from core import settings_file

    for variable in (settings_file.VARIABLE, *map(settings_file.variable_of, settings_file.KEYS)):
        monkeypatch.delenv(variable, raising=False)
    asked = "tmp_path" in request.fixturenames
    folder = request.getfixturevalue("tmp_path") if asked else Path(_TEMPORARY.name) / f"{next(NUMBERS)}"
    monkeypatch.setenv("STRATA_CACHE", str(folder / "cache"))
    failed = request.session.testsfailed
    yield
    if request.session.testsfailed == failed:
        _empty(folder)


def _empty(folder: Path) -> None:
    """Remove what is in a folder: all tests together keep more than a small disk has."""
    with suppress(OSError), os.scandir(folder) as all_kept:
        for kept in all_kept:
            if kept.is_dir(follow_symlinks=False):
                shutil.rmtree(kept.path, ignore_errors=True)
            else:
                with suppress(OSError):
                    Path(kept.path).unlink()


@pytest.fixture(scope="session")
def lasting_cache() -> Path:
    """A cache of all tests that ask for numbers only, in all processes: what one reads others find."""
    return Path(os.environ[SHARED]) / "lasting-cache"


@pytest.fixture(scope="session")
def with_lasting_passes(lasting_cache) -> Callable[..., Path]:
    """Makes a folder a cache that shares what is stored with all tests; decks and searches are its own.

    With ``parts=("passes",)`` it shares what models read, and computes everything else by itself.
    """
    from core.storage.store import PARTS

    def make(folder: Path, parts: Sequence[str] = PARTS) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        for part in (*parts, "locks"):
            (lasting_cache / part).mkdir(parents=True, exist_ok=True)
            (folder / part).symlink_to(lasting_cache / part, target_is_directory=True)
        return folder

    return make


@pytest.fixture(scope="session", autouse=True)
def _weights_are_digested_once():
    """Most tests have a store of their own; each would read all weights of the bundled encoder."""
    from core.storage import store

    whole = store.sha256_of
    once = functools.cache(lambda path, *state: whole(path))

    def digest(path: Path) -> str:
        stat = path.stat()
        state = stat.st_size, stat.st_mtime_ns, stat.st_ino
        return once(path, *state) if stat.st_size > LARGE else whole(path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "sha256_of", digest)
        yield


@pytest.fixture(scope="session", autouse=True)
def _estimates_are_the_same_everywhere():
    """Which work asks first depends on how fast the machine is: tests have one of a given speed."""
    from core.sources import forward_passes

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(forward_passes, "operations_a_second", lambda *_: 2.2e11)
        yield


@pytest.fixture(autouse=True)
def _own_main():
    """A page that is run becomes ``__main__``, which processes of a later test would run again."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of evaluation data."""
    if not DATA:
        pytest.skip("STRATA_DATA names no folder of evaluation data")
    return Path(DATA)


@pytest.fixture(scope="session")
def paper_texts() -> dict[str, str]:
    """The texts of the papers by number: files ``000_….txt`` to ``004_….txt`` of one folder."""
    if not PAPERS:
        pytest.skip("STRATA_PAPERS names no folder with the texts of the papers")
    return {path.name[:3]: path.read_text("utf-8") for path in sorted(Path(PAPERS).glob("00[0-4]_*.txt"))}


@pytest.fixture
def few_topics(monkeypatch):
    """Of the topics that come along every seventh text: all of them take longer, and go the same way."""
    from core.corpora import catalogue

    whole = catalogue.topics

    def few():
        corpus = whole()
        return corpus.of_rows(np.arange(0, corpus.rows, 7))

    monkeypatch.setattr(catalogue, "topics", few)


@pytest.fixture(scope="session")
def app_test() -> Iterator[None]:
    """AppTest without what it does at every run in the page's own time: only tests of pages load Streamlit.

    It would read the metadata of every installed package, in search of components, and look a thousand
    times a second whether the page is done: here it waits for the page's thread.
    """
    from streamlit.components.v2 import manifest_scanner
    from streamlit.testing.v1 import local_script_runner

    look = local_script_runner.require_widgets_deltas

    def wait(runner, timeout: float = 3) -> None:
        runner._script_thread.join(timeout)
        look(runner, 0.1)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", lambda *_, **__: [])
        patch.setattr(local_script_runner, "require_widgets_deltas", wait)
        yield


@pytest.fixture
def through_the_door(app_test) -> Iterator[None]:
    """AppTest forgets between runs that app.py has a navigation, and would run pages past it."""
    from components.streamlit_inside import pages

    with pages.folder_left_alone():
        yield
