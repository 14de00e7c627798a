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
        "source=random;tokens=content",
        "A random vector for each token of BERT's vocabulary, [CLS] and [SEP] left out: "
        "without them the paper's figures are met, with them plain averages and quantiles miss. "
        "Its scores are an anchor that can be checked without a model's weights.",
        f"{_PAPER}, Section 3.2.5",
        2025,
        aliases=("RE", "random static vectors"),
        scores=stankevicius("avg.", "RE", _RANDOM),
    ),
    _preset(
        "Random embeddings, z-score",
        "source=random;tokens=content;post=zscore",
        "Random vectors whose sentence vectors are standardised. "
        "The step corrects nothing but the share of frequent tokens in every sentence.",
        f"{_PAPER}, Table 5, column RE",
        2025,
        scores=stankevicius("avg. + zscore", "RE", _RANDOM),
    ),
    _preset(
        "Random embeddings, quantile",
        "source=random;tokens=content;post=quantile",
        "Random vectors, each dimension replaced by its quantile over the corpus. "
        "It gains less than standardising.",
        f"{_PAPER}, Table 5, column RE",
        2025,
        scores=stankevicius("avg. + quantile-u", "RE", _RANDOM),
    ),
    _preset(
        "Random embeddings, whitened",
        "source=random;tokens=content;post=whiten",
        "Random vectors whose sentence vectors are whitened on the corpus. "
        "Whitening alone brings them to the level of an untreated BERT.",
        f"{_PAPER}, Table 5, column RE",
        2025,
        scores=stankevicius("avg. + whiten", "RE", _RANDOM),
    ),
    _preset(
        "Random embeddings, whitened on the reference",
        "source=random;tokens=content;post=whiten(fit=reference)",
        "Random vectors whose sentence vectors are whitened on a reference corpus. "
        "It is the paper's best recipe for them with plain averages.",
        f"{_PAPER}, Table 5, column RE",
        2025,
        scores=stankevicius("avg. + whiten^W", "RE", _RANDOM),
    ),
    _preset(
        "Random embeddings without biases",
        "source=random;tokens=unbiased",
        "Random vectors of the tokens that are neither frequent, nor word pieces, nor punctuation. "
        "They represent a sentence by its content words alone, without order.",
        _COLUMN,
        2025,
        scores=stankevicius("-biases", "RE", _RANDOM),
        differs=(_FREQUENT,),
    ),
    _preset(
        "Random embeddings, idf",
        "source=random;tokens=content;weight=idf",
        "Random vectors weighted by idf of the corpus itself. In effect this counts shared rare words.",
        _COLUMN,
        2025,
        scores=stankevicius("idf^W", "RE", _RANDOM),
        differs=(SWAPPED,),
    ),
    _preset(
        "Random embeddings, idf of the reference",
        "source=random;tokens=content;weight=idf(fit=reference)",
        "Random vectors weighted by idf of a reference corpus. It works for two sentences as well.",
        _COLUMN,
        2025,
        scores=stankevicius("idf^T", "RE", _RANDOM),
        differs=(SWAPPED,),
    ),
    _preset(
        "Random embeddings, idf + z-score",
        "source=random;tokens=content;weight=idf;post=zscore",
        "Random vectors weighted by idf, sentence vectors standardised. "
        "They score within four points of BERT under the same recipe.",
        _COLUMN,
        2025,
        scores=stankevicius("idf^W + zscore", "RE", _RANDOM),
        differs=(SWAPPED,),
    ),
)
"""Plain averages first, then with weights."""
