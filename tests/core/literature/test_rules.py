"""Which recipe gives a printed figure: every cell has a rule or a reason, and rules are followed."""

import re
from dataclasses import replace

import pytest

from core.evaluation.isotropy import iso_score
from core.evaluation.tasks.groups import GROUPS
from core.literature.presets import PRESETS
from core.literature.rules import Rule, rule_of
from core.literature.rules.curves import CURVES, curves_of
from core.literature.rules.relations import relations_of
from core.literature.rules.running import Reproduction, Runnable, as_line
from core.literature.rules.without import systems_without
from core.literature.tables import find_table, paper, tables
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.settings import Settings
from tests.core.helpers.texts import many

BASE = Recipe.parse("source=untuned")


def the_rule(paper, table, row, column, group=None):
    printed = find_table(paper, table)
    return rule_of(printed, printed.cell(row, column, group))


def the_recipe_of(name):
    """A preset's recipe, on whatever vectors the visitor takes."""
    (preset,) = (one for one in PRESETS if one.name == name)
    return str(Recipe.parse(preset.recipe).replace(source="bundled"))


@pytest.mark.parametrize("table", tables(), ids=lambda table: f"{table.paper.number} {table.name}")
def test_every_cell_has_a_rule_or_a_reason(table):
    for cell in table.cells:
        found = rule_of(table, cell)
        if isinstance(found, str):
            assert re.fullmatch(r"[A-Z].{20,130}\.", found), found
            continue
        assert cell.is_result and cell.is_placed
        recipe = Recipe.parse(found.recipe)
        assert found.tasks
        assert ("reference=" in found.recipe) is recipe.needs_reference()
        assert cell.unit.lower().startswith(found.metric)
        assert all(sentence.endswith(".") for sentence in (*found.differs, *found.told))


@pytest.mark.parametrize(
    ("place", "recipe", "tasks"),
    [
        (("000", "11", "avg.", "BERT"), "", ["STS-B"]),
        (
            ("000", "11", "idf^W + zscore", "RE"),
            "source=random;tokens=content;weight=idf;post=zscore",
            ["STS-B"],
        ),
        (("000", "11", "-biases", "RE"), "source=random;tokens=unbiased", ["STS-B"]),
        (
            ("000", "14", "idf^T + whiten^W", "T4"),
            "template=T4;layers=last;weight=idf(fit=reference);post=whiten(fit=reference);"
            "reference=wikitext-2(unit=sentence)",
            ["agnews"],
        ),
        (
            ("000", "11", "idf^T + zscore", "RE"),
            "source=random;tokens=content;weight=idf(fit=reference);post=zscore;reference=wikitext-2",
            ["STS-B"],
        ),
        (
            ("000", "11", "idf^W + quantile-u^W", "BERT"),
            "weight=idf;post=quantile(fit=reference);reference=wikitext-2(unit=sentence)",
            ["STS-B"],
        ),
        (("000", "11", "avg.", "Avg."), "mix=averaged(w=1);reference=wikitext-2(unit=sentence)", ["STS-B"]),
        (
            ("000", "4", "SimCSE avg. + quantile-u^W", "SimCSE"),
            "source=princeton-nlp/sup-simcse-bert-base-uncased@refs/pr/3;post=quantile(fit=reference);"
            "reference=wikitext-2(unit=sentence)",
            ["agnews"],
        ),
        (("003", "I", "S3E (L.F.P.)", "STSB"), the_recipe_of("S3E, GloVe"), ["STS-B"]),
        (("001", "III", "p-mean", "STSB"), the_recipe_of("p-means, four kinds"), ["STS-B"]),
        (("000", "1", "T3", "Clust."), "template=T3;layers=last;tokens=mask", ["agnews", "tweet"]),
        (("002", "6", "BERT last Ditto", "STS13"), "layers=last;weight=ditto", ["STS13"]),
        (
            ("002", "4", "Ditto Head 11-11", "Test"),
            "layers=0+last;weight=ditto(layer=11,head=11)",
            ["STS12", "SICK-R"],
        ),
        (("003", "I", "Avg. BERT", "STSB"), "layers=last", ["STS-B"]),
        (
            ("004", "whitening", "BERT_base-whitening-256 (target)", "STS-16"),
            "post=whiten(k=256)",
            ["STS16"],
        ),
    ],
)
def test_the_recipe_and_the_tasks_of_a_figure(place, recipe, tasks):
    found = the_rule(*place)
    assert isinstance(found, Rule)
    assert str(Recipe.parse(found.recipe)) == str(Recipe.parse(recipe))
    titles = [one.title for one in found.tasks]
    assert [titles[0], titles[-1]][: len(tasks)] == tasks


def test_means_are_over_the_papers_own_tasks():
    assert (
        len(the_rule("000", "5", "avg.", "BERT", "Avg. Spearman correlation (%) of STS tasks").tasks) == 8
    )
    assert len(the_rule("000", "1", "T0", "Class.").tasks) == 12
    assert the_rule("002", "1", "BERT last avg.", "Avg.").tasks == GROUPS["sts7"].members
    titles = [one.title for one in the_rule("001", "VII", "SBERT-WK", "Avg. STS results").tasks]
    assert titles == ["STS12", "STS13", "STS14", "STS15", "STS16", "STS-B"]


def test_the_papers_settings_are_in_the_rule():
    dev = the_rule("002", "4", "Ditto Head 1-10", "Dev")
    assert (dev.split, dev.metric) == ("dev", "spearman")
    pearson = the_rule("003", "I", "Avg. BERT", "STS12")
    assert (pearson.metric, pearson.aggregate) == ("pearson", "mean")
    assert the_rule("003", "I", "Avg. BERT", "SICK-R").tasks[0].task == "supervised_sts"
    assert the_rule("003", "II", "S3E (GloVe)", "MR").tasks[0].task == "classification(classifier=senteval)"
    assert the_rule("004", "classification", "BERT CLS-vector", "MR").tasks[0].task == "classification"
    blocks = [
        group for group, row in find_table("004", "whitening").rows if row == "BERT_base-first-last-avg"
    ]
    assert len(blocks) == 2
    assert (
        the_rule("004", "whitening", "BERT_base-first-last-avg", "STS-12", blocks[0]).aggregate == "wmean"
    )
    assert the_rule("004", "whitening", "Avg. BERT embeddings", "STS-12").aggregate == "all"


@pytest.fixture
def here(engine) -> Reproduction:
    return Reproduction(engine, BASE)


@pytest.fixture(scope="module")
def engine(tmp_path_factory) -> Engine:
    own = tmp_path_factory.mktemp("rules")
    folder = own / "data" / "sts"
    folder.mkdir(parents=True)
    texts = many(60)
    rows = [f"{texts[2 * i]}\t{texts[2 * i + 1]}\t{i % 5}" for i in range(30)]
    (folder / "STS-B.tsv").write_text("\n".join(["sentence1\tsentence2\tscore", *rows]), "utf-8")
    return Engine(Settings.from_environment(data=folder.parent, cache=own / "cache"))


def test_a_figure_without_a_model_is_measured_once_and_kept(here):
    found = here.runnable(the_rule("000", "11", "idf^W", "RE"))
    assert isinstance(found, Runnable)
    assert found.same
    assert found.model.startswith("random")
    assert here.kept(found) is None
    measured = here.measure(found)
    again = here.kept(found)
    assert again is not None
    assert again.value == measured.value
    low, high = measured.bounds
    assert low <= measured.value <= high
    cell = find_table("000", "11").cell("idf^W", "RE")
    assert measured.holds(replace(cell, printed=f"{measured.value:.1f}"))
    assert not measured.holds(replace(cell, printed=f"{high + 0.2:.1f}"))


def test_pearson_has_its_own_interval(here):
    spearman = the_rule("000", "11", "idf^W", "RE")
    one = here.measure(here.runnable(spearman))
    other = here.measure(here.runnable(replace(spearman, metric="pearson")))
    assert other.value == one.scored[0].result.others["pearson"] != one.value
    low, high = other.bounds
    assert low < other.value < high
    assert (low, high) != one.bounds


def test_a_mean_over_tasks_is_the_mean_of_their_values(here):
    rule = the_rule("000", "11", "avg.", "RE")
    twice = replace(rule, tasks=rule.tasks * 2)
    one, both = (here.measure(here.runnable(each)) for each in (rule, twice))
    assert both.value == pytest.approx(one.value)
    assert both.bounds[1] - both.bounds[0] < one.bounds[1] - one.bounds[0]


@pytest.mark.parametrize(
    ("place", "base", "told"),
    [
        (("000", "13", "avg.", "RE"), "", "The corpus STR (or STR-2022, STR2022, str2022) is not here"),
        (("000", "11", "idf^T", "RE"), "", "It learns from wikitext-2, which is not here"),
        (("000", "11", "avg.", "BERT"), "source=random", "It takes a transformer"),
        (("000", "11", "avg.", "B2S"), "", "It takes word vectors (bert_12layer_para)"),
    ],
)
def test_what_is_missing_is_said(engine, place, base, told):
    found = Reproduction(engine, Recipe.parse(base)).runnable(the_rule(*place))
    assert isinstance(found, str)
    assert found.startswith(told)


def test_words_are_left_out_as_the_column_says(engine, tmp_path):
    path = tmp_path / "bert_12layer_para.vec"
    words = dict.fromkeys(word for text in many(60) for word in text.lower().replace(".", "").split())
    path.write_text("".join(f"{word} {i % 7} {i % 5} 1\n" for i, word in enumerate(words)), "utf-8")
    here = Reproduction(engine, Recipe.parse(f"source=vectors(path={path},drop=3)"))
    sources = []
    for column in ("B2S", "B2S-100"):
        found = here.runnable(the_rule("000", "11", "avg.", column))
        assert isinstance(found, Runnable), found
        assert found.same
        sources.append(dict(found.recipe.source.arguments))
    assert sources[0] == {"path": str(path)}
    assert sources[1] == {"path": str(path), "drop": 100}


@pytest.mark.parametrize(
    ("number", "there", "not_there"),
    [
        ("002", "BERT last manual and continuous prompt", "BERT first-last TF-IDF"),
        ("004", "AnglE-LLaMA2-7B", "LLaMA2-7B"),
        ("001", "Universal Sentence Encoder", "SBERT-WK (XLNET)"),
    ],
)
def test_systems_without_a_recipe_stand_with_the_reason(number, there, not_there):
    found = {each.row: each for each in systems_without(paper(number))}
    assert not_there not in found
    each = found[there]
    assert each.cells
    assert all(rule_of(each.table, cell) == each.reason for cell in each.cells)


def test_another_model_is_a_difference(here):
    found = here.runnable(the_rule("000", "11", "avg.", "BERT"))
    assert isinstance(found, Runnable)
    assert found.differs == (f"{found.model} here, bert-base-uncased there.",)
    assert found.recipe.spelled()["source"] == "untuned"


def test_recipes_are_set_against_the_iso_score_of_sentences(tmp_path):
    folder = tmp_path / "data" / "corpus"
    folder.mkdir(parents=True)
    lines = [" ".join(many(60)[i : i + 2]) for i in range(0, 60, 2)]
    (folder / "wikitext-2.txt").write_text("\n".join(lines), "utf-8")
    engine = Engine(Settings.from_environment(data=folder.parent, cache=tmp_path / "cache"))
    here = Reproduction(engine, BASE)
    one, two = relations_of("000")
    assert (
        set(one.panels)
        == set(two.panels)
        == {"T0", "T4", "BERT", "BERT + Avg.", "Avg.", "B2S", "B2S-100", "RE"}
    )
    by_sentences = here.runnable(replace(the_rule("000", "11", "avg. + whiten^W", "RE"), tasks=()))
    assert isinstance(by_sentences, Runnable)
    split = here.engine.references.at_hand(by_sentences.recipe)
    assert not split, "looking it up finds no sentences, which takes a minute"
    assert here.kept(by_sentences) is None
    dots = one.panels["RE"]
    assert not any("whiten" in row for row in dots)
    assert dots["avg."].printed == 50.3
    assert dots["avg. + zscore"].upwards.tasks == GROUPS["sts8"].members
    found = here.runnable(dots["avg. + zscore"].across)
    assert isinstance(found, Runnable), found
    corpus = found.parts[0].corpus
    assert len(corpus.sentences) > len(lines)
    assert here.engine.references.at_hand(by_sentences.recipe)
    expected = 100 * iso_score(engine.embed(found.recipe, corpus).vectors)
    assert here.measure(found).value == pytest.approx(expected)
    assert isinstance(here.runnable(dots["avg. + zscore"].upwards), str)


def test_a_cosine_is_compared_as_it_is_printed(here):
    cell = find_table("002", "5").cell("BERT last avg.", "avg. Cosine Similarity")
    rule = the_rule("002", "5", "BERT last avg.", "avg. Cosine Similarity")
    assert (rule.metric, cell.scale, cell.value) == ("cosine", 100, 0.508)
    own = replace(rule, tasks=(replace_corpus(rule.tasks[0], "STS-B"),))
    found = here.runnable(own)
    measured = here.measure(found)
    shown = f"{measured.value / 100:.3f}"
    line = as_line(cell, found, measured).split("\t")
    assert line[2:4] == ["0.508", shown]
    assert float(line[4]) < float(shown) < float(line[5])
    assert float(line[6]) == pytest.approx(float(shown) - 0.508, abs=0.0011)
    assert measured.holds(replace(cell, printed=shown))
    assert not measured.holds(replace(cell, printed=f"{measured.bounds[1] / 100 + 0.01:.3f}"))


def replace_corpus(member, name):
    return replace(member, corpora=(name,))


def test_points_of_a_curve_differ_in_one_argument():
    groups = next(curve for curve in CURVES if curve.paper == "003")
    pools = {at: Recipe.parse(rule.recipe).spelled()["pool"] for at, rule in groups.lines["STS-B"].items()}
    assert len({re.sub(r"k=\d+,?", "", text).removesuffix("()") for text in pools.values()}) == 1
    assert pools[5] == pools[60].replace("k=60", "k=5")
    for curve in CURVES:
        for line in curve.lines.values():
            recipes = [(str(Recipe.parse(rule.recipe)), rule.drop) for rule in line.values()]
            assert len(set(recipes)) == len(line), curve
            assert all(rule.tasks for rule in line.values())
    assert curves_of("002") == ()
    window = next(curve for curve in CURVES if curve.name == "Figure 3 (a)")
    titles = [one.title for one in window.lines["STS"][2.0].tasks]
    assert titles == ["STS12", "STS13", "STS14", "STS15", "STS16"]
