"""One recipe on one corpus, from token states to finished vectors.

    source → template → layers → tokens → weight → pool → mix → post

A :class:`Run` knows every stage, and the stages do not know each other. A step that learns does so from the
*target*, the corpus that is embedded, or from the *reference*. What a step has learnt is kept under a
key of the recipe up to that step and of the corpora that these steps learn from, so that what is learnt
from the reference is learnt once for all targets.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from core.corpora.corpus import Corpus
from core.errors import TooFewSentencesError, are, counted
from core.pipeline.by_rows import by_rows, take
from core.pipeline.learnt import LEARNT, arrays_of, restored
from core.pipeline.pooling import MANY
from core.pipeline.token_stages import Key, Request, TokenStages
from core.pipeline.weighted_states import WeightedStates
from core.progress import Step
from core.recipe.in_vain import in_vain
from core.recipe.options import MINIMUM_SENTENCES, PoolTokens, Trainable, Transformer, Vectors
from core.recipe.plan import Plan, PostStep
from core.sources.source import Source
from core.stages.mix import Mixed, averaged_half
from core.storage.tables import RECIPE_LIBRARIES, Arrays, TableKind
from core.tokens import DocumentFrequencies, Tokens

TRAINED = TableKind("trained", 1, RECIPE_LIBRARIES, forward=True)
"""What a post-processing step has learnt that takes long to fit."""


class Run:
    """The stages of one plan on the corpora of a request; the plan's similarity is not looked at.

    Raises
    ------
    RecipeError
        A layer, token, head or mask that the source does not have.
    TooFewSentencesError
        A pooling or post-processing step would learn from too few sentences.
    """

    def __init__(self, request: Request, plan: Plan) -> None:
        self._request, self.plan = request, plan
        self._caches, self._passes = request.caches, request.caches.passes
        self._scratch = self._passes.store.scratch
        self._tokens = TokenStages(request, plan)
        self._after: dict[tuple[int, str], Vectors] = {}

    # -- what the engine asks --------------------------------------------------------------------

    @property
    def source(self) -> Source:
        """What the recipe's source and template stand for."""
        return self._tokens.source

    def vectors(self) -> Vectors:
        """The finished vectors of the target, in the order of its sentences."""
        return self._vectors(len(self.plan.steps), self._request.target)

    def pool_apart(self) -> None:
        """Pool each layer of the target by itself; see :meth:`TokenStages.pool_apart`."""
        self._tokens.pool_apart(self._request.target)

    def weighted(self) -> WeightedStates:
        """The target's token states, its tokens selected and weighted."""
        return self._tokens.weighted_states(self._request.target)

    def pooling(self) -> PoolTokens:
        """The pooling, as it has learnt."""
        return self._tokens.pooling()

    def fitted_steps(self) -> tuple[Transformer, ...]:
        """The post-processing steps in order, each as it has learnt."""
        return tuple(self._fitted(number) for number in range(len(self.plan.steps)))

    def document_frequencies(self) -> DocumentFrequencies:
        """The frequencies that the weight learns from; the target's for a weight that learns nothing."""
        return self._tokens.frequencies(self.plan.weight.fit)

    def unknown_id(self) -> int:
        """The id that stands for what the tokenizer does not know; -1 where there is none.

        There is none in a file of word vectors: words that it lacks are left out.
        """
        known = None if self.source.has_words else self._passes.tokenizer(self.source).unk_id
        return -1 if known is None else known

    def notes(self) -> tuple[str, ...]:
        """What a reader must know about the target's vectors, once they are computed."""
        target, stages, half = self._request.target, self._tokens, self._averaged_half
        notes = (
            *_cut_note(stages.tokens(target)),
            *stages.source_notes(target),
            *stages.notes(target),
            *in_vain(self.plan.recipe),
            *self._too_many(),
            *(half.source_notes(target) if half else ()),
        )
        return tuple(dict.fromkeys(notes))

    def _too_many(self) -> Iterator[str]:
        """What a reader must know of steps that ask for more directions than their vectors have."""
        for number, step in enumerate(self.plan.steps):
            if not step.directions:
                continue
            if said := step.too_many(self._vectors(number, self._request.target).shape[1]):
                yield said

    def pending(self) -> dict[str, float]:
        """About how many seconds each forward pass and training takes that is still to be done, by its key.

        What serves twice, in this recipe or in another, counts once.
        """
        seconds = self._pending_before_steps()
        for number, training in self._step_trainings().items():
            learnt = self._caches.learnt.peek(self._step_key(number)) is not None
            if not learnt and not self._passes.store.has_table(TRAINED, self._learnt_parts(number)):
                seconds |= training
        return seconds

    def pending_over(self, times: float) -> float:
        """Seconds of the trainings from the target where all of its rows are learnt from ``times`` over.

        A training that :meth:`pending` counts already is counted once less.
        """
        pending, steps = self.pending(), self._step_trainings()
        trainings = {key: seconds for half in self._halves for key, seconds in half.trainings().items()}
        for number in steps:
            trainings |= steps[number] if self.plan.steps[number].fit == "target" else {}
        return sum(max(times * seconds - pending.get(key, 0.0), 0.0) for key, seconds in trainings.items())

    def _step_trainings(self) -> dict[int, dict[str, float]]:
        """Seconds of each post-processing step that trains, by its number and key, done or not."""
        found = {}
        for number, step in enumerate(self.plan.steps):
            if (transformer := step.trainable) is not None:
                rows = len(self._request.corpus(step.fit).positions)
                seconds = transformer.seconds(rows, self.source.location.dim)
                found[number] = {TRAINED.key(self._learnt_parts(number)): seconds}
        return found

    # -- mixing and post-processing --------------------------------------------------------------

    @cached_property
    def _averaged_half(self) -> TokenStages | None:
        """The stages whose vectors are mixed in: this recipe on averaged token vectors."""
        recipe = averaged_half(self.plan.recipe)
        return None if recipe is None else TokenStages(self._request, Plan.of(recipe))

    def _mixed(self, corpus: Corpus) -> Vectors:
        """The vectors of a corpus before post-processing."""
        vectors, half, mix = self._tokens.vectors(corpus), self._averaged_half, self.plan.mix
        if half is None or not isinstance(mix, Mixed):
            return vectors
        w = np.float32(mix.w)
        return by_rows(lambda v, a: v * (1 - w) + a * w, [vectors, half.vectors(corpus)], self._scratch)

    def _vectors(self, steps: int, corpus: Corpus) -> Vectors:
        """The vectors of a corpus after so many post-processing steps."""
        key = steps, corpus.texts_fingerprint
        if key not in self._after:
            if steps == 0:
                self._after[key] = self._mixed(corpus)
            else:
                transform = self._fitted(steps - 1).transform
                rows = self._vectors(steps - 1, corpus)
                if len(rows) >= MANY:
                    told = f"Applying {self.plan.steps[steps - 1].text} to {len(rows):,} vectors"
                    self._request.progress(Step(told, 0, 0))
                self._after[key] = by_rows(
                    lambda part: np.asarray(transform(part), np.float32), [rows], self._scratch
                )
        return self._after[key]

    def _fitted(self, number: int) -> Transformer:
        """A post-processing step that has learnt from the vectors of its corpus; learnt once, and kept."""
        step = self.plan.steps[number]
        corpus = self._request.corpus(step.fit)

        def fit() -> Transformer:
            if (arrays := self._kept(number)) is not None:
                return restored(step.make(), arrays)
            rows = self._vectors(number, corpus)
            _refuse_too_few(step, int(np.count_nonzero(corpus.repeats)), rows.shape[1])
            transformer, occurrences = step.make(), take(rows, corpus.positions, self._scratch)
            if len(occurrences) >= MANY:
                told = f"Learning {step.text} from {len(occurrences):,} vectors"
                self._request.progress(Step(told, 0, 0))
            if isinstance(transformer, Trainable):
                return self._trained(transformer, occurrences, number)
            transformer.fit(occurrences)
            if step.fit == "reference" and self._passes.settings.ships:
                self._passes.store.put_table(LEARNT, self._learnt_parts(number), arrays_of(transformer))
            return transformer

        fitted: Transformer = self._caches.learnt.get(self._step_key(number), fit, self._request.progress)
        return fitted

    def _kept(self, number: int) -> Arrays | None:
        """What a step has learnt from the reference, where it came with the installation."""
        if self.plan.steps[number].fit != "reference":
            return None
        return self._passes.store.find_table(LEARNT, self._learnt_parts(number))

    def _trained(self, transformer: Trainable, rows: Vectors, number: int) -> Transformer:
        """A trainable step, from the store or trained and stored."""
        transformer.progress = self._request.progress

        def train() -> dict[str, np.ndarray]:
            transformer.fit(rows)
            return transformer.arrays()

        parts = self._learnt_parts(number)
        return transformer.restore(self._passes.store.table(TRAINED, parts, train, self._request.progress))

    # -- keys and costs --------------------------------------------------------------------------

    def _vectors_key(self, steps: int, corpus: Corpus) -> Key:
        """What the vectors of a corpus depend on after so many post-processing steps."""
        half = self._averaged_half
        mixed = (self.plan.keyed["mix"], *half.key(corpus)) if half else ()
        learnt = [
            (step.key, self._request.corpus(step.fit).texts_fingerprint if step.fit else "")
            for step in self.plan.steps[:steps]
        ]
        return (*self._tokens.key(corpus), *mixed, *learnt)

    def _step_key(self, number: int) -> Key:
        """What a post-processing step has learnt depends on."""
        step = self.plan.steps[number]
        corpus = self._request.corpus(step.fit)  # how often each text counts is in its fingerprint
        return ("step", step.key, corpus.texts_fingerprint, *self._vectors_key(number, corpus))

    def _learnt_parts(self, number: int) -> Key:
        """What a step has learnt depends on, for the store, where precision counts as well."""
        return self._step_key(number), *self._passes.precision

    @property
    def _halves(self) -> list[TokenStages]:
        """The stages whose vectors are mixed."""
        return [self._tokens, *([self._averaged_half] if self._averaged_half else [])]

    def _pending_before_steps(self) -> dict[str, float]:
        """Seconds of passes and of what poolings learn, by key: what serves twice counts once."""
        seconds: dict[str, float] = {}
        for corpus in self._corpora():
            for half in self._halves:
                seconds |= half.pending(corpus)
        return seconds

    def _corpora(self) -> Iterator[Corpus]:
        """The corpora whose vectors are needed: the reference's while a step is to learn from them."""
        yield self._request.target
        if self._request.learns is not None:
            yield self._request.learns
        steps = [number for number, step in enumerate(self.plan.steps) if step.fit == "reference"]
        if any(not self._has_learnt(number) for number in steps):
            yield self._request.corpus("reference")

    def _has_learnt(self, number: int) -> bool:
        """Whether what a step learns from the reference is in memory or came with the installation."""
        if self._caches.learnt.peek(self._step_key(number)) is not None:
            return True
        return self._passes.store.has_table(LEARNT, self._learnt_parts(number))


def _refuse_too_few(step: PostStep, sentences: int, dim: int) -> None:
    minimum = step.minimum_sentences(dim)
    if sentences >= minimum:
        return
    fewer = minimum > MINIMUM_SENTENCES and sentences >= MINIMUM_SENTENCES
    raise TooFewSentencesError(
        f"post={step.text} would be learnt from {counted(sentences, 'different sentence')}; it needs "
        f"{minimum:,} or its result is an artefact (from two, every cosine is −1)."
        + (f" Of so many {step.directions} is at most {sentences - 1:,}." if fewer else ""),
        step.fit or "target",
    )


def _cut_note(tokens: Tokens) -> tuple[str, ...]:
    cut, limit = int(tokens.truncated.sum()), int(tokens.lengths.max(initial=0))
    if not cut:
        return ()
    of = f"{cut:,} of {counted(tokens.sentences, 'sentence')}"
    return (f"{of} {are(cut)} longer than {limit} tokens and cut there.",)
