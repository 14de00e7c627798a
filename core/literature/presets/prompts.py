"""Methods that insert the sentence into a template."""

from functools import partial

from core.literature.preset import Preset
from core.literature.presets.weights import SWAPPED
from core.literature.published import AVERAGE, PublishedScore, ditto, row, stankevicius

_preset = partial(Preset, family="Prompts")

_PAPER = "Stankevičius & Lukoševičius 2025"
_BERT = "bert-base-uncased"


def _searched(value: str, template: str) -> tuple[PublishedScore, ...]:
    where = f"{_PAPER}, Table 1 ({template}; eight tasks, with STR)"
    return row(value, _BERT, where, corpora=(AVERAGE,))


PRESETS = (
    _preset(
        "Last manual prompt",
        "template=T0(stop=yes);layers=last;tokens=mask",
        "The sentence in a template that asks for its meaning, and the mask token's vector alone. "
        "Sentences without a full stop get one, which the released code does without saying so.",
        "Jiang et al. 2022 (Prompt-BERT); Chen et al. 2023, Tables 2 and 6",
        2022,
        scores=(
            *ditto("60.96 73.83 62.18 71.54 68.68 70.60 67.16 67.85", by="Jiang et al. 2022"),
            *row("61.08", "roberta-base", "Chen et al. 2023, Table 2", corpora=(AVERAGE,)),
            *row(
                "19.44",
                "google/electra-base-discriminator",
                "Chen et al. 2023, Table 2",
                corpora=(AVERAGE,),
            ),
        ),
        differs=("The published template has a space before its colon and its last full stop.",),
    ),
    _preset(
        "T0, [MASK]",
        "template=T0;layers=last;tokens=mask",
        "The shortest template, and the mask token's vector alone. "
        "The other templates were made from it by adding words and mask tokens.",
        f"{_PAPER}, Tables 1 and 4",
        2025,
        scores=stankevicius("55.2 63.4 53.9 67.0 67.2 68.5 64.8 67.0 63.4", "T0, [MASK]"),
    ),
    _preset(
        "T1, [MASK]",
        "template=T1;layers=last;tokens=mask",
        "The shortest template with two mask tokens, whose vectors are averaged. "
        "The second mask token changes nothing for similarity.",
        f"{_PAPER}, Table 1",
        2025,
        scores=_searched("63.4", "T1"),
    ),
    _preset(
        "T2, [MASK]",
        "template=T2;layers=last;tokens=mask",
        "A template that asks for meaning and subject, and its three mask tokens averaged. "
        "Of the five templates it scores highest with mask tokens alone.",
        f"{_PAPER}, Table 1",
        2025,
        scores=_searched("70.4", "T2"),
    ),
    _preset(
        "T3, [MASK]",
        "template=T3;layers=last;tokens=mask",
        "A template that mentions a paraphrase dictionary, and its two mask tokens averaged. "
        "With T4 it is the best of the five for clustering.",
        f"{_PAPER}, Table 1",
        2025,
        scores=_searched("69.6", "T3"),
    ),
    _preset(
        "T4, [MASK]",
        "template=T4;layers=last;tokens=mask",
        "The longest template, and its three mask tokens averaged. "
        "Taking all tokens instead allows weights, and in the end scores higher.",
        f"{_PAPER}, Tables 1 and 4",
        2025,
        scores=stankevicius("60.6 76.2 63.9 74.1 71.0 73.3 65.0 70.1 69.3", "T4, [MASK]"),
    ),
    _preset(
        "T0, all tokens",
        "template=T0;layers=last",
        "The sentence in the shortest template, and the mean of all tokens of both. "
        "The template alone raises the score of the last layer by eight points.",
        f"{_PAPER}, Tables 4 and 5",
        2025,
        scores=stankevicius("48.7 62.6 53.9 70.2 69.1 60.4 64.4 60.9 61.3", "avg., T0"),
    ),
    _preset(
        "T4, all tokens",
        "template=T4;layers=last",
        "The sentence in the longest template, and the mean of all tokens of both. "
        "The paper's best recipe for similarity builds on it.",
        f"{_PAPER}, Tables 4 and 5",
        2025,
        scores=stankevicius("53.9 64.7 54.5 70.6 69.7 61.0 64.2 59.8 62.3", "avg., T4"),
    ),
    _preset(
        "T0 without [MASK]",
        "template=T0;layers=last;tokens=nomask",
        "The shortest template, and the mean of all tokens but the mask token. "
        "The remaining gain comes from the words of the template.",
        f"{_PAPER}, Figure 4",
        2025,
    ),
    _preset(
        "T4 without [MASK]",
        "template=T4;layers=last;tokens=nomask",
        "The longest template, and the mean of all tokens but the mask tokens. "
        "About half of the template's gain remains.",
        f"{_PAPER}, Section 4.2 and Figure 4",
        2025,
        scores=row("58.7", _BERT, f"{_PAPER}, Section 4.2 (eight tasks, with STR)", corpora=(AVERAGE,)),
    ),
    _preset(
        "T0 [MASK], quantile",
        "template=T0;layers=last;tokens=mask;post=quantile",
        "The mask token of the shortest template, each dimension replaced by its quantile over the corpus. "
        "Post-processing helps mask tokens less than averages of all tokens.",
        f"{_PAPER}, Table 4",
        2025,
        scores=stankevicius("56.0 68.1 56.1 68.0 68.2 70.8 67.1 70.7 65.6", "T0, [MASK] + quantile-u"),
    ),
    _preset(
        "T4 [MASK], quantile",
        "template=T4;layers=last;tokens=mask;post=quantile",
        "The mask tokens of the longest template, each dimension replaced by its quantile over the corpus. "
        "Post-processing helps mask tokens less than averages of all tokens.",
        f"{_PAPER}, Table 4",
        2025,
        scores=stankevicius("60.8 77.3 65.1 74.7 71.8 74.8 66.0 73.5 70.5", "T4, [MASK] + quantile-u"),
    ),
    _preset(
        "T4, quantile",
        "template=T4;layers=last;post=quantile",
        "All tokens of the longest template, each dimension replaced by its quantile over the corpus. "
        "It shows post-processing without weights.",
        f"{_PAPER}, Table 5",
        2025,
        scores=stankevicius("56.2 70.9 60.1 73.7 72.4 70.9 66.3 67.8 67.3", "avg. + quantile-u, T4"),
    ),
    _preset(
        "T0, idf + quantile",
        "template=T0;layers=last;weight=idf(fit=reference);post=quantile",
        "All tokens of the shortest template weighted by idf, then quantiles of each dimension. "
        "It is the paper's best recipe with this template.",
        f"{_PAPER}, Table 4",
        2025,
        scores=stankevicius("58.5 74.7 64.2 75.2 73.9 72.4 66.0 71.0 69.5", "T0, idf^T + quantile-u"),
        differs=(SWAPPED,),
    ),
    _preset(
        "T4, idf + quantile",
        "template=T4;layers=last;weight=idf(fit=reference);post=quantile",
        "All tokens of the longest template weighted by idf, then quantiles of each dimension. "
        "No recipe without fine-tuning scores higher on similarity in the paper.",
        f"{_PAPER}, Table 4",
        2025,
        scores=stankevicius("62.6 77.0 66.5 77.1 75.0 75.1 66.3 73.2 71.6", "T4, idf^T + quantile-u"),
        differs=(SWAPPED,),
    ),
)
"""Mask tokens alone, then all tokens, then with weights and post-processing."""
