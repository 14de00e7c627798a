"""An interruption at any place of a batch costs that batch alone, and never shifts a row."""

import itertools
import threading
import time
from pathlib import Path

import pytest

from core.errors import StoreError
from core.progress import silent
from core.storage import pass_writer
from core.storage.store import Store
from tests.core.helpers.handmade_pass import ABOUT, BATCHES, TOKENS, Run, build, layout_in, states_of


class Interrupting:
    """A file of which the n-th write of all files is interrupted, before or in the middle of it."""

    def __init__(self, file, writes, at, error, *, halfway) -> None:
        self._file, self._writes, self._at, self._error = file, writes, at, error
        self._halfway = halfway

    def write(self, data):
        if next(self._writes) == self._at:
            if self._halfway:
                self._file.write(bytes(data)[: len(bytes(data)) // 2])
            raise self._error
        return self._file.write(data)

    def __getattr__(self, name):
        return getattr(self._file, name)


def arrays_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.np[yz]")}


@pytest.mark.parametrize("journal_seconds", [0.0, 1e9])
@pytest.mark.parametrize("halfway", [False, True])
@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
@pytest.mark.parametrize("storage", ["float32", "float16"])
def test_an_interruption_between_the_files_of_a_batch_costs_that_batch_alone(
    tmp_path, monkeypatch, storage, error, halfway, journal_seconds
):
    monkeypatch.setattr(pass_writer, "JOURNAL_SECONDS", journal_seconds)
    layout = layout_in(storage)
    whole = arrays_of(build(Store(tmp_path / "whole"), layout, Run()))
    files = len(layout.files())
    for at in range(files * len(BATCHES)):
        store, run = Store(tmp_path / str(at)), Run()
        with monkeypatch.context() as patch:
            interrupt_write(patch, at, error, halfway=halfway)
            with pytest.raises(error):
                build(store, layout, run)
        folder = build(store, layout, run)
        assert arrays_of(folder) == whole, at
        assert run.starts == [0, 2 * (at // files)], "the whole batches before are kept"
        stored = Store(tmp_path / str(at)).open("k")
        assert stored is not None
        assert stored.read(1, slice(0, 6))[:, 0].tolist() == [0, 10, 20, 30, 40, 50]


def interrupt_write(
    patch: pytest.MonkeyPatch, at: int, error: type[BaseException], *, halfway: bool
) -> None:
    """Interrupt the ``at``-th write of a batch's states, counted over all files."""
    append, writes = pass_writer.PassWriter.append, itertools.count()

    def aimed(self, states):
        if not isinstance(next(iter(self._files.values())), Interrupting):
            self._files = {
                name: Interrupting(file, writes, at, error, halfway=halfway)
                for name, file in self._files.items()
            }
        append(self, states)

    patch.setattr(pass_writer.PassWriter, "append", aimed)


class Meeting:
    """A file whose write waits until all files of the batch are being written."""

    def __init__(self, file, all_there) -> None:
        self._file, self._all_there = file, all_there

    def write(self, data):
        self._all_there.wait(10)
        return self._file.write(data)

    def __getattr__(self, name):
        return getattr(self._file, name)


def test_the_files_of_a_batch_are_written_at_once(tmp_path, monkeypatch):
    layout = layout_in("float32")
    append, all_there = pass_writer.PassWriter.append, threading.Barrier(len(layout.files()))

    def met(self, states):
        self._files = {
            name: file if isinstance(file, Meeting) else Meeting(file, all_there)
            for name, file in self._files.items()
        }
        append(self, states)

    whole = arrays_of(build(Store(tmp_path / "whole"), layout, Run()))
    monkeypatch.setattr(pass_writer.PassWriter, "append", met)
    assert arrays_of(build(Store(tmp_path / "at once"), layout, Run())) == whole


def test_no_file_is_written_any_more_when_an_interrupted_pass_has_ended(tmp_path, monkeypatch):
    """One write fails at once while another one has still to come."""
    layout = layout_in("float32")
    names = [*layout.files()]
    append, both_there, closed = pass_writer.PassWriter.append, threading.Barrier(2), []

    class Slow(Meeting):
        def write(self, data):
            self._all_there.wait(10)
            time.sleep(0.1)
            closed.append(self._file.closed)
            return self._file.write(data)

    class Failing(Meeting):
        def write(self, data):
            self._all_there.wait(10)
            raise KeyboardInterrupt

    def disturbed(self, states):
        first, last = names[0], names[-1]
        self._files[first] = Failing(self._files[first], both_there)
        self._files[last] = Slow(self._files[last], both_there)
        append(self, states)

    whole = arrays_of(build(Store(tmp_path / "whole"), layout, Run()))
    store, run = Store(tmp_path / "cut"), Run()
    with monkeypatch.context() as patch:
        patch.setattr(pass_writer.PassWriter, "append", disturbed)
        with pytest.raises(KeyboardInterrupt):
            build(store, layout, run)
    assert closed == [False]
    assert arrays_of(build(store, layout, run)) == whole


def test_a_pass_interrupted_twice_in_one_batch_is_whole(tmp_path, monkeypatch):
    layout = layout_in("float32")
    whole = arrays_of(build(Store(tmp_path / "whole"), layout, Run()))
    store, run = Store(tmp_path / "cut"), Run()
    for at in (6, 2, 1):
        with monkeypatch.context() as patch:
            interrupt_write(patch, at, KeyboardInterrupt, halfway=True)
            with pytest.raises(KeyboardInterrupt):
                build(store, layout, run)
    assert arrays_of(build(store, layout, run)) == whole
    assert run.starts == [0, 2, 2, 2]


def test_an_interruption_after_the_last_batch_costs_nothing(tmp_path, monkeypatch):
    store, run, layout = Store(tmp_path), Run(), layout_in("float32")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            build(store, layout, run)
    folder = build(store, layout, run)
    assert run.starts == [0, 6]
    assert sorted(path.suffix for path in folder.iterdir()) == [".json", *[".npy"] * 4, ".npz"]


@pytest.mark.parametrize("batches", [BATCHES[:2], [*BATCHES, slice(4, 6)]])
def test_a_pass_with_another_number_of_rows_than_tokens_is_refused(tmp_path, batches):
    store = Store(tmp_path)
    with pytest.raises(
        StoreError, match=r"not written completely: static.npy has \d+ bytes instead of 200"
    ):
        store.build("k", TOKENS, layout_in("float32"), lambda _: map(states_of, batches), ABOUT, silent)
    assert list((tmp_path / "passes").iterdir()) == []
