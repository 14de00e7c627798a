"""Each recipe is one trial of a search, however often it is judged."""

import math

from core.search.measured import Trial
from core.search.tried import distinct, in_vain

NAN = math.nan
LOW = Trial("pool=max", NAN, given_up=6)
FURTHER = Trial("pool=max", NAN, given_up=20)
SCORED = Trial("pool=max", 50.0)
LEFT_OUT = Trial("pool=gem", NAN, barred="pool=gem")
PLAIN, FAILED, NONE = Trial("", 40.0), Trial("pool=cls", NAN, "no [CLS]"), Trial("", NAN, "no such recipe")


def test_a_recipe_is_one_trial_where_it_came_furthest():
    assert distinct([LOW, PLAIN, FURTHER, LOW]) == [FURTHER, PLAIN]
    assert distinct([LOW, PLAIN, SCORED, LOW]) == [SCORED, PLAIN]
    assert distinct([LEFT_OUT, Trial("pool=gem", 9.0)]) == [Trial("pool=gem", 9.0)]


def test_proposals_that_are_no_recipe_are_all_kept():
    assert str(distinct([NONE, PLAIN, NONE, FAILED])) == str([NONE, PLAIN, NONE, FAILED])


def test_the_first_so_many_are_what_they_were_when_there_were_so_many():
    assert distinct([LOW, PLAIN, SCORED], 2) == [LOW, PLAIN]
    assert distinct([LOW, SCORED, PLAIN, LEFT_OUT], 2) == [SCORED, PLAIN]


def test_judgements_in_vain_are_those_that_end_as_before():
    assert in_vain([LOW, PLAIN]) == 0
    assert in_vain([LOW, PLAIN, LOW, FURTHER]) == 2
    assert in_vain([LOW, LOW, PLAIN]) == 0
    assert in_vain([LOW, LOW, SCORED]) == 0
