"""Formulas of a slide keep what was written, and bring nothing but MathML."""

from xml.etree import ElementTree

import pytest

from components.deck.formulas import LONGEST, mathml
from components.deck.markdown import paragraphs, to_html

COSINE = r"\cos(u,v)=\frac{u^\top v}{\|u\|\,\|v\|}"


def test_a_formula_is_set_as_mathml():
    root = ElementTree.fromstring(to_html(f"Cosine: ${COSINE}$."))
    (math,) = (one for one in root if one.tag.endswith("}math"))
    assert "".join(math.itertext()).strip() == "cos(u,v)=u⊤v‖u‖‖v‖"
    assert [len(one) for one in math.iter() if one.tag.endswith("}mfrac")] == [2]


@pytest.mark.parametrize(("dollars", "display"), [("$", "inline"), ("$$", "block")])
def test_two_dollars_set_a_formula_on_lines_of_its_own(dollars, display):
    assert f'<math display="{display}"' in to_html(f"{dollars}{COSINE}{dollars}")


@pytest.mark.parametrize("dollars", ["$", "$$"])
def test_where_it_is_not_set_it_stands_as_it_was_written(dollars):
    text = f"a {dollars}\\hat{{x}} = \\mathbf{{y}}{dollars} b"
    (paragraph,) = paragraphs(text)
    assert paragraph.text == text


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and $6.",
        "from 5$ to 6$ each",
        r"\$x\$",
        "$ x $",
        "$$",
        "`$x$`",
        "one $ alone",
        "$x\ny$",
    ],
)
def test_other_dollars_are_dollars(text):
    assert "<math" not in to_html(text)
    assert "$" in to_html(text)


@pytest.mark.parametrize(
    "formula", [r"\frac{a", "x" * (LONGEST + 1), r"\left( x", r"\nosuch{x}", "_^", "{"]
)
def test_a_formula_that_is_not_whole_breaks_no_slide(formula):
    assert "x" in to_html(f"${formula}$ x")


@pytest.mark.parametrize(
    "formula",
    [
        r"\href{javascript:alert(1)}{x}",
        r"\style{background:url(//elsewhere)}{x}",
        r"\class{slide}{x}",
        r"\text{<script>alert(1)</script>}x",
        "<img src=x onerror=alert(1)>",
        r"\includegraphics{//elsewhere/x.png}x",
        r"\color{red}x",
    ],
)
def test_a_formula_brings_no_address_style_or_markup(formula):
    made = to_html(f"${formula}$")
    root = ElementTree.fromstring(made)
    allowed = {"p", "code", *(f"{{http://www.w3.org/1998/Math/MathML}}{one}" for one in MATHML)}
    assert {one.tag for one in root.iter()} <= allowed
    names = {name for one in root.iter() for name in one.attrib}
    assert not names & {"href", "style", "class", "id", "src", "onerror", "mathcolor", "mathbackground"}
    assert "x" in "".join(root.itertext())


MATHML = "math mrow mi mo mn mtext mspace mfrac msup msub mstyle mpadded".split()


def test_what_is_set_is_remembered_and_whole():
    for formula in (
        COSINE,
        r"\sum_{i=1}^n \alpha_i x_i",
        r"\begin{matrix}a & b\\c & d\end{matrix}",
        r"\sqrt[3]{x}",
    ):
        made = mathml(formula)
        assert ElementTree.fromstring(made).tag.endswith("}math")
        assert "&amp;" not in made
