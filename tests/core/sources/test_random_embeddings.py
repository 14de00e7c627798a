"""Random embeddings meet the published scores: recipe, statistics and Spearman, without any weights."""

import pytest

from benchmarks.random_embeddings import ANCHORS, PAPER, WITHIN, cells, mean_difference
from core.pipeline.engine import Engine
from core.settings import Settings


@pytest.mark.data
@pytest.mark.slow
def test_random_embeddings_meet_the_paper(data_folder, tmp_path):
    found = cells(Engine(Settings(cache=tmp_path, data=data_folder)))
    assert len(found) == len(PAPER) * len(ANCHORS) == 36
    assert mean_difference(found) <= WITHIN
    far = [cell for cell in found if cell.difference > 2.5]
    assert not far
