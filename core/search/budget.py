"""How long a search goes on: so many trials, or so many seconds."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.errors import RecipeError, shorten

_SECONDS = {"s": 1, "m": 60, "h": 3600}


@dataclass(frozen=True)
class Budget:
    """A number of trials or of seconds, whichever is given."""

    trials: int | None = None
    seconds: float | None = None

    @classmethod
    def parse(cls, text: str) -> Budget:
        """``60`` is 60 trials, ``90s``, ``5m``, ``1h`` are times; raises :class:`RecipeError` otherwise."""
        match = re.fullmatch(r"([0-9]{1,7})([smh]?)", text.strip())
        if match is None or int(match[1]) < 1:
            raise RecipeError(
                f"budget: got {shorten(text)}; allowed is a number of trials from 1, as 60, or a time, "
                "as 90s, 5m or 1h."
            )
        amount, unit = int(match[1]), match[2]
        return cls(seconds=float(amount * _SECONDS[unit])) if unit else cls(trials=amount)

    def is_spent(self, trials: int, seconds: float) -> bool:
        """Whether so many trials, or seconds of this run, are all that there is."""
        if self.trials is not None:
            return trials >= self.trials
        return self.seconds is None or seconds >= self.seconds
