"""Arrows go one way: pages → components → core, and stages know nothing of each other."""

import ast
import sys
from pathlib import Path

import pytest

from tests.core.helpers import scripts

ROOT = Path(__file__).parents[2]
ROOMS = ("core", "components", "pages")
VIEWS = {"streamlit", "plotly"}
STAGES = (
    *("static", "averaged", "template", "layers", "selection", "weighting"),
    *("pooling", "postprocessing", "similarity"),
)
ABOVE = {
    "embed",
    "walk",
    "passes",
    "reading",
    "lookups",
    "cli",
    "presets",
    "comparison",
    "store",
    "evaluation",
    "catalogue",
}


def files(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


def imported(path: Path) -> set[str]:
    """The modules that a file imports, inside functions too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def rooms(path: Path) -> set[str]:
    return {name.partition(".")[0] for name in imported(path)}


@pytest.mark.parametrize("path", files("core"), ids=lambda p: str(p.relative_to(ROOT)))
def test_core_imports_core_alone_and_nothing_that_draws(path):
    assert not rooms(path) & (VIEWS | {"components", "pages", "app", "tests", "benchmarks"})


def test_importing_the_engine_loads_nothing_that_draws():
    code = """
import pkgutil, importlib, sys, core
for module in pkgutil.walk_packages(core.__path__, "core."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print(sorted({name.partition(".")[0] for name in sys.modules} & {"streamlit", "plotly"}))
"""
    assert scripts.run(code).strip() == "[]"


@pytest.mark.parametrize("path", files("components"), ids=lambda p: str(p.relative_to(ROOT)))
def test_components_do_not_import_pages(path):
    assert not rooms(path) & {"pages", "app", "tests", "benchmarks"}


@pytest.mark.parametrize("path", files("components/figures"), ids=lambda p: p.name)
def test_figures_are_pure(path):
    assert "streamlit" not in rooms(path)


@pytest.mark.parametrize("path", files("pages"), ids=lambda p: p.name)
def test_pages_import_components(path):
    others = rooms(path) - set(sys.stdlib_module_names) - {"streamlit", "components", "__future__"}
    assert not others - {"core"}
    assert len(path.read_text("utf-8").splitlines()) <= 90


@pytest.mark.parametrize("stage", STAGES)
def test_stages_know_nothing_of_each_other_nor_of_the_road(stage):
    paths = files(f"core/{stage}") or [ROOT / "core" / f"{stage}.py"]
    found = set().union(*map(imported, paths))
    names = {name.split(".")[1] for name in found if name.startswith("core.")}
    assert not names & ((set(STAGES) | ABOVE) - {stage})


@pytest.mark.parametrize(
    "path", [p for room in ROOMS for p in files(room)], ids=lambda p: str(p.relative_to(ROOT))
)
def test_files_are_small_and_load_neither_pickles_nor_a_models_code(path):
    text = path.read_text("utf-8")
    assert "import pickle" not in text
    assert "allow_pickle=True" not in text
    assert "trust_remote_code=True" not in text
    assert len(text) < 25_000


def test_recipe_and_corpus_know_nothing_of_the_stages():
    for name in ("recipe", "corpus"):
        inside = {n.split(".")[1] for n in imported(ROOT / "core" / f"{name}.py") if n.startswith("core.")}
        assert inside <= {"errors", "options", "grammar"}
