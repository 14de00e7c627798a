"""The hub: this machine's cache first, and out of reach is said within seconds."""

import csv
import json
import re
import shutil
import socket
import threading
import time

import numpy as np
import pytest

from core.corpora.corpus import Corpus
from core.encoders.models import locate
from core.errors import ModelError
from core.evaluation.scoring import score
from core.evaluation.tasks import TASK
from core.evaluation.tasks.groups import Asked
from core.evaluation.tasks.running import run_task
from core.recipe import Recipe
from core.storage import hub
from core.storage.hub import cached_models, is_hub_id
from core.sweeps.planning import Request
from core.sweeps.sweep import sweep
from tests.core.helpers import scripts
from tests.core.helpers.texts import many, pairs

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch):
    monkeypatch.setattr(hub, "_silent_since", {})


@pytest.fixture
def hub_cache(tmp_path, monkeypatch):
    """An empty cache of the hub."""
    from huggingface_hub import constants

    folder = tmp_path / "hub"
    folder.mkdir()
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(folder))
    return folder


@pytest.fixture
def silent_hub():
    """The address of a server that accepts every connection and never answers."""
    held = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def hold():
            while True:
                try:
                    held.append(server.accept()[0])
                except OSError:
                    return

        threading.Thread(target=hold, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
    for connection in held:
        connection.close()


def place(source, cache, name="owner/tiny"):
    """Put a model into the cache, as a download would."""
    entry = cache / f"models--{name.replace('/', '--')}"
    shutil.copytree(source, entry / "snapshots" / COMMIT)
    (entry / "refs").mkdir()
    (entry / "refs" / "main").write_text(COMMIT)
    return entry


def test_a_cached_model_is_used_offline_and_its_commit_is_recorded(hub_cache, model, engine):
    place(model("bert"), hub_cache)
    location = locate("owner/tiny", engine.store.digest)
    assert location.revision == COMMIT[:12]
    assert cached_models() == ["owner/tiny"]

    embedded = engine.embed(Recipe.parse("source=owner/tiny"), Corpus.of_texts("t", many(3)))

    assert (embedded.source.name, embedded.source.revision) == ("owner/tiny", COMMIT[:12])
    assert engine.store.entries()[0].about["revision"] == COMMIT[:12]


def test_results_of_another_limit_on_lengths_are_not_reused(hub_cache, model, engine):
    """A commit does not name the file in which one raises it."""
    entry = place(model("bert"), hub_cache)
    recipe, corpus = Recipe.parse("source=owner/tiny;weight=idf"), pairs()
    found = []
    for limit in (5, 9):
        own = entry / "snapshots" / COMMIT / "sentence_bert_config.json"
        own.write_text(json.dumps({"max_seq_length": limit}))
        scored = score(engine, recipe, corpus)
        by_task = run_task(engine, recipe, corpus, TASK.parse("sts"))
        vectors = engine.embed(recipe, corpus).vectors
        assert f"longer than {limit} tokens" in " ".join(scored.notes)
        assert f"longer than {limit} tokens" in " ".join(by_task.result.notes)
        assert by_task.result.value == pytest.approx(scored.score.spearman)
        found.append((scored.score.spearman, vectors))
    assert found[0][0] != found[1][0]
    assert np.abs(found[0][1] - found[1][1]).max() > 1e-3


def test_a_sweep_scores_a_model_anew_whose_limit_on_lengths_is_another(
    hub_cache, model, engine, table, tmp_path
):
    own = place(model("bert"), hub_cache) / "snapshots" / COMMIT / "sentence_bert_config.json"
    request, values = Request(("source=owner/tiny",), (Asked("", str(table)),)), []
    for limit in (5, 9):
        own.write_text(json.dumps({"max_seq_length": limit}))
        for output in (tmp_path / "table.csv", tmp_path / f"new {limit}.csv"):
            sweep(engine, request, output)
            (row,) = csv.DictReader(output.read_text("utf-8").splitlines())
            values.append(row["spearman"])
    assert values[0] == values[1] != values[2] == values[3]


def test_a_commit_can_be_named(hub_cache, model, engine):
    place(model("bert"), hub_cache)
    assert locate(f"owner/tiny@{COMMIT}", engine.store.digest).revision == COMMIT[:12]
    with pytest.raises(ModelError, match="'owner/tiny' is not on this machine"):
        locate(f"owner/tiny@{'f' * 40}", engine.store.digest)


@pytest.mark.parametrize("missing", ["config.json", "model.safetensors"])
def test_a_download_that_stopped_half_way_is_no_model(hub_cache, model, engine, missing):
    entry = place(model("bert"), hub_cache)
    (entry / "snapshots" / COMMIT / missing).unlink()
    assert cached_models() == []
    with pytest.raises(ModelError, match="is not on this machine"):
        locate("owner/tiny", engine.store.digest)


@pytest.mark.parametrize(("locked", "left"), [("", []), ("models--lab--closed", ["owner/tiny"])])
def test_what_cannot_be_looked_at_is_no_model(hub_cache, model, engine, closed, locked, left):
    place(model("bert"), hub_cache)
    place(model("bert"), hub_cache, "lab/closed")
    closed(hub_cache / locked)
    assert cached_models() == left
    with pytest.raises(ModelError, match="What works without network: bundled, untuned"):
        locate(str(hub_cache / "no model"), engine.store.digest)


def test_offline_says_what_works(hub_cache, model, engine):
    place(model("bert"), hub_cache)
    with pytest.raises(
        ModelError,
        match=r"'no/such' is not on.*HF_HUB_OFFLINE.*without network: bundled, untuned, owner/tiny",
    ):
        locate("no/such", engine.store.digest)


@pytest.mark.parametrize("refused", [True, False])
def test_a_hub_that_never_answers_is_given_up_within_seconds(
    hub_cache, engine, silent_hub, monkeypatch, refused
):
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9" if refused else silent_hub)
    begin = time.monotonic()
    with pytest.raises(ModelError, match=r"out of reach\. What works without network: bundled"):
        locate("no/such", engine.store.digest)
    assert time.monotonic() - begin < 20


def test_the_command_line_ends_by_itself_when_the_hub_never_answers(silent_hub, tmp_path, table):
    code = "import sys; from core.cli import main; sys.exit(main(sys.argv[1:]))"
    arguments = ["score", "--recipe", "source=no/such", "--corpus", table]
    environment = {"HF_ENDPOINT": silent_hub, "HF_HUB_OFFLINE": "0", "STRATA_CACHE": str(tmp_path / "c")}
    process = scripts.start(code, *arguments, **environment)
    out, err = process.communicate(timeout=scripts.HANG)
    assert (process.returncode, out, err.count("\n")) == (2, "", 1)
    assert "out of reach" in err


HALF_ANSWERS = """
import http.server, threading, time, sys

class Half(http.server.BaseHTTPRequestHandler):
    def do_HEAD(self):
        self.send_response(200); self.end_headers()
    def do_GET(self):
        time.sleep(600)
    def log_message(self, *_):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Half)
threading.Thread(target=server.serve_forever, daemon=True).start()
import os
os.environ["HF_ENDPOINT"] = f"http://127.0.0.1:{server.server_port}"
import core.storage.hub
from core.cli import main
core.storage.hub.LISTING_SECONDS = 3.0
begin = time.monotonic()
code = main(["score", "--recipe", "source=no/such", "--corpus", sys.argv[1]])
print(code, time.monotonic() - begin, flush=True)
os._exit(0)
"""


def test_a_hub_that_answers_by_halves_is_given_up_too(tmp_path, table):
    environment = {"HF_HUB_OFFLINE": "0", "STRATA_CACHE": str(tmp_path / "c")}
    code, seconds = scripts.run(HALF_ANSWERS, table, **environment).split()
    assert code == "2"
    assert float(seconds) < 30


@pytest.mark.parametrize("text", ["bert-base-uncased", "owner/name", "Owner1/na.me_2-3"])
def test_hub_ids(text):
    assert is_hub_id(text)


@pytest.mark.parametrize(
    "text", ["a/b/c", "../x", "/x", "a b", "x--y", "", "owner/", "a/..", "a\nb", "a/b\n", "~/x"]
)
def test_what_is_no_hub_id(text):
    assert not is_hub_id(text)


def test_a_silence_is_believed_for_a_while(hub_cache, engine, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    asked = []
    monkeypatch.setattr(hub, "_in_time", lambda *_: asked.append(1) or (_ for _ in ()).throw(OSError))
    for _ in range(3):
        with pytest.raises(ModelError, match="out of reach"):
            locate("no/such", engine.store.digest)
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("endpoint", "told"),
    [
        ("http://[", "HF_ENDPOINT is no address"),
        ("²" * 10_000, "HF_ENDPOINT is no address"),
        ("http://ann:secret@127.0.0.1:9", "127.0.0.1"),
    ],
)
def test_a_hub_is_called_by_its_host_alone(hub_cache, engine, monkeypatch, endpoint, told):
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    monkeypatch.setenv("HF_ENDPOINT", endpoint)
    with pytest.raises(ModelError, match=re.escape(f"the hub ({told}) is out of reach")):
        locate("no/such", engine.store.digest)


def test_no_test_reaches_the_network_or_the_users_cache():
    from huggingface_hub import constants

    assert constants.HF_HUB_OFFLINE
    assert "strata-tests-" in constants.HF_HUB_CACHE
