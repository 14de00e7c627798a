"""The scripts of components: whose they are, and that each has what Streamlit calls."""

from pathlib import Path

import pytest

from components import scripts

COMPONENTS = Path(scripts.__file__).parent


def test_each_file_is_run_by_a_component_or_by_a_file_that_is_taken_along():
    own = {file for files in scripts._FILES.values() for file in files}
    sources = [path.read_text("utf-8") for path in COMPONENTS.rglob("*.py")]
    for path in COMPONENTS.rglob("*.js"):
        named = any(f'"{path.name}"' in text or f"{path.stem}.js" in text for text in sources)
        assert path.relative_to(COMPONENTS).as_posix() in own or named, path.name


@pytest.mark.parametrize("name", scripts._FILES)
def test_what_streamlit_calls_is_given_after_all_of_a_component_is_there(name):
    script = scripts._script(scripts._FILES[name])
    assert script.count("const run = ") == 1
    assert script.endswith("\nreturn run")
    assert "export " not in script


def test_a_component_that_has_nothing_to_call_is_not_brought():
    with pytest.raises(ValueError, match=r"minus\.js exports nothing"):
        scripts._script(("fitting.js", "minus.js"))
