"""Texts of a batch by themselves, and what a weighted mean divides by."""

from dataclasses import fields, replace

import numpy as np
import pytest

from tests.core.helpers.token_batches import random_batch


@pytest.mark.parametrize("units", [None, "tokens", "words"])
def test_texts_have_the_shares_alone_that_they_have_in_company(units):
    batch = random_batch()
    number = {"tokens": np.arange(len(batch.ids)), "words": np.arange(len(batch.ids)) // 2, None: None}[
        units
    ]
    batch = replace(batch, units=number)
    parts = [batch.part(start, stop) for start, stop in ((0, 7), (7, 8), (8, 99))]
    for name in (field.name for field in fields(batch) if field.name not in ("offsets", "units")):
        whole = np.concatenate([getattr(part, name) for part in parts])
        np.testing.assert_array_equal(whole, getattr(batch, name))
    np.testing.assert_array_equal(np.concatenate([part.shares() for part in parts]), batch.shares())
    lengths = np.concatenate([part.lengths for part in parts])
    np.testing.assert_array_equal(lengths, batch.lengths)


def test_a_word_counts_once_if_any_of_its_pieces_has_a_weight():
    batch = random_batch()
    weights = np.ones(len(batch.ids))
    of_text = batch.texts == batch.lengths.argmax()
    units = np.where(of_text, 0, np.arange(len(batch.ids)))
    weights[np.flatnonzero(of_text)[0]] = 0.0
    shares = replace(batch, weights=weights, units=units).shares()
    np.testing.assert_array_equal(shares[of_text], weights[of_text])
