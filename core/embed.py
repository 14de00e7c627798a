"""The road: from sentences and a recipe to sentence vectors and similarities.

    source → layers → tokens → weight → pool → post → similarity

One :class:`Road` serves all visitors of an installation. It knows every stage and the stages know
nothing of each other. What it keeps in memory: one pooled vector per text and layer (so that every
set of layers is an addition), finished vectors, and document frequencies.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core import layers as layer_stage
from core.catalogue import Catalogue
from core.corpus import Corpus
from core.errors import RecipeError, TooFewSentencesError
from core.memo import Memo
from core.options import Choice, Stage
from core.passes import Pass, Passes, Source, StreamedPass, chunks
from core.pooling import Bag
from core.postprocessing import least
from core.progress import Progress, silent
from core.recipe import POOL, POST, SIMILARITY, TOKENS, WEIGHT, Recipe
from core.selection import keep_some
from core.settings import Settings
from core.store import Store
from core.tokens import DocumentFrequencies, Tokens, document_frequencies
from core.weighting import never_all_zero

Vectors = Float[np.ndarray, "sentence dim"]


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

    def pending_seconds(self, recipe: Recipe, corpus: Corpus) -> float:
        """About how long the forward passes a recipe still needs would take; 0 when none is."""
        source = self.passes.source(recipe.source)
        needed = [corpus]
        if recipe.post_needs_reference():
            needed.append(self.reference(recipe))
        return sum(self.passes.pending_seconds(source, c) for c in needed)

    def embed(self, recipe: Recipe, corpus: Corpus, progress: Progress = silent) -> Embedded:
        """The vectors of a corpus' sentences under a recipe.

        Raises
        ------
        RecipeError
            A layer or token the source does not have.
        TooFewSentencesError
            A post-processing step would learn from too few sentences.
        """
        source = self.passes.source(recipe.source)
        reference = self.reference(recipe) if recipe.needs_reference() else None  # before any work
        found, seconds = self._pass(recipe, source, corpus, progress)
        other: tuple[Corpus, Pass] | None = None
        if reference is not None and recipe.post_needs_reference():
            other_pass, more = self._pass(recipe, source, reference, progress)
            other, seconds = (reference, other_pass), seconds + more
        passes = [found, other[1]] if other else [found]
        streamed = [p for p in passes if isinstance(p, StreamedPass)]
        before = sum(p.seconds for p in streamed)
        key = (str(recipe.replace(similarity="cosine")), *self._identity(recipe, source, corpus))
        vectors = self._vectors.get(
            key, lambda: self._finish(recipe, source, corpus, found, other, progress)
        )
        seconds += sum(p.seconds for p in streamed) - before
        notes = _cut_note(found.tokens) if found.tokens.truncated.any() else ()
        return Embedded(vectors, source, seconds, notes)

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
        source = self.passes.source(recipe.source)
        found, _ = self._pass(recipe, source, corpus, progress)
        tokens = found.tokens
        frequencies = self._weight_frequencies(recipe, source, corpus, found, progress)
        weights, _ = _weigh(recipe, tokens, frequencies)
        total = np.bincount(tokens.sentence, weights=weights, minlength=tokens.sentences)
        shares = weights / np.where(total > 0, total, 1.0)[tokens.sentence]
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

    def _pass(
        self, recipe: Recipe, source: Source, corpus: Corpus, progress: Progress
    ) -> tuple[Pass, float]:
        layers = self._layers(recipe, source)
        return self.passes.get(source, corpus, progress, layers)

    def _layers(self, recipe: Recipe, source: Source) -> tuple[int, ...]:
        return layer_stage.resolve(recipe.layers, self.passes.layers(source), source.name)

    def _weight_frequencies(
        self, recipe: Recipe, source: Source, corpus: Corpus, found: Pass, progress: Progress
    ) -> DocumentFrequencies:
        if _fit(WEIGHT, recipe.weight) == "reference":
            return self.passes.frequencies(source, self.reference(recipe), progress)
        key = (source.location.revision, corpus.fingerprint)
        return self._frequencies.get(key, lambda: document_frequencies(found.tokens, corpus.repeats))

    def _finish(
        self,
        recipe: Recipe,
        source: Source,
        corpus: Corpus,
        found: Pass,
        other: tuple[Corpus, Pass] | None,
        progress: Progress,
    ) -> Vectors:
        """Everything from the pass to the finished vectors; ``other`` is the reference, if needed."""
        frequencies = self._weight_frequencies(recipe, source, corpus, found, progress)
        scope = self._identity(recipe, source, corpus)
        vectors = self._pool(recipe, source, found, frequencies, (scope, "target"), progress)
        if other is not None:
            reference, other_pass = other
            theirs = self._pool(recipe, source, other_pass, frequencies, (scope, "reference"), progress)
        for choice in recipe.post:
            step = POST.bind(choice)()
            if other is not None and _fit(POST, choice) == "reference":
                _refuse_too_few(choice, reference, theirs.shape[1], "reference")
                step.fit(theirs[reference.positions])
            else:
                _refuse_too_few(choice, corpus, vectors.shape[1], "target")
                step.fit(vectors[corpus.positions])
            vectors = np.asarray(step.transform(vectors), np.float32)
            if other is not None:
                theirs = np.asarray(step.transform(theirs), np.float32)
        return vectors

    def _pool(
        self,
        recipe: Recipe,
        source: Source,
        found: Pass,
        frequencies: DocumentFrequencies,
        scope: tuple[object, ...],
        progress: Progress,
    ) -> Vectors:
        """Layers, tokens, weights and pooling: one vector per text, in the order of the list."""
        wanted = self._layers(recipe, source)
        linear = POOL.find(recipe.pool).traits.get("linear")
        stages = tuple(stage.text(getattr(recipe, stage.name)) for stage in (TOKENS, WEIGHT, POOL))
        base = (stages, scope)
        groups = [(i,) for i in wanted] if linear else [wanted]
        kept = {group: self._pooled.peek((group, base)) for group in groups}
        missing = [group for group, vectors in kept.items() if vectors is None]
        if missing:
            if isinstance(found, StreamedPass) and linear:  # one reading answers for every layer
                missing = [(i,) for i in found.layers]
            pooled = _pool_groups(recipe, source, found, missing, frequencies, progress)
            for group in pooled:
                self._pooled.put((group, base), pooled[group])
            kept.update(pooled)
        parts = [vectors for group in groups if (vectors := kept[group]) is not None]
        _refuse_mixed_widths(parts, source)
        return parts[0] if len(parts) == 1 else sum(parts[1:], parts[0]) / np.float32(len(parts))

    def _identity(self, recipe: Recipe, source: Source, corpus: Corpus) -> tuple[str, ...]:
        """What results depend on beside the recipe's text."""
        other = self.reference(recipe).fingerprint if recipe.needs_reference() else ""
        return (source.revision, corpus.fingerprint, other)


def _weigh(
    recipe: Recipe, tokens: Tokens, frequencies: DocumentFrequencies
) -> tuple[Float[np.ndarray, " token"], np.ndarray]:
    """Each token's weight (0 when not selected), and which tokens are selected."""
    selected = keep_some(TOKENS.bind(recipe.tokens)(tokens), tokens)
    weights = WEIGHT.bind(recipe.weight)(tokens, frequencies)
    return never_all_zero(weights, tokens, selected), selected


def _pool_groups(
    recipe: Recipe,
    source: Source,
    found: Pass,
    groups: list[tuple[int, ...]],
    frequencies: DocumentFrequencies,
    progress: Progress,
) -> dict[tuple[int, ...], Vectors]:
    """One vector per text for each group of layers, averaged over the group before pooling."""
    tokens = found.tokens
    repeats = np.ones(tokens.sentences, int)
    weights, selected = _weigh(recipe, tokens, frequencies)
    pool = POOL.bind(recipe.pool)
    stored: dict[tuple[int, ...], Vectors] = {}
    needed = sorted({i for group in groups for i in group})
    for states in chunks(found, needed, progress):
        span = slice(
            int(tokens.offsets[states.sentences.start]), int(tokens.offsets[states.sentences.stop])
        )
        offsets = tokens.offsets[states.sentences.start : states.sentences.stop + 1] - span.start
        for group in groups:
            layers = [states.layers[i] for i in group]
            _refuse_mixed_widths(layers, source)
            mean = layers[0] if len(layers) == 1 else np.mean(np.stack(layers), axis=0)
            repeated = repeats[tokens.order[states.sentences]]
            cls = tokens.cls[states.sentences]
            bag = Bag(mean, weights[span], selected[span], cls, offsets, tokens.ids[span], repeated)
            pooled = pool(bag)
            if group not in stored:
                stored[group] = np.zeros((tokens.sentences, pooled.shape[1]), np.float32)
            stored[group][states.sentences] = pooled
    if not stored:
        raise RecipeError("No sentence has any token under this model's tokenizer; nothing to embed.")
    return {group: tokens.restore(vectors) for group, vectors in stored.items()}


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


def _refuse_mixed_widths(parts: list[Vectors], source: Source) -> None:
    widths = sorted({part.shape[1] for part in parts})
    if len(widths) > 1:
        raise RecipeError(
            f"layers: {source.name}'s static rows are {widths[0]} or {widths[1]} wide, unlike its "
            "layers; allowed is static alone, or layers from 0."
        )


def _cut_note(tokens: Tokens) -> tuple[str, ...]:
    cut, limit = int(tokens.truncated.sum()), int(tokens.lengths.max())
    of = f"{cut:,} of {tokens.sentences:,} sentences"
    return (f"{of} {'is' if cut == 1 else 'are'} longer than {limit} tokens and cut there.",)
