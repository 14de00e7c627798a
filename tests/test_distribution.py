"""The distribution: a wheel under a name of its own, installed where no tree is, with ten public names."""

import inspect
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import numpy as np
import pytest

import core

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SENTENCES = ["A dog runs.", "Two dogs run in the park.", "A dog runs."]
RECIPE = "source=untuned;layers=1+2"

ASKED = """
import numpy as np, sentence_strata as strata
assert "sentence_strata" in strata.__file__ and "core" not in __import__("sys").modules
vectors = strata.encode({sentences!r}, {recipe!r})
np.save("vectors.npy", vectors)
strata.Recipe.parse("post=whiten")
print(*strata.__all__, strata.__version__)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel, built from a copy of the files that it is made of."""
    tree, made = tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT / "core", tree / "core", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "README.md"):
        shutil.copy(ROOT / name, tree)
    pip(["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", made, tree])
    (found,) = made.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def bare(wheel, tmp_path_factory) -> Path:
    """An environment that holds the wheel, and sees the packages that it depends on."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    pip(["--python", folder / "bin" / "python", "install", "--no-deps", "--quiet", wheel])
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


def pip(arguments: list) -> None:
    subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", *map(str, arguments)],
        check=True,
        capture_output=True,
        env=os.environ | {"PIP_NO_INDEX": "1"},
    )


def ask(bare: Path, command: list, folder: Path) -> str:
    environment = os.environ | {"STRATA_CACHE": str(folder / "cache")}
    environment.pop("PYTHONPATH", None)
    done = subprocess.run(
        [str(bare / "bin" / command[0]), *command[1:]],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_installed_engine_answers_as_the_tree_does(bare, tmp_path):
    said = ask(bare, ["python", "-c", ASKED.format(sentences=SENTENCES, recipe=RECIPE)], tmp_path)
    assert said.split() == [*core.__all__, core.__version__]
    vectors = np.load(tmp_path / "vectors.npy")
    assert vectors.tobytes() == core.encode(SENTENCES, RECIPE).tobytes()


def test_its_command_is_strata(bare, tmp_path):
    assert ask(bare, ["strata", "--version"], tmp_path).strip() == f"Sentence Strata {core.__version__}"
    assert "usage: strata score" in ask(bare, ["strata", "score", "--help"], tmp_path)


def test_the_wheel_holds_every_file_of_the_engine_and_nothing_else(wheel):
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    tree = {
        f"sentence_strata/{path.relative_to(ROOT / 'core')}"
        for path in (ROOT / "core").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.name != "README.md"
    }
    assert {name for name in held if not name.endswith("README.md")} == tree


def test_the_wheel_says_its_extras_and_its_command(wheel):
    with zipfile.ZipFile(wheel) as files:
        said = {
            name.rpartition("/")[2]: files.read(name).decode()
            for name in files.namelist()
            if ".dist-info/" in name
        }
    extras = set(re.findall(r"^Provides-Extra: (.+)$", said["METADATA"], re.MULTILINE))
    assert extras == {"app", "cluster", "doc2vec", "export", "flow", "search"}
    assert "strata = sentence_strata.cli:main" in said["entry_points.txt"]


def test_the_engine_and_two_extras_are_what_the_dashboard_needs():
    """``pip install .[app,search]`` is requirements.txt, whose versions are those of the tests."""
    extras = PROJECT["optional-dependencies"]
    declared = {name_of(one) for one in (*PROJECT["dependencies"], *extras["app"], *extras["search"])}
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    assert {name_of(line) for line in lines if line and not line.startswith("#")} == declared


def name_of(requirement: str) -> str:
    return re.match(r"[A-Za-z0-9_.-]+", requirement)[0].lower()


def test_no_module_of_the_wheel_imports_the_tree(wheel):
    with zipfile.ZipFile(wheel) as files:
        for name in files.namelist():
            if name.endswith(".py"):
                text = files.read(name).decode()
                assert not re.search(r"^\s*(from|import) core\b", text, re.MULTILINE), name
                assert "python -m core" not in text, name


@pytest.mark.parametrize("name", core.__all__)
def test_a_public_name_is_documented_and_typed(name):
    thing = getattr(core, name)
    if name == "__version__":
        assert thing == PROJECT["version"]
        return
    assert inspect.getdoc(thing)
    if inspect.isfunction(thing):
        signature = inspect.signature(thing)
        assert signature.return_annotation is not inspect.Signature.empty
        assert all(one.annotation is not one.empty for one in signature.parameters.values())


def test_ten_names_are_public_and_others_are_told():
    assert len(core.__all__) == 10
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        core.nonsense  # noqa: B018


def test_a_dependency_is_one_that_the_tests_ran_with():
    pinned = {}
    for file in ("requirements.txt", "requirements-extra.txt", "requirements-dev.txt"):
        for line in (ROOT / file).read_text("utf-8").splitlines():
            if found := re.match(r"([A-Za-z0-9_.-]+)(?:\[[a-z]+\])?==([0-9.]+)", line):
                pinned[found[1].lower()] = tuple(map(int, found[2].split(".")))
    extras = [one for some in PROJECT["optional-dependencies"].values() for one in some]
    for wanted in (*PROJECT["dependencies"], *extras):
        name, bound = re.match(r"([A-Za-z0-9_.-]+)(?:\[[a-z]+\])?[=>]=([0-9.]+)", wanted).groups()
        assert tuple(map(int, bound.split("."))) <= pinned[name.lower()], wanted
