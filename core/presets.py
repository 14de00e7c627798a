"""Named recipes: methods of the literature as data."""

from __future__ import annotations

from dataclasses import dataclass

from core.recipe import Recipe


@dataclass(frozen=True)
class Preset:
    """A published method as a recipe.

    ``recipe`` leaves the source open (whatever model is chosen), except for methods that are a source.
    """

    name: str
    recipe: str
    explanation: str
    published: str

    def apply(self, recipe: Recipe) -> Recipe:
        """This preset on the source and reference of ``recipe``."""
        made = Recipe.parse(self.recipe)
        keep = {} if "source=" in self.recipe else {"source": recipe.spelled()["source"]}
        return made.replace(reference=recipe.spelled()["reference"], **keep)


PRESETS = (
    Preset(
        "Last layer, mean",
        "layers=last",
        "The mean of the last layer's tokens: what most libraries call mean pooling.",
        "Reimers & Gurevych 2019",
    ),
    Preset(
        "[CLS]",
        "layers=last;pool=cls",
        "The last layer's classification token alone.",
        "Reimers & Gurevych 2019",
    ),
    Preset(
        "First-last avg. (layer 1)",
        "",
        "The mean over tokens of the first block and the last, averaged.",
        "Su et al. 2021 (BERT-whitening); Stankevičius & Lukoševičius 2025",
    ),
    Preset(
        "First-last avg. (layer 0)",
        "layers=0+last",
        "As above, where the paper's first layer is the embedding block.",
        "Jiang et al. 2022 (Prompt-BERT); Chen et al. 2023 (Ditto)",
    ),
    Preset(
        "Static avg.",
        "layers=static",
        "The mean of the word-embedding rows: no context at all.",
        "Jiang et al. 2022 (Prompt-BERT)",
    ),
    Preset(
        "L1 + L2 + L12",
        "layers=1+2+12",
        "Two early layers and the last of a twelve-layer model, averaged.",
        "Huang et al. 2021 (WhiteningBERT)",
    ),
    Preset(
        "Remove biases",
        "layers=static;tokens=unbiased",
        "Static rows without frequent tokens, word pieces and punctuation.",
        "Jiang et al. 2022 (Prompt-BERT)",
    ),
    Preset(
        "idf + z-score, target",
        "weight=idf;post=zscore",
        "Tokens weighted by idf, vectors standardised; both learnt from the corpus itself.",
        "Stankevičius & Lukoševičius 2025, Table 4",
    ),
    Preset(
        "idf + z-score, reference",
        "weight=idf(fit=reference);post=zscore(fit=reference)",
        "The same, learnt from the reference corpus, so that it works for two sentences as well.",
        "Stankevičius & Lukoševičius 2025, Table 4",
    ),
    Preset(
        "Quantile",
        "post=quantile",
        "Each dimension replaced by its quantile over the corpus.",
        "Stankevičius & Lukoševičius 2025, Table 4",
    ),
    Preset(
        "ABTT",
        "post=abtt",
        "The mean and the first two principal components removed.",
        "Mu & Viswanath 2018",
    ),
    Preset(
        "BERT-whitening",
        "post=whiten",
        "First-last average, whitened on the corpus.",
        "Su et al. 2021",
    ),
    Preset(
        "BERT-whitening-256",
        "post=whiten(k=256)",
        "First-last average, whitened on the corpus, 256 dimensions kept.",
        "Su et al. 2021",
    ),
    Preset(
        "Random embeddings (RE)",
        "source=random",
        "A random vector for each token: what is left when no model is there.",
        "Stankevičius & Lukoševičius 2025, column RE",
    ),
    Preset(
        "Random embeddings, idf + z-score",
        "source=random;weight=idf;post=zscore",
        "How far shaping alone carries random vectors.",
        "Stankevičius & Lukoševičius 2025, column RE",
    ),
)
"""Those that this version offers, simplest first."""
