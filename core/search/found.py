"""What a search found: the choice and what it is worth, and all that its pictures need."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from core.evaluation.difference import Difference
from core.search.importance import Effect
from core.search.measured import Trial, best_first, front

PLAIN_MEAN = "plain mean of the last layer"


def is_plain(name: str) -> bool:
    """Whether a name of what is compared is that of plain mean pooling, on the first model or another."""
    return name.startswith(PLAIN_MEAN)


@dataclass(frozen=True)
class Outcome:
    """A score × 100 with its 95 % interval, on so many rows."""

    value: float
    low: float
    high: float
    rows: int


@dataclass(frozen=True)
class Compared:
    """Another recipe on test, and what the choice scores above it, with a paired 95 % interval."""

    name: str
    recipe: str
    test: float
    gain: Difference


@dataclass(frozen=True)
class Ranked:
    """One of the best recipes on dev: its score with interval, and what it is behind the choice, paired.

    ``milliseconds`` are those of a sentence; see :func:`core.search.cost.milliseconds`.
    """

    recipe: str
    dev: float
    low: float
    high: float
    behind: Difference
    dimensions: int
    milliseconds: float

    @property
    def apart(self) -> bool:
        """Whether it can be told apart from the choice."""
        return self.behind.known and self.behind.shown


@dataclass(frozen=True)
class Found:
    """The recipe that is best on dev, and what it is worth.

    Attributes
    ----------
    metric
        What scores are: ``Spearman × 100``; over several corpora ``mean Spearman × 100 of 3 corpora``.
    recipe
        The choice.
    dev
        Its score × 100 on dev; the mean over several corpora.
    optimism
        Points of it that are owed to choosing the best of :attr:`scored`, on average. What giving up others
        on a part of dev adds to it is not known.
    test, tests
        Its score on test, and on each corpus; the second of one name has ``(2)`` behind it.
    baseline, preset
        Plain mean pooling, and the published method that is best on dev; None where none could be scored,
        or where it is the choice itself.
    trials
        All that was proposed, in order, each recipe once.
    published
        Published methods by name, scored on dev as well.
    alike
        Recipes that score the same as another one on every resample of dev, by that one, which alone is
        among :attr:`scored`.
    ranked
        The best ten on dev, and all of the front.
    matters, effects
        The share of variance that each stage explains, and what its options score: over all trials on the
        smallest subsample of dev where there is one, else on dev.
    rows
        Rows of dev and of test.
    unit
        What rows are called: sentences where a proxy looks at texts alone.
    rungs
        Rows of the subsamples of dev that recipes were measured on first, the smallest first.
    cost
        What the front is of, beside the score: ``dimensions`` or ``milliseconds``.
    notes
        What a reader must know.
    """

    metric: str
    recipe: str
    dev: float
    optimism: float
    test: Outcome
    tests: Mapping[str, Outcome]
    baseline: Compared | None
    preset: Compared | None
    trials: tuple[Trial, ...]
    published: Mapping[str, Trial] = field(default_factory=dict)
    alike: Mapping[str, str] = field(default_factory=dict)
    ranked: tuple[Ranked, ...] = ()
    matters: Mapping[str, float] = field(default_factory=dict)
    effects: tuple[Effect, ...] = ()
    rows: tuple[int, int] = (0, 0)
    unit: str = "rows"
    rungs: tuple[int, ...] = ()
    cost: str = "dimensions"
    notes: tuple[str, ...] = ()

    @property
    def scored(self) -> list[Trial]:
        """Each recipe with a score, once, published methods included, the best first."""
        return best_first(trial for trial in self._all if trial.recipe not in self.alike)

    @property
    def scoring_alike(self) -> list[Trial]:
        """Recipes that score the same as one of these, the best first."""
        return best_first(trial for trial in self._all if trial.recipe in self.alike)

    @property
    def _all(self) -> tuple[Trial, ...]:
        return (*self.trials, *self.published.values())

    @property
    def methods(self) -> dict[str, Trial]:
        """The published methods that were tried, without plain mean pooling: that is compared by itself."""
        return {name: trial for name, trial in self.published.items() if not is_plain(name)}

    @property
    def chosen_names(self) -> list[str]:
        """The names that the choice is published under, that of plain mean pooling among them."""
        texts = {name: trial.recipe for name, trial in self.published.items()}
        same = [name for name, text in texts.items() if self.alike.get(text, text) == self.recipe]
        return sorted(same, key=lambda name: texts[name] != self.recipe)

    @property
    def front(self) -> list[Trial]:
        """Recipes that no other one equals or betters at as low a cost, the cheapest first."""
        return front(self.scored, self.cost)

    @property
    def unscored(self) -> int:
        """How many proposals could not be scored."""
        return len(self._failed)

    @property
    def barred(self) -> dict[str, int]:
        """How many proposals were left out to save time, by the dear option that had had its share."""
        return dict(Counter(trial.barred for trial in self.trials if trial.barred).most_common())

    @property
    def saved(self) -> str:
        """The dear options and how many proposals each was left out of: ``pool=gem (3), layers=wk (1)``."""
        return ", ".join(f"{option} ({often:,})" for option, often in self.barred.items())

    @property
    def _failed(self) -> list[Trial]:
        return [t for t in self.trials if math.isnan(t.dev) and not t.given_up and not t.barred]

    def reasons(self, most: int) -> list[tuple[int, str]]:
        """How many proposals could not be scored for each reason, ``most`` reasons by themselves.

        Those that differ in numbers alone are one, told with the least and the greatest of each. The
        commonest come first, on one line each; the others are the last line together.
        """
        kinds: dict[str, list[str]] = {}
        for each in self._failed:
            reason = " ".join(each.problem.split())
            kinds.setdefault(_NUMBER.sub("#", reason), []).append(reason)
        ordered = sorted(kinds.values(), key=len, reverse=True)
        told = [(len(alike), _as_one(alike)) for alike in ordered[:most]]
        rest = sum(map(len, ordered[most:]))
        return [*told, (rest, "for other reasons")] if rest else told

    @property
    def ended(self) -> dict[int, int]:
        """How many trials were given up after each subsample of dev, by its rows."""
        return {rows: sum(trial.given_up == rows for trial in self.trials) for rows in self.rungs}

    @property
    def given_up(self) -> list[Trial]:
        """Each recipe that was given up on a subsample of dev, once, in the order tried."""
        return list({trial.recipe: trial for trial in self.trials if trial.given_up}.values())

    def as_data(self) -> dict[str, Any]:
        """Lists, numbers and texts that :meth:`of_data` makes the same of."""
        return asdict(self)

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> Found:
        """The inverse of :meth:`as_data`, through JSON as well."""
        read = dict(data)
        return cls(
            **read
            | {
                "test": Outcome(**read["test"]),
                "tests": {name: Outcome(**each) for name, each in read["tests"].items()},
                "baseline": _compared(read["baseline"]),
                "preset": _compared(read["preset"]),
                "trials": tuple(_trials(read["trials"])),
                "published": dict(zip(read["published"], _trials(read["published"].values()), strict=True)),
                "ranked": tuple(_ranked(each) for each in read["ranked"]),
                "effects": tuple(Effect(**each) for each in read["effects"]),
                "rows": tuple(read["rows"]),
                "rungs": tuple(read.get("rungs", ())),
                "notes": tuple(read["notes"]),
            }
        )


def _compared(data: Mapping[str, Any] | None) -> Compared | None:
    return None if data is None else Compared(**{**data, "gain": Difference(**data["gain"])})


def _ranked(data: Mapping[str, Any]) -> Ranked:
    return Ranked(**{**data, "behind": Difference(**data["behind"])})


def _trials(data: Any) -> Iterator[Trial]:
    return (
        Trial(**{**each, "each": tuple(each["each"]), "rungs": tuple(each.get("rungs", ()))})
        for each in data
    )


_NUMBER = re.compile(r"(?<![\w.-])\d+(?:,\d{3})*(?:\.\d+)?(?!\w)")
"""A number of a reason; digits of a name, as of a model or a corpus, are none."""


def _as_one(alike: Sequence[str]) -> str:
    """Reasons that differ in numbers alone as one: ``64–512`` in the place of a number that differs."""
    columns = zip(*(_NUMBER.findall(reason) for reason in alike), strict=True)
    spans = []
    for column in columns:
        least, most = (end(column, key=lambda text: float(text.replace(",", ""))) for end in (min, max))
        spans.append(least if least == most else f"{least}–{most}")
    each = iter(spans)
    return _NUMBER.sub(lambda _: next(each), alike[0])
