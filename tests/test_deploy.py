"""What is deployed: the files that the container copies are those that the dashboard is made of."""

import re
from pathlib import Path

from core import settings_file

ROOT = Path(__file__).parents[1]
CONTAINER = (ROOT / "deploy" / "Containerfile").read_text("utf-8")
UNIT = (ROOT / "deploy" / "sentence-strata.service").read_text("utf-8")


def test_what_is_copied_is_there_and_is_all_that_runs():
    copied = re.findall(r"^COPY (\S+) ", CONTAINER, flags=re.MULTILINE)
    assert all((ROOT / name).exists() for name in copied)
    rooms = {path.parent.name for path in ROOT.glob("*/__init__.py")} | {"pages", "app.py", ".streamlit"}
    assert set(copied) == rooms - {"tests", "benchmarks", "training"} | {"requirements.txt"}


def test_variables_are_settings():
    known = {settings_file.VARIABLE, *map(settings_file.variable_of, settings_file.KEYS)}
    assert set(re.findall(r"STRATA_[A-Z_]+", CONTAINER + UNIT)) <= known
