"""The road: from sentences and a recipe to sentence vectors and similarities.

One :class:`Road` serves all visitors of an installation. What it keeps in memory: one pooled vector per
text and layer (so that every set of layers is an addition), finished vectors, and document frequencies.
How one recipe is followed is :mod:`core.walk`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.catalogue import Catalogue
from core.corpus import Corpus
from core.memo import Memo
from core.passes import Passes, Source
from core.progress import Progress, silent
from core.reading import Reading
from core.recipe import SIMILARITY, Recipe
from core.settings import Settings
from core.store import Store
from core.tokens import Tokens
from core.walk import Kept, Vectors, Walk, Work


@dataclass(frozen=True, eq=False)
class Embedded:
    """Sentence vectors in the order of a corpus' sentences.

    ``pass_seconds`` is what making passes took just now, 0 when all were found; ``notes`` says what a
    reader must know (sentences that were cut).
    """

    vectors: Vectors
    source: Source
    pass_seconds: float
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class TokenWeights:
    """The tokens of one text with the share of the sentence vector that each one gets."""

    written: tuple[str, ...]
    words: tuple[int, ...]
    shares: Float[np.ndarray, " token"]
    texts_with: Float[np.ndarray, " token"]
    truncated: bool


class Road:
    """Walks recipes, for one installation."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings.from_environment()
        self.store = Store(self.settings.cache, self.settings.budget_bytes)
        uploads = self.settings.cache / "uploads"
        self.catalogue = Catalogue(self.settings.data, uploads, self.settings.paths)
        self.passes = Passes(self.settings, self.store)
        bytes_of = self.settings.memory_bytes
        pooled: Memo[np.ndarray] = Memo(bytes_of, lambda v: v.nbytes)
        self._kept = Kept(self.passes, pooled, Memo(16))
        self._vectors: Memo[np.ndarray] = Memo(bytes_of // 2, lambda v: v.nbytes)
        self._corpora: Memo[Corpus] = Memo(8)

    def corpus(
        self, name: str, split: str | None = None, scale: tuple[float, float] | None = None
    ) -> Corpus:
        """A corpus by name or path, restricted to a split (test by default, where there is one).

        ``scale`` is the range of its gold scores. A file is read again when it changed.
        """
        entry = (*self.catalogue.stamp(name), scale)
        whole = self._corpora.get(entry, lambda: self.catalogue.load(name, scale))
        return self._corpora.get((entry, split), lambda: whole.take(split))

    def reference(self, recipe: Recipe) -> Corpus:
        """The reference corpus of a recipe, all splits."""
        return self.corpus(str(recipe.reference.arguments[0][1]), "all")

    def source(self, recipe: Recipe, corpus: Corpus | None = None) -> Source:
        """What a recipe's source and template stand for; no weights are loaded.

        ``corpus`` is the target, for a source that learns from it.
        """
        target = Corpus.of_texts("no corpus", []) if corpus is None else corpus
        return self._walk(recipe, target).source

    def pending_seconds(self, recipe: Recipe, corpus: Corpus) -> float:
        """About how long the forward passes and trainings a recipe still needs would take; 0 for none."""
        return self._walk(recipe, corpus).pending_seconds()

    def embed(self, recipe: Recipe, corpus: Corpus, progress: Progress = silent) -> Embedded:
        """The vectors of a corpus' sentences under a recipe.

        Raises
        ------
        RecipeError
            A layer, token, head or mask the source does not have.
        TooFewSentencesError
            A pooling or post-processing step would learn from too few sentences.
        """
        work = Work(progress)
        walk = self._walk(recipe, corpus, work)
        opened = walk.open()
        key = (str(recipe.replace(similarity="cosine")), *walk.identity)
        vectors = self._vectors.get(key, walk.finish)
        notes = (*_cut_note(opened[0].tokens), *(note for found in opened for note in found.notes))
        return Embedded(vectors, walk.source, work.spent(), notes)

    def similarities(
        self, recipe: Recipe, corpus: Corpus, progress: Progress = silent
    ) -> tuple[Float[np.ndarray, " pair"], Embedded]:
        """The similarity of each pair of a corpus, and the vectors it was computed from."""
        embedded = self.embed(recipe, corpus, progress)
        compare = SIMILARITY.bind(recipe.similarity)
        u, v = (embedded.vectors[side] for side in (corpus.first, corpus.second))
        return compare(u, v), embedded

    def read(self, recipe: Recipe, corpus: Corpus, progress: Progress = silent) -> Reading:
        """A corpus as a recipe reads it: its pass, made if it is not there, and which tokens take part."""
        return self._walk(recipe, corpus, Work(progress)).read()

    def token_weights(
        self, recipe: Recipe, corpus: Corpus, progress: Progress = silent
    ) -> list[TokenWeights]:
        """For each sentence of a corpus, its tokens and the weight each gets under a recipe."""
        reading = self.read(recipe, corpus, progress)
        tokens = reading.found.tokens
        weights = reading.weights(progress)
        total = np.bincount(tokens.sentence, weights=weights, minlength=tokens.sentences)
        shares = weights / np.where(total > 0, total, 1.0)[tokens.sentence]
        seen = reading.counts.documents.of(tokens.ids)
        spans = [tokens.span(i) for i in range(len(corpus.sentences))]
        return [
            TokenWeights(
                tuple(tokens.written(span)),
                tuple(tokens.words[span].tolist()),
                shares[span],
                seen[span],
                bool(tokens.truncated[tokens.place[i]]),
            )
            for i, span in enumerate(spans)
        ]

    def _walk(self, recipe: Recipe, corpus: Corpus, work: Work | None = None) -> Walk:
        reference = self.reference(recipe) if recipe.needs_reference() else None
        return Walk(self._kept, recipe, corpus, reference, work or Work(silent))


def _cut_note(tokens: Tokens) -> tuple[str, ...]:
    cut, limit = int(tokens.truncated.sum()), int(tokens.lengths.max(initial=0))
    if not cut:
        return ()
    of = f"{cut:,} of {tokens.sentences:,} sentences"
    return (f"{of} {'is' if cut == 1 else 'are'} longer than {limit} tokens and cut there.",)
