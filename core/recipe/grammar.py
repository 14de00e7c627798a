"""Quotes, brackets and separators of the text form of recipes."""

from __future__ import annotations

from core.errors import RecipeError, shorten


def quote(text: str) -> str:
    """``text`` between double quotes, so that it may hold any character of the grammar."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def unquote(text: str) -> str:
    """The inverse of :func:`quote`; a text without quotes is returned as it is."""
    if not text.startswith('"'):
        return text
    if len(text) < 2 or not text.endswith('"'):
        raise RecipeError(f"{shorten(text)}: the double quote is never closed.")
    inside, out, index = text[1:-1], [], 0
    while index < len(inside):
        if inside[index] == "\\" and index + 1 < len(inside):
            index += 1
        out.append(inside[index])
        index += 1
    return "".join(out)


def split(text: str, separator: str) -> list[str]:
    """``text`` cut at each ``separator`` that stands outside quotes and brackets."""
    parts, current, depth, quoted, index = [], [], 0, False, 0
    while index < len(text):
        char = text[index]
        if quoted and char == "\\":
            current.append(text[index : index + 2])
            index += 2
            continue
        if char == '"':
            quoted = not quoted
        elif not quoted:
            depth += (char == "(") - (char == ")")
        if depth < 0:
            break
        if char == separator and not quoted and depth == 0:
            parts.append("".join(current))
            current = []
        else:
            current.append(char)
        index += 1
    if quoted:
        raise RecipeError(f"{shorten(text)}: a double quote is never closed.")
    if depth != 0:
        raise RecipeError(f"{shorten(text)}: a bracket is never closed, or closed twice.")
    return [*parts, "".join(current)]
