"""Post-processing of sentence vectors."""

from functools import partial

from core.literature.preset import Preset
from core.literature.published import ditto, stankevicius, whitening

_preset = partial(Preset, family="Post-processing")

_PAPER = "Stankevičius & Lukoševičius 2025"
_SU, _LI = "Su et al. 2021", "Li et al. 2020"
_PARTS = "{} learn from the training and development parts of the corpus as well."
_NLI = "{} take natural language inference (SNLI and MNLI) as the reference."
_SUS, _LIS = "Su et al.", "Li et al."
_GLOW = "The paper trains another kind of flow."
_ZUKO = "extra: zuko"

PRESETS = (
    _preset(
        "Centring",
        "post=centre",
        "The mean of all sentence vectors is subtracted. "
        "It is the first step of most other methods, and removes the direction that all vectors share.",
        f"Biś et al. 2021; {_PAPER}, Section 2.2.2",
        2021,
    ),
    _preset(
        "Unit length",
        "post=normalize",
        "Each vector is scaled to length 1. It does not change cosines; clustering gains.",
        f"{_PAPER}, Section 3.4.5 and Table 5",
        2025,
        scores=stankevicius("45.1 64.3 54.6 70.5 67.9 59.0 63.8 65.4 61.3", "avg. + normalize"),
    ),
    _preset(
        "z-score",
        "post=zscore",
        "Each dimension is given mean 0 and standard deviation 1. "
        "A few dimensions with large values no longer decide every cosine.",
        f"Timkey & van Schijndel 2021; {_PAPER}, equation 5 and Table 5",
        2021,
        scores=stankevicius("50.2 70.4 58.7 72.6 72.0 65.0 65.0 66.7 65.1", "avg. + zscore"),
    ),
    _preset(
        "Robust scaling",
        "post=robust",
        "Each dimension is centred on its median and divided by its interquartile range. "
        "The paper tried it against outliers, and found it marginally below quantiles.",
        f"{_PAPER}, Section 3.4.2",
        2025,
    ),
    _preset(
        "Quantile",
        "post=quantile",
        "Each dimension is replaced by its quantile over the corpus. "
        "It gains as much as standardising on similarity, and more on clustering.",
        f"{_PAPER}, Section 3.4.2 and Table 5",
        2025,
        scores=stankevicius("48.7 68.3 58.1 72.7 70.3 63.6 64.9 68.1 64.3", "avg. + quantile-u"),
    ),
    _preset(
        "Quantile, reference",
        "post=quantile(fit=reference)",
        "Each dimension is replaced by its quantile over a reference corpus. "
        "It works for two sentences, and serves clustering better than the corpus' own quantiles.",
        f"{_PAPER}, Section 3.4.6 and Table 5",
        2025,
        scores=stankevicius("46.6 65.7 57.0 72.3 69.8 61.3 64.3 67.3 63.0", "avg. + quantile-u^W"),
    ),
    _preset(
        "Quantile, normal",
        "post=quantile(output=normal)",
        "Each dimension is made a normal variable by its quantiles. "
        "The paper found it marginally below uniform quantiles.",
        f"{_PAPER}, Section 3.4.2",
        2025,
    ),
    _preset(
        "ABTT",
        "post=abtt",
        "The mean and the first two principal components are removed. These hold what all sentences share.",
        f"Mu & Viswanath 2018; {_PAPER}, equations 6 and 7 and Table 5",
        2018,
        scores=stankevicius("- - - - - - - - 64.3", "avg. + abtt-2"),
    ),
    _preset(
        "BERT-whitening",
        "post=whiten",
        "First-last averages are made uncorrelated, of variance 1, on the corpus itself. "
        "It does in closed form what BERT-flow learns.",
        f"{_SU}; Lu 2023, equations 2 to 7",
        2021,
        scores=(
            *whitening(
                "71.34 63.62 73.02 69.23 74.52 72.15 60.6", "bert-base", "BERT-whitening (target)", _SU
            ),
            *stankevicius("43.2 77.6 66.2 64.0 67.1 68.7 60.4 70.1 64.7", "avg. + whiten"),
        ),
        differs=(_PARTS.format(_SUS),),
    ),
    _preset(
        "BERT-whitening, reference",
        "post=whiten(fit=reference)",
        "First-last averages are whitened by what is learnt from a reference corpus. "
        "The target corpus stays unseen.",
        f"{_SU}; Chen et al. 2023, Table 6",
        2021,
        scores=(
            *ditto("57.83 66.90 60.90 75.08 71.31 68.24 63.73 66.28", by=_SU),
            *whitening(
                "68.19 61.69 65.70 66.02 75.11 73.11 63.6", "bert-base", "BERT-whitening (NLI)", _SU
            ),
            *whitening(
                "68.54 62.54 67.31 67.12 75.00 76.29 62.4", "bert-large", "BERT-whitening (NLI)", _SU
            ),
            *stankevicius("47.3 64.8 57.6 71.9 69.9 62.6 63.7 66.7 63.1", "avg. + whiten^W"),
        ),
        differs=(_NLI.format(_SUS),),
    ),
    _preset(
        "BERT-whitening-256",
        "post=whiten(k=256)",
        "Whitened on the corpus itself, the 256 dimensions with most variance kept. "
        "A third of the length loses nothing.",
        f"{_SU}; Lu 2023, Algorithm 1",
        2021,
        scores=whitening(
            "71.43 63.89 73.76 69.08 74.59 74.40 62.2", "bert-base", "BERT-whitening-256 (target)", _SU
        ),
        differs=(_PARTS.format(_SUS),),
    ),
    _preset(
        "BERT-whitening-256, reference",
        "post=whiten(k=256,fit=reference)",
        "Whitened by what is learnt from a reference corpus, 256 dimensions kept. "
        "A third of the length loses nothing.",
        f"{_SU}; Lu 2023, Algorithm 1",
        2021,
        scores=whitening(
            "67.51 61.46 66.71 66.17 74.82 72.10 64.9", "bert-base", "BERT-whitening-256 (NLI)", _SU
        ),
        differs=(_NLI.format(_SUS),),
    ),
    _preset(
        "BERT-whitening-384, reference",
        "post=whiten(k=384,fit=reference)",
        "Whitened by what is learnt from a reference corpus, 384 dimensions kept. "
        "It is the shortened form for large models.",
        f"{_SU}; Lu 2023, Algorithm 1",
        2021,
        scores=whitening(
            "68.60 62.28 67.88 67.01 75.49 75.46 63.8", "bert-large", "BERT-whitening-384 (NLI)", _SU
        ),
        differs=(_NLI.format(_SUS),),
    ),
    _preset(
        "WhiteningBERT",
        "layers=1+2+last;post=whiten",
        "Two early layers and the last, averaged and whitened on the corpus. "
        "Its authors tried all pairs of layers and kept one set of three.",
        f"Huang et al. 2021; {_PAPER}, Section 2.1.8",
        2021,
    ),
    _preset(
        "BERT-flow",
        "post=flow",
        "An invertible network is trained until first-last averages look like Gaussian noise. "
        "The encoder itself does not change.",
        f"{_LI}; Lu 2023",
        2020,
        scores=(
            *whitening("70.72 63.48 72.14 68.42 73.77 75.37 63.11", "bert-base", "flow (target)", _LI),
            *whitening("72.26 65.20 73.39 69.42 74.92 77.63 62.50", "bert-large", "flow (target)", _LI),
        ),
        needs=_ZUKO,
        differs=(_PARTS.format(_LIS), _GLOW),
    ),
    _preset(
        "BERT-flow, reference",
        "post=flow(fit=reference)",
        "The network of BERT-flow, trained on a reference corpus. The target corpus stays unseen.",
        f"{_LI}; Chen et al. 2023, Table 6",
        2020,
        scores=(
            *ditto("58.40 67.10 60.85 75.16 71.22 68.66 64.47 66.55", by=_LI),
            *whitening("58.56 59.54 64.69 64.66 72.92 71.84 65.44", "bert-base", "flow (NLI)", _LI),
            *whitening("68.09 61.72 66.05 66.34 74.87 74.47 64.62", "bert-large", "flow (NLI)", _LI),
        ),
        needs=_ZUKO,
        differs=(_NLI.format(_LIS), _GLOW),
    ),
)
"""One step, then with weights, then whitening and flows."""
