"""What is searched: the recipes that may be proposed, and what they are chosen by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.errors import RecipeError, shorten
from core.evaluation.scoring import kept_under
from core.pipeline.engine import Engine
from core.recipe import STAGES, Recipe
from core.search.aims import Parted
from core.search.halving import shares
from core.search.space import SEARCHED, Space

COSTS = ("dimensions", "milliseconds")
"""What a search can keep low beside scoring high."""

WIDER = 4
"""How many times the dimensions of a token's vector sentence vectors may have, unless said otherwise."""


@dataclass(frozen=True)
class Question:
    """What is searched: a space, for some corpora in two parts each.

    Attributes
    ----------
    space
        What may be proposed.
    parts
        Dev and test of each corpus; with several a recipe is chosen by its mean rank.
    width
        The most dimensions that vectors may have, before and after post-processing: whitening, for one,
        takes a time that grows with their cube.
    seed
        Of the proposals.
    cost
        What is kept low as well, one of :data:`COSTS`: proposals are then made for the whole front of
        scores against it; empty for the score alone.
    halving
        Whether recipes that score low on a subsample of dev are given up (:mod:`core.search.halving`); none
        is where a cost is kept low, since the front holds recipes of low scores.
    """

    space: Space
    parts: tuple[Parted, ...]
    width: int = 4096
    seed: int = 0
    cost: str = ""
    halving: bool = True

    def __post_init__(self) -> None:
        """Refuse a cost that is none."""
        if self.cost and self.cost not in COSTS:
            raise RecipeError(f"find: got the cost {shorten(self.cost)}; allowed is {' or '.join(COSTS)}.")

    @classmethod
    def of(
        cls,
        engine: Engine,
        base: Recipe,
        parts: Sequence[Parted],
        stages: tuple[str, ...] = SEARCHED,
        *,
        reference: bool = True,
        exports: bool = False,
        dimensions: int | None = None,
        seed: int = 0,
        cost: str = "",
        halving: bool = True,
        sources: Sequence[str] = (),
    ) -> Question:
        """The question on what the source of ``base`` has; see :class:`~core.search.space.Space`.

        ``sources`` are searched as well, as recipes write them. ``dimensions`` is the width,
        :data:`WIDER` times that of a token when None. Nothing is read.

        Raises
        ------
        RecipeError
            A stage that is not searched, or none; a source that learns from each corpus anew; a
            seed below 0.
        StrataError
            A source or template that is not there.
        """
        if not parts:
            raise RecipeError("find: no corpus is given to choose by.")
        if seed < 0:
            raise RecipeError(f"find: the seed is {seed}; allowed are whole numbers from 0.")
        bases = {str(each): each for each in (base, *(base.replace(source=name) for name in sources))}
        found = {text: engine.source(each, parts[0].dev.corpus) for text, each in bases.items()}
        space, *others = (
            Space.of(bases[text], source, stages, reference=reference, exports=exports)
            for text, source in found.items()
        )
        space = replace(space, others=tuple(others))
        width = dimensions or WIDER * max(source.location.dim for source in found.values())
        return cls(space, tuple(parts), width, seed, cost, halving)

    @property
    def name(self) -> str:
        """The corpora."""
        return ", ".join(part.name for part in self.parts)

    @property
    def unit(self) -> str:
        """What the rows of dev and test are called: sentences where a proxy looks at texts alone."""
        return self.parts[0].dev.unit

    @property
    def metric(self) -> str:
        """What scores are, where that is known before and the same on all corpora; else empty."""
        metrics = {part.dev.metric for part in self.parts}
        return metrics.pop() if len(metrics) == 1 else ""

    @property
    def shares(self) -> tuple[float, ...]:
        """The shares of dev that recipes are measured on before all of it, the smallest first."""
        return shares([part.dev for part in self.parts]) if self.halving and not self.cost else ()

    def depends_on(self, engine: Engine) -> tuple[object, ...]:
        """All that proposals and their scores on dev depend on.

        Raises :class:`~core.errors.StrataError` where the source or the reference is not there.
        """
        space = self.space
        options = {
            name: [
                (option.describe(), *option.marks)
                for option in STAGES[name]
                if not option.package or option.name in space.offered(name)  # installed, and proposed
            ]
            for name in space.stages
        }
        about = kept_under(engine, space.held)
        if space.reference:
            about |= {"reference": engine.references.of(space.base).fingerprint}
        limits: list[object] = [
            self.width,
            self.seed,
            space.depth,
            space.heads,
            space.reference,
            space.exports,
        ]
        limits += [self.cost] if self.cost else []
        limits += [[kept_under(engine, each.held), each.depth, each.heads] for each in space.others]
        limits += [{"halving": self.shares}] if self.shares else []
        return (about, options, limits, [part.dev.depends_on for part in self.parts])
