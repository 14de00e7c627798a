"""Results in memory: bounded, the least recently used let go, computed by one thread."""

import sys
import threading

import numpy as np
import pytest

from core.progress import Heard, Step
from core.sources.doc2vec import whole_texts
from core.storage.memo import WAITING, Memo, bytes_in_memory
from core.tokens import DocumentFrequencies


def test_a_result_is_computed_once():
    memo, calls = Memo(1000), []
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
    memo = Memo(1000)
    with pytest.raises(ZeroDivisionError):
        memo.get("a", lambda: 1 / 0)
    assert memo.get("a", lambda: 2) == 2


def test_threads_share_one_computation_and_do_not_hold_up_others():
    memo, begun, go, calls = Memo(1000), threading.Event(), threading.Event(), []

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


def test_a_look_counts_as_use():
    memo = Memo(8, size=len)
    memo.put("a", "1234")
    memo.put("b", "1234")
    assert memo.peek("a") == "1234"
    memo.put("c", "1234")
    assert [memo.peek(key) for key in "abc"] == ["1234", None, "1234"]


def test_a_value_put_again_is_sized_anew():
    memo, value = Memo(10, size=len), [1, 2, 3]
    memo.put("a", value)
    memo.put("b", "12345")
    value += [4, 5, 6]
    memo.put("a", value)
    assert (memo.bytes, len(memo), memo.peek("b")) == (6, 1, None)
    value += [0] * 5
    memo.put("a", value)
    assert (memo.bytes, len(memo)) == (0, 0)


def test_arrays_are_read_only_whether_kept_or_not():
    memo = Memo(100)
    for length in (3, 300):
        array = memo.get(length, lambda length=length: np.zeros(length))
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_arrays_of_a_dataclass_are_read_only():
    memo = Memo(10_000)
    frequencies = memo.get("a", lambda: DocumentFrequencies(2, np.ones(3)))
    with pytest.raises(ValueError, match="read-only"):
        frequencies.counts[0] = 2


def test_sizes_count_arrays_words_and_dictionaries():
    words = tuple(f"word number {i}" for i in range(1000))
    index = {word: row for row, word in enumerate(words)}
    alone, both = bytes_in_memory(words), bytes_in_memory((words, index))
    assert alone > sum(map(len, words)) + 8 * len(words)
    assert alone + sys.getsizeof(index) < both < 2 * alone + sys.getsizeof(index)  # words are counted once
    tokens = many_tokens()
    different = {id(value): value for value in vars(tokens).values() if isinstance(value, np.ndarray)}
    arrays = sum(array.nbytes for array in different.values())
    minimum = arrays + sys.getsizeof(tokens.vocabulary) + 20_000 * sys.getsizeof(1)
    assert minimum <= bytes_in_memory(tokens) < minimum + 10_000


def many_tokens():
    return whole_texts(["one", "two"] * 10_000)


def test_many_are_computed_in_one_call_and_what_comes_along_is_kept():
    memo, asked = Memo(100, size=len), []

    def compute(missing):
        asked.append(missing)
        return {key: key * 2 for key in "abcd"}

    memo.put("b", "mine")
    assert memo.get_many(["c", "b", "a", "c"], compute) == {"c": "cc", "b": "mine", "a": "aa"}
    assert asked == [["c", "a"]]
    assert memo.get_many("abcd", compute) == {"a": "aa", "b": "bb", "c": "cc", "d": "dd"}
    assert len(asked) == 1


def test_many_that_do_not_fit_are_all_given():
    memo = Memo(5, size=len)
    assert memo.get_many("abc", lambda missing: {key: key * 4 for key in missing}) == {
        "a": "aaaa",
        "b": "bbbb",
        "c": "cccc",
    }
    assert memo.bytes == 4


@pytest.mark.parametrize("limit", [100, 1])
def test_threads_that_ask_for_overlapping_keys_compute_each_once(limit):
    memo, asked, guard, begin = Memo(limit, size=len), [], threading.Lock(), threading.Barrier(8)
    all_begun = threading.Event()

    def compute(missing):
        with guard:
            asked.extend(missing)
        assert all_begun.wait(60)
        return {key: key * 3 for key in missing}

    def waiting(_):
        all_begun.set()

    def visit(keys):
        begin.wait()
        results.append(memo.get_many(keys, compute, Heard(waiting)) == {key: key * 3 for key in keys})

    results = []
    orders = ["abc", "cba", "bca", "acd", "dab", "cd", "dc", "b"]
    threads = [threading.Thread(target=visit, args=(keys,)) for keys in orders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert results == [True] * 8
    if limit == 100:
        assert sorted(asked) == list("abcd")


def test_a_waiting_thread_computes_what_another_one_could_not():
    memo, begun, fail = Memo(100, size=len), threading.Event(), threading.Event()
    failed = []

    def stopped(_):
        begun.set()
        assert fail.wait(60)
        raise KeyboardInterrupt

    def first():
        try:
            memo.get_many(["a", "b"], stopped)
        except KeyboardInterrupt:
            failed.append(True)

    thread = threading.Thread(target=first)
    thread.start()
    assert begun.wait(60)
    results = memo.get_many(
        ["b", "c"], lambda missing: dict.fromkeys(missing, "mine"), Heard(lambda _: fail.set())
    )
    thread.join(60)
    assert failed == [True]
    assert results == {"b": "mine", "c": "mine"}
    assert memo.peek("a") is None


def test_who_waits_is_told_how_far_the_other_is():
    memo, begun, go, on = Memo(100, size=len), threading.Event(), threading.Event(), threading.Event()
    first = Heard()

    def slow():
        begun.set()
        assert go.wait(60)
        first(Step("Reading", 3, 8))
        assert on.wait(60)
        return "slow"

    def told(step):
        steps.append(step)
        (on if step.total else go).set()

    steps = []
    thread = threading.Thread(target=lambda: memo.get("a", slow, first))
    thread.start()
    assert begun.wait(60)
    assert memo.get("a", slow, Heard(told)) == "slow"
    thread.join(60)
    assert [steps[0], steps[-1]] == [WAITING, Step("Reading", 3, 8)]


def test_waiting_can_be_ended():
    memo, begun, go = Memo(100, size=len), threading.Event(), threading.Event()

    def slow():
        begun.set()
        assert go.wait(60)
        return "slow"

    def stop(_):
        raise KeyboardInterrupt

    thread = threading.Thread(target=lambda: memo.get("a", slow))
    thread.start()
    assert begun.wait(60)
    with pytest.raises(KeyboardInterrupt):
        memo.get("a", slow, Heard(stop))
    go.set()
    thread.join(60)
    assert memo.peek("a") == "slow"
