"""Linear layers by oneDNN, where it multiplies faster than the library that torch takes for them.

Torch multiplies float32 matrices by MKL, which does without instructions of 512 bits on processors that are
not Intel's: there oneDNN, which comes with torch as well, takes half the time. Both round in float32. In
bfloat16 torch takes oneDNN itself, and makes the weights anew for each batch, in a layout that oneDNN then
changes; here both are done once.
"""

from __future__ import annotations

import torch


def use_onednn(model: torch.nn.Module) -> torch.nn.Module:
    """The model, its linear layers by oneDNN; as it is on a processor without instructions of 512 bits.

    The model is on the CPU. Its weights stay where they are.
    """
    if torch.backends.mkldnn.is_available() and torch.cpu._is_avx512_supported():
        for name, module in list(model.named_modules()):
            if type(module) is torch.nn.Linear:
                model.set_submodule(name, OneDnnLinear(module))
    return model


class OneDnnLinear(torch.nn.Linear):  # type: ignore[misc]
    """A linear layer with the parameters of another, for reading alone: no gradients."""

    def __init__(self, linear: torch.nn.Linear) -> None:
        torch.nn.Module.__init__(self)
        self.in_features, self.out_features = linear.in_features, linear.out_features
        self.weight, self.bias = linear.weight, linear.bias
        self._half: tuple[torch.Tensor, torch.Tensor | None] | None = None

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        """What the other gives: in bfloat16 under autocast, else in the input's own precision."""
        weight, bias = self.weight, self.bias
        if torch.is_autocast_enabled("cpu"):
            input, (weight, bias) = input.to(torch.bfloat16), self._in_half()
        elif input.dtype != torch.float32:
            return super().forward(input)
        return torch.ops.mkldnn._linear_pointwise(input, weight, bias, "none", [], "")  # type: ignore[no-any-return]

    def _in_half(self) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Weights and bias in bfloat16, the weights in oneDNN's own layout."""
        if self._half is None:
            bias = None if self.bias is None else self.bias.detach().to(torch.bfloat16)
            weight = self.weight.detach().to(torch.bfloat16)
            self._half = torch.ops.mkldnn._reorder_linear_weight(weight), bias
        return self._half
