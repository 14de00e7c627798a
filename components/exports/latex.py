"""The numbers of a figure as a table of LaTeX."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

import pandas as pd
from pylatexenc.latexencode import UnicodeToLatexEncoder

from components.exports.tables import caption_lines, cells_of, hold_numbers

LONG = 30
"""Characters of a text from which on its column of a LaTeX table breaks lines."""

LINE = 90
"""Characters of a line in LaTeX, about."""

LEAST = 0.3
"""Share of a line that columns of long texts have at least."""

ONE_PAGE = 40
"""Rows from which on a table goes on over pages."""

LABEL_WORDS = 8
"""Words of a title that go into a label."""

SHOWN_LETTERS = 20
"""Letters that a comment names at most."""

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",  # at the start of a row it would be an argument of the line break before
    "▁": r"\_",  # how SentencePiece writes a blank
    "★": r"$\star$",
    "◇": r"$\diamond$",
    "●": r"$\bullet$",
    "∖": r"$\setminus$",
    "‹": r"$\langle$",
    "›": r"$\rangle$",
}

_BEYOND_ASCII = UnicodeToLatexEncoder(
    non_ascii_only=True, unknown_char_policy="keep", unknown_char_warning=False
)
_RAISED = {"<super>": r"\textsuperscript", "<sub>": r"\textsubscript"}


def table(head: Iterable[str], numbers: pd.DataFrame) -> bytes:
    r"""A table in the style of booktabs; its first line says the packages that it needs.

    Its label is ``tab:`` and the words of its title; columns of sentences break their lines, and more than
    :data:`ONE_PAGE` rows go on over pages.
    """
    columns, rows = cells_of(numbers)
    body = [" & ".join(map(_breaking, row)) + r" \\" for row in rows]
    title, *others = caption_lines(head) or ["Numbers"]
    caption = ". ".join(_breaking(line.rstrip(".")) for line in (title, *others)) + "."
    named = rf"\caption{{{caption}}}\label{{tab:{_label(title)}}}"
    alignment = _alignment(hold_numbers(numbers), columns, rows)
    names = [r"\toprule", " & ".join(map(escape, columns)) + r" \\", r"\midrule"]
    if len(rows) > ONE_PAGE:
        packages, lines = "booktabs, longtable", _over_pages(named, alignment, names, body)
    else:
        packages, lines = "booktabs", _on_one_page(named, alignment, names, body)
    text = "\n".join(lines)
    return "\n".join([rf"% \usepackage{{{packages}}}", *_beyond(text), text, ""]).encode()


def _on_one_page(named: str, alignment: str, head: Sequence[str], body: Sequence[str]) -> list[str]:
    """A table that floats."""
    inside = [rf"\begin{{tabular}}{{{alignment}}}", *head, *body, r"\bottomrule", r"\end{tabular}"]
    return [r"\begin{table}", r"\centering", named, *inside, r"\end{table}"]


def _over_pages(named: str, alignment: str, head: Sequence[str], body: Sequence[str]) -> list[str]:
    """A table that goes on over pages, each with its head."""
    heads = [*head, r"\endfirsthead", *head, r"\endhead", r"\bottomrule", r"\endfoot"]
    return [rf"\begin{{longtable}}{{{alignment}}}", rf"{named} \\", *heads, *body, r"\end{longtable}"]


def _breaking(text: str) -> str:
    """``text`` as LaTeX prints it; lines may break between the stages of a recipe, which has no blanks."""
    return re.sub(r";(?=\S)", r";\\allowbreak{}", escape(text))


def _shown(character: str) -> str:
    return character if character.isprintable() else f"U+{ord(character):04X}"


def _label(title: str) -> str:
    """The words of a title as LaTeX takes them for a label: letters and digits of ASCII."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", plain.lower())[:LABEL_WORDS]) or "numbers"


def _alignment(right: Sequence[bool], columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The columns of a tabular; those of long texts share what the others leave of a line."""
    widest = [max(map(len, cells)) for cells in zip(columns, *rows, strict=True)]
    is_long = [wide > LONG and not number for wide, number in zip(widest, right, strict=True)]
    taken = sum(wide for wide, long in zip(widest, is_long, strict=True) if not long)
    share = max(1 - taken / LINE, LEAST) / max(sum(is_long), 1)
    texts = rf"p{{{share:.2f}\linewidth}}"
    return "".join(
        texts if long else "r" if number else "l" for long, number in zip(is_long, right, strict=True)
    )


def escape(text: str) -> str:
    """``text`` as LaTeX prints it; letters that pdfLaTeX cannot set stay as they are."""
    return "".join(map(_as_latex, text))


@lru_cache(maxsize=4096)
def _as_latex(character: str) -> str:
    if character in _LATEX or character.isascii():
        return _LATEX.get(character, character)
    encoded: str = _BEYOND_ASCII.unicode_to_latex(character)
    kind, *plain = unicodedata.decomposition(character).split()[:2] or [""]
    if encoded == character and kind in _RAISED:
        return f"{_RAISED[kind]}{{{chr(int(plain[0], 16))}}}"
    return encoded


def _beyond(text: str) -> list[str]:
    """A comment that says which letters need another compiler than pdfLaTeX; none where it can set all."""
    letters = sorted({_shown(character) for character in text if not character.isascii()})
    if not letters:
        return []
    shown = " ".join(letters[:SHOWN_LETTERS]) + (" …" if len(letters) > SHOWN_LETTERS else "")
    return [f"% pdfLaTeX cannot set {shown}: compile with LuaLaTeX or XeLaTeX, in a font that has them."]
