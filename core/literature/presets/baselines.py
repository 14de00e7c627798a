"""Baseline poolings that other methods are compared with."""

from functools import partial

from core.literature.preset import Preset
from core.literature.published import (
    AVERAGE,
    ditto,
    ditto_models,
    published,
    sbert_wk,
    stankevicius,
    whitening,
)
from core.literature.tables import find_table

_preset = partial(Preset, family="Baselines")

_ROBERTA = "roberta-base"
_ELECTRA = "google/electra-base-discriminator"
_CHEN = "Chen et al. 2023, Table 2"

PRESETS = (
    _preset(
        "Last layer, mean",
        "layers=last",
        "The mean of the last layer's tokens, [CLS] and [SEP] included. "
        "Most libraries call this mean pooling.",
        "Reimers & Gurevych 2019, Table 1; Chen et al. 2023, Table 6",
        2019,
        aliases=("mean pooling", "BERT last avg.", "Avg. BERT embeddings"),
        scores=(
            *ditto("BERT last avg."),
            *whitening("Avg. BERT embeddings"),
            *sbert_wk("Avg. BERT embedding", "BERT"),
            *published(
                find_table("000", "Section 4.2").get("BERT avg.", "STS"),
                "bert-base-uncased",
                "Stankevičius & Lukoševičius 2025, Section 4.2 (eight tasks, with STR)",
                corpus=AVERAGE,
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
        aliases=("CLS token", "BERT CLS-vector"),
        scores=(
            *whitening("BERT CLS-vector"),
            *sbert_wk("BERT [CLS]", "BERT"),
        ),
    ),
    _preset(
        "Static avg.",
        "layers=0",
        "The mean of the embedding block's output, h⁰: word, position and type, normalised. "
        "The vectors have no context, and yet they score above the last layer of an untuned model.",
        "Chen et al. 2023, Section 3 and Table 6",
        2022,
        aliases=("BERT static avg.",),
        scores=ditto("BERT static avg."),
        differs=(
            "Chen et al. write it as the mean of h⁰; their program, as Jiang et al.'s, takes raw rows.",
        ),
    ),
    _preset(
        "Static avg., raw rows",
        "layers=static",
        "The mean of the rows of the word-embedding matrix, as the code of Prompt-BERT takes them. "
        "They lack the position, type and normalisation of the embedding block's output.",
        "Jiang et al. 2022; Chen et al. 2023, Table 6",
        2022,
        scores=ditto("BERT static avg."),
        differs=("Chen et al. write static avg. as the mean of h⁰, the embedding block's output.",),
    ),
    _preset(
        "First-last avg. (layer 1)",
        "",
        "The mean over tokens of the first transformer block and the last, averaged. "
        "The early layer brings the words, the late one their context.",
        "Su et al. 2021; Stankevičius & Lukoševičius 2025, equation 3",
        2020,
        aliases=("BERT_base-first-last-avg",),
        scores=(
            *stankevicius("avg."),
            *whitening("BERT_base-first-last-avg", "BERT_large-first-last-avg"),
        ),
    ),
    _preset(
        "First-last avg. (layer 0)",
        "layers=0+last",
        "The mean over tokens of the embedding block and the last layer, averaged. "
        "Papers that count layers from there call this first-last, and report lower scores for it.",
        "Jiang et al. 2022; Chen et al. 2023, Tables 2 and 6",
        2022,
        aliases=("BERT first-last avg.",),
        scores=(
            *ditto("BERT first-last avg."),
            *ditto_models("First-last avg.", "RoBERTa", "roberta-base"),
            *ditto_models("First-last avg.", "ELECTRA", "google/electra-base-discriminator"),
        ),
    ),
    _preset(
        "First-last avg., RoBERTa",
        f"source={_ROBERTA};layers=0+last",
        "The embedding block and the last layer of RoBERTa, averaged. "
        "The paper starts from it to show what Ditto gains on another model.",
        _CHEN,
        2023,
        scores=ditto_models("First-last avg.", "RoBERTa", _ROBERTA),
        needs=f"network: {_ROBERTA} from the hub",
    ),
    _preset(
        "First-last avg., ELECTRA",
        f"source={_ELECTRA}@refs/pr/4;layers=0+last",
        "The embedding block and the last layer of ELECTRA's discriminator, averaged. "
        "Of three models it has the lowest score, and Ditto gains most on it.",
        _CHEN,
        2023,
        scores=ditto_models("First-last avg.", "ELECTRA", _ELECTRA),
        needs=f"network: {_ELECTRA} from the hub, in the safetensors form of its revision refs/pr/4",
    ),
    _preset(
        "Last layer, XLNet",
        "source=xlnet-base-cased;layers=last",
        "The mean of the last layer of XLNet, which predicts words in any order. "
        "The paper scores it on classification and probing alone.",
        "Wang & Kuo 2020, Tables V and VI",
        2020,
        needs="network: xlnet-base-cased from the hub, if its weights are safetensors",
    ),
)
"""Simplest first."""
