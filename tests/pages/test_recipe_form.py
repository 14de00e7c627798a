"""The form offers everything the registry knows, and text and chips say the same."""

import re

import pytest

from components.recipe_form import PRESETS
from core.options import Choice
from core.presets import Preset
from core.recipe import STAGES, Recipe
from tests.core.helpers.examples import turnings
from tests.pages.reading import captions, errors, figures

SINGLE = [
    (name, option.name)
    for name, stage in STAGES.items()
    for option in stage
    if not stage.many and len(stage.options) > 1
]


REFUSED = {
    "source=doc2vec": "different sentences",
    "tokens=mask": "needs a template",
    "tokens=nomask": "needs a template",
    "pool=gem": "different sentences",
}
"""What a dozen sentences, and no template, do not allow; the form is there all the same."""

REASONS = ("different sentences", "needs a template", "'VECTORS' does not exist")


@pytest.mark.parametrize("stage", STAGES)
def test_every_turning_has_its_controls(visit, stage):
    at = visit(b="none")
    for turning in (one for one in turnings() if one.startswith(f"{stage}=")):
        at.text_input(key="a").set_value(turning).run()
        assert all(any(reason in error for reason in REASONS) for error in errors(at)), turning


@pytest.mark.parametrize(("stage", "option"), SINGLE)
def test_a_chip_writes_its_option_into_the_text(visit, stage, option):
    recipe = Recipe.parse("layers=last")
    before = STAGES[stage].text(getattr(recipe, stage))
    at = visit(b="none")
    at.selectbox(key=f"a/{stage}/{before}/options").set_value(option).run()
    said, after = errors(at), Recipe.parse(at.text_input(key="a").value)
    if option == "vectors":  # it says that a path is missing, and the recipe stays
        assert "vectors(path)" in said[0]
        assert after == recipe
        return
    assert getattr(after, stage) == Choice(option)
    if reason := REFUSED.get(f"{stage}={option}"):
        assert reason in said[0]
        return
    assert said == []
    assert len(figures(at)) == 1


def test_layers_are_picked_as_a_set(visit):
    at = visit(b="none")
    at.multiselect(key="a/layers/last/options").set_value(["last", "0", "static"]).run()
    assert errors(at) == []
    assert at.text_input(key="a").value == "layers=static+0+last"


def test_no_layer_at_all_is_refused_and_the_recipe_stays(visit):
    at = visit(b="none")
    at.multiselect(key="a/layers/last/options").set_value([]).run()
    assert errors(at)
    assert at.text_input(key="a").value == "layers=last"


def test_an_argument_is_changed_beside_its_option(visit):
    at = visit(a="post=abtt(fit=reference)", b="none")
    at.number_input(key="a/post/abtt(fit=reference)/abtt/d").set_value(5).run()
    assert errors(at) == []
    assert at.text_input(key="a").value == "post=abtt(d=5,fit=reference)"
    assert "A: post=abtt(d=5,fit=reference)" in captions(at)


def one_of_each_kind() -> list[Preset]:
    """Of the presets that need nothing, the first that turns at each set of stages."""
    kinds: dict[frozenset[str], Preset] = {}
    for preset in PRESETS:
        stages = frozenset(part.partition("=")[0] for part in preset.recipe.split(";"))
        if not preset.needs:
            kinds.setdefault(stages, preset)
    return list(kinds.values())


@pytest.mark.parametrize("preset", one_of_each_kind(), ids=lambda preset: preset.name)
def test_a_preset_is_shown_with_its_figure_or_its_reason(visit, preset):
    at = visit(b="none")
    at.selectbox(key="a.preset.layers=last").set_value(preset.name).run()
    shown = Recipe.parse(at.text_input(key="a").value)
    assert shown == preset.apply(Recipe.parse("layers=last"))
    if found := errors(at):
        assert re.search("needs|has no layer|this model has|this model's layers", found[0])
    else:
        assert len(figures(at)) == 1


def test_one_model_is_chosen_for_both(visit):
    at = visit(a="source=random;layers=static", b="pool=max")
    at.selectbox(key="model/random/bundled").set_value("random").run()
    assert at.text_input(key="a").value == "source=random;layers=static"
    assert at.text_input(key="b").value == "source=random;pool=max"
    assert errors(at) == []


def test_choosing_a_model_leaves_a_recipe_alone_that_cannot_be_read(visit):
    at = visit(a="pool=nonsense", b="source=random;pool=max")
    at.selectbox(key="model/random").set_value("bundled").run()
    assert at.text_input(key="a").value == "pool=nonsense"
    assert at.text_input(key="b").value == "pool=max"
