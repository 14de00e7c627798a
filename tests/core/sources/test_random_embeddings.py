"""Random embeddings meet the published scores: recipe, statistics and Spearman, without any weights."""

import pytest

from benchmarks.random_embeddings import CELL, COLUMNS, MEAN, TABLES, cells, mean_difference
from core.literature.presets import PRESETS
from core.literature.tables import find_table
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.settings import Settings

QUICK = [column for column, (_, recipe) in COLUMNS.items() if "reference" not in recipe]
"""Columns for which WikiText-2 need not be read; the benchmark has them all, on six corpora."""


def test_the_presets_are_what_is_measured():
    measured = {
        Recipe.parse(text).replace(source="random", tokens="content") for _, text in COLUMNS.values()
    }
    presets = {preset.recipe for preset in PRESETS if preset.recipe.startswith("source=random")}
    assert all("tokens=content" in text or "tokens=unbiased" in text for text in presets)
    here = {recipe.replace(reference="demo") for recipe in measured}
    assert len(here & {Recipe.parse(text) for text in presets}) == 8


def test_every_cell_is_printed():
    for number in TABLES.values():
        for row, _ in COLUMNS.values():
            assert find_table("000", number).value(row, "RE", "") > 30


@pytest.mark.data
def test_random_embeddings_meet_the_paper_without_special_tokens(data_folder, tmp_path):
    engine = Engine(Settings(cache=tmp_path, data=data_folder))
    found = cells(engine, QUICK, ("STS16", "SICK"), seeds=(0,))
    assert len(found) == 12
    assert mean_difference(found) <= MEAN
    assert max(cell.difference for cell in found) <= CELL
    plain = ("avg.", "quantile")
    with_special = cells(engine, plain, ("STS16",), seeds=(0,), tokens="all")
    without = [cell for cell in found if cell.corpus == "STS16" and cell.column in plain]
    assert mean_difference(with_special) > 2 * mean_difference(without)
