"""Random embeddings: the score of a recipe without a model."""

from functools import partial

from core.literature.preset import Preset
from core.literature.presets.weights import SWAPPED
from core.literature.published import stankevicius

_preset = partial(Preset, family="Random vectors")

_PAPER = "Stankevičius & Lukoševičius 2025"
_COLUMN = f"{_PAPER}, Table 4, column RE"
_FREQUENT = "The paper leaves out 33 frequent tokens, this recipe the 36 of the released list."
_RANDOM = "random embeddings"

PRESETS = (
    _preset(
        "Random embeddings (RE)",
        "source=random",
        "A random vector for each token of BERT's vocabulary. "
        "Its scores are an anchor that can be checked without a model's weights.",
        f"{_PAPER}, Section 3.2.5",
        2025,
        scores=stankevicius("34.7 48.8 48.2 62.1 55.5 46.5 53.1 53.3 50.3", "avg., RE", _RANDOM),
    ),
    _preset(
        "Random embeddings, z-score",
        "source=random;post=zscore",
        "Random vectors whose sentence vectors are standardised. "
        "The step corrects nothing but the share of frequent tokens in every sentence.",
        f"{_PAPER}, Table 5, column RE",
        2025,
        scores=stankevicius("43.6 55.9 53.5 64.3 60.4 54.6 56.3 56.0 55.6", "avg. + zscore, RE", _RANDOM),
    ),
    _preset(
        "Random embeddings, quantile",
        "source=random;post=quantile",
        "Random vectors, each dimension replaced by its quantile over the corpus. "
        "It gains less than standardising.",
        f"{_PAPER}, Table 5, column RE",
        2025,
        scores=stankevicius(
            "40.1 54.8 52.3 61.4 54.8 52.4 54.8 53.6 53.0", "avg. + quantile-u, RE", _RANDOM
        ),
    ),
    _preset(
        "Random embeddings, whitened",
        "source=random;post=whiten",
        "Random vectors whose sentence vectors are whitened on the corpus. "
        "Whitening alone brings them to the level of an untreated BERT.",
        f"{_PAPER}, Table 5, column RE",
        2025,
        scores=stankevicius("44.1 75.1 68.3 67.9 67.1 68.1 53.3 62.1 63.2", "avg. + whiten, RE", _RANDOM),
    ),
    _preset(
        "Random embeddings, whitened on the reference",
        "source=random;post=whiten(fit=reference)",
        "Random vectors whose sentence vectors are whitened on a reference corpus. "
        "It is the paper's best recipe for them with plain averages.",
        f"{_PAPER}, Table 5, column RE",
        2025,
        scores=stankevicius("54.2 63.7 64.6 74.7 68.3 67.5 58.4 63.2 64.3", "avg. + whiten^W, RE", _RANDOM),
    ),
    _preset(
        "Random embeddings without biases",
        "source=random;tokens=unbiased",
        "Random vectors of the tokens that are neither frequent, nor word pieces, nor punctuation. "
        "They represent a sentence by its content words alone, without order.",
        _COLUMN,
        2025,
        scores=stankevicius("57.5 61.3 64.7 74.3 65.4 66.6 59.7 60.3 63.7", "-biases, RE", _RANDOM),
        differs=(_FREQUENT,),
    ),
    _preset(
        "Random embeddings, idf",
        "source=random;weight=idf",
        "Random vectors weighted by idf of the corpus itself. In effect this counts shared rare words.",
        _COLUMN,
        2025,
        scores=stankevicius("55.4 72.5 67.6 74.4 71.9 69.8 57.4 62.6 66.4", "idf^W, RE", _RANDOM),
        differs=(SWAPPED,),
    ),
    _preset(
        "Random embeddings, idf of the reference",
        "source=random;weight=idf(fit=reference)",
        "Random vectors weighted by idf of a reference corpus. It works for two sentences as well.",
        _COLUMN,
        2025,
        scores=stankevicius("55.1 68.3 65.5 73.8 69.1 67.0 56.8 63.3 64.9", "idf^T, RE", _RANDOM),
        differs=(SWAPPED,),
    ),
    _preset(
        "Random embeddings, idf + z-score",
        "source=random;weight=idf;post=zscore",
        "Random vectors weighted by idf, sentence vectors standardised. "
        "They score within four points of BERT under the same recipe.",
        _COLUMN,
        2025,
        scores=stankevicius("55.6 73.0 67.8 73.2 72.2 70.0 57.3 62.4 66.4", "idf^W + zscore, RE", _RANDOM),
        differs=(SWAPPED,),
    ),
)
"""Plain averages first, then with weights."""
