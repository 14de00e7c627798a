"""Presets are recipes: they parse, are distinct, and leave source and reference as chosen."""

import ast
import re
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest

from core.errors import StrataError
from core.evaluation.sts import AGGREGATES
from core.literature.presets import FAMILIES, PRESETS, SHORTEST_FIRST, preset_called
from core.literature.published import AVERAGE, NEAR, SEVEN, WHOLE, row, stankevicius, whitening
from core.literature.tables import find_table, tables
from core.recipe import Recipe

LITERATURE = Path(__file__).parents[3] / "core" / "literature"
NAMES = [preset.name for preset in PRESETS]
SCORES = [score for preset in PRESETS for score in preset.scores]
HERE = [preset for preset in PRESETS if not preset.needs]
"""Presets that need nothing but the installation."""

BEYOND = r"needs \d+|has no layer|this model has \d+, allowed|this model's layers"
"""What a tiny model and corpus lack: sentences, layers, heads."""


def named(name):
    (found,) = [preset for preset in PRESETS if preset.name == name]
    return found


@pytest.mark.parametrize("preset", PRESETS, ids=NAMES)
def test_a_preset_is_a_canonical_recipe_with_its_source_in_the_literature(preset):
    assert str(Recipe.parse(preset.recipe)) == preset.recipe
    assert any(c.isdigit() for c in preset.published)  # a year
    assert 1990 < preset.year < 2030
    assert not preset.published.endswith(".")


@pytest.mark.parametrize("preset", PRESETS, ids=NAMES)
def test_a_preset_explains_itself_in_two_sentences(preset):
    assert len(re.findall(r"[.!?](?=\s|$)", preset.explanation)) == 2
    assert preset.explanation.endswith(".")
    assert all(reason.endswith(".") for reason in preset.differs)


def test_names_and_recipes_are_distinct():
    assert len(set(NAMES)) == len({preset.recipe for preset in PRESETS}) == len(PRESETS)


def test_families_stand_together_in_their_order():
    assert [family for family, _ in groupby(PRESETS, lambda preset: preset.family)] == list(FAMILIES)


@pytest.mark.parametrize("preset", PRESETS, ids=NAMES)
def test_a_preset_leaves_source_and_reference_as_they_are_chosen(preset):
    chosen = Recipe.parse("source=some/model;reference=words;pool=max;similarity=dot")
    made = preset.apply(chosen)
    assert made.reference == chosen.reference
    assert preset.bound == ("source=" in preset.recipe)
    assert (made.source == chosen.source) == (not preset.bound)
    own = Recipe.parse(preset.recipe)
    assert made.replace(source="bundled", reference="demo") == own.replace(source="bundled")


@pytest.mark.parametrize("preset", PRESETS, ids=NAMES)
def test_a_preset_says_what_it_needs(preset):
    source = Recipe.parse(preset.recipe).source
    if source.name == "model":
        identifier = str(source.arguments[0][1]).partition("@")[0]
        assert preset.needs.startswith(f"network: {identifier} from the hub")
    assert ("network" in preset.needs) == (source.name == "model")
    assert ("a file of word vectors" in preset.needs) == (source.name == "vectors")
    assert ("gensim" in preset.needs) == (source.name == "doc2vec")
    assert ("zuko" in preset.needs) == ("flow" in preset.recipe)


@pytest.mark.parametrize("preset", HERE, ids=[preset.name for preset in HERE])
def test_a_preset_gives_vectors_or_says_what_is_missing(preset, shared_engine, bert, texts_file, scored):
    recipe = preset.apply(Recipe.parse(f"{bert};reference={texts_file}"))
    try:
        vectors = shared_engine.embed(recipe, scored).vectors
    except StrataError as error:
        assert re.search(BEYOND, str(error)), error
    else:
        assert np.isfinite(vectors).all()


def test_published_scores_say_what_they_were_measured_by():
    assert len(SCORES) > 500
    for score in SCORES:
        assert -100 <= score.value <= 100
        assert score.corpus in (*SEVEN, "STR", AVERAGE)
        assert score.aggregate in AGGREGATES
        assert score.aggregate == "all" or score.corpus not in WHOLE
        assert score.metric in ("Spearman", "Pearson")
        assert re.search(r"(19|20)\d\d, (Table|Section|first scoreboard|whitening results)", score.where)
        assert score.model.strip()


@pytest.mark.parametrize("preset", [preset for preset in PRESETS if preset.scores], ids=lambda p: p.name)
def test_no_figure_is_given_twice(preset):
    keys = [(score.corpus, score.model, score.where) for score in preset.scores]
    assert len(set(keys)) == len(keys)


def rows():
    """The rows of tables that end in an average, with their tasks."""
    for preset in PRESETS:
        tasks = []
        for score in preset.scores:
            tasks.append(score)
            if score.corpus == AVERAGE:
                if len(tasks) > 1:
                    yield preset.name, tasks
                tasks = []
            elif score.corpus in {before.corpus for before in tasks[:-1]}:
                tasks = tasks[-1:]


@pytest.mark.parametrize(("name", "scores"), list(rows()))
def test_a_published_average_is_that_of_its_row(name, scores):
    *tasks, average = scores
    assert len({score.corpus for score in tasks}) == len(tasks) in (6, 7, 8)
    assert {(score.model, score.metric) for score in scores} == {(average.model, average.metric)}
    assert average.value == pytest.approx(np.mean([score.value for score in tasks]), abs=0.1)
    if len(tasks) != 7:
        assert {6: "six tasks", 8: "eight tasks"}[len(tasks)] in average.where


def test_figures_that_are_known_by_heart_stand_where_they_belong():
    def value(name, corpus, where):
        (found,) = [
            score.value
            for score in named(name).scores
            if score.corpus == corpus and where in score.where and score.model == "bert-base-uncased"
        ]
        return found

    assert value("T4, idf + quantile", AVERAGE, "Table 4") == 71.6
    assert value("Ditto", AVERAGE, "Table 6") == 64.77
    assert value("First-last avg. (layer 0)", "STS-B", "Chen") == 53.87
    assert value("First-last avg. (layer 1)", "STS-B", "Table 11") == 59.0
    assert value("idf", "STS-B", "Table 11") == 70.3
    (whitened,) = [
        score.value
        for score in named("BERT-whitening").scores
        if score.corpus == "STS-B" and "Lu 2023" in score.where
    ]
    assert whitened == 71.34


def test_no_score_is_typed_in_code():
    """A published figure has one or two decimals; what is left in the code are sections and versions."""
    for path in (*LITERATURE.glob("*.py"), *(LITERATURE / "presets").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, float):
                assert node.value == NEAR, (path, node.lineno)
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not re.search(r"\d\.\d.* \d+\.\d", node.value), (path, node.lineno)


def test_every_score_stands_in_a_table():
    values = {cell.value for table in tables() for cell in table.cells}
    assert {score.value for score in SCORES} <= values


def test_a_row_leaves_out_dashes_dimensions_and_what_is_no_average():
    table = find_table("003", "I")
    found = row(table, "SIF", "GloVe", "Someone 2020, Table 1", aggregate="mean")
    assert [(score.corpus, score.value, score.aggregate) for score in found] == [
        ("STS12", 56.2, "mean"),
        ("STS13", 56.6, "mean"),
        ("STS14", 68.5, "mean"),
        ("STS15", 71.7, "mean"),
        ("STS-B", 72.0, "all"),
        ("SICK-R", 86.0, "all"),
        (AVERAGE, 68.5, "mean"),
    ]
    assert {(score.metric, score.model, score.where) for score in found} == {
        ("Pearson", "GloVe", "Someone 2020, Table 1")
    }
    assert AVERAGE not in {score.corpus for score in row(table, "S3E (GloVe)", "GloVe", "there")}


def test_a_task_of_the_eight_is_found_in_its_own_table():
    found = stankevicius("avg. + zscore")
    tables_ = [int(re.search(r"Table (\d+)", score.where)[1]) for score in found]
    assert tables_ == [6, 7, 8, 9, 10, 11, 12, 13, 5]
    assert [score.corpus for score in found] == [*SEVEN, "STR", AVERAGE]
    assert [score.corpus for score in stankevicius("avg. + abtt-2")] == [AVERAGE]
    assert AVERAGE not in {score.corpus for score in stankevicius("idf^T + normalize", "BERT + Avg.")}


@pytest.mark.parametrize("size", ["base", "large"])
def test_rows_of_two_papers_under_one_label_are_both_given(size):
    found = whitening(f"BERT_{size}-first-last-avg")
    assert len(found) == 14
    assert {score.model for score in found} == {f"bert-{size}"}
    assert {score.where.rpartition("from ")[2] for score in found} == {"Li et al. 2020", "Su et al. 2021"}


def test_what_cards_say_of_figures_and_of_learning_is_so():
    table = find_table("000", "5")
    group = "Avg. Spearman correlation (%) of STS tasks"
    for column in table.columns:
        zscore, quantile = (
            table.value(f"avg. + {post}", column, group) for post in ("zscore", "quantile-u")
        )
        assert quantile <= zscore
    clusters = "Avg. accuracy (%) of clustering tasks"
    for column in table.columns:
        zscore, quantile = (
            table.value(f"avg. + {post}", column, clusters) for post in ("zscore", "quantile-u")
        )
        assert quantile > zscore
    assert "no more than standardising" in named("Quantile").explanation
    memory = named("Doc2Vec, distributed memory")
    assert not Recipe.parse(memory.recipe).needs_reference()
    assert "scored corpus" in memory.explanation


IN_PAPERS = {
    "Random embeddings": "Random embeddings (RE)",
    "random static": "Random embeddings (RE)",
    "RE": "Random embeddings (RE)",
    "Avg.": "Avg.",
    "averaged tokens": "Avg.",
    "BERT + Avg.": "BERT + Avg.",
    "BERT+Avg.": "BERT + Avg.",
    "B2S": "BERT2Static (B2S)",
    "B2S-100": "B2S-100",
    "T0": "T0, [MASK]",
    "idf": "idf",
    "-biases": "Remove biases, first-last",
    "normalize": "Unit length",
    "zscore": "z-score",
    "quantile-u": "Quantile",
    "quantile-n": "Quantile, normal",
    "All-But-The-Top": "ABTT",
    "ABTT": "ABTT",
    "whiten": "BERT-whitening",
    "BERT-whitening": "BERT-whitening",
    "WhiteningBERT": "WhiteningBERT",
    "BERT-flow": "BERT-flow",
    "PromptBERT": "Last manual prompt",
    "Prompt-BERT": "Last manual prompt",
    "Ditto": "Ditto",
    "last manual prompt": "Last manual prompt",
    "SBERT-WK": "SBERT-WK",
    "Sentence-BERT": "SBERT",
    "SBERT": "SBERT",
    "SimCSE": "SimCSE, supervised",
    "SIF": "SIF",
    "smooth inverse frequency": "SIF",
    "uSIF": "uSIF",
    "p-mean": "p-means",
    "power mean": "p-means",
    "DCT": "DCT",
    "Discrete Cosine Transform": "DCT",
    "GEM": "GEM",
    "VLAWE": "VLAWE",
    "S3E": "S3E",
    "semantic subspace": "S3E",
    "Doc2Vec": "Doc2Vec, distributed memory",
    "paragraph vector": "Doc2Vec, distributed memory",
    "PV-DBOW": "Doc2Vec, bag of words",
    "CLS": "[CLS]",
    "AnglE": "AnglE",
    "DiffCSE": "DiffCSE",
}
"""Names of methods as the papers write them, and the preset that each is."""


def first_hit(written: str) -> str:
    """The first method of the menu with these letters among its names."""
    return next(one.name for one in SHORTEST_FIRST if written.casefold() in one.called.casefold())


@pytest.mark.parametrize(("written", "name"), IN_PAPERS.items())
def test_a_method_is_the_first_hit_of_its_name_in_the_papers(written, name):
    assert first_hit(written) == name


@pytest.mark.parametrize("preset", PRESETS, ids=NAMES)
def test_a_method_is_the_first_hit_of_each_of_its_names(preset):
    assert {first_hit(name) for name in (preset.name, *preset.aliases)} == {preset.name}


def test_each_name_is_of_one_preset():
    names = [name.casefold() for preset in PRESETS for name in (preset.name, *preset.aliases)]
    assert len(set(names)) == len(names)
    assert preset_called("all-but-the-top") is preset_called("ABTT")
    assert preset_called("banana") is None
