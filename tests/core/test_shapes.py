"""The tests check annotations of arrays at every call."""

import numpy as np
import pytest
from jaxtyping import TypeCheckError

from core.evaluation.statistics import spearman
from core.stages.similarity import cosine


def test_another_shape_or_type_is_refused():
    with pytest.raises(TypeCheckError):
        spearman(np.zeros((3, 2)), np.zeros(3))
    with pytest.raises(TypeCheckError):
        cosine(np.zeros(3, np.float32), np.zeros((3, 2), np.float32))
