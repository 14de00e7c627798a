"""SBERT-WK in Gram space beside the forward pass it follows, and beside QR of the states themselves.

On the tokens of STS-B test and the bundled encoder: the weights of the layers, one vector for each token,
and the weights of the tokens, which are always computed from all layers. QR is measured on some tokens and
scaled to all, in two ways: PyTorch's batched QR with everything that follows from it, and numpy's
decompositions alone, one token and layer at a time, as the authors' program makes them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import torch

from benchmarks.report import (
    alternate,
    circumstances,
    data_folder,
    first_pass,
    fresh_settings,
    middle,
    seconds,
    show,
    table,
)
from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.sources.token_states import TokenStates, chunks
from core.stages.sbert_wk import alphas, fuse, gram, variance
from core.tokens.states import States

CORPUS = "STS-B"
WINDOW = 2
EVERY = tuple(range(7))
FUSED = (EVERY[4:], EVERY)
"""From layer 4 on, as the authors' program has it, and all of them."""

ROUNDS = 5
BATCHED, SINGLE = 2000, 100
"""Tokens that batched QR, and QR of one token at a time, are measured on."""

LABELS = {
    "gram": "Gram space",
    "read": "Gram space, reading the stored layers too",
    "batched": "batched QR, R alone in float32",
    "whole": "batched QR, Q and R in float64 as in the authors' program",
    "single": "QR of one token and layer at a time, without the rest",
}


def run(data: Path) -> None:
    """Measure the pass and every way, and print the table."""
    with fresh_settings(data) as settings:
        engine = Engine(settings)
        corpus = engine.corpus(CORPUS)
        engine.embed(Recipe(), Corpus.of_texts("warm-up", corpus.sentences[:256]))
        durations = [seconds(partial(first_pass, engine, corpus)) for _ in range(ROUNDS)]
        found, _ = engine.passes.get(engine.passes.source(Recipe().source), corpus)
        sample = [torch.from_numpy(state) for state in _first(found)]
        rows: list[list[object]] = [
            ["first pass, model loaded", f"{middle(durations):.2f}", f"{min(durations):.2f}", *[""] * 7]
        ]
        for fused in FUSED:
            rows += _measure(found, fused, sample, durations)
        errors = [_error(sample, fused) for fused in FUSED]
    header = ["", "median s", "minimum s", "of the pass", "by minimum", "target"]
    header += ["R alone ÷ this", "Q and R ÷ this", "target", "one at a time ÷ this"]
    show(
        "SBERT-WK",
        table(header, rows),
        f"{len(found.tokens):,} tokens of {CORPUS} test, window {WINDOW}, {ROUNDS} rounds, the ways in "
        f"turn. QR is timed on {BATCHED:,} tokens (one at a time: on {SINGLE}) and scaled to "
        "all. The weights of layers differ from those by QR in float64 by at most "
        f"{max(errors):.1e} on {BATCHED:,} tokens.\n",
    )


def _first(found: TokenStates) -> list[np.ndarray]:
    """The states of the first tokens in every layer."""
    spans: list[States] = []
    for states in chunks(found, EVERY):
        spans.append(states)
        if sum(len(states.layers[0]) for states in spans) >= BATCHED:
            break
    return [np.concatenate([states.layers[i] for states in spans])[:BATCHED] for i in EVERY]


def _measure(
    found: TokenStates, fused: tuple[int, ...], sample: Sequence[torch.Tensor], durations: Sequence[float]
) -> list[list[object]]:
    """The rows of the table for the layers that are made one."""
    held = list(chunks(found, EVERY))
    one_by_one = torch.stack([sample[i][:SINGLE] for i in fused], dim=1).numpy()
    doubled = [state.double() for state in sample]
    runs: dict[str, Callable[[], object]] = {
        "gram": partial(_by_gram, held, fused),
        "read": lambda: _by_gram(chunks(found, EVERY), fused),
        "batched": partial(_by_qr, sample, fused),
        "whole": partial(_by_qr, doubled, fused, mode="reduced"),
        "single": partial(_decompose, one_by_one),
    }
    alternate(runs, 1)
    timed = alternate(runs, ROUNDS)
    scales = dict.fromkeys(("batched", "whole"), len(found.tokens) / BATCHED)
    scales["single"] = len(found.tokens) / SINGLE
    median = {name: middle(values) * scales.get(name, 1) for name, values in timed.items()}
    fastest = {name: min(values) * scales.get(name, 1) for name, values in timed.items()}
    rows: list[list[object]] = []
    for name, label in LABELS.items():
        row = [f"layers {fused[0]} to {fused[-1]}: {label}", f"{median[name]:.3f}", f"{fastest[name]:.3f}"]
        row += [f"{median[name] / middle(durations):.1%}", f"{fastest[name] / min(durations):.1%}"]
        targets = ["≤ 1 %", "≥ 30"] if name == "gram" else ["", ""]
        ways = ("batched", "whole", "single")
        times = [f"{median[qr] / median[name]:.1f}" for qr in ways]
        batched, whole, single = times if name in ("gram", "read") else [""] * 3
        rows.append([*row, targets[0], batched, whole, targets[1], single])
    return rows


def _by_gram(spans: Iterable[States], fused: tuple[int, ...]) -> None:
    """One vector and one weight for every token."""
    for states in spans:
        every, own = ([states.layers[i] for i in layers] for layers in (EVERY, fused))
        products = gram(own)
        fuse(own, alphas(products, WINDOW))
        variance(products if fused == EVERY else gram(every, reach=1))


def _by_qr(every: Sequence[torch.Tensor], fused: tuple[int, ...], mode: str = "r") -> torch.Tensor:
    """The same by one batched QR per layer; gives the weights of the layers ``[token, layer]``."""
    states = [every[i] for i in fused]
    aligned, novel = [], []
    for k in range(len(states)):
        window = torch.stack([states[i] for i in _order(k, len(states))], dim=-1)
        r = torch.linalg.qr(window, mode=mode).R  # R has every angle; alone it is half the work
        own, others = r[..., -1:], r[..., :-1]
        length = own.norm(dim=-2)
        aligned.append(1 / ((others * own).sum(-2) / (others.norm(dim=-2) * length)).mean(-1))
        novel.append(own[:, -1, 0].abs() / length[:, 0])
    halves = [torch.stack(part, -1) for part in (aligned, novel)]
    weights = sum((half / half.sum(-1, keepdim=True) for half in halves), torch.zeros(())) / 2
    vectors = torch.zeros_like(states[0])
    for state, weight in zip(states, weights.T, strict=True):
        vectors.addcmul_(state, weight[:, None])
    adjacent = [torch.cosine_similarity(a, b) for a, b in itertools.pairwise(every)]
    torch.stack(adjacent).var(0, unbiased=False)
    return weights


def _decompose(tokens: np.ndarray) -> None:
    """One QR after the other, of ``[token, layer, dim]``."""
    for states in tokens:
        for k in range(len(states)):
            np.linalg.qr(states[_order(k, len(states))].T)


def _order(k: int, layers: int) -> list[int]:
    """The neighbours of layer ``k``, then ``k`` itself."""
    near = range(max(k - WINDOW, 0), min(k + WINDOW + 1, layers))
    return [*(i for i in near if i != k), k]


def _error(sample: Sequence[torch.Tensor], fused: tuple[int, ...]) -> float:
    """Largest difference of a layer's weight from QR in float64."""
    exact = _by_qr([state.double() for state in sample], fused).numpy()
    found = alphas(gram([sample[i].numpy() for i in fused]), WINDOW)
    return float(np.abs(found - exact).max())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run alone."""
    data = data_folder("SBERT-WK in Gram space, the forward pass, and QR.", arguments)
    print(circumstances())
    run(data)


if __name__ == "__main__":
    main()
