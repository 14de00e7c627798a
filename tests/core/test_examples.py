"""The examples in docstrings run and print what they say."""

import doctest
import importlib

import pytest


@pytest.mark.parametrize("name", ["options", "recipe", "postprocessing"])
def test_docstring_examples(name):
    failed, tried = doctest.testmod(importlib.import_module(f"core.{name}"), optionflags=doctest.ELLIPSIS)
    assert tried > 0
    assert failed == 0
