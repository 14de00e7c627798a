"""Settings from the environment, overridden by what is given, refused when they are no use."""

import os
import re
import sys
from pathlib import Path

import pytest

from core import machine, settings_file
from core import threads as limits
from core.errors import StrataError
from core.settings import Settings
from core.trust import Trust
from tests.core.helpers import scripts


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
        ("STRATA_FORWARD", "float64", "STRATA_FORWARD: got 'float64'; allowed is float32 or bfloat16"),
        ("STRATA_STORAGE", "int8", "STRATA_STORAGE: got 'int8'; allowed is float32 or float16"),
        ("STRATA_UPLOAD_MB", "0", "1 or more"),
        ("STRATA_THREADS", "1.5", "STRATA_THREADS: got '1.5'; allowed is a number of threads"),
        ("STRATA_READ_ONLY", "perhaps", "STRATA_READ_ONLY: got 'perhaps'; allowed is true or false"),
        ("STRATA_SETTINGS", "/no/such.toml", "STRATA_SETTINGS: there is no file '/no/such.toml'"),
        ("STRATA_DATA", "/no/such/folder", "data folder '/no/such/folder' does not exist"),
    ],
)
def test_values_of_no_use_are_refused(monkeypatch, name, value, said):
    monkeypatch.setenv(name, value)
    with pytest.raises(StrataError, match=said):
        Settings.from_environment()


EVERYTHING = """
cache = "store"
data = "."
folders = ["models", "/srv/vectors"]
models = ["bert-base-uncased", "sentence-transformers/*"]
upload_mb = 80
uploads_gb = 0.5
decks_gb = 0.25
cache_gb = 30
memory_gb = 0.5
jobs = 3
threads = 4
read_only = true
forward = "bfloat16"
storage = "float16"
device = "cuda:1"
"""


def test_a_data_folder_that_may_not_be_read_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path)
    with pytest.raises(StrataError, match="data folder .* may not be read"):
        Settings(data=tmp_path)


def test_a_file_says_every_setting_and_the_environment_goes_before(monkeypatch, tmp_path):
    path = tmp_path / "lab.toml"
    path.write_text(EVERYTHING, "utf-8")
    monkeypatch.delenv("STRATA_CACHE")
    monkeypatch.setenv("STRATA_SETTINGS", str(path))
    monkeypatch.setenv("STRATA_JOBS", "5")
    monkeypatch.setenv("STRATA_READ_ONLY", "off")
    found = Settings.for_pages()
    assert settings_file.read({"STRATA_SETTINGS": str(path)}).keys() == {
        key.field for key in settings_file.KEYS.values()
    }
    assert (found.cache, found.data) == (tmp_path / "store", tmp_path)
    assert (found.upload_bytes, found.uploads_bytes) == (80_000_000, 500_000_000)
    assert (found.budget_bytes, found.memory_bytes) == (30_000_000_000, 500_000_000)
    assert found.decks_bytes == 250_000_000
    assert (found.jobs, found.threads, found.read_only) == (5, 4, False)
    assert (found.forward, found.storage, found.device) == ("bfloat16", "float16", "cuda:1")
    folders, models = (tmp_path / "models", Path("/srv/vectors")), found.models
    assert found.trust == Trust(folders, downloads=False, models=models)
    assert Settings.from_environment(jobs=7).jobs == 7
    assert Settings.from_environment().trust == Trust()


def test_the_file_of_the_working_folder_is_read(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert Settings.from_environment().jobs == 2
    (tmp_path / "strata.toml").write_text("jobs = 6", "utf-8-sig")  # as Notepad writes it
    assert Settings.from_environment().jobs == 6


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("job = 3", "there is no setting 'job'. Did you mean 'jobs'?"),
        ("jobs = '3'", "jobs: got '3'; allowed is a number of jobs"),
        ("jobs = true", "jobs: got 'True'"),
        ("cache_gb = true", "cache_gb: got 'True'; allowed is a number of gigabytes"),
        ("memory_gb = nan", "memory_gb: got 'nan'"),
        ("read_only = 1", "read_only: got '1'; allowed is true or false"),
        ("folders = '/srv'", "folders: got '/srv'; allowed is a list of folders"),
        ("folders = ['']", "allowed is a list of folders"),
        ("models = [3]", "allowed is a list of hub ids"),
        ("forward = 'int8'", "forward: got 'int8'; allowed is float32 or bfloat16"),
        ("cache = 3", "cache: got '3'; allowed is the path of a folder"),
        ('cache = "a\\u0000b"', "allowed is the path of a folder"),
        ("jobs = = 3", "is no TOML"),
        (f"jobs = {'[' * 20_000}", "is no TOML"),
        ("jobs = 2" + "\n" * 1_000_000, "lab.toml has more bytes than 1,000,000"),
    ],
)
def test_a_file_of_no_use_is_refused_with_its_name(monkeypatch, tmp_path, text, said):
    path = tmp_path / "lab.toml"
    path.write_text(text, "utf-8")
    monkeypatch.setenv("STRATA_SETTINGS", str(path))
    with pytest.raises(StrataError) as refused:
        Settings.from_environment()
    assert str(path) in str(refused.value)
    assert said in str(refused.value)


def test_threads_hold_for_libraries_that_are_loaded_and_for_torch_later():
    code = """
import numpy, threadpoolctl
from core.threads import limit_threads
limit_threads(1)
print({one["num_threads"] for one in threadpoolctl.threadpool_info() if one["user_api"] == "blas"})
import torch
print(torch.get_num_threads())
"""
    environment = dict.fromkeys(limits.VARIABLES, "2")
    assert scripts.run(code, **environment).split() == ["{1}", "1"]


@pytest.mark.skipif(sys.platform != "linux", reason="GNU's library of OpenMP tells how its threads wait")
def test_threads_of_torch_leave_their_core_while_they_wait(monkeypatch):
    code = """
from core.pipeline.engine import Engine
from core.settings import Settings
Engine(Settings())
import torch
"""
    for name in (limits.WAITING, *limits.ALSO_OF_WAITING):
        monkeypatch.delenv(name, raising=False)
    process = scripts.start(code, OMP_DISPLAY_ENV="verbose")
    _, told = process.communicate(timeout=scripts.HANG)
    assert process.returncode == 0, told
    assert "GOMP_SPINCOUNT = '0'" in told


@pytest.mark.parametrize("name", [limits.WAITING, *limits.ALSO_OF_WAITING])
def test_what_the_environment_says_of_waiting_holds(monkeypatch, name):
    for each in (limits.WAITING, *limits.ALSO_OF_WAITING):
        monkeypatch.delenv(each, raising=False)
    monkeypatch.setenv(name, "7")
    limits.leave_cores_while_waiting()
    said = {each: os.environ.get(each) for each in (limits.WAITING, *limits.ALSO_OF_WAITING)}
    assert said == dict.fromkeys(said) | {name: "7"}


def test_the_example_for_administrators_lists_every_setting_with_its_default(tmp_path):
    text = (Path(settings_file.__file__).parents[1] / "deploy" / "strata.toml").read_text("utf-8")
    path = tmp_path / "strata.toml"
    path.write_text(re.sub(r"^# (?=\w+ = )", "", text, flags=re.MULTILINE), "utf-8")
    said = settings_file.read({settings_file.VARIABLE: str(path)})
    assert said.keys() == {key.field for key in settings_file.KEYS.values()}
    plain, examples = Settings(), {"cache", "data", "models", "memory_bytes", "threads"}
    for name in said.keys() - examples:
        assert said[name] == getattr(plain, name), name
    assert Trust(models=said["models"]).allows("anybody/anything")


def test_results_in_memory_have_an_eighth_of_a_small_machine(monkeypatch, tmp_path):
    monkeypatch.setattr(machine, "LIMITS", (tmp_path / "max", tmp_path / "none"))
    (tmp_path / "max").write_text("1000000000\n", "ascii")
    assert Settings().memory_bytes == 125_000_000
    whole = machine.os.sysconf("SC_PHYS_PAGES") * machine.os.sysconf("SC_PAGE_SIZE")
    (tmp_path / "max").write_text("max\n", "ascii")
    assert machine.memory() == whole
    assert Settings().memory_bytes == min(2_000_000_000, whole // 8)


@pytest.mark.parametrize("budget", ["memory_bytes", "budget_bytes", "decks_bytes"])
def test_a_budget_below_0_is_refused(budget):
    with pytest.raises(StrataError, match=rf"{budget}: got '-1'; allowed is 0 or more"):
        Settings(**{budget: -1})
