"""Methods that select or weight layers."""

from functools import partial

from core.literature.preset import Preset
from core.literature.published import sbert_wk, sbert_wk_part

_preset = partial(Preset, family="Layers")

_WANG = "Wang & Kuo 2020"
_SBERT = "sentence-transformers/bert-base-nli-mean-tokens"
_XLNET = "xlnet-base-cased"
_NETWORK = "network: {} from the hub, if its weights are safetensors"

PRESETS = (
    _preset(
        "L1 + L2 + L12",
        "layers=1+2+last",
        "Two early layers and the last, averaged; of a twelve-layer model these are 1, 2 and 12. "
        "Two papers that searched sets of layers found it best for similarity.",
        "Huang et al. 2021; Stankevičius & Lukoševičius 2025, Figure 5",
        2021,
    ),
    _preset(
        "L0 + L1 + L2 + L12",
        "layers=0+1+2+last",
        "The embedding block, two early layers and the last, averaged. "
        "It is the best set of layers for clustering.",
        "Stankevičius & Lukoševičius 2025, Figure 5",
        2025,
    ),
    _preset(
        "SBERT + Alignment",
        f"source={_SBERT};layers=wk(omega=1)",
        "SBERT, each token's layers weighted by how little they align with their neighbours alone. "
        "It is one of the two halves of SBERT-WK's weights of layers.",
        f"{_WANG}, Section IV-A and Table VII",
        2020,
        scores=sbert_wk_part("SBERT + Alignment"),
        needs=f"network: {_SBERT} from the hub",
    ),
    _preset(
        "SBERT + Novelty",
        f"source={_SBERT};layers=wk(omega=0)",
        "SBERT, each token's layers weighted by how much they add to their neighbours alone. "
        "It is the other half of SBERT-WK's weights of layers.",
        f"{_WANG}, Section IV-A and Table VII",
        2020,
        scores=sbert_wk_part("SBERT + Novelty"),
        needs=f"network: {_SBERT} from the hub",
    ),
    _preset(
        "Token importance, last layer",
        "layers=last;weight=variance",
        "Tokens of the last layer, weighted by how unevenly they change from layer to layer. "
        "This is the part of SBERT-WK that weights tokens.",
        f"{_WANG}, Section IV-B and Table VII",
        2020,
        scores=sbert_wk_part("SBERT + Token Importance (last layer)"),
    ),
    _preset(
        "Token importance, all layers",
        "layers=all;weight=variance",
        "The mean of all layers, tokens weighted by how unevenly they change from layer to layer. "
        "It shows what SBERT-WK gains by weighting layers as well.",
        f"{_WANG}, Section IV-B and Table VII",
        2020,
        scores=sbert_wk_part("SBERT + Token Importance (all layers)"),
    ),
    _preset(
        "SBERT-WK",
        "layers=wk;weight=variance",
        "Each token's layers are weighted by how little they align with their neighbours and by how much "
        "they add to them, and tokens by how unevenly they change. "
        "Its authors build it on SBERT; it needs no training of its own.",
        f"{_WANG}, Section IV and Table III",
        2020,
        aliases=("Proposed SBERT-WK",),
        scores=(
            *sbert_wk("Proposed SBERT-WK", "SBERT"),
            *sbert_wk_part("SBERT-WK"),
        ),
    ),
    _preset(
        "SBERT-WK on SBERT",
        f"source={_SBERT};layers=wk;weight=variance",
        "SBERT-WK on the model of its authors. "
        "Its layers and its tokens are weighted, nothing is trained again.",
        f"{_WANG}, Section IV and Tables III, V and VI",
        2020,
        scores=sbert_wk("Proposed SBERT-WK", "SBERT"),
        needs=f"network: {_SBERT} from the hub",
    ),
    _preset(
        "SBERT-WK on XLNet",
        f"source={_XLNET};layers=wk;weight=variance",
        "SBERT-WK on a model that is not tuned for sentences. "
        "The paper scores it on classification and probing alone.",
        f"{_WANG}, Tables V and VI",
        2020,
        needs=_NETWORK.format(_XLNET),
    ),
    _preset(
        "SBERT-WK, released",
        "layers=wk(form=released);tokens=noseparator;weight=variance(start=4)",
        "SBERT-WK as the released code computes it. "
        "It leaves out [SEP], takes token weights from the layers it keeps, and scales alignment anew.",
        f"{_WANG}, released code",
        2020,
        scores=sbert_wk("Proposed SBERT-WK", "SBERT"),
    ),
)
"""Simplest first."""
