"""Results in memory: bounded, the least recently used let go, computed by one thread."""

import threading

import pytest

from core.memo import Memo


def test_a_result_is_computed_once():
    memo, calls = Memo(3), []
    assert [memo.get("a", lambda: calls.append(1) or "x") for _ in range(3)] == ["x"] * 3
    assert len(calls) == 1


def test_the_least_recently_used_are_let_go():
    memo = Memo(10, size=len)
    memo.put("a", "1234")
    memo.put("b", "1234")
    memo.get("a", str)
    memo.put("c", "1234")
    assert [memo.peek(key) for key in "abc"] == ["1234", None, "1234"]
    memo.put("a", "12345678")  # in place of the shorter one
    assert [memo.peek(key) for key in "ac"] == ["12345678", None]


def test_what_is_larger_than_all_is_given_and_not_kept():
    memo = Memo(3, size=len)
    memo.put("a", "12")
    assert memo.get("b", lambda: "12345") == "12345"
    assert (len(memo), memo.peek("a"), memo.peek("b")) == (1, "12", None)


def test_what_fails_is_raised_and_tried_again():
    memo = Memo(3)
    with pytest.raises(ZeroDivisionError):
        memo.get("a", lambda: 1 / 0)
    assert memo.get("a", lambda: 2) == 2


def test_threads_share_one_computation_and_do_not_hold_up_others():
    memo, begun, go, calls = Memo(3), threading.Event(), threading.Event(), []

    def slow():
        calls.append(1)
        begun.set()
        assert go.wait(60)
        return "slow"

    results = []
    threads = [threading.Thread(target=lambda: results.append(memo.get("slow", slow))) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert begun.wait(60)
    assert memo.get("other", lambda: "other") == "other"
    go.set()
    for thread in threads:
        thread.join(60)
    assert results == ["slow"] * 4
    assert len(calls) == 1
