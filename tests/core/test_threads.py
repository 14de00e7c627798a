"""One thread for small products, and as many as before afterwards."""

import os
import threading
from functools import reduce
from importlib import import_module

import numpy as np
import pytest
import torch
from threadpoolctl import threadpool_info, threadpool_limits

from core import threads as module
from core.evaluation.tasks.learners import LEARNERS, predict
from core.recipe import POOL
from core.threads import OPENBLAS, SMALL, one_thread, one_thread_of_torch, share_cores
from tests.core.helpers.token_batches import batch_of, random_batch


def threads():
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


@pytest.fixture(autouse=True)
def two(monkeypatch):
    monkeypatch.setattr(module, "_share", None)
    with threadpool_limits(2, user_api="blas"):
        assert threads() == {2}
        yield
        assert threads() == {2}


def test_small_products_have_one_thread_and_large_ones_keep_theirs():
    with one_thread(SMALL):
        assert threads() == {1}
    assert threads() == {2}
    with one_thread(SMALL + 1):
        assert threads() == {2}


def test_an_error_inside_leaves_as_many_as_before():
    with pytest.raises(ValueError, match="inside"), one_thread(1):
        raise ValueError("inside")
    assert threads() == {2}


def test_torch_has_one_thread_for_who_asks_and_others_that_begin_have_theirs():
    told = []

    def ask():
        other = threading.Thread(target=lambda: told.append(torch.get_num_threads()))
        other.start()
        other.join()

    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        with pytest.raises(ValueError, match="inside"), one_thread_of_torch():
            assert torch.get_num_threads() == 1
            ask()
            raise ValueError("inside")
        assert torch.get_num_threads() == 2
        ask()
    finally:
        torch.set_num_threads(before)
    assert told == [2, 2]


def test_threads_that_learn_at_once_leave_as_many_as_before():
    entered, leave = threading.Event(), threading.Event()

    def other():
        with one_thread(1):
            entered.set()
            leave.wait(5)

    thread = threading.Thread(target=other)
    with one_thread(1):
        thread.start()
        assert entered.wait(5)
        assert threads() == {1}
    leave.set()
    thread.join()
    assert threads() == {2}


@pytest.mark.parametrize("loops", [(False, False), (True, True), (False, True), (True, False)])
def test_threads_whose_blocks_overlap_leave_as_many_as_before(loops):
    """The second comes while the first is there, and goes after it."""
    entered, leave = threading.Event(), threading.Event()

    def other():
        with one_thread(1, loops=loops[1]):
            entered.set()
            leave.wait(5)
            inside.append(threads())

    inside, thread = [], threading.Thread(target=other)
    with one_thread(1, loops=loops[0]):
        thread.start()
        assert entered.wait(5)
    assert threads() == {1}
    leave.set()
    thread.join()
    assert inside == [{1}]
    assert threads() == {2}


@pytest.mark.parametrize(("cores", "pieces", "each"), [(8, 2, 4), (2, 4, 1), (3, 2, 1)])
def test_pieces_of_work_share_the_cores(monkeypatch, cores, pieces, each):
    monkeypatch.setattr("core.machine.cores", lambda: cores)
    monkeypatch.setenv(OPENBLAS, "9")
    monkeypatch.delenv(OPENBLAS)
    with threadpool_limits(2, user_api="blas"):
        share_cores(pieces)
        assert threads() == {each}
        assert os.environ[OPENBLAS] == str(each), "a library that is loaded later has as many"


def test_what_the_environment_says_of_threads_holds(monkeypatch):
    monkeypatch.setattr("core.machine.cores", lambda: 8)
    monkeypatch.setenv(OPENBLAS, "3")
    share_cores(2)
    assert threads() == {2}


def test_token_vectors_are_summed_on_a_share_of_the_cores_and_each_product_on_one(monkeypatch):
    from core.stages.pooling import weighted_sum as pooling

    seen, product = [], np.matmul

    def watched(weights, rows, out):
        seen.append((len(rows), threads()))
        return product(weights, rows, out)

    monkeypatch.setattr("core.machine.cores", lambda: 4)
    monkeypatch.setenv(OPENBLAS, "2")
    share_cores(2)
    monkeypatch.setattr(module, "LEAST_ROWS", 1)
    monkeypatch.setattr(pooling.np, "matmul", watched)
    batch = batch_of([[[1, 1], [1, 1]], [[2, 1], [1, 0]], [[1, 2], [0, 1]], [[3, 0], [1, 1]]])
    sums = pooling.weighted_sum(batch, np.array([1.0, 2.0] * 4))
    np.testing.assert_array_equal(sums, [[3, 3], [4, 1], [1, 4], [5, 2]])
    assert seen == [(2, {1})] * 2, "a piece for each thread of the share, and none of its own within"
    assert threads() == {2}


def test_learners_fit_on_one_thread(monkeypatch):
    seen = []
    learner = LEARNERS["logistic"]
    generator = np.random.default_rng(0)
    x, weights = generator.normal(size=(60, 4)), np.eye(2)[np.arange(60) % 2]
    model = type(learner.make(1.0))
    fit = model.fit

    def watched(self, *arguments, **named):
        seen.append(threads())
        return fit(self, *arguments, **named)

    monkeypatch.setattr(model, "fit", watched)
    predict(learner, x, weights, np.arange(40), np.arange(40, 60), None)
    assert len(seen) == 19
    assert seen == [{1}] * 19


def test_principal_components_are_found_on_one_thread(monkeypatch):
    from core import matrices
    from core.stages.postprocessing import principal

    seen, solve = [], matrices.scipy.linalg.eigh

    def watched(*arguments, **named):
        seen.append(threads())
        return solve(*arguments, **named)

    monkeypatch.setattr(matrices.scipy.linalg, "eigh", watched)
    x = np.random.default_rng(1).normal(size=(50, 6)).astype(np.float32)
    for step in (principal.AllButTheTop(2), principal.Whitening(3)):
        step.fit(x)
    assert seen == [{1}, {1}]


def all_threads():
    return {library["num_threads"] for library in threadpool_info()}


def test_loops_have_one_thread_as_well_where_that_is_said():
    with threadpool_limits(2):
        with one_thread(1, loops=True):
            assert all_threads() == {1}
        assert all_threads() == {2}


@pytest.mark.parametrize(
    ("pool", "module", "solver"),
    [
        ("gem(k=25,h=3)", "core.matrices", "scipy.linalg.eigh"),
        ("gem(k=25,h=3)", "core.stages.pooling.gem", "np.linalg.eigh"),
        ("s3e(form=released,k=2)", "core.stages.pooling.word_damping", "scipy.linalg.eigh"),
        ("s3e(words=processed,k=2)", "core.stages.pooling.word_damping", "scipy.linalg.eigh"),
        ("vlawe(k=2)", "sklearn.cluster", "KMeans.fit"),
    ],
)
def test_poolings_learn_and_pool_on_one_thread(monkeypatch, pool, module, solver):
    library = import_module(module)
    *path, name = solver.split(".")
    owner = reduce(getattr, path, library)
    solve, seen = getattr(owner, name), []

    def watched(*arguments, **named):
        seen.append(all_threads() if name == "fit" else threads())
        return solve(*arguments, **named)

    monkeypatch.setattr(owner, name, watched)
    batch = random_batch(4, texts=60)
    with threadpool_limits(2):
        POOL.bind(POOL.parse(pool))([batch])(batch)
    assert seen
    assert set(map(frozenset, seen)) == {frozenset({1})}
