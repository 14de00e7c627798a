"""The speed of the machine is the median product's, where models read."""

import itertools

import pytest
import torch

from core.encoders import speed
from core.errors import StrataError
from tests.core.helpers.accelerator import accelerator


@pytest.fixture(autouse=True)
def _not_measured_before():
    speed._of_the_cpu.cache_clear()
    speed._of_a_gpu.cache_clear()
    yield
    speed._of_the_cpu.cache_clear()
    speed._of_a_gpu.cache_clear()


@pytest.fixture
def clock(monkeypatch):
    """Products take 0.5, 0.1 and 7 seconds in turn."""
    times = itertools.accumulate(itertools.chain([0.0], itertools.cycle([0.5, 0.0, 0.1, 0.0, 7.0, 0.0])))
    monkeypatch.setattr(speed.time, "perf_counter", lambda: next(times))


@pytest.fixture
def small(monkeypatch):
    """A product on a GPU that tests wait for."""
    monkeypatch.setattr(speed, "GPU_SIDE", 8)
    return 2 * 8**3 / 0.5


@pytest.mark.parametrize(("cores", "each"), [(1, 1.0), (4, 4.0)])
def test_it_is_the_median_product_on_all_cores(monkeypatch, clock, cores, each):
    monkeypatch.setattr(speed, "cores", lambda: cores)
    assert speed.operations_a_second() == pytest.approx(each * 2 * speed.SIDE**3 / 0.5)


def test_it_is_measured_once(monkeypatch):
    first = speed.operations_a_second()
    monkeypatch.setattr(speed, "cores", lambda: pytest.fail("measured again"))
    assert speed.operations_a_second() == first > 0


@pytest.mark.parametrize("forward", ["float32", "bfloat16"])
def test_on_a_gpu_it_is_the_product_there_in_the_precision_of_models(monkeypatch, clock, small, forward):
    with accelerator(monkeypatch):
        made = []
        ones = torch.ones

        def noted(*shape, **given):
            made.append((given["dtype"], torch.device(given["device"]).type))
            return ones(*shape, **given)

        monkeypatch.setattr(torch, "ones", noted)
        assert speed.operations_a_second("auto", forward) == pytest.approx(small)
        assert speed.operations_a_second("cuda", forward) == pytest.approx(small)
    assert made == [(getattr(torch, forward), "cuda")], "once, and there"


@pytest.mark.parametrize("asked", ["cpu", "auto", "cuda:7"])
def test_without_a_gpu_it_is_that_of_the_cpu(monkeypatch, asked):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert speed.operations_a_second(asked, "bfloat16") == speed.operations_a_second()


def test_a_gpu_without_room_counts_as_the_cpu(monkeypatch, small):
    with accelerator(monkeypatch, numbers=10):
        assert speed.operations_a_second("auto") == speed.operations_a_second("cpu")


def test_torch_is_not_loaded_where_no_driver_is(monkeypatch):
    """Loading it takes seconds, in which a page would show nothing."""
    monkeypatch.delitem(speed.sys.modules, "torch")
    monkeypatch.setattr(speed.shutil, "which", lambda _: None)
    monkeypatch.setattr("core.encoders.device.find_device", lambda _: pytest.fail("torch was asked"))
    assert speed.operations_a_second("auto") > 0
    assert "torch" not in speed.sys.modules
    monkeypatch.undo()


def test_a_driver_without_a_gpu_counts_as_the_cpu(monkeypatch):
    monkeypatch.setattr(
        "core.encoders.device.find_device", lambda _: (_ for _ in ()).throw(StrataError("no such device"))
    )
    assert speed.operations_a_second("auto") == speed.operations_a_second("cpu")
