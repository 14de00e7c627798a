"""The command line: every command, the keys of its answer, and one line for whatever is wrong."""

import json
import re

import numpy as np
import pytest

from core import cli, errors
from core.corpora.corpus import Corpus
from core.literature.presets import PRESETS
from core.pipeline.engine import Engine
from core.recipe import STAGES, Recipe
from core.settings import Settings
from tests.core.helpers import scripts
from tests.core.helpers.texts import many

CONTRACT = {"recipe", "corpus", "split", "fingerprint", "pairs", "spearman", "pearson", "low", "high"}
CONTRACT |= {"pass_seconds", "seconds", "subsets"}


def test_score_json_has_the_keys_of_the_contract(run, bert, table, scored):
    recipe = f"post=none; {bert} ;layers=last+0"
    code, out, err = run("score", "--json", "--recipe", recipe, "--corpus", table)
    answer = json.loads(out)

    assert code == 0
    assert set(answer) >= CONTRACT
    assert answer["recipe"] == str(Recipe.parse(recipe))
    assert (answer["corpus"], answer["split"], answer["pairs"]) == ("scored", "all", 90)
    assert -100 <= answer["low"] <= answer["spearman"] <= answer["high"] <= 100
    assert answer["pass_seconds"] > 0
    assert set(answer["subsets"]["all"]) == {"spearman", "pearson", "pairs"}
    assert "Reading sentences with bert: 60 of 60" in err


def test_the_second_call_runs_no_pass_and_gives_the_same(run, bert, table):
    arguments = ("score", "--json", "--recipe", f"{bert};post=zscore", "--corpus", table)
    first, second = (json.loads(run(*arguments)[1]) for _ in range(2))
    assert first["pass_seconds"] > 0
    assert second["pass_seconds"] == 0
    for key in CONTRACT - {"pass_seconds", "seconds"}:
        assert first[key] == second[key]


def test_score_in_words_says_what_the_json_says(run, bert, table):
    answer = json.loads(run("score", "--json", "--recipe", bert, "--corpus", table)[1])
    code, out, _ = run("score", "--recipe", bert, "--corpus", table)
    assert code == 0
    assert f"scored all: {answer['spearman']:.2f} Spearman × 100, aggregate all" in out
    assert f"95 % between {answer['low']:.2f} and {answer['high']:.2f}" in out
    assert bert in out


def test_a_score_that_does_not_exist_is_null_with_a_note(run, bert, table):
    code, out, _ = run("score", "--json", "--recipe", f"{bert};layers=0;pool=cls", "--corpus", table)
    answer = json.loads(out)
    assert code == 0
    assert [answer[k] for k in ("spearman", "pearson", "low", "high")] == [None] * 4
    assert any("All similarities are equal" in note for note in answer["notes"])


def test_aggregate_split_and_scale_are_followed(run, bert, tmp_path):
    rows = [("dev", "s", f"dog {i}", f"cat {i}", i * 20) for i in range(5)]
    rows += [("test", "ab"[i % 2], f"man {i}", f"boy {i * i}", i * 12) for i in range(8)]
    lines = ["split\tsubset\tsentence1\tsentence2\tscore", *("\t".join(map(str, row)) for row in rows)]
    (tmp_path / "wide.tsv").write_text("\n".join(lines) + "\n")
    common = ("score", "--json", "--recipe", bert, "--corpus", tmp_path / "wide.tsv", "--scale", "0:100")
    given = json.loads(run(*common, "--aggregate", "mean")[1])
    assert (given["split"], given["pairs"], given["aggregate"]) == ("test", 8, "mean")
    each = [subset["spearman"] for subset in given["subsets"].values()]
    assert given["spearman"] == pytest.approx(np.mean(each), abs=1e-3)
    assert json.loads(run(*common, "--split", "dev")[1])["pairs"] == 5
    assert json.loads(run(*common, "--split", "all")[1])["split"] == "dev+test"


def test_quiet_says_nothing_but_the_answer(run, bert, table):
    code, out, err = run("score", "--json", "--quiet", "--recipe", bert, "--corpus", table)
    assert (code, err) == (0, "")
    json.loads(out)


def test_precision_is_a_setting(run, bert, table, tmp_path):
    run("score", "--recipe", bert, "--corpus", table, "--storage", "float16", "--forward", "bfloat16")
    out = run("cache")[1]
    assert "bfloat16/float16" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "required: COMMAND"),
        (["scoer"], "invalid choice: 'scoer'"),
        (["score", "--recip"], "expected one argument|unrecognized|ambiguous"),
        (["score", "--recipe", "pool=maen"], "pool: no 'maen'. Did you mean 'mean'. Allowed: mean"),
        (["score", "--recipe", "pool=mean\nlayers"], "pool: no"),
        (["score", "--corpus", "no-such"], "There is no corpus 'no-such'"),
        (["score", "--corpus", "no.tsv"], "There is no file 'no.tsv'"),
        (["score", "--corpus", "demo", "--split", "tset"], "no split 'tset'; allowed:"),
        (["score", "--aggregate", "median"], "aggregate: got 'median'; allowed is all, mean, wmean"),
        (["score", "--scale", "5:0"], "scale: got '5:0'; allowed is LOW:HIGH"),
        (["score", "--scale", "five"], "scale: got 'five'"),
        (["score", "--forward", "int8"], "forward: got 'int8'; allowed is float32 or bfloat16"),
        (["score", "--storage", "int8"], "storage: got 'int8'; allowed is float32 or float16"),
        (["score", "--data", "/no/such"], "data folder '/no/such' does not exist"),
        (["score", "--recipe", "source=/no/such"], "No folder '/no/such' here"),
        (["score", "--recipe", "source=no/such"], "works without network: bundled"),
        (["score", "--corpus", "sts12"], "sts12: .* is not on this machine"),
        (["score", "--recipe", "post=zscore(fit=reference);reference=nowhere"], "no corpus 'nowhere'"),
        (["embed", "--input", "no.txt", "--output", "v.npy"], "There is no file 'no.txt'"),
        (["embed", "--output", "v.npy"], "required: --input"),
        (["presets", "--paper"], "paper: got ''; allowed is 000"),
        (["presets", "--paper", "7"], "paper: got '7'; allowed is 000"),
        (["tables", "002", "9"], "table of paper 002: got '9'; allowed is 1; 2; 3; 4; 5; 6"),
        (["tables", "002", "--here"], "--here computes one table: give a paper and a table"),
        (["tables", "002", "1", "--here", "--column", "x"], "column: got 'x'; allowed is Avg"),
        (["tables", "002", "1", "--column", "Avg"], "--column is of what is computed; give --here with it"),
        (["tables", "002", "--recipe", "pool=max"], "--recipe is of what is computed; give --here with it"),
        (["tables", "002", "--tsv", "--slips"], "--slips and --tsv are two forms of an answer"),
        (
            ["why", "a dog", "a cat", "--ratings", "0", "1"],
            "--ratings is of the pairs of a corpus; give --worst",
        ),
        (["why", "a dog", "a cat", "--split", "dev"], "--split is of the pairs of a corpus; give --worst"),
        (["corpora", "--split", "dev"], "--split is of corpora that are named"),
        (["find", "--seed", "-1"], "the seed is -1; allowed are whole numbers from 0"),
        (["data", "--sizes"], "data: no folder to write into"),
    ],
)
def test_a_wrong_value_ends_with_code_2_and_one_line(run, arguments, said):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert re.search(said, err), err


def test_bad_output_and_input_of_embed_are_refused_before_any_work(run, bert, tmp_path):
    (tmp_path / "in.txt").write_text("a\n")
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9\n")
    for name, output, said in (
        ("in.txt", "v.txt", "allowed is a file ending in .npy"),
        ("in.txt", "no/v.npy", "folder .* does not exist"),
        ("empty.txt", "v.npy", "is empty; one sentence a line"),
        ("latin.txt", "v.npy", "cannot be read as UTF-8"),
        ("", "v.npy", "is a folder and no file"),
    ):
        code, _, err = run(
            "embed", "--recipe", bert, "--input", tmp_path / name, "--output", tmp_path / output
        )
        assert (code, err.count("\n")) == (2, 1)
        assert re.search(said, err), err


def test_embed_writes_a_row_for_each_line_in_order(run, bert, tmp_path):
    lines = ["the dog sat", "", "a cat", "the dog sat", "  a cat \t", "[MASK] \0 🎸", "dog " * 300]
    (tmp_path / "in.txt").write_bytes("\r\n".join(lines).encode())
    recipe = f"{bert};layers=last"

    code, out, err = run(
        "embed", "--recipe", recipe, "--input", tmp_path / "in.txt", "--output", tmp_path / "v.npy"
    )

    vectors = np.load(tmp_path / "v.npy", allow_pickle=False)
    assert (code, vectors.shape, vectors.dtype) == (0, (7, 32), np.float32)
    assert np.array_equal(vectors[0], vectors[3])
    assert np.array_equal(vectors[2], vectors[4])
    assert len(np.unique(vectors, axis=0)) == 5
    engine = Engine(Settings(cache=tmp_path / "other"))
    expected = engine.embed(Recipe.parse(recipe), Corpus.of_texts("t", ["a cat", "the dog sat"])).vectors
    np.testing.assert_allclose(vectors[[2, 0]], expected, atol=1e-5)
    assert "7 vectors of 32 numbers" in out
    assert "note: 1 line is empty (line 2)" in err
    assert "longer than 96 tokens" in err


def test_neighbours_are_those_of_the_vectors(run, bert, tmp_path):
    lines = [f"the dog number {i} sat" for i in range(12)]
    (tmp_path / "in.txt").write_text("\n".join(lines), "utf-8")
    about = ("neighbours", "--quiet", "--recipe", f"{bert};layers=last", "--corpus", tmp_path / "in.txt")
    code, out, _ = run(*about, "--text", lines[3], "--text", "A cat", "--number", "4", "--json")
    first, second = (json.loads(line) for line in out.splitlines())
    vectors = Engine(Settings(cache=tmp_path / "other")).encode(lines, Recipe.parse(f"{bert};layers=last"))
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    wanted = np.argsort(-(units @ units[3]), kind="stable")
    assert code == 0
    assert [each["sentence"] for each in first["neighbours"]] == [lines[i] for i in wanted if i != 3][:4]
    assert (second["text"], len(second["neighbours"])) == ("A cat", 4)
    code, out, _ = run(*about, "--text", "A cat", "--number", "1")
    assert out.splitlines()[0] == "A cat  (of 12 different sentences of in)"
    assert re.fullmatch(r"  [+-]0\.\d{3}  the dog number \d+ sat", out.splitlines()[1])
    code, _, err = run(*about, "--text", "A cat", "--number", "0")
    assert (code, "allowed are 1 to 1,000" in err) == (2, True)


def test_few_pairs_are_told_under_every_way_of_scoring_them(run, tmp_path):
    table = tmp_path / "same.tsv"
    rows = [f"dog number {i}\t{'dog number' if i % 2 else 'the cat'} {i}\t{i % 2}" for i in range(12)]

    def told(number, *more):
        table.write_text("\n".join(["sentence1\tsentence2\tscore", *rows[:number]]), "utf-8")
        return run("score", "--quiet", "--recipe", "source=random(dim=8);tokens=content", *more)[2]

    few = "3 pairs are too few for an interval: from 10 on there is one."
    assert told(3, "--corpus", table) == f"note: {few}\n"
    assert told(3, "--corpus", table, "--task", "sts(metric=pearson)") == f"note: {few}\n"
    assert told(3, "--corpora", table) == f"note: {table}: {few}\n"
    labelled = tmp_path / "labels.tsv"
    labelled.write_text("text\tlabel\n" + "dog\tyes\ncat\tno\n" * 6, "utf-8")
    for several in (False, True):
        asked = ("--corpora" if several else "--corpus", table, "--json", "--task", "sts(metric=pearson)")
        table.write_text("\n".join(["sentence1\tsentence2\tscore", *rows[:3]]), "utf-8")
        answer = json.loads(run("score", "--quiet", "--recipe", "source=random(dim=8)", *asked)[1])
        assert (answer["scores"][0] if several else answer)["notes"] == [few]
    classes = told(0, "--corpus", labelled, "--task", "classification(folds=2)")
    assert classes.startswith("note: Every resample of the 12 rows gives the same value")


def test_isotropy_is_measured_where_it_is_named(run):
    about = ("score", "--quiet", "--corpus", "topics", "--split", "dev", "--recipe", "source=random(dim=8)")
    cosine = run(*about, "--task", "isotropy")[1]
    assert re.search(
        r"topics dev: \S+ cosine × 100, task isotropy\n  95 % between \S+ and \S+; isoscore", cosine
    )
    spread = run(*about, "--task", "isotropy(metric=isoscore,sentences=50)")[1]
    assert "no interval; cosine" in spread
    assert "50 drawn" in spread


@pytest.mark.parametrize("corpora", [("--corpus", "topics"), ("--corpora", "demo,topics")])
def test_options_without_effect_on_a_task_are_told(run, corpora):
    about = ("score", "--recipe", "source=random(dim=8)", *corpora, "--scale", "0:3", "--aggregate", "mean")
    told = run(*about)[2]
    assert told.count("--scale has no effect on the task classification.") == 1
    assert told.count("--aggregate has no effect on the task classification.") == 1
    assert "the task sts" not in told


def test_what_is_named_twice_counts_once(run):
    about = ("score", "--quiet", "--json", "--recipe", "source=random(dim=8)")
    once, twice = (json.loads(run(*about, "--corpora", names)[1]) for names in ("demo", "demo,demo"))
    assert [once[key] for key in ("tasks", "low", "high")] == [
        twice[key] for key in ("tasks", "low", "high")
    ]


def test_members_of_a_group_that_are_not_here_are_told(run, tmp_path):
    (tmp_path / "sts").mkdir()
    texts = many(24)
    rows = [f"{texts[2 * i]}\t{texts[2 * i + 1]}\t{i % 5}" for i in range(12)]
    (tmp_path / "sts" / "STS12.tsv").write_text("\n".join(["sentence1\tsentence2\tscore", *rows]), "utf-8")
    code, out, err = run("corpora", "sts", "--data", tmp_path)
    assert code == 0
    assert "STS12" in out
    assert re.search("note: Not here: STS13, ", err)


def test_lists_name_what_there_is(run, tmp_path):
    listed = json.loads(run("corpora", "--json")[1])
    assert [one["name"] for one in listed][:1] == ["demo"]
    assert {*listed[0]} == {"name", "kind", "task", "origin"}
    assert "bundled" in run("models")[1]
    corpora = run("corpora")[1]
    assert corpora.startswith("demo")
    assert "stsb" in corpora
    presets = run("presets")[1]
    for preset in PRESETS:
        assert preset.name in presets
        assert preset.published in presets


def test_the_presets_of_a_paper_are_listed_with_its_figures(run):
    code, out, _ = run("presets", "--paper", "002")
    assert code == 0
    assert out.startswith("002  Chen et al. 2023: Ditto")
    assert "STS12 53.77" in out
    assert "S3E" not in out
    without = out.partition("no recipe here:")[2]
    assert (
        "BERT last manual and continuous prompt Table 6: A continuous prompt is trained for it" in without
    )
    assert "STS12 64.56" in without
    assert run("presets", "--paper", "2")[1] == out


def test_tables_are_listed_and_one_is_printed(run):
    listed = run("tables")[1].splitlines()
    assert len(listed) == 39
    assert run("tables", "003")[1].splitlines() == [line for line in listed if line.startswith("003")]
    assert "69.59" in run("tables", "003", "1")[1]
    lines = run("tables", "002", "5", "--tsv")[1].splitlines()
    assert lines[0].split("\t") == "paper table group row column value unit bold note".split()
    assert len(lines) == 1 + 6
    assert len(run("tables", "002", "--tsv")[1].splitlines()) == 1 + 16 + 9 + 9 + 16 + 6 + 128
    slips = run("tables", "--slips")[1].splitlines()
    assert any(line.startswith("003 I ") and "70.26" in line for line in slips)
    assert run("tables", "002", "--slips")[1] == ""


def test_figures_of_a_table_are_computed_where_their_corpus_is_here(run, tmp_path):
    (tmp_path / "sts").mkdir()
    texts = many(24)
    rows = [f"{texts[2 * i]}\t{texts[2 * i + 1]}\t{i % 5}" for i in range(12)]
    (tmp_path / "sts" / "STS-B.tsv").write_text("\n".join(["sentence1\tsentence2\tscore", *rows]), "utf-8")
    arguments = ("tables", "000", "11", "--here", "--column", "RE", "--data", str(tmp_path))
    code, out, err = run(*arguments)
    head, *lines = [line.split("\t") for line in out.splitlines()]
    assert code == 0
    assert head[:4] == ["row", "column", "printed", "here"]
    assert lines[0][:3] == ["avg.", "RE", "46.5"]
    assert lines[0][7] == "source=random;tokens=content"
    assert all(float(line[4]) <= float(line[3]) <= float(line[5]) for line in lines)
    assert "not computed: It learns from wikitext-2(unit=sentence), which is not here" in err
    assert "7 not computed: A time belongs to a machine" in run("tables", "003", "4", "--here")[2]


def test_the_cache_is_shown_and_cleared(run, bert, table):
    run("score", "--recipe", bert, "--corpus", table)
    shown = run("cache")[1]
    assert "1 passes" in shown
    assert "60 sentences" in shown
    assert "MB freed" in run("cache", "--clear")[1]
    assert "0 passes" in run("cache")[1]


def test_help_names_every_stage_option_and_argument(run):
    code, out, _ = run("score", "--help")
    assert code == 0
    for stage in STAGES.values():
        assert stage.question in out
        for option in stage:
            assert option.explanation in out
            assert all(argument.describe() in out for argument in option.arguments.values())


def test_an_interrupt_says_that_nothing_is_lost(run, bert, table, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Engine, "similarities", interrupted)
    code, out, err = run("score", "--recipe", bert, "--corpus", table)
    assert (code, out) == (130, "")
    assert "the same command goes on from there" in err


def test_an_interrupt_while_a_command_is_loaded_is_no_traceback(run, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "import_module", interrupted)
    code, out, err = run("models")
    assert (code, out) == (130, "")
    assert "Stopped." in err


MODULE = (
    "import runpy, sys; sys.argv[:] = ['core', '--version']; runpy.run_module('core', run_name='__main__')"
)


@pytest.mark.parametrize("optimize", ["", "2"])
def test_python_m_core_is_the_command_line_also_where_python_takes_docstrings_away(optimize):
    assert scripts.run(MODULE, PYTHONOPTIMIZE=optimize).startswith("Sentence Strata ")


@pytest.mark.parametrize("command", ["presets", "corpora"])
def test_a_reader_that_has_read_enough_ends_it_without_a_word(command):
    """``python -m core presets | head -1``, of an answer longer or shorter than what a pipe holds."""
    process = scripts.start(MODULE.replace("--version", command))
    process.stdout.close()
    err = process.stderr.read()
    assert (process.wait(scripts.HANG), err) == (141, "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["cache", "--clear", "--cache", ""], "--cache: got ''"),
        (["score", "--cache", " "], "--cache: got ''"),
        (["corpora", "--data", ""], "--data: got ''"),
        (["score", "--split", ""], "has no split ''"),
    ],
)
def test_an_empty_text_such_as_an_unset_variable_is_refused(run, monkeypatch, tmp_path, arguments, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "thesis.csv").write_text("mine")
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.strip().splitlines()) == 1
    assert (tmp_path / "tables" / "thesis.csv").exists()


@pytest.mark.parametrize(("number", "verb"), [(0, "are"), (1, "is"), (2, "are")])
def test_one_of_something_is(number, verb):
    assert errors.are(number) == verb


def test_a_scale_can_be_said_wherever_scores_are_read_and_a_reference_needs_none(run, bert, tmp_path):
    table = tmp_path / "percent.tsv"
    rows = (
        f"{text}\t{other}\t{i % 101}"
        for i, (text, other) in enumerate(zip(many(60)[:-1], many(60)[1:], strict=True))
    )
    table.write_text("\n".join(["sentence1\tsentence2\tscore", *rows]) + "\n")
    for command in (
        ("score", "--recipe", bert, "--corpus", table),
        ("corpora", table),
        ("neighbours", "--recipe", bert, "--corpus", table, "--text", "a guitar"),
    ):
        code, _, err = run(*command)
        assert (code, "Another scale is given with --scale=LOW:HIGH." in err) == (2, True)
        assert run(*command, "--scale=0:100")[0] == 0
    recipe = f"{bert};weight=idf(fit=reference);reference={table}"
    assert run("score", "--recipe", recipe, "--corpus", "demo", "--split", "dev")[0] == 0


@pytest.mark.parametrize("option", ["--split=dev", "--scale=0:1"])
def test_what_is_of_a_corpus_is_refused_without_one(run, bert, tmp_path, option):
    code, _, err = run("export", "--recipe", bert, "--output", tmp_path / "made", option)
    assert code == 2
    assert "is of a corpus; name one with --corpus" in err
