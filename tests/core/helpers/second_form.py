"""A second implementation of whole recipes: one sentence at a time, by transformers, numpy, scipy and
scikit-learn, written from the papers' formulas. Nothing of the engine is used.
"""

import copy
import string
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import scipy.fft
import scipy.stats
from scipy.spatial import distance
from sklearn.decomposition import PCA
from sklearn.preprocessing import QuantileTransformer, RobustScaler, StandardScaler, normalize

from tests.core.helpers.reference import loaded, one_at_a_time

FREQUENT = (
    ". a the in , is to of and ' on man - s with for \" at ##s woman are it two that you dog said playing "
    "i an as was from : by white"
).split()
"""The 36 tokens that are released with Prompt-BERT."""


class Text:
    """The tokens of one text, and their states by layer ``[token, dim]``, the static rows at -1."""

    def __init__(self, folder: Path, sentence: str, template: str = "[X]") -> None:
        tokenizer, _ = loaded(folder)
        before, after = template.split("[X]")
        text = before + sentence + after
        read = one_at_a_time(folder, [text])[0]
        encoded = tokenizer(text, return_offsets_mapping=True)
        self.ids = encoded["input_ids"]
        self.tokens = tokenizer.convert_ids_to_tokens(self.ids)
        self.states = {-1: read.rows, **dict(enumerate(read.hidden))}
        self.depth, self.diagonals = len(read.hidden) - 1, read.diagonals
        self.special = np.isin(self.tokens, ["[CLS]", "[SEP]"])
        self.mask = np.array(self.tokens) == "[MASK]"
        self.begins = np.array([not token.startswith("##") for token in self.tokens])
        end = len(before) + len(sentence)
        self.own = np.array([len(before) <= i < j <= end for i, j in encoded["offset_mapping"]])

    def words(self) -> list[str]:
        """The word of each token, its pieces joined; special tokens have the word ``""``."""
        number = np.cumsum(self.begins)
        pieces = [token.removeprefix("##") for token in self.tokens]
        whole = ["".join(p for p, n in zip(pieces, number, strict=True) if n == i) for i in number]
        return ["" if special else word for word, special in zip(whole, self.special, strict=True)]

    def averaged(self, reference: "Corpus") -> "Text":
        """The same tokens, each with its mean over its contexts in the reference, else its static row."""
        other = copy.copy(self)
        other.states = {layer: self.states[-1].copy() for layer in self.states}
        for place, token in enumerate(self.ids):
            seen = [(text, i) for text in reference.texts for i, t in enumerate(text.ids) if t == token]
            for layer in range(self.depth + 1) if seen else ():
                other.states[layer][place] = np.mean([text.states[layer][i] for text, i in seen], axis=0)
        return other


@cache
def read(folder: Path, sentence: str, template: str = "[X]") -> Text:
    """A text, read once."""
    return Text(folder, sentence, template)


class Corpus:
    """Texts, each as often as it stands there, and what is counted over them."""

    def __init__(self, texts: list[Text]) -> None:
        self.texts = texts
        self.holding = Counter(token for text in texts for token in set(text.ids))
        self.words = Counter(
            word for text in texts for word, begins in zip(text.words(), text.begins, strict=True) if begins
        )

    def idf(self, token: int) -> float:
        return float(np.log(len(self.texts) / max(self.holding[token], 1)))

    def probability(self, word: str) -> float:
        return self.words[word] / self.words.total()


def chosen(text: Text, tokens: str) -> np.ndarray:
    """The tokens that take part; all of them where none is left."""
    marks = np.array([all(c in string.punctuation for c in token) for token in text.tokens])
    kept = {
        "all": np.ones(len(text.ids), bool),
        "content": ~text.special,
        "unbiased": ~(text.special | marks | np.isin(text.tokens, FREQUENT)) & text.begins,
        "without(kinds=pieces)": ~text.special & text.begins,
        "noseparator": np.array(text.tokens) != "[SEP]",
        "mask": text.mask,
        "nomask": ~text.mask,
        "sentence": text.own,
    }[tokens]
    return kept if kept.any() else np.ones(len(kept), bool)


def fused(text: Text, layers: Sequence[int] | None) -> np.ndarray:
    """The mean of some layers; without them SBERT-WK, equations 1 to 10, window 2 from layer 1.

    The paper is silent about a mean cosine that is not positive; one under 0.001 counts as that.
    """
    if layers is not None:
        return np.mean([text.states[layer] for layer in layers], axis=0)
    out = []
    for v in np.stack([text.states[i] for i in range(1, text.depth + 1)], axis=1).astype(float):
        unit = normalize(v)
        near = [[j for j in range(len(v)) if 0 < abs(i - j) <= 2] for i in range(len(v))]
        aligned = np.array([1 / max(np.mean(unit[n] @ unit[i]), 1e-3) for i, n in enumerate(near)])
        left = [v[i] - v[n].T @ np.linalg.lstsq(v[n].T, v[i], rcond=None)[0] for i, n in enumerate(near)]
        new = np.linalg.norm(left, axis=1) / np.linalg.norm(v, axis=1)
        out.append((aligned / aligned.sum() + new / new.sum()) / 2 @ v)
    return np.array(out)


def weights(text: Text, weight: str, corpus: Corpus, states: np.ndarray) -> np.ndarray:
    """The weight of each token, not scaled; ``corpus`` is what it is learnt from."""
    idf, times = np.array([corpus.idf(i) for i in text.ids]), Counter(text.ids)
    match weight.partition("(")[0]:
        case "uniform":
            return np.ones(len(idf))
        case "idf":
            return idf
        case "tfidf":
            return idf * [times[i] for i in text.ids]
        case "sif":
            return np.array([0.001 / (0.001 + corpus.probability(word)) for word in text.words()])
        case "ditto":
            return text.diagonals[:, 1, 2]
        case "norm":
            return np.linalg.norm(states, axis=1)
        case "variance":
            units = [normalize(text.states[i]) for i in range(text.depth + 1)]
            return np.var([np.sum(u * v, axis=1) for u, v in pairwise(units)], axis=0)
    raise ValueError(weight)


def pooled(
    text: Text, states: np.ndarray, kept: np.ndarray, weight: np.ndarray, pool: str, *, by_words: bool
) -> np.ndarray:
    """The sentence vector; ``by_words`` divides a weighted mean by the words, as SIF's program does."""
    weight = np.where(kept, weight, 0.0)
    weight = weight if weight.sum() > 0 else kept.astype(float)
    share = weight / (len(set(np.cumsum(text.begins)[kept])) if by_words else weight.sum())
    rows = states[kept].astype(float)
    match pool.partition("(")[0]:
        case "mean":
            return share @ states
        case "sum":
            return weight @ states
        case "max":
            return rows.max(axis=0)
        case "cls":
            return states[0]
        case "clsmean":
            return (states[0] + share @ states) / 2
        case "lasttoken":
            return rows[-1]
        case "pmeans":  # of -inf, 1, 3 and inf
            means = share @ states, np.cbrt(share[kept] @ rows**3)
            return np.concatenate([rows.min(axis=0), *means, rows.max(axis=0)])
        case "dct":  # of 3
            return scipy.fft.dct(rows, n=max(len(rows), 3), axis=0, norm="ortho")[:3].ravel()
    raise ValueError(pool)


def step(post: str, learnt: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Post-processing of some rows, learnt from others."""
    match post:
        case "centre":
            return rows - learnt.mean(axis=0)
        case "zscore":
            return StandardScaler().fit(learnt).transform(rows)
        case "robust":
            return RobustScaler().fit(learnt).transform(rows)
        case "quantile":
            return QuantileTransformer(n_quantiles=len(learnt)).fit(learnt).transform(rows)
        case "normalize":
            return normalize(rows)
        case "abtt":
            first = PCA(2, svd_solver="full").fit(learnt).components_
            return (rows - learnt.mean(axis=0)) @ (np.eye(len(first.T)) - first.T @ first)
        case "ccr":
            first = np.linalg.svd(learnt, full_matrices=False)[2][:1]
            return rows - rows @ first.T @ first
        case "pccr":
            _, values, directions = np.linalg.svd(learnt, full_matrices=False)
            shares = values[:5] ** 2 / np.sum(values[:5] ** 2)
            return rows - (rows @ directions[:5].T * shares) @ directions[:5]
        case "whiten(k=10)":
            whitened = PCA(10, whiten=True, svd_solver="full").fit(learnt).transform(rows)
            return whitened * np.sqrt(len(learnt) / (len(learnt) - 1))  # by the population covariance
        case "whiten(k=4,beta=0.5,gamma=0.4)":
            mean = 0.5 * learnt.mean(axis=0)
            directions, values, _ = np.linalg.svd((learnt - mean).T @ (learnt - mean) / len(learnt))
            return (rows - mean) @ directions[:, :4] * values[:4] ** -0.2
    raise ValueError(post)


SIMILARITIES = {
    "cosine": lambda u, v: 1 - distance.cosine(u, v),
    "dot": np.dot,
    "euclidean": lambda u, v: -distance.euclidean(u, v),
    "manhattan": lambda u, v: -distance.cityblock(u, v),
    "spearman": lambda u, v: scipy.stats.spearmanr(u, v).statistic,
}
