"""The inputs of perturbed masking for one sentence: its words or tokens masked one by one and in pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from jaxtyping import Int

from core.errors import CorpusError, RecipeError, shorten
from core.evaluation.wording import quoted
from core.pipeline.engine import Engine
from core.sources.source import Source
from core.storage import json_arrays
from core.storage.tables import Arrays, TableKind

Level = Literal["words", "tokens"]
LEVELS: tuple[Level, ...] = get_args(Level)

MOST = 200
"""Units of a sentence that are masked, 20,101 inputs: a matrix of more cannot be read."""

PLAN = TableKind("masking-plan", 1)
"""Such tables come with the installation, for the sentence one arrives with; visits write none."""

SPECIAL = -1
"""The unit of tokens that belong to none."""


@dataclass(frozen=True, eq=False)
class MaskingPlan:
    """The units of one sentence that are masked.

    Attributes
    ----------
    source
        The model; its template is not used.
    text, level
        The sentence, and whether its words or its tokens are masked.
    ids, types
        The id and the segment id of every token, special ones included.
    unit
        The unit that each token belongs to, counted from 0; :data:`SPECIAL` for special tokens.
    surface_forms
        Every token in the vocabulary's spelling.
    units
        Every unit in readable spelling.
    counted
        The form in which each unit is counted: a word in lower case, a token in the vocabulary's spelling.
    mask_id
        The id of the model's mask token.
    truncated
        Whether the model's limit cut the sentence.
    """

    source: Source
    text: str
    level: Level
    ids: Int[np.ndarray, " token"]
    types: Int[np.ndarray, " token"]
    unit: Int[np.ndarray, " token"]
    surface_forms: tuple[str, ...]
    units: tuple[str, ...]
    counted: tuple[str, ...]
    mask_id: int
    truncated: bool

    @property
    def inputs(self) -> int:
        """The model inputs that are run: the sentence, every unit, and every pair of units masked."""
        count = len(self.units)
        return 1 + count + count * (count - 1) // 2

    @property
    def tokens(self) -> int:
        """The tokens of all inputs together."""
        return self.inputs * len(self.ids)

    @cached_property
    def own(self) -> Int[np.ndarray, " own"]:
        """The positions of the sentence's own tokens."""
        return np.flatnonzero(self.unit != SPECIAL)

    @cached_property
    def special(self) -> Int[np.ndarray, " special"]:
        """The positions of special tokens."""
        return np.flatnonzero(self.unit == SPECIAL)

    @cached_property
    def starts(self) -> Int[np.ndarray, " unit"]:
        """The position of each unit's first token."""
        return self.own[np.unique(self.unit[self.own], return_index=True)[1]]

    @property
    def notes(self) -> tuple[str, ...]:
        """The position at which the model's limit cut the sentence, if it did."""
        if not self.truncated:
            return ()
        limit = f"{self.source.name} reads {len(self.ids):,} tokens at most"
        return (f"{limit}; the sentence is longer and is cut after {quoted(self.units[-1])}.",)


def plan_masking(engine: Engine, source: Source, text: str, level: Level = "words") -> MaskingPlan:
    """The inputs that masking the units of a sentence needs; no weights are loaded.

    The sentence is tokenized without template. Words are those of the tokenizer, without punctuation.

    Raises
    ------
    RecipeError
        The source is no model, or its model has no mask token.
    CorpusError
        The sentence has fewer than two units that the model reads, or more than :data:`MOST`.
    """
    if not source.is_model:
        raise RecipeError(
            f"{source.name} has no context: a token's vector is the same whatever stands beside it, so "
            "masking moves nothing. Take a model as source, such as bundled."
        )
    parts = (*masked_by(engine, source), level, text)
    arrays = engine.shipped_table(PLAN, parts, lambda: _tokenized(engine, source, text, level))
    surface_forms, units, counted = map(tuple, json_arrays.from_array(arrays["spelled"]))
    return MaskingPlan(
        source,
        text,
        level,
        arrays["ids"],
        arrays["types"],
        arrays["unit"],
        surface_forms,
        units,
        counted,
        int(arrays["mask_id"]),
        bool(arrays["truncated"]),
    )


def masked_by(engine: Engine, source: Source) -> tuple[str | int, ...]:
    """What a model's states of masked texts depend on beside the texts; they are stored in no pass."""
    return source.name, source.revision, engine.settings.forward, source.location.max_tokens


def _tokenized(engine: Engine, source: Source, text: str, level: Level) -> Arrays:
    """The tokens and units of a sentence, as arrays."""
    tokenizer = engine.passes.tokenizer(source)
    if tokenizer.mask_id is None:
        raise RecipeError(
            f"{source.name} has no mask token, so no word can be hidden from it (decoders have none). Take "
            "an encoder such as bundled, BERT, RoBERTa or ELECTRA."
        )
    encoded = tokenizer([text])
    tokens = encoded.tokens
    own = ~tokens.special
    words = engine.passes.words(source, tokens)
    begins = own & (words.begins if level == "words" else True)
    unit = np.where(own, np.cumsum(begins) - 1, SPECIAL)
    surface_forms = tokens.surface_forms(slice(0, len(tokens)))
    starts = np.flatnonzero(begins)
    units = counted = [surface_forms[i] for i in starts]
    if level == "words":
        pieces = [tokens.ids[unit == i].tolist() for i in range(len(starts))]
        decoded = (tokenizer.decode(ids).replace(" ##", "").strip() for ids in pieces)
        units = [text or raw for text, raw in zip(decoded, units, strict=True)]
        counted = [words.surface_forms[i] for i in words.of[starts]]
    _refuse(units, level, tokenizer.max_tokens)
    return {
        "ids": tokens.ids,
        "types": encoded.type_ids,
        "unit": unit,
        "spelled": json_arrays.as_array([list(surface_forms), units, counted]),
        "mask_id": np.array(tokenizer.mask_id),
        "truncated": np.array(tokens.truncated[0]),
    }


class TooFewUnitsError(CorpusError):
    """A sentence of fewer than two words, or tokens: nothing in it can move another."""


def _refuse(units: Sequence[str], level: Level, limit: int) -> None:
    """Refuse a sentence with fewer than two units, or with too many for a readable matrix."""
    if not units:
        raise TooFewUnitsError(
            f"The model's tokenizer finds nothing in this sentence, or its limit of {limit:,} tokens "
            "leaves no room for it; write another."
        )
    if len(units) == 1:
        one = level.removesuffix("s")
        raise TooFewUnitsError(
            f"The sentence has one {one} alone, {shorten(units[0])}: there is no other that masking it "
            "could move; write two or more."
        )
    if len(units) > MOST:
        raise CorpusError(
            f"The sentence has {len(units):,} {level}; at most {MOST} are masked, since the work grows "
            "with the square of their number. Shorten it"
            + (", or mask words." if level == "tokens" else ".")
        )
