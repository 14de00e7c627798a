"""The pace of work, from steps that are told at given seconds."""

from core.progress import Step
from core.work.pace import Pace


def test_an_estimate_follows_the_pace_of_the_work_and_never_falls_below_itself():
    """255 of 2,017 inputs in 46 seconds take six minutes, not four."""
    pace, expected, left = Pace(240.0), [], []
    for seconds, what, done in (
        (0, "Reading", 0),
        (4, "Reading", 100),
        (46, "Reading", 255),
        (187, "Reading", 825),
        (400, "Reading", 2017),
        (402, "Scoring", 0),
        (410, "Scoring", 2000),
    ):
        pace.count(Step(what, done, 2017), seconds)
        expected.append(round(pace.expected))
        left.append(pace.left and round(pace.left))
    assert expected == [240, 240, 364, 457, 400, 400, 410]
    assert left == [None, None, 318, 270, 0, None, 0]


def test_what_a_part_takes_is_no_estimate_of_the_whole():
    pace = Pace()
    pace.count(Step("Reading", 0, 100), 0)
    pace.count(Step("Reading", 10, 100), 50)
    assert pace.left == 450
    assert pace.expected == 0.0


def test_an_estimate_follows_the_share_of_the_work_where_the_first_take_longest():
    """A tenth of the texts, the longest, hold half of the tokens: after a minute half of it is done."""
    pace = Pace(90.0)
    pace.count(Step("Reading", 0, 1000, share=0.0), 0)
    pace.count(Step("Reading", 100, 1000, share=0.5), 60)
    assert pace.expected == 120


def test_reading_within_a_trial_does_not_make_all_trials_long():
    pace = Pace(90.0)
    for seconds, what, done, total in (
        (0, "Trials", 0, 50),
        (1, "Reading", 0, 100),
        (61, "Reading", 100, 100),
        (62, "Trials", 1, 50),
        (72, "Trials", 11, 50),
    ):
        pace.count(Step(what, done, total), seconds)
    assert pace.expected == 72 + 39


def test_one_trial_is_no_pace_and_what_is_found_meanwhile_begins_none_anew():
    pace, expected = Pace(30.0), []
    for seconds, done in ((0, 0), (6, 1), (20, 4), (25, 5), (31, 10), (40, 40)):
        pace.count(Step("Trying recipes", done, 50, found=f"best {done}"), seconds)
        expected.append(round(pace.expected))
    assert expected == [30, 30, 30, 250, 155, 50]
    assert pace.part == 1
