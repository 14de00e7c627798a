"""Random points."""

import numpy as np


def cloud(points: int, dim: int, seed: int = 0, shift: float = 0.0) -> np.ndarray:
    """Normal points, some directions wider than others, away from the origin."""
    generator = np.random.default_rng(seed)
    scale = generator.uniform(0.1, 3, dim)
    return (generator.normal(size=(points, dim)) * scale + shift * scale).astype(np.float32)
