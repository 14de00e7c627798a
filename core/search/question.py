"""What is searched: the recipes that may be proposed, and what they are chosen by."""

from __future__ import annotations

from dataclasses import dataclass

from core.corpora.corpus import Corpus
from core.evaluation.sts import Aggregate
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.search.space import SEARCHED, Space

WIDER = 4
"""How many times the dimensions of a token's vector sentence vectors may have, unless said otherwise."""


@dataclass(frozen=True)
class Question:
    """What is searched: a space, on the pairs of a corpus, under an aggregate.

    ``width`` is the most dimensions that vectors may have, before and after post-processing: whitening, for
    one, takes a time that grows with their cube. ``seed`` is that of the proposals.
    """

    space: Space
    dev: Corpus
    aggregate: Aggregate = "all"
    width: int = 4096
    seed: int = 0

    @classmethod
    def of(
        cls,
        engine: Engine,
        base: Recipe,
        dev: Corpus,
        stages: tuple[str, ...] = SEARCHED,
        *,
        reference: bool = True,
        dimensions: int | None = None,
        aggregate: Aggregate = "all",
        seed: int = 0,
    ) -> Question:
        """The question on what the source of ``base`` has; see :class:`~core.search.space.Space`.

        ``dimensions`` is the width, :data:`WIDER` times that of a token when None. Nothing is read.

        Raises
        ------
        RecipeError
            A stage that is not searched, or none.
        StrataError
            A source or template that is not there.
        """
        source = engine.source(base, dev)
        space = Space.of(base, source, stages, reference=reference)
        return cls(space, dev, aggregate, dimensions or WIDER * source.location.dim, seed)
