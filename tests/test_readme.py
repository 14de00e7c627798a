"""What the README and the documents behind it show can be done."""

import doctest
import re
import shlex
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from benchmarks.pictures import HEIGHTS, SHOWN_BY, WIDTH
from core.cli import main
from core.corpora import built_in
from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.recipe import POOL, Recipe
from core.settings import Settings
from core.versions import __version__
from tests.core.pipeline.test_known_scores import SCORES

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
TEXTS = {path: path.read_text("utf-8") for path in (README, *sorted((ROOT / "docs").glob("*.md")))}


def blocks(language: str) -> list[str]:
    """The fenced blocks of one language."""
    pattern = re.compile(rf"^```{language}\n(.*?)^```", flags=re.MULTILINE | re.DOTALL)
    return [block for text in TEXTS.values() for block in pattern.findall(text)]


def recipes() -> list[str]:
    """Every recipe that is shown, without its comment."""
    lines = (line.split("  #")[0].strip() for block in blocks("recipes") for line in block.splitlines())
    return [line for line in lines if line]


def links() -> list[tuple[Path, str]]:
    """Where links and images point, other than to another place in the web, and where they stand."""
    found = {
        (path, link)
        for path, text in TEXTS.items()
        for link in re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|href)="([^"]+)"', text)
    }
    return sorted((path, link) for path, link in found if not re.match(r"[a-z]+:", link))


def anchors(path: Path) -> set[str]:
    """The names of a document's headings, as links say them."""
    headings = re.findall(r"^#+ (.+)$", path.read_text("utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.fixture(scope="module")
def engine(lasting_cache) -> Engine:
    """An engine that keeps its passes for all recipes of the README."""
    return Engine(Settings(cache=lasting_cache))


@pytest.fixture(autouse=True)
def _lasting_passes(_own_settings, monkeypatch, tmp_path, with_lasting_passes):
    """What is shown computes; the forward passes under it are those of all tests."""
    monkeypatch.setenv("STRATA_CACHE", str(with_lasting_passes(tmp_path / "cache")))


def test_each_picture_shows_this_version():
    """They are taken anew by ``python -m benchmarks.pictures``."""
    shown = sorted(link for path, link in links() if path == README and link.endswith(".png"))
    assert shown == sorted(f"docs/{page}.png" for page in HEIGHTS)
    for link in shown:
        with Image.open(ROOT / link) as picture:
            assert picture.size == (WIDTH, HEIGHTS[Path(link).stem])
            assert picture.info[SHOWN_BY] == f"Sentence Strata {__version__}"


def test_the_scores_of_the_first_lines_are_those_that_are_known():
    said = re.findall(r"\d\d\.\d", TEXTS[README].partition("![")[0])
    assert {float(score) for score in said} <= {score for scores in SCORES.values() for score in scores}


def test_there_are_examples():
    assert len(recipes()) >= 5
    assert any("$ python -m core score" in block for block in blocks("console"))
    assert blocks("pycon")


@pytest.mark.parametrize("recipe", recipes())
def test_a_recipe_is_read_and_written_the_same(recipe):
    assert Recipe.parse(str(Recipe.parse(recipe))) == Recipe.parse(recipe)


@pytest.mark.parametrize("recipe", [r for r in recipes() if "/" not in Recipe.parse(r).spelled()["source"]])
def test_a_recipe_runs(engine, recipe):
    demo = engine.corpus("demo", "test")
    pairs = ([demo.sentences[row] for row in side[:150]] for side in (demo.first, demo.second))
    few = Corpus.of_pairs("few", *pairs, demo.gold[:150].tolist())
    similarities, _ = engine.similarities(Recipe.parse(recipe), few)
    assert np.isfinite(similarities).all()


@pytest.mark.parametrize("block", blocks("pycon"), ids=range(len(blocks("pycon"))))
def test_python_answers_as_shown(block):
    test = doctest.DocTestParser().get_doctest(block, {}, "README.md", "README.md", 0)
    said: list[str] = []
    assert doctest.DocTestRunner().run(test, out=said.append).attempted >= 10
    assert said == []


@pytest.fixture
def registered():
    """The options that the README's Python blocks register."""
    before = set(POOL.options)
    for block in blocks("python"):
        exec(compile(block, "README.md", "exec"), {})
    added = set(POOL.options) - before
    yield added
    for name in added:
        POOL.forget(name)


def test_the_option_that_is_shown_works_on_every_text(registered, engine):
    assert registered == {"second"}
    corpus = Corpus.of_texts("t", ["two words", "a", "", "the last text has more words"])
    vectors = engine.embed(Recipe.parse("layers=static;pool=second"), corpus).vectors
    rows = engine.embed(Recipe.parse("layers=static;tokens=content;pool=max"), corpus).vectors
    np.testing.assert_allclose(vectors[1], rows[1], atol=1e-6)  # a, after [CLS]
    weighted = engine.weighted_states(Recipe.parse("layers=static"), corpus)
    for row in range(4):
        place = weighted.states.tokens.span(row).start + 1
        np.testing.assert_array_equal(vectors[row], weighted.states.read(-1, slice(place, place + 1))[0])


@pytest.mark.parametrize("block", blocks("console"), ids=range(len(blocks("console"))))
def test_commands_work_in_an_empty_folder(
    block, tmp_path, monkeypatch, capsys, few_topics, with_lasting_passes
):
    """What a model has read elsewhere is shared; everything else is computed, and kept, here."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STRATA_CACHE", str(with_lasting_passes(tmp_path / "store", ("passes",))))
    for line in block.splitlines():
        if line.startswith("$ printf"):
            subprocess.run(["bash", "-c", line[2:]], cwd=tmp_path, check=True)
        elif line.startswith("$ python -m core"):
            assert _run(shlex.split(line)[4:]) == 0, f"{line}\n{capsys.readouterr().err}"


def _run(arguments: list[str]) -> int | str | None:
    try:
        return main(arguments)
    except SystemExit as ended:
        return ended.code


@pytest.mark.parametrize(("path", "link"), links(), ids=[f"{path.name}-{link}" for path, link in links()])
def test_a_link_leads_somewhere(path, link):
    file, _, heading = link.partition("#")
    target = (path.parent / file) if file else path
    assert target.exists()
    assert not heading or heading in anchors(target)


def test_every_document_is_found_from_the_readme():
    told = {(path.parent / link.partition("#")[0]).resolve() for path, link in links() if path == README}
    assert set(TEXTS) - {README} <= told


def test_files_that_are_named_exist():
    named = re.findall(r"`((?:core|components|pages|benchmarks|tests)/[\w./]+)`", "\n".join(TEXTS.values()))
    assert [name for name in sorted(set(named)) if not (ROOT / name).exists()] == []


def test_a_subset_that_is_named_is_one_of_the_demo():
    named = {name for text in TEXTS.values() for name in re.findall(r"`--subset ([\w-]+)`", text)}
    assert named
    assert named <= set(built_in.demo().subset)


def test_each_file_of_the_training_is_told():
    told = (ROOT / "training" / "README.md").read_text("utf-8")
    files = {path.name for path in (ROOT / "training").glob("*.py")} - {"__init__.py"}
    assert sorted(file for file in files if f"{file} " not in told) == []
