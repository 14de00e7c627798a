"""The numbers of a figure as a table of LaTeX."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

import pandas as pd
from pylatexenc.latexencode import UnicodeToLatexEncoder

from components.exports.latex_layout import BREAKS, Column, Layout, Look, layout, row_numbers
from components.exports.tables import caption_lines, cells_of, hold_numbers
from core.evaluation.wording import MINUS

LABEL_WORDS = 8
"""Words of a title that go into a label."""

LONGEST = 300
"""Characters of a cell: a row that is higher than a page is set by no LaTeX."""

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
    "*": "{*}",  # there it would belong to the line break
    MINUS: "$-$",
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


_SMALL = r"\footnotesize\raggedright "
"""How a note under a table is set."""


def table(
    head: Iterable[str], numbers: pd.DataFrame, meanings: Iterable[str] = (), *, apart: str = ""
) -> bytes:
    r"""A table in the style of booktabs; its first line says the packages that it needs.

    Its label is ``tab:``, the words of its title, and ``apart`` from tables of the same title. It fits a
    page of LaTeX's article (:mod:`components.exports.latex_layout`); parts of one that is too wide have
    labels with their number. ``meanings`` are lines on columns, which stand in a note under it, or under
    its first part. A text of more than :data:`LONGEST` characters is cut, and a comment says so.
    """
    columns, whole = cells_of(numbers)
    are_numbers = hold_numbers(numbers)
    rows = [_with_minus([_cut(cell) for cell in row], are_numbers) for row in whole]
    title, *others = caption_lines(head) or ["Numbers"]
    caption, note = _sentences([title, *others]), _sentences(caption_lines(meanings))
    numbered = [[*row, number] for row, number in zip(rows, row_numbers(len(rows)), strict=True)]
    made = layout(columns, rows, are_numbers, f"{caption} {note}".rstrip())
    tables, many = [], len(made.parts)
    for number, part in enumerate(made.parts, 1):
        said, label = caption if number == 1 else f"{title.rstrip('.')}.", label_of(title) + apart
        said += f" Part {number} of {many}." if many > 1 else ""
        label += f"-{number}" if number > 1 else ""
        named = rf"\caption{{{_breaking(said)}}}\label{{tab:{label}}}"
        tables += _part(made, part, named, numbered, note if number == 1 else "")
    text = "\n".join(_on_side(tables) if made.look.on_side else tables)
    are_cut = any(len(cell) > LONGEST for row in whole for cell in row)
    return "\n".join([_packages(made), *[_CUT] * are_cut, *_beyond(text), text, ""]).encode()


_CUT = f"% Texts of more than {LONGEST} characters are cut; the CSV has them whole."


def _cut(cell: str) -> str:
    """A cell that can stand on a page."""
    return cell if len(cell) <= LONGEST else f"{cell[: LONGEST - 1].rstrip()}…"


def _with_minus(row: Sequence[str], numbers: Sequence[bool]) -> list[str]:
    """The cells of a row, negative numbers with the sign of mathematics: a hyphen is shorter."""
    return [
        f"{MINUS}{cell[1:]}" if number and cell.startswith("-") else cell
        for cell, number in zip(row, numbers, strict=True)
    ]


def _sentences(lines: Sequence[str]) -> str:
    """Lines as sentences of one text."""
    return " ".join(f"{line.rstrip('.')}." for line in lines)


def _packages(made: Layout) -> str:
    """The line that names the packages."""
    breaks = any(column.breaks for part in made.parts for column in part)
    needed = {"longtable": made.over_pages, "array": breaks, "pdflscape": made.look.on_side}
    names = ["booktabs", *(name for name, is_needed in needed.items() if is_needed)]
    return rf"% \usepackage{{{', '.join(names)}}}"


def _part(
    made: Layout, part: Sequence[Column], named: str, rows: Sequence[Sequence[str]], note: str
) -> list[str]:
    """The lines of a table with some of the columns, and a note under it."""
    names = " & ".join(_name(column) for column in part)
    head = [r"\toprule", rf"{names} \\", r"\midrule"]
    body = [" & ".join(_breaking(row[column.place]) for column in part) + r" \\" for row in rows]
    alignment = "".join(_alignment(column, made.look) for column in part)
    look = made.look
    size = [rf"\{look.size}", rf"\setlength{{\tabcolsep}}{{{look.beside:g}pt}}"] if look.size else []
    if made.over_pages:
        lines = _over_pages(named, alignment, head, body)
        lines = ["{" + "".join(size), *lines, "}"] if size else lines
        return [*lines, *[rf"{{{_SMALL}\noindent {_breaking(note)}\par}}\medskip"] * bool(note)]
    inside = [rf"\begin{{tabular}}{{{alignment}}}", *head, *body, r"\bottomrule", r"\end{tabular}"]
    under = [rf"\par\medskip{{{_SMALL}{_breaking(note)}\par}}"] * bool(note)
    lines = [r"\centering", named, *["".join(size)] * bool(size), *inside, *under]
    return [r"\begin{table}", *lines, r"\end{table}"]


def _on_side(lines: Sequence[str]) -> list[str]:
    """A page on its side."""
    return [r"\begin{landscape}", *lines, r"\end{landscape}"]


def _over_pages(named: str, alignment: str, head: Sequence[str], body: Sequence[str]) -> list[str]:
    """A table that goes on over pages, each with its head."""
    heads = [*head, r"\endfirsthead", *head, r"\endhead", r"\bottomrule", r"\endfoot"]
    return [rf"\begin{{longtable}}{{{alignment}}}", rf"{named} \\", *heads, *body, r"\end{longtable}"]


def _alignment(column: Column, look: Look) -> str:
    """How a column of a tabular is set."""
    if not column.breaks:
        return "r" if column.number else "l"
    share = math.floor(100 * column.points / look.line) / 100
    return rf">{{\raggedright\arraybackslash}}p{{{share:.2f}\linewidth}}"


def _name(column: Column) -> str:
    """The name of a column, on its lines."""
    lines = r"\\".join(map(_breaking, column.name))
    return lines if len(column.name) == 1 else rf"\shortstack[{'r' if column.number else 'l'}]{{{lines}}}"


def _breaking(text: str) -> str:
    """``text`` as LaTeX prints it; lines may break between the stages of a recipe, which has no blanks."""
    return r"\allowbreak{}".join(map(escape, BREAKS.split(" ".join(text.splitlines()))))


def _shown(character: str) -> str:
    return character if character.isprintable() else f"U+{ord(character):04X}"


def label_of(title: str) -> str:
    """The words of a title as LaTeX takes them for a label: letters and digits of ASCII."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", plain.lower())[:LABEL_WORDS]) or "numbers"


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
