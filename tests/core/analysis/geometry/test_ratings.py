"""Scales, positive pairs, groups by rating, and how far their densities overlap."""

import math

import numpy as np
import pytest

from core.analysis.geometry.ratings import DEFINITIONS, Group, by_rating, densities, overlap

SIMCSE, PLAIN = DEFINITIONS["normalised"], DEFINITIONS["as they are"]


def test_positive_pairs_of_both_definitions():
    gold = np.array([0, 4, 4.1, 4.5, 5, 5])
    assert SIMCSE.positives(gold).tolist() == [False, False, True, True, True, True]
    assert PLAIN.positives(gold).tolist() == [False, False, False, False, True, True]
    assert SIMCSE.rule(gold) == "gold > 4 on a scale of 0 to 5"
    assert PLAIN.rule(gold) == "gold = 5 on a scale of 0 to 5"
    assert SIMCSE.normalised
    assert not PLAIN.normalised


@pytest.mark.parametrize(
    ("gold", "positive", "rule"),
    [
        ([1, 4.1, 4.2, 4.3, 5], [4.3, 5], "gold > 4.2 on a scale of 1 to 5"),
        ([0, 0.8, 0.81, 1], [0.81, 1], "gold > 0.8 on a scale of 0 to 1"),
        ([0, 80, 90, 100], [90, 100], "gold > 80 on a scale of 0 to 100"),
        ([0, 1, 4], [], "gold > 4 on a scale of 0 to 5"),
    ],
)
def test_the_threshold_goes_with_the_scale(gold, positive, rule):
    gold = np.array(gold, float)
    assert gold[SIMCSE.positives(gold)].tolist() == positive
    assert SIMCSE.rule(gold) == rule


def test_no_pairs_have_no_positives():
    assert SIMCSE.positives(np.zeros(0)).tolist() == []


def test_ratings_are_grouped_by_whole_steps_and_the_last_holds_its_end():
    gold = np.array([0, 0.99, 1, 2.5, 4, 4.9, 5])
    groups = by_rating(np.arange(7.0), gold)
    assert [(g.label, g.similarities.tolist()) for g in groups] == [
        ("0–1", [0, 1]),
        ("1–2", [2]),
        ("2–3", [3]),
        ("4–5", [4, 5, 6]),
    ]


@pytest.mark.parametrize(
    ("gold", "labels"),
    [
        ([1, 2, 3, 4, 5], ["1–2", "2–3", "3–4", "4–5"]),
        ([0, 0.2, 0.4, 0.6, 0.8, 1], ["0–0.2", "0.2–0.4", "0.4–0.6", "0.6–0.8", "0.8–1"]),
        ([0, 20, 99, 100], ["0–20", "20–40", "80–100"]),
        ([3, 3], ["3–4"]),
    ],
)
def test_groups_of_other_scales(gold, labels):
    groups = by_rating(np.zeros(len(gold)), np.array(gold, float))
    assert [group.label for group in groups] == labels
    assert sum(len(group.similarities) for group in groups) == len(gold)


def test_densities_are_gaussian_kernels_of_silvermans_bandwidth():
    values = np.random.default_rng(0).normal(0.3, 0.1, 40)
    grid, (found,) = densities([Group(0, 1, values)])
    bandwidth = values.std(ddof=1) * (40 * 3 / 4) ** (-1 / 5)
    wanted = np.array(
        [
            sum(math.exp(-((x - v) ** 2) / (2 * bandwidth**2)) for v in values)
            / (40 * bandwidth * math.sqrt(2 * math.pi))
            for x in grid
        ]
    )
    np.testing.assert_allclose(found, wanted / np.trapezoid(wanted, grid), rtol=1e-9)
    assert np.trapezoid(found, grid) == pytest.approx(1)


def test_no_density_lies_where_no_cosine_can():
    values = np.random.default_rng(0).uniform(0.9, 1, 50)
    grid, (found,) = densities([Group(4, 5, values)])
    assert grid.max() <= 1
    assert np.trapezoid(found, grid) == pytest.approx(1)


@pytest.mark.parametrize("values", [[0.1, 0.2, 0.3, 0.4], [0.5] * 9, [1.0]])
def test_what_has_no_density_is_left_out(values):
    other = Group(1, 2, np.random.default_rng(0).uniform(0, 1, 9))
    _, found = densities([Group(0, 1, np.array(values)), other])
    assert found[0] is None
    assert found[1] is not None
    assert densities([Group(0, 1, np.array(values))])[1] == [None]


def test_overlap_is_the_area_under_both():
    grid = np.linspace(0, 3, 3001)
    p = ((grid >= 0) & (grid < 2)) / 2
    q = ((grid >= 1) & (grid < 3)) / 2
    assert overlap(grid, p, q) == pytest.approx(0.5, abs=1e-3)
    assert overlap(grid, p, p) == pytest.approx(1, abs=1e-3)
    assert overlap(grid, (grid < 1) * 1.0, (grid > 2) * 1.0) == 0
