"""Doc2Vec: one vector per text, learnt together with word vectors (Le & Mikolov 2014).

It is a baseline without a transformer. The package gensim trains the model on one corpus and infers the
vectors of another corpus sentence by sentence, so that equal sentences have equal vectors.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np

from core.errors import ModelError, RecipeError, TooFewSentencesError
from core.loading import LOADING
from core.progress import Progress, Step
from core.recipe import SOURCE
from core.recipe.arguments import Text, Within
from core.recipe.options import FIT
from core.sources.word_tokenizer import words_in
from core.tokens import Tokens

Kind = Literal["dm", "dbow", "both"]

MIN_TEXTS = 30
"""The smallest number of different texts to train on."""

_PATCHING = threading.Lock()

BATCH = 256
"""Sentences between two reports of progress."""


SECONDS = 1.2e-6
"""Seconds for each word in each epoch of learning or inferring; 0.4 to 2.7 µs on STS-B and WikiText-2."""

CHARACTERS_PER_WORD = 4.7


@dataclass(frozen=True)
class Doc2Vec:
    """The parameters of paragraph vectors."""

    model: str
    dim: int
    window: int
    epochs: int
    least: int
    seed: int


@SOURCE.option(learns=FIT, label="Doc2Vec", package="gensim", layered=False)
def doc2vec(
    *,
    model: Annotated[Kind, Text("distributed memory, bag of words, or both joined")] = "dm",
    dim: Annotated[int, Within(1, 2000, "numbers per text (per model, for both)")] = 100,
    window: Annotated[int, Within(1, 50, "words on each side")] = 5,
    epochs: Annotated[int, Within(1, 1000, "passes over the corpus")] = 20,
    least: Annotated[int, Within(1, 1000, "times a word must occur")] = 2,
    seed: Annotated[int, Within(0, 2**31 - 1, "of the random numbers")] = 0,
) -> Doc2Vec:
    """Doc2Vec (PV-DM, PV-DBOW or both), trained on the corpus; needs the package gensim."""
    return Doc2Vec(model, dim, window, epochs, least, seed)


def whole_texts(texts: Sequence[str]) -> Tokens:
    """Each text as one token whose id is the text's position."""
    number = len(texts)
    return Tokens.plain(
        np.arange(number, dtype=np.int32),
        order=np.arange(number),
        offsets=np.arange(number + 1),
        words=np.zeros(number, np.int32),
        vocabulary=dict(enumerate(texts)),
    )


def kinds_of(settings: Doc2Vec) -> tuple[str, ...]:
    """The models that are trained."""
    return ("dm", "dbow") if settings.model == "both" else (settings.model,)


def seconds(settings: Doc2Vec, learn: Iterable[str], texts: Iterable[str]) -> float:
    """About how long :func:`paragraph_vectors` takes."""
    words = sum(len(text) for some in (learn, texts) for text in some) / CHARACTERS_PER_WORD
    return words * settings.epochs * len(kinds_of(settings)) * SECONDS


def paragraph_vectors(
    settings: Doc2Vec, learn: Sequence[str], texts: Sequence[str], progress: Progress
) -> np.ndarray:
    """Vectors ``[text, dim]`` of ``texts``, inferred by a model that is trained on ``learn``.

    Raises
    ------
    ModelError
        The package gensim is not installed.
    TooFewSentencesError
        ``learn`` has fewer than :data:`MIN_TEXTS` different texts.
    RecipeError
        No word of ``learn`` occurs often enough.
    """
    if (got := len(set(learn))) < MIN_TEXTS:
        raise TooFewSentencesError(
            f"source=doc2vec would be learnt from {got:,} different sentences; it needs {MIN_TEXTS} at the "
            "very least, and thousands to be any good."
        )
    words = [words_in(text.lower()) for text in texts]
    vectors = [_vectors(settings, kind, learn, words, progress) for kind in kinds_of(settings)]
    return np.concatenate(vectors, axis=1)


def _vectors(
    settings: Doc2Vec, kind: str, learn: Sequence[str], texts: list[list[str]], progress: Progress
) -> np.ndarray:
    trained = _train(settings, kind, learn, progress)
    out = np.zeros((len(texts), settings.dim), np.float32)
    for i, words in enumerate(texts):
        if any(word in trained.wv for word in words):  # a text without known words has the vector 0
            trained.random.seed(settings.seed)  # equal sentences have equal vectors
            with _stable_initial_vectors():
                out[i] = trained.infer_vector(words)
        if (i + 1) % BATCH == 0:
            progress(Step("Inferring Doc2Vec vectors", i + 1, len(texts)))
    return out


@contextmanager
def _stable_initial_vectors() -> Iterator[None]:
    """Let inference start from a vector that depends on the words alone.

    gensim takes it from Python's hash, which differs between processes, and draws it for no words.
    """
    with LOADING:
        from gensim.models import doc2vec as library

    with _PATCHING:
        original, library.pseudorandom_weak_vector = library.pseudorandom_weak_vector, _initial_vector
        try:
            yield
        finally:
            library.pseudorandom_weak_vector = original


def _initial_vector(size: int, seed_string: str = "", hashfxn: Any = None) -> np.ndarray:
    generator = np.random.default_rng(zlib.crc32(seed_string.encode()))
    return ((generator.random(size, np.float32) - np.float32(0.5)) / size).astype(np.float32)


def _train(settings: Doc2Vec, kind: str, learn: Sequence[str], progress: Progress) -> Any:
    try:
        with LOADING:
            from gensim.models.callbacks import CallbackAny2Vec
            from gensim.models.doc2vec import Doc2Vec as Trained
            from gensim.models.doc2vec import TaggedDocument
    except ImportError as error:
        raise ModelError(
            "source=doc2vec needs the package gensim: pip install gensim (see requirements-extra.txt)."
        ) from error

    class EpochProgress(CallbackAny2Vec):  # type: ignore[misc]
        """Report the number of finished epochs."""

        def __init__(self) -> None:
            self.done = 0

        def on_epoch_end(self, model: Any) -> None:
            self.done += 1
            progress(Step("Training Doc2Vec: epochs", self.done, settings.epochs))

    documents = [TaggedDocument(words_in(text.lower()), [i]) for i, text in enumerate(learn)]
    trained = Trained(
        dm=int(kind == "dm"),
        vector_size=settings.dim,
        window=settings.window,
        min_count=settings.least,
        epochs=settings.epochs,
        seed=settings.seed,
        workers=1,  # several workers make the result depend on their timing
        hashfxn=_stable,
    )
    trained.build_vocab(documents)
    if not len(trained.wv):
        raise RecipeError(
            f"source=doc2vec(least): no word of the {len(learn):,} texts it would learn from occurs "
            f"{settings.least:,} times; take a smaller least, or a larger corpus to learn from."
        )
    trained.train(
        documents, total_examples=len(documents), epochs=settings.epochs, callbacks=[EpochProgress()]
    )
    return trained


def _stable(text: str) -> int:
    """A hash that is the same in every process."""
    return int.from_bytes(text.encode()[:8].ljust(8, b"\0"), "little")
