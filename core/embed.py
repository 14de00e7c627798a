"""The road: from sentences and a recipe to sentence vectors and similarities.

    source → template → layers → tokens → weight → pool → mix → post → similarity

One :class:`Road` serves all visitors of an installation. It knows every stage and the stages know
nothing of each other. What it keeps in memory: one pooled vector per text and layer (so that every
set of layers is an addition), finished vectors, and document frequencies.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
from jaxtyping import Float

from core import layers as layer_stage
from core.averaged import Mixed
from core.catalogue import Catalogue
from core.chunks import Pass, StreamedPass
from core.corpus import Corpus
from core.errors import RecipeError, TooFewSentencesError
from core.memo import Memo
from core.options import Choice, Stage
from core.passes import Passes, Source
from core.pooling import Bag, Pooled
from core.postprocessing import least
from core.progress import Progress, silent
from core.reading import Counts, Group, Reading, refuse_mixed_widths
from core.recipe import MIX, POOL, POST, SIMILARITY, SOURCE, TEMPLATE, TOKENS, WEIGHT, Recipe
from core.settings import Settings
from core.store import Store, key_of
from core.tokens import DocumentFrequencies, Tokens, document_frequencies
from core.words import WordShares

Vectors = Float[np.ndarray, "sentence dim"]
Theirs = Float[np.ndarray, "other dim"]
"""Vectors of the reference corpus, in the same space."""


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
        self._pooled: Memo[np.ndarray] = Memo(bytes_of, lambda v: v.nbytes)
        self._vectors: Memo[np.ndarray] = Memo(bytes_of // 2, lambda v: v.nbytes)
        self._corpora: Memo[Corpus] = Memo(8)
        self._frequencies: Memo[DocumentFrequencies] = Memo(16)

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

        ``corpus`` is the target, for a source that learns from it; without one it is said to learn from
        the reference.
        """
        template, learns = TEMPLATE.bind(recipe.template)(), None
        fit = _fit(SOURCE, recipe.source)
        if fit == "target" and corpus is not None:
            learns = corpus
        elif fit or SOURCE.find(recipe.source).traits.get("reference"):
            learns = self.reference(recipe)
        return self.passes.source(recipe.source, template, learns)

    def pending_seconds(self, recipe: Recipe, corpus: Corpus) -> float:
        """About how long the forward passes a recipe still needs would take; 0 when none is."""
        needed = [corpus]
        if recipe.reads_reference():
            needed.append(self.reference(recipe))
        halves = [half for half in (recipe, _other_half(recipe)) if half]
        sources = [self.source(half, corpus) for half in halves]
        seconds = sum(self.passes.pending_seconds(source, c) for source in sources for c in needed)
        return seconds + self._training_seconds(recipe, sources[0], corpus)

    def embed(self, recipe: Recipe, corpus: Corpus, progress: Progress = silent) -> Embedded:
        """The vectors of a corpus' sentences under a recipe.

        Raises
        ------
        RecipeError
            A layer, token, head or mask the source does not have.
        TooFewSentencesError
            A pooling or post-processing step would learn from too few sentences.
        """
        source = self.source(recipe, corpus)
        if recipe.needs_reference():
            self.reference(recipe)  # before any work
        work, other = _Work(progress), _other_half(recipe)
        opened = [
            self._open(half, self.source(half, corpus), corpus, work) for half in (recipe, other) if half
        ]
        if recipe.reads_reference():
            self._open(recipe, source, self.reference(recipe), work)
        key = (str(recipe.replace(similarity="cosine")), *self._identity(recipe, source, corpus))
        vectors = self._vectors.get(key, lambda: self._finish(recipe, source, corpus, work))
        notes = (*_cut_note(opened[0].tokens), *(note for found in opened for note in found.notes))
        return Embedded(vectors, source, work.spent(), notes)

    def similarities(
        self, recipe: Recipe, corpus: Corpus, progress: Progress = silent
    ) -> tuple[Float[np.ndarray, " pair"], Embedded]:
        """The similarity of each pair of a corpus, and the vectors it was computed from."""
        embedded = self.embed(recipe, corpus, progress)
        compare = SIMILARITY.bind(recipe.similarity)
        u, v = (embedded.vectors[side] for side in (corpus.first, corpus.second))
        return compare(u, v), embedded

    def token_weights(
        self, recipe: Recipe, corpus: Corpus, progress: Progress = silent
    ) -> list[TokenWeights]:
        """For each sentence of a corpus, its tokens and the weight each gets under a recipe."""
        source, work = self.source(recipe, corpus), _Work(progress)
        reading = self._read(recipe, source, corpus, corpus, work)
        tokens = reading.found.tokens
        weights = reading.weights(progress)
        total = np.bincount(tokens.sentence, weights=weights, minlength=tokens.sentences)
        shares = weights / np.where(total > 0, total, 1.0)[tokens.sentence]
        frequencies = reading.counts.documents
        seen = frequencies.of(tokens.ids)
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

    # -- the stages, in order --------------------------------------------------------------------

    def _finish(self, recipe: Recipe, source: Source, corpus: Corpus, work: _Work) -> Vectors:
        """Everything from the passes to the finished vectors."""
        reference = self.reference(recipe) if recipe.reads_reference() else None
        vectors, theirs = self._mix(recipe, source, corpus, reference, work)
        for number, choice in enumerate(recipe.post):
            step = POST.bind(choice)()
            if reference is not None and _fit(POST, choice) == "reference":
                _refuse_too_few(choice, reference, theirs.shape[1], "reference")
                rows = theirs[reference.positions]
            else:
                _refuse_too_few(choice, corpus, vectors.shape[1], "target")
                rows = vectors[corpus.positions]
            if POST.find(choice).traits.get("trained"):
                step = self._train(step, rows, self._training_key(recipe, source, corpus, number), work)
            else:
                step.fit(rows)
            vectors = np.asarray(step.transform(vectors), np.float32)
            if reference is not None:
                theirs = np.asarray(step.transform(theirs), np.float32)
        return vectors

    def _train(self, step: Any, rows: Vectors, key: str, work: _Work) -> Any:
        """A step that takes long to learn: taken from the store, or trained and kept there."""
        step.progress = work.progress
        return step.restore(self.store.table(key, lambda: step.fit(rows).arrays()))

    def _training_key(self, recipe: Recipe, source: Source, corpus: Corpus, number: int) -> str:
        """What a trained step depends on: the recipe up to it, and the texts."""
        before = replace(recipe, post=recipe.post[: number + 1], similarity=Choice("cosine"))
        return "trained-" + key_of(before.spelled(), self._identity(recipe, source, corpus))

    def _training_seconds(self, recipe: Recipe, source: Source, corpus: Corpus) -> float:
        """About how long the steps that are still to be trained take."""
        seconds = 0.0
        for number, choice in enumerate(recipe.post):
            key = self._training_key(recipe, source, corpus, number)
            if POST.find(choice).traits.get("trained") and not self.store.has_table(key):
                learner = self.reference(recipe) if _fit(POST, choice) == "reference" else corpus
                rows, dim = len(learner.positions), source.location.dim
                seconds += POST.bind(choice)().seconds(rows, dim)
        return seconds

    def _mix(
        self, recipe: Recipe, source: Source, corpus: Corpus, reference: Corpus | None, work: _Work
    ) -> tuple[Vectors, Theirs]:
        """Vectors before post-processing, of the corpus and of the reference (empty when not asked)."""
        own = self._both(recipe, source, corpus, reference, work)
        other = _other_half(recipe)
        if other is None:
            return own
        w = np.float32(MIX.bind(recipe.mix)().w)
        averaged = self._both(other, self.source(other, corpus), corpus, reference, work)
        target, theirs = (a * (1 - w) + b * w for a, b in zip(own, averaged, strict=True))
        return target, theirs

    def _both(
        self, recipe: Recipe, source: Source, corpus: Corpus, reference: Corpus | None, work: _Work
    ) -> tuple[Vectors, Theirs]:
        """Pooled vectors of the corpus, and of the reference; a pooling learns from one of them."""
        reading = self._read(recipe, source, corpus, corpus, work)
        if reference is None:
            pooling = _learnt(recipe, reading, work)
            target = self._pool(recipe, source, corpus, reading, pooling, "target", work)
            return target, target[:0]
        theirs = self._read(recipe, source, reference, corpus, work)
        learner = theirs if _fit(POOL, recipe.pool) == "reference" else reading
        pooling = _learnt(recipe, learner, work)
        target, other = (
            self._pool(recipe, source, corpus, read, pooling, role, work)
            for read, role in ((reading, "target"), (theirs, "reference"))
        )
        return target, other

    def _pool(
        self,
        recipe: Recipe,
        source: Source,
        corpus: Corpus,
        reading: Reading,
        pooling: Callable[[], Callable[[Bag], Pooled]],
        role: str,
        work: _Work,
    ) -> Vectors:
        """One vector per text of a reading, in the order of the list; kept by group of layers."""
        wanted = reading.fusion.layers
        separable = reading.separable and POOL.find(recipe.pool).traits.get("linear")
        stages = tuple(stage.text(getattr(recipe, stage.name)) for stage in (TOKENS, WEIGHT, POOL))
        if not reading.fusion.linear:
            stages = (recipe.spelled()["layers"], *stages)
        base = (stages, self._identity(recipe, source, corpus), role)
        groups: list[Group] = [(i,) for i in wanted] if separable else [wanted]
        kept = {group: self._pooled.peek((group, base)) for group in groups}
        missing = [group for group, vectors in kept.items() if vectors is None]
        if missing:
            if isinstance(reading.found, StreamedPass) and separable:  # one reading answers for every layer
                missing = [(i,) for i in reading.found.layers]
            pooled = reading.pool(pooling(), missing, work.progress)
            for group in pooled:
                self._pooled.put((group, base), pooled[group])
            kept.update(pooled)
        parts = [vectors for group in groups if (vectors := kept[group]) is not None]
        refuse_mixed_widths(parts)
        return parts[0] if len(parts) == 1 else sum(parts[1:], parts[0]) / np.float32(len(parts))

    def _open(self, recipe: Recipe, source: Source, corpus: Corpus, work: _Work) -> Pass:
        fusion = self._fusion(recipe, source)
        needs = WEIGHT.find(recipe.weight).traits.get("needs")
        layers = self.passes.layers(source) if needs == "layers" else fusion.layers
        diagonals = needs == "diagonals"
        return work.took(*self.passes.get(source, corpus, work.progress, layers, diagonals=diagonals))

    def _read(self, recipe: Recipe, source: Source, corpus: Corpus, target: Corpus, work: _Work) -> Reading:
        """A corpus as the recipe reads it; ``target`` is what fit=target learns from."""
        found = self._open(recipe, source, corpus, work)
        counts = self._counts(recipe, source, found, target, work)
        return Reading(recipe, found, self._fusion(recipe, source), counts, corpus.repeats)

    def _fusion(self, recipe: Recipe, source: Source) -> layer_stage.Fusion:
        return layer_stage.resolve(recipe.layers, self.passes.layers(source), source.name)

    def _counts(self, recipe: Recipe, source: Source, found: Pass, target: Corpus, work: _Work) -> Counts:
        """What the recipe's weights and choice of tokens know of words, for the tokens of a pass."""
        fit, select = _fit(WEIGHT, recipe.weight), TOKENS.find(recipe.tokens).traits.get("reference")
        reference = None
        if select or fit == "reference":
            reference = self.passes.frequencies(source, self.reference(recipe), work.progress)
        key = (source.cutting, target.fingerprint)

        def count() -> DocumentFrequencies:
            return document_frequencies(self._open(recipe, source, target, work).tokens, target.repeats)

        own = self._frequencies.get(key, count)
        documents = reference if reference is not None and fit == "reference" else own
        counts = Counts(documents, reference if select else None)
        if WEIGHT.find(recipe.weight).traits.get("needs") != "words":
            return counts
        if fit == "wordfreq":
            shares = WordShares.english()
        else:
            learner = self.reference(recipe) if fit == "reference" else target
            shares = self.passes.word_shares(source, learner, work.progress)
        return replace(counts, p=shares.p(self.passes.words(source, found.tokens)), shares=shares)

    def _identity(self, recipe: Recipe, source: Source, corpus: Corpus) -> tuple[str, ...]:
        """What results depend on beside the recipe's text."""
        other = self.reference(recipe).fingerprint if recipe.needs_reference() else ""
        return (source.revision, source.template, corpus.fingerprint, other)


@dataclass
class _Work:
    """What one request has cost so far, and whom to tell."""

    progress: Progress
    seconds: float = 0.0
    streams: dict[int, tuple[StreamedPass, float]] = field(default_factory=dict)

    def took(self, found: Pass, seconds: float) -> Pass:
        """Count the seconds that getting a pass took; a stream's go on counting."""
        self.seconds += seconds
        if isinstance(found, StreamedPass):
            self.streams.setdefault(id(found), (found, found.seconds))
        return found

    def spent(self) -> float:
        """Seconds of forward passes."""
        return self.seconds + sum(stream.seconds - before for stream, before in self.streams.values())


def _other_half(recipe: Recipe) -> Recipe | None:
    """The recipe whose vectors are mixed in: this one, on averaged token vectors."""
    mixed = MIX.bind(recipe.mix)()
    if not isinstance(mixed, Mixed):
        return None
    if isinstance(model := SOURCE.bind(recipe.source)(), str):
        averaged = Choice("averaged", (("model", model), ("least", mixed.least)))
        return replace(recipe, source=averaged, mix=Choice("none"))
    raise RecipeError(f"mix=averaged needs a model as source; got source={SOURCE.text(recipe.source)}.")


def _learnt(recipe: Recipe, learner: Reading, work: _Work) -> Callable[[], Callable[[Bag], Pooled]]:
    """The pooling, learnt from ``learner`` when it is first asked for, if it learns at all."""
    pooling = POOL.bind(recipe.pool)
    if not POOL.find(recipe.pool).traits.get("fitted"):
        return lambda: pooling
    return cache(lambda: pooling(learner.bags(work.progress)))


def _fit(stage: Stage, choice: Choice) -> str | None:
    """What a choice learns from: target, reference, or None when it learns nothing."""
    return stage.arguments(choice).get("fit")


def _refuse_too_few(choice: Choice, corpus: Corpus, dim: int, fit: str) -> None:
    need, got = least(choice, dim), len(corpus.sentences)
    if got >= need:
        return
    if fit == "target":
        advice = "Learn it from the reference corpus instead: fit=reference."
    else:
        advice = "Take a larger reference corpus."
    raise TooFewSentencesError(
        f"post={POST.text((choice,))} would be learnt from {got:,} different sentences; it needs "
        f"{need:,} or its result is an artefact (from two, every cosine is -1). {advice}"
    )


def _cut_note(tokens: Tokens) -> tuple[str, ...]:
    cut, limit = int(tokens.truncated.sum()), int(tokens.lengths.max(initial=0))
    if not cut:
        return ()
    of = f"{cut:,} of {tokens.sentences:,} sentences"
    return (f"{of} {'is' if cut == 1 else 'are'} longer than {limit} tokens and cut there.",)
