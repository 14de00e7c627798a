"""What the columns of tables mean whose names do not say it: quantity, unit and sign.

The lines stand over the numbers that are taken along, of a figure or of a deck's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_SHARED: Mapping[str, str] = {
    "spearman": "Spearman's rank correlation with the gold scores × 100",
    "pearson": "Pearson's correlation with the gold scores × 100",
    "idf": "log(texts / texts with the word)",
    "times": "how often the word occurs in the corpus",
    "texts": "sentences that the word occurs in, repeats counted",
    "IsoScore": "from 0, all variance in one direction, to 1, the same in every dimension",
    "average cosine": "mean cosine of two different sentences",
    "dev": "score × 100 on dev",
}
"""The meanings of columns that mean the same in every table, by their names."""

_ALIGNMENT = {
    f"{name}, {vectors}": what
    for vectors in ("normalised", "as they are")
    for name, what in (
        ("alignment", "mean squared distance of pairs of a high rating; lower is better"),
        ("uniformity", "log of the mean of exp(−2 squared distance) over pairs; lower is more uniform"),
    )
}

_CHANGE = "the mean of this recipe less that of the recipe as it is, in points; above 0: better"

_WORTH = ("impact", "idf")

_COORDINATES = "place on the map, without a unit"

_OF_TABLES: Mapping[str, Mapping[str, str]] = {
    "compare": {
        "words shared": "Jaccard index of the two sentences' words, 0 to 1",
        "A": "similarity under recipe A",
        "B": "similarity under recipe B",
        "rank A": "place of the pair under A among those of different sentences, 1 for the closest",
        "rank B": "place of the pair under B among those of different sentences, 1 for the closest",
        "change": "rank A less rank B, in places; above 0: closer under B",
    },
    "mixing": {"w": "share of the averaged token vectors"},
    "mixing.tasks": {
        "w": "share of the averaged token vectors",
        "accuracy": "share of rows of the right class × 100",
        "value": "mean of the tasks' main values × 100",
    },
    "mixing.best": {
        "w": "share of the averaged token vectors that scores highest",
        "gain": "spearman less that at w = 0 on the same layers, in points; above 0: better",
    },
    "gains": {"gain": "spearman less that of layers=last on the same pairs, in points; above 0: better"},
    "alignment": _ALIGNMENT,
    "isoscore": _ALIGNMENT,
    "evolution": {
        "cosine": "of a token's states in the two layers, the mean over tokens",
        "deviation": "standard deviation of these cosines over tokens",
    },
    "hops": {
        "cosine": "of a token's states in two layers so far apart, the mean over tokens",
        "deviation": "standard deviation of these cosines over tokens",
    },
    "words": {
        "variance": "of the cosines of the word's states in adjacent layers, the mean over its occurrences"
    },
    "alphas": dict.fromkeys(("alignment", "novelty", "combined"), "weight of the layer; all sum to 1"),
    "layers": {
        "isotropic cloud": "IsoScore of as many points of an isotropic cloud",
        "share of the mean": "squared length of the mean vector over the mean squared length, 0 to 1",
        "first component": "share of the variance that the first principal component holds, 0 to 1",
        "outlier dimensions": "how many there are",
        "largest dimension": "number, from 0, of the dimension of largest mean absolute value",
    },
    "densities": {"density": "of the cosines of pairs of a rating; the area under each curve is 1"},
    "whitening": {
        "dimensions": "k, columns kept",
        "beta": "share of the mean that is taken away",
        "gamma": "1 scales columns to unit variance, 0 does not",
    },
    "published": {"here − published": "points; above 0: higher here"},
    "importance": {
        "impact": "how far words move when this one is masked, the mean over all, itself with 0",
        **{f"{what}, % of sentence": f"share of the sum of {what} over the sentence" for what in _WORTH},
    },
    "sentences.map": {
        "gold": "mean gold score of the pairs of the sentence",
        **dict.fromkeys(("x A", "y A", "x B", "y B"), _COORDINATES),
        "neighbours shared (Jaccard)": "of the nearest under A and under B, 0 to 1",
    },
    "tasks.ablation": {"change": _CHANGE},
    "tasks.sensitivity": {"change": _CHANGE},
    "find.costs": {"front": "True: no recipe that costs less scores as high"},
    "find.matters": {"share": "of the variance of scores that the stage explains by itself, 0 to 1"},
    "find.effects": {
        "trials": "how many of the search have the option",
        "median": "of their scores × 100 on the rows of dev that the title names",
        "best": "of their scores × 100 on these rows",
    },
    "find.best": {
        "behind": "dev of the best recipe less dev of this one, in points, paired; above 0: worse",
    },
    "heads.tiles": {
        "to itself": "mean over tokens of a token's attention to itself, 0 to 1",
        "to the one before": "the same to the token before it",
        "to the one after": "the same to the token after it",
    },
    "compare.why": {"contribution": "what the pair of tokens adds to the similarity of the two sentences"},
}
"""The meanings of columns of single figures, by the figure's key and the column's name."""


FROM = ", difference from "
"""Between a task and the recipe that others are compared with, in a column's name."""


def lines(key: str, columns: Sequence[str]) -> list[str]:
    """A line for each column whose name does not say what it is, ``change: rank A less rank B, …``.

    ``key`` is that of the figure; empty for a table of no figure.
    """
    known = {**_SHARED, **_OF_TABLES.get(key, {})}
    told = {name: known[name] for name in columns if name in known}
    for place, name in enumerate(columns):
        if name == "low" and place and list(columns[place + 1 : place + 2]) == ["high"]:
            told[f"{name}, high"] = f"ends of the 95 % interval of {columns[place - 1]}"
    return [*(f"{name}: {what}" for name, what in told.items()), *_differences(columns)]


def _differences(columns: Sequence[str]) -> list[str]:
    """A line for each recipe that columns are differences from; their ends need not be columns beside."""
    recipes = (name.partition(FROM)[2] for name in columns if FROM in name and f"{name}, low" in columns)
    return [
        f"difference from {recipe}: the recipe's value less that of {recipe} on the same rows, in points, "
        "paired; above 0: higher; low and high: ends of its 95 % interval"
        for recipe in dict.fromkeys(recipes)
    ]
