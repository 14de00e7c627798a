"""Commands that nobody should write: one line and code 2, whatever the value is."""

import gzip
import os

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

LONG = "x" * 1000
HOME = "~no-such-user"


@pytest.fixture
def files(tmp_path, table):
    """Damaged files by name."""
    packed = bytearray(gzip.compress(table.read_bytes() * 50))
    packed[60:90] = bytes(byte ^ 0x5A for byte in packed[60:90])
    for name in ("bad.tsv.gz", "bad.txt.gz"):
        (tmp_path / name).write_bytes(packed)
    _, offsets, data = pa.array([b"one", b"\xff\xfe two", b"three"], pa.binary()).buffers()
    broken = pa.StringArray.from_buffers(3, offsets, data)
    columns = {"sentence1": broken, "sentence2": ["x", "y", "z"], "score": [1, 2, 3]}
    pq.write_table(pa.table(columns), tmp_path / "bad.parquet")
    (tmp_path / "recipes.txt").write_text("source=random\n")
    for name in ("pipe.txt", "pipe.csv"):
        os.mkfifo(tmp_path / name)
    with (tmp_path / "large.txt").open("wb") as file:
        file.truncate(50_000_000_000)
    return tmp_path


CASES = {
    "home folder as source": ["score", "--recipe", f"source={HOME}"],
    "home folder in source": ["score", "--recipe", f"source={HOME}/x"],
    "home folder as averaged": ["score", "--recipe", f"source=averaged(model={HOME})"],
    "home folder as vectors": ["score", "--recipe", f"source=vectors(path={HOME}/v.txt)"],
    "home folder as corpus": ["score", "--corpus", f"{HOME}/x.tsv"],
    "home folder as reference": ["score", "--recipe", f"weight=idf(fit=reference);reference={HOME}"],
    "long source": ["score", "--recipe", f"source={LONG}"],
    "long folder": ["score", "--recipe", f"source=/{LONG}"],
    "long averaged": ["score", "--recipe", f"source=averaged(model=/{LONG})"],
    "long vectors": ["score", "--recipe", f"source=vectors(path={LONG})"],
    "long corpus": ["score", "--corpus", LONG],
    "long table": ["score", "--corpus", f"{LONG}.tsv"],
    "long reference": ["score", "--recipe", f"weight=idf(fit=reference);reference={LONG}"],
    "long data": ["score", "--data", LONG],
    "long cache": ["score", "--cache", LONG],
    "long input": ["embed", "--input", LONG, "--output", "v.npy"],
    "long output": ["embed", "--input", "{}/recipes.txt", "--output", f"{LONG}/v.npy"],
    "long recipes": ["sweep", "--recipes", LONG, "--corpora", "demo", "--output", "{}/o.csv"],
    "byte in a template": ["score", "--recipe", 'template="\udcff [X]"'],
    "byte as source": ["score", "--recipe", "source=\udcff"],
    "byte as vectors": ["score", "--recipe", 'source=vectors(path="\udcff")'],
    "byte as corpus": ["score", "--corpus", "\udcff"],
    "byte as reference": ["score", "--recipe", 'weight=idf(fit=reference);reference="\udcff"'],
    "revision outside": ["score", "--recipe", 'source="owner/name@../../../x"'],
    "damaged table": ["score", "--corpus", "{}/bad.tsv.gz"],
    "damaged texts": ["score", "--recipe", 'weight=idf(fit=reference);reference="{}/bad.txt.gz"'],
    "damaged input": ["embed", "--input", "{}/bad.txt.gz", "--output", "{}/v.npy"],
    "broken parquet": ["score", "--corpus", "{}/bad.parquet"],
    "device as input": ["embed", "--input", "/dev/zero", "--output", "{}/v.npy"],
    "pipe as input": ["embed", "--input", "{}/pipe.txt", "--output", "{}/v.npy"],
    "folder as input": ["embed", "--input", "{}", "--output", "{}/v.npy"],
    "device as recipes": ["sweep", "--recipes", "/dev/zero", "--corpora", "demo", "--output", "{}/o.csv"],
    "large recipes": ["sweep", "--recipes", "{}/large.txt", "--corpora", "demo", "--output", "{}/o.csv"],
    "pipe as results": [
        "sweep",
        "--recipes",
        "{}/recipes.txt",
        "--corpora",
        "demo",
        "--output",
        "{}/pipe.csv",
    ],
    "pipe as reference": ["score", "--recipe", 'weight=idf(fit=reference);reference="{}/pipe.txt"'],
    "many jobs": ["sweep", "--recipes", "{}/recipes.txt", "--corpora", "demo", "--jobs", "99999999"],
    "digits as jobs": ["sweep", "--recipes", "{}/recipes.txt", "--corpora", "demo", "--jobs", "9" * 300],
    "digits as layer": ["score", "--recipe", "layers=" + "1" * 200],
}


@pytest.mark.parametrize("arguments", CASES.values(), ids=CASES)
def test_a_hostile_value_ends_with_code_2_and_one_line(run, files, arguments):
    given = [argument.format(files) if "{}" in argument else argument for argument in arguments]
    if "--jobs" in given:
        given += ["--output", files / "o.csv"]
    code, out, err = run(*given)
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert len(err) < 2000


def test_a_sweep_goes_on_without_a_corpus_that_is_not_there(run, files, table):
    code, _, err = run(
        "sweep",
        *("--recipes", files / "recipes.txt", "--corpora", f"{table},nope", "--output", files / "o.csv"),
    )
    assert code == 1
    assert "1 of 2 rows has no score" in err
    assert "Traceback" not in err
    assert "There is no corpus 'nope'" in (files / "o.csv").read_text()
