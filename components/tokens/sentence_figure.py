"""What the maps of sentences under recipes A and B draw, and what is said of them, on the page Tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from components import provenance, theme
from components.figures.labels import wrapped
from components.figures.tokens import Colour, MapPanel, Maps, Mark, maps
from components.text import escape
from components.tokens.sentence_neighbours import RecipeMap
from core.analysis.token_maps import projection, sentence_map
from core.analysis.token_maps.projection import METHODS
from core.analysis.token_maps.sentence_map import NeighbourChange
from core.corpora.corpus import Corpus
from core.errors import counted

NAMED = 30
"""Sentences up to which a point has its sentence beside it."""

CALLED = 100
"""Characters of a recipe's name over its map, which has three lines for it."""

GROUPS = 8
"""Parts of a corpus that have a colour; those with fewer sentences are grey."""


@dataclass(frozen=True, eq=False)
class SentenceMaps:
    """The sentences of ``places`` under each side, coloured ``by`` something.

    ``changed`` says whose neighbours change from A to B, and ``chosen`` is the sentence that is marked.
    """

    sides: Sequence[RecipeMap]
    corpus: Corpus
    places: np.ndarray
    by: str
    changed: NeighbourChange | None
    chosen: int | None

    @property
    def method(self) -> str:
        """How the maps are made."""
        return self.sides[0].map.method

    def uncoloured(self) -> str:
        """Why all sentences are grey; nothing where they are not."""
        if not np.isnan(self._coloured[1]).all():
            return ""
        what = "no gold scores" if self.by == "gold" else "no parts that could be labels"
        return f"{escape(self.corpus.name)} has {what}: all sentences are grey."

    def draw(
        self, points: Sequence[np.ndarray], look: theme.Theme, frame: np.ndarray | None = None
    ) -> Maps:
        """The maps with each side's sentences at ``points``, within a frame that holds ``frame``."""
        texts = self._texts
        colour, values = self._coloured
        called = provenance.sides_named({side.letter: side.recipe for side in self.sides}, CALLED)
        panels = [
            MapPanel(
                called[side.letter],
                own,
                self._hovers,
                values,
                color=look.side(side.letter),
                marks=self._marks(side, own),
                frame=frame,
                names=texts if len(texts) <= NAMED else (),
            )
            for side, own in zip(self.sides, points, strict=True)
        ]
        key = f"{self.method} {[side.identity for side in self.sides]}"
        return maps(panels, colour, look, height=440, key=key)

    @cached_property
    def _texts(self) -> list[str]:
        return [self.corpus.sentences[i] for i in self.places.tolist()]

    @cached_property
    def _hovers(self) -> list[str]:
        return [wrapped(text, 56, 3) for text in self._texts]

    @cached_property
    def _coloured(self) -> tuple[Colour, np.ndarray]:
        """What the sentences are coloured by, and the value of each."""
        colour, values = colouring(self.corpus, self.by)
        return colour, values[self.places]

    def _marks(self, side: RecipeMap, points: np.ndarray) -> list[Mark]:
        """The chosen sentence and its neighbours under both recipes' own choice."""
        changed, chosen = self.changed, self.chosen
        if changed is None or chosen is None:
            return []
        near = (changed.a if side.letter == "A" else changed.b)[chosen]
        rings = [Mark(float(points[i, 0]), float(points[i, 1]), "") for i in near.tolist()]
        return [*rings, Mark(float(points[chosen, 0]), float(points[chosen, 1]), "", chief=True)]

    def finding(self) -> str:
        """How much of the neighbourhoods A and B share, in one sentence."""
        changed = self.changed
        if changed is None:
            which = " and ".join(side.letter for side in self.sides)
            return f"Sentences under {which}, by {METHODS[self.method]}"
        if changed.k == 1:
            same, count = int(changed.overlap.sum()), len(changed.overlap)
            return f"A and B have the same nearest sentence for {same:,} of {counted(count, 'sentence')}"
        mean = float(changed.overlap.mean())
        lost = int((changed.overlap == 0).sum())
        end = f"; {lost:,} of {len(changed.overlap):,} sentences share none" if lost else ""
        return f"Of a sentence's {changed.k} nearest, A and B share a mean Jaccard of {mean:.2f}{end}"

    def caption(self, left: float | None) -> tuple[str, ...]:
        """The recipes, the corpus, how the maps are made and laid over each other.

        ``left`` is what Procrustes leaves of B's map; None where nothing was laid over.
        """
        number, total = len(self.places), len(self.corpus.sentences)
        some = f"{total:,}" if number == total else f"{number:,} of {total:,}, drawn with a fixed seed,"
        lines = [f"{side.letter}: {side.recipe.label()} · {side.name}" for side in self.sides]
        lines.append(provenance.line([], self.corpus, f"{some} different sentences"))
        how = f"{METHODS[self.method]} of each by itself, seed {projection.SEED}"
        if left is not None:
            how += f"; B turned, mirrored and scaled onto A (Procrustes, disparity {left:.2f})"
        if self.changed is not None:
            nearest = "nearest" if self.changed.k == 1 else f"{self.changed.k} nearest"
            how += f". Rings: a sentence and its {nearest} by cosine, all dimensions."
        return (*lines, how)

    def numbers(self, points: Sequence[np.ndarray]) -> pd.DataFrame:
        """One row per sentence."""
        columns: dict[str, object] = {"sentence": self._texts, self.by: self._coloured[1]}
        if self.by == "label":
            labels = sentence_map.subset_labels(self.corpus)
            columns[self.by] = [labels[i] for i in self.places.tolist()]
        for side, at in zip(self.sides, points, strict=True):
            columns |= {f"x {side.letter}": at[:, 0], f"y {side.letter}": at[:, 1]}
        if self.changed is not None:
            columns["neighbours shared (Jaccard)"] = self.changed.overlap
        return pd.DataFrame(columns)


def colouring(corpus: Corpus, by: str) -> tuple[Colour, np.ndarray]:
    """What sentences are coloured by, and the value of each; NaN for one without."""
    if by == "length":
        return Colour("words"), sentence_map.word_counts(corpus)
    if by == "gold":
        return Colour("mean gold score", missing="no gold score"), sentence_map.mean_gold(corpus)
    labels = sentence_map.subset_labels(corpus)
    names, counts = np.unique([label for label in labels if label] or [""], return_counts=True)
    kept = [str(name) for name in names[np.argsort(-counts, kind="stable")][:GROUPS] if name]
    values = np.array([kept.index(one) if one in kept else np.nan for one in labels], float)
    return Colour("part of the corpus", tuple(kept), "another part, or none"), values
