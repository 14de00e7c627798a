"""From sentences and a recipe to sentence vectors and similarities.

One :class:`Engine` serves all visitors of an installation. It keeps in memory: corpora, pooled vectors by
text and layer (so that every set of layers is an addition), what steps have learnt, document frequencies
and finished vectors. :mod:`core.pipeline.run` follows one recipe on one corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.corpora.catalogue import Catalogue
from core.corpora.corpus import Corpus
from core.corpora.given import listed
from core.corpora.uploads import Uploads
from core.pipeline.caches import Caches, Cost
from core.pipeline.corpora import Corpora
from core.pipeline.references import References
from core.pipeline.run import Run
from core.pipeline.token_stages import Request
from core.pipeline.token_weights import TokenWeights, token_weights
from core.pipeline.weighted_states import WeightedStates
from core.progress import Heard, Progress, silent
from core.recipe import Recipe
from core.recipe.options import PoolTokens, Transformer, Vectors
from core.recipe.plan import Plan
from core.settings import Settings
from core.sources.passes import Passes
from core.sources.source import Source
from core.spans import spans
from core.stages import layers
from core.storage.kept_recipes import KeptRecipes
from core.storage.kept_vectors import NotedVectors
from core.storage.memo import Memo
from core.storage.store import Store
from core.storage.tables import Arrays, TableKind
from core.threads import leave_cores_while_waiting, limit_threads

COMPARED_BYTES = 200_000
"""Bytes of the vectors that are compared at once: in float64 they stay near the processor."""


@dataclass(frozen=True, eq=False)
class Embedded:
    """Sentence vectors in the order of a corpus' sentences.

    ``pass_seconds`` is what making passes took just now, 0 when all were stored; ``notes`` says what a
    reader must know: sentences that were cut, sentences that a stage leaves without tokens or weights.
    """

    vectors: Vectors
    source: Source
    pass_seconds: float
    notes: tuple[str, ...]


class Engine:
    """Follows recipes, for one installation.

    ``references`` gives what recipes learn from, ``passes`` token states. In another process, as joblib and
    Dask send it, it is the engine there on the same settings (:func:`core.pipeline.encode.engine_of`):
    models and results in memory stay behind, what is stored is found.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings.from_environment()
        leave_cores_while_waiting()
        if self.settings.threads is not None:
            limit_threads(self.settings.threads)
        memory = self.settings.memory_bytes
        self.store = Store(
            self.settings.cache,
            self.settings.budget_bytes,
            memory // 16,
            self.settings.shipped,
            memory // 4,
        )
        closed = self.settings.read_only
        self.uploads = Uploads(
            self.settings.cache / "uploads", self.settings.uploads_bytes, self.settings.upload_bytes, closed
        )
        self.kept_recipes = KeptRecipes(self.settings.cache / "recipes" / "kept.json", closed)
        self.catalogue = Catalogue(self.settings.data, self.uploads, self.settings.trust)
        self._corpora = Corpora(self.catalogue, self.store, memory // 8)
        self._use(Passes(self.settings, self.store))

    def __reduce__(self) -> tuple[Callable[[Settings], Engine], tuple[Settings]]:
        """What pickle keeps of it: its settings."""
        from core.pipeline.encode import engine_of

        return engine_of, (self.settings,)

    def __copy__(self) -> Engine:
        """Another one that shares all."""
        other = object.__new__(Engine)
        vars(other).update(vars(self))
        return other

    def _use(self, passes: Passes) -> None:
        """Compute from these passes, of which no result is in memory yet."""
        self.passes, self.references = passes, References(self._corpora, passes)
        self._caches = Caches(self.settings, passes)
        self._finished: Memo[NotedVectors] = Memo(self.settings.memory_bytes // 16)

    def without_results(self) -> Engine:
        """The same engine with models and corpora in memory and nothing that is computed from them."""
        other = copy(self)
        other._use(self.passes.without_results())
        return other

    def corpus(
        self,
        name: str,
        split: str | None = None,
        scale: tuple[float, float] | None = None,
        progress: Progress = silent,
    ) -> Corpus:
        """A corpus by name or path, restricted to a split (test by default, where there is one).

        ``scale`` is the range of its gold scores. A file is read again when it changed. A name with a unit
        (:mod:`core.corpora.units`) is the corpus of its sentences, without pairs and splits.
        """
        return self._corpora.get(name, split, scale, progress)

    def shipped_table(
        self, kind: TableKind, parts: Sequence[object], compute: Callable[[], Arrays]
    ) -> Arrays:
        """Arrays that come with the installation, or else are computed.

        They are kept only where results for the installation are made (:attr:`Settings.ships`).
        """
        if (arrays := self.store.find_table(kind, parts)) is not None:
            return arrays
        arrays = compute()
        if self.settings.ships:
            self.store.put_table(kind, parts, arrays)
        return arrays

    def bytes_in_memory(self) -> dict[str, int]:
        """The bytes of the results that it keeps in memory, by kind; loaded models are not counted."""
        return {
            "vectors": self._finished.bytes + self._caches.pooled.bytes,
            "learnt": self._caches.learnt.bytes + self._caches.frequencies.bytes,
            "corpora": self._corpora.memory.bytes,
            "states": self.store.held.bytes,
        }

    def source(self, recipe: Recipe, corpus: Corpus | None = None) -> Source:
        """What a recipe's source and template stand for; no weights are loaded.

        ``corpus`` is the target, for a source that learns from it.
        """
        plan, learns = Plan.of(recipe), None
        if plan.source_fit == "reference":
            learns = self.references.of(recipe)
        elif plan.source_fit:
            learns = Corpus.of_texts("no corpus", []) if corpus is None else corpus
        return self.passes.source(recipe.source, plan.template, learns)

    def by_number(self, recipe: Recipe, corpus: Corpus | None = None) -> Recipe:
        """``recipe`` with layers that it averages by their numbers: ``last`` and ``6`` are the same.

        Raises :class:`RecipeError` for a layer that the source does not have.
        """
        return _by_number(recipe, self.source(recipe, corpus))

    def pending(self, recipe: Recipe, corpus: Corpus) -> dict[str, float]:
        """About how many seconds each forward pass and training takes that is still to be done, by its key.

        What several recipes need has one key. A reference that is not at hand counts as it is given, which
        is about as long.
        """
        return self._run_to_ask(recipe, corpus).pending()

    def pending_seconds(self, recipe: Recipe, corpus: Corpus) -> float:
        """About how long all of :meth:`pending` takes; 0 for a recipe that needs nothing more."""
        return sum(self.pending(recipe, corpus).values())

    def pending_over(self, recipe: Recipe, corpus: Corpus, times: float) -> float:
        """Seconds that a recipe's trainings take in a task that learns from labels, beyond :meth:`pending`.

        Such a task has the recipe learn from the training rows of each fold anew. ``times`` is how often
        over it learns from all rows of ``corpus``, in all folds together.
        """
        return self._run_to_ask(recipe, corpus).pending_over(times)

    def is_read(self, recipe: Recipe, corpus: Corpus) -> bool:
        """Whether the passes of a recipe's source over a corpus are stored."""
        return self.passes.are_stored(self.source(recipe, corpus), corpus)

    def encode(
        self, texts: Iterable[str], recipe: Recipe | str = "", progress: Progress = silent
    ) -> Vectors:
        """One vector per text under a recipe or its text (all defaults when empty), in the order given.

        Raises what :meth:`embed` raises, and :class:`CorpusError` for what is no text, or none at all.
        """
        given = listed(texts, "texts")
        corpus = Corpus.of_texts("texts", given)
        return self.embed(Recipe.of(recipe), corpus, progress).vectors[corpus.rows_of(given)]

    def embed(
        self,
        recipe: Recipe,
        corpus: Corpus,
        progress: Progress = silent,
        reference: Corpus | None = None,
        learns: Corpus | None = None,
    ) -> Embedded:
        """The vectors of a corpus' different sentences under a recipe.

        ``reference`` is what it learns from with ``fit=reference``; the corpus that it names when None.
        ``learns`` is what it learns from with ``fit=target``; the corpus itself when None.

        Raises
        ------
        RecipeError
            A layer, token, head or mask the source does not have.
        TooFewSentencesError
            A pooling or post-processing step would learn from too few sentences.
        """
        request = self._request(recipe, corpus, progress, reference, learns)
        run = Run(request, Plan.of(recipe))
        taught = (request.reference, request.learns)
        learnt = ["" if one is None else one.texts_fingerprint for one in taught]
        without_similarity = _by_number(recipe.replace(similarity="cosine"), run.source)
        key = (str(without_similarity), run.source.content, run.source.template, *learnt)

        def finish() -> NotedVectors:
            return NotedVectors(run.vectors(), run.notes())

        finished = self._finished.get((*key, corpus.texts_fingerprint), finish, request.progress)
        notes = (*finished.notes, *(self.references.notes(recipe) if reference is None else ()))
        return Embedded(finished.vectors, run.source, request.cost.total, notes)

    def pool_layers(self, recipe: Recipe, corpus: Corpus, progress: Progress = silent) -> None:
        """Pool every layer of a recipe's source by itself, for recipes that differ from it in layers alone.

        One reading weighs the tokens for all layers. Nothing is done where that would save nothing, as for
        a weight that looks at the states. Raises what :meth:`embed` raises.
        """
        every = recipe.replace(layers=layers.by_number(self.source(recipe, corpus).layers))
        self._run(every, corpus, progress).pool_apart()

    def similarities(
        self, recipe: Recipe, corpus: Corpus, progress: Progress = silent
    ) -> tuple[Float[np.ndarray, " pair"], Embedded]:
        """The similarity of each pair of a corpus, none of one without pairs, and the vectors it is of."""
        embedded = self.embed(recipe, corpus, progress)
        if not len(corpus.second):  # rows with a label have one text each
            return np.empty(0, np.float32), embedded
        compare, vectors = Plan.of(recipe).compare, embedded.vectors
        parts = [
            compare(vectors[corpus.first[pairs]], vectors[corpus.second[pairs]])
            for pairs in spans(corpus.rows, vectors.itemsize * vectors.shape[1], COMPARED_BYTES)
        ]
        return np.concatenate(parts), embedded

    def weighted_states(
        self, recipe: Recipe, corpus: Corpus, progress: Progress = silent
    ) -> WeightedStates:
        """The token states of a corpus under a recipe, its tokens selected and weighted."""
        return self._run(recipe, corpus, progress).weighted()

    def fitted_pooling(self, recipe: Recipe, corpus: Corpus, progress: Progress = silent) -> PoolTokens:
        """The pooling of a recipe on a corpus, as it has learnt.

        Raises what :meth:`embed` raises.
        """
        return self._run(recipe, corpus, progress).pooling()

    def fitted_steps(
        self, recipe: Recipe, corpus: Corpus, progress: Progress = silent
    ) -> tuple[Transformer, ...]:
        """The post-processing steps of a recipe on a corpus, in order, each as it has learnt.

        Raises what :meth:`embed` raises.
        """
        return self._run(recipe, corpus, progress).fitted_steps()

    def token_weights(
        self, recipe: Recipe, corpus: Corpus, progress: Progress = silent
    ) -> list[TokenWeights]:
        """For each sentence of a corpus, its tokens and the weight each gets under a recipe."""
        return token_weights(self._run(recipe, corpus, progress), progress)

    def _run(self, recipe: Recipe, corpus: Corpus, progress: Progress) -> Run:
        return Run(self._request(recipe, corpus, progress), Plan.of(recipe))

    def _run_to_ask(self, recipe: Recipe, corpus: Corpus) -> Run:
        """A run to be asked for times alone: a reference that is not at hand is the one of its file."""
        reference = None if self.references.at_hand(recipe) else self.references.as_given(recipe)
        return Run(self._request(recipe, corpus, silent, reference), Plan.of(recipe))

    def _request(
        self,
        recipe: Recipe,
        corpus: Corpus,
        progress: Progress,
        reference: Corpus | None = None,
        learns: Corpus | None = None,
    ) -> Request:
        if reference is None and recipe.needs_reference():
            reference = self.references.of(recipe, progress)
        return Request(self._caches, corpus, reference, Heard(progress), Cost(), learns)


def _by_number(recipe: Recipe, source: Source) -> Recipe:
    fusion = layers.resolve(recipe.layers, source.layers, source.name)
    one_name = not fusion.linear or len(source.layers) == 1
    return recipe if one_name else recipe.replace(layers=layers.by_number(fusion.layers))
