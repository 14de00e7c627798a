"""What every test stands on: no network, and nothing written outside temporary folders."""

import os
import tempfile
from pathlib import Path

import pytest

DATA = os.environ.get("STRATA_DATA")
_TEMPORARY = pytest.StashKey[tempfile.TemporaryDirectory]()


def pytest_configure(config):
    """Point every cache at a temporary folder before a library reads where its own is."""
    folder = config.stash[_TEMPORARY] = tempfile.TemporaryDirectory(prefix="strata-tests-")
    for name in ("HF_HOME", "HF_HUB_CACHE", "HF_DATASETS_CACHE", "XDG_CACHE_HOME", "STRATA_CACHE"):
        os.environ[name] = str(Path(folder.name) / name.lower())
    os.environ |= {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}


def pytest_unconfigure(config):
    config.stash[_TEMPORARY].cleanup()


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch, tmp_path):
    """The settings of whoever runs the tests do not reach them."""
    for name in ("STRATA_DATA", "STRATA_FORWARD", "STRATA_STORAGE", "STRATA_CACHE_GB"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STRATA_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of evaluation data."""
    if not DATA:
        pytest.skip("STRATA_DATA names no folder of evaluation data")
    return Path(DATA)
