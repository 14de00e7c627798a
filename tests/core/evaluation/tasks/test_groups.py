"""Groups of tasks: their members as the papers have them, what is missing, and the mean by hand."""

import json

import numpy as np
import pytest

from core.corpora.catalogue import Catalogue
from core.errors import CorpusError
from core.evaluation.tasks import TASK
from core.evaluation.tasks.groups import GROUPS, asked_for, find_group, mean_of
from core.evaluation.tasks.task import TaskResult
from core.recipe.options import Choice
from tests.core.helpers.texts import many

SIZES = {"sts": 5, "sts7": 7, "sts8": 8, "clustering": 6, "classification": 12, "probing": 10}


def result(value, samples):
    return TaskResult("accuracy", value, lambda: np.array(samples, float), "by hand", (), 10)


def test_the_groups_are_the_papers():
    assert {name: len(group.members) for name, group in GROUPS.items()} == SIZES
    for group in GROUPS.values():
        assert len({member.title for member in group.members}) == len(group.members)
        assert all(TASK.parse(member.task).name in TASK.options for member in group.members)


@pytest.fixture
def data(tmp_path):
    pairs = ["sentence1\tsentence2\tscore\tsplit"]
    texts = many(60)
    pairs += [f"{texts[i]}\t{texts[(7 * i + 1) % 60]}\t{i % 6}\ttest" for i in range(60)]
    labelled = ["text\tlabel", *(f"{text}\t{'ab'[i % 2]}" for i, text in enumerate(texts))]
    for name, lines in (
        *((f"sts/{name}.tsv", pairs) for name in ("STS12", "STS16", "STS-B")),
        ("clustering/agnews.tsv", labelled),
        ("clustering/tweet.tsv", labelled),
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(lines) + "\n")
    return tmp_path


def test_what_is_named_twice_is_asked_for_once_in_its_first_place():
    asked, missing = asked_for(Catalogue(), "topics,demo,topics, demo")
    assert ([one.title for one in asked], missing) == (["topics", "demo"], ())


@pytest.mark.parametrize(
    ("files", "sts7", "classification"),
    [
        (("stsb", "sickr"), ("stsb", "sickr"), ("sickr", "stsb")),
        (("STSbenchmark", "sick-r"), ("STSbenchmark", "sick-r"), ("sick-r", "STSbenchmark")),
        (("STS-B", "SICK"), ("STS-B", "SICK"), ("SICK", "SICK", "STS-B")),
    ],
)
def test_a_benchmark_is_found_under_any_of_its_names(tmp_path, files, sts7, classification):
    """A file called as scored pairs are is not taken for one with labels: SICK-E is SICK's."""
    lines = ["sentence1\tsentence2\tscore", *(f"a {i}\tb {i}\t{i % 6}" for i in range(30))]
    (tmp_path / "sts").mkdir()
    for name in files:
        (tmp_path / "sts" / f"{name}.tsv").write_text("\n".join(lines) + "\n")
    found = [corpus for _, corpus, _ in find_group(Catalogue(tmp_path), "sts7").here]
    assert tuple(found) == sts7
    learnt = [corpus for _, corpus, _ in find_group(Catalogue(tmp_path), "classification").here]
    assert tuple(learnt) == classification


def test_members_that_are_here_and_those_that_are_not(data):
    found = find_group(Catalogue(data), "sts7")
    assert [corpus for _, corpus, _ in found.here] == ["STS12", "STS16", "STS-B"]
    assert found.missing == ("STS13", "STS14", "STS15", "SICK-R")
    asked, missing = asked_for(Catalogue(data), "clustering,demo")
    assert asked == [
        ("agnews", "agnews", Choice("clustering")),
        ("tweet", "tweet", Choice("clustering")),
        ("demo", "demo", None),
    ]
    assert "stackoverflow" in missing
    with pytest.raises(CorpusError, match="probing needs sentence_length.*none of them is here"):
        find_group(Catalogue(data), "probing")
    with pytest.raises(CorpusError, match="no group 'sts9'. Did you mean"):
        find_group(Catalogue(data), "sts9")


def test_the_mean_and_its_interval_by_hand():
    generator = np.random.default_rng(0)
    a, b = generator.normal(60, 2, 1000), generator.normal(70, 2, 1000)
    mean = mean_of([result(60.0, a), result(70.0, b)])
    assert (mean.value, mean.tasks) == (65, 2)
    half = 1.96 * 2 / np.sqrt(2)  # two independent corpora, each with a standard error of 2
    assert mean.bounds == (pytest.approx(65 - half, abs=0.4), pytest.approx(65 + half, abs=0.4))
    same = mean_of([result(60.0, a), result(60.0, a)])
    assert np.ptp(same.bounds) < 0.8 * (np.percentile(a, 97.5) - np.percentile(a, 2.5))
    assert np.isnan(mean_of([result(60.0, a), result(float("nan"), [np.nan])]).value)


def test_a_mean_with_a_task_without_an_interval_has_none():
    """Isotropy has no resamples, accuracy a thousand."""
    mean = mean_of([result(50.0, [np.nan]), result(60.0, np.arange(1000.0))])
    assert mean.value == 55.0
    assert np.isnan(mean.samples).all()
    assert np.isnan(mean.bounds).all()


def test_the_command_line_scores_a_group(run, bert, data):
    arguments = ("score", "--quiet", "--recipe", f"{bert};layers=last", "--data", data)
    answer = json.loads(run(*arguments, "--corpora", "sts7", "--json")[1])
    values = [score["value"] for score in answer["scores"]]
    assert answer["value"] == pytest.approx(np.mean(values), abs=1e-3)
    assert (answer["tasks"], answer["metric"], len(values)) == (3, "spearman", 3)
    assert answer["missing"] == ["STS13", "STS14", "STS15", "SICK-R"]
    alone = json.loads(run(*arguments, "--corpus", "STS-B", "--json")[1])
    assert answer["scores"][2]["value"] == alone["spearman"]
    code, out, err = run(*arguments, "--corpora", "clustering,STS12")
    assert (code, out.count("\n"), "mean of 3" in out, "accuracy+spearman" in out) == (0, 4, True, True)
    assert "Not here, and not in the mean: biomedical, googleTS" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--corpora", "sts7", "--corpus", "demo"), "give one of the two"),
        (("--corpora", "sts12,,demo"), "allowed is names joined by ','"),
        (("--corpora", "probing"), "none of them is here"),
    ],
)
def test_a_wrong_group_is_one_line(run, bert, data, arguments, said):
    code, out, err = run("score", "--quiet", "--recipe", bert, "--data", data, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_a_sweep_takes_groups_of_any_task(run, bert, data, tmp_path):
    (tmp_path / "r.txt").write_text(f"{bert};layers=last\n")
    common = ("sweep", "--quiet", "--recipes", tmp_path / "r.txt", "--data", data)
    code, out, err = run(*common, "--corpora", "sts", "--output", tmp_path / "o.csv")
    assert (code, out.startswith("2 rows"), "left out: STS13" in err) == (0, True, True)
    code, _, err = run(*common, "--corpora", "clustering", "--output", tmp_path / "p.csv")
    rows = (tmp_path / "p.csv").read_text().splitlines()[1:]
    assert (code, len(rows), "left out: biomedical" in err) == (0, 2, True)
    assert all(",clustering,accuracy," in row for row in rows)


def test_the_mean_has_the_means_of_what_every_task_has_beside_its_main_value():
    a = TaskResult("spearman", 60.0, lambda: np.full(9, 60.0), "", (), 9, {"pearson": 50.0, "x": 1.0})
    b = TaskResult("spearman", 70.0, lambda: np.full(9, 70.0), "", (), 9, {"pearson": 80.0})
    assert mean_of([a, b]).others == {"pearson": 65.0}


def test_means_of_two_recipes_have_a_paired_difference():
    a, b = (np.random.default_rng(seed).normal(60, 2, 1000) for seed in (0, 1))
    low, high = (mean_of([result(60.0, a + up), result(60.0, b + up)]) for up in (0, 1))
    change = high.above(low)
    assert (change.low, change.high) == (pytest.approx(1), pytest.approx(1))


@pytest.mark.parametrize("aggregate", ["all", "mean", "wmean"])
def test_a_group_is_averaged_by_pearson_as_by_spearman(run, bert, data, aggregate):
    common = ("score", "--quiet", "--recipe", f"{bert};layers=last", "--data", data, "--json")
    group = (*common, "--corpora", "sts7", "--aggregate", aggregate)
    by_rank = json.loads(run(*group)[1])
    linear = json.loads(run(*group, "--task", "sts(metric=pearson)")[1])
    assert (linear["metric"], linear["value"]) == ("pearson", by_rank["pearson"])
    assert linear["spearman"] == by_rank["value"]
    each = [
        json.loads(run(*common, "--corpus", name, "--aggregate", aggregate)[1])["pearson"]
        for name in ("STS12", "STS16", "STS-B")
    ]
    assert linear["value"] == pytest.approx(np.mean(each), abs=1e-3)
    assert linear["low"] < linear["value"] < linear["high"]
