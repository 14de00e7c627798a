"""Figures of the page Find: labels are whole on up to three lines, and no point is beyond its axis."""

import math

import pytest

from components.figures.drawing import doublings
from components.figures.search import best, costs
from components.figures.search_stages import matters
from components.figures.search_trials import NAME_WIDTH, trials
from components.theme import LIGHT
from core.evaluation.difference import NO_DIFFERENCE, Difference
from core.literature.presets.naming import names
from core.recipe import Recipe
from core.search.found import Outcome, Ranked
from core.search.measured import Trial

LONG = (
    "layers=wk(window=13);tokens=infrequent(n=144);pool=cls;post=pccr(m=2)+quantile;similarity=manhattan",
    "layers=wk(window=3);pool=cls",
    "layers=first+last;pool=cls",
)


def test_the_share_of_a_stage_is_never_written_sideways():
    """It stood on end in a bar that is higher than wide, as on a slide."""
    (bars,) = matters({"pool": 0.73, "similarity": 0.019}, "dev", LIGHT).data
    assert bars.textangle == 0


def test_the_best_recipes_have_their_whole_names_over_some_lines():
    ranked = [Ranked(text, 60.0, 55.0, 65.0, NO_DIFFERENCE, 384, 1.0) for text in LONG]
    called = names([Recipe.parse(text) for text in LONG])
    layout = best(ranked, called, "Spearman × 100", LIGHT).layout
    shown = layout.yaxis.ticktext
    lines = 1 + max(label.count("<br>") for label in shown)
    assert (layout.height - 70) / len(ranked) > 20 * lines, "no name touches the next"
    assert [label.replace("<br>", " ") for label in shown] == called
    assert "<br>" in shown[0]


def test_what_a_recipe_is_behind_has_a_minus():
    ranked = [Ranked("pool=cls", 60.0, 55.0, 65.0, Difference(0.3, -0.25, 0.8), 384, 1.0)]
    (bars,) = best(ranked, ["[CLS]"], "Spearman × 100", LIGHT).data
    assert bars.text[0].endswith("no difference shown: 0.30 behind, 95 %: −0.25 to 0.80")


def test_the_choice_is_named_in_the_margin_where_no_trial_lies():
    tried = [Trial("pool=cls", score, "", 384) for score in (50.0, 58.0, 56.0, 60.0)]
    figure = trials(tried, {}, Outcome(55.0, 50.0, 60.0, 50), "Spearman × 100", LIGHT)
    (name,) = (each for each in figure.layout.annotations if "on test" in each.text)
    assert (name.x, name.xanchor) == (5.0, "left"), "right of the last point"
    assert figure.layout.margin.r == NAME_WIDTH


@pytest.mark.parametrize("dimensions", [[2, 8, 384], [384], [1, 256]])
def test_every_cost_lies_between_two_ticks(dimensions):
    points = [("pool=cls", float(each), 50.0) for each in dimensions]
    axis = costs(points, points[:1], "dimensions", "Spearman × 100", LIGHT).layout.xaxis
    assert axis.tickvals[0] <= min(dimensions)
    assert axis.tickvals[-1] >= max(dimensions)
    assert axis.range[0] < math.log10(axis.tickvals[0])
    assert axis.range[1] > math.log10(axis.tickvals[-1])


def test_an_axis_without_counts_is_left_to_plotly():
    assert doublings([]) == {"type": "log"}
