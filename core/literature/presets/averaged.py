"""Token vectors averaged over their contexts, alone or mixed with vectors in context.

Avg. alone is the mix with a share of 1, so that it applies to the chosen model.
"""

from functools import partial

from core.literature.preset import Preset
from core.literature.presets.weights import SWAPPED
from core.literature.published import stankevicius

_preset = partial(Preset, family="Averaged contexts")

_PAPER = "Stankevičius & Lukoševičius 2025"
_CONTEXTS = "The paper averages over WikiText-103."
_FREQUENT = "The paper leaves out 33 frequent tokens, this recipe the 36 of the released list."

PRESETS = (
    _preset(
        "Avg.",
        "mix=averaged(w=1)",
        "Each token gets the mean of its vectors over all its contexts in the reference corpus. "
        "The result is a table of static vectors from the model itself.",
        f"{_PAPER}, Section 3.2.3",
        2025,
        aliases=("averaged tokens", "averaged token representations"),
        scores=stankevicius("avg.", "Avg."),
        differs=(_CONTEXTS,),
    ),
    _preset(
        "Avg. without biases",
        "tokens=unbiased;mix=averaged(w=1)",
        "Averaged token vectors without frequent tokens, word pieces and punctuation. "
        "Static vectors gain more by it than vectors in context.",
        f"{_PAPER}, Table 4",
        2025,
        scores=stankevicius("-biases", "Avg."),
        differs=(_CONTEXTS, _FREQUENT),
    ),
    _preset(
        "Avg., idf + z-score",
        "weight=idf;mix=averaged(w=1);post=zscore",
        "Averaged token vectors weighted by idf, sentence vectors standardised. "
        "They score within a third of a point of the model in context.",
        f"{_PAPER}, Table 4",
        2025,
        scores=stankevicius("idf^W + zscore", "Avg."),
        differs=(_CONTEXTS, SWAPPED),
    ),
    _preset(
        "BERT + Avg.",
        "mix=averaged",
        "Half the sentence vector in context, half that of averaged token vectors. "
        "It helps clustering most.",
        f"{_PAPER}, equation 10 and Table 4",
        2025,
        aliases=("BERT+Avg.",),
        scores=stankevicius("avg.", "BERT + Avg."),
        differs=(_CONTEXTS,),
    ),
    _preset(
        "BERT + Avg. without biases",
        "tokens=unbiased;mix=averaged",
        "Half in context and half averaged, without frequent tokens, word pieces and punctuation. "
        "It beats either of its halves.",
        f"{_PAPER}, Table 4",
        2025,
        scores=stankevicius("-biases", "BERT + Avg."),
        differs=(_CONTEXTS, _FREQUENT),
    ),
    _preset(
        "BERT + Avg., idf + z-score",
        "weight=idf;mix=averaged;post=zscore",
        "Half in context and half averaged, weighted by idf and standardised. "
        "It is the paper's best recipe for similarity without a template.",
        f"{_PAPER}, Table 4",
        2025,
        scores=stankevicius("idf^W + zscore", "BERT + Avg."),
        differs=(_CONTEXTS, SWAPPED),
    ),
    _preset(
        "BERT + Avg., idf + unit length",
        "weight=idf(fit=reference);mix=averaged;post=normalize",
        "Half in context and half averaged, weighted by idf of a reference corpus, scaled to length 1. "
        "It is the paper's best recipe for clustering; the scaling does not change cosines.",
        f"{_PAPER}, Table 4",
        2025,
        scores=stankevicius("idf^T + normalize", "BERT + Avg."),
        differs=(_CONTEXTS, SWAPPED),
    ),
    _preset(
        "BERT + Avg., layer 10",
        "layers=10;mix=averaged",
        "Half in context and half averaged, both from the tenth layer. "
        "It is the paper's best recipe for classification without a template.",
        f"{_PAPER}, Section 4.3 and Figure 5",
        2025,
        needs="a model of ten layers or more",
        differs=(_CONTEXTS,),
    ),
)
"""Alone, then mixed."""
