"""Stages and options: what a function says about itself, and the reading of its arguments."""

from typing import Annotated, Literal

import pytest

from core.errors import RecipeError
from core.recipe import POST, REFERENCE
from core.recipe.arguments import Text, Within
from core.recipe.grammar import quote, split, unquote
from core.recipe.options import FIT, Choice, PoolOption, Trainable
from core.recipe.stage import Stage


@pytest.fixture
def stage() -> Stage:
    made = Stage("pool", "How?", PoolOption)

    @made.option
    def plain(x):
        """Nothing to say."""

    @made.option(linear=True)
    def power(
        x,
        *,
        p: Annotated[float, Within(0, 9, "the exponent")] = 2.0,
        k: Annotated[int | None, Within(1, 5, "how many")] = None,
        kind: Literal["wide", "deep"] = "wide",
    ):
        """The power mean
        of the tokens.

        This paragraph is for programmers.
        """
        return x, p, k, kind

    @made.option
    def file(x, *, path: Annotated[str, Text("where it lies")]):
        """A file."""

    @made.option(learns=FIT)
    def learnt(x):
        """Learnt from a corpus."""

    return made


def test_an_option_describes_itself(stage):
    power = stage.options["power"]
    assert power.explanation == "The power mean of the tokens."
    assert (power.linear, power.weighted, power.learns) == (True, False, ())
    assert [a.describe() for a in power.arguments.values()] == [
        "p: number from 0 to 9 (default 2), the exponent",
        "k: whole number from 1 to 5 (default none), how many",
        "kind: wide or deep (default wide)",
    ]
    assert stage.options["file"].arguments["path"].describe() == "path: text (required), where it lies"
    assert stage.options["learnt"].arguments["fit"].allowed == ("target", "reference")


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("plain", "plain"),
        ("  plain ( )", "plain"),
        ("power(p=2.0)", "power"),
        ("power(k=none)", "power"),
        ("power( kind = deep , p = 3 )", "power(p=3,kind=deep)"),
        ("power(p=0.5,k=5)", "power(p=0.5,k=5)"),
        ('file(path="a, b; (c)")', 'file(path="a, b; (c)")'),
        ("file(path=/a/b.txt)", "file(path=/a/b.txt)"),
        ("learnt(fit=target)", "learnt"),
    ],
)
def test_reading_gives_the_canonical_text(stage, text, canonical):
    choice = stage.parse(text)
    assert stage.text(choice) == canonical
    assert stage.parse(canonical) == choice


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("powr", r"pool: no 'powr'\. Did you mean 'power'\? Allowed: plain, power\(p=2,k=none,kind=wide\)"),
        ("powr(p=1)", "Did you mean 'power'"),
        ("", "nothing after '='.*Allowed: plain"),
        ("power(p=10)", r"pool=power\(p\): got '10'; allowed is p: number from 0 to 9"),
        ("power(p=nan)", "got 'nan'; allowed is p: number from 0 to 9"),
        ("power(p=two)", "got 'two'; allowed is p: number"),
        ("power(k=2.5)", "k: whole number from 1 to 5"),
        ("power(kind=tall)", "allowed is kind: wide or deep"),
        ("power(q=1)", r"no argument 'q=1'; it takes p: number.*; k: whole number.*; kind: wide or deep"),
        ("power(1)", "no argument '1'"),
        ("power(p=1,p=2)", "argument 'p' is given twice"),
        ("power(p=1", "bracket is never closed"),
        ("plain(p=1)", "it takes no arguments"),
        ("file", r"pool=file\(path\) is missing"),
        ("learnt(fit=both)", "allowed is fit: target or reference"),
    ],
)
def test_a_wrong_value_is_answered_with_what_is_allowed(stage, text, said):
    with pytest.raises(RecipeError, match=said):
        stage.parse(text)


@pytest.mark.parametrize("value", [True, "2", float("inf"), 9.5, None])
def test_choices_made_by_code_are_checked_like_text(stage, value):
    with pytest.raises(RecipeError, match="allowed is p"):
        stage.check(Choice("power", (("p", value),)))


def test_free_text_of_blanks_is_nothing_that_was_written(stage):
    @stage.free_text
    def other(x, *, text: Annotated[str, Text("any text")]):
        """Nothing to say."""

    assert stage.parse_free(" some ").arguments == (("text", "some"),)
    for blank in ("", " \n"):
        with pytest.raises(RecipeError, match=r"^pool: nothing was written\. Allowed: "):
            stage.parse_free(blank)


def test_a_reference_without_a_name_is_told_what_it_takes():
    with pytest.raises(RecipeError, match=r"Allowed: a corpus by name or path\."):
        REFERENCE.parse('""')


def test_bind_gives_the_function_with_every_argument_but_fit(stage):
    assert stage.bind(stage.parse("power(k=3)"))("x") == ("x", 2.0, 3, "wide")
    assert stage.bind(stage.parse("learnt(fit=reference)")).keywords == {}


def test_a_misspelt_field_of_an_option_is_refused_when_it_is_registered():
    stage = Stage("pool", "How?", PoolOption)
    with pytest.raises(TypeError, match="linaer"):

        @stage.option(linaer=True)
        def plain(x):
            """Nothing to say."""

    assert not stage.options


def test_an_argument_without_a_range_takes_any_number():
    stage = Stage("pool", "How?", PoolOption)

    @stage.option
    def times(x, *, n: int = 2, scale: float = 0.5):
        """Times n."""

    assert stage.parse("times(n=-7,scale=1e300)").arguments == (("n", -7), ("scale", 1e300))
    described = [argument.describe() for argument in stage.options["times"].arguments.values()]
    assert described == ["n: whole number (default 2)", "scale: number (default 0.5)"]


@pytest.mark.parametrize("digits", ["9" * 200, "-" + "9" * 400, "1e999"])
def test_a_number_beyond_all_ranges_is_refused_like_any_other(stage, digits):
    with pytest.raises(RecipeError, match="allowed is p: number from 0 to 9"):
        stage.parse(f"power(p={digits})")
    with pytest.raises(RecipeError, match="allowed is k: whole number from 1 to 5"):
        stage.parse(f"power(k={digits})")


def test_an_option_without_a_docstring_or_with_an_odd_type_is_refused():
    stage = Stage("pool", "How?", PoolOption)
    with pytest.raises(TypeError, match="docstring"):
        stage.option(lambda x: x)

    def odd(x, *, p: list = None):  # noqa: RUF013
        """Odd."""

    with pytest.raises(TypeError, match="'p' must be int, float, str or Literal"):
        stage.option(odd)


@pytest.mark.parametrize("text", ["", "plain", 'a "b" c', "back\\slash", '\\"', ";+(,)=", " spaces "])
def test_unquote_is_the_inverse_of_quote(text):
    assert unquote(quote(text)) == text
    assert split(f"{quote(text)};x", ";") == [quote(text), "x"]


@pytest.mark.parametrize("text", ['"open', "a(b", "a)b(", "(a;b", '("a)'])
def test_what_is_opened_must_be_closed(text):
    with pytest.raises(RecipeError, match="never closed|closed twice"):
        split(text, ";")


@pytest.mark.parametrize(
    "option", [option for option in POST if option.installed], ids=lambda option: option.name
)
def test_an_option_says_by_its_annotation_whether_it_trains(option):
    if not any(argument.required for argument in option.arguments.values()):
        assert option.trains == isinstance(POST.bind(Choice(option.name))(), Trainable)
