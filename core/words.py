"""The words behind sub-word tokens, and how probable they are: what SIF and uSIF weigh by."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from jaxtyping import Bool, Float, Int

from core.errors import RecipeError
from core.tokens import Tokens


@dataclass(frozen=True, eq=False)
class Words:
    """The word that each token belongs to.

    Attributes
    ----------
    of
        For each token, the place of its word in ``written``.
    begins
        Tokens that are the first, or the only, piece of a word.
    written
        The different words in lower case. ``""`` stands for special tokens, mask tokens of a prompt and
        tokens of nothing but space.
    """

    of: Int[np.ndarray, " token"]
    begins: Bool[np.ndarray, " token"]
    written: tuple[str, ...]


def words_of(tokens: Tokens, decode: Callable[[list[int]], str]) -> Words:
    """The words of some tokens.

    Consecutive tokens of one text that have the same word number are pieces of one word, as long as
    ``tokens.continues`` says that they go on (some tokenizers give one number to a whole text, and mark in
    the pieces where words begin) and none of them is punctuation: whether a tokenizer parts ``dog,``
    before it cuts words into pieces or not, ``dog`` and ``,`` are two words.

    Parameters
    ----------
    decode
        Turns the ids of pieces into text; asked once for each different sequence of ids. Marks that it
        leaves between pieces (``##``) are removed.
    """

    @cache
    def text_of(ids: bytes) -> str:
        return decode(np.frombuffer(ids, np.int32).tolist()).replace(" ##", "").strip().lower()

    ids = np.ascontiguousarray(tokens.ids, np.int32)
    different, which = np.unique(ids, return_inverse=True)
    mark = np.array([_is_mark(text_of(i.tobytes())) for i in different], bool)[which]
    blank = tokens.special | tokens.mask
    alone = blank | mark
    begins = ~tokens.continues | alone
    begins[1:] |= (tokens.words[1:] != tokens.words[:-1]) | alone[:-1]
    begins[tokens.offsets[:-1][tokens.lengths > 0]] = True
    starts = np.flatnonzero(begins)
    ends = np.append(starts[1:], len(ids))[: len(starts)]
    raw = ids.tobytes()  # bytes are quick to cut and to find again
    cut = zip((4 * starts).tolist(), (4 * ends).tolist(), blank[starts].tolist(), strict=True)
    sequences: dict[bytes, int] = {b"": 0}
    found = [sequences.setdefault(b"" if none else raw[i:j], len(sequences)) for i, j, none in cut]
    written = {"": 0}
    texts = (text_of(sequence) if sequence else "" for sequence in sequences)
    word = [written.setdefault(text, len(written)) for text in texts]
    return Words(np.repeat(np.array(word)[np.array(found, int)], ends - starts), begins, tuple(written))


def _is_mark(text: str) -> bool:
    """Whether a text is punctuation and nothing else."""
    return bool(text) and all(c in "$+<=>^`|~" or unicodedata.category(c).startswith("P") for c in text)


@dataclass(frozen=True, eq=False)
class WordShares:
    """How large a share of running text each word has.

    Attributes
    ----------
    share_of
        Gives the share of a written word, from 0 to 1.
    vocabulary
        The shares of all words that are known.
    """

    share_of: Callable[[str], float]
    vocabulary: Float[np.ndarray, " word"]

    @classmethod
    @cache
    def english(cls) -> WordShares:
        """Shares in English by the package ``wordfreq``, from books, subtitles, news, the web and more.

        Numbers get wordfreq's estimate for their digits; words that it cuts (``well-known``) get the
        share it gives to their sequence. What is no word, and therefore not in the list
        (punctuation, special tokens), counts like the most frequent word: with the share 0 that
        the list would give, commas and [SEP] would get the largest weights of all. A word that is
        not in the list has share 0.
        """
        from wordfreq import get_frequency_dict

        shares = get_frequency_dict("en", wordlist="best")
        most = max(shares.values())
        return cls(lambda word: _english(word, shares, most), np.array(list(shares.values())))

    @classmethod
    def of_corpus(cls, words: Words, repeats: Int[np.ndarray, " token"] | None = None) -> WordShares:
        """Shares in a corpus, everything counted as it stands: punctuation, and special tokens as ``""``.

        A word that does not occur has share 0.

        Parameters
        ----------
        repeats
            How often each token's text occurs in the corpus; once by default.
        """
        weights = np.ones(len(words.of)) if repeats is None else repeats.astype(np.float64)
        counts = np.bincount(words.of, weights=weights * words.begins, minlength=len(words.written))
        return cls.of_shares(words.written, counts / max(counts.sum(), 1.0))

    @classmethod
    def of_shares(cls, written: Sequence[str], shares: Float[np.ndarray, " word"]) -> WordShares:
        """Shares that are known, word by word; any other word has share 0."""
        known = dict(zip(written, shares.tolist(), strict=True))
        return cls(lambda word: known.get(word, 0.0), shares[shares > 0])

    def p(self, words: Words) -> Float[np.ndarray, " token"]:
        """The share of each token's word; pieces have the share of the whole word."""
        return np.array([self.share_of(word) for word in words.written])[words.of]


def usif_a(shares: WordShares, n: int = 11) -> float:
    """The constant a of uSIF's weights a / (a/2 + p), from word shares alone.

    With V words, a word counts as frequent when its share is larger than the probability
    1 - (1 - 1/V)^n of meeting one given word in ``n`` draws from V equally probable ones. From
    the part α of the vocabulary that is frequent, a = (1 - α) / (α V/2).

    Parameters
    ----------
    n
        Words of an average sentence; 11 is the paper's value for STS.

    Raises
    ------
    RecipeError
        No word is frequent, as in a corpus of few words: a would be infinite.

    References
    ----------
    K. Ethayarajh: Unsupervised Random Walk Sentence Embeddings: A Strong but Simple Baseline.
    Workshop on Representation Learning for NLP, 2018.
    """
    size = len(shares.vocabulary)
    frequent = int((shares.vocabulary > 1 - (1 - 1 / max(size, 1)) ** n).sum())
    if not frequent:
        raise RecipeError(
            f"weight=usif: the corpus that word probabilities are learnt from has {size:,} different "
            "words, too few for one to count as frequent. Learn them from English (fit=wordfreq), or "
            "from a larger corpus."
        )
    return (1 - frequent / size) / (frequent / 2)


def _english(word: str, shares: dict[str, float], most: float) -> float:
    """The share of one word in lower case; ``most`` for what holds no word."""
    from wordfreq.numbers import digit_freq, smash_numbers
    from wordfreq.tokens import lossy_tokenize

    parts = [word] if word in shares else lossy_tokenize(word, "en")
    found = [shares.get(smash_numbers(part), 0.0) * digit_freq(part) for part in parts]
    if not found:
        return most
    return 1 / sum(1 / share for share in found) if all(found) else 0.0
