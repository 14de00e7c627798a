"""The tokens of a source, what their written form says of them, and their vectors.

A *space* is a set of tokens with one vector each per layer: the raw rows of the word-embedding matrix for
the whole vocabulary, or, layer by layer, each token's mean over its contexts in a corpus for the tokens
that occur there. Lu (2023) draws the first to show what words are near each other for: their frequency, and
whether they are pieces of words or have upper-case letters.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import get_close_matches

import numpy as np
from jaxtyping import Bool, Float, Int

from core.averaged import Averaged, contexts
from core.corpus import Corpus
from core.embed import Road
from core.encoder import STATIC
from core.errors import RecipeError
from core.options import Choice
from core.paragraph import Doc2Vec
from core.passes import Source
from core.progress import Progress, silent
from core.recipe import SOURCE, Recipe
from core.selection import is_punctuation
from core.static import TablePass, VectorsFile
from core.store import key_of

MOST_WORDS = 60_000
"""Words of a file of word vectors that are looked at, in the file's order: the most frequent first."""

Read = Callable[[int, np.ndarray], np.ndarray]
"""Gives the vectors of some ids in a layer."""

_BEGINS = ("▁", "Ġ")
_BLOCK = 16_384
_UNUSED = re.compile(r"\[unused\d+\]|<0x[0-9A-F]{2}>|madeupword\d+")


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Tokens and what their written form says.

    Attributes
    ----------
    ids
        Their ids in the vocabulary of the source, ascending.
    written
        Their written form, with the marks of the tokenizer (``##ing``, ``Ġthe``).
    special
        [CLS] and its like, and places kept free (``[unused1]``). They are nothing of what follows.
    subword
        Pieces inside a word: ``##ing``; where the tokenizer marks the begin of words, those without mark.
    upper
        With an upper-case letter.
    punctuation
        Nothing but punctuation and symbols; no piece of a word then.
    """

    ids: Int[np.ndarray, " token"]
    written: tuple[str, ...]
    special: Bool[np.ndarray, " token"]
    subword: Bool[np.ndarray, " token"]
    upper: Bool[np.ndarray, " token"]
    punctuation: Bool[np.ndarray, " token"]

    def __len__(self) -> int:
        """The number of tokens."""
        return len(self.ids)

    def find(self, text: str) -> int | None:
        """Where a token stands: as it is written, else without marks and regardless of case."""
        wanted = text.strip()
        if wanted in self.written:
            return self.written.index(wanted)
        low = wanted.lower()
        found = [i for i, one in enumerate(self.written) if bare(one).lower() == low]
        return min(found, key=lambda i: (bool(self.subword[i]), i), default=None) if low else None

    def like(self, text: str, most: int = 3) -> list[str]:
        """Tokens that are written nearly so, for one that is not there."""
        low = bare(text.strip()).lower()
        words = {bare(one).lower() for one in self.written}
        return get_close_matches(low, [word for word in words if word[:1] == low[:1]], most)


@dataclass(frozen=True, eq=False)
class Space:
    """Tokens with a vector each per layer.

    Attributes
    ----------
    name, revision
        Of the source, as captions name them; of the model where its states are averaged.
    vocabulary
        The tokens.
    layers
        The layers there are, ascending; -1 is the static rows.
    over
        The corpus whose contexts are averaged; None for static rows.
    times
        How often each token occurs there; None for static rows.
    key
        Stands for everything the vectors depend on.
    """

    name: str
    revision: str
    vocabulary: Vocabulary
    layers: tuple[int, ...]
    over: Corpus | None
    times: Float[np.ndarray, " token"] | None
    key: str
    _read: Read

    def rows(self, layer: int, places: Int[np.ndarray, " row"]) -> Float[np.ndarray, "row dim"]:
        """The vectors of some tokens, by their places in the vocabulary."""
        return self._read(layer, self.vocabulary.ids[places])

    def width(self, layer: int) -> int:
        """Numbers per vector."""
        return int(self.rows(layer, np.zeros(1, int)).shape[1])

    def alike(self, layer: int) -> tuple[int, ...]:
        """The layers as wide as this one: static rows may be of another width."""
        own = self.width(layer)
        return tuple(i for i in self.layers if self.width(i) == own)


def static_space(road: Road, recipe: Recipe, progress: Progress = silent) -> Space:
    """The whole vocabulary of a recipe's source with its static rows.

    Raises :class:`RecipeError` for a source without vectors of tokens.
    """
    source = replace(road.source(recipe), template="")
    _refuse_texts(source)
    if isinstance(source.table, Averaged):
        raise RecipeError(
            "source=averaged holds averages over contexts; its static rows are the model's own."
        )
    written = road.passes.written(source, progress)
    if source.is_model:
        encoder = road.passes.encoder(source)
        rows = int(source.location.config.get("vocab_size", len(written)))
        vocabulary = vocabulary_of(road, source, np.arange(min(rows, len(written))))
        read: Read = lambda _, ids: encoder.static_rows(ids)  # noqa: E731
    else:
        found, _ = road.passes.get(source, Corpus.of_texts("vocabulary", []), progress)
        assert isinstance(found, TablePass)  # noqa: S101  (no model, so it is looked up)
        words = isinstance(source.table, VectorsFile)
        first = source.table.drop if isinstance(source.table, VectorsFile) else 0
        most = MOST_WORDS if words else road.passes.tokenizer(source).vocabulary
        vocabulary = vocabulary_of(road, source, np.arange(first, min(len(written), first + most)))
        read = found.rows
    key = key_of("static", source.revision, road.settings.forward)
    return Space(source.name, source.revision, vocabulary, (STATIC,), None, None, key, read)


def averaged_space(
    road: Road, recipe: Recipe, over: Corpus | None = None, progress: Progress = silent
) -> Space:
    """The tokens of a corpus with their means over its contexts, in every layer; the texts are read plain.

    ``over`` is the corpus; None takes the recipe's reference, as ``source=averaged`` does.

    Raises :class:`RecipeError` for a source without layers, or a corpus without tokens.
    """
    source = _averaged(road, recipe, over)
    corpus = source.learns
    assert corpus is not None  # noqa: S101  (averages are learnt from one)
    found, _ = road.passes.get(source, corpus, progress)
    assert isinstance(found, TablePass)  # noqa: S101  (averages are looked up)
    if not len(found.tokens):
        raise RecipeError(f"{corpus.name} has no token that {source.name} knows.")
    vocabulary = vocabulary_of(road, source, np.unique(found.tokens.ids).astype(int))
    settings = (road.settings.forward, road.settings.storage, source.location.max_tokens)
    key = key_of("averaged", source.revision, *settings)
    times = contexts(found.tokens, corpus.repeats)
    place = source.location
    return Space(place.name, place.revision, vocabulary, found.layers, corpus, times, key, found.rows)


def vocabulary_of(road: Road, source: Source, ids: Int[np.ndarray, " token"]) -> Vocabulary:
    """Some tokens of a source by their ids; an id that stands for nothing is left out."""
    every = road.passes.written(source)
    ids = ids[[bool(every[i]) for i in ids.tolist()]] if len(ids) else ids
    written = tuple(every[i] for i in ids.tolist())
    words = isinstance(source.table, VectorsFile)
    added = frozenset() if words else road.passes.tokenizer(source).special_ids
    special = np.array(
        [i in added or bool(_UNUSED.fullmatch(t)) for i, t in zip(ids.tolist(), written, strict=True)], bool
    )
    marks = not words and any(text.startswith(_BEGINS) for text in every)
    texts = [bare(text) for text in written]
    if marks and any(text.startswith("Ġ") for text in every):  # bytes, written as letters of their own
        decode = road.passes.tokenizer(source).decode
        texts = [decode([i]) for i in ids.tolist()]
    mark = ~special & np.array([is_punctuation(text) and "\ufffd" not in text for text in texts], bool)
    return Vocabulary(
        ids,
        written,
        special,
        ~special & ~mark & np.array([not words and _is_piece(text, marks) for text in written], bool),
        ~special & np.array([any(c.isupper() for c in text) for text in texts], bool),
        mark,
    )


def nearest(
    space: Space, layer: int, place: int, most: int = 10
) -> tuple[Int[np.ndarray, " near"], Float[np.ndarray, " near"]]:
    """The tokens nearest to one by cosine, and their cosines, nearest first.

    A vector of nothing but 0 has the cosine 0 with every other.
    """
    own = space.rows(layer, np.array([place]))[0].astype(np.float64)
    cosines = np.empty(len(space.vocabulary))
    for start in range(0, len(cosines), _BLOCK):
        some = np.arange(start, min(start + _BLOCK, len(cosines)))
        rows = space.rows(layer, some).astype(np.float64)
        lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(own)
        cosines[some] = np.divide(rows @ own, lengths, out=np.zeros(len(some)), where=lengths > 0)
    cosines[place] = -np.inf
    near = np.argsort(-cosines, kind="stable")[: min(most, len(cosines) - 1)]
    return near, cosines[near]


def bare(text: str) -> str:
    """A token without the marks of its tokenizer."""
    return text[2:] if text.startswith("##") and len(text) > 2 else text.lstrip("▁Ġ") or text


def choose(
    tokens: int, number: int, frequency: Float[np.ndarray, " token"] | None = None
) -> Int[np.ndarray, " chosen"]:
    """Places of ``number`` tokens, ascending: the most frequent, or drawn at random with a fixed seed.

    The draw of a smaller number is part of that of a larger one, and two vocabularies of one size give the
    same places. A token whose frequency is NaN comes after all others.
    """
    if frequency is None:
        order = np.random.default_rng(0).permutation(tokens)
    else:
        order = np.argsort(-np.nan_to_num(frequency, nan=-np.inf), kind="stable")
    return np.sort(order[:number])


def _averaged(road: Road, recipe: Recipe, over: Corpus | None) -> Source:
    """The averages of a recipe's model over a corpus; those that the recipe names itself as they are."""
    made = road.source(recipe)
    _refuse_texts(made)
    if isinstance(made.table, Averaged):
        if over is not None and made.learns is not None and over.fingerprint != made.learns.fingerprint:
            raise RecipeError(
                f"source=averaged is averaged over {made.learns.name} already; take the reference, or the "
                "model itself as source."
            )
        return replace(made, template="")
    if not made.is_model:
        raise RecipeError(
            f"{made.name} has no layers and no contexts; allowed are its static rows, or a model as source."
        )
    model = SOURCE.bind(recipe.source)()
    choice = SOURCE.check(Choice("averaged", (("model", str(model)),)))
    return road.passes.source(choice, "", road.reference(recipe) if over is None else over)


def _refuse_texts(source: Source) -> None:
    if isinstance(source.table, Doc2Vec):
        raise RecipeError(
            "source=doc2vec has vectors of whole texts and none of tokens; take a model, random or vectors."
        )


def _is_piece(text: str, marks: bool) -> bool:
    return not text.startswith(_BEGINS) if marks else text.startswith("##") and len(text) > 2
