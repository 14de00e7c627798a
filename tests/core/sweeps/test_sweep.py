"""Sweeps: the table says what score says, and is gone on with whatever happened to it."""

import csv
import json
import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from core.errors import StrataError
from core.evaluation.tasks.groups import Asked
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.settings import Settings
from core.sweeps import sweep as sweep_module
from core.sweeps.planning import Request
from core.sweeps.recipe_file import read_recipes
from core.sweeps.results import Results
from core.sweeps.rows import ADDED, COLUMNS, DEPENDS
from core.sweeps.sweep import sweep
from core.sweeps.workers import Workers
from tests.core.helpers import forks
from tests.core.helpers.texts import many

SHAPES = ("layers=last", "layers=0+last;post=centre", "pool=max")
"""What the recipes of most tests have after their source."""


@pytest.fixture
def recipes(bert, tmp_path):
    """A file of three recipes on the tiny BERT."""
    path = tmp_path / "recipes.txt"
    path.write_text("".join(f"{bert};{shape}\n" for shape in SHAPES))
    return path


@pytest.fixture
def output(tmp_path):
    return tmp_path / "results.csv"


@pytest.fixture
def own_table(table, tmp_path):
    """The scored pairs in a file that the test may change."""
    path = tmp_path / "own.tsv"
    path.write_bytes(table.read_bytes())
    return path


@pytest.fixture
def scored_cells(monkeypatch):
    """The recipes that were scored, in order."""
    cells, original = [], Engine.similarities

    def counted(self, recipe, corpus, progress):
        cells.append((str(recipe), corpus.name))
        return original(self, recipe, corpus, progress)

    monkeypatch.setattr(Engine, "similarities", counted)
    return cells


def read(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def without_times(rows):
    return [{k: v for k, v in row.items() if k not in ("seconds", "pass_seconds")} for row in rows]


def test_a_row_says_what_score_says(run, bert, table, texts_file, tmp_path, output):
    learnt = f"weight=idf(fit=reference);post=zscore(fit=reference);reference={texts_file}"
    shapes = (*SHAPES, learnt, "layers=0;pool=cls", "layers=first+last")
    (tmp_path / "recipes.txt").write_text("".join(f"{bert};{shape}\n" for shape in shapes))
    common = ("--aggregate", "mean", "--quiet")
    code, out, err = run(
        "sweep", "--recipes", tmp_path / "recipes.txt", "--corpora", f"demo,{table}", *common,
        "--output", output,
    )  # fmt: skip

    assert (code, err) == (0, "")
    assert f"12 rows in {output}" in out
    rows = read(output)
    assert tuple(rows[0]) == COLUMNS
    expected = [(shape, corpus) for shape in shapes for corpus in ("demo", table)]
    for row, (shape, corpus) in zip(rows, expected, strict=True):
        answer = json.loads(
            run("score", "--json", "--recipe", f"{bert};{shape}", "--corpus", corpus, *common)[1]
        )
        assert row["error"] == ""
        assert row["notes"] == " ".join(answer["notes"])
        assert row["scale"] == ""
        named = ("spearman", "pearson", "low", "high", "metric", "value", "protocol", "n")
        for name in (*(set(DEPENDS) - {"scale", "editions", "content"}), *named):
            assert row[name] == ("" if answer[name] is None else str(answer[name])), name
        assert set(answer) - set(row) == {"subsets"}
    learning = [bool(row["reference_fingerprint"]) for row in rows]
    assert learning == ["reference=" in shape for shape, _ in expected]
    assert "All similarities are equal" in rows[9]["notes"]


def test_recipes_of_one_source_share_a_pass(run, recipes, table, output):
    run("sweep", "--recipes", recipes, "--corpora", table, "--output", output)
    first, *others = (float(row["pass_seconds"]) for row in read(output))
    assert first > 0
    assert others == [0, 0]


@pytest.mark.parametrize(
    ("line", "recipe"),
    [
        ("layers=last", "layers=last"),
        ("  layers=last \t\r", "layers=last"),
        ("layers=last  # mean of the last layer", "layers=last"),
        ("layers=last # mean", "layers=last"),
        ("layers=last  #mean", "layers=last"),
        ("layers=last #", "layers=last"),
        ("source=/models/a #1;layers=last", "source=/models/a #1;layers=last"),
        ('template="a  # [X] \\" # b";layers=last  # c', 'template="a  # [X] \\" # b";layers=last'),
        ('template="never closed  # c', 'template="never closed'),
    ],
)
def test_a_line_is_a_recipe_and_perhaps_a_comment(tmp_path, line, recipe):
    path = tmp_path / "recipes.txt"
    path.write_text(f"\ufeff# first\n\n  # indented\n{line}\n   \n{line}\n", "utf-8", newline="")
    assert read_recipes(path) == (recipe,)


def test_equal_recipes_and_equal_corpora_are_one_row(run, bert, table, tmp_path, output, scored_cells):
    lines = (f"{bert};layers=last+0", f"layers=0+last; {bert}", f"{bert};layers=0+last;pool=mean")
    (tmp_path / "recipes.txt").write_text("\n".join(lines))
    corpora = f"{table}, {table},{table.parent}/./{table.name}"
    run("sweep", "--recipes", tmp_path / "recipes.txt", "--corpora", corpora, "--output", output)
    assert [row["recipe"] for row in read(output)] == [str(Recipe.parse(lines[0]))]
    assert len(scored_cells) == 1


def test_what_cannot_be_scored_is_a_row(run, bert, table, texts_file, tmp_path, output):
    lines = (f"{bert};layers=last", "pool=maen", "source=/no/such", f"{bert};layers=9")
    (tmp_path / "recipes.txt").write_text("\n".join(lines))
    corpora = f"{table},nowhere,{texts_file}"
    code, out, err = run(
        "sweep", "--recipes", tmp_path / "recipes.txt", "--corpora", corpora, "--output", output
    )
    assert code == 1
    assert "12 rows" in out
    assert "note: 11 of 12 rows have no score" in err
    assert "Traceback" not in err
    rows = read(output)
    assert [bool(row["spearman"]) for row in rows] == [True, *[False] * 11]
    assert [row["recipe"] for row in rows[3::3]] == ["pool=maen", "source=/no/such", lines[3]]
    assert [row["corpus"] for row in rows[:3]] == ["scored", "nowhere", "reference"]
    said = [row["error"] for row in rows]
    assert said[0] == ""
    assert re.match("There is no corpus 'nowhere'", said[1])
    assert re.search("no scored pairs", said[2])
    assert all(re.match("pool: no 'maen'", text) for text in said[3:6])
    assert all(re.match("No folder '/no/such'", text) for text in said[6:9])
    assert re.search("9", said[9])


def test_a_mistake_of_ours_is_a_row_and_keeps_its_traceback(
    run, bert, recipes, table, output, monkeypatch, scored_cells
):
    counted = Engine.similarities

    def broken(self, recipe, corpus, progress):
        if recipe.spelled()["pool"] == "max":
            raise ZeroDivisionError("one line\nand another")
        return counted(self, recipe, corpus, progress)

    monkeypatch.setattr(Engine, "similarities", broken)
    code, _, err = run("sweep", "--recipes", recipes, "--corpora", table, "--output", output)
    assert code == 1
    assert [row["error"] for row in read(output)] == ["", "", "ZeroDivisionError: one line"]
    assert "Traceback" in err
    assert "ZeroDivisionError: one line\nand another" in err

    monkeypatch.setattr(Engine, "similarities", counted)
    scored_cells.clear()
    code, _, _ = run("sweep", "--recipes", recipes, "--corpora", table, "--output", output)
    assert code == 0
    assert scored_cells == [(f"{bert};pool=max", "scored")]  # what failed is tried again, and nothing else
    assert [row["error"] for row in read(output)] == ["", "", ""]


def test_an_interrupted_sweep_goes_on_where_it_stopped(
    run, recipes, table, output, tmp_path, monkeypatch, scored_cells
):
    whole = tmp_path / "whole.csv"
    command = ("sweep", "--recipes", recipes, "--corpora", f"{table},demo", "--output")
    run(*command, whole)
    counted = Engine.similarities

    def interrupted(self, recipe, corpus, progress):
        if len(scored_cells) == 2:
            raise KeyboardInterrupt
        return counted(self, recipe, corpus, progress)

    scored_cells.clear()
    monkeypatch.setattr(Engine, "similarities", interrupted)
    code, out, err = run(*command, output)
    assert (code, out) == (130, "")
    assert "the same command goes on from there" in err
    assert len(read(output)) == 2

    scored_cells.clear()
    monkeypatch.setattr(Engine, "similarities", counted)
    code, _, err = run(*command, output)
    assert code == 0
    assert "Sweep: 2 of 6: found in results.csv" in err
    assert len(scored_cells) == 4
    assert without_times(read(output)) == without_times(read(whole))


def test_rows_are_in_the_file_before_progress_is_reported(engine, bert, table, output, scored_cells):
    request = Request(tuple(f"{bert};{shape}" for shape in SHAPES), (Asked("scored", str(table)),))
    said = []

    def stop(step):
        if step.what == "Sweep":
            said.append(str(step))
            assert len(read(output)) == len(said)
            if len(said) == 2:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweep(engine, request, output, progress=stop)
    assert said[0] == f"Sweep: 1 of 3: {bert};layers=last on scored"
    assert len(scored_cells) == 2
    sweep(engine, request, output)
    assert len(scored_cells) == 3


@pytest.mark.parametrize("cut", [1, 30, 90])
def test_a_half_written_line_is_dropped(run, recipes, table, output, scored_cells, cut):
    command = ("sweep", "--recipes", recipes, "--corpora", table, "--output", output)
    run(*command)
    before = read(output)
    output.write_bytes(output.read_bytes()[:-cut])
    scored_cells.clear()
    assert run(*command)[0] == 0
    assert len(scored_cells) == 1
    assert without_times(read(output)) == without_times(before)


@pytest.mark.parametrize("start", ["", "rec", "recipe,corpus,split"])
def test_a_half_written_header_is_no_table(run, recipes, table, output, start):
    output.write_text(start)
    assert run("sweep", "--recipes", recipes, "--corpora", table, "--output", output)[0] == 0
    assert len(read(output)) == 3


def test_nothing_is_computed_twice(run, recipes, table, output, scored_cells):
    command = ("sweep", "--recipes", recipes, "--corpora", table, "--output", output)
    run(*command)
    before = output.read_bytes()
    scored_cells.clear()
    assert run(*command)[0] == 0
    assert scored_cells == []
    assert output.read_bytes() == before


def test_a_table_saved_with_other_line_ends_is_still_known(run, recipes, table, output, scored_cells):
    command = ("sweep", "--recipes", recipes, "--corpora", table, "--output", output)
    run(*command)
    before = output.read_bytes()
    output.write_bytes(b"\xef\xbb\xbf" + before.replace(b"\n", b"\r\n"))
    scored_cells.clear()
    run(*command)
    assert scored_cells == []
    assert output.read_bytes() == before


def test_what_has_changed_is_scored_again(run, bert, recipes, own_table, texts_file, output, scored_cells):
    learnt = f"{bert};post=zscore(fit=reference);reference={own_table.with_name('texts.txt')}"
    recipes.write_text(f"{bert};layers=last\n{learnt}\n")
    texts = own_table.with_name("texts.txt")
    texts.write_bytes(texts_file.read_bytes())
    command = ("sweep", "--recipes", recipes, "--corpora", f"{own_table},demo", "--output", output)
    run(*command)
    first = read(output)

    scored_cells.clear()
    lines = own_table.read_text().splitlines()
    own_table.write_text("\n".join(lines[:-5]) + "\n")
    run(*command)
    second = read(output)
    assert [corpus for _, corpus in scored_cells] == ["own", "own"]
    assert [row["pairs"] for row in second[::2]] == ["85", "85"]
    assert second[1::2] == first[1::2]  # each place in the table has one row, the new one
    assert len(second) == 4

    scored_cells.clear()
    texts.write_text(texts.read_text() + "yet another line\n")
    run(*command)
    assert [recipe for recipe, _ in scored_cells] == [str(Recipe.parse(learnt))] * 2

    scored_cells.clear()
    run(*command, "--storage", "float16")
    assert len(scored_cells) == 4
    assert {row["storage"] for row in read(output)} == {"float16"}
    assert len(read(output)) == 4


def test_another_scale_is_scored_again(run, bert, tmp_path, output, scored_cells):
    """Pairs whose gold score lies outside the scale are left out, so a score depends on it."""
    (tmp_path / "recipes.txt").write_text(f"{bert}\n")
    rows = ["sentence1\tsentence2\tscore", *(f"dog {i}\tcat {i * i}\t{i / 2}" for i in range(20))]
    (tmp_path / "wide.tsv").write_text("\n".join(rows) + "\n")
    command = (
        *("sweep", "--recipes", tmp_path / "recipes.txt", "--corpora", tmp_path / "wide.tsv"),
        *("--output", output),
    )
    run(*command, "--scale", "0:10")
    (first,) = read(output)
    score = json.loads(
        run("score", "--json", "--recipe", bert, "--corpus", tmp_path / "wide.tsv", "--scale", "0:10")[1]
    )
    assert (first["scale"], first["pairs"], first["spearman"]) == ("0:10", "20", str(score["spearman"]))

    scored_cells.clear()
    run(*command, "--scale", "0:8")
    second, kept = read(output)
    assert (second["scale"], second["pairs"]) == ("0:8", "17")
    assert kept == first
    assert len(scored_cells) == 1

    scored_cells.clear()
    run(*command, "--scale", "0:10.0")
    assert scored_cells == []  # the same scale in another spelling
    assert without_times(read(output)) == without_times([first, second])


def test_a_table_of_an_earlier_version_is_continued(run, recipes, table, output, scored_cells):
    """Its rows lack the columns that were added since, and were scored with their defaults."""
    first = [f"{line};similarity=dot" for line in recipes.read_text().splitlines()]
    recipes.write_text("\n".join(first))  # of first editions all through
    command = ("sweep", "--recipes", recipes, "--corpora", table, "--output", output)
    run(*command)
    whole = output.read_bytes()
    earlier = tuple(name for name in COLUMNS if name not in ADDED)
    results = Results(output, earlier)
    results.write([{name: row[name] for name in earlier} for row in read(output)[:2]])
    assert output.read_text().splitlines()[0].endswith(",notes,error")

    scored_cells.clear()
    assert run(*command)[0] == 0
    assert [recipe for recipe, _ in scored_cells] == [read(output)[2]["recipe"]]
    assert tuple(read(output)[0]) == COLUMNS
    before = without_times(csv.DictReader(whole.decode().splitlines()))[:2]
    assert without_times(read(output)[:2]) == [{**row, "protocol": ""} for row in before]

    output.write_text(",".join(earlier)[:-3])
    assert run(*command)[0] == 0
    assert len(read(output)) == 3

    scored_cells.clear()
    results.write([{name: row[name] for name in earlier} for row in read(output)])
    run(*command, "--scale", "0:5")
    assert len(scored_cells) == 3
    assert [row["scale"] for row in read(output)] == ["0:5"] * 3 + [""] * 3


def test_a_row_from_before_a_formula_was_mended_is_scored_anew(run, bert, table, tmp_path, output):
    recipes = tmp_path / "recipes.txt"
    shapes = ("layers=last", "layers=static;weight=sif")
    recipes.write_text("".join(f"{bert};{shape};similarity=dot\n" for shape in shapes))
    arguments = ("sweep", "--recipes", recipes, "--corpora", table, "--output", output)
    assert run(*arguments)[0] == 0
    rows = read(output)
    assert [row["editions"] for row in rows] == ["", "sif@3"]
    earlier = COLUMNS[: COLUMNS.index("editions")]
    old = [{name: row[name] for name in earlier} | {"spearman": "1.5", "value": "1.5"} for row in rows]
    Results(output, earlier).write(old)
    assert run(*arguments)[0] == 0
    again = read(output)
    assert [row["value"] for row in again] == ["1.5", rows[1]["value"]]
    assert len(again) == 2


def test_a_changed_model_is_scored_again(run, model, table, tmp_path, output, scored_cells):
    folder = shutil.copytree(model("bert"), tmp_path / "model")
    (tmp_path / "recipes.txt").write_text(f"source={folder}\n")
    command = ("sweep", "--recipes", tmp_path / "recipes.txt", "--corpora", table, "--output", output)
    run(*command)
    (before,) = read(output)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"layer_norm_eps": 0.1}))
    run(*command)
    (after,) = read(output)
    assert len(scored_cells) == 2
    assert after["revision"] != before["revision"]
    assert after["spearman"] != before["spearman"]


def test_rows_of_other_sweeps_stay(run, bert, recipes, table, output, scored_cells):
    run("sweep", "--recipes", recipes, "--corpora", table, "--output", output)
    before = read(output)
    recipes.write_text(f"pool=nosuch\n{bert};pool=max\n{bert};layers=0\n")
    scored_cells.clear()
    run("sweep", "--recipes", recipes, "--corpora", f"demo,{table}", "--output", output)
    rows = read(output)
    assert len(scored_cells) == 3
    names = ("pool=nosuch", f"{bert};pool=max", f"{bert};layers=0")
    asked = [(row["recipe"], row["corpus"]) for row in rows[:6]]
    assert asked == [(recipe, corpus) for recipe in names for corpus in ("demo", "scored")]
    assert rows[3] == before[2]
    assert rows[6:] == before[:2]

    recipes.write_text(f"{bert};layers=last\n")  # failed rows of others do not stay
    run("sweep", "--recipes", recipes, "--corpora", table, "--output", output)
    assert not any(row["error"] for row in read(output))


def test_corpora_of_one_name_in_two_folders_have_a_row_each(run, bert, own_table, tmp_path, output):
    recipes, other = tmp_path / "recipes.txt", tmp_path / "other" / own_table.name
    recipes.write_text(f"{bert}\n")
    other.parent.mkdir()
    lines = own_table.read_text().splitlines()
    other.write_text("\n".join(lines[:-5]) + "\n")
    for corpora in (f"{own_table},{other}", own_table, other):
        run("sweep", "--recipes", recipes, "--corpora", corpora, "--output", output)
        assert {(row["corpus"], row["pairs"]) for row in read(output)} == {("own", "90"), ("own", "85")}

    other.write_text("\n".join(lines[:-9]) + "\n")
    run("sweep", "--recipes", recipes, "--corpora", other, "--output", output)
    assert [row["pairs"] for row in read(output)] == ["81", "90"]

    columns = COLUMNS[: COLUMNS.index("place")]  # of an earlier version: any place is its own
    Results(output, columns).write([{name: row[name] for name in columns} for row in read(output)])
    other.write_text("\n".join(lines[:-7]) + "\n")
    run("sweep", "--recipes", recipes, "--corpora", other, "--output", output)
    assert [row["pairs"] for row in read(output)] == ["83"]


def test_a_model_that_is_gone_takes_no_row_along(run, bert, table, tmp_path, output):
    (tmp_path / "recipes.txt").write_text(f"{bert}\n")
    command = ("sweep", "--recipes", tmp_path / "recipes.txt", "--corpora", table, "--output", output)
    run(*command)
    (before,) = read(output)

    def gone(self, recipe):
        raise StrataError("gone")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Engine, "source", gone)
        assert run(*command)[0] == 1
    failed, kept = read(output)
    assert (failed["error"], kept) == ("gone", before)
    assert run(*command)[0] == 0
    assert read(output) == [before]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("backend", "package"), [("loky", "joblib"), ("dask", "distributed"), ("ray", "ray")]
)
def test_two_workers_give_the_same_table(
    run, recipes, table, own_table, output, tmp_path, backend, package, monkeypatch
):
    pytest.importorskip(package, reason=f"{package} is not installed")
    if backend == "dask":  # those of loky import all that a worker needs by themselves
        forks.of_dask(monkeypatch)
    own_table.write_text(own_table.read_text().replace("girl", "boy"))
    recipes.write_text(recipes.read_text() + "pool=nosuch\n")
    command = ("sweep", "--recipes", recipes, "--corpora", f"{table},{own_table}", "--output")
    assert run(*command, tmp_path / "one.csv")[0] == 1
    workers = ("--backend", backend, "--jobs", "2", "--cache", tmp_path / "fresh")
    code, _, err = run(*command, output, *workers)
    assert code == 1
    assert without_times(read(output)) == without_times(read(tmp_path / "one.csv"))
    passes = [float(row["pass_seconds"]) > 0 for row in read(output)[:6]]
    assert passes == [True, True, False, False, False, False]
    assert re.search("Sweep: 8 of 8: .* on ", err)


def test_a_worker_that_dies_leaves_rows(engine, bert, table, output, monkeypatch, capsys):
    def dying(self, task, calls):
        yield task(*calls[0])
        raise MemoryError

    monkeypatch.setattr(Workers, "run", dying)
    request = Request(
        (bert, f"{bert};pool=max", "source=random", "source=random;pool=max"),
        (Asked("scored", str(table)),),
    )
    counts = sweep(engine, request, output, Workers(jobs=2))
    assert (counts.rows, counts.failed) == (4, 2)
    assert [row["error"] for row in read(output)] == ["", "", "MemoryError", "MemoryError"]
    assert capsys.readouterr().err.count("Traceback") == 1


def test_a_request_the_workers_cannot_meet_ends_the_sweep(engine, bert, table, output, monkeypatch):
    def unreachable(self, task, calls):
        raise StrataError("No Dask scheduler answers.")
        yield

    monkeypatch.setattr(Workers, "run", unreachable)
    with pytest.raises(StrataError, match="No Dask scheduler"):
        sweep(engine, Request((bert,), (Asked("scored", str(table)),)), output, Workers(jobs=2))


@pytest.mark.parametrize("name", ["dask", "ray"])
def test_a_backend_whose_package_is_missing_names_it(run, recipes, output, monkeypatch, name):
    monkeypatch.setitem(sys.modules, name, None)
    code, out, err = run(
        "sweep", "--recipes", recipes, "--corpora", "demo", "--output", output, "--backend", name
    )
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert re.search(f"backend={name} needs a package that is not installed: pip install {name}", err)
    assert not output.exists()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"--backend": "threads"}, "backend: got 'threads'; allowed is loky, dask, ray"),
        ({"--jobs": "0"}, "jobs: got '0'; allowed is 1, 2, … or -1"),
        ({"--jobs": "two"}, "invalid int value: 'two'"),
        ({"--aggregate": "median"}, "aggregate: got 'median'; allowed is all, mean, wmean"),
        ({"--scale": "5:0"}, "scale: got '5:0'; allowed is LOW:HIGH"),
        ({"--corpora": "demo,,"}, "corpora: got 'demo,,'; allowed is names joined by ','"),
        ({"--recipes": "no.txt"}, "There is no file 'no.txt'"),
        ({"--recipes": "comments.txt"}, "'comments.txt' holds no recipe"),
        ({"--recipes": "latin.txt"}, "cannot be read as UTF-8"),
        ({"--output": "results.tsv"}, "output: got 'results.tsv'; allowed is a file ending in .csv"),
        ({"--output": "no/results.csv"}, "the folder 'no' does not exist"),
        ({"--output": "folder.csv"}, "output: 'folder.csv' is no file; name another one"),
        ({"--output": "null.csv"}, "output: 'null.csv' is no file; name another one"),
        ({"--output": "other.csv"}, "'other.csv' is there and holds something else"),
        ({"--output": "binary.csv"}, "'binary.csv' is there and holds something else"),
    ],
)
def test_a_wrong_value_ends_with_code_2_and_one_line(run, tmp_path, monkeypatch, changed, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "recipes.txt").write_text("layers=last\n")
    (tmp_path / "comments.txt").write_text("# nothing\n\n")
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9\n")
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "null.csv").symlink_to(os.devnull)
    (tmp_path / "other.csv").write_text("my,own\n1,2\n")
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\0\n")
    given = {"--recipes": "recipes.txt", "--corpora": "demo", "--output": "results.csv"} | changed
    code, out, err = run("sweep", *(part for pair in given.items() for part in pair))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert re.search(said, err), err
    assert not (tmp_path / "results.csv").exists()
    assert (tmp_path / "other.csv").read_text() == "my,own\n1,2\n"


def test_a_file_that_cannot_be_written_is_said_before_any_work(
    engine, bert, table, output, monkeypatch, scored_cells
):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(output), "write_text", full)
    with pytest.raises(StrataError, match=r"results.csv' cannot be written: No space left on device"):
        sweep(engine, Request((bert,), (Asked("scored", str(table)),)), output)
    assert scored_cells == []


def test_cells_are_on_one_line_whatever_they_hold(tmp_path):
    results = Results(tmp_path / "r.csv", ("a", "b"))
    rows = [{"a": 'comma, "quote"', "b": "line\u2028 separator"}, {"a": "", "b": "é 🎸"}]
    results.write(rows[:1])
    results.append(rows[1])
    assert results.read() == rows


def test_help_says_what_the_exit_codes_mean(run):
    code, out, _ = run("sweep", "--help")
    assert code == 0
    for said in ("exits with 0", "with 1 when some rows failed", "DASK_SCHEDULER_ADDRESS"):
        assert said in out


def test_workers_are_given_folders_that_hold_anywhere(bert, table, output, tmp_path, monkeypatch):
    def run(self, task, calls):
        given.extend(settings for settings, *_ in calls)
        return (task(*call) for call in calls)

    given = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Workers, "run", run)
    (tmp_path / "data").mkdir()
    engine = Engine(Settings(cache=Path("cache"), data=Path("data")))
    counts = sweep(engine, Request((bert,), (Asked("scored", str(table)),)), output, Workers(jobs=2))
    assert counts.failed == 0
    assert given == [Settings(cache=tmp_path / "cache", data=tmp_path / "data")]


@pytest.fixture
def labelled(tmp_path):
    """A data folder: texts of two classes to classify and to cluster, and pairs."""
    texts = many(60)
    rows = [f"{text}\t{'girl' if 'girl' in text else 'other'}" for text in texts]
    pairs = [f"{texts[i]}\t{texts[i + 1]}\t{i % 6}" for i in range(0, 40, 2)]
    for name, header, lines in (
        ("classification/films", "text\tlabel", rows),
        ("clustering/news", "text\tlabel", rows),
        ("sts/dogs", "sentence1\tsentence2\tscore", pairs),
    ):
        path = tmp_path / "data" / f"{name}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join([header, *lines]) + "\n")
    return tmp_path / "data"


@pytest.fixture
def two(recipes):
    """A file of two recipes: to learn classes takes a second each time."""
    recipes.write_text("\n".join(recipes.read_text().splitlines()[:2]) + "\n")
    return recipes


def test_every_task_has_rows_and_a_stopped_sweep_goes_on(run, two, labelled, output, monkeypatch):
    command = ("sweep", "--quiet", "--recipes", two, "--corpora", "films,news,dogs", "--data", labelled)
    assert run(*command, "--output", output)[0] == 0
    whole = read(output)
    told = [(row["corpus"], row["task"], row["metric"], row["n"]) for row in whole[:3]]
    assert told == [
        ("films", "classification", "accuracy", "60"),
        ("news", "clustering", "accuracy", "60"),
        ("dogs", "sts", "spearman", "20"),
    ]
    assert [row["seeds"] for row in whole[:3]] == ["0", "0 1 2 3 4 5 6 7 8 9", ""]
    common = ("score", "--json", "--quiet", "--data", labelled, "--recipe", whole[4]["recipe"])
    answer = json.loads(run(*common, "--corpus", "news")[1])
    for name in ("fingerprint", "split", "value", "low", "high", "protocol", "metric", "n"):
        assert whole[4][name] == str(answer[name]), name
    output.write_text("\n".join(output.read_text().splitlines()[:3]) + "\n")
    scored, original = [], sweep_module.run_task

    def counted(engine, recipe, corpus, *others):
        scored.append(corpus.name)
        return original(engine, recipe, corpus, *others)

    monkeypatch.setattr(sweep_module, "run_task", counted)
    assert run(*command, "--output", output)[0] == 0
    assert scored == ["films", "news"]
    assert without_times(read(output)) == without_times(whole)


def test_a_task_for_all_corpora_and_why_some_cannot_have_it(run, recipes, labelled, output):
    command = ("sweep", "--quiet", "--recipes", recipes, "--data", labelled, "--output", output)
    code, _, err = run(*command, "--corpora", "films,dogs", "--task", "clustering(runs=2)")
    rows = read(output)
    assert (code, "3 of 6 rows have no score" in err) == (1, True)
    assert [row["task"] for row in rows] == ["clustering(runs=2)"] * 6
    assert "dogs has no labels. It takes the task sts" in rows[1]["error"]
    assert run(*command, "--corpora", "films", "--task", "clustering(runs=3)")[0] == 0
    tasks = [row["task"] for row in read(output) if not row["error"]]
    assert tasks == ["clustering(runs=3)"] * 3 + ["clustering(runs=2)"] * 3


def test_processes_score_tasks_alike(run, two, labelled, output, tmp_path):
    command = ("sweep", "--quiet", "--recipes", two, "--corpora", "films,news", "--data", labelled)
    run(*command, "--output", output)
    cache = ("--cache", tmp_path / "another")
    assert run(*command, *cache, "--jobs", "2", "--output", tmp_path / "other.csv")[0] == 0
    assert without_times(read(tmp_path / "other.csv")) == without_times(read(output))
