"""Where the recipes of Geometry lie on arrival: names stand close there."""

PLACES = {
    "plain": (-1.4768, 0.2996),
    "centre": (-3.7873, 0.7759),
    "zscore": (-3.8273, 0.7929),
    "normalize": (-1.4768, 0.2996),
    "quantile": (-0.9858, 0.2048),
    "abtt": (-3.8558, 0.8285),
    "whiten(k=128)": (-3.9364, 0.9534),
    "idf": (-2.012, 0.4354),
    "idf, zscore": (-3.8812, 0.8459),
    "A": (-1.8767, 0.3264),
    "B": (-3.7117, 0.5907),
}
"""Uniformity and alignment by name."""
