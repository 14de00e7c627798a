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
_GLOW = "Depth, width and training of the paper's flow are its own; its steps are those of Glow, as here."
_ZUKO = "extra: zuko"

PRESETS = (
    _preset(
        "Centring",
        "post=centre",
        "The mean of all sentence vectors is subtracted. "
        "It is the first step of most other methods, and removes the direction that all vectors share.",
        f"Biś et al. 2021; {_PAPER}, Section 2.2.2",
        2021,
        aliases=("centering", "mean subtraction"),
    ),
    _preset(
        "Unit length",
        "post=normalize",
        "Each vector is scaled to length 1. It does not change cosines; clustering gains.",
        f"{_PAPER}, Section 3.4.5 and Table 5",
        2025,
        aliases=("normalize",),
        scores=stankevicius("avg. + normalize"),
    ),
    _preset(
        "z-score",
        "post=zscore",
        "Each dimension is given mean 0 and standard deviation 1. "
        "A few dimensions with large values no longer decide every cosine.",
        f"Timkey & van Schijndel 2021; {_PAPER}, equation 5 and Table 5",
        2021,
        aliases=("zscore", "standardization"),
        scores=stankevicius("avg. + zscore"),
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
        "It gains no more than standardising on similarity, and more on clustering.",
        f"{_PAPER}, Section 3.4.2 and Table 5",
        2025,
        aliases=("quantile-u", "quantile uniform"),
        scores=stankevicius("avg. + quantile-u"),
    ),
    _preset(
        "Quantile, reference",
        "post=quantile(fit=reference)",
        "Each dimension is replaced by its quantile over a reference corpus. "
        "It works for two sentences, and serves clustering better than the corpus' own quantiles.",
        f"{_PAPER}, Section 3.4.6 and Table 5",
        2025,
        aliases=("quantile-u^W",),
        scores=stankevicius("avg. + quantile-u^W"),
    ),
    _preset(
        "Quantile, normal",
        "post=quantile(output=normal)",
        "Each dimension is made a normal variable by its quantiles. "
        "The paper found it marginally below uniform quantiles.",
        f"{_PAPER}, Section 3.4.2",
        2025,
        aliases=("quantile-n",),
    ),
    _preset(
        "ABTT",
        "post=abtt",
        "The mean and the first two principal components are removed. These hold what all sentences share.",
        f"Mu & Viswanath 2018; {_PAPER}, equations 6 and 7 and Table 5",
        2018,
        aliases=("all-but-the-top", "abtt-2"),
        scores=stankevicius("avg. + abtt-2"),
    ),
    _preset(
        "BERT-whitening",
        "post=whiten",
        "First-last averages are made uncorrelated, of variance 1, on the corpus itself. "
        "It does in closed form what BERT-flow learns.",
        f"{_SU}; Lu 2023, equations 2 to 7",
        2021,
        aliases=("whiten", "PCA whitening"),
        scores=(
            *whitening("BERT_base-whitening (target)"),
            *stankevicius("avg. + whiten"),
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
        aliases=("whiten^W",),
        scores=(
            *ditto("BERT-whitening"),
            *whitening("BERT_base-whitening (NLI)", "BERT_large-whitening (NLI)"),
            *stankevicius("avg. + whiten^W"),
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
        scores=whitening("BERT_base-whitening-256 (target)"),
        differs=(_PARTS.format(_SUS),),
    ),
    _preset(
        "BERT-whitening-256, reference",
        "post=whiten(k=256,fit=reference)",
        "Whitened by what is learnt from a reference corpus, 256 dimensions kept. "
        "A third of the length loses nothing.",
        f"{_SU}; Lu 2023, Algorithm 1",
        2021,
        scores=whitening("BERT_base-whitening-256 (NLI)"),
        differs=(_NLI.format(_SUS),),
    ),
    _preset(
        "BERT-whitening-384, reference",
        "post=whiten(k=384,fit=reference)",
        "Whitened by what is learnt from a reference corpus, 384 dimensions kept. "
        "It is the shortened form for large models.",
        f"{_SU}; Lu 2023, Algorithm 1",
        2021,
        scores=whitening("BERT_large-whitening-384 (NLI)"),
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
        "post=flow(coupling=glow)",
        "An invertible network is trained until first-last averages look like Gaussian noise. "
        "The encoder itself does not change.",
        f"{_LI}; Lu 2023",
        2020,
        aliases=("normalizing flow",),
        scores=whitening("BERT_base-flow (target)", "BERT_large-flow (target)"),
        needs=_ZUKO,
        differs=(_PARTS.format(_LIS), _GLOW),
    ),
    _preset(
        "BERT-flow, reference",
        "post=flow(coupling=glow,fit=reference)",
        "The network of BERT-flow, trained on a reference corpus. The target corpus stays unseen.",
        f"{_LI}; Chen et al. 2023, Table 6",
        2020,
        scores=(
            *ditto("BERT-flow"),
            *whitening("BERT_base-flow (NLI)", "BERT_large-flow (NLI)"),
        ),
        needs=_ZUKO,
        differs=(_NLI.format(_LIS), _GLOW),
    ),
)
"""One step, then with weights, then whitening and flows."""
