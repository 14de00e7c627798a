"""The untuned encoder that comes along serves wherever a recipe names a source."""

import csv
import json

import numpy as np
import pytest

from core.corpora.corpus import Corpus
from core.encoders.models import locate
from core.errors import ModelError
from core.pipeline.engine import Engine
from core.recipe import SOURCE, Recipe
from core.settings import Settings
from core.trust import Trust
from tests.core.helpers.texts import many

RECIPE = "source=untuned;layers=last"
CORPUS = Corpus.of_texts("t", many(6))


def test_the_form_offers_it_with_its_card():
    option = next(option for option in SOURCE if option.name == "untuned")
    assert "not tuned for sentences" in option.explanation


def test_it_is_listed_beside_the_tuned_one(run):
    lines = run("models")[1].splitlines()
    assert [line.split()[0] for line in lines[:2]] == ["bundled", "untuned"]
    assert all(line.endswith(", comes with the installation") for line in lines[:2])


def test_a_score_names_the_model_and_its_content(run, table, engine):
    code, out, _ = run("score", "--recipe", RECIPE, "--corpus", table, "--json", "--quiet")
    answer = json.loads(out)
    assert code == 0
    assert answer["model"] == "MiniLM-L6-mlm"
    assert answer["revision"] == locate("untuned", engine.store.digest).revision


def test_a_sweep_scores_it(run, table, tmp_path):
    recipes, output = tmp_path / "recipes.txt", tmp_path / "results.csv"
    recipes.write_text(f"{RECIPE}\nlayers=last\n")
    code, *_ = run("sweep", "--recipes", recipes, "--corpora", table, "--output", output, "--quiet")
    with output.open() as file:
        models = [row["model"] for row in csv.DictReader(file)]
    assert (code, models) == (0, ["MiniLM-L6-mlm", "all-MiniLM-L6-v2"])


def test_a_link_may_name_it_and_not_its_folder(tmp_path):
    engine = Engine(Settings(cache=tmp_path / "cache", trust=Trust(folders=(), downloads=False)))
    assert np.isfinite(engine.embed(Recipe.parse(RECIPE), CORPUS).vectors).all()
    folder = locate("untuned", engine.store.digest).folder
    with pytest.raises(ModelError, match="no folder that may be opened.*network: bundled, untuned"):
        engine.embed(Recipe.parse(f"source={folder}"), CORPUS)


def test_its_pass_is_stored(tmp_path):
    settings = Settings(cache=tmp_path / "cache")
    first = Engine(settings).embed(Recipe.parse(RECIPE), CORPUS)
    again = Engine(settings).embed(Recipe.parse(RECIPE), CORPUS)
    assert first.pass_seconds > 0 == again.pass_seconds
    np.testing.assert_array_equal(first.vectors, again.vectors)


def test_its_tokens_are_averaged_over_a_reference(engine, texts_file):
    recipe = f"source=averaged(model=untuned);reference={texts_file}"
    averaged = engine.embed(Recipe.parse(recipe), CORPUS).vectors
    tuned = engine.embed(Recipe.parse(recipe.replace("untuned", "bundled")), CORPUS).vectors
    assert np.isfinite(averaged).all()
    assert averaged.shape == tuned.shape
    assert not np.allclose(averaged, tuned)
