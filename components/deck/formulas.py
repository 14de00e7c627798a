"""Formulas between dollars in a visitor's Markdown, as MathML: browsers set it without script or font."""

from __future__ import annotations

import html
import re
from functools import lru_cache
from xml.etree import ElementTree

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

KIND = "formula"
"""Type of the token of a formula; its content is LaTeX, its markup one dollar or two."""

LONGEST = 1000
"""Characters of a formula that is set; a longer one stands as it is written."""

_FORMULA = re.compile(r"(\$\$?)(?=[^\s$])((?:[^$\\\n]|\\.)+?)(?<=\S)\1(?!\d)")
"""A dollar before a blank begins none, and none ends before a digit: "$5 and $6" are prices."""

_NAMESPACE = "http://www.w3.org/1998/Math/MathML"
_ELEMENTS = frozenset(
    "math mrow mi mn mo mtext mspace mfrac msqrt mroot msup msub msubsup mover munder munderover mtable "
    "mtr mtd mstyle mpadded mphantom".split()
)
_ATTRIBUTES = frozenset(
    "display stretchy fence separator form lspace rspace minsize maxsize movablelimits largeop symmetric "
    "accent accentunder linethickness mathvariant width height depth columnalign rowspacing columnspacing "
    "displaystyle scriptlevel".split()
)


def read_formulas(reader: MarkdownIt) -> MarkdownIt:
    """Have a reader of Markdown keep what stands between dollars as it is written."""
    reader.inline.ruler.before("escape", KIND, _between_dollars)
    return reader


@lru_cache(maxsize=500)
def mathml(formula: str, *, block: bool = False) -> str:
    """LaTeX as MathML, in the line or as a block of its own; empty where it cannot be set.

    Elements and attributes are those of a list: LaTeX can name addresses and styles too.
    """
    from latex2mathml.converter import convert_to_element  # takes a moment to load, and few write formulas

    if len(formula) > LONGEST:
        return ""
    try:
        root = convert_to_element(formula, display="block" if block else "inline")
    except Exception:  # a formula that is not whole has many kinds of errors
        return ""
    for element in root.iter():
        if element.tag not in _ELEMENTS:
            return ""
        element.text = html.unescape(element.text or "")  # signs are written as references to characters
        for name in set(element.attrib) - _ATTRIBUTES:
            del element.attrib[name]
    root.set("xmlns", _NAMESPACE)
    return ElementTree.tostring(root, encoding="unicode")


def _between_dollars(state: StateInline, silent: bool) -> bool:
    found = _FORMULA.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        token = state.push(KIND, "math", 0)
        token.markup, token.content = found[1], found[2]
    state.pos = found.end()
    return True
