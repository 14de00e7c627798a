"""Methods that use directions or groups of word vectors."""

from functools import partial

from core.literature.preset import Preset
from core.literature.published import subspaces

_preset = partial(Preset, family="Subspaces")

_S3E = "Wang et al. 2020"
_GROUPS = "The paper takes the best of 10, 20, 30, 40 and 50 groups, this recipe 50."
_CORPUS = "The paper groups the vocabulary; this recipe, as its code, the words of the scored corpus."
_FILE = "a file of word vectors"


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
        aliases=("geometric embedding",),
    ),
    _preset(
        "VLAWE",
        "layers=static;tokens=content;pool=vlawe(scaled=root)",
        "Word vectors are grouped once; a sentence vector holds its words' differences from group centres. "
        "Each number is put to its root and the vector to length 1, as the authors do.",
        f"Ionescu & Butnaru 2019; {_S3E}, Table II",
        2019,
        aliases=("vector of locally-aggregated word embeddings",),
    ),
    _preset(
        "S3E",
        "layers=static;tokens=content;weight=sif(punctuation=unknown);pool=s3e(k=50,words=processed)",
        "Word vectors are normalised and grouped once, about weighted averages as the text says, not as "
        "equation 2 prints them; a sentence vector holds the covariances of its words' groups. "
        "Its length depends on the number of groups, not on the width of word vectors.",
        f"{_S3E}, equations 1 to 8",
        2020,
        aliases=("semantic subspace sentence embedding",),
        differs=(_CORPUS,),
    ),
    _preset(
        "S3E, released",
        "layers=static;tokens=content;weight=sif(punctuation=unknown);pool=s3e(k=50,form=released)",
        "S3E as the released code computes it. "
        "It puts the weighted mean before the covariances, as the sizes in the paper's tables say, and "
        "counts a repeated word once.",
        f"{_S3E}, released code and Table I",
        2020,
        scores=_SCORES,
        differs=(_GROUPS, _CORPUS),
    ),
    _preset(
        "S3E, GloVe",
        "source=vectors(path=glove.840B.300d.txt);tokens=content;weight=sif(punctuation=unknown);"
        "pool=s3e(k=50,form=released)",
        "S3E on GloVe, the first word vectors of its paper. "
        "FastText vectors and the concatenation of three kinds score higher in the paper.",
        f"{_S3E}, Table I",
        2020,
        scores=subspaces("S3E (GloVe)", "GloVe"),
        needs=f"{_FILE}: glove.840B.300d.txt, which the GloVe project offers",
        differs=(_GROUPS, _CORPUS),
    ),
    _preset(
        "S3E, FastText",
        "source=vectors(path=crawl-300d-2M.vec);tokens=content;weight=sif(punctuation=unknown);"
        "pool=s3e(k=50,form=released)",
        "S3E on fastText's word vectors. In the paper it scores between GloVe and three kinds at once.",
        f"{_S3E}, Table I",
        2020,
        scores=subspaces("S3E (FastText)", "FastText"),
        needs=f"{_FILE}: crawl-300d-2M.vec, which the fastText project offers",
        differs=(_GROUPS, _CORPUS),
    ),
    _preset(
        "S3E, L.F.P.",
        "source=vectors(path=lexvec.commoncrawl.300d.W.pos.vectors,path2=crawl-300d-2M.vec,"
        "path3=paragram_300_sl999.txt);tokens=content;weight=sif(punctuation=unknown);"
        "pool=s3e(k=50,form=released)",
        "S3E on LexVec, fastText and PSL side by side. No other word vectors score as high in the paper.",
        f"{_S3E}, Table I",
        2020,
        scores=subspaces("S3E (L.F.P.)", "LexVec, FastText and PSL"),
        needs=f"{_FILE} of each kind: LexVec, fastText's crawl-300d-2M.vec and paragram_300_sl999.txt",
        differs=(_GROUPS, _CORPUS),
    ),
)
"""Simplest first."""
