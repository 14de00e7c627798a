"""Engines, models and corpora that the tests of the engine share."""

import copy
import errno
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.cli import main
from core.corpora.corpus import Corpus
from core.encoders import encoder
from core.pipeline.engine import Engine
from core.settings import Settings
from tests.core.helpers import tiny
from tests.core.helpers.texts import many, pairs


@pytest.fixture(scope="session", autouse=True)
def _models_are_loaded_once():
    """Most tests have an engine of their own; each gets a copy of what was loaded from the same files."""
    load, loaded = encoder.load_model, {}

    def once(location):
        states = [(path.name, path.stat()) for path in sorted(location.folder.iterdir())]
        files = tuple((name, stat.st_size, stat.st_mtime_ns, stat.st_ino) for name, stat in states)
        key = (location, files)
        if key not in loaded:
            loaded[key] = load(location)
        return copy.deepcopy(loaded[key])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoder, "load_model", once)
        yield


@pytest.fixture(scope="session")
def model(tmp_path_factory) -> Callable[[str], Path]:
    """``model("bert")`` is the folder of the tiny model of that family."""
    root = tmp_path_factory.mktemp("models")

    def folder(family: str) -> Path:
        made = root / family
        return made if made.exists() else tiny.build(family, made)

    return folder


@pytest.fixture(scope="session")
def bert(model) -> str:
    """The stage of a recipe that takes the tiny BERT."""
    return f"source={model('bert')}"


@pytest.fixture
def settings(tmp_path) -> Settings:
    """Settings that keep everything in the test's own folder."""
    return Settings(cache=tmp_path / "cache")


@pytest.fixture
def engine(settings) -> Engine:
    """An engine with nothing stored."""
    return Engine(settings)


@pytest.fixture
def run(capsys):
    """Run a command in this process; its exit code, standard output and standard error."""

    def command(*arguments):
        try:
            code = main([*map(str, arguments)])
        except SystemExit as stop:
            code = stop.code
        out, err = capsys.readouterr()
        return code, out, err

    return command


@pytest.fixture(scope="session")
def shared_engine(lasting_cache) -> Engine:
    """An engine whose passes last from test to test: for the bundled encoder, and for many recipes."""
    return Engine(Settings(cache=lasting_cache))


@pytest.fixture(scope="session")
def scored() -> Corpus:
    """Scored pairs of sixty different sentences, some of them several times."""
    return pairs()


@pytest.fixture(scope="session")
def table(tmp_path_factory) -> Path:
    """The same pairs as a file."""
    corpus = pairs()
    lines = ["sentence1\tsentence2\tscore"]
    rows = zip(corpus.first, corpus.second, corpus.gold, strict=True)
    lines += [f"{corpus.sentences[i]}\t{corpus.sentences[j]}\t{score:g}" for i, j, score in rows]
    path = tmp_path_factory.mktemp("tables") / "scored.tsv"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.fixture(scope="session")
def texts_file(tmp_path_factory) -> Path:
    """A reference corpus of eighty texts as a file."""
    path = tmp_path_factory.mktemp("texts") / "reference.txt"
    path.write_text("\n".join(f"so {text}" for text in many(80)) + "\n", "utf-8")
    return path


@pytest.fixture(scope="session")
def vectors_file(tmp_path_factory) -> Path:
    """Word vectors of the words in the tests' plain sentences, and of a few others."""
    words = sorted({word.strip(".,!?").lower() for text in many(150) for word in text.split()})
    generator = np.random.default_rng(5)
    lines = [f"{word} {' '.join(f'{x:.4f}' for x in generator.normal(size=12))}" for word in [*words, "b"]]
    path = tmp_path_factory.mktemp("vectors") / "words.txt"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.fixture
def closed(monkeypatch) -> Callable[[Path], None]:
    """``closed(folder)``: what is in it cannot be looked at, as of another user's."""

    def close(place: Path) -> None:
        for name in ("stat", "scandir", "listdir"):
            monkeypatch.setattr(os, name, refusing(getattr(os, name), str(place)))

    def refusing(ask: Callable[..., object], place: str) -> Callable[..., object]:
        def refuse(path: object, *arguments: object, **named: object) -> object:
            if str(path).startswith(place):
                raise PermissionError(errno.EACCES, "Permission denied", str(path))
            return ask(path, *arguments, **named)

        return refuse

    return close
