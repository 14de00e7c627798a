"""The command ``embed``: one vector for each line of a text file."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from core.cli.common import AddCommand, add_recipe, engine_of, print_notes, progress_of
from core.corpora.cleaning import clean
from core.corpora.corpus import Corpus
from core.corpora.table_files import read_lines
from core.errors import CorpusError, StrataError, are, counted, shorten
from core.recipe import Recipe
from core.trust import is_folder


def add(command: AddCommand) -> None:
    """Add the command."""
    parser = command("embed", _embed, "Write one vector per line of a text file.")
    add_recipe(parser)
    parser.add_argument("--input", required=True, type=Path, help="a text file, one sentence a line")
    parser.add_argument("--output", required=True, type=Path, help="a .npy file: [line, dim], float32")


def _embed(options: argparse.Namespace) -> None:
    recipe, engine = Recipe.parse(options.recipe), engine_of(options)
    if options.output.suffix != ".npy":
        raise StrataError(f"output: got {shorten(options.output)}; allowed is a file ending in .npy.")
    if not is_folder(options.output.parent):
        raise StrataError(f"output: the folder {shorten(options.output.parent)} does not exist.")
    lines = [clean(line) for line in read_lines(options.input)]
    if not lines:
        raise CorpusError(f"{shorten(options.input)} is empty; one sentence a line is needed.")
    empty = [number for number, line in enumerate(lines, 1) if not line]
    corpus = Corpus.of_texts(options.input.name, lines, origin=f"file {options.input.name}")
    embedded = engine.embed(recipe, corpus, progress_of(options))
    vectors = embedded.vectors[corpus.rows_of(lines)]
    try:
        np.save(options.output, vectors, allow_pickle=False)
    except OSError as error:
        raise StrataError(f"{shorten(options.output)} cannot be written: {error.strerror}.") from error
    notes = list(embedded.notes)
    if empty:
        shown = ", ".join(map(str, empty[:5])) + (", …" if len(empty) > 5 else "")
        many = counted(len(empty), "line")
        notes.append(
            f"{many} {are(len(empty))} empty (line{'s' * (len(empty) > 1)} {shown}): the vector of an "
            "empty line says nothing."
        )
    print_notes(notes)
    print(f"{counted(len(vectors), 'vector')} of {counted(vectors.shape[1], 'number')} in {options.output}")
