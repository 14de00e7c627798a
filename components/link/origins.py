"""What a link's numbers were made with, as short fingerprints: ``A53aa12.B53aa12.C9f3e01``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.storage.keys import key_of

PARAMETER = "v"

NAMES = {
    "A": "the model of recipe A",
    "B": "the model of recipe B",
    "C": "the corpus",
    "R": "the reference that recipe A learns from",
    "S": "the reference that recipe B learns from",
}
"""What each letter stands for."""

_LENGTH = 6
_WRITTEN = re.compile(rf"[A-Z][0-9a-f]{{{_LENGTH}}}(\.[A-Z][0-9a-f]{{{_LENGTH}}})*")


@dataclass(frozen=True)
class Origins:
    """The recipes and the corpus of a page."""

    engine: Engine
    corpus: Corpus | None
    a: Recipe | None
    b: Recipe | None

    def fingerprints(self) -> dict[str, str]:
        """Short ones by the letters of :data:`NAMES`; what a page does not use, or read, has none."""
        found = {"C": self.corpus.fingerprint} if self.corpus else {}
        for recipe, model, reference in ((self.a, "A", "R"), (self.b, "B", "S")):
            if recipe is None:
                continue
            try:
                source = self.engine.source(recipe, self.corpus)
                found[model] = f"{source.name} {source.revision}"
                if recipe.needs_reference() and self.engine.references.at_hand(recipe):
                    found[reference] = self.engine.references.of(recipe).fingerprint
            except StrataError:
                continue
        return {letter: key_of(found[letter])[:_LENGTH] for letter in NAMES if letter in found}


def written(fingerprints: Mapping[str, str]) -> str:
    """As a link writes them."""
    return ".".join(letter + fingerprint for letter, fingerprint in fingerprints.items())


def read(text: str) -> dict[str, str] | None:
    """What a link has written; None for nonsense."""
    if not _WRITTEN.fullmatch(text):
        return None
    return {part[0]: part[1:] for part in text.split(".")}


def others(linked: Mapping[str, str], here: Mapping[str, str]) -> list[str]:
    """In words, what is here another one than what the link was made with."""
    return [
        NAMES[letter]
        for letter in NAMES
        if letter in linked and here.get(letter, linked[letter]) != linked[letter]
    ]
