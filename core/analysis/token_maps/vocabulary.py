"""The tokens of a source, properties of their surface forms, and their vectors.

A *space* is a set of tokens with one vector per layer: the rows of the word-embedding matrix for the whole
vocabulary, or, layer by layer, each token's mean over its contexts in a corpus for the tokens that occur
there. Lu (2023) plots the first and shows that nearby words share their frequency, and whether they are
pieces of words or have upper-case letters.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import get_close_matches

import numpy as np
from jaxtyping import Bool, Float, Int

from core.corpora.corpus import Corpus
from core.errors import RecipeError
from core.pipeline.engine import Engine
from core.progress import Progress, silent
from core.recipe import SOURCE, Recipe
from core.recipe.options import Choice
from core.sources.averaged import Averaged, contexts
from core.sources.doc2vec import Doc2Vec
from core.sources.source import Source
from core.sources.token_states import TableStates
from core.sources.word_vectors import VectorsFile
from core.stages.token_selection import is_punctuation
from core.storage import json_arrays
from core.storage.keys import key_of
from core.storage.tables import Arrays, TableKind
from core.tokens.marks import begins_word, goes_on, without_marks
from core.tokens.states import STATIC

VOCABULARY = TableKind("vocabulary", 1)
"""Such tables come with the installation, for the model one arrives with; visits write none."""

MAX_WORDS = 60_000
"""The words that are used of a file of word vectors, the first in the file's order (the most frequent)."""

ReadRows = Callable[[int, np.ndarray], np.ndarray]
"""Gives the vectors of some ids in a layer."""

_BLOCK = 16_384
_UNUSED = re.compile(r"\[unused\d+\]|<0x[0-9A-F]{2}>|madeupword\d+")


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Tokens and properties of their surface forms.

    Attributes
    ----------
    ids
        The ids in the vocabulary of the source, ascending.
    surface_forms
        The surface forms, with the marks of the tokenizer (``##ing``, ``Ġthe``).
    special
        Special tokens and unused ids (``[unused1]``); they have none of the properties below.
    subword
        Pieces inside a word: ``##ing``; where the tokenizer marks the begin of words, those without mark.
    upper
        Tokens with an upper-case letter.
    punctuation
        Tokens of punctuation and symbols alone; they are not subwords.
    """

    ids: Int[np.ndarray, " token"]
    surface_forms: tuple[str, ...]
    special: Bool[np.ndarray, " token"]
    subword: Bool[np.ndarray, " token"]
    upper: Bool[np.ndarray, " token"]
    punctuation: Bool[np.ndarray, " token"]

    def __len__(self) -> int:
        """The number of tokens."""
        return len(self.ids)

    def find(self, text: str) -> int | None:
        """The position of a token: by its surface form, else without marks and regardless of case."""
        text = text.strip()
        if text in self.surface_forms:
            return self.surface_forms.index(text)
        low = text.lower()
        matches = [i for i, form in enumerate(self.surface_forms) if without_marks(form).lower() == low]
        return min(matches, key=lambda i: (bool(self.subword[i]), i), default=None) if low else None

    def like(self, text: str, most: int = 3) -> list[str]:
        """Words with a similar spelling, for a token that does not exist."""
        low = without_marks(text.strip()).lower()
        words = {without_marks(form).lower() for form in self.surface_forms}
        return get_close_matches(low, [word for word in words if word[:1] == low[:1]], most)


@dataclass(frozen=True, eq=False)
class Space:
    """Tokens with one vector per layer.

    Attributes
    ----------
    name, revision
        The source's name and revision for captions; those of the model where its states are averaged.
    vocabulary
        The tokens.
    layers
        The layers, ascending; -1 is the static rows.
    over
        The corpus whose contexts are averaged; None for static rows.
    times
        The count of each token in that corpus; None for static rows.
    key
        Names everything that the vectors depend on.
    """

    name: str
    revision: str
    vocabulary: Vocabulary
    layers: tuple[int, ...]
    over: Corpus | None
    times: Float[np.ndarray, " token"] | None
    key: str
    _read: ReadRows

    def rows(self, layer: int, places: Int[np.ndarray, " row"]) -> Float[np.ndarray, "row dim"]:
        """The vectors of some tokens, by their positions in the vocabulary."""
        return self._read(layer, self.vocabulary.ids[places])

    def width(self, layer: int) -> int:
        """The number of dimensions of a layer."""
        return int(self.rows(layer, np.zeros(1, int)).shape[1])

    def alike(self, layer: int) -> tuple[int, ...]:
        """The layers of the same width as this one; static rows may have another width."""
        if self.layers == (layer,):
            return self.layers
        own = self.width(layer)
        return tuple(i for i in self.layers if self.width(i) == own)


def static_space(engine: Engine, recipe: Recipe, progress: Progress = silent) -> Space:
    """The whole vocabulary of a recipe's source with its static rows.

    Raises :class:`RecipeError` for a source without token vectors.
    """
    source = replace(engine.source(recipe), template="")
    _refuse_texts(source)
    if isinstance(source.table, Averaged):
        raise RecipeError(
            "source=averaged holds averages over contexts; its static rows are the model's own."
        )
    if source.is_model:
        vocabulary = _of_model(engine, source)
        read: ReadRows = lambda _, ids: engine.passes.encoder(source).static_rows(ids)  # noqa: E731
    else:
        surface_forms = engine.passes.surface_forms(source, progress)
        table, _ = engine.passes.get(source, Corpus.of_texts("vocabulary", []), progress)
        assert isinstance(table, TableStates)  # noqa: S101  (a source without model is a table)
        words = isinstance(source.table, VectorsFile)
        first = source.table.drop if isinstance(source.table, VectorsFile) else 0
        most = MAX_WORDS if words else engine.passes.tokenizer(source).vocabulary
        vocabulary = vocabulary_of(engine, source, np.arange(first, min(len(surface_forms), first + most)))
        read = table.rows
    key = key_of("static", source.revision, engine.settings.forward)
    return Space(source.name, source.revision, vocabulary, (STATIC,), None, None, key, read)


def _of_model(engine: Engine, source: Source) -> Vocabulary:
    """The vocabulary of a model; that of the model one arrives on comes along."""

    def compute() -> Arrays:
        surface_forms = engine.passes.surface_forms(source)
        rows = source.location.config.vocabulary or len(surface_forms)
        vocabulary = vocabulary_of(engine, source, np.arange(min(rows, len(surface_forms))))
        return vars(vocabulary) | {"surface_forms": json_arrays.as_array(vocabulary.surface_forms)}

    arrays = engine.shipped_table(
        VOCABULARY, (source.tokenization, source.location.config.vocabulary), compute
    )
    flags = (arrays[name] for name in ("special", "subword", "upper", "punctuation"))
    return Vocabulary(arrays["ids"], tuple(json_arrays.from_array(arrays["surface_forms"])), *flags)


def averaged_space(
    engine: Engine, recipe: Recipe, over: Corpus | None = None, progress: Progress = silent
) -> Space:
    """The tokens of a corpus with their means over its contexts, in every layer.

    The texts are read without template. ``over`` is the corpus; None takes the recipe's reference, as
    ``source=averaged`` does.

    Raises :class:`RecipeError` for a source without layers, or a corpus without tokens.
    """
    source = _averaged(engine, recipe, over)
    corpus = source.learns
    assert corpus is not None  # noqa: S101  (averages are learnt from one)
    table, _ = engine.passes.get(source, corpus, progress)
    assert isinstance(table, TableStates)  # noqa: S101  (averages are a table)
    if not len(table.tokens):
        raise RecipeError(f"{corpus.name} has no token that {source.name} knows.")
    vocabulary = vocabulary_of(engine, source, np.unique(table.tokens.ids).astype(int))
    key = key_of("averaged", source.revision, *engine.passes.precision, source.location.max_tokens)
    times = contexts(table.tokens, corpus.repeats)
    model = source.location
    return Space(model.name, model.revision, vocabulary, table.layers, corpus, times, key, table.rows)


def vocabulary_of(engine: Engine, source: Source, ids: Int[np.ndarray, " token"]) -> Vocabulary:
    """Some tokens of a source by their ids; an id without surface form is left out."""
    all_forms = engine.passes.surface_forms(source)
    ids = ids[[bool(all_forms[i]) for i in ids.tolist()]] if len(ids) else ids
    surface_forms = tuple(all_forms[i] for i in ids.tolist())
    words = isinstance(source.table, VectorsFile)
    added = frozenset() if words else engine.passes.tokenizer(source).special_ids
    special = np.array(
        [
            i in added or bool(_UNUSED.fullmatch(t))
            for i, t in zip(ids.tolist(), surface_forms, strict=True)
        ],
        bool,
    )
    marks = not words and any(map(begins_word, all_forms))
    texts = [without_marks(text) for text in surface_forms]
    if marks and any(text.startswith("Ġ") for text in all_forms):  # bytes, each shown as a letter
        decode = engine.passes.tokenizer(source).decode
        texts = [decode([i]) for i in ids.tolist()]
    mark = ~special & np.array([is_punctuation(text) and "\ufffd" not in text for text in texts], bool)
    return Vocabulary(
        ids,
        surface_forms,
        special,
        ~special & ~mark & np.array([not words and _is_piece(text, marks) for text in surface_forms], bool),
        ~special & np.array([any(c.isupper() for c in text) for text in texts], bool),
        mark,
    )


def nearest(
    space: Space, layer: int, place: int, most: int = 10
) -> tuple[Int[np.ndarray, " near"], Float[np.ndarray, " near"]]:
    """The tokens nearest to the one at ``place`` by cosine, and their cosines, nearest first.

    A zero vector has the cosine 0 with every other.
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


def choose(
    tokens: int, number: int, frequency: Float[np.ndarray, " token"] | None = None
) -> Int[np.ndarray, " chosen"]:
    """Ascending positions of ``number`` tokens: the most frequent, or drawn with a fixed seed.

    A smaller draw is part of a larger one, and two vocabularies of one size give the same positions. A
    token whose frequency is NaN comes after all others.
    """
    if frequency is None:
        order = np.random.default_rng(0).permutation(tokens)
    else:
        order = np.argsort(-np.nan_to_num(frequency, nan=-np.inf), kind="stable")
    return np.sort(order[:number])


def _averaged(engine: Engine, recipe: Recipe, over: Corpus | None) -> Source:
    """The averages of a recipe's model over a corpus; for ``source=averaged``, the recipe's own source."""
    source = engine.source(recipe)
    _refuse_texts(source)
    if isinstance(source.table, Averaged):
        learns = source.learns
        if over is not None and learns is not None and over.fingerprint != learns.fingerprint:
            raise RecipeError(
                f"source=averaged is averaged over {learns.name} already; take the reference, or the "
                "model itself as source."
            )
        return replace(source, template="")
    if not source.is_model:
        raise RecipeError(
            f"{source.name} has no layers and no contexts; allowed are its static rows, or a model as "
            "source."
        )
    model = SOURCE.bind(recipe.source)()
    choice = SOURCE.check(Choice("averaged", (("model", str(model)),)))
    return engine.passes.source(choice, "", engine.references.of(recipe) if over is None else over)


def _refuse_texts(source: Source) -> None:
    if isinstance(source.table, Doc2Vec):
        raise RecipeError(
            "source=doc2vec has vectors of whole texts and none of tokens; take a model, random or vectors."
        )


def _is_piece(text: str, marks: bool) -> bool:
    return not begins_word(text) if marks else goes_on(text)
