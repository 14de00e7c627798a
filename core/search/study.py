"""What Optuna is told of the trials of a search, and what it proposes from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.errors import StrataError
from core.search.journal import Entry
from core.search.measured import Trial
from core.search.question import Question

if TYPE_CHECKING:  # it is imported when a search begins
    import optuna

LED = 20
"""Proposals in vain that are led by what was tried; what is led too far proposes the same again."""

SEEN = 150
"""Trials that the sampler looks at: its time for a proposal grows with them."""


def study_of(question: Question, before: Sequence[Entry], rungs: Sequence[int]) -> optuna.Study:
    """A study of what was tried before; ``rungs`` are the rows of subsamples."""
    try:
        import optuna
    except ImportError as error:
        raise StrataError("A search needs the package optuna: pip install optuna.") from error
    from optuna.study import StudyDirection
    from optuna.trial import TrialState, create_trial

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    high, low = StudyDirection.MAXIMIZE, StudyDirection.MINIMIZE
    directions = [high, low] if question.cost else [high]
    study, chosen_of = optuna.create_study(directions=directions), settled(len(before))
    for entry in [*looked_at(question, before[:chosen_of]), *before[chosen_of:]]:
        scored = math.isfinite(entry.trial.dev)
        study.add_trial(
            create_trial(
                state=TrialState.COMPLETE if scored else TrialState.PRUNED,
                values=told_values(question, entry.trial) if scored else None,
                intermediate_values={
                    rows: score
                    for rows, score in zip(rungs, entry.trial.rungs, strict=False)
                    if math.isfinite(score)
                },
                params=entry.parameters,
                distributions=entry.distributions,
            )
        )
    return study


def sampler(question: Question, before: int, in_vain: int = 0) -> optuna.samplers.BaseSampler:
    """What proposes after so many trials, of random numbers of its own: also where a search goes on.

    ``in_vain`` are the proposals since the last trial that were tried before. After :data:`LED` of them
    anything is proposed.
    """
    import optuna

    (seed,) = np.random.SeedSequence([question.seed, before, in_vain]).generate_state(1).tolist()
    if in_vain >= LED:
        return optuna.samplers.RandomSampler(seed=seed)
    return optuna.samplers.TPESampler(seed=seed, n_startup_trials=20)


def told_values(question: Question, trial: Trial) -> list[float]:
    """What the study is told of a trial with a score: that, and its cost where the search weighs one."""
    return [trial.dev, float(getattr(trial, question.cost))] if question.cost else [trial.dev]


def settled(trials: int) -> int:
    """Of how many of so many trials the sampler sees a choice; it sees all that came after these."""
    number = trials // (SEEN // 3) * (SEEN // 3)
    return number if number > SEEN else 0


def looked_at(question: Question, before: Sequence[Entry]) -> Sequence[Entry]:
    """What the sampler looks at of many trials: the best third of so many, and others evenly over time.

    For a whole front all.
    """
    if len(before) <= SEEN or question.cost:
        return before

    def worth(number: int) -> tuple[bool, int, float]:
        trial = before[number].trial
        known = [score for score in (*trial.rungs, trial.dev) if math.isfinite(score)]
        return math.isfinite(trial.dev), trial.given_up, known[-1] if known else -math.inf

    order = sorted(range(len(before)), key=worth, reverse=True)
    best, others = order[: SEEN // 3], sorted(order[SEEN // 3 :])
    places = np.linspace(0, len(others) - 1, SEEN - len(best)).astype(int)
    return [before[number] for number in sorted([*best, *(others[place] for place in places.tolist())])]
