"""What a visit leaves in memory: toggling among the same recipes leaves nothing more each time."""

import gc
from collections import Counter

import pytest

ROUNDS = 3
LAYERS = ("last", "first+last", "0", "all", "1+2")
OURS = ("core.", "components.", "plotly.", "streamlit.", "pandas.", "_thread.", "threading.")


def counted() -> Counter:
    """How many objects of each kind of ours, and of the libraries of the pages, there are."""
    gc.collect()
    kinds = (f"{type(one).__module__}.{type(one).__qualname__}" for one in gc.get_objects())
    return Counter(kind for kind in kinds if kind.startswith(OURS))


@pytest.mark.parametrize("page", ["compare", "geometry"])
def test_toggles_leave_nothing_more_each_time(visit, small, page):
    at = visit(page, a=small, corpus="demo")
    counts = []
    for _ in range(ROUNDS):
        for layers in LAYERS:
            at.text_input(key="a").set_value(small.replace("layers=last", f"layers={layers}")).run()
            assert not at.exception
        counts.append(counted())
    grown = {kind: counts[-1][kind] - number for kind, number in counts[-2].items()}
    assert max(grown.values()) < len(LAYERS), f"one a toggle: {max(grown, key=grown.__getitem__)}"
