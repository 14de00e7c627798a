"""What the views of isotropy say, in words, on the page Geometry."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from components.figures.layers import layer_name
from components.wording import listed
from core.analysis.geometry.measures import Isotropy
from core.analysis.geometry.of_recipe import SampleSizes
from core.errors import counted
from core.evaluation.wording import fixed

HIGH = 0.1
"""Average cosine from which on vectors are said to have a direction in common; its negative: to lack it."""


def layers(found: Mapping[str, Mapping[int, Isotropy]]) -> str:
    """In which layer two random sentences have the highest cosine under each recipe."""
    parts = []
    for side, by_layer in found.items():
        known = {i: one.average_cosine for i, one in by_layer.items() if np.isfinite(one.average_cosine)}
        if known:
            highest, lowest = (fixed(f(known.values()), 2) for f in (max, min))
            most = [layer_name(i) for i, cosine in known.items() if fixed(cosine, 2) == highest]
            if len(known) > 1 and highest == lowest:
                parts.append(f"{side} {highest} in every layer")
            else:
                where = "highest in layer" if len(known) > 1 else "layer"
                parts.append(f"{side} {where}{'s' * (len(most) > 1)} {listed(most)}, {highest}")
    if not parts:
        return "Isotropy by layer"
    return f"Average cosine of two random sentences: {'; '.join(parts)}"


def sample_sizes(one: SampleSizes) -> str:
    """What an isotropic cloud of as many points scores, in one sentence."""
    cloud = f"an isotropic cloud of {one.sizes[-1]:,} points in {one.dim:,} dimensions"
    value = f"{one.isotropic[-1]:.2f}"
    if value == "1.00":
        return f"With {one.sizes[-1]:,} sentences IsoScore can be read against 1: {cloud} has 1.00"
    return f"Compare IsoScore at equal N: {cloud} has {value}, not 1"


def components(found: Mapping[str, Isotropy]) -> str:
    """The share of the first component under each recipe."""
    percents = {side: 100 * one.explained[0] for side, one in found.items()}
    shares = (f"{side} {share:{'.0f' if share >= 1 else '.1g'}} %" for side, share in percents.items())
    return f"Share of the variance that the first component holds: {', '.join(shares)}"


def dimensions(side: str, one: Isotropy) -> str:
    """The outlier dimensions of one recipe, in words."""
    if not one.outliers:
        return f"{side}: no outlier dimension"
    number = counted(one.outliers, "outlier dimension")
    much = ""
    if one.average_cosine >= HIGH:
        much = f", {_share(one)} the average cosine"
    return f"{side}: {number}{much}"


def why_high(found: Mapping[str, Isotropy]) -> str:
    """Why cosines are as high as they are: a sentence for each recipe, and one on how to read them."""
    known = {side: one for side, one in found.items() if np.isfinite(one.average_cosine)}
    if not known:
        return ""
    high = [side for side, one in known.items() if one.average_cosine >= HIGH]
    reading = (
        f"Under {' and '.join(high)} a high cosine is therefore no sign of likeness by itself: read the "
        "order of pairs, or take the mean away (post=centre)."
        if high
        else "So cosines are low unless sentences are alike; but how well ratings are told apart makes the "
        "score, not where 0 lies."
    )
    return " ".join([*(_why(side, one) for side, one in known.items()), reading])


def _why(side: str, one: Isotropy) -> str:
    head = f"Under {side} two random sentences have a cosine of {fixed(one.average_cosine, 2)}"
    if one.average_cosine <= -HIGH:
        return f"{head} on average: below 0, as of few vectors whose mean was taken away."
    mean = f"their mean holds {100 * one.common:.0f} % of the squared length"
    if one.average_cosine < HIGH:
        return f"{head} on average, because vectors have hardly a direction in common: {mean}."
    return f"{head} already, because vectors have a direction in common: {mean}{_by_dimensions(one)}."


def _by_dimensions(one: Isotropy) -> str:
    if not one.outliers:
        return ""
    return f", and {one.outliers} of {one.dim:,} dimensions alone {_share(one)} the cosine"


def _share(one: Isotropy) -> str:
    """How much of the average cosine the outlier dimensions hold; the others may take some away."""
    share = one.outlying / one.average_cosine
    return "more than all of" if share > 1 else f"{100 * share:.0f} % of"
