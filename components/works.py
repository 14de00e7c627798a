"""Work of the engine: named by what its result depends on, with its cost and the question before it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TypeVar

from components.cached import shared_queue
from components.job import Question
from components.wording import duration_range
from core.analysis import sentence_weights
from core.corpora.built_in import BUILT_IN_ORIGIN
from core.corpora.corpus import PASTED, Corpus
from core.errors import StrataError, counted
from core.evaluation.scoring import Scored, has_similarities, kept_under, score
from core.evaluation.sts import Aggregate
from core.evaluation.tasks.task import TASK, learning_seconds, times_learnt
from core.pipeline.engine import Engine
from core.pipeline.token_weights import TokenWeights
from core.progress import Progress
from core.recipe import SOURCE, TEMPLATE, Recipe
from core.recipe.options import Choice
from core.work import LONG, State, Work

T = TypeVar("T")

_REFERENCE = "reference "

FREE = (BUILT_IN_ORIGIN, PASTED)
"""Origins of corpora that are read without a question."""

IsKept = Callable[[tuple[Hashable, ...]], bool]
"""Tells from what a recipe's results depend on whether one of them is stored."""

Stored = Callable[[Engine, Recipe, Corpus], bool]
"""Whether what is computed of a recipe on a corpus is stored."""


def if_kept(ask: Callable[[], bool]) -> IsKept:
    """``kept`` of :func:`recipe_work` by a question that may raise, as for a recipe that cannot run."""

    def kept(_: object) -> bool:
        try:
            return ask()
        except StrataError:
            return False

    return kept


def has_stored_similarities(engine: Engine, recipe: Recipe, corpus: Corpus) -> bool:
    """Whether the similarities of a corpus' pairs under a recipe are stored."""
    return has_similarities(engine, identity(engine, recipe), corpus)


def recipe_work(
    kind: str,
    what: str,
    engine: Engine,
    recipe: Recipe,
    corpora: Corpus | Sequence[Corpus],
    compute: Callable[[Progress], T],
    *parts: Hashable,
    learning: float = 0.0,
    kept: IsKept = lambda known: False,
) -> Work[T]:
    """Work on a corpus, or on several, under a recipe.

    ``kind`` names what is computed, ``parts`` what it depends on beside ``corpora`` and what
    :func:`identity` says of ``recipe``: of another recipe that it depends on too, and of a reference that
    ``recipe`` itself does not learn from. ``kept`` is given that identity, and tells whether the result is
    stored: then nothing is read for it, and nobody is asked. ``learning`` are its seconds beside those of
    reading.
    """
    corpora = [corpora] if isinstance(corpora, Corpus) else corpora
    known = identity(engine, recipe)
    key = (kind, *known, *map(identity_of, corpora), *parts)
    job = shared_queue().find(key)
    if job is not None and job.state is not State.STOPPED:  # the store is not asked in every run
        return Work(key, what, compute, job.seconds, job.reads)
    if kept(known):
        return Work(key, what, compute)

    def estimate() -> float:
        return learning + sum(pending(engine, [recipe], corpus) for corpus in corpora)

    seconds = estimate()
    read = reads(recipe, corpora) if seconds > learning else frozenset()
    asked = any(asks(engine, [recipe], corpus) for corpus in corpora)
    return Work(key, what, compute, seconds, read, asked and not comes_anyhow(read), estimate)


def on_sides(
    kind: str,
    what: str,
    engine: Engine,
    sides: Mapping[str, Recipe],
    corpus: Corpus,
    compute: Callable[[Engine, Recipe, Corpus, Progress], T],
    *parts: Hashable,
    stored: Stored,
) -> dict[str, Work[T]]:
    """The same work under each recipe, by its side A or B or its name; see :func:`recipe_work`."""
    return {
        side: recipe_work(
            kind,
            f"{what} under {side}",
            engine,
            recipe,
            corpus,
            partial(compute, engine, recipe, corpus),
            *parts,
            kept=if_kept(partial(stored, engine, recipe, corpus)),
        )
        for side, recipe in sides.items()
    }


def scoring(
    engine: Engine, what: str, recipe: Recipe, corpus: Corpus, aggregate: Aggregate
) -> Work[Scored]:
    """A score with its interval; nothing is read where its similarities are kept."""
    compute = partial(score, engine, recipe, corpus, aggregate)
    kept = partial(has_similarities, engine, corpus=corpus)
    return recipe_work("score", what, engine, recipe, corpus, compute, aggregate, kept=kept)


def preparing(engine: Engine, recipe: Recipe) -> Work[bool] | None:
    """Getting the reference of a recipe ready, by sentences or in pieces; None where it is at hand.

    Other work that needs it is named by it: it can be asked for once this is done. Gives True.
    """
    if engine.references.at_hand(recipe):
        return None

    def compute(progress: Progress) -> bool:
        engine.references.of(recipe, progress)
        return True

    spelled, given = recipe.spelled(), engine.references.as_given(recipe)
    name = spelled["reference"]
    return Work(
        ("reference", spelled[SOURCE.name], name, given.fingerprint),
        f"Getting the reference {name} ready, once",
        compute,
        engine.references.splitting_seconds(recipe),
        frozenset({("reference", name)}),
    )


def token_weights(
    engine: Engine, what: str, recipe: Recipe, corpus: Corpus, *parts: Hashable
) -> Work[list[TokenWeights]]:
    """The tokens of each sentence with their weights."""
    compute = partial(sentence_weights.of_sentences, engine, recipe, corpus)
    kept = if_kept(partial(sentence_weights.come_along, engine, recipe, corpus))
    return recipe_work("weights", what, engine, recipe, corpus, compute, *parts, kept=kept)


def identity(engine: Engine, recipe: Recipe) -> tuple[Hashable, ...]:
    """What results depend on beside the corpus; a recipe that cannot run is told by its reason."""
    try:
        return tuple(kept_under(engine, recipe).values())
    except StrataError as error:
        return (str(recipe), str(error))


def identity_of_options(engine: Engine, recipes: Sequence[Recipe]) -> tuple[Hashable, ...]:
    """The same of recipes that differ in a stage which says nothing of what is read."""
    return (*identity(engine, recipes[0]), reference_of(engine, recipes[0]), *map(str, recipes))


def identity_of(corpus: Corpus) -> tuple[Hashable, ...]:
    """What results depend on of a corpus: its content, labels and scale, and the names that they show."""
    return (corpus.name, corpus.split_name, corpus.labelled_fingerprint, corpus.scale)


def reference_of(engine: Engine, recipe: Recipe) -> str:
    """The fingerprint of a recipe's reference; empty when there is none of that name."""
    try:
        return engine.references.of(recipe).fingerprint
    except StrataError:
        return ""


def reads(recipe: Recipe, corpora: Iterable[Corpus]) -> frozenset[Hashable]:
    """The passes over corpora and the reference that a recipe needs: work that shares one takes turns."""
    spelled = recipe.spelled()
    model = (spelled[SOURCE.name], spelled[TEMPLATE.name])
    names = [corpus.fingerprint for corpus in corpora]
    names += [f"{_REFERENCE}{spelled['reference']}"] if recipe.needs_reference() else []
    return frozenset((*model, name) for name in names)


def references_among(reads: Iterable[Hashable]) -> list[str]:
    """The references by name among what :func:`reads` gives."""
    names = {str(one[-1]) for one in reads if isinstance(one, tuple)}
    return sorted(name.removeprefix(_REFERENCE) for name in names if name.startswith(_REFERENCE))


def comes_anyhow(reads: frozenset[Hashable]) -> bool:
    """Whether a visitor need not be asked: nothing has to be read, or a running job reads it already."""
    return not reads or shared_queue().is_read(reads)


def pending(engine: Engine, recipes: Iterable[Recipe], corpus: Corpus) -> float:
    """Seconds of work that recipes still need; a pass or a training that serves many counts once.

    A recipe that cannot run needs none.
    """
    seconds: dict[str, float] = {}
    for recipe in recipes:
        with suppress(StrataError):
            seconds |= engine.pending(recipe, corpus)
    return sum(seconds.values())


def learning(engine: Engine, recipe: Recipe, task: Choice, corpus: Corpus) -> float:
    """Seconds that a task learns from a recipe's vectors, beside reading; 0 for a recipe that cannot run.

    ``corpus`` is whole for a task that learns from labels: what the recipe learns is learnt in each fold
    anew.
    """
    try:
        seconds = learning_seconds(task, corpus, engine.source(recipe, corpus).location.dim)
        if TASK.find(task).supervised and recipe.on_target():
            seconds += engine.pending_over(recipe, corpus, times_learnt(task, corpus))
        return seconds
    except StrataError:
        return 0.0


def reading(engine: Engine, recipes: Sequence[Recipe], *corpora: Corpus) -> Question | None:
    """The question before long reading, one for all corpora; None when it is short, or all are built in.

    A corpus that is read already is none of those that it names.
    """
    asking = [corpus for corpus in corpora if asks(engine, recipes, corpus)]
    lasting = [pending(engine, recipes, corpus) for corpus in asking]
    if sum(lasting) < LONG:
        return None
    unread = [corpus for corpus, seconds in zip(asking, lasting, strict=True) if seconds]
    sentences = sum(len(corpus.sentences) for corpus in unread)
    names = " and ".join(dict.fromkeys(corpus.name for corpus in unread))
    learns = any(recipe.needs_reference() for recipe in recipes)
    also = ", and what a recipe learns from the reference," if learns else ""
    return Question(
        f"Reading {counted(sentences, 'sentence')} of {names}{also} takes {duration_range(sum(lasting))}, "
        "once. Every recipe after that is instant."
    )


def asks(engine: Engine, recipes: Sequence[Recipe], corpus: Corpus) -> bool:
    """Whether a visitor is asked before long work: not where all that is read is built in or pasted."""
    return corpus.origin not in FREE or any(reference_asks(engine, recipe) for recipe in recipes)


def reference_asks(engine: Engine, recipe: Recipe) -> bool:
    """Whether a visitor is asked before long work for what a recipe learns from its reference."""
    try:
        return recipe.needs_reference() and engine.references.as_given(recipe).origin not in FREE
    except StrataError:
        return False
