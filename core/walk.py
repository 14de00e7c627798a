"""One recipe on one corpus, from its source to the finished vectors.

    source → template → layers → tokens → weight → pool → mix → post

A :class:`Walk` knows every stage and the stages know nothing of each other. A turning that learns does so
from the *target*, the corpus that is embedded, or from the *reference*; when it learns from the
reference's vectors, the reference is walked along with the target.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from jaxtyping import Float

from core import layers as layer_stage
from core.averaged import averaged_half
from core.chunks import Pass, StreamedPass
from core.corpus import Corpus
from core.errors import TooFewSentencesError
from core.memo import Memo
from core.options import Choice, Stage
from core.passes import Passes, Source
from core.pooling import Bag, Pooled
from core.postprocessing import least
from core.progress import Progress
from core.reading import Counts, Group, Reading, refuse_mixed_widths
from core.recipe import MIX, POOL, POST, SOURCE, TEMPLATE, TOKENS, WEIGHT, Recipe
from core.store import key_of
from core.tokens import DocumentFrequencies, document_frequencies
from core.words import WordShares

Vectors = Float[np.ndarray, "sentence dim"]
Theirs = Float[np.ndarray, "other dim"]
"""Vectors of the reference corpus, in the same space; none when it is not walked along."""


@dataclass(frozen=True)
class Kept:
    """What all walks of an installation share: passes, pooled vectors by group of layers, frequencies."""

    passes: Passes
    pooled: Memo[np.ndarray]
    frequencies: Memo[DocumentFrequencies]


@dataclass
class Work:
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


class Walk:
    """The stages of one recipe.

    Parameters
    ----------
    kept
        What all walks share.
    recipe
        The way to go; its similarity is not looked at.
    target
        The corpus to embed.
    reference
        The reference corpus; it must be there when the recipe needs it.
    work
        Counts what the walk costs.

    Raises
    ------
    RecipeError
        A layer, token, head or mask the source does not have.
    TooFewSentencesError
        A pooling or post-processing step would learn from too few sentences.
    """

    def __init__(
        self, kept: Kept, recipe: Recipe, target: Corpus, reference: Corpus | None, work: Work
    ) -> None:
        self._kept, self.recipe, self._work = kept, recipe, work
        self._target, self._reference = target, reference
        template, learns = TEMPLATE.bind(recipe.template)(), None
        if SOURCE.find(recipe.source).traits.get("reference"):
            learns = reference
        elif fit := _fit(SOURCE, recipe.source):
            learns = self._corpus(fit)
        self.source: Source = kept.passes.source(recipe.source, template, learns)

    @cached_property
    def fusion(self) -> layer_stage.Fusion:
        """The recipe's layers, and how they become one."""
        return layer_stage.resolve(
            self.recipe.layers, self._kept.passes.layers(self.source), self.source.name
        )

    @cached_property
    def other_half(self) -> Walk | None:
        """The walk whose vectors are mixed in: this recipe, on averaged token vectors."""
        recipe = averaged_half(self.recipe)
        if recipe is None:
            return None
        return Walk(self._kept, recipe, self._target, self._reference, self._work)

    @property
    def identity(self) -> tuple[str, ...]:
        """What results depend on beside the recipe's text."""
        other = self._corpus("reference").fingerprint if self.recipe.needs_reference() else ""
        return (self.source.revision, self.source.template, self._target.fingerprint, other)

    def pending_seconds(self) -> float:
        """About how long the forward passes and trainings take that are still to be done."""
        seconds = sum(self._pending_passes().values())
        for number, choice in enumerate(self.recipe.post):
            if POST.find(choice).traits.get("trained"):
                if not self._kept.passes.store.has_table(self._training_key(number)):
                    rows = len(self._corpus(_fit(POST, choice) or "target").positions)
                    seconds += POST.bind(choice)().seconds(rows, self.source.location.dim)
        return seconds

    def _pending_passes(self) -> dict[str, float]:
        """Seconds of each pass that is still to be made, by its key: one that serves twice counts once."""
        corpora = [self._target]
        if self.recipe.reads_reference():
            corpora.append(self._corpus("reference"))
        found = self.other_half._pending_passes() if self.other_half else {}
        for corpus in corpora:
            found |= self._kept.passes.pending(self.source, corpus)
        return found

    def open(self) -> list[Pass]:
        """The passes that are needed, made where they are not there; the target's own comes first."""
        opened = [self._open(self._target)]
        if self.recipe.reads_reference():
            self._open(self._corpus("reference"))
        return opened + (self.other_half.open() if self.other_half else [])

    def read(self) -> Reading:
        """The target as the recipe reads it."""
        return self._read(self._target)

    def finish(self) -> Vectors:
        """The finished vectors of the target, in the order of its sentences."""
        vectors, theirs = self._mix()
        for number, choice in enumerate(self.recipe.post):
            fit = _fit(POST, choice) or "target"
            corpus, rows = self._corpus(fit), theirs if fit == "reference" else vectors
            _refuse_too_few(choice, corpus, rows.shape[1], fit)
            step = POST.bind(choice)()
            if POST.find(choice).traits.get("trained"):
                step = self._train(step, rows[corpus.positions], number)
            else:
                step.fit(rows[corpus.positions])
            vectors = np.asarray(step.transform(vectors), np.float32)
            if len(theirs):
                theirs = np.asarray(step.transform(theirs), np.float32)
        return vectors

    # -- the stages, last to first ---------------------------------------------------------------

    def _train(self, step: Any, rows: Vectors, number: int) -> Any:
        """A step that takes long to learn: taken from the store, or trained and kept there."""
        step.progress = self._work.progress
        store = self._kept.passes.store
        return step.restore(store.table(self._training_key(number), lambda: step.fit(rows).arrays()))

    def _training_key(self, number: int) -> str:
        """What a trained step depends on: the recipe up to it, and the texts."""
        before = replace(self.recipe, post=self.recipe.post[: number + 1], similarity=Choice("cosine"))
        settings = self._kept.passes.settings
        return "trained-" + key_of(before.spelled(), self.identity, settings.forward, settings.storage)

    def _mix(self) -> tuple[Vectors, Theirs]:
        """Vectors before post-processing."""
        own = self._both()
        if self.other_half is None:
            return own
        w = np.float32(MIX.bind(self.recipe.mix)().w)
        target, theirs = (a * (1 - w) + b * w for a, b in zip(own, self.other_half._both(), strict=True))
        return target, theirs

    def _both(self) -> tuple[Vectors, Theirs]:
        """Pooled vectors of the target, and of the reference; a pooling learns from one of them."""
        reading = self._read(self._target)
        if not self.recipe.reads_reference():
            target = self._pool(reading, self._pooling(reading), "target")
            return target, target[:0]
        theirs = self._read(self._corpus("reference"))
        fit = _fit(POOL, self.recipe.pool)
        pooling = self._pooling(theirs if fit == "reference" else reading)
        target = self._pool(reading, pooling, "target")
        return target, self._pool(theirs, pooling, "reference")

    def _pooling(self, learner: Reading) -> Callable[[Bag], Pooled]:
        """The pooling; one that learns does so from ``learner`` when it meets its first bag."""
        pooling = POOL.bind(self.recipe.pool)
        if not POOL.find(self.recipe.pool).traits.get("fitted"):
            return pooling
        learnt: list[Callable[[Bag], Pooled]] = []

        def late(bag: Bag) -> Pooled:
            if not learnt:
                with _advising(_fit(POOL, self.recipe.pool)):
                    learnt.append(pooling(learner.bags(self._work.progress)))
            return learnt[0](bag)

        return late

    def _pool(self, reading: Reading, pooling: Callable[[Bag], Pooled], role: str) -> Vectors:
        """One vector per text of a reading, in the order of the list; kept by group of layers."""
        wanted, pooled = reading.fusion.layers, self._kept.pooled
        separable = reading.separable and POOL.find(self.recipe.pool).traits.get("linear")
        spelled = self.recipe.spelled()
        stages = [spelled[stage.name] for stage in (TOKENS, WEIGHT, POOL)]
        fused = "" if reading.fusion.linear else spelled["layers"]
        base = (fused, *stages, self.identity, role)
        groups: list[Group] = [(i,) for i in wanted] if separable else [wanted]
        kept = {group: pooled.peek((group, base)) for group in groups}
        missing = [group for group, vectors in kept.items() if vectors is None]
        if missing:
            if isinstance(reading.found, StreamedPass) and separable:  # one reading gives every layer
                missing = [(i,) for i in reading.found.layers]
            made = reading.pool(pooling, missing, self._work.progress)
            for group in made:
                pooled.put((group, base), made[group])
            kept.update(made)
        parts = [vectors for group in groups if (vectors := kept[group]) is not None]
        refuse_mixed_widths(parts)
        return parts[0] if len(parts) == 1 else sum(parts[1:], parts[0]) / np.float32(len(parts))

    def _open(self, corpus: Corpus) -> Pass:
        passes, needs = self._kept.passes, WEIGHT.find(self.recipe.weight).traits.get("needs")
        layers = passes.layers(self.source) if needs == "layers" else self.fusion.layers
        with _advising(_fit(SOURCE, self.recipe.source)):
            found, seconds = passes.get(
                self.source, corpus, self._work.progress, layers, diagonals=needs == "diagonals"
            )
        return self._work.took(found, seconds)

    def _read(self, corpus: Corpus) -> Reading:
        found = self._open(corpus)
        return Reading(self.recipe, found, self.fusion, self._counts(found), corpus.repeats)

    def _counts(self, found: Pass) -> Counts:
        """What the recipe's weights and choice of tokens know of words, for the tokens of a pass."""
        passes, progress = self._kept.passes, self._work.progress
        fit = _fit(WEIGHT, self.recipe.weight)
        selects = TOKENS.find(self.recipe.tokens).traits.get("reference")
        documents, reference = self._target_frequencies(), None
        if selects or fit == "reference":
            reference = passes.frequencies(self.source, self._corpus("reference"), progress)
            documents = reference if fit == "reference" else documents
        counts = Counts(documents, reference if selects else None)
        if WEIGHT.find(self.recipe.weight).traits.get("needs") != "words":
            return counts
        if fit == "reference":
            shares = passes.word_shares(self.source, self._corpus(fit), progress)
        elif fit == "target":
            shares = self._target_shares()
        else:
            shares = WordShares.english()
        return replace(counts, p=shares.p(passes.words(self.source, found.tokens)), shares=shares)

    def _target_frequencies(self) -> DocumentFrequencies:
        def count() -> DocumentFrequencies:
            return document_frequencies(self._open(self._target).tokens, self._target.repeats)

        return self._kept.frequencies.get((self.source.cutting, self._target.fingerprint), count)

    def _target_shares(self) -> WordShares:
        """Shares of the target's words as it is read, in its template."""
        tokens = self._open(self._target).tokens
        times = self._target.repeats[tokens.order][tokens.sentence]
        return WordShares.of_corpus(self._kept.passes.words(self.source, tokens), times)

    def _corpus(self, fit: str) -> Corpus:
        """The corpus that ``fit=target`` or ``fit=reference`` learns from."""
        if fit == "target":
            return self._target
        assert self._reference is not None  # noqa: S101  (the road gives it where it is needed)
        return self._reference


def _fit(stage: Stage, choice: Choice) -> str | None:
    """What a choice learns from: target, reference, or None when it learns nothing."""
    return stage.arguments(choice).get("fit")


@contextmanager
def _advising(fit: str | None) -> Iterator[None]:
    """What is said of too few sentences gives the advice for what is learnt from."""
    try:
        yield
    except TooFewSentencesError as error:
        raise TooFewSentencesError(error.what, fit or "target") from None


def _refuse_too_few(choice: Choice, corpus: Corpus, dim: int, fit: str) -> None:
    need, got = least(choice, dim), len(corpus.sentences)
    if got >= need:
        return
    raise TooFewSentencesError(
        f"post={POST.text((choice,))} would be learnt from {got:,} different sentences; it needs "
        f"{need:,} or its result is an artefact (from two, every cosine is -1).",
        fit,
    )
