"""Formulas as letters and signs of Unicode, for files that set none; only what reads the same so."""

from __future__ import annotations

import re
from collections.abc import Iterator

_GREEK = {
    **{"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "varepsilon": "ε"},
    **{"zeta": "ζ", "eta": "η", "theta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ"},
    **{"nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "upsilon": "υ"},
    **{"phi": "ϕ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ"},
    **{"Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ"},
    **{"Omega": "Ω"},
}

_SIGNS = {
    **{"cdot": "·", "infty": "∞", "ell": "ℓ", "partial": "∂", "nabla": "∇", "sum": "∑", "prod": "∏"},
    **{"ldots": "…", "dots": "…", "cdots": "⋯", "top": "⊤", "lVert": "‖", "rVert": "‖", "Vert": "‖"},
    **{"langle": "⟨", "rangle": "⟩", "lvert": "|", "rvert": "|", "left": "", "right": "", "|": "‖"},
    **{"{": "{", "}": "}", "_": "_", "%": "%", "$": "$", "&": "&", "#": "#"},
    **{",": " ", ";": " ", ":": " ", " ": " ", "quad": " ", "!": ""},
}

_BETWEEN = {
    **{"times": "×", "pm": "±", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠"},
    **{"approx": "≈", "sim": "∼", "equiv": "≡", "propto": "∝", "in": "∈", "notin": "∉", "to": "→"},
    **{"rightarrow": "→", "mapsto": "↦", "ll": "≪", "gg": "≫", "subset": "⊂", "cup": "∪", "cap": "∩"},
}
"""Signs with a blank on both sides."""

_FUNCTIONS = frozenset("arg cos dim exp ln log max min sin tan tanh".split())

_LOW = dict(zip("0123456789+−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
_HIGH = dict(zip("0123456789+−=()inT⊤′", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁱⁿᵀᵀ′", strict=True))
"""Characters below and above the line; there are no others in most fonts."""

_FRACTIONS = ("frac", "dfrac", "tfrac")

_ONE = re.compile(rf"\d+(\.\d+)?|.[{re.escape(''.join((*_LOW.values(), *_HIGH.values())))}]*")
"""A number, or a sign with what is below and above it."""

_PART = re.compile(r"\\[A-Za-z]+|\\.|\s+|.", re.DOTALL)


class _NotPlainError(Exception):
    """A formula that only a typesetter sets."""


def unicode(formula: str) -> str:
    r"""LaTeX as plain text: ``cos(h₅, h₆) = 0.69`` for ``\cos(h_5,h_6)=0.69``; empty for what is not."""
    parts = iter([part for part in _PART.findall(formula) if not part.isspace()])
    try:
        text = _text(parts, inside=False)
    except (_NotPlainError, RecursionError):  # of a thousand braces
        return ""
    return re.sub(" +", " ", text).strip()


def _text(parts: Iterator[str], *, inside: bool) -> str:
    """The parts up to the end, or up to the brace that ends a group."""
    text = ""
    for part in parts:
        if part == "}" and inside:
            return text
        piece = _piece(part, parts)
        begins, goes_on = piece[:1].isalnum() and part not in ("_", "^"), text[-1:].isalnum()
        if begins and (_ends_in_function(text) or (goes_on and part[1:] in _FUNCTIONS)):
            piece = f" {piece}"
        if part in ("+", "-") and (goes_on or text.endswith((")", "‖", "|", "′"))):
            piece = f" {piece} "
        text += piece
    if inside:
        raise _NotPlainError
    return text


def _ends_in_function(text: str) -> bool:
    """Whether a text ends in the name of a function, with what is below or above it."""
    return text.rstrip("".join((*_LOW.values(), *_HIGH.values()))).endswith(tuple(_FUNCTIONS))


def _piece(part: str, parts: Iterator[str]) -> str:
    """One part, with the arguments that follow it."""
    name = part[1:]
    if part in ("_", "^"):
        return _shifted(parts, _LOW if part == "_" else _HIGH)
    if part == "{":
        group = _text(parts, inside=True)
        return "," if group == ", " else group
    if part.startswith("\\"):
        if name in _FUNCTIONS:
            return name
        if name in _BETWEEN:
            return f" {_BETWEEN[name]} "
        if name in _FRACTIONS:
            over, under = (_alone(_piece(next(parts, "}"), parts)) for _ in range(2))
            return f" {over}/{under} "
        if name == "sqrt":
            return f"√{_alone(_piece(next(parts, '}'), parts))}"
        found = _GREEK.get(name, _SIGNS.get(name))
        if found is None:
            raise _NotPlainError
        return found
    if part in '}%&~#"`@':
        raise _NotPlainError
    return {"-": "−", "'": "′", ",": ", ", "=": " = ", "<": " < ", ">": " > "}.get(part, part)


def _alone(text: str) -> str:
    """A part of a fraction or under a root, between brackets where it is more than one number or sign."""
    text = text.strip()
    if not text or text.startswith("["):  # the n-th root
        raise _NotPlainError
    return text if _ONE.fullmatch(text) else f"({text})"


def _shifted(parts: Iterator[str], letters: dict[str, str]) -> str:
    """The next part below or above the line."""
    text = _piece(next(parts, "}"), parts).replace(" ", "")
    if not text or any(letter not in letters for letter in text):
        raise _NotPlainError
    return "".join(letters[letter] for letter in text)
