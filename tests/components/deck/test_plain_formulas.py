"""Formulas as plain text, where that says the same."""

import pytest

from components.deck import plain_formulas
from components.deck.markdown import Run, paragraphs


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"\cos(h_5,h_6)=0.69", "cos(h₅, h₆) = 0.69"),
        (r"\log_2 n", "log₂ n"),
        (r"\alpha\cos x", "α cos x"),
        (r"x_i^2", "xᵢ²"),
        (r"a_{i+1} - b^{-1}", "aᵢ₊₁ − b⁻¹"),
        (r"\lVert u\rVert^2 \le 10^{-3}", "‖u‖² ≤ 10⁻³"),
        (r"u^\top v", "uᵀv"),
        (r"\max_i s_i", "maxᵢ sᵢ"),
        (r"\sum_i w_i h_i", "∑ᵢwᵢhᵢ"),
        (r"n\in\{1,2\}", "n ∈ {1, 2}"),
        (r"1{,}379 \times 5\%", "1,379 × 5%"),
        (r"-w", "−w"),
        (r"w'(-1)", "w′(−1)"),
        ("k", "k"),
        (r"s=\frac{1}{n}\sum_i h_i^{(0)}", "s = 1/n ∑ᵢhᵢ⁽⁰⁾"),
        (r"\frac12", "1/2"),
        (r"\frac{a+b}{2}x", "(a + b)/2 x"),
        (r"\dfrac{1}{nd}", "1/(nd)"),
        (r"\sqrt d + \sqrt{d_k}+\sqrt{a b}", "√d + √dₖ + √(ab)"),
    ],
)
def test_what_is_simple_is_plain_text(written, read):
    assert plain_formulas.unicode(written) == read


@pytest.mark.parametrize(
    "written",
    [
        *(
            r"\frac{a}",
            r"\mathbf{x}",
            r"\sqrt[3]{x}",
            r"\frac{\hat x}{2}",
            r"\hat x",
            r"\unknown",
            "\\",
            "a & b",
            "50% x",
        ),
        *("x^{abc}", r"w_{\alpha}", "x_{i_2}", "x_", "x^", "{x", "x}", "x_}", "{" * 5000),
    ],
)
def test_what_only_a_typesetter_sets_is_none(written):
    assert plain_formulas.unicode(written) == ""


def test_words_of_files_have_plain_formulas_and_others_as_they_are_written():
    (said,) = paragraphs(r"The **last** is $h_6$, $\mathbf{x}$, $$\cos(u,v)$$")
    formulas = [run for run in said.runs if run.text not in ("The ", "last", " is ", ", ")]
    assert formulas == [Run("h₆"), Run(r"$\mathbf{x}$", code=True), Run("cos(u, v)")]
