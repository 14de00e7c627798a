"""The card of an exported model: what it is, what it learnt from, what it scores, how to cite it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.corpora.corpus import Corpus
from core.errors import counted
from core.evaluation.scoring import Scored
from core.exports.exported import Exported
from core.literature.presets import PRESETS
from core.literature.presets.naming import name, preset_name
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.recipe.options import Choice
from core.recipe.recipe import AnyStage
from core.versions import __version__

_CARD = """---
library_name: sentence-transformers
pipeline_tag: sentence-similarity
tags:
- sentence-transformers
- sentence-strata
---

# {title}

A sentence encoder of {dim} dimensions, made from {vectors} without training: the recipe below, written by
Sentence Strata {version}.

```python
from sentence_transformers import SentenceTransformer

model = SentenceTransformer("this folder")
vectors = model.encode(["A storm flooded the bank.", "The river rose."])
model.similarity(vectors, vectors)
```

## Recipe

    {recipe}

{stages}

Modules of the library: {modules}. No code comes with this folder.

## What it learnt from

{learnt}

{taken} {model}, revision {revision}.

## How right

Compared with Sentence Strata's own engine on {sentences} sentences, when the folder was written and loaded
again: vectors are at most {apart:.1e} of their length apart.{magnified} Texts are cut at the model's own
limit. A text that spells a special token ([MASK], </s>) is read as plain text. {kind}

## Scores

{scores}

## How to cite

{cite}
"""


_TRANSFORMER = "A text of which no token counts gets the mean of all its tokens."

_STATIC = """A text of which no token counts gets the mean of its own tokens, without those
that a tokenizer adds, and one without any token a vector of zeros.

The model is a table of token vectors: {size:,.0f} MB, and {speed:,.0f} sentences a second where it was
written."""

_DIRECTIONS = """
Its vectors have length 1. Their directions, and so their cosines, are the recipe's; lengths are not, since
StaticEmbedding divides by the number of tokens, and the recipe by the sum of their weights."""

_MORE = 2
"""How often larger than its halves a distance is that post-processing magnifies, beyond rounding."""

_MAGNIFIED = """
The recipe's post-processing magnifies the rounding of float32, in the engine as in the folder: before it
vectors are at most {pooled:.1e} apart, and by itself it is at most {finishing:.1e} off."""


_TIES = """

Pairs that are equally similar are one tie in these scores. In float32 rounding parts such pairs, as two
copies of a sentence: round similarities to 6 digits before they are ranked."""


def card(
    engine: Engine,
    recipe: Recipe,
    corpus: Corpus,
    exported: Exported,
    scores: Sequence[str],
    *,
    learns: bool,
) -> str:
    """The text of a folder's README.md.

    ``corpus`` is the target that the recipe learnt from, if it ``learns``; ``scores`` are lines.
    """
    source, spelled = engine.source(recipe, corpus), recipe.spelled()
    named = preset_name(recipe)
    published = next((preset.published for preset in PRESETS if preset.name == named), "")
    learnt = []
    if learns:
        learnt.append(_said(corpus, recipe.on_target()))
    if recipe.needs_reference():
        learnt.append(_said(engine.references.of(recipe), recipe.from_reference()))
    cite = [f"The method: {published}."] if published else []
    cite.append(
        f"The model: as {source.location.name} asks for. The export: Sentence Strata {__version__}."
    )
    distances = exported.distances
    return _CARD.format(
        title=f"{name(recipe)} of {source.name}",
        vectors=source.name,
        dim=exported.dim,
        model=source.location.name,
        version=__version__,
        recipe=str(recipe) or "(all defaults)",
        stages="\n".join(
            f"* {stage}: `{value}`"
            for stage, value in spelled.items()
            if stage != "reference" or recipe.needs_reference()
        ),
        modules=" → ".join(exported.modules),
        learnt="\n\n".join(learnt) or "Nothing: no stage of the recipe learns from texts.",
        revision=source.location.revision,
        taken="The tokens are those of" if exported.static else "The transformer is",
        kind=_kind(exported),
        magnified=_MAGNIFIED.format(pooled=distances.pooled, finishing=distances.finishing)
        if distances.whole > _MORE * distances.of_halves
        else "",
        sentences=exported.sentences,
        apart=distances.whole,
        scores="\n".join(f"* {line}" for line in scores) + _TIES
        if scores
        else "None were measured for this card.",
        cite="\n\n".join(cite),
    )


def _kind(exported: Exported) -> str:
    """What a reader must know of a transformer, or of a table."""
    if not exported.static:
        return _TRANSFORMER
    said = _STATIC.format(size=exported.size / 1e6, speed=exported.speed)
    return said + _DIRECTIONS if exported.directions else said


def score_line(scored: Scored) -> str:
    """A score with its interval as a line of the card; says where the recipe learnt from the same texts."""
    found, recipe, about = scored.score, scored.recipe, scored.about
    learnt = [stage.name for stage, _ in recipe.on_target()]
    same = f"; {' and '.join(learnt)} learnt from these same texts" if learnt else ""
    where = f"{about['corpus']} {about['split']}"
    if not math.isfinite(found.spearman):
        return f"{where}: no score. {found.problem}"
    interval = f"95 % between {found.low:.2f} and {found.high:.2f}"
    if not math.isfinite(found.low):
        interval = "too few pairs for an interval"
    return (
        f"{where}: Spearman × 100 {found.spearman:.2f}, {interval}, "
        f"{counted(found.pairs, 'pair')}, aggregate {about['aggregate']}{same}"
    )


def _said(corpus: Corpus, steps: Sequence[tuple[AnyStage, Choice]]) -> str:
    """Which corpus some steps learnt from."""
    what = " and ".join(f"`{stage.name}={stage.text(choice)}`" for stage, choice in steps)
    split = "" if corpus.split_name in ("", "all") else f", {corpus.split_name}"
    texts = counted(len(corpus.sentences), "different text")
    return (
        f"What {what} learnt is from {corpus.name}{split}: {texts}, fingerprint "
        f"{corpus.texts_fingerprint[:16]}. It is frozen here: texts that are encoded "
        "teach it nothing."
    )
