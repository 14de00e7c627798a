"""Arrows go one way: pages → components → core, and stages know nothing of each other."""

import ast
import functools
import sys
from pathlib import Path

import pytest

from tests.core.helpers import scripts

ROOT = Path(__file__).parents[1]
ROOMS = ("core", "components", "pages", "training")
VIEWS = {"streamlit", "plotly"}
FLOORS = (
    {"errors", "loading", "machine", "progress", "spans", "streams", "trust", "versions"},
    {"threads"},
    {"matrices", "settings_file"},
    {"settings", "tokens"},
    {"recipe"},
    {"storage", "stages"},
    {"corpora", "encoders", "work"},
    {"sources"},
    {"pipeline"},
    {"evaluation", "status"},
    {"sweeps", "literature", "analysis"},
    {"exports"},
    {"search"},
    {"cli"},
)
"""The rooms of the engine; each imports from lower floors alone."""

STAGES = (
    *("layers", "sbert_wk", "token_selection", "weighting", "mix"),
    *("pooling", "postprocessing", "bert_flow", "similarity"),
)
LAYERS_KNOW = {"layers": {"sbert_wk"}, "weighting": {"sbert_wk"}}
"""SBERT-WK's algebra serves two stages: it weighs layers, and tokens."""


def files(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


@functools.cache
def imported(path: Path) -> frozenset[str]:
    """The modules that a file imports, inside functions too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(found)


@functools.cache
def module(name: str) -> str:
    """The module that an imported name is, or is defined in."""
    path = ROOT / Path(*name.split("."))
    return name if path.is_dir() or path.with_suffix(".py").is_file() else name.rpartition(".")[0]


@functools.cache
def folder(name: str) -> str:
    """The folder of a module; a module that lies in core itself stands for itself."""
    package = name if (ROOT / Path(*name.split("."))).is_dir() else name.rpartition(".")[0]
    return name if package == "core" else package


def folders_imported() -> dict[str, set[str]]:
    """For each folder of core, the other folders that its files import, for types and in functions too."""
    arrows: dict[str, set[str]] = {}
    for path in files("core"):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        used = {folder(module(other)) for other in imported(path) if other.startswith("core.")}
        arrows.setdefault(folder(name), set()).update(used - {folder(name)})
    return arrows


def rooms(path: Path) -> set[str]:
    return {name.partition(".")[0] for name in imported(path)}


@pytest.mark.parametrize("path", files("core"), ids=lambda p: str(p.relative_to(ROOT)))
def test_core_imports_core_alone_and_nothing_that_draws(path):
    assert not rooms(path) & (VIEWS | {"components", "pages", "training", "app", "tests", "benchmarks"})


def test_importing_the_engine_loads_nothing_that_draws():
    code = """
import pkgutil, importlib, sys, core
for module in pkgutil.walk_packages(core.__path__, "core."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print(sorted({name.partition(".")[0] for name in sys.modules} & {"streamlit", "plotly"}))
"""
    assert scripts.run(code).strip() == "[]"


def test_tests_of_the_engine_know_nothing_that_draws():
    for path in files("tests/core"):
        assert not rooms(path) & (VIEWS | {"components", "pages", "app"}), path
        of_tests = {name for name in imported(path) if name.startswith("tests.")}
        assert all(name.startswith("tests.core") for name in of_tests), path


def test_tests_of_the_engine_run_where_nothing_that_draws_is_installed():
    code = """
import sys

class Refusal:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("streamlit", "plotly", "components"):
            raise ModuleNotFoundError(f"{name} is not installed", name=name)

sys.meta_path.insert(0, Refusal())
import pytest
print(int(pytest.main(["-q", "-p", "no:cacheprovider", "tests/core/test_matrices.py"])))
"""
    assert scripts.run(code).split()[-1] == "0"


def test_the_first_page_arrives_without_the_libraries_that_learn_and_none_loads_torch():
    """They take as long to load as all else that a page is made of.

    One arrives on stored results: torch, and seconds with it, come when a model reads.
    """
    code = """
import pkgutil, importlib, sys, components.compare
for module in pkgutil.walk_packages(components.compare.__path__, "components.compare."):
    importlib.import_module(module.name)
print(sorted(set(sys.modules) & {"torch", "transformers", "sklearn", "scipy.stats"}))
for module in pkgutil.walk_packages(components.__path__, "components."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print(sorted(set(sys.modules) & {"torch", "transformers"}))
"""
    of_the_first, of_all = scripts.run(code).splitlines()[-2:]
    assert of_the_first == "[]"
    assert of_all == "[]"


def test_what_a_search_may_propose_is_known_without_the_libraries_that_learn():
    """The page Find says it on arrival."""
    code = """
import sys
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.search.space import Space
recipe, engine = Recipe.parse("source=bundled"), Engine()
space = Space.of(recipe, engine.source(recipe))
print(space.offered("pool"), space.offered("post"))
print(sorted(set(sys.modules) & {"torch", "transformers", "sklearn", "scipy.stats"}))
"""
    offered, loaded = scripts.run(code).splitlines()[-2:]
    assert "clshead" in offered
    assert "whiten" in offered
    assert "flow" not in offered
    assert loaded == "[]"


def test_a_command_starts_alone_and_without_the_libraries_that_learn():
    """Who misspells a recipe reads why in a second."""
    code = """
import sys
from core.cli import main
for arguments in (["presets", "--help"], ["--help"]):
    try:
        main(arguments)
    except SystemExit:
        print("then", "core.cli.find" in sys.modules)
print(sorted(set(sys.modules) & {"torch", "transformers", "sklearn", "scipy.stats"}))
"""
    lines = scripts.run(code).splitlines()
    assert [line for line in lines if line.startswith("then")] == ["then False", "then True"]
    assert lines[-1] == "[]"


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


@pytest.mark.parametrize("floor", range(len(FLOORS)))
def test_rooms_import_from_lower_floors_alone(floor):
    below = set().union(*FLOORS[:floor])
    for room in FLOORS[floor]:
        for path in files(f"core/{room}") or [ROOT / "core" / f"{room}.py"]:
            used = {name.split(".")[1] for name in imported(path) if name.startswith("core.")}
            assert used - {room, "__version__"} <= below, path


def test_every_room_stands_on_a_floor():
    there = {
        path.stem
        for path in (ROOT / "core").iterdir()
        if (path.is_dir() or path.suffix == ".py") and not path.name.startswith(("_", "."))
    }
    assert there == set().union(*FLOORS)


def test_no_circle_of_folders():
    arrows = folders_imported()
    assert arrows["core.analysis.layers"] > {"core.analysis", "core.pipeline"}
    while free := {name for name, used in arrows.items() if not used & arrows.keys()}:
        for name in free:
            del arrows[name]
    assert not arrows, "each of these folders imports another one of them"


def test_rooms_of_analysis_know_nothing_of_each_other():
    """They share the files of core/analysis, and those know nothing of the rooms."""
    arrows = folders_imported()
    inside = {
        name: used & arrows.keys() for name, used in arrows.items() if name.startswith("core.analysis")
    }
    assert len(inside) == 7
    for name, used in inside.items():
        below = set() if name == "core.analysis" else {"core.analysis"}
        assert {other for other in used if other.startswith("core.analysis")} <= below, name


@pytest.mark.parametrize("stage", STAGES)
def test_stages_know_nothing_of_each_other(stage):
    paths = files(f"core/stages/{stage}") or [ROOT / "core" / "stages" / f"{stage}.py"]
    found = set().union(*map(imported, paths))
    names = {name.split(".")[2] for name in found if name.startswith("core.stages.")}
    assert names - {stage} <= LAYERS_KNOW.get(stage, set())


LATE = ("sklearn", "scipy.stats", "torch", "transformers", "gensim.models", "core.encoders.encoder")
"""What is loaded inside functions, and breaks beside another thread that loads it or another of them."""

AFTER_TORCH = {
    "core/analysis/token_maps/manifold.py": "a process of its own",
    "core/exports/modules.py": "needs sentence_transformers, which has loaded torch",
    "core/exports/comparison.py": "the same",
    "core/exports/mteb_encoder.py": "serves mteb, which has loaded torch",
    "core/evaluation/tasks/senteval_mlp.py": "fit holds it, and is called before all others",
}
"""Files that need not hold LOADING, and why."""


def test_what_is_loaded_late_is_loaded_by_one_thread_at_a_time():
    loads = set()
    for path in [*files("core"), *files("components")]:
        nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
        functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
        blocks = [node for node in nodes if isinstance(node, ast.With)]
        held = [block.body for block in blocks if ast.unparse(block.items[0].context_expr) == "LOADING"]
        parts = [part for function in functions for part in ast.walk(function)]
        named = [(part, name) for part in parts for name in late(part)]
        if str(path.relative_to(ROOT)) not in AFTER_TORCH:
            assert all(any(part in body for body in held) for part, _ in named), path
        loads |= {name for _, name in named}
    assert loads > {
        "sklearn.cluster",
        "sklearn.linear_model",
        "scipy.stats",
        "torch",
        "core.encoders.encoder",
    }


def late(node: ast.AST) -> list[str]:
    """The libraries of LATE that a statement loads."""
    named = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
    named += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
    return [name for name in named if any(name == one or name.startswith(f"{one}.") for one in LATE)]


BESIDE_TORCH = """
import sys, threading, time, types
import numpy as np
from core.evaluation.statistics import pearson_interval
from core.loading import LOADING

assert not {"torch", "scipy.stats"} & set(sys.modules)
begun = threading.Event()

def load():
    with LOADING:
        sys.modules["torch"] = half = types.ModuleType("torch")
        begun.set()
        time.sleep(1)
        half.Tensor = type("Tensor", (), {})

threading.Thread(target=load).start()
begun.wait()
x = np.linspace(0, 1, 20)
print(pearson_interval(x, x**2)[0] > 0.8)
"""


def test_statistics_wait_for_a_torch_that_another_thread_is_loading():
    assert scripts.run(BESIDE_TORCH).split() == ["True"]


@pytest.mark.parametrize(
    "path", [p for room in ROOMS for p in files(room)], ids=lambda p: str(p.relative_to(ROOT))
)
def test_files_are_small_and_load_neither_pickles_nor_a_models_code(path):
    text = path.read_text("utf-8")
    assert "import pickle" not in text
    assert "allow_pickle=True" not in text
    assert "trust_remote_code=True" not in text
    assert len(text) < 25_000
