"""The command ``why``: from which tokens the similarity of two sentences comes."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import Any

import numpy as np

from core.analysis.why.contributions import TokenPlaces
from core.analysis.why.error_words import LEAST, error_words, group_of
from core.analysis.why.left_out import LeftOut
from core.analysis.why.pair import Explained, explained
from core.cli.common import (
    AddCommand,
    add_recipe,
    add_scale,
    corpus_of,
    engine_of,
    print_notes,
    progress_of,
    refuse_idle,
)
from core.corpora.built_in import DEMO
from core.corpora.cleaning import clean
from core.corpora.corpus import Corpus
from core.errors import CorpusError, are, counted, their
from core.pipeline.engine import Engine
from core.recipe import Recipe, shown
from core.tokens.states import STATIC

_NAMED = 8
"""Pairs of tokens that are printed."""


def add(command: AddCommand) -> None:
    """Add the command."""
    parser = command("why", _why, "Take the similarity of two sentences apart by tokens and layers.")
    add_recipe(parser)
    parser.add_argument(
        "sentences", nargs="*", metavar="SENTENCE", help="two sentences, each in quotes; none with --worst"
    )
    parser.add_argument(
        "--worst",
        type=int,
        metavar="PAIRS",
        help="in place of sentences: which words drive the errors of so many pairs of the corpus, those "
        "furthest from their gold rank",
    )
    parser.add_argument(
        "--split", help="with --worst: a split of the corpus, or all (default: test if there is one)"
    )
    parser.add_argument("--subset", help="with --worst: pairs of this subset alone (default: of all)")
    parser.add_argument(
        "--ratings",
        nargs=2,
        type=float,
        metavar=("LOW", "HIGH"),
        help="with --worst: pairs whose gold scores are in this range alone",
    )
    parser.add_argument(
        "--corpus", help="what a recipe learns from beside the two sentences (default: nothing)"
    )
    add_scale(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object, with every number")


def _why(options: argparse.Namespace) -> None:
    recipe, engine = Recipe.parse(options.recipe), engine_of(options)
    if options.worst is not None:
        _errors(engine, recipe, options)
        return
    of_pairs = "is of the pairs of a corpus; give --worst PAIRS with it."
    refuse_idle(options, "why", ("split", "subset", "ratings", "scale"), of_pairs)
    if len(options.sentences) != 2:
        got = counted(len(options.sentences), "sentence")
        raise CorpusError(f"why: got {got}; needed are two, or --worst PAIRS.")
    sentences = [clean(sentence) for sentence in options.sentences]
    if empty := [number for number, sentence in enumerate(sentences, 1) if not sentence]:
        raise CorpusError(f"why: sentence {empty[0]} is empty; two sentences are needed.")
    corpus = _corpus_with(engine, options.corpus, sentences)
    first, second = corpus.rows_of(sentences).tolist()
    found = explained(engine, recipe, corpus, (first, second), progress_of(options))
    answer = {"recipe": str(recipe), "sentences": sentences, **as_json(found)}
    print_notes(engine.references.notes(recipe))
    if options.json:
        print(json.dumps(answer, ensure_ascii=False))
        return
    print("\n".join(as_lines(found, recipe)))


def _errors(engine: Engine, recipe: Recipe, options: argparse.Namespace) -> None:
    """Which words drive the errors on a corpus of scored pairs."""
    if options.sentences or options.worst < 1:
        raise CorpusError(
            f"why: --worst takes a number of pairs from 1, and no sentences; got {options.worst} and "
            f"{counted(len(options.sentences), 'sentence')}."
        )
    corpus = corpus_of(engine, options.corpus or DEMO, options)
    ratings = None if options.ratings is None else (options.ratings[0], options.ratings[1])
    group = group_of(corpus, options.subset, ratings)
    found = error_words(engine, recipe, corpus, options.worst, group, progress_of(options))
    print_notes(engine.references.notes(recipe))
    if options.json:
        answer = {"recipe": str(recipe), "corpus": corpus.name, "split": corpus.split_name, **asdict(found)}
        print(json.dumps(answer, ensure_ascii=False))
        return
    print(
        f"{corpus.name} {corpus.split_name}: {counted(found.pairs, 'pair')} {are(found.pairs)} "
        f"{found.places:.1f} places of 100 from {their(found.pairs)} gold rank; leaving one word out "
        f"brings them {abs(found.gain):.1f} {'further away' if found.gain < 0 else 'closer'} on average"
    )
    if not found.words:
        print(f"  no word is in {counted(LEAST, 'pair')} or more")
    for each in [*found.words[:_NAMED], *found.words[_NAMED:][-_NAMED:]]:
        print(
            f"  {each.word:<20} {each.gain:+6.1f} closer without it, 95 % between {each.low:+.1f} and "
            f"{each.high:+.1f}, in {counted(each.pairs, 'pair')}"
        )


def _corpus_with(engine: Engine, name: str | None, sentences: list[str]) -> Corpus:
    """The two sentences alone, or a corpus, each sentence as often as in it, with those that it lacks."""
    if name is None:
        return Corpus.of_texts("two sentences", sentences)
    corpus = engine.corpus(name)
    if {*sentences} <= {*corpus.sentences}:
        return corpus
    as_often = [corpus.sentences[place] for place in corpus.positions.tolist()]
    return Corpus.of_texts(corpus.name, [*as_often, *(s for s in sentences if s not in corpus.sentences)])


def as_json(found: Explained) -> dict[str, Any]:
    """Every number; ``exact`` says whether the contributions sum to the similarity."""
    answer: dict[str, Any] = {
        "similarity": found.similarity,
        "exact": not isinstance(found, LeftOut),
        "tokens": [list(found.one.surface_forms), list(found.other.surface_forms)],
    }
    if isinstance(found, LeftOut):
        effects = [found.first_effects.tolist(), found.second_effects.tolist()]
        return answer | {"not_a_sum_under": found.reason, "loses_without": effects}
    answer["contributions"] = found.values.tolist()
    if found.by_layer is not None:
        answer |= {"layers": [*found.layers], "by_layer": found.by_layer.tolist()}
    return answer


def as_lines(found: Explained, recipe: Recipe) -> list[str]:
    """What a reader wants first: the largest pairs of tokens, each token's sum, the layers."""
    unit = recipe.spelled()["similarity"]
    head = f"{unit} {found.similarity:.4f}  recipe {shown(recipe)}"
    if isinstance(found, LeftOut):
        says = f"no sum over tokens under {found.reason}: what it loses without each token"
        sides = (found.one, found.first_effects), (found.other, found.second_effects)
        return [head, f"  {says}", *(f"    {_each_with(*side)}" for side in sides)]
    lines = [head, "  the sum of the contributions of all pairs of tokens; the largest:"]
    lines += [f"    {value:+.4f}  {one} ↔ {other}" for one, other, value in found.strongest(_NAMED)]
    lines.append("  each token's sum:")
    lines += [f"    {_each_with(found.one, found.values.sum(axis=1))}"]
    lines += [f"    {_each_with(found.other, found.values.sum(axis=0))}"]
    if found.by_layer is not None and len(found.layers) > 1:
        own = zip(found.layers, np.diag(found.by_layer), strict=True)
        each = "  ".join(f"{'static' if i == STATIC else f'layer {i}'} {value:+.4f}" for i, value in own)
        lines.append(f"  each layer with itself: {each}; between different layers {found.cross_terms:+.4f}")
    return lines


def _each_with(tokens: TokenPlaces, values: np.ndarray) -> str:
    return "  ".join(
        f"{form} {value:+.4f}" for form, value in zip(tokens.surface_forms, values.tolist(), strict=True)
    )
