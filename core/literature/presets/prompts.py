"""Methods that insert the sentence into a template."""

from functools import partial

from core.literature.preset import Preset
from core.literature.presets.weights import SWAPPED
from core.literature.published import (
    AVERAGE,
    PublishedScore,
    board,
    ditto,
    ditto_models,
    published,
    stankevicius,
)
from core.literature.tables import find_table

_preset = partial(Preset, family="Prompts")

_PAPER = "Stankevičius & Lukoševičius 2025"
_BERT = "bert-base-uncased"
_LLAMA = "meta-llama/Llama-2-7b-hf"
_ONE_WORD = r'"Summarize sentence \"[X]\" in one word:\""'
_SPACES = "The published template has a space before its colon and its last full stop."


def _searched(template: str) -> tuple[PublishedScore, ...]:
    where = f"{_PAPER}, Table 1 ({template}; eight tasks, with STR)"
    return published(find_table("000", "1").get(template, "STS"), _BERT, where, corpus=AVERAGE)


PRESETS = (
    _preset(
        "Last manual prompt",
        "template=T0(stop=yes);layers=last;tokens=mask",
        "The sentence in a template that asks for its meaning, and the mask token's vector alone. "
        "Sentences without a full stop get one, which the released code does without saying so.",
        "Jiang et al. 2022 (Prompt-BERT); Chen et al. 2023, Tables 2 and 6",
        2022,
        aliases=("PromptBERT", "Prompt-BERT"),
        scores=(
            *ditto("BERT last manual prompt"),
            *ditto_models("Last manual prompt", "RoBERTa", "roberta-base"),
            *ditto_models("Last manual prompt", "ELECTRA", "google/electra-base-discriminator"),
        ),
        differs=(_SPACES,),
    ),
    _preset(
        "Last manual prompt, RoBERTa",
        "source=roberta-base;template=T0(stop=yes);layers=last;tokens=mask",
        "The same template and mask token on RoBERTa. Other models than BERT gain less from it, or lose.",
        "Chen et al. 2023, Table 2",
        2023,
        aliases=("PromptRoBERTa",),
        scores=ditto_models("Last manual prompt", "RoBERTa", "roberta-base"),
        needs="network: roberta-base from the hub",
        differs=(_SPACES,),
    ),
    _preset(
        "Last manual prompt, ELECTRA",
        "source=google/electra-base-discriminator@refs/pr/4;template=T0(stop=yes);layers=last;tokens=mask",
        "The same template and mask token on ELECTRA's discriminator. "
        "It was trained to tell replaced words, not to fill masks.",
        "Chen et al. 2023, Table 2",
        2023,
        scores=ditto_models("Last manual prompt", "ELECTRA", "google/electra-base-discriminator"),
        needs="network: google/electra-base-discriminator from the hub, "
        "in the safetensors form of its revision refs/pr/4",
        differs=(_SPACES,),
    ),
    _preset(
        "LLaMA2-7B, one word",
        f"source={_LLAMA};template={_ONE_WORD};layers=last;pool=lasttoken",
        "A decoder is asked to sum a sentence up in one word, and its state before that word is taken. "
        "Without training it scores between BERT's averages and SimCSE.",
        "Li & Li 2023; Lu 2023, first scoreboard",
        2023,
        scores=board("LLaMA2-7B", "LLaMA2-7B"),
        needs=f"network: {_LLAMA} from the hub (13 GB, after its licence is accepted)",
        differs=("The slides do not print their prompt; this one is that of Li & Li.",),
    ),
    _preset(
        "T0, [MASK]",
        "template=T0;layers=last;tokens=mask",
        "The shortest template, and the mask token's vector alone. "
        "The other templates were made from it by adding words and mask tokens.",
        f"{_PAPER}, Tables 1 and 4",
        2025,
        scores=stankevicius("[MASK]", "T0"),
    ),
    _preset(
        "T1, [MASK]",
        "template=T1;layers=last;tokens=mask",
        "The shortest template with two mask tokens, whose vectors are averaged. "
        "The second mask token changes nothing for similarity.",
        f"{_PAPER}, Table 1",
        2025,
        scores=_searched("T1"),
    ),
    _preset(
        "T2, [MASK]",
        "template=T2;layers=last;tokens=mask",
        "A template that asks for meaning and subject, and its three mask tokens averaged. "
        "Of the five templates it scores highest with mask tokens alone.",
        f"{_PAPER}, Table 1",
        2025,
        scores=_searched("T2"),
    ),
    _preset(
        "T3, [MASK]",
        "template=T3;layers=last;tokens=mask",
        "A template that mentions a paraphrase dictionary, and its two mask tokens averaged. "
        "With T4 it is the best of the five for clustering.",
        f"{_PAPER}, Table 1",
        2025,
        scores=_searched("T3"),
    ),
    _preset(
        "T4, [MASK]",
        "template=T4;layers=last;tokens=mask",
        "The longest template, and its three mask tokens averaged. "
        "Taking all tokens instead allows weights, and in the end scores higher.",
        f"{_PAPER}, Tables 1 and 4",
        2025,
        scores=stankevicius("[MASK]", "T4"),
    ),
    _preset(
        "T0, all tokens",
        "template=T0;layers=last",
        "The sentence in the shortest template, and the mean of all tokens of both. "
        "The template alone raises the score of the last layer by eight points.",
        f"{_PAPER}, Tables 4 and 5",
        2025,
        scores=stankevicius("avg.", "T0"),
    ),
    _preset(
        "T4, all tokens",
        "template=T4;layers=last",
        "The sentence in the longest template, and the mean of all tokens of both. "
        "The paper's best recipe for similarity builds on it.",
        f"{_PAPER}, Tables 4 and 5",
        2025,
        scores=stankevicius("avg.", "T4"),
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
        scores=published(
            find_table("000", "Section 4.2").get("T4 avg. no [MASK]", "STS"),
            _BERT,
            f"{_PAPER}, Section 4.2 (eight tasks, with STR)",
            corpus=AVERAGE,
        ),
    ),
    _preset(
        "T0 [MASK], quantile",
        "template=T0;layers=last;tokens=mask;post=quantile",
        "The mask token of the shortest template, each dimension replaced by its quantile over the corpus. "
        "Post-processing helps mask tokens less than averages of all tokens.",
        f"{_PAPER}, Table 4",
        2025,
        scores=stankevicius("[MASK] + quantile-u", "T0"),
    ),
    _preset(
        "T4 [MASK], quantile",
        "template=T4;layers=last;tokens=mask;post=quantile",
        "The mask tokens of the longest template, each dimension replaced by its quantile over the corpus. "
        "Post-processing helps mask tokens less than averages of all tokens.",
        f"{_PAPER}, Table 4",
        2025,
        scores=stankevicius("[MASK] + quantile-u", "T4"),
    ),
    _preset(
        "T4, quantile",
        "template=T4;layers=last;post=quantile",
        "All tokens of the longest template, each dimension replaced by its quantile over the corpus. "
        "It shows post-processing without weights.",
        f"{_PAPER}, Table 5",
        2025,
        scores=stankevicius("avg. + quantile-u", "T4"),
    ),
    _preset(
        "T0, idf + quantile",
        "template=T0;layers=last;weight=idf(fit=reference);post=quantile",
        "All tokens of the shortest template weighted by idf, then quantiles of each dimension. "
        "It is the paper's best recipe with this template.",
        f"{_PAPER}, Table 4",
        2025,
        scores=stankevicius("idf^T + quantile-u", "T0"),
        differs=(SWAPPED,),
    ),
    _preset(
        "T4, idf + quantile",
        "template=T4;layers=last;weight=idf(fit=reference);post=quantile",
        "All tokens of the longest template weighted by idf, then quantiles of each dimension. "
        "No recipe without fine-tuning scores higher on similarity in the paper.",
        f"{_PAPER}, Table 4",
        2025,
        scores=stankevicius("idf^T + quantile-u", "T4"),
        differs=(SWAPPED,),
    ),
)
"""Mask tokens alone, then all tokens, then with weights and post-processing."""
