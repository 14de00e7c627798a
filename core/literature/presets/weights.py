"""Methods that weight tokens or leave some out."""

from functools import partial

from core.literature.preset import Preset
from core.literature.published import ditto, ditto_models, stankevicius, subspaces

_preset = partial(Preset, family="Weights")

_CHEN = "Chen et al. 2023"
_STANKEVICIUS = "Stankevičius & Lukoševičius 2025"
SWAPPED = "The paper prints idf of the target as idf^W and idf of the reference as idf^T."
"""Random embeddings, which need no model to reproduce, show that the paper's two labels are swapped."""

_FREQUENT = "The paper leaves out 33 frequent tokens, this recipe the 36 of the released list."
_COMMON = "The published word frequencies are counted on Wikipedia, those here come from wordfreq."

PRESETS = (
    _preset(
        "Remove biases",
        "layers=static;tokens=unbiased",
        "Rows of the word-embedding matrix without frequent tokens, word pieces and punctuation. "
        "The remaining rows have less of the bias from frequency and spelling.",
        f"Jiang et al. 2022; {_CHEN}, Table 6",
        2022,
        aliases=("BERT static remove biases avg.",),
        scores=ditto("BERT static remove biases avg."),
        differs=("The paper leaves out upper-case tokens as well; an uncased model has none.",),
    ),
    _preset(
        "Remove biases, first-last",
        "tokens=unbiased",
        "First and last layer without frequent tokens, word pieces and punctuation. "
        "For classification it is the only selection or weighting of tokens that does no harm.",
        f"{_STANKEVICIUS}, Section 3.3 and Table 4",
        2025,
        aliases=("first-last -biases",),
        scores=stankevicius("-biases"),
        differs=(_FREQUENT,),
    ),
    _preset(
        "idf",
        "weight=idf",
        "Tokens weighted by how few texts of the corpus itself they occur in. "
        "No other single step gains as much on first-last averages.",
        f"{_STANKEVICIUS}, equation 4 and Table 4",
        2025,
        aliases=("idf^W", "inverse document frequency"),
        scores=stankevicius("idf^W"),
        differs=(SWAPPED,),
    ),
    _preset(
        "idf, reference",
        "weight=idf(fit=reference)",
        "Tokens weighted by how few texts of a reference corpus they occur in. "
        "It works for two sentences as well, and does not change with the corpus.",
        f"{_STANKEVICIUS}, equation 4 and Table 4",
        2025,
        aliases=("idf^T",),
        scores=stankevicius("idf^T"),
        differs=(SWAPPED,),
    ),
    _preset(
        "idf + z-score, target",
        "weight=idf;post=zscore",
        "Tokens weighted by idf and vectors standardised, both learnt from the corpus itself. "
        "It is the paper's best recipe for similarity with plain BERT.",
        f"{_STANKEVICIUS}, Table 4",
        2025,
        scores=stankevicius("idf^W + zscore"),
        differs=(SWAPPED,),
    ),
    _preset(
        "idf + z-score, reference",
        "weight=idf(fit=reference);post=zscore(fit=reference)",
        "Tokens weighted by idf and vectors standardised, both learnt from a reference corpus. "
        "It works for two sentences as well.",
        f"{_STANKEVICIUS}, Section 3.4.6",
        2025,
    ),
    _preset(
        "First-last TF-IDF",
        "layers=0+last;weight=tfidf(form=gensim,fit=reference)",
        "Embedding block and last layer, tokens weighted by tf-idf as gensim has it. "
        "Ditto is compared with it; there it is learnt from a million sentences of Wikipedia, here from "
        "the reference.",
        f"{_CHEN}, Table 6",
        2023,
        scores=ditto("BERT first-last TF-IDF"),
    ),
    _preset(
        "Norm weights",
        "weight=norm",
        "Tokens weighted by the length of their vector. "
        "In static vectors the length grows with a word's importance, as Word Rotator's Distance assumes.",
        f"Yokoi et al. 2020; {_STANKEVICIUS}, Section 2.1.4",
        2020,
        aliases=("Word Rotator's Distance",),
    ),
    _preset(
        "SIF",
        "layers=static;tokens=content;weight=sif(punctuation=unknown);post=ccr",
        "Static vectors weighted by smooth inverse frequency, their first common direction removed. "
        "As in the authors' program, the weighted sum is divided by the number of words, and punctuation, "
        "which its list lacks, weighs as an unknown word.",
        "Arora et al. 2017; Wang et al. 2020, Table I",
        2017,
        aliases=("smooth inverse frequency",),
        scores=subspaces("SIF", "GloVe", "six tasks, without STS16"),
        differs=(_COMMON,),
    ),
    _preset(
        "uSIF",
        "layers=static;tokens=content;weight=usif(punctuation=none,unknown=rarest);post=pccr",
        "Static vectors weighted as in SIF without a parameter to tune, five common directions damped. "
        "As in the author's program, the weighted sum is divided by the number of words, punctuation is "
        "left out, and an unknown word weighs as the rarest.",
        f"Ethayarajh 2018; {_STANKEVICIUS}, Section 2.1.4",
        2018,
        aliases=("unsupervised smoothed inverse frequency",),
        differs=(
            _COMMON,
            "The author's program first divides each dimension by its norm over the words of the sentence.",
        ),
    ),
    _preset(
        "Ditto, static",
        "layers=0;weight=ditto",
        "The embedding block's output, weighted by how much a token attends to itself in head 1-10. "
        "The head is BERT's; another model has another.",
        f"{_CHEN}, Section 3 and Table 6",
        2023,
        scores=ditto("BERT static Ditto"),
        differs=("Chen et al. write it as a sum over h⁰; their program takes raw rows.",),
    ),
    _preset(
        "Ditto, last",
        "layers=last;weight=ditto",
        "The last layer, weighted by how much each token attends to itself in head 1-10. "
        "The head is BERT's; another model has another.",
        f"{_CHEN}, Section 3 and Table 6",
        2023,
        scores=ditto("BERT last Ditto"),
    ),
    _preset(
        "Ditto",
        "layers=0+last;weight=ditto",
        "Embedding block and last layer, weighted by how much each token attends to itself in head 1-10. "
        "The head was chosen on the development part of STS-B, and informative words stand out in it.",
        f"{_CHEN}, Section 3 and Table 6",
        2023,
        aliases=("diagonal attention pooling",),
        scores=ditto("BERT first-last Ditto"),
    ),
    _preset(
        "Ditto, RoBERTa",
        "source=roberta-base;layers=0+last;weight=ditto(head=5)",
        "Ditto on RoBERTa with the head that was chosen for it, 1-5. It also lies in the first layer.",
        f"{_CHEN}, Table 2 and Appendix A.2",
        2023,
        scores=ditto_models("First-last Ditto", "RoBERTa", "roberta-base"),
        needs="network: roberta-base from the hub",
    ),
    _preset(
        "Ditto, ELECTRA",
        "source=google/electra-base-discriminator@refs/pr/4;layers=0+last;weight=ditto(head=11)",
        "Ditto on the discriminator of ELECTRA with the head that was chosen for it, 1-11. "
        "No other model gains as much from it.",
        f"{_CHEN}, Table 2 and Appendix A.2",
        2023,
        scores=ditto_models("First-last Ditto", "ELECTRA", "google/electra-base-discriminator"),
        needs="network: google/electra-base-discriminator from the hub, "
        "in the safetensors form of its revision refs/pr/4",
    ),
    _preset(
        "Ditto, SBERT",
        "source=sentence-transformers/bert-base-nli-stsb-mean-tokens;layers=0+last;"
        "weight=ditto(layer=3,head=7)",
        "Ditto on SBERT with the head that was chosen for it, 3-7. "
        "Even a model that is fine-tuned on sentences gains a little.",
        f"{_CHEN}, Table 6 and Appendix A.2",
        2023,
        scores=ditto("Sup. SBERT first-last Ditto", "bert-base-nli-stsb-mean-tokens"),
        needs="network: sentence-transformers/bert-base-nli-stsb-mean-tokens from the hub",
    ),
)
"""Simplest first."""
