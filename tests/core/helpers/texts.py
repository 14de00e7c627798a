"""Sentences: plain ones by the dozen, and every kind that breaks things."""

from itertools import product

import numpy as np

from core.corpora.corpus import Corpus

ODD = {
    "empty": "",
    "spaces": "   ",
    "one token": "a",
    "emoji": "🎸🧑🏽‍🚀",
    "right to left": "שלום עולם، مرحبا",
    "NUL": "a\0b\0",
    "markup": "<b>bold</b> **very** [link](http://x) $x$ &amp;",
    "mask": "[MASK] <mask>",
    "separator": "[SEP] </s> <sep>",
    "classification": "[CLS] <s> <cls> <|endoftext|>",
    "very long": "dog " * 1_000,
}


def many(number: int) -> list[str]:
    """Different plain sentences."""
    parts = product(
        ("A girl", "Two men", "The white dog", "A cat", "The boy"),
        ("sat", "plays", "ran in the park", "is sleeping", "falls"),
        ("on a mat.", "with a guitar!", "in the rain?", "and sings", "at night, again", "for fun"),
    )
    found = [" ".join(part) for part in parts]
    assert number <= len(found)
    return found[:number]


def pairs(number: int = 90, different: int = 60) -> Corpus:
    """Scored pairs; their subsets are ``even`` and ``odd``."""
    sentences, generator = many(different), np.random.default_rng(3)
    first = [sentences[i % different] for i in range(number)]
    second = [sentences[i] for i in generator.integers(0, different, number)]
    gold = generator.integers(0, 11, number) / 2
    subset = ["odd" if i % 2 else "even" for i in range(number)]
    return Corpus.of_pairs("scored", first, second, gold.tolist(), subset=subset, origin="made for tests")
