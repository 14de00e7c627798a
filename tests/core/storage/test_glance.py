"""What is looked at once in a glance, and when it is looked at anew."""

from __future__ import annotations

import gc
import threading
import weakref

import pytest

from core.storage.glance import at_a_glance, forget, glance


class Shelf:
    """What somebody looks at."""

    def __init__(self) -> None:
        self.looks, self.names = 0, ["a"]

    @at_a_glance
    def holds(self, name: str, *, loudly: bool = False) -> bool:
        self.looks += 1
        if name == "?":
            raise LookupError(name)
        return name in self.names


@pytest.fixture
def shelf():
    return Shelf()


def test_a_glance_looks_once_and_the_next_one_anew(shelf):
    with glance():
        assert not shelf.holds("b")
        shelf.names.append("b")
        assert not shelf.holds("b")
        assert shelf.looks == 1
    with glance():
        assert shelf.holds("b")
    assert shelf.looks == 2


def test_outside_of_a_glance_nothing_is_kept(shelf):
    with glance():
        shelf.holds("b")
    shelf.names.append("b")
    assert shelf.holds("b")
    assert shelf.holds("b")
    assert shelf.looks == 3


def test_other_arguments_and_others_are_looked_at_by_themselves(shelf):
    other = Shelf()
    with glance():
        for _ in range(2):
            assert [shelf.holds(name) for name in "ab"] == [True, False]
            shelf.holds("a", loudly=True)
            other.holds("a")
    assert (shelf.looks, other.looks) == (3, 1)


def test_who_changes_what_is_looked_at_says_so(shelf):
    forget()  # outside of a glance there is nothing to forget
    with glance():
        assert not shelf.holds("b")
        shelf.names.append("b")
        forget()
        assert shelf.holds("b")
    assert shelf.looks == 2


def test_an_error_is_no_answer(shelf):
    with glance():
        for _ in range(2):
            with pytest.raises(LookupError):
                shelf.holds("?")
    assert shelf.looks == 2


def test_a_glance_inside_another_begins_anew_and_leaves_the_other_as_it_was(shelf):
    with glance():
        assert not shelf.holds("b")
        shelf.names.append("b")
        with pytest.raises(RuntimeError), glance():
            assert shelf.holds("b")
            raise RuntimeError
        assert not shelf.holds("b")


def test_a_glance_is_its_threads_own(shelf):
    seen = []

    def look() -> None:
        seen.append(shelf.holds("b"))

    with glance():
        shelf.holds("b")
        shelf.names.append("b")
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
        assert not shelf.holds("b")
    assert seen == [True]


def test_nothing_is_held_after_a_glance():
    shelf = Shelf()
    there = weakref.ref(shelf)
    with glance():
        shelf.holds("a")
        del shelf
        assert there() is not None
    gc.collect()
    assert there() is None
