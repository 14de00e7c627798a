"""Exported folders beside the engine: 40 recipes on 500 sentences; static-token models by size and speed.

``python -m benchmarks.exports [MODEL …]`` with models among bert, roberta, mpnet (tiny ones with random
weights), bundled and untuned; ``--first 20`` begins with that recipe. No data folder is needed: the
sentences are those of demo.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from benchmarks.report import circumstances, fresh_settings, show, table
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.evaluation.scoring import score
from core.exports.exported import Exported
from core.exports.folder import export
from core.exports.static import static_of
from core.pipeline.engine import Engine
from core.recipe import Recipe
from tests.core.helpers import tiny

SENTENCES = 500
BOUND = 1e-5
TINY = ("bert", "roberta", "mpnet")
SHIPPED = ("bundled", "untuned")

RECIPES = (
    "layers=last",
    "layers=0",
    "layers=1",
    "layers=0+2",
    "layers=all",
    "layers=last;similarity=dot",
    "layers=last;post=normalize;similarity=dot",
    "tokens=content",
    "tokens=noseparator",
    "layers=last;pool=cls",
    "layers=last;pool=max",
    "layers=last;pool=lasttoken",
    "layers=last;pool=clsmean",
    "layers=last;pool=dct(k=1)",
    "weight=idf",
    "weight=idf;tokens=content",
    "weight=idf(fit=reference);reference=topics",
    "weight=idf(fit=reference);tokens=infrequent;reference=topics",
    "post=centre",
    "post=zscore",
    "layers=last;post=zscore",
    "post=robust",
    "post=ccr",
    "post=pccr",
    "post=abtt(d=2)",
    "layers=last;post=abtt(d=8)+normalize",
    "post=normalize+abtt(d=2)+normalize",
    "post=whiten",
    "layers=last;post=whiten",
    "layers=1+2;post=whiten(k=16)",
    "layers=1;post=whiten(k=16,gamma=0.5)+normalize",
    "weight=idf;post=zscore",
    "weight=idf;tokens=content;post=whiten",
    "weight=idf;post=zscore(fit=reference);reference=topics",
    "layers=last;pool=max;post=robust",
    "layers=last;pool=clsmean;post=ccr+normalize",
    'layers=last;template="[X] In one word: [MASK]";tokens=mask',
    'layers=last;template="[X-] means [MASK] .";tokens=nomask;post=zscore',
    "layers=static;tokens=content;post=zscore",
    "source=averaged(model={model});tokens=content;weight=idf;post=abtt(d=2)+normalize;reference=topics",
)
"""Recipes that fit every family. ``{model}`` is the model."""

WITH_WORD_PIECES = ("layers=last;template=T0;tokens=mask", "layers=last;template=T4;tokens=unbiased")
"""Recipes that need to tell pieces of words, and quotes, from other tokens."""


def run(_: Path | None = None, models: Sequence[str] = (*TINY, *SHIPPED), first: int = 1) -> None:
    """Print the tables."""
    with fresh_settings(None) as settings, _folders(models) as sources:
        engine = Engine(settings)
        whole = engine.corpus("demo", "all").sentences
        corpus = Corpus.of_texts("demo", whole[: 2 * len(whole) // 3])
        for name, source in sources.items():
            show(f"{name}: exported folders and the engine")
            for line in _compared(engine, corpus, source, first):
                print(line, flush=True)  # each takes seconds
        for name in (name for name in SHIPPED if name in sources):
            show(f"{name}: a static-token model", _static(engine, name))


def _compared(engine: Engine, corpus: Corpus, source: str, first: int) -> Iterator[str]:
    """A table, line by line."""
    header = ("recipe", "apart", "before post", "post alone", "engine from float64", "folder from float64")
    yield table(header, []).rstrip()
    within, of = 0, 0
    recipes = RECIPES if Path(source).name in ("roberta", "mpnet") else (*RECIPES, *WITH_WORD_PIECES)
    for text in recipes[first - 1 :]:
        given = text.format(model=source) if "{model}" in text else f"source={source};{text}"
        recipe, shown = Recipe.parse(given), f"`{text.format(model='…')}`"
        with tempfile.TemporaryDirectory() as parent:
            folder = Path(parent) / "made"
            try:
                found = export(engine, recipe, folder, corpus, compared=SENTENCES)
            except StrataError as error:
                yield _line([shown, str(error), *[""] * 4])
                continue
            of, within = of + 1, within + (found.distances.whole <= BOUND)
            exact = (
                [""] * 2 if found.distances.whole <= BOUND else _in_float64(engine, recipe, corpus, found)
            )
            halves = (found.distances.whole, found.distances.pooled, found.distances.finishing)
            yield _line([shown, *(f"{distance:.1e}" for distance in halves), *exact])
    yield f"\n{within} of {of} within {BOUND:.0e} of the length, {SENTENCES} sentences.\n"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _in_float64(engine: Engine, recipe: Recipe, corpus: Corpus, found: Exported) -> list[str]:
    """How far the engine's vectors, and the folder's, are from the folder's in double precision."""
    from sentence_transformers import SentenceTransformer

    tokens = engine.weighted_states(recipe, corpus).states.tokens
    rows = np.flatnonzero(tokens.restore(tokens.lengths) > 0)
    rows = rows[np.unique(np.linspace(0, len(rows) - 1, SENTENCES).astype(int))]
    texts = [corpus.sentences[int(row)] for row in rows]
    model = SentenceTransformer(str(found.folder), device="cpu", local_files_only=True)
    single = model.encode(texts, show_progress_bar=False).astype(np.float64)
    double = np.asarray(model.double().encode(texts, show_progress_bar=False), np.float64)
    lengths = np.linalg.norm(double, axis=1)
    ours = engine.embed(recipe, corpus).vectors[rows].astype(np.float64)
    return [f"{(np.linalg.norm(some - double, axis=1) / lengths).max():.1e}" for some in (ours, single)]


def _static(engine: Engine, source: str) -> str:
    """A recipe with a model beside the same on averaged vectors: size, speed, error, score."""
    demo = engine.corpus("demo", "test")
    full = Recipe.parse(
        f"source={source};layers=last;tokens=content;weight=idf;post=normalize;reference=topics"
    )
    rows = []
    for recipe in (full, static_of(full)):
        with tempfile.TemporaryDirectory() as parent:
            found = export(engine, recipe, Path(parent) / "made", demo, compared=SENTENCES)
        scored = score(engine, recipe, demo).score
        rows.append(
            [
                f"`{recipe}`",
                " → ".join(found.modules),
                f"{found.size / 1e6:.0f}",
                f"{found.speed:,.0f}",
                f"{found.distances.whole:.1e}",
                f"{scored.spearman:.1f} ({scored.low:.1f} … {scored.high:.1f})",
            ]
        )
    return table(("recipe", "modules", "MB", "sentences a second", "apart", "demo test"), rows, words=2)


@contextmanager
def _folders(models: Sequence[str]) -> Iterator[dict[str, str]]:
    """The source of each model; tiny ones are made."""
    with tempfile.TemporaryDirectory(prefix="strata-tiny-") as parent:
        yield {
            name: str(tiny.build(name, Path(parent) / name)) if name in tiny.FAMILIES else name
            for name in models
        }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", metavar="MODEL")
    parser.add_argument("--first", type=int, default=1, help="the number of the first recipe")
    given = parser.parse_args()
    print(circumstances())
    run(None, given.models or (*TINY, *SHIPPED), given.first)
