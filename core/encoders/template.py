"""The prompt a sentence is put into before the model reads it.

``[X]`` is the sentence and ``[MASK]`` the model's own mask token. ``[X.]`` is the sentence with a full stop
where it has no final punctuation, as Prompt-BERT's code appends it, and ``[X-]`` the sentence without the
full stops at its end: what stands before the closing quote moves scores by points. T0 is Prompt-BERT's
(Jiang et al. 2022); T1 to T4 are those of Stankevičius & Lukoševičius (2025, Table 1).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Literal

from core.errors import RecipeError, closest, shorten
from core.recipe import TEMPLATE
from core.recipe.arguments import Text

MASK = "[MASK]"

_SENTENCE = re.compile(r"\[X[.-]?\]")
_FINAL = ".?!…。？！"
_ENDINGS = {"asis": "[X]", "yes": "[X.]", "no": "[X-]"}

Stop = Annotated[
    Literal["asis", "yes", "no"],
    Text("yes appends a full stop where there is no final punctuation, no takes a final full stop away"),
]


@TEMPLATE.option
def none() -> str:
    """The sentence alone."""
    return ""


@TEMPLATE.option(name="T0")
def t0(*, stop: Stop = "asis") -> str:
    """This sentence: "[X]" means [MASK]."""
    return _stopped('This sentence: "[X]" means [MASK].', stop)


@TEMPLATE.option(name="T1")
def t1(*, stop: Stop = "asis") -> str:
    """This sentence: "[X]" means [MASK][MASK]."""
    return _stopped('This sentence: "[X]" means [MASK][MASK].', stop)


@TEMPLATE.option(name="T2")
def t2(*, stop: Stop = "asis") -> str:
    """This sentence: "[X]" means "[MASK][MASK]" and is about [MASK]."""
    return _stopped('This sentence: "[X]" means "[MASK][MASK]" and is about [MASK].', stop)


@TEMPLATE.option(name="T3")
def t3(*, stop: Stop = "asis") -> str:
    """This sentence from the paraphrase dictionary: "[X]" means "[MASK]", which is about [MASK]."""
    text = 'This sentence from the paraphrase dictionary: "[X]" means "[MASK]", which is about [MASK].'
    return _stopped(text, stop)


@TEMPLATE.option(name="T4")
def t4(*, stop: Stop = "asis") -> str:
    """T3 of another dictionary: … means "[MASK]" and is about [MASK], which is a synonym for [MASK]."""
    text = (
        'This sentence from the dictionary: "[X]" means "[MASK]" and is about [MASK], '
        "which is a synonym for [MASK]."
    )
    return _stopped(text, stop)


@TEMPLATE.free_text(checked=True)
def text(*, text: Annotated[str, Text('"your own text with [X], and [MASK] if you like"')]) -> str:
    """Any text with [X] in it once; [X.] appends a full stop where there is none, [X-] takes it away."""
    split(text)
    return text


def _stopped(template: str, stop: str) -> str:
    return template.replace("[X]", _ENDINGS[stop])


@dataclass(frozen=True)
class Parts:
    """A template cut into what stands before and after the sentence.

    ``before`` and ``after`` are texts, cut at each mask: ``before[-1]`` ends where the sentence begins and
    ``after[0]`` begins where it ends. ``sentence`` is its placeholder there: ``[X]``, ``[X.]``, ``[X-]``.
    """

    before: tuple[str, ...]
    after: tuple[str, ...]
    sentence: str


def split(template: str) -> Parts:
    """The parts of a template; raises :class:`RecipeError` unless it has one ``[X]``."""
    if any("\ud800" <= character <= "\udfff" for character in template):
        raise RecipeError(f"template: {shorten(template)} has bytes that are no text; allowed is UTF-8.")
    sentences = _SENTENCE.findall(template)
    if not sentences:
        raise RecipeError(
            f"template: no {shorten(template)}.{closest(template, TEMPLATE.options)} Allowed: "
            f"{', '.join(TEMPLATE.options)}, or your own text with [X], where the sentence goes."
        )
    if len(sentences) > 1:
        raise RecipeError(
            f"template: got [X] {len(sentences)} times in {shorten(template)}; allowed is once, where the "
            "sentence goes."
        )
    before, after = _SENTENCE.split(template)
    return Parts(tuple(before.split(MASK)), tuple(after.split(MASK)), sentences[0])


def with_ending(sentence: str, ending: str) -> str:
    """A sentence as ``[X]``, ``[X.]`` or ``[X-]`` has it."""
    if ending == "[X-]":
        return sentence.rstrip().rstrip(".").rstrip()
    bare = sentence.rstrip().rstrip("\"'”’)")
    if ending == "[X]" or not bare or bare[-1] in _FINAL:
        return sentence
    return sentence.rstrip() + "."
