"""A prompt template inside a tokenizer: no code of ours has to travel with a folder.

What stands before and after a sentence, mask tokens included, is the frame that the tokenizer's
post-processor puts round the tokens of every text, where [CLS] and [SEP] stand without a template. A text
that is too long is cut inside the frame, as by the engine. The full stop of ``[X.]`` and ``[X-]`` is a
replacement before normalization. That is the engine's reading where the template does not change how the
text at its border is cut into tokens: for WordPiece with quotes or spaces there, seldom for byte-level
BPE, which joins ``."`` into one token. Whether it is the same is tried on many texts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from tokenizers import Regex, normalizers
from tokenizers import Tokenizer as Backend

from core.encoders.template import split
from core.encoders.tokenizer import Tokenizer

PROBES = (
    *(
        "a",
        "A dog runs.",
        "a dog runs",
        "Is it?",
        "“Quoted.”",
        '"Quoted"',
        "'s",
        "s'",
        "(a)",
        "a)",
        "...",
        "a...",
    ),
    *(
        "-a-",
        "1",
        "2nd, 3rd",
        "U.S.",
        "end!?",
        "é",
        "́a",
        "x\u0301",
        "中文。",
        "שלום",
        "🎸",
        "#a",
        "##s",
        "a:",
        ":a",
    ),
    *("[MASK]", "</s> <mask>", "a. ", 'a "', 'a."', "a …", "", "word " * 600),
)
"""Texts whose borders are read in different ways."""

_FINAL, _QUOTES = ".?!…。？！", "\"'”’)"
_ENDING = {
    "[X.]": (rf"(?:[^{_FINAL}{_QUOTES}\s][{_QUOTES}]*|\s[{_QUOTES}]+)\K\s*\z", "."),
    "[X-]": (r"\s*\.*\s*\z", ""),
}
"""What ``[X.]`` and ``[X-]`` replace: :func:`~core.encoders.template.with_ending` as patterns."""


class NotSeparableError(ValueError):
    """The template changes how a sentence beside it is cut into tokens; the text is such a sentence."""


def prompted(backend: Backend, reader: Tokenizer, template: str, texts: Sequence[str]) -> Backend:
    """A tokenizer that puts every text into a template, without truncation and padding.

    Parameters
    ----------
    backend
        The model's tokenizer.
    reader
        The same as the engine uses it.
    texts
        Texts on which both must agree, beside :data:`PROBES`.

    Raises
    ------
    NotSeparableError
        They do not.
    """
    found = reader(["a"], template=template)
    tokens = found.tokens
    own = np.flatnonzero(tokens.own)
    before, after = slice(0, own[0]), slice(own[-1] + 1, None)
    said: dict[str, Any] = json.loads(backend.to_str())
    kind = int(found.type_ids[own[0]])
    frame = {
        name: (tokens.ids[part].tolist(), [*dict.fromkeys(found.type_ids[part].tolist())])
        for name, part in (("BEFORE", before), ("AFTER", after))
    }
    if any(len(kinds) > 1 for _, kinds in frame.values()):
        raise NotSeparableError("a")
    single: list[dict[str, Any]] = [{"Sequence": {"id": "A", "type_id": kind}}]
    for name, place in (("BEFORE", 0), ("AFTER", 2)):
        ids, kinds = frame[name]
        if ids:
            single.insert(place, {"SpecialToken": {"id": name, "type_id": kinds[0]}})
    said["post_processor"] = {
        "type": "TemplateProcessing",
        "single": single,
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {
            name: {"id": name, "ids": ids, "tokens": [tokens.vocabulary[i] for i in ids]}
            for name, (ids, _) in frame.items()
            if ids
        },
    }
    made: Backend = type(backend).from_str(json.dumps(said))
    made.no_padding()
    made.no_truncation()
    if (ending := split(template).sentence) in _ENDING:
        pattern, content = _ENDING[ending]
        replace = normalizers.Replace(Regex(pattern), content)
        normalizer = made.normalizer
        made.normalizer = replace if normalizer is None else normalizers.Sequence([replace, normalizer])
    _compare(made, reader, template, [*PROBES, *texts])
    return made


def _compare(made: Backend, reader: Tokenizer, template: str, texts: Sequence[str]) -> None:
    """Raise :class:`NotSeparableError` with the first text that is read in another way."""
    cut = type(made).from_str(made.to_str())
    cut.enable_truncation(reader.max_tokens)
    cut.encode_special_tokens = True
    tokens = reader(texts, template=template).tokens
    for number, encoding in enumerate(cut.encode_batch(list(texts))):
        if encoding.ids != tokens.ids[tokens.span(number)].tolist():
            raise NotSeparableError(texts[number])
