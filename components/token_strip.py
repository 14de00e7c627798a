"""Sentences with each token tinted by the weight it gets: a line of text one can read."""

from __future__ import annotations

import html
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from components import theme
from core.errors import counted
from core.evaluation.wording import signed
from core.pipeline.token_weights import TokenWeights
from core.tokens.marks import without_begin

_STYLE = (
    "display:inline-block;margin:1px;padding:1px 5px;border-radius:4px;"
    "font-size:1rem;line-height:1.6;white-space:pre;"
)
FAINTEST, DEEPEST = 0.04, 0.5
"""How opaque tints are; the page's text has a contrast of 4.5:1 on the deepest, in light and dark."""

SCALE = "the deepest tint is three times the mean of the words, which special tokens may exceed by far"
"""What the tints of a sentence say, as the end of a sentence."""

SIGNED_TINTS = {"light": ("#2166AC", "#B2182B"), "dark": ("#56B4E9", "#E0555F")}
"""Colours of numbers above and below 0, as in the matrices; the same contrast holds."""

_FRAME = f"outline:2px solid {theme.MARK};"


def strip(
    weights: TokenWeights,
    color: str,
    label: int | str,
    of: str = "weight",
    marked: Collection[int] = (),
    *,
    full_range: bool = False,
    weighted: bool = True,
) -> str:
    """HTML of one sentence with its number or name, everything escaped; ``of`` names what is shared.

    Tokens of a pooling that is not ``weighted`` have no tint and no share.
    Three times an equal share of what the tokens of words have together is the deepest tint, so that
    special tokens that have almost all of it leave a difference between words; with ``full_range`` tints
    run from the smallest share to the largest, for shares that are much alike. The tokens at the positions
    ``marked`` get a frame.
    """
    least, most = 0.0, _deepest(weights)
    if full_range and np.ptp(weights.shares) > 0:
        least, most = float(weights.shares.min()), float(weights.shares.max())
    tints = (_tint(color, weighted * (share - least) / (most - least)) for share in weights.shares)
    pieces_of = _pieces(weights.words)
    rows = zip(weights.surface_forms, weights.shares, weights.texts_with, pieces_of, tints, strict=True)
    tokens = [
        _token(text, _hover(text, share if weighted else None, of, seen, pieces), tint, i in marked)
        for i, (text, share, seen, pieces, tint) in enumerate(rows)
    ]
    return _line(label, [*tokens, " <em>… cut here</em>" * weights.truncated])


def _deepest(weights: TokenWeights) -> float:
    """The share from which on a tint is the deepest; of all tokens where words have none."""
    of_words = weights.shares[np.array(weights.words, int) >= 0]
    shares = of_words if of_words.any() else weights.shares
    return 3 * float(shares.mean()) if shares.any() else 1.0


def signed_strip(
    surface_forms: Sequence[str],
    values: Mapping[int, float],
    reach: float,
    theme_name: str,
    label: int | str,
    of: str,
) -> str:
    """HTML of one sentence, its tokens tinted by numbers of either sign; everything escaped.

    ``values`` are given by place; a token without one has no tint. ``reach`` is the size that has the
    deepest tint, blue above 0 and red below; ``of`` says what the numbers are.
    """
    above, below = SIGNED_TINTS[theme_name]
    tokens = []
    for place, text in enumerate(surface_forms):
        value = values.get(place)
        if value is None:
            title, tint = f"{text}: takes no part", "transparent"
        else:
            title = f"{text}: {signed(value, 3)} {of}"
            tint = _tint(above if value >= 0 else below, abs(value) / reach if reach > 0 else 0.0)
        tokens.append(_token(text, title, tint))
    return _line(label, tokens)


def _token(text: str, hover: str, tint: str, marked: bool = False) -> str:
    style = f"{_STYLE}{_FRAME * marked}background:{tint}"
    return f'<span title="{html.escape(hover)}" style="{style}">{html.escape(without_begin(text))}</span>'


def _line(label: int | str, tokens: Sequence[str]) -> str:
    name = html.escape(str(label))
    return f'<div style="margin-bottom:.35rem"><small>{name}</small> {"".join(tokens)}</div>'


def _hover(text: str, share: float | None, of: str, seen: float, pieces: int) -> str:
    part = f", one of {pieces} pieces of a word" if pieces > 1 else ""
    texts = counted(round(seen), "text")
    shared = f"no {of} is used" if share is None else f"{100 * share:.1f} % of the {of}"
    return f"{text}: {shared}; in {texts}{part}"


def _pieces(words: Sequence[int]) -> list[int]:
    """How many tokens each token's word has."""
    found = np.array(words)
    return [int((found == word).sum()) if word >= 0 else 1 for word in words]


def _tint(color: str, strength: float) -> str:
    return theme.tint(color, FAINTEST + (DEEPEST - FAINTEST) * max(0.0, min(1.0, strength)))
