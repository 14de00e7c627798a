"""Benchmarks into a data folder: sizes beforehand, a broken connection, a stopped command, no network."""

import gzip
import hashlib
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from core.corpora.catalogue import Catalogue
from core.corpora.fetching import FILES, HUB, bytes_to_fetch, fetch
from core.errors import CorpusError, StrataError
from core.settings import Settings
from core.storage import hub
from core.storage.hub import DownloadRequiredError

COMMIT = "fedcba9876543210fedcba9876543210fedcba98"


def pairs(number):
    rows = [
        {"sentence1": f'The cat "{i}" sat.', "sentence2": f"A cat {i} slept.", "score": i % 6}
        for i in range(number)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


STR = "PairID,Text,Score\n" + "".join(f'p{i},"One {i}, two\nand three {i}",{i % 5 / 4}\n' for i in range(9))

SETS = {
    "mteb/stsbenchmark-sts": {
        "test.jsonl.gz": gzip.compress(pairs(40)),
        "validation.jsonl.gz": gzip.compress(pairs(30)),
        "README.md": b"---\nlanguage: en\n---\n",
    },
    "mteb/sts14-sts": {"test.jsonl": pairs(4_000)},
    "someone/films": {
        "train.csv": b"text,label\n" + b"A good film.,1\nA bad one.,0\n" * 3,
        "test.csv": b"text,label\nA fine film.,1\n",
    },
    "vkpriya/str-2022": {"sem_text_rel_ranked.csv": STR.encode()},
}


class Hub(ThreadingHTTPServer):
    """What the hub's interface answers about :data:`SETS`; ``refused`` files end in an error.

    ``cut`` is how many bytes of a file are sent before the connection breaks, once each.
    """

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.asked, self.refused, self.cut = [], set(), {}
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_HEAD(self):
        self.answer()

    def do_GET(self):
        self.answer()

    def answer(self):
        for name, files in SETS.items():
            if self.path.startswith(f"/api/datasets/{name}/"):
                return self.describe(name, files)
            if self.path.startswith(f"/datasets/{name}/resolve/"):
                return self.give(self.path.rpartition("/")[2], files)
        return self.send(b"{}", {})

    def describe(self, name, files):
        listed = [
            {"type": "file", "path": path, "size": len(data), "oid": sha(data)}
            for path, data in files.items()
        ]
        info = {"id": name, "sha": COMMIT, "siblings": [{"rfilename": path} for path in files]}
        self.send(json.dumps(listed if "/tree/" in self.path else info).encode(), {})

    def give(self, path, files):
        data, headers = files[path], {"ETag": f'"{sha(files[path])}"', "X-Repo-Commit": COMMIT}
        if self.command == "HEAD":
            return self.send(data, headers)
        given = self.headers.get("Range") or ""
        self.server.asked.append((path, given))
        if path in self.server.refused:
            return self.send_error(503)
        start = int(given.removeprefix("bytes=").rstrip("-") or 0)
        if start:
            headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
        return self.send(data[start:], headers, 206 if start else 200, self.server.cut.pop(path, None))

    def send(self, data, headers, status=200, cut=None):
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(data[:cut])
        if cut is not None:
            self.wfile.flush()
            self.close_connection = True


def sha(data):
    return hashlib.sha1(data).hexdigest()


@pytest.fixture
def server(monkeypatch, tmp_path):
    from huggingface_hub import constants

    made = Hub()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{made.server_port}")
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(hub, "_silent_since", {})
    yield made
    made.shutdown()
    made.server_close()


def test_every_benchmark_has_a_file_name():
    assert FILES.keys() == HUB.keys()


def test_a_benchmark_is_a_file_of_the_data_folder_with_its_size_before(run, server, tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    command = ("data", "stsb,str2022", "--data", folder)
    size = sum(map(len, SETS["mteb/stsbenchmark-sts"].values()))
    assert bytes_to_fetch("stsb", folder) == size
    code, out, _ = run(*command, "--sizes")
    assert (code, not list(folder.rglob("*.gz"))) == (0, True)
    assert "stsb       0.0 MB to download" in out

    code, out, _ = run(*command)
    assert code == 0
    assert (
        f"70 pairs in {folder / 'sts' / 'STS-B.tsv.gz'} (hub: mteb/stsbenchmark-sts@{COMMIT[:12]})" in out
    )
    corpus = Catalogue(folder).load("STS-B")
    assert set(corpus.splits) == {"test", "dev"}
    assert corpus.take("test").fingerprint == Catalogue().load("stsb").take("test").fingerprint
    assert 'The cat "0" sat.' in corpus.sentences
    related = Catalogue(folder).load("STR-2022")
    assert (len(related), related.gold.max(), related.notes) == (9, 1, ())
    assert related.scale == Catalogue().load("str2022").scale == (0, 1), "else each pair is of class 1 of 5"
    assert {"One 3, two", "and three 3"} <= set(related.sentences)

    asked = len(server.asked)
    assert run(*command)[1] == "stsb       there\nstr2022    there\n"
    assert len(server.asked) == asked


def test_a_broken_connection_goes_on_where_it_broke(server, tmp_path, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    monkeypatch.setattr("huggingface_hub.constants.DOWNLOAD_CHUNK_SIZE", 10_000)
    server.cut["test.jsonl"] = 100_000
    assert fetch("sts14", tmp_path).pairs == 4_000
    (first, whole), (second, rest) = server.asked
    assert (first, whole, second) == ("test.jsonl", "", "test.jsonl")
    assert 50_000 <= int(rest.removeprefix("bytes=").rstrip("-")) <= 100_000


def test_a_stopped_download_keeps_what_was_finished(run, server, tmp_path):
    server.refused.add("validation.jsonl.gz")
    with pytest.raises(CorpusError, match="The hub does not give the data set 'mteb/stsbenchmark-sts'"):
        fetch("stsb", tmp_path)
    assert not list(tmp_path.rglob("*.tsv.gz"))
    server.refused.clear()
    server.asked.clear()
    assert fetch("stsb", tmp_path).pairs == 70
    assert "test.jsonl.gz" not in {path for path, _ in server.asked}


def test_without_network_or_folder_the_reason_is_one_line(run, tmp_path):
    code, out, err = run("data", "stsb", "--data", tmp_path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "'mteb/stsbenchmark-sts' is not on this machine, and HF_HUB_OFFLINE is set" in err
    assert "What works without network: demo, topics" in err
    assert "no folder to write into; name one with --data or STRATA_DATA" in run("data", "stsb")[2]
    assert "Did you mean 'stsb'?" in run("data", "sts-b", "--data", tmp_path)[2]
    code, out, _ = run("data")
    assert (code, out.count("\n")) == (0, len(HUB))
    assert "str2022    STR-2022   0 to 1  hub: vkpriya/str-2022" in out


def test_a_folder_that_cannot_be_written_is_said(server, tmp_path):
    (tmp_path / "sts").write_text("a file")
    with pytest.raises(StrataError, match="cannot be written"):
        fetch("stsb", tmp_path)


def test_a_data_folder_is_made_where_it_is_not_there(run, server, tmp_path):
    folder = tmp_path / "new" / "data"
    assert run("data", "stsb", "--data", folder, "--sizes")[0] == 0
    assert not folder.parent.exists()
    assert run("data", "stsb", "--data", folder)[0] == 0
    assert len(Catalogue(folder).load("STS-B")) == 70


def test_a_data_folder_that_cannot_be_made_is_said_before_anything_is_downloaded(run, server, tmp_path):
    (tmp_path / "file").write_text("a file")
    for folder in (tmp_path / "file", tmp_path / "file" / "data"):
        code, _, err = run("data", "stsb", "--data", folder)
        assert code == 2, err
        assert re.search(r"(?m)The data folder '.*' cannot be made: (File exists|Not a directory)\.$", err)
    assert not [path for path, _ in server.asked if path.endswith(".gz")]


def test_without_network_no_data_folder_is_made(run, tmp_path):
    code, _, err = run("data", "stsb", "--data", tmp_path / "new")
    assert code == 2
    assert "'mteb/stsbenchmark-sts' is not on this machine, and HF_HUB_OFFLINE is set" in err
    assert not (tmp_path / "new").exists()


def test_any_data_set_of_the_hub_is_a_corpus_by_its_id(server, run):
    on_page = Catalogue(trust=Settings.for_pages().trust)
    assert on_page.holds("hub:someone/films")
    assert not on_page.holds("hub:../films")
    assert not on_page.is_here("hub:someone/films")
    with pytest.raises(DownloadRequiredError, match="a download from the hub takes 0.0 MB"):
        on_page.load("hub:someone/films")
    films = Catalogue().load("hub:someone/films")
    assert (films.rows, films.classes, films.splits) == (7, ("0", "1"), ("train", "test"))
    assert films.origin == f"hub: someone/films@{COMMIT[:12]}"
    assert on_page.is_here("hub:someone/films")
    assert on_page.load("hub:someone/films").labelled_fingerprint == films.labelled_fingerprint
