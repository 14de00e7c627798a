"""Rules for Chen et al. (2023), paper 002: seven similarity tasks, four heads, three encoders."""

from __future__ import annotations

from dataclasses import replace

from core.evaluation.tasks.groups import Member
from core.literature.rules.evaluations import seven
from core.literature.rules.rule import BERT, NLI, WIKITEXT, Method, Rule, like, member
from core.literature.tables import Table
from core.literature.tables.table import Cell

_WIKIPEDIA = (
    Member("Wikipedia", ("wiki1m_for_simcse", "wiki1m", "wiki-simcse-sample"), "isotropy(sentences=1000)"),
)
_DRAWN = "The paper does not say which 1,000 sentences it draws."
_NO_RECIPE = "It is no score of a recipe: the page {} measures it over a corpus."
_TRAINED = "A continuous prompt is trained for it, and no recipe trains prompts."


def _learnt(name: str) -> Rule:
    """A preset that learns from a reference, which is NLI in its own paper."""
    rule = like(name)
    kept = tuple(each for each in rule.differs if "reference" not in each)
    return replace(rule, recipe=f"{rule.recipe};{NLI}", differs=kept)


WHITENING = _learnt("BERT-whitening, reference")
FLOW = _learnt("BERT-flow, reference")

SYSTEMS: dict[str, Method] = {
    "BERT static avg.": like("Static avg."),
    "BERT last avg.": like("Last layer, mean"),
    "BERT first-last avg.": like("First-last avg. (layer 0)"),
    "BERT static remove biases avg.": like("Remove biases"),
    "BERT last manual prompt": like("Last manual prompt"),
    "BERT static Ditto": like("Ditto, static"),
    "BERT last Ditto": like("Ditto, last"),
    "BERT first-last Ditto": like("Ditto"),
    "BERT-flow": FLOW,
    "BERT-whitening": WHITENING,
    "BERT last manual and continuous prompt": _TRAINED,
    "BERT first-last TF-IDF": replace(
        like("First-last TF-IDF"),
        recipe=f"{like('First-last TF-IDF').recipe};{WIKITEXT}",
        differs=("The paper learns tf-idf from a larger part of Wikipedia than WikiText-2.",),
    ),
    "Unsup. BERT SimCSE": like("SimCSE, unsupervised", model=""),
    "Sup. BERT SimCSE": like("SimCSE, supervised", model=""),
    "Sup. SBERT first-last avg.": like("SBERT, first-last avg.", model=""),
    "Sup. SBERT first-last Ditto": like("Ditto, SBERT", model=""),
}

ENCODERS: dict[tuple[str, str], Rule] = {
    ("First-last avg.", "BERT"): like("First-last avg. (layer 0)"),
    ("Last manual prompt", "BERT"): like("Last manual prompt"),
    ("First-last Ditto", "BERT"): like("Ditto"),
    ("First-last avg.", "RoBERTa"): like("First-last avg., RoBERTa", model=""),
    ("Last manual prompt", "RoBERTa"): like("Last manual prompt, RoBERTa", model=""),
    ("First-last Ditto", "RoBERTa"): like("Ditto, RoBERTa", model=""),
    ("First-last avg.", "ELECTRA"): like("First-last avg., ELECTRA", model=""),
    ("Last manual prompt", "ELECTRA"): like("Last manual prompt, ELECTRA", model=""),
    ("First-last Ditto", "ELECTRA"): like("Ditto, ELECTRA", model=""),
}
"""Table 2: the method and the encoder."""


def rule(table: Table, cell: Cell) -> Method:
    """The rule of one cell of paper 002."""
    if table.name == "2":
        return seven(ENCODERS[cell.row, cell.column], "Avg.")
    if table.name == "3":
        return _impact(cell)
    if table.name == "4":
        return _head(cell)
    system = SYSTEMS[cell.row]
    if table.name == "5" and not isinstance(system, str):
        return replace(system.on(_WIKIPEDIA, "cosine"), told=(*system.told, _DRAWN))
    return system if isinstance(system, str) else seven(system, cell.column)


def _impact(cell: Cell) -> Method:
    """Table 3: the score of first-last averages, and correlations of impact with tf-idf."""
    if cell.column != "STS avg.":
        return _NO_RECIPE.format("Masking")
    named = {
        "SBERT": SYSTEMS["Sup. SBERT first-last avg."],
        "ELECTRA": ENCODERS["First-last avg.", "ELECTRA"],
    }
    system = named.get(cell.row, like("First-last avg. (layer 0)"))
    return system if isinstance(system, str) else seven(system, "Avg.")


def _head(cell: Cell) -> Method:
    """Table 4: a head's score on the dev split of STS-B, and on the seven test sets."""
    if cell.column in ("Pear.", "Spear."):
        return _NO_RECIPE.format("Heads")
    layer, _, head = cell.row.rpartition(" ")[2].partition("-")
    found = Rule(f"layers=0+last;weight=ditto(layer={layer},head={head})", (), "model", BERT)
    if cell.column == "Dev":
        return replace(found, tasks=member("sts7", "STS-B"), split="dev")
    return seven(found, "Avg.")
