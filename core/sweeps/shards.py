"""A pass too large for one worker, cut into shards: each worker reads some of the texts, one joins them.

Which shard a text is in depends on the text alone, and the number of shards on the corpus alone, so that a
sweep that was stopped finds the shards that are read, with any number of workers. A text's states do not
depend on the texts that are read with it but for rounding: scores of a pass in shards are those of a whole
one within 1e-3 points.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.sources.forward_passes import CHARACTERS_PER_TOKEN

SHARD_TOKENS = 200_000
"""About how many tokens a shard has; a corpus of fewer is read by one worker."""

MOST = 256
"""Shards of a corpus."""


class Shard(NamedTuple):
    """A part of a corpus' texts, to be read in a recipe's source and template."""

    recipe: Recipe
    corpus: Corpus


class Read(NamedTuple):
    """What came of a shard: whether the store is the common one, the seconds, and why it was not read."""

    there: bool
    seconds: float
    error: str = ""


def number(corpus: Corpus) -> int:
    """The number of shards of a corpus, 1 for one that is read as a whole."""
    tokens = sum(len(text) / CHARACTERS_PER_TOKEN + 2 for text in corpus.sentences)
    return min(MOST, len(corpus.sentences), math.ceil(tokens / SHARD_TOKENS)) or 1


def cut(corpus: Corpus, count: int) -> list[Corpus]:
    """A corpus' different texts in about equal parts by their hash; parts without a text are left out."""
    of = np.array(
        [int.from_bytes(hashlib.sha256(t.encode()).digest()[:8], "big") % count for t in corpus.sentences]
    )
    return [
        Corpus.of_texts(
            f"{corpus.name}, shard {i + 1} of {count}",
            [corpus.sentences[j] for j in np.flatnonzero(of == i)],
        )
        for i in range(count)
        if (of == i).any()
    ]


def worth_it(engine: Engine, recipe: Recipe, corpus: Corpus) -> int:
    """Into how many shards a recipe's pass over a corpus is to be cut; 1 for none.

    None where the pass is there, where nothing is read by a model, or where the whole could not be kept.
    """
    count = number(corpus)
    if count == 1:
        return 1
    try:
        source = engine.source(recipe, corpus)
        tokens = sum(len(text) / CHARACTERS_PER_TOKEN + 2 for text in corpus.sentences)
        if not source.is_model or engine.passes.are_stored(source, corpus):
            return 1
        return count if engine.passes.fits(source, 2 * tokens) else 1  # shards and whole at once
    except StrataError:  # the row says why
        return 1


def read(engine: Engine, shard: Shard, probe: Path) -> Read:
    """Read a shard into the store, if it is the one that ``probe`` lies in."""
    if not probe.exists():
        return Read(False, 0.0)
    try:
        source = engine.source(shard.recipe, shard.corpus)
        _, seconds = engine.passes.get(source, shard.corpus, layers=[])
    except StrataError as error:
        return Read(True, 0.0, str(error))
    return Read(True, seconds)


def join(engine: Engine, recipe: Recipe, corpus: Corpus, parts: Sequence[Corpus]) -> str:
    """Put the pass of a corpus together; empty, or why it cannot be."""
    try:
        engine.passes.join(engine.source(recipe, corpus), corpus, parts)
    except StrataError as error:
        return str(error)
    return ""


def plain(recipe: Recipe) -> Recipe:
    """What a pass depends on of a recipe."""
    return replace(Recipe(), source=recipe.source, template=recipe.template, reference=recipe.reference)
