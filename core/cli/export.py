"""The command ``export``: a recipe as a folder that sentence-transformers loads."""

from __future__ import annotations

import argparse
from pathlib import Path

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
from core.evaluation.scoring import score
from core.exports.card import score_line
from core.exports.exported import Exported
from core.exports.folder import APART, check_folder, export
from core.exports.kinds import refuse
from core.exports.static import static_of
from core.recipe import Recipe, shown


def add(command: AddCommand) -> None:
    """Add the command."""
    parser = command("export", _export, "Write a recipe as a folder that sentence-transformers loads.")
    add_recipe(parser)
    parser.add_argument(
        "--output", required=True, type=Path, help="a folder that is not there, or is empty"
    )
    parser.add_argument(
        "--corpus", help="what fit=target learns from; scored for the card where it has pairs"
    )
    parser.add_argument(
        "--static",
        action="store_true",
        help="as a table of token vectors, averaged over the recipe's reference: without the transformer",
    )
    parser.add_argument("--split", help="a split of it, or all (default: test if there is one)")
    add_scale(parser)


def _export(options: argparse.Namespace) -> None:
    if options.corpus is None:
        refuse_idle(options, "export", ["split", "scale"], "is of a corpus; name one with --corpus.")
    given, engine, progress = Recipe.parse(options.recipe), engine_of(options), progress_of(options)
    recipe = static_of(given) if options.static else given
    check_folder(options.output)
    refuse(recipe)
    corpus = None
    if options.corpus is not None:
        corpus = corpus_of(engine, options.corpus, options)
    scores = []
    if corpus is not None and len(corpus):
        scores.append(score_line(score(engine, recipe, corpus, progress=progress)))
    exported = export(engine, recipe, options.output, corpus, progress, scores)
    print_notes(engine.references.notes(recipe))
    _say(exported, options)
    if recipe != given and scores and corpus is not None:
        print(f"  {recipe}")
        print(f"    {scores[0]}")
        print(f"  {shown(given)}")
        print(f"    {score_line(score(engine, given, corpus, progress=progress))}")


def _say(exported: Exported, options: argparse.Namespace) -> None:
    print(f"{options.output}: {' → '.join(exported.modules)}, {exported.dim} dimensions")
    distances = exported.distances
    print(
        f"  at most {distances.whole:.1e} of a vector's length from the engine's, on {exported.sentences} "
        "sentences"
    )
    if distances.whole > APART:
        print(
            f"  post-processing magnifies rounding: before it {distances.pooled:.1e}, by itself "
            f"{distances.finishing:.1e}"
        )
    if exported.directions:
        print("  vectors of length 1: their cosines are the recipe's, their lengths are not")
    print(f"  {exported.size / 1e6:,.1f} MB, {exported.speed:,.0f} sentences a second here")
    print(f'  SentenceTransformer("{options.output}").encode(sentences)')
