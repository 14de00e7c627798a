"""The unit of a corpus: its texts as they are given, or their sentences.

A corpus says its unit in brackets after its name: ``wikitext-2(unit=sentence)``. Text files hold one text a
line, and a line may be a paragraph; statistics of sentences are then learnt from sentences, as
Stankevičius & Lukoševičius (2025, Section 3.5.4) do with WikiText-2. Sentences are found by the package
``syntok``, which knows abbreviations, and those under ten characters are left out.

>>> split_unit("wikitext-2(unit=sentence)")
('wikitext-2', 'sentence')
>>> sentences_in("It rained all day. Dr. Smith stayed in. So.")
['It rained all day.', 'Dr. Smith stayed in.']
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.corpora.corpus import Corpus
from core.corpora.tables import SHORTEST_TEXT
from core.errors import CorpusError, counted, shorten
from core.progress import Progress, Step, silent

LINE, SENTENCE = "line", "sentence"
UNITS = (LINE, SENTENCE)
"""A text as it is given, which is the default, or each of its sentences."""

EVERY = 500
"""Texts between two progress reports."""


def split_unit(name: str) -> tuple[str, str]:
    """The name of a corpus without its unit, and its unit.

    Raises :class:`CorpusError` for a unit that is none.
    """
    written = name.rstrip()
    base, _, inside = written.removesuffix(")").rpartition("(")
    key, equals, unit = (part.strip() for part in inside.partition("="))
    if not (written.endswith(")") and base.strip() and equals and key == "unit"):
        return name, LINE
    if unit not in UNITS:
        raise CorpusError(
            f"The unit of the corpus {shorten(base.rstrip())}: got {shorten(unit)}; allowed: "
            f"{', '.join(UNITS)}."
        )
    return base.rstrip(), unit


def with_unit(name: str, unit: str) -> str:
    """The inverse of :func:`split_unit`."""
    return name if unit == LINE else f"{name}(unit={unit})"


def sentences_in(text: str) -> list[str]:
    """The sentences of a text, those under ten characters left out."""
    from syntok.segmenter import analyze

    found = (
        "".join(token.spacing + token.value for token in sentence).strip()
        for paragraph in analyze(text)
        for sentence in paragraph
    )
    return [sentence for sentence in found if len(sentence) >= SHORTEST_TEXT]


def split_some(corpus: Corpus, places: range, progress: Progress = silent) -> list[str]:
    """The sentences of the texts at some places in order, those of a text as often as it stands there."""
    sentences: list[str] = []
    texts, repeats = corpus.sentences, corpus.repeats
    for place in places:
        if (place == places.start or place % EVERY == 0) and len(texts) > EVERY:
            progress(Step(f"Splitting {corpus.name} into sentences", place, len(texts)))
        sentences += sentences_in(texts[place]) * int(repeats[place])
    return sentences


def in_sentences(corpus: Corpus, sentences: list[str]) -> Corpus:
    """The corpus of the sentences of another.

    Raises :class:`CorpusError` where there are none.
    """
    if not sentences:
        raise CorpusError(f"{corpus.name} has no sentence of {SHORTEST_TEXT} characters or more.")
    texts = counted(int(np.sum(corpus.repeats)), "text")
    note = f"{counted(len(sentences), 'sentence')} of {texts}, found by syntok."
    named = with_unit(corpus.name, SENTENCE)
    made = Corpus.of_texts(named, sentences, origin=corpus.origin, notes=(*corpus.notes, note))
    return replace(made, address=with_unit(corpus.address, SENTENCE) if corpus.address else "")
