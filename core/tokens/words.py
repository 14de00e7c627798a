"""The words of sub-word tokens and their probabilities, which SIF and uSIF weight by."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

import numpy as np
from jaxtyping import Bool, Float, Int

from core.errors import RecipeError
from core.tokens import Tokens

WORDS = 200_000
"""Words of texts whose share in English is remembered."""


@dataclass(frozen=True, eq=False)
class TokenWords:
    """The word that each token belongs to.

    Attributes
    ----------
    of
        For each token, the position of its word in ``surface_forms``.
    begins
        Tokens that are the first, or the only, piece of a word.
    surface_forms
        The different words in lower case; ``""`` for special tokens, mask tokens of a prompt and tokens of
        white space.
    """

    of: Int[np.ndarray, " token"]
    begins: Bool[np.ndarray, " token"]
    surface_forms: tuple[str, ...]

    @cached_property
    def wordless(self) -> Bool[np.ndarray, " token"]:
        """Tokens that belong to no word: punctuation, and those with the surface form ``""``."""
        none = [not word or _is_punctuation(word) for word in self.surface_forms]
        return np.array(none, bool)[self.of]


def words_of(tokens: Tokens, decode: Callable[[list[int]], str]) -> TokenWords:
    """The words of some tokens.

    Consecutive tokens of one text with the same word number are pieces of one word, provided that
    ``tokens.continues`` marks them as continuations (some tokenizers give one number to a whole text, and
    mark the begin of words in the pieces) and that none of them is punctuation: ``dog`` and ``,`` are two
    words whether or not the tokenizer separates ``dog,`` before it splits words into pieces.

    Parameters
    ----------
    decode
        Turns the ids of pieces into text; called once for each different sequence of ids. Marks that it
        leaves between pieces (``##``) are removed.
    """

    @cache
    def text_of(ids: bytes) -> str:
        return decode(np.frombuffer(ids, np.int32).tolist()).replace(" ##", "").strip().lower()

    ids = np.ascontiguousarray(tokens.ids, np.int32)
    different, which = np.unique(ids, return_inverse=True)
    punctuation = np.array([_is_punctuation(text_of(i.tobytes())) for i in different], bool)[which]
    blank = tokens.special | tokens.mask
    single = blank | punctuation
    begins = ~tokens.continues | single
    begins[1:] |= (tokens.words[1:] != tokens.words[:-1]) | single[:-1]
    begins[tokens.offsets[:-1][tokens.lengths > 0]] = True
    starts = np.flatnonzero(begins)
    ends = np.append(starts[1:], len(ids))[: len(starts)]
    raw = ids.tobytes()  # bytes are quick to slice and to hash
    spans = zip((4 * starts).tolist(), (4 * ends).tolist(), blank[starts].tolist(), strict=True)
    sequences: dict[bytes, int] = {b"": 0}
    sequence_of = [
        sequences.setdefault(b"" if is_blank else raw[i:j], len(sequences)) for i, j, is_blank in spans
    ]
    surface_forms = {"": 0}
    texts = (text_of(sequence) if sequence else "" for sequence in sequences)
    word = [surface_forms.setdefault(text, len(surface_forms)) for text in texts]
    return TokenWords(
        np.repeat(np.array(word)[np.array(sequence_of, int)], ends - starts), begins, tuple(surface_forms)
    )


def _is_punctuation(text: str) -> bool:
    """Whether a text is punctuation alone, as BERT's tokenizer has it: of symbols those of ASCII alone."""
    return bool(text) and all(c in "$+<=>^`|~" or unicodedata.category(c).startswith("P") for c in text)


@dataclass(frozen=True, eq=False)
class WordShares:
    """Unigram probabilities: each word's share of running text.

    Attributes
    ----------
    share_of
        The share of a surface form, 0 to 1.
    vocabulary
        The shares of all known words.
    """

    share_of: Callable[[str], float]
    vocabulary: Float[np.ndarray, " word"]

    @classmethod
    @cache
    def english(cls) -> WordShares:
        """Shares in English from the package ``wordfreq``, which counts books, subtitles, news and the web.

        Numbers get wordfreq's estimate for their digits, zeros alone too: ``000`` in its list stands for
        every number of three digits, and its own lookup of ``000`` gives the share of all of them. Words
        that it splits (``well-known``) get its estimate for the sequence. Punctuation and special tokens,
        which the list does not hold, get the share of the most frequent word: with the share 0 of the list,
        commas and [SEP] would get the largest weights of all. A word that is not in the list has the share
        0.
        """
        from wordfreq import get_frequency_dict

        shares = get_frequency_dict("en", wordlist="best")
        most = max(shares.values())

        @lru_cache(WORDS)
        def share_of(word: str) -> float:
            return _english(word, shares, most)

        return cls(share_of, np.array(list(shares.values())))

    @classmethod
    def of_corpus(cls, words: TokenWords, repeats: Int[np.ndarray, " token"] | None = None) -> WordShares:
        """Shares in a corpus; punctuation counts as a word, and special tokens count as the word ``""``.

        A word that does not occur has the share 0.

        Parameters
        ----------
        repeats
            The count of each token's text in the corpus; 1 by default.
        """
        weights = np.ones(len(words.of)) if repeats is None else repeats.astype(np.float64)
        counts = np.bincount(words.of, weights=weights * words.begins, minlength=len(words.surface_forms))
        return cls.of_shares(words.surface_forms, counts / max(counts.sum(), 1.0))

    @classmethod
    def of_shares(cls, surface_forms: Sequence[str], shares: Float[np.ndarray, " word"]) -> WordShares:
        """Given shares, one per word; any other word has the share 0."""
        known = dict(zip(surface_forms, shares.tolist(), strict=True))
        return cls(lambda word: known.get(word, 0.0), shares[shares > 0])

    def p(self, words: TokenWords) -> Float[np.ndarray, " token"]:
        """The share of each token's word; a piece has the share of the whole word."""
        return np.array([self.share_of(word) for word in words.surface_forms])[words.of]


def usif_a(shares: WordShares, n: int = 11) -> float:
    """The constant a of uSIF's weights a / (a/2 + p), computed from word shares.

    Of V words, those are frequent whose share exceeds 1 - (1 - 1/V)^n, the probability that ``n`` draws
    from V equally probable words include a given word. With α the frequent part of the vocabulary,
    a = (1 - α) / (α V/2).

    Parameters
    ----------
    n
        The number of words of an average sentence; 11 is the paper's value for STS.

    Raises
    ------
    RecipeError
        No word is frequent (a corpus of few words): a would be infinite.

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
    """The share of one word in lower case; ``most`` for a text without words."""
    from wordfreq.numbers import digit_freq, smash_numbers
    from wordfreq.tokens import lossy_tokenize

    parts = [word] if word in shares else lossy_tokenize(word, "en")
    part_shares = [shares.get(smash_numbers(part), 0.0) * digit_freq(part) for part in parts]
    if not part_shares:
        return most
    return 1 / sum(1 / share for share in part_shares) if all(part_shares) else 0.0
