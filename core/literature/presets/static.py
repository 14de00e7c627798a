"""Word vectors from files, and methods for word vectors.

The source of a method stays open: a file of word vectors, or the word-embedding matrix of a transformer.
"""

from functools import partial

from core.literature.preset import Preset
from core.literature.published import board, sbert_wk, stankevicius, subspaces

_preset = partial(Preset, family="Static vectors")

_PAPER = "Stankevičius & Lukoševičius 2025"
_S3E = "Wang et al. 2020, Table I"
_WK = "Wang & Kuo 2020, Table III"
_B2S = "bert_12layer_para of X2Static"
_FILE = "a file of word vectors"
_GENSIM = "extra: gensim"

PRESETS = (
    _preset(
        "GloVe avg.",
        "source=vectors(path=glove.840B.300d.txt);tokens=content",
        "The mean of a sentence's word vectors, which are counted from a large corpus. "
        "It was long the standard baseline, and still scores above the last layer of an untuned BERT.",
        f"Pennington et al. 2014; Reimers & Gurevych 2019; {_S3E}",
        2014,
        aliases=("Avg. GloVe embeddings",),
        scores=(
            *board("GloVe (avg.)", "GloVe"),
            *subspaces("Avg. GloVe", "GloVe"),
        ),
        needs=f"{_FILE}: glove.840B.300d.txt, which the GloVe project offers",
        differs=("The papers do not say which of the GloVe files they use.",),
    ),
    _preset(
        "FastText avg.",
        "source=vectors(path=crawl-300d-2M.vec);tokens=content",
        "The mean of a sentence's word vectors, which are learnt with pieces of words. "
        "It scores higher than GloVe on every task.",
        f"Bojanowski et al. 2017; {_WK}",
        2017,
        scores=sbert_wk("Ave. FastText embedding", "FastText"),
        needs=f"{_FILE}: crawl-300d-2M.vec, which the fastText project offers",
        differs=("The paper does not say which of the fastText files it uses.",),
    ),
    _preset(
        "BERT2Static (B2S)",
        "source=vectors(path=bert_12layer_para.vec);tokens=content",
        "The mean of a sentence's word vectors, which are trained on BERT's vectors of their contexts. "
        "The paper compares its plain averages of contexts with them.",
        f"Gupta & Jaggi 2021; {_PAPER}, Section 3.2.4",
        2021,
        aliases=("B2S",),
        scores=stankevicius("avg.", "B2S", _B2S),
        needs=f"{_FILE}: {_B2S}, in word2vec's text form",
    ),
    _preset(
        "B2S-100",
        "source=vectors(path=bert_12layer_para.vec,drop=100);tokens=content",
        "The word vectors of BERT2Static without the 100 most frequent words. "
        "This amount of filtering scores highest in the paper.",
        f"{_PAPER}, Section 3.2.4",
        2025,
        scores=stankevicius("avg.", "B2S-100", _B2S),
        needs=f"{_FILE}: {_B2S}, in word2vec's text form",
    ),
    _preset(
        "B2S, idf + z-score",
        "source=vectors(path=bert_12layer_para.vec);tokens=content;weight=idf;post=zscore",
        "The word vectors of BERT2Static weighted by idf, sentence vectors standardised. "
        "It is the paper's best recipe for them, and three points below that for Avg.",
        f"{_PAPER}, Table 4",
        2025,
        scores=stankevicius("idf^W + zscore", "B2S", _B2S),
        needs=f"{_FILE}: {_B2S}, in word2vec's text form",
    ),
    _preset(
        "B2S-100, idf + z-score",
        "source=vectors(path=bert_12layer_para.vec,drop=100);tokens=content;weight=idf;post=zscore",
        "BERT2Static without the 100 most frequent words, weighted by idf and standardised. "
        "Once words are weighted, leaving out the frequent ones gains nothing.",
        f"{_PAPER}, Table 4",
        2025,
        scores=stankevicius("idf^W + zscore", "B2S-100", _B2S),
        needs=f"{_FILE}: {_B2S}, in word2vec's text form",
    ),
    _preset(
        "p-means",
        "layers=static;tokens=content;pool=pmeans",
        "The minimum, the mean and the maximum of each dimension, concatenated. "
        "The paper does so for four kinds of word vectors at once, which the next preset names.",
        f"Rücklé et al. 2018; {_S3E}",
        2018,
        aliases=("p-mean", "power means"),
        scores=subspaces("p-mean", "four kinds of word vectors"),
    ),
    _preset(
        "p-means, four kinds",
        "source=vectors(path=glove.840B.300d.txt,path2=GoogleNews-vectors-negative300.bin,"
        "path3=attract_repel.txt,path4=morph_specialised.txt);tokens=content;pool=pmeans",
        "The minimum, mean and maximum of each dimension of four kinds of word vectors side by side. "
        "With 300 dimensions each a sentence vector has 3,600.",
        f"Rücklé et al. 2018; {_S3E}",
        2018,
        scores=subspaces("p-mean", "four kinds of word vectors"),
        needs=f"{_FILE} of each kind: GloVe, Word2Vec, Attract-Repel and MorphSpecialized",
    ),
    _preset(
        "DCT",
        "layers=static;tokens=content;pool=dct(k=6)",
        "The first six coefficients of each dimension's cosine transform along the sentence. "
        "The first one is the mean, the others hold word order.",
        "Almarwani et al. 2019; Wang et al. 2020, Table II",
        2019,
        aliases=("discrete cosine transform",),
        differs=("Papers keep one to six coefficients, as suits the task.",),
    ),
    _preset(
        "Doc2Vec, distributed memory",
        "source=doc2vec",
        "Vectors of whole texts, learnt by predicting a word from its neighbours and the text it is in. "
        "They are trained on the scored corpus itself, and inferred for each sentence.",
        "Le & Mikolov 2014; Lu 2023",
        2014,
        aliases=("PV-DM", "paragraph vectors"),
        needs=_GENSIM,
    ),
    _preset(
        "Doc2Vec, bag of words",
        "source=doc2vec(model=dbow)",
        "Vectors of whole texts, learnt by predicting a text's words from its vector alone. "
        "It is the simpler of the two kinds.",
        "Le & Mikolov 2014; Lu 2023",
        2014,
        aliases=("PV-DBOW",),
        needs=_GENSIM,
    ),
    _preset(
        "Doc2Vec, both",
        "source=doc2vec(model=both)",
        "Both kinds of text vectors, concatenated. The authors recommend this.",
        "Le & Mikolov 2014; Lu 2023",
        2014,
        needs=_GENSIM,
    ),
)
"""Averages of word vectors, then other poolings of them, then vectors of whole texts."""
