"""Progress of threads that work together, and of libraries that tell none."""

import sys
import threading
import time

import pytest

from core.progress import Step, one_at_a_time, told_inside


def test_threads_tell_one_at_a_time():
    inside, most, told = [], [], []

    def tell(step: Step) -> None:
        inside.append(step)
        most.append(len(inside))
        time.sleep(0.002)
        told.append(step)
        inside.remove(step)

    progress = one_at_a_time(tell)
    steps = [Step("Reading", i, 20) for i in range(20)]
    threads = [threading.Thread(target=progress, args=[step]) for step in steps]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(told, key=lambda step: step.done) == steps
    assert max(most) == 1


class Enough(BaseException):
    """Ends work."""


def test_work_that_tells_nothing_is_told_of_where_it_enters_a_function():
    told = []
    with told_inside(lambda: told.append(len(told)), every=0):
        assert sorted([3, 1, 2], key=lambda value: -value) == [3, 2, 1]
    assert len(told) >= 3
    before = sys.getprofile()
    with pytest.raises(Enough), told_inside(enough, every=0):
        sorted([3, 1, 2], key=lambda value: -value)
    assert sys.getprofile() is before


def test_it_is_not_told_of_more_often_than_asked():
    told = []
    with told_inside(lambda: told.append(1), every=1e9):
        sorted(range(100), key=lambda value: -value)
    assert not told


def enough():
    raise Enough
