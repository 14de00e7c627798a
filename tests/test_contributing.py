"""The walkthroughs of CONTRIBUTING work as they are written."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from components import state
from components.cached import shared_queue
from core.cli import main
from core.corpora.corpus import Corpus
from core.evaluation.tasks import TASK
from core.pipeline.engine import Engine
from core.recipe import POOL, WEIGHT, Recipe
from core.settings import Settings
from tests.core.helpers import tiny
from tests.core.helpers.texts import many
from tests.pages.reading import charts

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
TEXTS = ["the dog sat on a mat", "a", "", "two men play the guitar in the park"]


def section(title: str) -> str:
    """The text below a heading."""
    return GUIDE.split(f"## {title}\n")[1].split("\n## ")[0]


def blocks(title: str, language: str) -> list[str]:
    """The fenced blocks of one language in a section."""
    return re.findall(rf"^```{language}\n(.*?)^```", section(title), flags=re.MULTILINE | re.DOTALL)


def execute(code: str, name: str) -> ModuleType:
    """Run a block as a module of this name."""
    module = ModuleType(name)
    exec(compile(code, name, "exec"), vars(module))
    return module


@pytest.fixture(scope="module")
def bert(tmp_path_factory) -> str:
    return f"source={tiny.build('bert', tmp_path_factory.mktemp('models') / 'bert')}"


@pytest.fixture
def pooling():
    execute(blocks("A pooling", "python")[0], "second")
    yield POOL.options["second"]
    POOL.forget("second")


@pytest.fixture
def weight():
    execute(blocks("A weight that looks at states", "python")[0], "distance")
    yield WEIGHT.options["distance"]
    WEIGHT.forget("distance")


@pytest.mark.usefixtures("pooling")
def test_the_pooling_gives_the_second_token(bert, tmp_path):
    engine, corpus = Engine(Settings(cache=tmp_path)), Corpus.of_texts("t", TEXTS)
    recipe = Recipe.parse(f"{bert};layers=2;tokens=all;pool=second(scale=2)")
    assert "pool=second(scale=2)" in str(recipe)
    vectors = engine.embed(recipe, corpus).vectors
    weighted = engine.weighted_states(Recipe.parse(f"{bert};layers=2"), corpus)
    states, tokens = weighted.states, weighted.states.tokens
    for row, text in enumerate(TEXTS):
        span = tokens.span(row)
        expected = 2 * states.read(2, slice(span.start + 1, span.start + 2))[0]
        np.testing.assert_allclose(vectors[row], expected, atol=1e-6, err_msg=text)
    averaged = engine.embed(recipe.replace(layers="1+2"), corpus).vectors
    first = engine.embed(recipe.replace(layers="1"), corpus).vectors
    np.testing.assert_allclose(averaged, (first + vectors) / 2, atol=1e-6)


@pytest.mark.usefixtures("pooling")
def test_the_pooling_gives_0_for_a_text_with_fewer_tokens(tmp_path):
    engine = Engine(Settings(cache=tmp_path / "cache"))
    gpt2 = tiny.build("gpt2", tmp_path / "gpt2")
    vectors = engine.embed(
        Recipe.parse(f"source={gpt2};pool=second"), Corpus.of_texts("t", ["", "a", "two words"])
    ).vectors
    assert not vectors[0].any()
    assert vectors[2].any()


@pytest.mark.usefixtures("pooling")
def test_the_pooling_is_explained_on_the_command_line(capsys):
    with pytest.raises(SystemExit):
        main(["score", "--help"])
    described = capsys.readouterr().out
    assert "The second token of each text alone" in described
    assert "scale: number from 0.001 to 10 (default 1), factor of the vector" in described


@pytest.mark.usefixtures("pooling", "through_the_door")
def test_the_bar_offers_the_pooling_with_its_argument(monkeypatch, tmp_path):
    monkeypatch.setenv("STRATA_CACHE", str(tmp_path / "cache"))
    st.cache_resource.clear()
    at = AppTest(ROOT / "app.py", default_timeout=120)
    at.query_params["a"] = "source=random;pool=second(scale=2)"
    at.query_params["b"] = state.NO_RECIPE
    at.query_params["edit"] = "a.pool"
    at.run()
    (scale,) = (box for box in at.select_slider if box.label == "scale")
    assert scale.value == 2.0
    scale.set_value(5.0).run()
    assert not at.exception
    assert at.text_input(key="a").value == "source=random;pool=second(scale=5)"


@pytest.mark.usefixtures("weight")
def test_the_weight_is_the_distance_from_the_mean(bert, tmp_path):
    engine, corpus = Engine(Settings(cache=tmp_path)), Corpus.of_texts("t", TEXTS)
    shown = engine.token_weights(Recipe.parse(f"{bert};layers=1+2;weight=distance"), corpus)
    states = engine.weighted_states(Recipe.parse(bert), corpus).states
    for row, weights in enumerate(shown):
        span = states.tokens.span(row)
        vectors = np.mean([states.read(layer, span) for layer in (1, 2)], axis=0, dtype=np.float64)
        expected = np.linalg.norm(vectors - vectors.mean(axis=0), axis=1)
        np.testing.assert_allclose(weights.shares, expected / expected.sum(), atol=1e-5)


@pytest.fixture
def task():
    execute(blocks("A task", "python")[0], "nearest")
    yield TASK.options["nearest"]
    TASK.forget("nearest")


@pytest.mark.usefixtures("task")
def test_the_task_is_scored_wherever_tasks_are(bert, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = [f"{text}\t{label}" for text, label in zip(many(12), "ab" * 6, strict=True)]
    Path("toys.tsv").write_text("\n".join(["text\tlabel", *rows]) + "\n")
    common = ["--recipe", f"{bert};layers=last", "--cache", "cache", "--quiet"]
    assert main(["score", *common, "--corpus", "toys.tsv", "--task", "nearest(k=2)", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["task"], answer["metric"], answer["n"]) == ("nearest(k=2)", "precision", 12)
    vectors = Engine(Settings(cache=tmp_path)).encode(many(12), Recipe.parse(f"{bert};layers=last"))
    own = np.arange(12)
    right = []
    for row in own:
        cosine = [
            -np.inf if other == row else vectors[row] @ vectors[other] / np.linalg.norm(vectors[other])
            for other in own
        ]
        right += [(int(other) - row) % 2 == 0 for other in np.argsort(cosine)[-2:]]
    assert answer["value"] == pytest.approx(100 * np.mean(right), abs=1e-3)
    assert answer["low"] <= answer["value"] <= answer["high"]
    with pytest.raises(SystemExit):
        main(["score", "--help"])
    assert "neighbours that are looked at" in capsys.readouterr().out
    assert main(["score", *common, "--corpus", "demo", "--task", "nearest"]) == 2
    assert "demo has no labels" in capsys.readouterr().err


def test_the_page_draws_its_figure(bert, monkeypatch, tmp_path, with_lasting_passes):
    page, component = blocks("A page", "python")
    package, module = ModuleType("components.lengths"), execute(component, "components.lengths.page")
    package.page = module
    monkeypatch.setitem(sys.modules, "components.lengths", package)
    monkeypatch.setitem(sys.modules, "components.lengths.page", module)
    monkeypatch.setenv("STRATA_CACHE", str(with_lasting_passes(tmp_path / "cache")))
    st.cache_resource.clear()
    at = AppTest.from_string(page, default_timeout=120)
    at.session_state["frames"] = None
    at.query_params["a"] = "layers=last"
    at.run()
    for _ in range(60):
        if charts(at):
            break
        for running in shared_queue().active():
            running.wait(60)
        at.run()
    assert not at.exception
    assert any("Half of the sentences have" in text.value for text in at.markdown)
    assert len(charts(at)) == 1


def test_the_commands_about_a_corpus_work(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    answers = []
    for block in blocks("A corpus", "console"):
        for line in block.splitlines():
            command = line.removeprefix("$ ")
            if command.startswith("python -m core"):
                assert main(shlex.split(command)[3:]) == 0, capsys.readouterr().err
                answers.append(capsys.readouterr().out)
            else:
                subprocess.run(["bash", "-c", command], cwd=tmp_path, check=True)
    assert "Spearman × 100" in answers[0]
    assert re.search(r"^weather +pairs", answers[1], re.MULTILINE)
    assert re.search(r"^forecasts +texts", answers[1], re.MULTILINE)
    assert "Spearman × 100" in answers[2]
