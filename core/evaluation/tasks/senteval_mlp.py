"""The perceptron of SentEval: scored on other rows every few epochs, it stops when the score gains no more.

``epoch_size`` of SentEval is the number of epochs between two scores, not of all. SBERT-WK and S3E give it
as 4, with 50 units, batches of 64 and a tenacity of 5.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float, Int

from core.loading import LOADING

if TYPE_CHECKING:  # torch is imported when something is learnt
    from torch import Tensor

BATCH, BETWEEN, MOST = 64, 4, 200
"""Rows of a batch, epochs between two scores, and epochs after which it ends anyhow."""

TENACITY = 5
"""Scores without a gain that are let pass; the next one ends it."""

Codes = Int[np.ndarray, " row"]
Shares = Float[np.ndarray, " row"]
Rows = Float[np.ndarray, "row column"]


@dataclass(eq=False)
class SentEvalMLP:
    """One hidden layer of sigmoid units, learnt by Adam, as far as it scores best on rows held out.

    Parameters
    ----------
    l2
        Weight decay.
    units
        Of the hidden layer.
    seed
        Of the first weights and of the order of rows.

    Attributes
    ----------
    classes_
        The codes of the classes that were learnt, ascending.
    epochs_
        Epochs that were learnt, those after the best score included.
    """

    l2: float
    units: int = 50
    seed: int = 0
    classes_: Codes = field(default_factory=lambda: np.zeros(0, int), init=False)
    epochs_: int = field(default=0, init=False)
    _best: list[Tensor] = field(default_factory=list, init=False, repr=False)

    def fit(
        self,
        features: Rows,
        codes: Codes,
        sample_weight: Shares | None = None,
        *,
        dev: tuple[Float[np.ndarray, "dev column"], Float[np.ndarray, "dev class"]],
    ) -> SentEvalMLP:
        """Learn the classes ``codes`` of rows that count by ``sample_weight``.

        ``dev`` are the rows that it is scored on, and the weight of each class for each of them.
        """
        with LOADING:
            import torch

        self.classes_ = np.unique(codes)
        x = torch.from_numpy(np.asarray(features, np.float32))
        y = torch.from_numpy(np.searchsorted(self.classes_, codes))
        counts = None if sample_weight is None else torch.from_numpy(sample_weight.astype(np.float32))
        draws = torch.Generator().manual_seed(self.seed)
        held_out, weights = torch.from_numpy(np.asarray(dev[0], np.float32)), dev[1]
        layers = self._first(x.shape[1], draws)
        adam = torch.optim.Adam(layers, weight_decay=self.l2)
        most, without_gain = -1.0, 0
        self.epochs_ = 0
        while self.epochs_ <= MOST:
            for _ in range(BETWEEN):
                for rows in torch.randperm(len(x), generator=draws).split(BATCH):
                    loss = torch.nn.functional.cross_entropy(
                        _scores(layers, x[rows]), y[rows], reduction="none"
                    )
                    adam.zero_grad()
                    (loss if counts is None else loss * counts[rows]).mean().backward()
                    adam.step()
            self.epochs_ += BETWEEN
            right = self._right(layers, held_out, weights)
            if right > most:
                most, self._best = right, [layer.detach().clone() for layer in layers]
            elif without_gain >= TENACITY:
                break
            else:
                without_gain += 1
        return self

    def predict_proba(self, features: Rows) -> Float[np.ndarray, "row class"]:
        """The probability of each of :attr:`classes_`."""
        import torch

        with torch.no_grad():
            scores = _scores(self._best, torch.from_numpy(np.asarray(features, np.float32)))
            return scores.double().softmax(dim=1).numpy()

    def _first(self, columns: int, draws: object) -> list[Tensor]:
        """Weights and biases before learning, uniform up to 1 / √(inputs), as torch has them."""
        import torch

        sizes = ((columns, self.units), (self.units, len(self.classes_)))
        shapes = [(shape, inputs) for inputs, outputs in sizes for shape in ((outputs, inputs), (outputs,))]
        return [
            ((2 * torch.rand(shape, generator=draws) - 1) / inputs**0.5).requires_grad_()  # type: ignore[call-overload]
            for shape, inputs in shapes
        ]

    def _right(self, layers: list[Tensor], rows: Tensor, weights: Float[np.ndarray, "dev class"]) -> float:
        """The weight of the classes that are predicted for the rows held out."""
        import torch

        with torch.no_grad():
            found = _scores(layers, rows).argmax(dim=1).numpy()
        return float(weights[np.arange(len(weights)), self.classes_[found]].sum())


def _scores(layers: list[Tensor], x: Tensor) -> Tensor:
    """The logits of classes."""
    import torch

    hidden, hidden_bias, out, out_bias = layers
    linear = torch.nn.functional.linear
    return linear(torch.sigmoid(linear(x, hidden, hidden_bias)), out, out_bias)
