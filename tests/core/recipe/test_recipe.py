"""Recipes: parsing is the inverse of printing, and whatever is wrong is answered with what is allowed."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.errors import RecipeError
from core.recipe.arguments import Argument
from core.recipe.options import Choice, Option
from core.recipe.recipe import MAX_LENGTH, STAGES, Recipe
from core.recipe.stage import Stage


def values(argument: Argument):
    if argument.allowed:
        kind = st.sampled_from(argument.allowed)
    elif argument.type is str:
        kind = st.text(min_size=1, max_size=20)
    elif argument.type is int:
        kind = st.integers(int(argument.low), int(argument.high))
    else:
        kind = st.floats(argument.low, argument.high)
    return st.none() | kind if argument.optional else kind


def picks_of(option: Option):
    """An option's name with some of its arguments."""
    if option.checked:  # a template says where the sentence goes
        text = st.tuples(*[st.text(max_size=9).map(lambda t: t.replace("[X", ""))] * 2).map("[X]".join)
        return st.tuples(st.just(option.name), st.fixed_dictionaries({"text": text}))
    needed = {a.name: values(a) for a in option.arguments.values() if a.required}
    spare = {a.name: values(a) for a in option.arguments.values() if not a.required}
    return st.tuples(st.just(option.name), st.fixed_dictionaries(needed, optional=spare))


def picks(stage: Stage):
    options = [*stage, *([stage.bare] if stage.bare else [])]
    one = st.one_of([picks_of(option) for option in options])
    return st.lists(one, min_size=0 if stage.empty else 1, max_size=4) if stage.many else one


def made(fields) -> Recipe:
    def choice(pick):
        return Choice(pick[0], tuple(pick[1].items()))

    return Recipe(
        **{
            name: tuple(map(choice, found)) if STAGES[name].many else choice(found)
            for name, found in fields.items()
        }
    )


recipes = st.fixed_dictionaries({}, optional={name: picks(stage) for name, stage in STAGES.items()})


@settings(max_examples=400, deadline=None)
@given(recipes)
@example({"source": ("model", {"name": 'a "b"; layers=last (+)\\'})})
@example({"source": ("vectors", {"path": "\r"})})
@example({"reference": ("corpus", {"name": " bundled\n"})})
def test_parsing_is_the_inverse_of_printing(fields):
    recipe = made(fields)
    text = str(recipe)
    if len(text) <= MAX_LENGTH:
        assert Recipe.parse(text) == recipe
        assert str(Recipe.parse(text)) == text
        assert hash(Recipe.parse(text)) == hash(recipe)


@settings(max_examples=100, deadline=None)
@given(recipes, st.permutations(list(STAGES)))
def test_stages_are_read_in_any_order_and_printed_in_one(fields, order):
    recipe = made(fields)
    spelled = recipe.spelled()  # with defaults
    text = ";".join(f" {name} = {spelled[name]} " for name in order)
    if len(text) <= MAX_LENGTH:
        assert str(Recipe.parse(text)) == str(recipe)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60) | st.text(alphabet=';=+(),"\\ alpost12layers', max_size=40))
def test_any_text_is_a_recipe_or_a_recipe_error(text):
    try:
        recipe = Recipe.parse(text)
    except RecipeError as error:
        assert str(error)
    else:
        assert Recipe.parse(str(recipe)) == recipe


@pytest.mark.parametrize("name", STAGES)
def test_nothing_that_a_stage_allows_is_without_a_word(name):
    """As free text was of the source: "…, vectors(path=…), ."."""
    said = STAGES[name].allowed()
    assert said.endswith(".")
    assert all(part.strip(" .") for part in said.removeprefix("Allowed").split(", "))


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("", ""),
        (" ; ;", ""),
        ("pool=mean;layers=first+last;source=bundled", ""),
        ("layers=last+first", ""),
        ("layers=12+static+0+last+12", "layers=static+0+12+last"),
        ("post=none", ""),
        ("post=zscore+normalize+zscore", "post=zscore+normalize+zscore"),
        (
            "similarity=dot;post=whiten(gamma=1,k=256);layers=all",
            "layers=all;post=whiten(k=256);similarity=dot",
        ),
        ("source=org/model@abc123", "source=org/model@abc123"),
        ('source="my folder; (old)"', 'source="my folder; (old)"'),
        ('source="bundled"', 'source="bundled"'),
        ("source=random(dim=768, seed=1)", "source=random(seed=1)"),
        ("reference=demo", ""),
    ],
)
def test_the_printed_form_is_canonical(text, canonical):
    assert str(Recipe.parse(text)) == canonical


def test_a_quoted_name_is_a_name_even_where_an_option_is_called_so():
    assert Recipe.parse('source="bundled"').source == Choice("model", (("name", "bundled"),))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("layer=last", "got 'layer=last'. Did you mean 'layers'. Stages: source, template, layers"),
        ("last", "stage=value joined by ';'; got 'last'"),
        ("pool=maen", "pool: no 'maen'. Did you mean 'mean'. Allowed: mean, sum, max, cls"),
        ("pool=mean;pool=max", "stage 'pool' is given twice"),
        ("pool=mean+max", "pool: no 'mean.max'"),
        (
            "layers=-1",
            "layers: no '-1'.*Allowed .joined by '.'.: first, last, all, static, wk.*, a layer's number",
        ),
        ("layers=1001", "no '1001'"),
        ("layers=1.5", "no '1.5'"),
        ("layers=", "nothing after '='"),
        ("post=zscore+", "post: no ''|nothing|Allowed"),
        ("post=abtt(d=0)", "got '0'; allowed is d: whole number from 1 to 1000"),
        ("post=whiten(k=99999)", "allowed is k: whole number from 1 to 4096"),
        ("weight=idf(fit=both)", "allowed is fit: target or reference"),
        ("template=T9", "template: no 'T9'"),
        ('source=""', "source: no '\"\"'"),
        ('source="a', "double quote is never closed"),
        ("source=random(seed=1", "bracket is never closed"),
        ("source=" + "x" * MAX_LENGTH, "at most 2,000 characters; got 2,007"),
        ("pool=" + "z" * 1000, "Allowed: mean"),
        (None, r"a text; got 'None' \(NoneType\)"),
        (b"layers=last", "a text; got"),
    ],
)
def test_what_is_wrong_is_answered_with_what_is_allowed(text, said):
    with pytest.raises(RecipeError, match=said) as caught:
        Recipe.parse(text)
    assert len(str(caught.value)) < 900  # what was got is shortened


def test_every_part_that_cannot_be_read_is_told():
    with pytest.raises(RecipeError) as told:
        Recipe.parse("layer=last;pool=mena;post=zscore;weight=idf;pool=max;similarity=cosin")
    said = str(told.value)
    assert said.startswith("4 parts cannot be read.\n1. A recipe is stage=value")
    for alone in ("layer=last", "pool=mena", "pool=mean;pool=max", "similarity=cosin"):
        with pytest.raises(RecipeError) as one:
            Recipe.parse(alone)
        assert str(one.value) in said


def test_the_part_with_an_open_bracket_is_told_beside_the_others():
    with pytest.raises(RecipeError) as told:
        Recipe.parse("layers=99999;tokens=content(;post=whiten(k=abc)")
    first, *parts = str(told.value).split("\n")
    assert first == "3 parts cannot be read."
    for part, words in zip(parts, ("layers: no '99999'", "content\\(", "got 'abc'"), strict=True):
        assert re.search(words, part), part


def test_of_many_parts_that_cannot_be_read_the_first_are_told():
    with pytest.raises(RecipeError, match="^300 parts cannot be read") as told:
        Recipe.parse(";".join(["x=1"] * 300))
    lines = str(told.value).split("\n")
    assert [line.partition(". ")[0] for line in lines[1:-1]] == list("12345")
    assert lines[-1] == "295 more."
    assert len(str(told.value)) < 2000


def test_replace_takes_texts_and_leaves_the_rest():
    recipe = Recipe.parse("pool=max;layers=last").replace(pool="mean", weight="idf(fit=reference)")
    assert str(recipe) == "layers=last;weight=idf(fit=reference)"
    assert recipe.needs_reference()
    assert not Recipe.parse("weight=idf;post=zscore").needs_reference()


def test_on_reference_moves_what_is_learnt_and_keeps_other_arguments():
    recipe = Recipe.parse("weight=idf;post=normalize+whiten(k=9)+zscore(fit=reference)").on_reference()
    expected = "weight=idf(fit=reference);post=normalize+whiten(k=9,fit=reference)+zscore(fit=reference)"
    assert str(recipe) == expected
