"""What is kept is found again, and in no other world: every key holds all that a result depends on.

A *case* asks for one thing that the store keeps. A *world* is what its answer may depend on: the model's
files, the corpus, the reference, the precision, the recipe, the arguments. One cache sees all worlds, one
after the other, and must answer in each as a cache does that has seen no other.
"""

import dataclasses
import importlib
import inspect
import json
import pkgutil
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from core.analysis import comparison, mixing, mixing_gains, mixing_tasks, sentence_weights
from core.analysis.geometry import of_recipe, whitening_curve
from core.analysis.heads import attention, head_correlations, head_search
from core.analysis.layers import layer_scores, trajectories
from core.analysis.masking import impact, plan, tfidf_correlation, unit_frequencies
from core.analysis.masking.plan import plan_masking
from core.analysis.token_maps import (
    frequency_components,
    projection,
    sentence_map,
    token_frequency,
    vocabulary,
)
from core.corpora.corpus import Corpus
from core.encoders import encoder as encoder_module
from core.encoders import models
from core.errors import StrataError
from core.evaluation import gains, scoring, set_statistics
from core.evaluation.tasks import TASK, learners, running
from core.literature.presets.comparable import plain_mean
from core.pipeline import learnt, pooled_texts, sentences
from core.pipeline import run as run_module
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.search import aims, find, proxies
from core.search.aims import part
from core.search.budget import Budget
from core.search.question import Question
from core.settings import Settings
from core.sources import passes, token_tables
from core.storage import store as store_module
from core.storage.store import Store
from core.storage.tables import TableKind
from tests.core.helpers import tiny
from tests.core.search.texts import many

COMMIT = "0123456789abcdef0123456789abcdef01234567"

# -- worlds ------------------------------------------------------------------------------------------

MODELS = ("plain", "limited", "reweighted", "respelled")
REFERENCES = ("plain", "other", "repeated")


@dataclass(frozen=True)
class World:
    """What an answer may depend on; everything else is as it always is.

    Attributes
    ----------
    model, hub
        Which files the model has, and whether it is one of the hub, whose revision is its commit.
    reference, corpus
        Which texts are in the reference's file, and which of :func:`corpora` is asked about.
    stages
        Stages that every recipe has in place of its own.
    number
        Which of its other arguments a case passes.
    """

    forward: str = "float32"
    storage: str = "float32"
    model: str = "plain"
    hub: bool = False
    reference: str = "plain"
    corpus: str = "plain"
    stages: tuple[tuple[str, str], ...] = ()
    number: int = 0


PLAIN = World()


ROWS = 20
"""Pairs of a corpus; the last four are of sentences that stand in others."""


def corpora() -> dict[str, Corpus]:
    """Scored and labelled pairs that differ in one respect from ``plain``."""
    texts = [f"{text} by the river" for text in many(2 * ROWS - 8)]
    half = ROWS - 4
    first, second = texts[:half], texts[half:]
    columns: dict[str, Any] = {
        "gold": [float(7 * i % 6) for i in range(ROWS)],
        "subset": ["one" if i % 3 else "two" for i in range(ROWS)],
        "split": ["dev" if i % 2 else "test" for i in range(ROWS)],
        "labels": [f"class {i // 2 % 2}" for i in range(ROWS)],
    }

    def pairs(*, a=first, last=(1, 0, 3, 2), name="pairs", **changed) -> Corpus:
        side = [*second, *(second[i] for i in last)]
        return Corpus.of_pairs(name, [*a, *a[:4]], side, **(columns | changed))

    made = pairs()
    return {
        "plain": made,
        "gold": pairs(gold=[float(i % 5) for i in range(ROWS)]),
        "scale": replace(made, scale=(0.0, 10.0)),
        "subsets": pairs(subset=["one" if i < 5 else "two" for i in range(ROWS)]),
        "splits": pairs(split=["test" if i % 4 in (0, 3) else "dev" for i in range(ROWS)]),
        "labels": pairs(labels=[f"class {i % 3}" for i in range(ROWS)]),
        "partners": pairs(last=(2, 3, 0, 1)),
        "order": made.of_rows(np.array([*range(half), *range(ROWS - 1, half - 1, -1)])),
        "repeats": made.of_rows(np.array([*range(ROWS), 0, 2, 4])),
        "content": pairs(a=[f"the {text}" for text in first]),
        "notes": replace(made, notes=("1 row has no score.",)),
        "name": pairs(name="other pairs"),
    }


CHANGES: dict[str, tuple[World, World]] = {
    "forward precision": (PLAIN, replace(PLAIN, forward="bfloat16")),
    "storage precision": (PLAIN, replace(PLAIN, storage="float16")),
    "limit of the hub's model": (replace(PLAIN, hub=True), replace(PLAIN, hub=True, model="limited")),
    **{f"model: {name}": (PLAIN, replace(PLAIN, model=name)) for name in MODELS[1:]},
    **{f"reference: {name}": (PLAIN, replace(PLAIN, reference=name)) for name in REFERENCES[1:]},
    **{f"corpus: {name}": (PLAIN, replace(PLAIN, corpus=name)) for name in [*corpora()][1:]},
    **{
        f"{stage}={text}": (PLAIN, replace(PLAIN, stages=((stage, text),)))
        for stage, text in (
            ("template", "T0"),
            ("mix", "averaged(w=0.3)"),
            ("post", "abtt(d=1)"),
            ("similarity", "dot"),
        )
    },
    **{f"arguments {number}": (PLAIN, replace(PLAIN, number=number)) for number in (1, 2, 3)},
}
"""The world that a cache has seen, and the one it is asked in."""

WORLDS = dict.fromkeys(world for change in CHANGES.values() for world in change)

PAIRS_ALONE = frozenset(
    f"corpus: {name}"
    for name in ("gold", "scale", "subsets", "splits", "labels", "partners", "order", "notes", "name")
)
"""Changes that leave the texts of a corpus, and how often each counts, as they are."""

LABELS_ALONE = frozenset(f"corpus: {name}" for name in ("scale", "splits", "labels"))
"""Changes that leave the pairs, their scores and their subsets as they are."""

STAGES_ALONE = frozenset(
    change
    for change, (_, after) in CHANGES.items()
    if after.stages and "template" not in dict(after.stages)
)
"""Changes that leave the tokens of a text and their states as they are."""


class Ground:
    """The files of all worlds, and engines that read them."""

    def __init__(self, root: Path) -> None:
        self.root, self.corpora = root, corpora()
        self.folder, self.reference = root / "model", root / "reference.txt"
        self.hub = root / "hub" / "models--owner--tiny" / "snapshots" / COMMIT
        (self.hub.parents[1] / "refs").mkdir(parents=True)
        (self.hub.parents[1] / "refs" / "main").write_text(COMMIT)
        for seed, name in enumerate(("plain", "reweighted")):
            folder = tiny.build("bert", root / name, seed)
            config = json.loads((folder / "config.json").read_text("utf-8"))
            (folder / "config.json").write_text(json.dumps(config | {"num_hidden_layers": 2}), "utf-8")
        for name in ("limited", "respelled"):
            shutil.copytree(root / "plain", root / name)
        (root / "limited" / "sentence_bert_config.json").write_text('{"max_seq_length": 11}')
        _respell(root / "respelled" / "tokenizer.json")
        texts = [f"so {text}" for text in many(40)] + ["the dog run in rain " * 30, *many(5)]
        self._texts = {
            "plain": texts,
            "other": [*texts[5:], "a new one is here"],
            "repeated": [*texts, *texts[:3]],
        }
        self._engines: dict[tuple[object, ...], Engine] = {}
        self._laid: dict[str, str] = {}

    def lay(self, world: World) -> None:
        """Write the files of a world, where others lie."""
        folder = self.hub if world.hub else self.folder
        if self._laid.get(str(folder)) != world.model:
            folder.mkdir(parents=True, exist_ok=True)
            for path in folder.iterdir():
                if not (self.root / world.model / path.name).exists():
                    path.unlink()
            for path in (self.root / world.model).iterdir():
                if (
                    not (folder / path.name).exists()
                    or (folder / path.name).read_bytes() != path.read_bytes()
                ):
                    shutil.copyfile(path, folder / path.name)
            self._laid[str(folder)] = world.model
        if self._laid.get("reference") != world.reference:
            self.reference.write_text("\n".join(self._texts[world.reference]) + "\n", "utf-8")
            self._laid["reference"] = world.reference

    def engine(self, cache: str, world: World, little: bool = False) -> Engine:
        """An engine that lasts, on the cache of that name."""
        key = (cache, world.forward, world.storage, little)
        if key not in self._engines:
            self._engines[key] = self.new_engine(cache, world, little)
        return self._engines[key]

    def new_engine(self, cache: str, world: World, little: bool = False) -> Engine:
        """Another process: an engine that has nothing in memory, on the cache of that name."""
        place = self.root / "caches" / cache / ("little" if little else "whole")
        settings = Settings(
            cache=place, shipped=None, ships=True, forward=world.forward, storage=world.storage
        )
        return Engine(replace(settings, budget_bytes=1000) if little else settings)


def _respell(path: Path) -> None:
    """A tokenizer by which two words have each other's ids."""
    spelled = json.loads(path.read_text("utf-8"))
    vocabulary = spelled["model"]["vocab"]
    vocabulary["girl"], vocabulary["boy"] = vocabulary["boy"], vocabulary["girl"]
    vocabulary["##ing"], vocabulary["##q"] = vocabulary["##q"], vocabulary["##ing"]
    path.write_text(json.dumps(spelled), "utf-8")


# -- cases -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """One thing that is asked for, and the kinds that keep it.

    Attributes
    ----------
    ask
        Called with what its parameters name: ``engine``; ``recipe``, of these ``stages`` in a world;
        ``corpus``; ``reference``, a file; ``number``, which of its other arguments are passed.
    arguments
        How many numbers there are.
    blind
        Changes that cannot matter, and after which nothing is computed.
    little
        Whether it is asked of an engine that has no room for passes.
    package
        What it needs beyond the installation.
    """

    kinds: tuple[TableKind, ...]
    ask: Callable[..., object]
    stages: str = ""
    arguments: int = 1
    blind: frozenset[str] = frozenset()
    source: str = "{model}"
    little: bool = False
    package: str = ""

    @property
    def wants(self) -> tuple[str, ...]:
        """The parameters of :attr:`ask`."""
        return tuple(inspect.signature(self.ask).parameters)

    def recipe(self, world: World, model: str, reference: str) -> Recipe:
        """The recipe that it asks about in a world."""
        recipe = Recipe.parse(f"source={self.source.format(model=model)};{self.stages}")
        return recipe.replace(**dict(world.stages), reference=reference)

    def meets(self, change: str) -> bool:
        """Whether it is given anything that is otherwise after a change."""
        wants, after = self.wants, CHANGES[change][1]
        with_recipe = "recipe" in wants
        reads = "reference" in wants or (
            with_recipe and self.recipe(after, "model", "demo").needs_reference()
        )
        return (
            (after.corpus == "plain" or "corpus" in wants)
            and (after.reference == "plain" or reads)
            and (with_recipe or replace(after, corpus="plain", reference="plain", number=0) == PLAIN)
            and after.number < self.arguments
        )

    def answer(self, ground: Ground, engine: Engine, world: World) -> object:
        """What it says in a world, as arrays, lists, numbers and texts; an error is an answer."""
        ground.lay(world)
        model = "owner/tiny" if world.hub else str(ground.folder)
        given = {
            "engine": engine,
            "recipe": self.recipe(world, model, str(ground.reference)),
            "corpus": ground.corpora[world.corpus],
            "reference": ground.reference,
            "number": world.number,
        }
        try:
            return plain(self.ask(**{name: given[name] for name in self.wants}))
        except StrataError as error:
            return Refused(f"{type(error).__name__}: {FREE.sub('', str(error))}")


FREE = re.compile(r"\S+ GB are free")
"""What is told of a disk that others write to, too."""


class Refused(str):
    """Why there is no answer."""


TIMES = ("seconds", "pass_seconds", "milliseconds")


def plain(value: object) -> object:
    """Lists, numbers and texts of what a result holds; without times, which are others each time."""
    if isinstance(value, Recipe | TableKind):
        return str(value)
    if dataclasses.is_dataclass(value):
        value = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(name): plain(each) for name, each in value.items() if name not in TIMES}
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(each) for each in value]
    return value if isinstance(value, str | int | float | None) else type(value).__name__


def _task(engine, recipe, corpus, number):
    task, aggregate = (
        ("sts", "all"),
        ("sts", "mean"),
        ("sts(metric=pearson)", "all"),
        ("clustering(runs=2)", "all"),
    )[number]
    return _told(running.run_task(engine, recipe, corpus, TASK.parse(task), None, aggregate))


def _learnt_task(engine, recipe, corpus, number):
    task, split = (
        ("classification(folds=2)", None),
        ("classification(folds=2)", "dev"),
        ("classification(folds=3)", None),
        ("classification(folds=2,gold=score)", None),
    )[number]
    return _told(running.run_task(engine, recipe, corpus, TASK.parse(task), split))


def _told(scored: running.TaskScored):
    result = scored.result
    return scored.answer(), result.samples, result.others, result.notes


def _gain(engine, recipe, corpus, number):
    plain = recipe.replace(pool=("max", "cls")[number])
    return gains.gain(engine, plain, recipe, corpus)


def _score(engine, recipe, corpus, number):
    found = scoring.score(engine, recipe, corpus, ("all", "mean", "wmean")[number])
    return found.answer(), found.similarities, found.score


def _vectors(engine, recipe, corpus):
    embedded = engine.embed(recipe, corpus)
    return embedded.vectors, embedded.notes


def _weights(engine, recipe, corpus):
    return engine.token_weights(recipe, corpus)


def _sentences(engine, reference):
    return engine.corpus(f"{reference}(unit=sentence)").sentences


def _pieces(engine, recipe):
    return engine.references.of(recipe).sentences, engine.references.of(recipe).notes


def _regrets(engine, recipe, corpus, number):
    gold = part(corpus)
    others = [recipe.replace(layers=layers) for layers in ("1", "0", "last")[: 2 + number % 2]]
    return proxies.regrets(engine, others, gold.dev if number > 1 else gold.test)


def _found(engine, recipe, corpus, number):
    budget = Budget(trials=3 if number == 1 else 2)
    question = Question.of(
        engine, recipe, [part(corpus)], ("similarity",), reference=False, seed=number // 2, dimensions=64
    )
    return find.find(engine, question, budget)


def _task_mixture(engine, recipe, corpus, number):
    task, step = (("sts", 0.1), ("clustering(runs=1)", 0.1), ("sts(metric=pearson)", 0.1), ("sts", 0.05))[
        number
    ]
    return mixing_tasks.task_mixture(engine, recipe, corpus, TASK.parse(task), step)


def _mixture(engine, recipe, corpus, number):
    aggregate = ("all", "mean")[number]
    mixture = mixing.mixture(engine, recipe, corpus, aggregate)
    return mixture, mixing_gains.gains(engine, recipe, [corpus], mixture, aggregate)


def _neighbours(engine, recipe, corpus, number):
    a, b = (engine.embed(each, corpus).vectors for each in (recipe, recipe.replace(pool="max")))
    keys = [scoring.kept_under(engine, each) for each in (recipe, recipe.replace(pool="max"))]
    key = [*keys, corpus.fingerprint]
    return sentence_map.stored_neighbour_change(engine.store, key, a, b, 5 + number)


def _map(engine, recipe, number):
    space = vocabulary.static_space(engine, recipe)
    return _mapped(engine, space, number)


def _map_of_averages(engine, recipe, corpus, number):
    return _mapped(engine, vocabulary.averaged_space(engine, recipe, corpus), number)


def _mapped(engine, space, number):
    places = np.arange(len(space.vocabulary) - number)
    layers = space.alike(space.layers[-1])
    key = [space.key, layers, places.tolist()]
    made = projection.project(engine.store, "pca", layers, lambda i: space.rows(i, places), key)
    return made, space.vocabulary, space.times


def _counts(engine, recipe, corpus):
    space = vocabulary.static_space(engine, recipe)
    return (
        token_frequency.log_count(engine, engine.source(recipe), space.vocabulary, corpus),
        token_frequency.idf(engine, engine.source(recipe), space.vocabulary, corpus),
    )


def _components(engine, recipe, corpus, number):
    space = vocabulary.averaged_space(engine, recipe, corpus)
    frequency = np.log(space.times)
    layer, places = space.layers[-1 - number], np.arange(len(space.vocabulary))
    key = [space.key, layer, len(places)]
    return frequency_components.stored_correlations(
        engine.store, key, lambda: space.rows(layer, places), frequency
    )


def _heads(engine, recipe, corpus, number):
    base = head_search.search_base(recipe, post=True)
    return head_search.search(engine, base, corpus, (("last", "0+last"), ("static",))[number])


def _head_words(engine, recipe, corpus):
    return head_correlations.correlations(engine, recipe, corpus)


def _head_words_of_reference(engine, recipe, corpus):
    return head_correlations.gensim_correlations(engine, recipe, corpus)


def _whitening(engine, recipe, corpus, number):
    beta, gamma = ((1.0, 1.0), (0.5, 1.0), (1.0, 0.5))[number]
    return whitening_curve.stored_curve(
        engine, recipe, corpus, beta, gamma, lambda: whitening_curve.rotate(engine, recipe, corpus, beta)
    )


def _space(engine, recipe, corpus, number):
    measure = (of_recipe.measure_recipe, of_recipe.isotropy, of_recipe.by_sample_size, of_recipe.by_layer)
    return measure[number](engine, recipe, corpus)


def _layers(engine, recipe, corpus, number):
    return layer_scores.by_layer_and_pair(engine, recipe, corpus, ("all", "mean")[number])


def _sentence(number: int) -> str:
    return ("the dog run in a park, two boys playing", "a cat sat on the white mat")[number]


def _paths(engine, recipe, number):
    found = trajectories.of_sentence(engine, recipe, _sentence(number))
    return found.gram, found.counted, found.layers, found.tokens.surface_forms(slice(None))


def _attention(engine, recipe, number):
    found = attention.attention(engine, recipe, _sentence(number))
    return found.weights, found.own, found.surface_forms


def _sentence_weights(engine, recipe, corpus):
    return sentence_weights.of_sentences(engine, recipe, corpus)


def _masking(engine, recipe, number):
    level = "tokens" if number == 2 else "words"
    planned = plan_masking(engine, engine.source(recipe), _sentence(number % 2), level)
    return impact.impact(engine, planned).distances, planned.units


def _masking_and_words(engine, recipe, corpus, number):
    source, level = engine.source(recipe), "tokens" if number == 2 else "words"
    request = tfidf_correlation.AgreementRequest(
        source, [_sentence(0), _sentence(number % 2)], corpus, level
    )
    return tfidf_correlation.agreement(engine, request)


def _matrix(engine, recipe, number):
    sentences = [*many(6), *many(number)]
    made = comparison.similarity_matrix(engine, recipe, sentences)
    return made.values, made.notes


def _statistics(engine, corpus):
    return set_statistics.set_statistics(engine, corpus)


def _trajectories(engine, recipe, corpus):
    return trajectories.of_corpus(engine, recipe, corpus)


def _words(engine, recipe, corpus):
    counts, numbers = unit_frequencies.word_frequencies(engine, engine.source(recipe), corpus)
    return counts, numbers


def _digest(engine, reference):
    return engine.store.digest(reference)


CASES: dict[str, Case] = {
    "task": Case((running.TASK_RESULTS,), _task, "layers=last", 4),
    "task that learns": Case((running.TASK_RESULTS,), _learnt_task, "layers=last", 4),
    "gain": Case((gains.GAINS,), _gain, "layers=last", 2, LABELS_ALONE),
    "statistics of a set": Case((set_statistics.SET_STATISTICS,), _statistics),
    "score": Case((scoring.SIMILARITIES,), _score, "layers=first+last", 3, LABELS_ALONE),
    "score, learnt": Case(
        (scoring.SIMILARITIES,), _score, "weight=idf(fit=reference);post=whiten(k=5)", blind=LABELS_ALONE
    ),
    "matrix": Case((comparison.MATRIX,), _matrix, arguments=2),
    "vectors": Case((), _vectors, "layers=last;weight=tfidf;post=abtt", blind=PAIRS_ALONE),
    "learnt step": Case(
        (learnt.LEARNT,), _vectors, "layers=last;post=whiten(k=5,fit=reference)", blind=PAIRS_ALONE
    ),
    "trained step": Case(
        (run_module.TRAINED,),
        _vectors,
        "layers=last;post=flow(epochs=1,transforms=1)",
        blind=PAIRS_ALONE,
        package="zuko",
    ),
    "pooled texts": Case(
        (pooled_texts.POOLED,), _vectors, "weight=idf;pool=pmeans", blind=PAIRS_ALONE, little=True
    ),
    "sentences": Case((sentences.SENTENCES,), _sentences),
    "pieces": Case((passes.PIECES,), _pieces, "weight=idf(fit=reference)", blind=STAGES_ALONE),
    "document frequencies": Case(
        (passes.FREQUENCIES,), _weights, "weight=idf(fit=reference)", blind=PAIRS_ALONE
    ),
    "word shares": Case((passes.WORDS,), _weights, "weight=sif(fit=reference)", blind=PAIRS_ALONE),
    "averages": Case(
        (token_tables.CONTEXTS,), _vectors, blind=PAIRS_ALONE, source="averaged(model={model},least=2)"
    ),
    "paragraphs": Case(
        (token_tables.DOC2VEC,),
        _vectors,
        blind=PAIRS_ALONE,
        source="doc2vec(epochs=1,dim=5)",
        package="gensim",
    ),
    "paragraphs, reference": Case(
        (token_tables.DOC2VEC,),
        _vectors,
        blind=PAIRS_ALONE,
        source="doc2vec(epochs=1,dim=5,fit=reference)",
        package="gensim",
    ),
    "regrets": Case((proxies.REGRETS,), _regrets, arguments=4),
    "search": Case((find.FOUND,), _found, arguments=4, package="optuna"),
    "mixture": Case(
        (mixing.MIXTURE, mixing_gains.MIXTURE_GAINS), _mixture, arguments=2, blind=LABELS_ALONE
    ),
    "mixture of a task": Case((mixing_tasks.TASK_MIXTURE,), _task_mixture, arguments=4),
    "neighbours": Case((sentence_map.NEIGHBOUR_CHANGES,), _neighbours, arguments=2, blind=LABELS_ALONE),
    "map": Case((projection.PROJECTION, vocabulary.VOCABULARY), _map, arguments=2, blind=STAGES_ALONE),
    "map of averages": Case(
        (projection.PROJECTION,), _map_of_averages, arguments=2, blind=STAGES_ALONE | PAIRS_ALONE
    ),
    "counts of tokens": Case(
        (token_frequency.TOKEN_COUNTS, passes.FREQUENCIES), _counts, blind=STAGES_ALONE | PAIRS_ALONE
    ),
    "frequency in components": Case(
        (frequency_components.FREQUENCY_COMPONENTS,),
        _components,
        arguments=2,
        blind=STAGES_ALONE | PAIRS_ALONE,
    ),
    "heads": Case((head_search.HEADS,), _heads, "post=zscore", 2, LABELS_ALONE),
    "heads and words": Case(
        (head_correlations.HEAD_CORRELATIONS,), _head_words, blind=STAGES_ALONE | LABELS_ALONE
    ),
    "heads and words of the reference": Case(
        (head_correlations.GENSIM_CORRELATIONS,),
        _head_words_of_reference,
        blind=STAGES_ALONE | LABELS_ALONE,
    ),
    "whitening": Case((whitening_curve.WHITENING,), _whitening, "layers=last", 3, LABELS_ALONE),
    "space": Case((of_recipe.SPACE,), _space, "layers=last", 4),
    "trajectories": Case((trajectories.TRAJECTORIES,), _trajectories, blind=STAGES_ALONE | PAIRS_ALONE),
    "paths": Case((trajectories.PATHS,), _paths, arguments=2, blind=STAGES_ALONE),
    "layers": Case((layer_scores.LAYER_SCORES,), _layers, arguments=2, blind=LABELS_ALONE),
    "attention": Case((attention.ATTENTION,), _attention, arguments=2, blind=STAGES_ALONE),
    "sentence weights": Case(
        (sentence_weights.SENTENCE_WEIGHTS,), _sentence_weights, "weight=idf(fit=reference)"
    ),
    "masking": Case((impact.MASKING, plan.PLAN), _masking, arguments=3, blind=STAGES_ALONE),
    "masking and words": Case(
        (tfidf_correlation.TFIDF_CORRELATION,),
        _masking_and_words,
        arguments=3,
        blind=STAGES_ALONE | PAIRS_ALONE,
    ),
    "words of a corpus": Case(
        (unit_frequencies.WORD_FREQUENCIES,), _words, blind=STAGES_ALONE | PAIRS_ALONE
    ),
    "digest": Case((store_module.SHA256,), _digest),
}

# -- what is found and computed ----------------------------------------------------------------------


@dataclass
class Watch:
    """Which kinds of table were found in the store, and which were computed."""

    found: set[str] = field(default_factory=set)
    computed: list[str] = field(default_factory=list)

    def begin(self) -> None:
        """Forget what was."""
        self.found.clear()
        self.computed.clear()

    def install(self, patch: pytest.MonkeyPatch) -> None:
        """Have every store tell of its tables."""
        table, find_table, put_table = Store.table, Store.find_table, Store.put_table

        def watched_table(store, kind, parts, compute, *more, **named):
            def computed():
                self.computed += [kind.name] * (kind is not store_module.SHA256)  # files are written anew
                return compute()

            self.found.add(kind.name)
            return table(store, kind, parts, computed, *more, **named)

        def watched_find(store, kind, parts):
            arrays = find_table(store, kind, parts)
            self.found |= set() if arrays is None else {kind.name}
            return arrays

        def watched_put(store, kind, parts, arrays):
            self.computed.append(kind.name)
            put_table(store, kind, parts, arrays)

        patch.setattr(Store, "table", watched_table)
        patch.setattr(Store, "find_table", watched_find)
        patch.setattr(Store, "put_table", watched_put)


WATCH = Watch()


@pytest.fixture(scope="module")
def ground(tmp_path_factory) -> Iterator[Ground]:
    """The files of all worlds; maps and searches are small, and models loaded once for all engines."""
    from huggingface_hub import constants

    made = Ground(tmp_path_factory.mktemp("worlds"))
    load, tokenizer, loaded = encoder_module.load_model, encoder_module.Tokenizer, {}

    def once(make, folder, *arguments):
        files = [path for path in sorted(folder.glob("*.*")) if path.stat().st_size < 1_000_000]
        content = (make, *((path.name, path.read_bytes()) for path in files), *arguments[1:])
        if content not in loaded:
            loaded[content] = make(*arguments)
        return loaded[content]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(constants, "HF_HUB_CACHE", str(made.root / "hub"))
        patch.setattr(encoder_module, "load_model", lambda place: once(load, place.folder, place))
        patch.setattr(
            encoder_module, "Tokenizer", lambda folder, most: once(tokenizer, folder, folder, most)
        )
        patch.setattr(mixing, "SHARES", (0.0, 0.5))
        patch.setattr(mixing_tasks, "LOWEST", 0.0)
        patch.setattr(mixing_tasks, "HIGHEST", 0.1)
        patch.setattr(mixing, "columns", lambda _: ("0", "first+last"))
        patch.setattr(mixing_tasks, "columns", lambda _: ("first+last",))
        patch.setattr(learners, "INNER_FOLDS", 99)
        patch.setattr(aims, "FEWEST", 8)
        patch.setattr(proxies, "FEWEST", 8)
        patch.setattr(find, "comparable", lambda base: {"max": plain_mean(base).replace(pool="max")})
        patch.setattr(find, "milliseconds", lambda *_: 0.0)
        WATCH.install(patch)
        yield made


class Answers:
    """The answers of engines that last, on one cache or on one for each world."""

    def __init__(self, ground: Ground, cache: Callable[[World], str]) -> None:
        self._ground, self._cache = ground, cache
        self._known: dict[tuple[str, World], object] = {}

    def __call__(self, name: str, world: World) -> object:
        """What a case says in a world; asked once."""
        if (name, world) not in self._known:
            case = CASES[name]
            engine = self._ground.engine(self._cache(world), world, case.little)
            self._known[name, world] = case.answer(self._ground, engine, world)
        return self._known[name, world]


@pytest.fixture(scope="module")
def fresh(ground) -> Answers:
    """Answers of caches that have seen one world alone."""
    return Answers(ground, lambda world: f"world {[*WORLDS].index(world)}")


@pytest.fixture(scope="module")
def shared(ground) -> Answers:
    """Answers of the one cache, and of the process, that see all worlds."""
    return Answers(ground, lambda _: "shared")


def same(given: object, expected: object, where: str = "") -> None:
    """Assert that two answers are one, up to rounding."""
    assert type(given) is type(expected), where
    if isinstance(given, dict):
        assert given.keys() == expected.keys(), where
        for name in given:
            same(given[name], expected[name], f"{where}.{name}")
    elif isinstance(given, list):
        assert len(given) == len(expected), where
        for number, (one, other) in enumerate(zip(given, expected, strict=True)):
            same(one, other, f"{where}[{number}]")
    elif isinstance(given, np.ndarray) and given.dtype.kind == "f":
        np.testing.assert_allclose(given, expected, 1e-6, 1e-6, err_msg=where)
    elif isinstance(given, np.ndarray):
        np.testing.assert_array_equal(given, expected, where)
    elif isinstance(given, float):
        assert given == pytest.approx(expected, rel=1e-6, abs=1e-6, nan_ok=True), where
    else:
        assert given == expected, where


# -- tests -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "name"),
    [(change, name) for change in CHANGES for name, case in CASES.items() if case.meets(change)],
)
def test_a_cache_that_has_seen_another_world_answers_as_a_new_one(fresh, shared, change, name):
    case, (before, after) = CASES[name], CHANGES[change]
    if case.package:
        pytest.importorskip(case.package)
    seen = shared(name, before)
    assert not isinstance(seen, Refused), seen
    WATCH.begin()
    given = shared(name, after)
    if change in case.blind:
        assert not WATCH.computed
        same(given, seen)
    else:
        same(given, fresh(name, after))


@pytest.mark.parametrize("name", CASES)
def test_another_process_finds_what_is_kept_wherever_the_cache_lies(ground, shared, name):
    case, moved = CASES[name], ground.root / "caches" / "moved"
    if case.package:
        pytest.importorskip(case.package)
    expected = shared(name, PLAIN)
    if not moved.exists():
        moved.symlink_to(ground.root / "caches" / "shared")
    engine = ground.new_engine("moved", PLAIN, case.little)
    WATCH.begin()
    same(case.answer(ground, engine, PLAIN), expected)
    assert not WATCH.computed
    assert {kind.name for kind in case.kinds} <= WATCH.found


def test_every_kind_of_table_has_a_case():
    kinds = set()
    for module in pkgutil.walk_packages(core.__path__, "core."):
        if module.name != "core.__main__":
            values = vars(importlib.import_module(module.name)).values()
            kinds |= {kind.name for kind in values if isinstance(kind, TableKind)}
    assert kinds == {kind.name for case in CASES.values() for kind in case.kinds}


def test_the_reference_has_the_scores_that_its_file_has_now(engine, settings, bert, table, tmp_path):
    path = tmp_path / "reference.tsv"
    lines = table.read_text("utf-8").splitlines()
    recipe, told = Recipe.parse(f"{bert};weight=idf(fit=reference);reference={path}"), []
    for kept in (lines, [lines[0], *(line.rpartition("\t")[0] + "\t1" for line in lines[1:])]):
        path.write_text("\n".join(kept) + "\n", "utf-8")
        for one in (engine, Engine(settings)):
            told.append(scoring.about_recipe(one, recipe)["reference_fingerprint"])
    assert told[0] == told[1] != told[2] == told[3]


def test_notes_name_the_file_that_was_asked_for(engine, vectors_file, tmp_path):
    corpus = Corpus.of_texts("unknown", ["the dog zzz", "a cat"])
    copied = shutil.copyfile(vectors_file, tmp_path / "copied.txt")
    for path in (vectors_file, copied):
        (note,) = engine.embed(Recipe.parse(f"source=vectors(path={path});layers=static"), corpus).notes
        assert note.startswith(f"{path.name} does not have 1 of 5 words")


def test_random_vectors_are_read_up_to_the_limit_that_holds_now(engine, settings, monkeypatch):
    recipe = Recipe.parse("source=random(dim=4);layers=static")
    corpus = Corpus.of_texts("long", ["the dog sat on the mat", "a cat"])
    found = []
    for limit in (256, 5):
        models._known.cache_clear()
        monkeypatch.setattr(models.Location, "max_tokens", limit)
        found.append(engine.embed(recipe, corpus).vectors)
    np.testing.assert_array_equal(found[1], Engine(settings).embed(recipe, corpus).vectors)
    assert np.abs(found[0][0] - found[1][0]).max() > 0
    models._known.cache_clear()


def test_a_new_edition_of_a_task_has_its_maps_and_searches_made_anew(ground, shared, monkeypatch):
    engine, corpus = ground.engine("shared", PLAIN), ground.corpora["plain"]
    ground.lay(PLAIN)
    shared("mixture of a task", PLAIN)
    recipe, task = Recipe.parse(f"source={ground.folder};reference={ground.reference}"), TASK.parse("sts")
    before = part(corpus).dev.depends_on
    assert mixing_tasks.is_kept(engine, recipe, corpus, task, 0.1)
    monkeypatch.setitem(TASK.options, "sts", replace(TASK.options["sts"], edition=2))
    assert not mixing_tasks.is_kept(engine, recipe, corpus, task, 0.1)
    assert part(corpus).dev.depends_on != before
