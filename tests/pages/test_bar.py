"""The bar offers everything the registry knows; cells, editor, text form and link say the same."""

import re
import threading

import numpy as np
import pytest

from components import state
from components.bar.cells import SHOWN
from components.cached import shared_engine, shared_queue
from components.text import plain
from core.evaluation.scoring import score
from core.evaluation.wording import fixed
from core.literature.presets import PRESETS, Preset
from core.literature.presets.naming import name
from core.pipeline.engine import Engine
from core.progress import Step
from core.recipe import POOL, STAGES, Recipe
from core.recipe.options import Choice
from core.tokens.token_batch import TokenBatch
from core.work import Job, Queue, State
from tests.core.helpers.examples import stage_choices
from tests.core.helpers.texts import many
from tests.pages.conftest import SECONDS
from tests.pages.reading import (
    captions,
    cells,
    click_cell,
    errors,
    figures,
    headings,
    htmls,
    pairs_of,
    table_of,
    told,
)

PLAIN = state.DEFAULTS["a"]
"""Recipe A as one arrives."""

EDITED = ("button_group", "selectbox", "text_input")
"""Kinds of controls that choose the options of a stage."""

ONE_OF_MANY = [
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
    "pool=clshead": "holds no trained layer behind",
}
"""What a dozen sentences, and no template, do not allow; the editor is there all the same."""

OF_THE_MODEL = {"weight=ditto", "pool=clshead"}
"""What takes a head of the bundled model, or misses a layer in it; the rest is asked of a tiny one."""

REASON = "'VECTORS' may not be opened from here"


@pytest.fixture
def tiny_source(small) -> str:
    """The stage of a recipe that takes the tiny model, for which the choices of stages are made."""
    return small.partition(";")[0]


@pytest.fixture
def dogs(corpora) -> str:
    """A corpus of thirty pairs, by its name."""
    corpora(dogs=pairs_of(many(60), lambda i: (7 * i) % 6))
    return "dogs"


def cell(at, side, stage=""):
    """The text of a cell; of the name where no stage is given."""
    if stage:
        return cells(at, side)[stage]["text"]
    return at.button(key=f"cell-{side}").label.replace("\\", "")


def styles(at):
    """The bar's CSS of this run."""
    return next(text for text in (box.proto.body for box in at.get("html")) if ".st-key-bar {" in text)


@pytest.mark.parametrize("stage", STAGES)
def test_every_value_of_a_stage_has_its_cell_and_its_editor(visit, tiny_source, stage):
    """The bar is the same on every page, and this one reads nothing: the contract test runs every value."""
    edited = "post" if stage == "reference" else stage
    at = visit("deck", a=tiny_source, b="none", edit=f"a.{edited}")
    for choice in (one for one in stage_choices() if one.startswith(f"{stage}=")):
        text = choice if stage == "source" else f"{tiny_source};{choice}"
        at.text_input(key="a").set_value(text).run()
        assert all(REASON in error for error in errors(at)), text
        value = getattr(Recipe.parse(text), stage)
        options = at.selectbox if stage == "reference" else at.pills
        shown = options(key=f"a/{stage}/options").value
        if stage == "layers":
            sets = (
                group for group in at.get("button_group") if str(group.key).startswith("a/layers/sets/")
            )
            assert shown or all(group.value for group in sets), text
        elif STAGES[stage].many:
            assert shown == [each.name for each in value], text
        else:
            assert shown in (value.name, STAGES[stage].text(value)), text


@pytest.mark.parametrize(("stage", "option"), ONE_OF_MANY)
def test_a_pill_writes_its_option_into_the_text(visit, small, stage, option):
    is_bundled = stage == "source" or f"{stage}={option}" in OF_THE_MODEL
    recipe = Recipe.parse(PLAIN if is_bundled else small)
    at = visit(a=str(recipe), b="none", edit=f"a.{stage}")
    at.pills(key=f"a/{stage}/options").set_value(option).run()
    said, after = errors(at), Recipe.parse(at.text_input(key="a").value)
    if option == "vectors":  # its path is asked for, and the recipe stays until it is given
        assert said == []
        assert after == recipe
        at.text_input(key=f"a/{stage}/vectors/path").set_value("VECTORS").run()
        assert Recipe.parse(at.text_input(key="a").value).spelled()[stage] == "vectors(path=VECTORS)"
        return
    assert getattr(after, stage) == Choice(option)
    if reason := REFUSED.get(f"{stage}={option}"):
        assert reason in said[0]
        return
    assert said == []
    assert len(figures(at)) == 1


def test_a_head_is_chosen_among_those_of_the_model_and_one_beyond_them_can_be_taken_back(visit):
    at = visit(a="layers=last;weight=ditto", b="none", edit="a.weight")
    assert [(at.slider(key=f"a/weight/ditto/{name}").max) for name in ("layer", "head")] == [6, 12]
    beyond = visit(a="layers=last;weight=ditto(head=99)", b="none", edit="a.weight")
    assert "allowed is 1 to 12" in errors(beyond)[0]
    beyond.number_input(key="a/weight/ditto/head").set_value(3).run()
    assert errors(beyond) == []
    assert beyond.slider(key="a/weight/ditto/head").value == 3


def test_layers_are_switched_on_and_off(visit):
    at = visit(b="none", edit="a.layers")
    at.pills(key="a/layers/options").set_value(["last", "0", "static"]).run()
    assert errors(at) == []
    assert at.text_input(key="a").value == "source=untuned;layers=static+0+last"
    assert cell(at, "a", "layers") == "static+0+last"


def test_layers_2_and_5_for_b_take_four_clicks(visit):
    at = visit(b="layers=last")
    click_cell(at, "b", "layers")
    at.pills(key="b/layers/options").set_value(["last", "2"]).run()
    at.pills(key="b/layers/options").set_value(["last", "2", "5"]).run()
    at.pills(key="b/layers/options").set_value(["2", "5"]).run()
    assert at.text_input(key="b").value == "layers=2+5"
    assert at.query_params["b"] == "layers=2+5"
    assert at.query_params["edit"] == "b.layers"
    (said,) = (text.value for text in at.caption if text.value.startswith("**2, 5:** "))
    assert said.count("**") == 2, "what is said of both is said once"


@pytest.mark.parametrize("text", ["first+last", "all", "SBERT-WK", "last alone"])
def test_a_set_of_layers_replaces_what_is_chosen(visit, text):
    at = visit(a="layers=2+5", b="none", edit="a.layers")
    at.segmented_control(key="a/layers/sets/").set_value(text).run()
    assert errors(at) == []
    written = {"SBERT-WK": "wk", "last alone": "last"}.get(text, text)
    assert Recipe.parse(at.text_input(key="a").value) == Recipe.parse(f"layers={written}")


def test_an_explanation_says_the_name_of_an_option_once_and_the_reference_only_where_it_is_read(visit):
    at = visit(a="layers=last;weight=ditto", b="none", edit="a.weight")
    assert any(text.value.startswith("**Ditto:** how much a token attends") for text in at.caption)
    for fit, read in (("target", False), ("reference", True)):
        at = visit(a=f"layers=last;post=whiten(fit={fit})", b="none", edit="a.post")
        assert any("/reference/" in str(menu.key) for menu in at.selectbox) == read
        assert any(text.value.startswith("**whitening:** decorrelate") for text in at.caption)


@pytest.mark.parametrize(
    ("stage", "said"),
    [
        ("layers", "A box adds a layer or takes it away; a set replaces them."),
        ("post", "A box adds a step or takes it away."),
        ("pool", "A click replaces the option."),
    ],
)
def test_an_editor_says_whether_a_click_adds_or_replaces(visit, small, stage, said):
    assert said in captions(visit("deck", a=small, b="none", edit=f"a.{stage}"))


def test_a_layer_goes_on_after_a_set(visit):
    at = visit(a="layers=all", b="none", edit="a.layers")
    at.pills(key="a/layers/options").set_value(["3"]).run()
    assert at.text_input(key="a").value == "layers=3"


def test_no_layer_at_all_is_refused_and_the_recipe_stays(visit):
    at = visit(b="none", edit="a.layers")
    at.pills(key="a/layers/options").set_value([]).run()
    assert "at least one value is needed" in errors(at)[0]
    assert at.text_input(key="a").value == PLAIN


def test_steps_follow_in_the_order_in_which_they_are_picked(visit, small):
    at = visit(a=f"{small};post=zscore(fit=reference)", b="none", edit="a.post")
    key = "a/post/options"
    at.pills(key=key).set_value(["normalize", "zscore"]).run()
    assert Recipe.parse(at.text_input(key="a").value).spelled()["post"] == "zscore(fit=reference)+normalize"
    at.button(key="a/post/turn").click().run()
    assert Recipe.parse(at.text_input(key="a").value).spelled()["post"] == "normalize+zscore(fit=reference)"
    assert cell(at, "a", "post") == "normalize + z-score (ref.)"


@pytest.mark.parametrize("between", [[], ["normalize"]])
def test_a_step_in_place_of_another_learns_from_what_that_one_did(visit, small, between):
    at = visit(a=f"{small};post=zscore(fit=reference)", b="none", edit="a.post")
    key = "a/post/options"
    at.pills(key=key).set_value(between).run()
    at.pills(key=key).set_value([*between, "whiten"]).run()
    steps = Recipe.parse(at.text_input(key="a").value).spelled()["post"]
    assert steps == "+".join([*between, "whiten(fit=reference)"])
    assert cell(at, "a", "post").endswith("whitening (ref.)")


def test_a_step_after_another_learns_from_what_that_one_does(visit, small):
    at = visit(a=f"{small};post=centre(fit=reference)", b="none", edit="a.post")
    at.pills(key="a/post/options").set_value(["centre", "whiten", "normalize"]).run()
    steps = Recipe.parse(at.text_input(key="a").value).spelled()["post"]
    assert steps == "centre(fit=reference)+whiten(fit=reference)+normalize"


def test_a_step_of_another_editor_learns_from_the_target_as_before(visit, small):
    at = visit(a=f"{small};post=zscore(fit=reference)", b=small, edit="a.post")
    at.pills(key="a/post/options").set_value([]).run()
    click_cell(at, "b", "post")
    at.pills(key="b/post/options").set_value(["whiten"]).run()
    assert Recipe.parse(at.text_input(key="b").value).spelled()["post"] == "whiten"


def test_the_reference_is_edited_with_what_learns_from_it(visit, small):
    at = visit(a=f"{small};weight=idf(fit=reference)", b="none", edit="a.weight")
    at.selectbox(key="a/reference/options").set_value("topics").run()
    assert "reference=topics" in at.text_input(key="a").value
    controls = [one.key for kind in EDITED for one in at.get(kind) if "/reference/" in str(one.key)]
    assert controls == ["a/reference/options"], "one menu, so that the strip stays low"
    plain = visit(a=small, b="none", edit="a.weight")
    assert not [one for kind in EDITED for one in plain.get(kind) if "/reference/" in str(one.key)]


def test_a_reference_that_would_make_the_recipe_too_long_leaves_it_as_it_was(visit, small):
    text = f"{small};weight=idf(fit=reference)"
    at = visit(a=text, b="none", edit="a.weight")
    menu = at.selectbox(key="a/reference/options")
    menu.options.append("x" * 3000)
    menu.set_value("x" * 3000).run()
    assert at.text_input(key="a").value == text
    assert "at most 2,000 characters" in errors(at)[0]
    assert at.selectbox(key="a/reference/options").value == "demo"


def test_texts_of_the_data_folder_are_offered_as_a_reference(visit, small, corpora, tmp_path):
    corpora(odd="sentence1\tsentence2\tscore\nA.\tB.\t1")
    folder = tmp_path / "data" / "corpus"
    folder.mkdir()
    (folder / "novels.txt").write_text("\n".join(f"This is line {i} of a novel." for i in range(40)))
    at = visit(a=f"{small};weight=idf(fit=reference)", b="none", edit="a.weight")
    menu = at.selectbox(key="a/reference/options")
    assert menu.options[-1] == "novels"
    assert "odd" not in menu.options
    menu.set_value("novels").run()
    assert errors(at) == []
    assert "reference=novels" in at.text_input(key="a").value


def test_an_argument_is_changed_beside_its_option(visit):
    at = visit(a="post=abtt(fit=reference)", b="none", edit="a.post")
    at.number_input(key="a/post/abtt/d").set_value(5).run()
    assert errors(at) == []
    assert at.text_input(key="a").value == "post=abtt(d=5,fit=reference)"
    assert "A: post=abtt(d=5,fit=reference)" in captions(at)


def test_free_text_is_written_beside_the_pills(visit):
    at = visit(b="none", edit="a.template")
    at.text_input(key="a/template/free").set_value("[X] In one word: [MASK]").run()
    assert errors(at) == []
    assert Recipe.parse(at.text_input(key="a").value).spelled()[
        "template"
    ] == '"[X] In one word: [MASK]"' or ("[X] In one word" in at.text_input(key="a").value)
    at.text_input(key=at.get("text_input")[-1].key).run()


def test_free_text_that_is_none_is_refused_in_words(visit):
    at = visit(b="none", edit="a.template")
    at.text_input(key="a/template/free").set_value("no place for the sentence").run()
    assert "[X]" in errors(at)[0]
    assert at.text_input(key="a").value == PLAIN


def test_a_package_that_is_missing_is_named_and_cannot_be_picked(visit, monkeypatch):
    monkeypatch.setattr("core.recipe.options.find_spec", lambda package: None)
    at = visit(b="none", edit="a.post")
    (missing,) = (group for group in at.get("button_group") if str(group.key).endswith("/missing"))
    assert missing.proto.disabled
    assert [option.content for option in missing.proto.options] == ["BERT-flow (pip install zuko)"]
    offered = at.pills(key="a/post/options")
    assert "BERT-flow" not in [option.content for option in offered.proto.options]


# -- The recipe as a whole


def one_of_each_kind() -> list[Preset]:
    """Of the presets that need nothing, the first for each set of stages."""
    kinds: dict[frozenset[str], Preset] = {}
    for preset in PRESETS:
        stages = frozenset(part.partition("=")[0] for part in preset.recipe.split(";"))
        if not preset.needs:
            kinds.setdefault(stages, preset)
    return list(kinds.values())


def test_a_menu_of_presets_that_is_cleared_changes_nothing(visit, small):
    at = visit(a=small, b="none", edit="a")
    at = at.selectbox(key=f"a.preset.{small}").set_value("Last layer, mean").run()
    before = at.text_input(key="a").value
    (menu,) = (box for box in at.selectbox if str(box.key).startswith("a.preset."))
    at = menu.set_value(None).run()
    assert not at.exception
    assert at.text_input(key="a").value == before


def test_a_preset_for_b_that_is_off_takes_the_model_of_a(visit, small):
    at = visit("scores", a=small, b="none", edit="b")
    (menu,) = (box for box in at.selectbox if str(box.key).startswith("b.preset."))
    at = menu.set_value("[CLS]").run()
    assert at.session_state["b"] == Recipe.parse(small).replace(layers="last", pool="cls").__str__()


def test_markup_of_a_link_is_text_in_the_editor(visit, small):
    """An option that a link brings is no image, and what stands in an empty field has no backslashes."""
    template = '"![](http://example.org/t)[X] is *it*"'
    at = visit("scores", a=f"{small};template={template}", b="none", edit="a.template")
    group = next(each for each in at.get("button_group") if "template" in each.label)
    (own,) = (option.content for option in group.proto.options if "example" in option.content)
    assert plain(own) == template.strip('"')
    assert own != plain(own)
    assert all("\\" not in field.placeholder for field in at.text_input)


@pytest.mark.parametrize("preset", one_of_each_kind(), ids=lambda preset: preset.name)
def test_a_preset_is_taken_with_its_name_and_its_figure_or_its_reason(visit, small, preset):
    at = visit(a=small, b="none", edit="a")
    at.selectbox(key=f"a.preset.{small}").set_value(preset.name).run()
    shown = Recipe.parse(at.text_input(key="a").value)
    assert shown == preset.apply(Recipe.parse(small))
    assert name(shown) in cell(at, "a")
    assert name(shown).casefold() == preset.name.casefold()
    if found := errors(at):
        assert re.search("needs|has no layer|this model has|this model's layers", found[0])
    else:
        assert len(figures(at)) == 1


@pytest.mark.parametrize("b", ["pool=max", "none"])
def test_the_switch_of_b_is_right_where_what_it_is_given_is_lost(visit, b):
    """A run that is broken off by the next gives nothing: the switch is then at its default."""
    at = visit("scores", a="layers=last", b=b)
    assert at.toggle(key="b.on").proto.default == (b != "none") == at.toggle(key="b.on").value


def test_b_is_switched_off_and_on_as_it_was(visit, small):
    at = visit(a=small, b=f"{small};pool=max")
    assert len(figures(at)) == 1
    at.toggle(key="b.on").set_value(False).run()
    assert at.text_input(key="b").value == "none"
    assert "Compare with a recipe B" in cell(at, "b")
    assert cells(at, "b") == {}
    at.toggle(key="b.on").set_value(True).run()
    assert Recipe.parse(at.text_input(key="b").value) == Recipe.parse(f"{small};pool=max")
    assert errors(at) == []


def test_no_text_is_no_b(visit, small):
    at = visit(a=small, b=f"{small};pool=max")
    at.text_input(key="b").set_value("").run()
    assert not at.toggle(key="b.on").value
    assert errors(at) == []


def test_copy_swap_reset_and_undo(visit, small):
    a, b = small, f"{small};pool=max"
    at = visit(a=a, b=b, edit="a")
    at.button(key="a.swap").click().run()
    assert [at.text_input(key=side).value for side in "ab"] == [b, a]
    at.button(key="a.copy").click().run()
    assert [Recipe.parse(at.text_input(key=side).value) for side in "ab"] == [Recipe.parse(b)] * 2
    at.button(key="a.reset").click().run()
    assert at.text_input(key="a").value == state.DEFAULTS["a"]
    for _ in range(3):
        at.button(key="a.undo").click().run()
    assert [at.text_input(key=side).value for side in "ab"] == [a, b]
    assert at.button(key="a.undo").disabled


def test_what_is_copied_is_the_recipe_as_it_is_now_though_its_button_was_drawn_before(visit, small):
    at = visit(a=small, b=f"{small};pool=max", edit="a")
    copy = at.button(key="a.copy").click()
    at.text_input(key="a").set_value(f"{small};pool=sum")
    copy.run()
    assert at.text_input(key="b").value == f"{small};pool=sum"


def test_a_name_of_ones_own_is_in_the_bar_and_the_link(visit, small):
    at = visit(a=small, b="none", edit="a")
    assert cell(at, "a").endswith(name(Recipe.parse(small)))
    at.text_input(key="an").set_value("my baseline").run()
    assert cell(at, "a").endswith("my baseline")
    assert cell(visit(a=small, b="none", an="my baseline"), "a").endswith("my baseline")
    marked = visit(a=small, b="none", an="\u202e<b>x</b>\x07 **y** " + "z" * 100)
    assert "<b>x" not in "".join(figures(marked))
    assert not {"\u202e", "\x07"} & {*cell(marked, "a"), *"".join(figures(marked))}
    assert errors(marked) == []


# -- Cells and editor


def looks(at, side):
    """How each cell looks, by its stage."""
    return {stage: cell["look"].split() for stage, cell in cells(at, side).items()}


def test_cells_that_differ_are_tinted_and_defaults_are_grey(visit, small):
    at = visit(a=small, b=f"{small};pool=max")
    assert [stage for stage, look in looks(at, "b").items() if "differing" in look] == ["pool"]
    assert not [stage for stage, look in looks(at, "a").items() if "differing" in look]
    assert [stage for stage, look in looks(at, "a").items() if "plain" not in look] == ["source"]
    assert [stage for stage, look in looks(at, "b").items() if "plain" not in look] == ["source", "pool"]
    css = styles(at)
    for look in ("plain", "differing", "unused", "opened"):
        assert f".cells .{look} button" in css


@pytest.mark.parametrize(
    ("page", "struck", "kept"),
    [
        ("heads", "b.source", "a.tokens"),
        ("mixing", "a.mix", "a.pool"),
        ("masking", "a.pool", "a.source"),
        ("methods", "a.pool", "a.source"),
        ("tokens", "a.pool", "a.source"),
        ("tokens", "b.post", "b.source"),
    ],
)
def test_what_a_page_does_not_use_is_struck_with_the_reason(visit, small, dogs, page, struck, kept):
    at = visit(page, a=small, b=small, corpus=dogs, patient=False)
    for place, is_struck in ((struck, True), (kept, False)):
        side, stage = place.split(".")
        assert ("unused" in looks(at, side)[stage]) is is_struck
        said = cells(at, side)[stage]["help"]
        assert (" · " in said) is is_struck
        click_cell(at, side, stage)  # by keys and touch nothing hovers
        reasons = re.findall(r"visibility_off: \*\*No effect on this page.\*\* (.+)", captions(at))
        assert (said.partition(" · ")[2] in reasons) is is_struck


def test_what_changes_nothing_in_a_recipe_is_struck_with_the_reason(visit, small):
    at = visit(a="source=random;weight=idf", b=f"{small};weight=idf;pool=max")
    assert cells(at, "a")["layers"]["help"].endswith("source=random has one layer.")
    assert "unused" in looks(at, "a")["layers"]
    assert "unused" not in looks(at, "b")["layers"]
    assert "unused" not in looks(at, "a")["weight"]
    assert "unused" in looks(at, "b")["weight"]
    assert cells(at, "b")["weight"]["help"].endswith("pool=max does not look at weights.")
    at = visit(a=f"{small};pool=max", b=f"{small};tokens=content;pool=cls")
    assert "unused" not in looks(at, "a")["weight"], "there is none"
    assert cells(at, "b")["tokens"]["help"].endswith("pool=cls takes the classification token alone.")
    assert "unused" in looks(at, "b")["tokens"]


def test_a_cell_opens_and_closes_its_editor(visit, small):
    at = visit(a=small, b="none")
    assert not [b for b in at.button if b.key == "edit.close"]
    click_cell(at, "a", "pool")
    assert at.query_params["edit"] == "a.pool"
    assert [stage for stage, look in looks(at, "a").items() if "opened" in look] == ["pool"]
    assert "How token vectors become one sentence vector" in captions(at)
    click_cell(at, "a", "pool")
    assert "edit" not in at.query_params
    click_cell(at, "a", "reference")
    assert "edit" not in at.query_params, "no word but a cell's opens an editor"
    click_cell(at, "a", "weight")
    at.button(key="edit.close").click().run()
    assert not [b for b in at.button if b.key == "edit.close"]


@pytest.mark.parametrize("place", ["a.banana", "c.layers", "banana", "<b>x</b>", "a.layers.x"])
def test_an_editor_that_is_not_there_is_said(visit, small, place):
    at = visit(a=small, b="none", edit=place)
    assert "that is not here" in told(at)
    assert errors(at) == []


def test_one_model_is_chosen_for_both(visit):
    at = visit(a="layers=static", b="pool=max", edit="a.source")
    assert any(box.value.endswith("**model**") for box in at.markdown), "the strip's name is the column's"
    assert cells(at, "a")["source"]["head"] == "model"
    at.pills(key="a/source/options").set_value("random").run()
    assert at.text_input(key="a").value == "source=random;layers=static"
    assert at.text_input(key="b").value == "source=random;pool=max"
    assert errors(at) == []


def test_one_model_is_chosen_for_a_alone_where_they_differ(visit):
    at = visit(a="source=random;layers=static", b="pool=max", edit="a.source")
    assert not at.checkbox(key="edit.both").value
    at.pills(key="a/source/options").set_value("bundled").run()
    assert at.text_input(key="a").value == "layers=static"
    assert at.text_input(key="b").value == "pool=max"


def test_a_recipe_that_cannot_be_read_leaves_the_other_its_cells(visit):
    at = visit(a="pool=nonsense", b="source=random;pool=max", edit="a")
    assert "cannot be read" in cell(at, "a")
    assert cell(at, "b", "pool") == "max"
    assert "nonsense" in errors(at)[0]
    assert at.text_input(key="a").value == "pool=nonsense"


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_each_preset_round_trips_through_the_cells(preset):
    recipe = Recipe.parse(preset.recipe)
    texts = {stage: recipe.spelled()[stage] for stage in (*SHOWN, "reference")}
    assert Recipe().replace(**texts) == recipe


@pytest.mark.usefixtures("bar_scores")
def test_the_score_of_a_corpus_that_is_read_stands_in_the_row(visit, small):
    (metric,) = (metric.value for metric in visit("scores", a=small, b="none").metric)
    at = visit("compare", a=small, b="none")
    for job in shared_queue().active():
        assert job.wait(60)
    at.run()
    assert f"<strong>{metric}</strong>" in htmls(at)


@pytest.mark.usefixtures("bar_scores")
def test_a_score_that_stood_in_the_bar_of_another_page_was_tried(visit, small, monkeypatch):
    monkeypatch.setattr("components.job.waiting.PATIENCE", 60.0)
    visit("scores", a=small, b="none")  # the corpus is read
    at = visit("compare", a=f"{small};pool=max", b="none")
    at.text_input(key="a").set_value(f"{small};pool=cls").run()
    assert "<strong>…</strong>" not in htmls(at)
    at.switch_page("pages/scores.py").run()
    at.text_input(key="a").set_value(f"{small};pool=max").run()
    tried = set(at.dataframe[-1].value["recipe"])
    assert {f"{small};pool=max", f"{small};pool=cls"} <= tried


@pytest.mark.usefixtures("bar_scores")
def test_three_pairs_have_a_score_without_an_interval(visit, small, corpora):
    texts = many(6)
    corpora(three=table_of([(texts[i], texts[i + 3], i) for i in range(3)]))
    at = visit("scores", a=small, b=f"{small};pool=max", corpus="three")
    assert errors(at) == []
    shown = [(metric.value, metric.delta) for metric in at.metric]
    assert [delta for _, delta in shown] == ["Spearman × 100 · 3 pairs: no interval below 10"] * 2
    assert re.match(r":orange\[\*\*B, .*max", at.metric[1].label), "B with the name of its recipe"
    assert all("±" not in value for value, _ in shown)
    assert f"<strong>{shown[0][0]}</strong>" in htmls(at)
    assert "3 pairs are too few for an interval" in htmls(at)
    assert not any("±" in line or "nan" in line for line in headings(at))
    assert "of too few pairs for an interval" in " ".join(headings(at))


@pytest.mark.usefixtures("bar_scores")
def test_a_score_that_comes_soon_is_drawn_in_the_same_run(visit, small, monkeypatch):
    monkeypatch.setattr("components.job.waiting.PATIENCE", 60.0)  # soon, however busy the machine is
    visit("scores", a=small, b="none")  # the corpus is read
    at = visit("compare", a=f"{small};pool=max", b="none", patient=False)
    assert "<strong>…</strong>" not in htmls(at)


def test_the_map_of_sentences_uses_every_cell_but_the_similarity(visit, small, dogs):
    at = visit("tokens", a=small, b=small, corpus=dogs, part="sentences", patient=False)
    assert " · " not in cells(at, "a")["pool"]["help"]
    assert "nearest by cosine" in cells(at, "a")["similarity"]["help"]


def test_presets_say_their_score_with_its_interval_where_that_is_known_and_soon_without(visit, small, dogs):
    at = visit("methods", a=small, b="none", corpus=dogs, method="[CLS]", edit="a").run()
    assert not at.exception
    (with_interval,) = (option for option in presets(at) if " here · " in option)
    for job in shared_queue().active():
        assert job.wait(SECONDS)
    scored = [option for option in presets(at.run()) if " here · " in option]
    assert with_interval in scored
    assert len(scored) > 20
    assert [option for option in scored if "±" in option or "95 %" in option] == [with_interval]
    (mean,) = (option for option in scored if option.startswith("Last layer, mean"))
    (preset,) = (one for one in PRESETS if one.name == "Last layer, mean")
    plain = score(shared_engine(), preset.apply(Recipe.parse(small)), shared_engine().corpus(dogs))
    assert mean.startswith(f"Last layer, mean · {fixed(plain.score.spearman)} here · ")


def presets(at) -> list[str]:
    """What the menu of published recipes offers."""
    return at.selectbox(key=next(box.key for box in at.selectbox if box.label == "Preset")).options


@pytest.mark.usefixtures("bar_scores")
def test_a_built_in_corpus_is_read_for_the_bar_without_a_question(visit, small, monkeypatch, tmp_path):
    monkeypatch.setenv("STRATA_CACHE", str(tmp_path))
    at = visit("compare", a=f"{small};pool=max", b="none", sentences="A dog.\nA cat.")
    assert not at.exception
    said = re.findall(r"<strong>.*?</strong>", htmls(at))
    assert re.fullmatch(r"<strong>−?\d+\.\d ± \d+\.\d</strong>", said[-1]), said


@pytest.mark.usefixtures("bar_scores")
def test_a_corpus_that_is_not_read_is_not_read_for_the_bar(visit, small, corpora):
    corpora(unread=pairs_of([f"{i} owls are read by no other test" for i in range(12)]))
    at = visit("compare", a=small, b="none", corpus="unread")
    assert "Not read with this model yet" in htmls(at)
    (there,) = (one.proto for one in at.get("page_link") if one.proto.label.startswith("No scores on"))
    assert (there.label, there.page) == ("No scores on unread yet: the page Scores has it read", "scores")
    assert not [job for job in shared_queue().active() if job.what.startswith("Score of")]


@pytest.mark.usefixtures("bar_scores")
def test_a_corpus_that_the_page_reads_in_a_run_is_scored_in_the_bar_by_its_end(visit, small, corpora):
    """As after "Use these pairs": what is brought is not read for the bar, but for the page."""
    corpora(brought=pairs_of([f"the fox {i} ran by the hen {i * i % 7}" for i in range(40)]))
    at = visit("scores", corpus="brought", a=small, b="none")
    assert errors(at) == []
    (shown,) = re.findall(r"<strong>(−?\d+\.\d ± \d+\.\d)</strong>", htmls(at))
    assert f"A {shown}" in " ".join(headings(at))


@pytest.mark.usefixtures("bar_scores")
def test_a_score_is_begun_though_the_page_ends_early_and_tried_once_where_it_cannot_be_had(
    visit, small, monkeypatch
):
    visit("scores", a=small, b="none")  # the corpus is read
    recipe, begun = f"{small};post=whiten(k=4096)", []
    submit = Queue.submit

    def counted(queue, work, *visitor, **how):
        if work.what.startswith("Score of"):
            begun.append(work.what)
        return submit(queue, work, *visitor, **how)

    monkeypatch.setattr(Queue, "submit", counted)
    at = visit("compare", a=recipe, b="none", sentences="only one")
    assert begun == ["Score of last layer, whitening k=4096"]
    for job in shared_queue().active():
        assert job.wait(60)
    for _ in range(3):
        at.run()
    assert begun == ["Score of last layer, whitening k=4096"]
    assert "…" not in re.findall("<strong>(.*?)</strong>", htmls(at))


@pytest.fixture
def go(monkeypatch):
    """Scores that are read for until this is set."""
    go = threading.Event()

    def slow(engine, recipe, corpus, aggregate, progress):
        while not go.wait(0.01):
            progress(Step("Reading sentences", 2, 8))
        return score(engine, recipe, corpus, aggregate, progress)

    monkeypatch.setattr("components.works.score", slow)
    return go


@pytest.mark.usefixtures("bar_scores")
def test_a_score_says_what_it_waits_for_and_ends_with_its_recipe(visit, small, go):
    """B's score goes when B is switched off, A's goes on; switched on again, B is scored anew."""
    engine = shared_engine()
    engine.embed(
        Recipe.parse(small), engine.corpus("demo", "test")
    )  # else B's score waits until A's has read it
    at = visit("compare", a=small, b=f"{small};pool=max", sentences="A dog.\nA cat.", patient=False)
    a, b = (only_active(f"Score of {name(Recipe.parse(text))}") for text in (small, f"{small};pool=max"))
    at.run()
    assert f"Being computed: {b.what} · Reading sentences: 2 of 8" in htmls(at)
    at.toggle(key=state.SWITCH).set_value(False).run()
    assert b.wait(60)
    assert (a.state, b.state) == (State.RUNNING, State.STOPPED)
    at.toggle(key=state.SWITCH).set_value(True).run()
    assert only_active(b.what) is not b
    go.set()
    at.patient = True
    at.run()
    assert len(re.findall(r"<strong>−?\d+\.\d ± \d+\.\d</strong>", htmls(at))) == 2


@pytest.mark.usefixtures("bar_scores")
def test_a_score_that_takes_long_says_on_the_page_what_is_read(visit, small, go, monkeypatch):
    monkeypatch.setattr(Engine, "pending", lambda _, recipe, corpus: {"pass": 120.0 * bool(len(corpus))})
    recipe = f"{small};post=centre(fit=reference);reference=demo"
    at = visit("compare", a=recipe, b="none", sentences="A dog.\nA cat.", patient=False)
    at.run()
    (said,) = (line for line in captions(at).split("\n") if "Score of" in line)
    assert "· Reading sentences: 2 of 8 · " in said
    assert said.endswith("of about 2 minutes; the reference demo is read whole for what it learns")
    other = visit("scores", a=recipe, b="none", patient=False)
    other.run()
    assert "read whole" not in captions(other), "the page's own panel tells it"
    go.set()
    at.patient = True
    at.run()
    assert "Score of" not in captions(at)


def only_active(what: str) -> Job:
    """The one job of these words that runs or is queued."""
    (job,) = (job for job in shared_queue().active() if job.what == what)
    return job


@pytest.fixture
def toy():
    """A pooling as a user would register one, with arguments of no range."""

    @POOL.option
    def toy(batch: TokenBatch, *, times: float = 2.0, power: int = 1) -> np.ndarray:
        """The first token, some times over."""
        return np.stack([times**power * batch.states[i] for i in batch.offsets[:-1]])

    yield
    POOL.forget("toy")


@pytest.mark.usefixtures("toy")
def test_a_new_option_without_ranges_is_used_in_the_form(visit):
    at = visit(b="none", edit="a.pool")
    at.pills(key="a/pool/options").set_value("toy").run()
    assert at.text_input(key="a").value == f"{PLAIN};pool=toy"
    at.number_input(key="a/pool/toy/times").set_value(0.25).run()
    assert at.text_input(key="a").value == f"{PLAIN};pool=toy(times=0.25)"
    at.number_input(key="a/pool/toy/power").set_value(-2).run()
    assert errors(at) == []
    assert f"A: {PLAIN};pool=toy(times=0.25,power=-2)" in captions(at)
    assert len(figures(at)) == 1


@pytest.mark.usefixtures("toy")
def test_a_number_that_no_control_holds_stays_in_the_text(visit):
    at = visit(a=f"layers=last;pool=toy(power={10**20},times=1)", b="none", edit="a.pool")
    assert errors(at) == []
    assert "too large for a control" in captions(at)
    assert str(10**20) in at.text_input(key="a").value


def test_sif_is_chosen_on_a_scale_of_decades(visit):
    at = visit(a="weight=sif(a=0.0003)", b="none", edit="a.weight")
    control = at.select_slider(key="a/weight/sif/a")
    assert control.value == 0.0003
    assert {"1e-06", "0.0001", "0.0003", "0.0005", "0.001", "1"} <= set(control.options)
    control.set_value(0.0005).run()
    assert at.text_input(key="a").value == "weight=sif(a=0.0005)"


def test_a_mean_over_subsets_is_called_one_wherever_it_stands(visit, small, tiny_source, corpora):
    lines = [
        f"A dog {word} here.\tThe dog {word} there.\t{i % 6}\t{'xy'[i % 2]}"
        for i, word in enumerate("abcdefgh")
    ]
    corpora(parts="\n".join(["sentence1\tsentence2\tscore\tgenre", *lines]))
    at = visit(
        "scores", corpus="parts", a=small, b=f"{tiny_source};pool=max", aggregate="mean", steps="true"
    )
    assert errors(at) == []
    unit = "mean Spearman × 100 of subsets"
    assert [unit in metric.delta for metric in at.metric] == [True, True]
    said = [line for line in headings(at) if "Spearman" in line and "Lowest" not in line]
    assert len(said) >= 3, "the difference, the figure, the steps"
    assert [line for line in said if unit not in line[0].lower() + line[1:]] == []


def test_stages_have_one_name_in_a_small_window_too(visit, small):
    at = visit(a=small, b="none", edit="a")
    assert at.button(key="sheet.a.source").label == "model"
    assert at.button(key="sheet.a.weight").label == "weight"
