"""A file system that refuses every lock holds nobody up, and one lock that is held still does."""

import errno

import pytest
from filelock import FileLock

from core.progress import Step
from core.storage.locks import Locks


@pytest.fixture
def waits():
    """A progress that ends whoever waits."""

    class WaitsError(Exception):
        pass

    def progress(_: Step) -> None:
        raise WaitsError

    progress.error = WaitsError
    return progress


def test_where_every_lock_is_refused_nobody_waits(tmp_path, monkeypatch, waits):
    fcntl = pytest.importorskip("fcntl")

    def refused(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(fcntl, "flock", refused)
    locks, done = Locks(tmp_path), []
    with locks.exclusively("k", waits):
        done.append(1)
    assert done
    assert not locks.is_held("k")


def test_a_lock_that_another_one_holds_is_waited_for(tmp_path, waits):
    locks = Locks(tmp_path)
    with FileLock(tmp_path / "k.lock"):
        assert locks.is_held("k")
        with pytest.raises(waits.error), locks.exclusively("k", waits):
            pass
    assert not locks.is_held("k")
    assert [path.name for path in tmp_path.iterdir()] == ["k.lock"]
