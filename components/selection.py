"""What a visitor looks at: one sentence, token, layer and head, the same on every page and in the URL.

Figures choose too: a callback that calls :func:`take` before the widgets of the next run are made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import streamlit as st

from components import held
from components.controls import forget
from core.corpora.cleaning import clean
from core.tokens import Tokens
from core.tokens.marks import without_begin

SENTENCE = "The storm flooded the old bank of the river, and the bridge was closed for a week."
"""The sentence one arrives with: every token of it has something to show."""

ROW = "sentence-row"
"""Key of the row of the sentence."""

MOST = 2_000
"""Characters of a sentence that are looked at."""

FREQUENT = 150
"""The most frequent words of English that no page starts with."""


def take(name: str, value: str | int) -> None:
    """Choose a ``sentence``, ``token``, ``layer`` or ``head`` from a callback."""
    held.hold(name, value)


def sentence(
    beside: Callable[[str], None] | None = None, on_change: Callable[[], None] | None = None
) -> str | None:
    """The box for the sentence; None, and a hint on the page, when there is none.

    ``beside`` draws right of it what the page offers to do with the sentence.
    """
    row = st.container(key=ROW, horizontal=True, vertical_alignment="bottom", gap="xsmall", wrap=False)
    text = row.text_input(
        "A sentence of yours",
        value=SENTENCE,
        key="sentence",
        bind="query-params",
        persist_state="session",
        on_change=on_change,
    )
    found = looked_at(text or "", "sentence")
    if found and beside is not None:
        with row:
            beside(found)
    if not found:
        st.info("Write a sentence to look at.", icon=":material/edit:")
    return found or None


def looked_at(text: str, called: str) -> str:
    """The text as it is read, cut to :data:`MOST` characters; a hint on the page says so where it is.

    A box that takes no longer text would leave a pasted one out without a word.
    """
    if len(text) > MOST:
        st.warning(
            f"The {called} has {len(text):,} characters; the first {MOST:,} are looked at.",
            icon=":material/content_cut:",
        )
    return clean(text[:MOST])


def token(tokens: Tokens) -> int:
    """One token of the first text of ``tokens``, counted from its first; a content word to start with."""
    span = tokens.span(0)
    surface_forms = tokens.surface_forms(span)
    names = token_names(surface_forms)
    start = start_token(surface_forms, (~tokens.special[span]).tolist())
    chosen = _pills("Token", names, "token", names[start])
    return names.index(chosen)


def token_menu(surface_forms: Sequence[str], own: Sequence[bool]) -> int:
    """The same as a menu, where there is no room for a row of tokens; ``own`` are the sentence's own."""
    names = token_names(surface_forms)
    start = start_token(surface_forms, own)
    forget("token", names, names[start])
    chosen = st.selectbox(
        "Token", names, index=start, key="token", bind="query-params", persist_state="session"
    )
    held.tell_behind("token")
    return names.index(chosen or names[start])


def layer(numbers: Sequence[int], default: int) -> int:
    """One layer by its number."""
    names = [str(i) for i in numbers]
    return int(_pills("Layer", names, "layer", str(default)))


def layer_slider(numbers: Sequence[int], default: int) -> int:
    """The same as a slider, for pictures that move from layer to layer; -1 is called static."""
    by_name = {"static" if i < 0 else str(i): i for i in numbers}
    start = next(name for name, i in by_name.items() if i == default)
    forget("layer", by_name, start)
    chosen = st.select_slider(
        "Layer",
        list(by_name),
        value=start,
        key="layer",
        bind="query-params",
        persist_state="session",
    )
    held.tell_behind("layer")
    return by_name[chosen]


def head(layers: int, heads: int, default: tuple[int, int]) -> tuple[int, int]:
    """One attention head as (layer, head), both counted from 1; ``head=1-10`` in the URL."""
    names = [f"{i}-{j}" for i in range(1, layers + 1) for j in range(1, heads + 1)]
    usual = f"{default[0]}-{default[1]}"
    start = usual if usual in names else names[0]
    forget("head", names, start)
    chosen = st.selectbox(
        "Head (layer-head)",
        names,
        index=names.index(start),
        key="head",
        bind="query-params",
        persist_state="session",
        help="Counted from 1, as papers do. A click on a tile of the figures chooses it too.",
    )
    held.tell_behind("head")
    i, j = (chosen or names[0]).split("-")
    return int(i), int(j)


def head_name(layer: int, head: int) -> str:
    """A head, counted from 1, in both numberings: papers count from 1, code from 0."""
    return f"L{layer}-H{head} (index {layer - 1}, {head - 1})"


def token_name(tokens: Tokens, token: int) -> str:
    """The name of one token of the first text of ``tokens``."""
    return token_names(tokens.surface_forms(tokens.span(0)))[token]


def token_names(surface_forms: Sequence[str]) -> list[str]:
    """The tokens of a text, each by another name: the second ``the`` is ``the (2)``."""
    seen: dict[str, int] = {}
    names = []
    for text in surface_forms:
        seen[text] = seen.get(text, 0) + 1
        names.append(text if seen[text] == 1 else f"{text} ({seen[text]})")
    return names


def start_token(surface_forms: Sequence[str], own: Sequence[bool]) -> int:
    """The first own token that is a word and none of the most frequent ones, else the first own one."""
    mine = [i for i, is_own in enumerate(own) if is_own]
    words = {i: without_begin(surface_forms[i]).lower() for i in mine}
    content = (i for i in mine if words[i].isalnum() and words[i] not in _frequent())
    return next(content, mine[0] if mine else 0)


@cache
def _frequent() -> frozenset[str]:
    """Words of English that stand in nearly every sentence, function words most of them."""
    from wordfreq import top_n_list  # here: not for the pages without a sentence

    return frozenset(top_n_list("en", FREQUENT, wordlist="small"))


def _pills(label: str, names: Sequence[str], key: str, default: str) -> str:
    forget(key, names, default)
    chosen = st.pills(
        label,
        names,
        default=default,
        key=key,
        bind="query-params",
        persist_state="session",
        required=True,
        wrap=True,
    )
    held.tell_behind(key)
    return str(chosen or default)
