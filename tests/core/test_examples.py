"""The examples in the docstrings of core run and print what they say."""

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WITH_EXAMPLES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted((ROOT / "core").rglob("*.py"))
    if ">>> " in path.read_text("utf-8")
]


def test_modules_with_examples_are_found():
    assert {"core.recipe.recipe", "core.stages.postprocessing.principal"} < set(WITH_EXAMPLES)


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_docstring_examples(name):
    failed, tried = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert tried > 0
    assert failed == 0
