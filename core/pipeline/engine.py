"""From sentences and a recipe to sentence vectors and similarities.

One :class:`Engine` serves all visitors of an installation. It keeps in memory: corpora, pooled vectors by
text and layer (so that every set of layers is an addition), what steps have learnt, document frequencies
and finished vectors. :mod:`core.pipeline.run` follows one recipe on one corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.corpora.catalogue import BUILT_IN_ORIGIN, Catalogue
from core.corpora.corpus import Corpus
from core.corpora.units import LINE, in_sentences, split_all, split_unit
from core.corpora.uploads import Uploads
from core.errors import StrataError, counted
from core.pipeline.caches import Caches, Cost
from core.pipeline.run import Run
from core.pipeline.token_stages import Request, Vectors
from core.pipeline.weighted_states import WeightedStates
from core.progress import Heard, Progress, silent
from core.recipe import SOURCE, Recipe
from core.recipe.options import PoolTokens, Transformer
from core.recipe.plan import Plan
from core.settings import Settings
from core.sources.averaged import Averaged
from core.sources.passes import Passes
from core.sources.random_table import RandomTable
from core.sources.source import Source
from core.spans import spans
from core.stages import layers
from core.storage import json_arrays
from core.storage.kept_recipes import KeptRecipes
from core.storage.memo import Memo
from core.storage.store import Store
from core.storage.tables import Arrays, TableKind
from core.threads import limit_threads

SENTENCES = TableKind("sentences", 1, ("syntok",))
"""The sentences of a corpus of longer texts."""

SPLIT_A_SECOND = 400_000
"""Characters a second in which sentences are found: WikiText-2 has 10.7 million."""

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


@dataclass(frozen=True, eq=False)
class TokenWeights:
    """The tokens of one text with the share of the sentence vector that each one gets.

    ``texts_with`` says in how many texts of the corpus that the weight learns from each token occurs.
    """

    surface_forms: tuple[str, ...]
    words: tuple[int, ...]
    shares: Float[np.ndarray, " token"]
    texts_with: Float[np.ndarray, " token"]
    truncated: bool


@dataclass(frozen=True, eq=False)
class _Finished:
    """Vectors and notes as they are kept."""

    vectors: Vectors
    notes: tuple[str, ...]


class Engine:
    """Follows recipes, for one installation."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings.from_environment()
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
        self._corpora: Memo[Corpus] = Memo(memory // 8)
        self._use(Passes(self.settings, self.store))

    def _use(self, passes: Passes) -> None:
        """Compute from these passes, of which no result is in memory yet."""
        self.passes = passes
        self._caches = Caches(self.settings, passes)
        self._finished: Memo[_Finished] = Memo(self.settings.memory_bytes // 16)

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
        name, unit = split_unit(name)
        entry = (name, *self.catalogue.stamp(name), scale)
        whole = self._corpora.get(entry, lambda: self.catalogue.load(name, scale))
        if unit == LINE:
            return self._corpora.get((entry, split), lambda: whole.take(split))
        heard = Heard(progress)
        return self._corpora.get((entry, unit), lambda: self._in_sentences(whole, heard), heard)

    def reference(self, recipe: Recipe, progress: Progress = silent) -> Corpus:
        """The reference corpus of a recipe, all splits; texts longer than its model takes in pieces."""
        corpus = self.corpus(_reference_name(recipe), "all", progress=progress)
        source = self._reader(recipe)
        if source is None:
            return corpus
        heard = Heard(progress)
        return self._corpora.get(
            _cut_for(source, corpus), lambda: self.passes.in_pieces(source, corpus, heard), heard
        )

    def reference_as_given(self, recipe: Recipe) -> Corpus:
        """The reference corpus of a recipe as its file has it: by lines, none of them cut."""
        return self.corpus(split_unit(_reference_name(recipe))[0], "all")

    def has_reference(self, recipe: Recipe) -> bool:
        """Whether :meth:`reference` is at hand, or the recipe learns nothing from it.

        Finding the sentences of WikiText-2 takes a minute, cutting its long ones for a model seconds.
        Raises what :meth:`corpus` raises.
        """
        if not recipe.needs_reference():
            return True
        if self.splitting_seconds(recipe):
            return False
        source = self._reader(recipe)
        if source is None:
            return True
        corpus = self.corpus(_reference_name(recipe), "all")
        in_memory = self._corpora.peek(_cut_for(source, corpus)) is not None  # else every text is looked at
        return in_memory or self.passes.is_cut(source, corpus)

    def splitting_seconds(self, recipe: Recipe) -> float:
        """About how long finding the sentences of a recipe's reference takes; 0 where there is no need to.

        Raises what :meth:`corpus` raises.
        """
        if not recipe.needs_reference() or split_unit(_reference_name(recipe))[1] == LINE:
            return 0.0
        given = self.reference_as_given(recipe)
        if self.store.has_table(SENTENCES, (given.texts_fingerprint,)):
            return 0.0
        return sum(map(len, given.sentences)) / SPLIT_A_SECOND

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
            "corpora": self._corpora.bytes,
            "states": self.store.held.bytes,
        }

    def _in_sentences(self, corpus: Corpus, progress: Progress) -> Corpus:
        """The corpus of the sentences of another; they are found once and kept."""

        def find() -> Arrays:
            return {"sentences": json_arrays.as_array(split_all(corpus, progress))}

        kept = self.store.table(SENTENCES, (corpus.texts_fingerprint,), find, progress)
        return in_sentences(corpus, json_arrays.from_array(kept["sentences"]))

    def _reader(self, recipe: Recipe) -> Source | None:
        """A source with the tokenizer of a recipe's, that learns nothing; None where it cannot be found."""
        named, choice = SOURCE.bind(recipe.source)(), recipe.source
        if isinstance(named, Averaged):
            choice = SOURCE.choice_of(named.model)
        elif not isinstance(named, str | RandomTable):
            return None
        try:
            return self.passes.source(choice)
        except StrataError:  # whoever reads with it is told why
            return None

    def reference_notes(self, recipe: Recipe) -> tuple[str, ...]:
        """What a reader must know of what a recipe learns from: that the reference is a demonstration.

        Empty for a recipe that learns nothing from it. Raises :class:`CorpusError` when there is none.
        """
        if not recipe.needs_reference() or (reference := self.reference(recipe)).origin != BUILT_IN_ORIGIN:
            return ()
        size = counted(len(reference.sentences), "sentence")
        return (
            f"The reference {reference.name} is a demonstration ({size}), built in: for results like the "
            "papers', learn from a corpus such as theirs (reference=wikitext-2).",
        )

    def source(self, recipe: Recipe, corpus: Corpus | None = None) -> Source:
        """What a recipe's source and template stand for; no weights are loaded.

        ``corpus`` is the target, for a source that learns from it.
        """
        plan, learns = Plan.of(recipe), None
        if plan.source_fit == "reference":
            learns = self.reference(recipe)
        elif plan.source_fit:
            learns = Corpus.of_texts("no corpus", []) if corpus is None else corpus
        return self.passes.source(recipe.source, plan.template, learns)

    def by_number(self, recipe: Recipe, corpus: Corpus | None = None) -> Recipe:
        """``recipe`` with layers that it averages by their numbers: ``last`` and ``6`` are the same.

        Raises :class:`RecipeError` for a layer that the source does not have.
        """
        return _by_number(recipe, self.source(recipe, corpus))

    def pending_seconds(self, recipe: Recipe, corpus: Corpus) -> float:
        """About how long the forward passes and trainings a recipe still needs would take; 0 for none.

        A reference that is not at hand counts as it is given, which is about as long.
        """
        reference = None if self.has_reference(recipe) else self.reference_as_given(recipe)
        return Run(self._request(recipe, corpus, silent, reference), Plan.of(recipe)).pending_seconds()

    def is_read(self, recipe: Recipe, corpus: Corpus) -> bool:
        """Whether the passes of a recipe's source over a corpus are stored."""
        return self.passes.are_stored(self.source(recipe, corpus), corpus)

    def encode(
        self, texts: Sequence[str], recipe: Recipe | None = None, progress: Progress = silent
    ) -> Vectors:
        """One vector per text under a recipe (all defaults when None), in the order given.

        Raises what :meth:`embed` raises.
        """
        corpus = Corpus.of_texts("texts", texts)
        return self.embed(recipe or Recipe(), corpus, progress).vectors[corpus.rows_of(texts)]

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
        alike = _by_number(recipe.replace(similarity="cosine"), run.source)
        key = (str(alike), run.source.content, run.source.template, *learnt)

        def finish() -> _Finished:
            return _Finished(run.vectors(), run.notes())

        finished = self._finished.get((*key, corpus.texts_fingerprint), finish, request.progress)
        notes = (*finished.notes, *(self.reference_notes(recipe) if reference is None else ()))
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
        run = self._run(recipe, corpus, progress)
        weighted = run.weighted()
        tokens, weights = weighted.states.tokens, weighted.weights(progress)
        total = np.bincount(tokens.sentence, weights=weights, minlength=tokens.sentences)
        shares = weights / np.where(total > 0, total, 1.0)[tokens.sentence]
        texts_with = run.document_frequencies().of(tokens.ids)
        spans = [tokens.span(i) for i in range(len(corpus.sentences))]
        return [
            TokenWeights(
                tuple(tokens.surface_forms(span)),
                tuple(tokens.words[span].tolist()),
                shares[span],
                texts_with[span],
                bool(tokens.truncated[tokens.place[i]]),
            )
            for i, span in enumerate(spans)
        ]

    def _run(self, recipe: Recipe, corpus: Corpus, progress: Progress = silent) -> Run:
        return Run(self._request(recipe, corpus, progress), Plan.of(recipe))

    def _request(
        self,
        recipe: Recipe,
        corpus: Corpus,
        progress: Progress,
        reference: Corpus | None = None,
        learns: Corpus | None = None,
    ) -> Request:
        if reference is None and recipe.needs_reference():
            reference = self.reference(recipe, progress)
        return Request(self._caches, corpus, reference, Heard(progress), Cost(), learns)


def _reference_name(recipe: Recipe) -> str:
    return str(recipe.reference.arguments[0][1])


def _cut_for(source: Source, corpus: Corpus) -> tuple[object, ...]:
    """What a corpus in pieces is found by in memory: it keeps all but the pairs of the corpus.

    One of which no text is too long is that corpus itself, with its pairs.
    """
    about = (corpus.name, corpus.origin, corpus.notes, corpus.scale)
    return ("pieces", *source.tokenization, *about, corpus.labelled_fingerprint)


def _by_number(recipe: Recipe, source: Source) -> Recipe:
    fusion = layers.resolve(recipe.layers, source.layers, source.name)
    one_name = not fusion.linear or len(source.layers) == 1
    return recipe if one_name else recipe.replace(layers=layers.by_number(fusion.layers))
