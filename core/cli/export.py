"""The command ``export``: a recipe as a folder that sentence-transformers loads."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.cli.common import AddCommand, add_recipe, engine_of, print_notes, progress_of
from core.evaluation.scoring import score
from core.exports.card import score_line
from core.exports.design import refuse
from core.exports.folder import check_folder, export
from core.recipe import Recipe


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
    parser.add_argument("--split", help="a split of it, or all (default: test if there is one)")


def _export(options: argparse.Namespace) -> None:
    recipe, engine, progress = Recipe.parse(options.recipe), engine_of(options), progress_of(options)
    check_folder(options.output)
    refuse(recipe)
    corpus = None if options.corpus is None else engine.corpus(options.corpus, options.split)
    scores = []
    if corpus is not None and len(corpus):
        scores.append(score_line(score(engine, recipe, corpus, progress=progress)))
    exported = export(engine, recipe, options.output, corpus, progress, scores)
    print_notes(engine.reference_notes(recipe))
    print(f"{options.output}: {' → '.join(exported.modules)}, {exported.dim} dimensions")
    print(
        f"  at most {exported.apart:.1e} of a vector's length from the engine's, on {exported.sentences} "
        "sentences"
    )
    print(f'  SentenceTransformer("{options.output}").encode(sentences)')
