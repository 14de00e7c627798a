"""The speed of the machine is the median product's, on all cores that work may have."""

import itertools

import pytest

from core import speed


@pytest.mark.parametrize(("cores", "each"), [(1, 1.0), (4, 4.0)])
def test_it_is_the_median_product_on_all_cores(monkeypatch, cores, each):
    clock = itertools.accumulate(itertools.chain([0.0], itertools.cycle([0.5, 0.0, 0.1, 0.0, 7.0, 0.0])))
    monkeypatch.setattr(speed.time, "perf_counter", lambda: next(clock))
    monkeypatch.setattr(speed, "cores", lambda: cores)
    measured = speed.operations_a_second.__wrapped__()
    assert measured == pytest.approx(each * 2 * speed.SIDE**3 / 0.5)


def test_it_is_measured_once(monkeypatch):
    speed.operations_a_second.cache_clear()
    first = speed.operations_a_second()
    monkeypatch.setattr(speed, "cores", lambda: pytest.fail("measured again"))
    assert speed.operations_a_second() == first > 0
