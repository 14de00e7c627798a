"""What the page Compare says of a pair layer by layer."""

import numpy as np

from components.compare.by_layer import finding, numbers
from core.analysis.layers.pair_by_layer import PairByLayer


def made(ranks, similarity=(0.5, 0.6, 0.7, 0.8), pairs=66) -> PairByLayer:
    values = np.array(similarity)
    return PairByLayer((-1, 0, 1, 2), values, np.array(ranks), values - 0.1, values + 0.1, pairs)


def test_ranks_are_said_with_their_layers():
    found = {"A": made([4, 2, 2, 14]), "B": made([3, 3, 3, 3])}
    assert finding(found, "cosine") == (
        "Rank of the pair by cosine, 1 is the closest of 66: A 2 (layers 0 and 1) to 14 (layer 2); "
        "B 3 at every layer"
    )
    assert finding({"A": made([9, 1, 9, 9])}, "cosine").endswith("A 1 (layer 0) to 9 (3 layers)")
    assert finding({"A": made([9, 8, 9, 8])}, "cosine").endswith(
        "A 8 (layers 0 and 2) to 9 (static and layer 1)"
    )


def test_a_single_pair_has_its_similarity_and_no_rank():
    found = {"A": made([1, 1, 1, 1], pairs=1)}
    assert finding(found, "cosine") == "Cosine of the pair by layer: A 0.50 (static) to 0.80 (layer 2)"


def test_its_numbers_are_rows_of_layers():
    table = numbers({"A": made([4, 2, 2, 14])})
    assert table["layer"].tolist() == ["static", "0", "1", "2"]
    assert table["rank"].tolist() == [4, 2, 2, 14]
    assert set(table["of pairs"]) == {66}
