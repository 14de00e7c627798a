"""Names of saved files: whole words, and never longer than a file system takes."""

import pytest

from components.exports.names import LONGEST, file_name


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        (("scores", "STS-B test", "A last layer mean"), "strata_scores_STS-B-test_A-last-layer-mean"),
        (
            ("scores", "sentences of houses and gardens that were rented once"),
            "strata_scores_sentences-of-houses-and-gardens-that-were-rented",
        ),
        (("scores", "x" * 60), f"strata_scores_{'x' * 48}"),
        (
            ("one", "alpha " * 7, "beta " * 8, "gamma " * 8),
            f"strata_one_{'alpha-' * 6}alpha_{'beta-' * 7}beta_{'gamma-' * 3}gamma",
        ),
        (("deck", "Šaltinis žodžių"), "strata_deck_Saltinis-zodziu"),
        (("deck", "日本語 – 第1章"), "strata_deck_日本語-第1章"),
        (("deck", "Αθήνα, Київ: हिन्दी"), "strata_deck_Αθήνα-Київ-हिन्दी"),
        (("deck", "a\u202eb/../c\u0301\x00"), "strata_deck_a-b-c"),
        (("Spearman × 100 = 42.7 ± 6.3",), "strata_Spearman-x-100-42.7-+-6.3"),
        (
            ("Layer 0 scores highest: Spearman × 100 = 42.7 ± 58.0",),
            "strata_Layer-0-scores-highest-Spearman-x-100-42.7",
        ),
        (("deck", "日" * 60), f"strata_deck_{'日' * 32}"),
    ],
)
def test_a_long_name_ends_where_a_word_does(parts, name):
    assert file_name(parts, "png") == f"{name}.png"
    assert len(name) <= LONGEST


@pytest.mark.parametrize(
    "text", ["é" * 5_000, "日本" * 5_000, "a-" * 5_000, "." * 5_000, "\ud800" * 9, "\u0301" * 9]
)
def test_no_name_is_longer_than_a_file_system_takes(text):
    name = file_name(("scores", *[text] * 50), "pptx")
    assert name.startswith("strata_scores")
    assert len(name.encode()) <= 255
