"""Methods that use directions or groups of word vectors."""

from functools import partial

from core.literature.preset import Preset
from core.literature.published import subspaces

_preset = partial(Preset, family="Subspaces")

_S3E = "Wang et al. 2020"
_GROUPS = "The paper takes the best of 10, 20, 30, 40 and 50 groups."
_NORMALISED = "The paper puts its word vectors through a normalisation first."


_SCORES = (
    *subspaces("S3E (GloVe)", "GloVe"),
    *subspaces("S3E (FastText)", "FastText"),
    *subspaces("S3E (L.F.P.)", "LexVec, FastText and PSL"),
)
"""The printed averages of the first two rows are not the means of their scores, and are left out."""

PRESETS = (
    _preset(
        "GEM",
        "layers=static;tokens=content;pool=gem",
        "Words weighted by their novelty to the words around them, to the sentence and to the corpus. "
        "Directions that many sentences share are removed from each sentence vector.",
        f"Yang et al. 2019; {_S3E}, Table IV",
        2019,
    ),
    _preset(
        "VLAWE",
        "layers=static;tokens=content;pool=vlawe",
        "Word vectors are grouped once; a sentence vector holds its words' differences from group centres. "
        "With ten groups it has ten times as many dimensions as the word vectors.",
        f"Ionescu & Butnaru 2019; {_S3E}, Table II",
        2019,
        differs=("The authors take a root of every number and scale to length 1 afterwards.",),
    ),
    _preset(
        "S3E",
        "layers=static;tokens=content;weight=sif(punctuation=unknown);pool=s3e",
        "Word vectors are grouped once; a sentence vector holds the covariances of its words' groups. "
        "Its length depends on the number of groups, not on the width of word vectors.",
        f"{_S3E}, equations 1 to 8 and Table I",
        2020,
        scores=_SCORES,
        differs=(_GROUPS, _NORMALISED),
    ),
    _preset(
        "S3E, released",
        "layers=static;tokens=content;weight=sif(punctuation=unknown);pool=s3e(form=released)",
        "S3E as the released code computes it. "
        "It puts the weighted mean before the covariances, and counts a repeated word once.",
        f"{_S3E}, released code",
        2020,
        scores=_SCORES,
        differs=(_GROUPS,),
    ),
    _preset(
        "S3E, GloVe",
        "source=vectors(path=glove.840B.300d.txt);tokens=content;weight=sif(punctuation=unknown);pool=s3e",
        "S3E on GloVe, the first word vectors of its paper. "
        "FastText vectors and the concatenation of three kinds score higher in the paper.",
        f"{_S3E}, Table I",
        2020,
        scores=subspaces("S3E (GloVe)", "GloVe"),
        needs="a file of word vectors: glove.840B.300d.txt, which the GloVe project offers",
        differs=(_GROUPS, _NORMALISED),
    ),
)
"""Simplest first."""
