"""The tests check annotations of arrays at every call."""

import numpy as np
import pytest
from beartype.roar import BeartypeCallHintViolation
from jaxtyping import TypeCheckError

from core.corpora.cleaning import clean
from core.corpora.table_files import ending_of
from core.evaluation.statistics import spearman
from core.stages.similarity import cosine


def test_another_shape_or_type_is_refused():
    with pytest.raises(TypeCheckError):
        spearman(np.zeros((3, 2)), np.zeros(3))
    with pytest.raises(TypeCheckError):
        cosine(np.zeros(3, np.float32), np.zeros((3, 2), np.float32))


def test_another_type_is_refused_where_no_array_is_named():
    with pytest.raises(BeartypeCallHintViolation):
        clean(7)
    with pytest.raises(BeartypeCallHintViolation):
        ending_of("table.tsv")
