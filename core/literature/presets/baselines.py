"""Baseline poolings that other methods are compared with."""

from functools import partial

from core.literature.preset import Preset
from core.literature.published import AVERAGE, PublishedScore, ditto, row, stankevicius, wang, whitening

_preset = partial(Preset, family="Baselines")

_REIMERS = "Reimers & Gurevych 2019"
_LI = "Li et al. 2020"
_SU = "Su et al. 2021"
_PLMS = "Chen et al. 2023, Table 2"

PRESETS = (
    _preset(
        "Last layer, mean",
        "layers=last",
        "The mean of the last layer's tokens, [CLS] and [SEP] included. "
        "Most libraries call this mean pooling.",
        "Reimers & Gurevych 2019, Table 1; Chen et al. 2023, Table 6",
        2019,
        scores=(
            *ditto("30.87 59.89 47.73 60.29 63.73 47.29 58.22 52.57"),
            *whitening(
                "46.35 38.78 57.98 57.98 63.15 61.06 58.40", "BERT", "Avg. BERT embeddings", _REIMERS
            ),
            *wang("46.9 52.8 57.2 63.5 64.5 65.2 80.5 61.51", "BERT", "Wang & Kuo 2020, Table III"),
            PublishedScore(
                AVERAGE,
                53.2,
                "bert-base-uncased",
                "all",
                "Spearman",
                "Stankevičius & Lukoševičius 2025, Section 4.2 (eight tasks, with STR)",
            ),
        ),
    ),
    _preset(
        "[CLS]",
        "layers=last;pool=cls",
        "The last layer's classification token alone. "
        "Without fine-tuning it says little about meaning, because it was trained to tell whether one "
        "sentence follows another.",
        "Reimers & Gurevych 2019, Table 1; Wang & Kuo 2020, Table III",
        2019,
        scores=(
            *whitening("16.50 20.16 30.01 20.09 36.88 38.03 42.63", "BERT", "BERT CLS-vector", _REIMERS),
            *wang("27.5 22.5 25.6 32.1 42.7 52.1 70.0 38.93", "BERT", "Wang & Kuo 2020, Table III"),
        ),
    ),
    _preset(
        "Static avg.",
        "layers=static",
        "The mean of the rows of the word-embedding matrix. "
        "The vectors have no context, and yet they score above the last layer of an untuned model.",
        "Jiang et al. 2022; Chen et al. 2023, Table 6",
        2022,
        scores=ditto("42.38 56.74 50.60 65.08 62.39 56.82 58.15 56.02"),
    ),
    _preset(
        "First-last avg. (layer 1)",
        "",
        "The mean over tokens of the first transformer block and the last, averaged. "
        "The early layer brings the words, the late one their context.",
        "Su et al. 2021; Stankevičius & Lukoševičius 2025, equation 3",
        2020,
        scores=(
            *stankevicius("45.1 64.3 54.6 70.5 67.9 59.0 63.8 65.4 61.3", "avg."),
            *whitening("59.04 57.84 61.95 62.48 70.95 69.81 63.75", "bert-base", "first-last-avg", _LI),
            *whitening("59.04 57.86 61.97 62.49 70.96 69.76 63.75", "bert-base", "first-last-avg", _SU),
            *whitening("59.56 57.68 61.37 61.02 68.04 70.32 60.22", "bert-large", "first-last-avg", _LI),
            *whitening("59.59 57.73 61.17 61.18 68.07 70.25 60.34", "bert-large", "first-last-avg", _SU),
        ),
    ),
    _preset(
        "First-last avg. (layer 0)",
        "layers=0+last",
        "The mean over tokens of the embedding block and the last layer, averaged. "
        "Papers that count layers from there call this first-last, and report lower scores for it.",
        "Jiang et al. 2022; Chen et al. 2023, Tables 2 and 6",
        2022,
        scores=(
            *ditto("39.70 59.38 49.67 66.03 66.19 53.87 62.06 56.70"),
            *row("56.57", "roberta-base", _PLMS, corpora=(AVERAGE,)),
            *row("36.28", "google/electra-base-discriminator", _PLMS, corpora=(AVERAGE,)),
        ),
    ),
)
"""Simplest first."""
