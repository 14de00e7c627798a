"""A normalizing flow to a Gaussian, learnt from sentence vectors (BERT-flow, Li et al. 2020).

The model that made the vectors stays as it is; only the flow learns, by maximum likelihood. The flow is
made of the package zuko's parts: affine coupling layers, as in RealNVP, or steps as in Glow, which the
paper builds on: a learnt shift and scale of each dimension, a permutation drawn at random, and an additive
coupling. Dimensions are standardised first.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import torch
from sklearn.base import BaseEstimator, TransformerMixin

from core.errors import RecipeError
from core.progress import Progress, Step, silent
from core.recipe.options import Vectors
from core.threads import one_thread_of_torch

HIDDEN = 256
"""Units of the two hidden layers in each coupling."""

BATCH = 256

_DRAWING = threading.Lock()
"""Held while the weights of a flow are drawn."""


class Flow(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A map from vectors to a standard normal distribution of the same dimension.

    Parameters
    ----------
    epochs, rate
        Passes over the vectors, and Adam's learning rate.
    transforms
        Coupling layers.
    coupling
        What they are: affine, or steps of Glow with an additive one.
    seed
        Of the weights it begins with and of the order of vectors.

    ``progress`` is called after each epoch; an exception in it stops the training.
    """

    progress: Progress = staticmethod(silent)

    def __init__(
        self,
        epochs: int = 20,
        rate: float = 1e-3,
        transforms: int = 4,
        seed: int = 0,
        coupling: str = "affine",
    ) -> None:
        self.epochs, self.rate, self.transforms, self.seed = epochs, rate, transforms, seed
        self.coupling = coupling

    def fit(self, x: Vectors, y: None = None) -> Flow:
        """Learn from the rows of ``x``. Raises RecipeError without zuko, for one dimension, or NaN."""
        self.mean_ = x.mean(axis=0, dtype=np.float64).astype(np.float32)
        deviation = x.std(axis=0, dtype=np.float64).astype(np.float32)
        self.scale_ = np.where(deviation > 0, deviation, np.float32(1))
        rows = torch.from_numpy((x - self.mean_) / self.scale_)
        self.flow_, order = self._begun(x.shape[1])
        with one_thread_of_torch():
            optimizer = torch.optim.Adam(self.flow_.parameters(), lr=self.rate)
            for epoch in range(self.epochs):
                for batch in torch.randperm(len(rows), generator=order).split(BATCH):
                    loss = -self.flow_().log_prob(rows[batch]).mean()
                    _refuse_not_finite(loss)
                    optimizer.zero_grad()
                    loss.backward()
                    torch.nn.utils.clip_grad_norm_(self.flow_.parameters(), 1.0)
                    optimizer.step()
                self.progress(Step("Training the flow: epochs", epoch + 1, self.epochs))
        return self

    def transform(self, x: Vectors) -> Vectors:
        """The rows, where the flow puts them. Raises RecipeError when the flow has diverged."""
        rows = torch.from_numpy(np.ascontiguousarray((x - self.mean_) / self.scale_, np.float32))
        with torch.inference_mode():
            moved = self.flow_().transform(rows)
        _refuse_not_finite(moved)
        return moved.numpy()

    def arrays(self) -> dict[str, np.ndarray]:
        """What was learnt, to be kept."""
        learnt = {name: value.numpy() for name, value in self.flow_.state_dict().items()}
        return learnt | {"mean_": self.mean_, "scale_": self.scale_}

    def restore(self, arrays: dict[str, np.ndarray]) -> Flow:
        """This flow with what :meth:`arrays` kept."""
        learnt = dict(arrays)
        self.mean_, self.scale_ = learnt.pop("mean_"), learnt.pop("scale_")
        self.flow_, _ = self._begun(len(self.mean_))
        self.flow_.load_state_dict({name: torch.from_numpy(value) for name, value in learnt.items()})
        return self

    def seconds(self, rows: int, dim: int) -> float:
        """About how long learning from so many rows takes."""
        operations = rows * self.epochs * self.transforms * 6 * (1.5 * dim * HIDDEN + HIDDEN**2)
        return operations / 2e10

    def _begun(self, dim: int) -> tuple[Any, torch.Generator]:
        """A flow with the weights of the seed, and what draws the order of vectors after them.

        Weights are drawn from torch's own generator, which is one for all threads: one flow at a time.
        """
        with _DRAWING, torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.seed)
            flow, order = self._make(dim), torch.Generator()
            order.set_state(torch.get_rng_state())
        return flow, order

    def _make(self, dim: int) -> Any:
        try:
            import zuko
        except ImportError as error:
            raise RecipeError(
                "post=flow needs the package zuko: pip install zuko (see requirements-extra.txt)."
            ) from error
        if dim < 2:
            raise RecipeError("post=flow needs vectors of two dimensions or more; got 1.")
        if self.coupling == "glow":
            return _glow(dim, self.transforms)
        return zuko.flows.NICE(dim, transforms=self.transforms, hidden_features=(HIDDEN, HIDDEN))


def _glow(dim: int, steps: int) -> Any:
    """Steps of Glow to a standard normal distribution; permutations are drawn, and kept as weights are.

    Its authors begin with couplings that add 0, and with shifts and scales that give each dimension mean 0
    and variance 1 (Kingma & Dhariwal 2018, sections 3.1 and 3.3). Rows come standardised, so that these
    shifts are 0 and the scales 1: a flow begins as a permutation.
    """
    from zuko.distributions import DiagNormal
    from zuko.flows.coupling import GeneralCouplingTransform
    from zuko.flows.gaussianization import ElementWiseTransform
    from zuko.lazy import Flow as Steps
    from zuko.lazy import UnconditionalDistribution, UnconditionalTransform
    from zuko.transforms import AdditiveTransform, PermutationTransform

    parts: list[Any] = []
    for _ in range(steps):
        scaling = ElementWiseTransform(dim)
        permutation = UnconditionalTransform(PermutationTransform, torch.randperm(dim), buffer=True)
        coupling = GeneralCouplingTransform(
            dim, univariate=AdditiveTransform, shapes=((),), hidden_features=(HIDDEN, HIDDEN)
        )
        for values in (*scaling.parameters(), *coupling.hyper[-1].parameters()):
            torch.nn.init.zeros_(values)
        parts += [scaling, permutation, coupling]
    normal = UnconditionalDistribution(DiagNormal, torch.zeros(dim), torch.ones(dim), buffer=True)
    return Steps(parts, normal)


def _refuse_not_finite(values: torch.Tensor) -> None:
    if not torch.isfinite(values).all():
        raise RecipeError(
            "post=flow has diverged: its numbers are not finite. Take a smaller rate, fewer transforms "
            "or more sentences to learn from."
        )
