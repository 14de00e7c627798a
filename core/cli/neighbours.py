"""The command ``neighbours``: the sentences of a corpus that are nearest to a text."""

from __future__ import annotations

import argparse
import json

from core.analysis.neighbours import NEIGHBOURS, of_texts
from core.cli.common import (
    AddCommand,
    add_recipe,
    add_scale,
    corpus_of,
    engine_of,
    print_notes,
    progress_of,
)
from core.corpora.built_in import DEMO
from core.corpora.cleaning import clean
from core.errors import StrataError, counted, shorten
from core.recipe import Recipe

MOST = 1_000


def add(command: AddCommand) -> None:
    """Add the command."""
    parser = command("neighbours", _neighbours, "The sentences of a corpus nearest to a text, by cosine.")
    add_recipe(parser)
    parser.add_argument("--corpus", default=DEMO, help="a name (see corpora) or a path (default: demo)")
    parser.add_argument("--split", default="all", help="a split of the corpus (default: all)")
    add_scale(parser)
    parser.add_argument("--text", required=True, action="append", help="a text; may be given several times")
    parser.add_argument("--number", type=int, default=NEIGHBOURS, help="neighbours of each (default: 10)")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each text")


def _neighbours(options: argparse.Namespace) -> None:
    if not 1 <= options.number <= MOST:
        raise StrataError(f"number: got {shorten(str(options.number))}; allowed are 1 to {MOST:,}.")
    recipe, engine = Recipe.parse(options.recipe), engine_of(options)
    corpus = corpus_of(engine, options.corpus, options)
    texts = [clean(text) for text in options.text]
    found = of_texts(engine, recipe, corpus, texts, options.number, progress_of(options))
    print_notes(found.notes)
    for text, places, cosines in zip(texts, found.places.tolist(), found.cosines.tolist(), strict=True):
        near = [(corpus.sentences[place], cosine) for place, cosine in zip(places, cosines, strict=True)]
        if options.json:
            rows = [{"sentence": sentence, "cosine": cosine} for sentence, cosine in near]
            print(json.dumps({"text": text, "neighbours": rows}, ensure_ascii=False))
            continue
        print(f"{text}  (of {counted(len(corpus.sentences), 'different sentence')} of {corpus.name})")
        for sentence, cosine in near:
            print(f"  {cosine:+.3f}  {sentence}")
