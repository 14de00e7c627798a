"""The scripts of components: whose they are, and that each has what Streamlit calls."""

from pathlib import Path

import pytest

from components.scripts import brought


def test_each_file_is_run_by_a_component():
    there = {path.name for path in Path(brought.__file__).parent.glob("*.js")}
    assert {file for files in brought._FILES.values() for file in files} == there


@pytest.mark.parametrize("name", brought._FILES)
def test_what_streamlit_calls_is_given_after_all_of_a_component_is_there(name):
    script = brought._script(brought._FILES[name])
    assert script.count("const run = ") == 1
    assert script.endswith("\nreturn run")
    assert "export " not in script


def test_a_component_that_has_nothing_to_call_is_not_brought():
    with pytest.raises(ValueError, match=r"minus\.js exports nothing"):
        brought._script(("fitting.js", "minus.js"))
