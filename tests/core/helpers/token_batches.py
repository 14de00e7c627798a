"""Batches of random tokens: texts of unequal length and empty ones, tokens left out or without weight."""

from collections.abc import Iterator
from dataclasses import fields, replace

import numpy as np

from core.tokens.token_batch import TokenBatch


def random_batch(
    seed: int = 0,
    *,
    texts: int = 60,
    longest: int = 9,
    dim: int = 12,
    words: int = 40,
    noise: float = 0.3,
    spread: float = 1.0,
) -> TokenBatch:
    """Texts of no token to ``longest``.

    Without ``noise`` the tokens of an id have one state, as in a static source. The
    states of ids that are equal modulo 4 lie around one of four points, ``spread`` apart.
    """
    generator = np.random.default_rng(seed)
    lengths = generator.permuted(np.arange(texts) % (longest + 1))
    tokens = int(lengths.sum())
    ids = generator.integers(0, words, tokens)
    points = spread * np.random.default_rng(1).normal(size=(4, dim))
    table = points[np.arange(words) % 4] + np.random.default_rng(2).normal(size=(words, dim))
    states = table[ids] + noise * generator.normal(size=(tokens, dim))
    selected = generator.random(tokens) < 0.8
    weights = np.where(selected, generator.choice([0.0, 0.2, 0.7, 1.0], tokens), 0.0)
    text = np.repeat(np.arange(texts), lengths)
    none = np.bincount(text, weights, minlength=texts)[text] == 0
    return TokenBatch(
        states=states.astype(np.float32),
        weights=np.where(none & selected, 1.0, weights),
        selected=selected,
        cls=np.full(texts, -1),
        offsets=np.concatenate([[0], np.cumsum(lengths)]),
        ids=ids,
        repeats=generator.integers(1, 4, texts),
    )


def batch_of(texts: list[list[list[float]]], ids: list[list[int]] | None = None) -> TokenBatch:
    """Texts given by their tokens' states, all selected, of weight 1; without ids each is another word."""
    lengths = [len(text) for text in texts]
    tokens = sum(lengths)
    dim = len(next(text for text in texts if text)[0])
    return TokenBatch(
        states=np.array([state for text in texts for state in text], np.float32).reshape(tokens, dim),
        weights=np.ones(tokens),
        selected=np.ones(tokens, bool),
        cls=np.full(len(texts), -1),
        offsets=np.concatenate([[0], np.cumsum(lengths)]).astype(int),
        ids=np.arange(tokens) if ids is None else np.array([i for text in ids for i in text], int),
        repeats=np.ones(len(texts), int),
    )


def tokens_of(batch: TokenBatch) -> Iterator[list[tuple[int, float, np.ndarray]]]:
    """For each text its selected tokens: id, weight, state in float64."""
    for start, stop in zip(batch.offsets[:-1], batch.offsets[1:], strict=True):
        yield [
            (int(batch.ids[i]), float(batch.weights[i]), batch.states[i].astype(np.float64))
            for i in range(start, stop)
            if batch.selected[i]
        ]


def cut(batch: TokenBatch, *places: int) -> list[TokenBatch]:
    """A batch in several, cut before the texts at ``places``."""
    parts = []
    for start, stop in zip((0, *places), (*places, len(batch.cls)), strict=True):
        texts, tokens = slice(start, stop), slice(batch.offsets[start], batch.offsets[stop])
        by_token = {name: getattr(batch, name)[tokens] for name in ("states", "weights", "selected", "ids")}
        by_text = {name: getattr(batch, name)[texts] for name in ("cls", "repeats")}
        offsets = batch.offsets[start : stop + 1] - batch.offsets[start]
        parts.append(TokenBatch(offsets=offsets, **by_token, **by_text))
    return parts


def frozen(batch: TokenBatch) -> TokenBatch:
    """A copy of which no array can be written to."""
    values = {field.name: getattr(batch, field.name) for field in fields(batch)}
    copies = {name: value.copy() for name, value in values.items() if isinstance(value, np.ndarray)}
    for array in copies.values():
        array.flags.writeable = False
    return replace(batch, **copies)


def apart(given: np.ndarray, expected: np.ndarray) -> float:
    """The largest distance of two rows, as a share of the expected row's length (1 where that is 0)."""
    length = np.linalg.norm(expected, axis=1)
    return float((np.linalg.norm(given - expected, axis=1) / np.where(length > 0, length, 1)).max())
