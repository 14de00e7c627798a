"""Rows are worked on once each, on as many threads as there may be, and errors are not lost."""

import threading

import numpy as np
import pytest

from core import threads as limits
from core.stages import sbert_wk
from core.threads import at_once, in_threads


@pytest.fixture(autouse=True)
def nothing_shared(monkeypatch):
    """As on the command line, whatever pages were opened in this process before."""
    monkeypatch.setattr(limits, "_share", None)


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("rows", [0, 1, 999, 2000, 5003])
def test_every_row_is_worked_on_once(count, rows, monkeypatch):
    monkeypatch.setattr(limits, "thread_limit", lambda: count)
    times, threads = np.zeros(rows, int), set()

    def work(span: slice) -> None:
        times[span] += 1
        threads.add(threading.get_ident())

    in_threads(work, rows)
    assert (times == 1).all()
    assert len(threads) <= max(1, min(count, rows // limits.LEAST_ROWS))


def test_spans_are_worked_on_at_the_same_time(monkeypatch):
    monkeypatch.setattr(limits, "thread_limit", lambda: 2)
    both = threading.Barrier(2)
    in_threads(lambda _: both.wait(20) and None, 2000)


@pytest.mark.parametrize("failing", [0, 1])
def test_an_error_in_any_span_is_raised(failing, monkeypatch):
    monkeypatch.setattr(limits, "thread_limit", lambda: 2)

    def work(span: slice) -> None:
        if (span.start > 0) == failing:
            raise ValueError("in a span")

    with pytest.raises(ValueError, match="in a span"):
        in_threads(work, 2000)


@pytest.mark.parametrize(("said", "count"), [("3", 3), ("1", 1), (" 12,2", 12)])
def test_the_environment_says_how_many(said, count, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", said)
    assert limits.thread_limit() == count


def test_where_cores_are_shared_it_is_the_share(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    monkeypatch.setenv(limits.OPENBLAS, "3")
    monkeypatch.setattr("core.machine.cores", lambda: 8)
    limits.share_cores(4)
    assert limits.thread_limit() == 2


@pytest.mark.parametrize("said", ["", "0", "many", "-1", "²", "9" * 5000])
def test_else_the_machine_does(said, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", said)
    monkeypatch.setattr("core.machine.cores", lambda: 5)
    assert limits.thread_limit() == 5


def test_sbert_wk_gives_the_same_bits_on_any_number_of_threads(monkeypatch):
    generator = np.random.default_rng(0)
    states = [generator.normal(size=(4100, 24)).astype(np.float32) for _ in range(4)]
    found = []
    for count in (1, 3):
        monkeypatch.setattr(limits, "thread_limit", lambda count=count: count)
        products = sbert_wk.gram(states)
        found.append((products, sbert_wk.fuse(states, sbert_wk.alphas(products))))
    for one, three in zip(*found, strict=True):
        np.testing.assert_array_equal(one, three)
    exact = np.einsum("itd,jtd->tij", *[np.array(states, np.float64)] * 2)
    np.testing.assert_allclose(found[0][0], exact, atol=1e-12)


# -- independent pieces of work


@pytest.mark.parametrize("cores", [1, 2, 3, 64])
@pytest.mark.parametrize("pieces", [0, 1, 2, 7])
def test_pieces_of_work_give_what_they_give_in_their_order(cores, pieces, monkeypatch):
    monkeypatch.setattr(limits, "cores", lambda: cores)
    threads = set()

    def work(number: int) -> int:
        threads.add(threading.get_ident())
        return number**2

    assert at_once(work, range(pieces)) == [number**2 for number in range(pieces)]
    assert len(threads) <= min(cores, pieces, limits.MOST_AT_ONCE)


def test_pieces_of_work_have_all_cores_whatever_the_share_is(monkeypatch):
    monkeypatch.setattr(limits, "_share", 1)
    monkeypatch.setattr(limits, "cores", lambda: 2)
    both = threading.Barrier(2)
    assert at_once(lambda number: both.wait(20) is not None and number, (3, 4)) == [3, 4]


def test_an_error_of_a_piece_is_raised_and_what_has_not_begun_is_left_out(monkeypatch):
    monkeypatch.setattr(limits, "cores", lambda: 2)
    begun, held = [], threading.Event()

    def work(number: int) -> None:
        begun.append(number)
        if number == 0:
            raise ValueError("in a piece")
        held.wait(0.3)

    with pytest.raises(ValueError, match="in a piece"):
        at_once(work, range(100))
    assert len(begun) < 100
