"""The first stages of a recipe: from the source to one vector per sentence.

source → template → layers → tokens → weight → pool
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial

from core.corpora.corpus import Corpus
from core.errors import TooFewSentencesError
from core.pipeline.by_rows import by_rows
from core.pipeline.caches import Caches, Cost
from core.pipeline.pooled_texts import StoredTexts
from core.pipeline.pooling import Allocate, pool_groups
from core.pipeline.weighted_states import Group, WeightedStates
from core.progress import Heard
from core.recipe.options import PoolTokens, Vectors
from core.recipe.plan import Plan
from core.sources.source import Source
from core.sources.token_states import StreamedPass, TokenStates
from core.stages.layers import Fusion, average, resolve
from core.storage.kept_vectors import NotedVectors
from core.storage.keys import key_of
from core.tokens import DocumentFrequencies, Tokens, document_frequencies
from core.tokens.weight_inputs import Needs, WeightInputs
from core.tokens.words import WordShares

Key = tuple[object, ...]
"""All that a result depends on, and nothing else."""


@dataclass(frozen=True, eq=False)
class Request:
    """What the runs of one request share.

    ``target`` is what is embedded. ``reference`` is None where the recipe learns nothing from one.
    ``learns`` is what ``fit=target`` learns from where that is not the target; ``cost`` counts forward
    passes.
    """

    caches: Caches
    target: Corpus
    reference: Corpus | None
    progress: Heard
    cost: Cost
    learns: Corpus | None = None

    def corpus(self, fit: str | None) -> Corpus:
        """The corpus that ``fit=reference`` learns from, or ``fit=target``."""
        if fit != "reference":
            return self.target if self.learns is None else self.learns
        assert self.reference is not None  # noqa: S101  (the engine gives it where a recipe needs it)
        return self.reference


class TokenStages:
    """The stages of a plan up to pooling, on the corpora of a request.

    Raises
    ------
    RecipeError
        A layer, token, head or mask that the source does not have.
    TooFewSentencesError
        A pooling would learn from too few sentences.
    """

    def __init__(self, request: Request, plan: Plan) -> None:
        self._request, self.plan = request, plan
        self._caches, self._passes = request.caches, request.caches.passes
        learns = request.corpus(plan.source_fit) if plan.source_fit else None
        self.source: Source = self._passes.source(plan.recipe.source, plan.template, learns)
        self._states: dict[str, TokenStates] = {}
        self._weighted: dict[str, WeightedStates] = {}
        self._pooled: dict[str, list[NotedVectors]] = {}

    # -- token states, selected and weighted -----------------------------------------------------

    @cached_property
    def fusion(self) -> Fusion:
        """The recipe's layers, and how the states of a token in them become one vector."""
        return resolve(self.plan.recipe.layers, self.source.layers, self.source.name)

    def token_states(self, corpus: Corpus) -> TokenStates:
        """The token states of a corpus; a pass that is not there is made."""
        if corpus.text_digest not in self._states:
            needs, progress = self.plan.weight.needs, self._request.progress
            layers = self.source.layers if Needs.LAYERS in needs else self.fusion.layers
            diagonals = Needs.DIAGONALS in needs
            with advising(self.plan.source_fit):
                states, seconds = self._passes.get(
                    self.source, corpus, progress, layers, diagonals=diagonals
                )
            self._request.cost.add(states, seconds)
            self._states[corpus.text_digest] = states
        return self._states[corpus.text_digest]

    def tokens(self, corpus: Corpus) -> Tokens:
        """The tokens of a corpus; for them alone no pass is made."""
        if corpus.text_digest in self._states or not self.source.is_model:
            return self.token_states(corpus).tokens
        return self._passes.tokens_of(self.source, corpus, self._request.progress)

    def weighted_states(self, corpus: Corpus) -> WeightedStates:
        """The token states of a corpus, its tokens selected and weighted."""
        if corpus.texts_fingerprint not in self._weighted:
            states = self.token_states(corpus)
            reference = self.frequencies("reference") if self.plan.tokens.reference else None
            self._weighted[corpus.texts_fingerprint] = WeightedStates(
                self.plan, states, self.fusion, self._weight_inputs(states), reference, corpus.repeats
            )
        return self._weighted[corpus.texts_fingerprint]

    def _weight_inputs(self, states: TokenStates) -> WeightInputs:
        """What the weight needs to know of words, for the tokens of a corpus."""
        needs, fit, tokens = self.plan.weight.needs, self.plan.weight.fit, states.tokens
        documents = self.frequencies(fit) if Needs.DOCUMENTS in needs else None
        if Needs.WORDS not in needs:
            return WeightInputs(tokens, documents)
        shares, words = self._word_shares(fit), self._passes.words(self.source, tokens)
        return WeightInputs(tokens, documents, shares.p(words), words.wordless, words.begins, shares)

    def frequencies(self, fit: str | None) -> DocumentFrequencies:
        """Document frequencies of the reference, or of the target as it is read, in its template."""
        if fit == "reference":
            corpus = self._request.corpus(fit)
            return self._passes.frequencies(self.source, corpus, self._request.progress)
        learns = self._request.corpus("target")
        key = (self.source.tokenization, learns.texts_fingerprint)
        return self._caches.frequencies.get(
            key, lambda: document_frequencies(self.token_states(learns).tokens, learns.repeats)
        )

    def _word_shares(self, fit: str | None) -> WordShares:
        """Word probabilities of English, of the reference, or of the target as it is read."""
        if fit == "wordfreq":
            return WordShares.english()
        corpus = self._request.corpus(fit)
        if fit == "reference":
            return self._passes.word_shares(self.source, corpus, self._request.progress)
        tokens = self.token_states(corpus).tokens
        words = self._passes.words(self.source, tokens)
        return WordShares.of_corpus(words, tokens.times(corpus.repeats))

    # -- pooling ---------------------------------------------------------------------------------

    def vectors(self, corpus: Corpus) -> Vectors:
        """One vector per sentence of a corpus."""
        layers = [pooled.vectors for pooled in self._pooled_groups(corpus)]
        if len(layers) == 1:
            return layers[0]
        return by_rows(lambda *rows: average(rows), layers, self._passes.store.scratch)

    def pool_apart(self, corpus: Corpus) -> None:
        """Pool each of the recipe's layers by itself, in one reading: tokens are weighed once for all.

        Nothing is done for a weight that looks at the states, which is another one in each layer, for a
        pooling that learns, and where memory has no room for so many vectors.
        """
        layers, plan = self.fusion.layers, self.plan
        alike = plan.pooling.fit is None and Needs.STATES not in plan.weight.needs
        bytes_of_all = len(layers) * self._stored_texts(corpus).bytes_of_group
        if alike and bytes_of_all <= self._caches.pooled.limit:
            self._pooled_of([(i,) for i in layers], corpus)

    def source_notes(self, corpus: Corpus) -> tuple[str, ...]:
        """What a reader must know of the model, and of the token vectors of a table."""
        of_table = () if self.source.is_model else self.token_states(corpus).notes
        return (*self.source.location.notes, *of_table)

    def notes(self, corpus: Corpus) -> tuple[str, ...]:
        """What a reader must know about the vectors of a corpus, once they are computed."""
        pooled = (note for texts in self._pooled_groups(corpus) for note in texts.notes)
        return tuple(dict.fromkeys(pooled))

    def _pooled_groups(self, corpus: Corpus) -> list[NotedVectors]:
        """Pooled texts of each group of layers."""
        if corpus.texts_fingerprint not in self._pooled:
            self._pooled[corpus.texts_fingerprint] = self._pooled_of(self._groups, corpus)
        return self._pooled[corpus.texts_fingerprint]

    def _pooled_of(self, groups: Sequence[Group], corpus: Corpus) -> list[NotedVectors]:
        """Pooled texts of some groups of layers, which are kept in memory."""
        base = self._pooled_key(corpus)

        def pool(missing: Sequence[tuple[Group, Key]]) -> dict[tuple[Group, Key], NotedVectors]:
            pooled = self._pool([group for group, _ in missing], corpus)
            return {(group, base): texts for group, texts in pooled.items()}

        keys = [(group, base) for group in groups]
        pooled = self._caches.pooled.get_many(keys, pool, self._request.progress)
        return [pooled[key] for key in keys]

    @property
    def _groups(self) -> list[Group]:
        """The layers that are averaged before pooling: each by itself where that makes no difference."""
        layers = self.fusion.layers
        return [(i,) for i in layers] if self._separable else [layers]

    @property
    def _separable(self) -> bool:
        """Whether every layer may be pooled by itself and the vectors averaged."""
        states = Needs.STATES in self.plan.weight.needs
        return self.fusion.linear and self.plan.pooling.linear and not states

    def _pool(self, groups: Sequence[Group], corpus: Corpus) -> dict[Group, NotedVectors]:
        """Pooled texts of some groups of layers that are not in memory."""
        stored, progress = self._stored_texts(corpus), self._request.progress
        if stored.large and (kept := stored.found(groups)) is not None:
            return kept
        weighted = self.weighted_states(corpus)

        def pool(some: Sequence[Group], allocate: Allocate) -> dict[Group, NotedVectors]:
            return pool_groups(weighted, self.pooling(), some, progress, allocate)

        stream = weighted.states if isinstance(weighted.states, StreamedPass) else None
        others: list[Group] = []
        if stream and self._separable:  # one reading gives the layers that are not asked for as well
            others = [(i,) for i in stream.layers if (i,) not in groups]
        if stored.large and (kept := stored.in_files(groups, others, pool, progress)) is not None:
            return kept
        if stream is None:
            return stored.in_memory(groups, pool)
        room = self._caches.pooled.limit // max(stored.bytes_of_group, 1)
        return stored.in_tables(groups, others[: max(room - len(groups), 0)], pool, progress)

    def _stored_texts(self, corpus: Corpus) -> StoredTexts:
        """The pooled texts of a corpus that are kept outside memory."""
        shape = len(corpus.sentences), self.source.location.dim
        parts = partial(self._stored_parts, corpus=corpus)
        return StoredTexts(self._passes.store, parts, shape)

    def _stored_parts(self, group: Group, corpus: Corpus) -> Key:
        """What stored pooled texts depend on: precision counts as well."""
        return group, self._pooled_key(corpus), *self._passes.precision

    def pooling(self) -> PoolTokens:
        """The pooling; one that learns has learnt, or learns now."""
        pooling = self.plan.pooling
        if pooling.learn is None:
            pool = pooling.pool
            assert pool is not None  # noqa: S101
            if not pooling.head:
                return pool
            head = self._passes.head(self.source, f"pool={pooling.text}")
            return lambda batch: head(pool(batch))
        learn, corpus = pooling.learn, self._request.corpus(pooling.fit)

        def learnt() -> PoolTokens:
            with advising(pooling.fit):
                return learn(self.weighted_states(corpus).batches(self._request.progress))

        function: PoolTokens = self._caches.learnt.get(
            self._pooling_key(corpus), learnt, self._request.progress
        )
        return function

    # -- keys and costs --------------------------------------------------------------------------

    def key(self, corpus: Corpus) -> Key:
        """What the pooled vectors of a corpus depend on."""
        return (self.fusion.layers, *self._pooled_key(corpus))

    def _pooled_key(self, corpus: Corpus) -> Key:
        """What pooled vectors depend on beside their group of layers."""
        text, learns = self.plan.keyed, self.plan.pooling.fit is not None
        fused = "" if self.fusion.linear else text["layers"]
        learnt = [self._request.corpus(fit).texts_fingerprint for fit in self.plan.fits]
        return (
            *(fused, self.fusion.layers if learns else (), text["pool"], text["weight"], text["tokens"]),
            *(self.source.content, self.source.template, *learnt, corpus.text_digest),
        )

    def _pooling_key(self, corpus: Corpus) -> Key:
        """What a pooling has learnt depends on."""
        return ("pooling", *self._pooled_key(corpus))

    def pending(self, corpus: Corpus) -> dict[str, float]:
        """Seconds of each pass and training that the vectors of a corpus still need, by its key."""
        if self._are_pooled(corpus):
            return {}
        seconds = self._passes.pending(self.source, corpus)
        fit = self.plan.pooling.fit
        if fit is not None and corpus is self._request.target:
            learns = self._request.corpus(fit)
            if self._caches.learnt.peek(self._pooling_key(learns)) is None:
                seconds |= self._passes.pending(self.source, learns) if fit == "reference" else {}
                seconds |= self._pooling_training(learns)
        return seconds

    def trainings(self) -> dict[str, float]:
        """Seconds of each training from the target, done or not, by the key that :meth:`pending` has."""
        seconds = self._passes.training(self.source, self._request.target)
        if self.plan.source_fit != "target":
            seconds = {}
        if self.plan.pooling.fit == "target":
            seconds |= self._pooling_training(self._request.corpus("target"))
        return seconds

    def _pooling_training(self, corpus: Corpus) -> dict[str, float]:
        """Seconds that the pooling takes to learn from a corpus, by a key."""
        seconds = self.plan.pooling.seconds(corpus.vocabulary_size, self.source.location.dim)
        return {key_of(*self._pooling_key(corpus)): seconds} if seconds else {}

    def _are_pooled(self, corpus: Corpus) -> bool:
        """Whether the vectors of a corpus need no token states any more."""
        base, stored = self._pooled_key(corpus), self._stored_texts(corpus)
        return all(
            self._caches.pooled.peek((group, base)) is not None or stored.has(group)
            for group in self._groups
        )


@contextmanager
def advising(fit: str | None) -> Iterator[None]:
    """An error about too few sentences gets the advice for the corpus that is learnt from."""
    try:
        yield
    except TooFewSentencesError as error:
        raise TooFewSentencesError(error.what, fit or "target") from None
