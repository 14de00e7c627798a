"""Settings from the environment, overridden by what is given, refused when they are no use."""

from pathlib import Path

import pytest

from core.errors import StrataError
from core.settings import Settings


def test_the_environment_is_read_and_what_is_given_goes_before(monkeypatch, tmp_path):
    monkeypatch.setenv("STRATA_CACHE", str(tmp_path / "c"))
    monkeypatch.setenv("STRATA_DATA", str(tmp_path))
    monkeypatch.setenv("STRATA_CACHE_GB", "1.5")
    monkeypatch.setenv("STRATA_MEMORY_GB", "0.25")
    monkeypatch.setenv("STRATA_JOBS", "3")
    monkeypatch.setenv("STRATA_FORWARD", "bfloat16")
    monkeypatch.setenv("STRATA_STORAGE", "float16")
    found = Settings.from_environment(storage="float32", forward=None)
    assert (found.cache, found.data, found.budget_bytes) == (tmp_path / "c", tmp_path, 1_500_000_000)
    assert found.memory_bytes == 250_000_000
    assert (found.forward, found.storage) == ("bfloat16", "float32")


def test_the_cache_is_in_the_users_cache_folder(monkeypatch):
    monkeypatch.delenv("STRATA_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    assert Settings.from_environment().cache == Path("/x/sentence-strata")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert Settings.from_environment().cache == Path.home() / ".cache" / "sentence-strata"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("STRATA_CACHE_GB", "lots", "STRATA_CACHE_GB: got 'lots'"),
        ("STRATA_CACHE_GB", "-1", "number of gigabytes"),
        ("STRATA_UPLOADS_GB", "many", "STRATA_UPLOADS_GB: got 'many'"),
        ("STRATA_CACHE_GB", "nan", "number of gigabytes"),
        ("STRATA_MEMORY_GB", "all", "STRATA_MEMORY_GB: got 'all'; allowed is a number of gigabytes"),
        ("STRATA_MEMORY_GB", "-0.5", "number of gigabytes"),
        ("STRATA_JOBS", "many", "STRATA_JOBS: got 'many'"),
        ("STRATA_JOBS", "0", "1 or more"),
        ("STRATA_FORWARD", "float64", "forward: got 'float64'; allowed is float32 or bfloat16"),
        ("STRATA_STORAGE", "int8", "storage: got 'int8'; allowed is float32 or float16"),
        ("STRATA_DATA", "/no/such/folder", "data folder '/no/such/folder' does not exist"),
    ],
)
def test_values_of_no_use_are_refused(monkeypatch, name, value, said):
    monkeypatch.setenv(name, value)
    with pytest.raises(StrataError, match=said):
        Settings.from_environment()
