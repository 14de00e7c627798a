"""Models fine-tuned on sentences, with the pooling of their authors.

The list holds models whose weights exist as safetensors, from their authors or from the hub's converter (a
revision ``refs/pr/…``); other formats are not read.
"""

from functools import partial

from core.literature.preset import Preset
from core.literature.published import AVERAGE, board, ditto, published
from core.literature.tables import find_table
from core.literature.tables.catalogue import OF_SIMILARITY

_preset = partial(Preset, family="Fine-tuned models")

_LU = "Lu 2023, first scoreboard"


def _converted(source: str) -> str:
    identifier, _, revision = source.partition("@")
    return f"network: {identifier} from the hub, in the safetensors form of its revision {revision}"


PRESETS = (
    _preset(
        "SBERT",
        "source=sentence-transformers/bert-base-nli-mean-tokens;layers=last",
        "BERT trained to tell entailment from contradiction by the means of two sentences' tokens. "
        "It is the first of the models that are trained for sentence vectors.",
        f"Reimers & Gurevych 2019; {_LU}",
        2019,
        aliases=("Sentence-BERT",),
        scores=board("SBERT", "SBERT-NLI-base"),
        needs="network: sentence-transformers/bert-base-nli-mean-tokens from the hub",
    ),
    _preset(
        "SBERT, large",
        "source=sentence-transformers/bert-large-nli-mean-tokens;layers=last",
        "SBERT on BERT with 24 layers. The slides score it as SBERT-NLI-large on classification alone.",
        "Reimers & Gurevych 2019; Lu 2023, SentEval classification",
        2019,
        needs="network: sentence-transformers/bert-large-nli-mean-tokens from the hub",
    ),
    _preset(
        "SBERT, first-last avg.",
        "source=sentence-transformers/bert-base-nli-stsb-mean-tokens;layers=0+last",
        "SBERT trained on STS-B as well, embedding block and last layer averaged. "
        "It has seen pairs of STS12 to STS16 in training, of which STS-B is made.",
        "Reimers & Gurevych 2019; Chen et al. 2023, Table 6",
        2019,
        scores=ditto("Sup. SBERT first-last avg.", "bert-base-nli-stsb-mean-tokens"),
        needs="network: sentence-transformers/bert-base-nli-stsb-mean-tokens from the hub",
    ),
    _preset(
        "SimCSE, unsupervised",
        "source=princeton-nlp/unsup-simcse-bert-base-uncased@refs/pr/4;layers=last;pool=cls",
        "BERT trained to find a sentence again that is read twice with different dropout. "
        "The sentence vector is [CLS] of the last layer, without a further projection.",
        f"Gao et al. 2021; {_LU}; Chen et al. 2023, Table 6",
        2021,
        aliases=("Unsup. SimCSE", "Unsup. BERT SimCSE"),
        scores=ditto("Unsup. BERT SimCSE", "SimCSE-BERT"),
        needs=_converted("princeton-nlp/unsup-simcse-bert-base-uncased@refs/pr/4"),
    ),
    _preset(
        "SimCSE, supervised",
        "source=princeton-nlp/sup-simcse-bert-base-uncased@refs/pr/3;layers=last;pool=clshead",
        "BERT trained on entailment pairs, with contradictions as hard negatives. "
        "The sentence vector is [CLS] of the last layer, sent through the layer trained with it.",
        f"Gao et al. 2021; {_LU}; Chen et al. 2023, Table 6",
        2021,
        aliases=("Sup. SimCSE", "Sup. BERT SimCSE"),
        scores=(
            *ditto("Sup. BERT SimCSE", "SimCSE-BERT"),
            *published(
                find_table("000", "4").get("SimCSE", "SimCSE", OF_SIMILARITY),
                "SimCSE-BERT",
                "Stankevičius & Lukoševičius 2025, Table 4 (eight tasks, with STR)",
                corpus=AVERAGE,
            ),
        ),
        needs=_converted("princeton-nlp/sup-simcse-bert-base-uncased@refs/pr/3"),
    ),
    _preset(
        "SimCSE, quantile",
        "source=princeton-nlp/sup-simcse-bert-base-uncased@refs/pr/3;post=quantile(fit=reference)",
        "SimCSE's first and last layers averaged over all tokens, each dimension replaced by its quantile "
        "over a reference. It shows that a tuned model gains from shaping too, for clustering.",
        "Stankevičius & Lukoševičius 2025, Table 4 (SimCSE avg. + quantile-u^W)",
        2025,
        needs=_converted("princeton-nlp/sup-simcse-bert-base-uncased@refs/pr/3"),
    ),
    _preset(
        "DiffCSE",
        "source=voidism/diffcse-bert-base-uncased-sts@refs/pr/1;layers=last;pool=cls",
        "SimCSE that must also tell where a sentence was edited. "
        "The sentence vector is [CLS] of the last layer, without a further projection.",
        f"Chuang et al. 2022; {_LU}",
        2022,
        scores=board("DiffCSE-BERT", "DiffCSE-BERT"),
        needs=_converted("voidism/diffcse-bert-base-uncased-sts@refs/pr/1"),
    ),
    _preset(
        "AnglE",
        "source=SeanLee97/angle-bert-base-uncased-nli-en-v1@refs/pr/1;layers=last;pool=cls",
        "BERT trained on pairs by the angle between complex vectors, where cosines would saturate. "
        "In its paper [CLS] scores above averages of layers.",
        f"Li & Li 2023; {_LU}",
        2023,
        scores=board("AnglE-BERT", "AnglE-BERT"),
        needs=_converted("SeanLee97/angle-bert-base-uncased-nli-en-v1@refs/pr/1"),
    ),
    _preset(
        "UAE-Large",
        "source=WhereIsAI/UAE-Large-V1;layers=last;pool=cls",
        "A large encoder that the authors of AnglE trained in the same way on many more pairs. "
        "It represents general-purpose encoders; the slides do not score it.",
        "Li & Li 2023",
        2023,
        aliases=("Universal AnglE embedding",),
        needs="network: WhereIsAI/UAE-Large-V1 from the hub (1.3 GB)",
    ),
)
"""In order of appearance."""
