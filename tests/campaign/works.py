"""Work that a process may be ended in: what it answers when it is done, however often it was begun."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from components.deck import changes
from components.deck.document import Deck, Slide
from components.deck.store import DeckStore
from core.corpora.corpus import Corpus
from core.evaluation.tasks import TASK
from core.evaluation.tasks.groups import Asked
from core.evaluation.tasks.running import run_task
from core.recipe import Recipe
from core.search.aims import part
from core.search.budget import Budget
from core.search.find import find
from core.search.question import Question
from core.sweeps.planning import Request
from core.sweeps.results import Results
from core.sweeps.rows import ADDED, COLUMNS
from core.sweeps.sweep import sweep
from tests.campaign.damages import Answers, answers
from tests.campaign.recipes import engine_in
from tests.core.helpers.texts import pairs

TASKS = ("clustering(runs=2)", "classification", "isotropy")
TRIALS = 6
SLIDES = 12
ADDRESS = "0123456789"

Work = Callable[[list[str], Path], Answers]
"""Asks for everything with a store in a folder; the recipes are of sources beside it."""


def tasks(recipes: list[str], cache: Path) -> Answers:
    """Tasks that learn from labels, with their intervals."""
    engine, corpus, found = engine_in(cache), _labelled(), Answers()
    for recipe in recipes[:2]:
        for task in TASKS:
            result = run_task(engine, Recipe.parse(recipe), corpus, TASK.parse(task)).result
            found[f"{recipe} {task}"] = [float(one).hex() for one in (result.value, *result.bounds)]
    return found


def table_of_scores(recipes: list[str], cache: Path) -> Answers:
    """A sweep, whose table lies in the store's folder."""
    cache.mkdir(parents=True, exist_ok=True)
    path, output = cache / "scored.tsv", cache / "rows.csv"
    corpus = pairs(60)
    lines = ["sentence1\tsentence2\tscore"]
    lines += [
        f"{corpus.sentences[i]}\t{corpus.sentences[j]}\t{gold:g}"
        for i, j, gold in zip(corpus.first, corpus.second, corpus.gold, strict=True)
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    sweep(engine_in(cache), Request(tuple(recipes), (Asked(str(path), str(path)),)), output)
    rows = Results(output, COLUMNS, ADDED).read()
    return {row["recipe"]: (row["spearman"], row["low"], row["high"], row["error"]) for row in rows}


def search(recipes: list[str], cache: Path) -> Answers:
    """A search, with all that it tried."""
    engine = engine_in(cache)
    base = Recipe.parse(recipes[0].split(";")[0])
    question = Question.of(engine, base, [part(pairs())], ("layers", "pool", "post"), reference=False)
    found = find(engine, question, Budget(trials=TRIALS))
    tried = [(trial.recipe, float(trial.dev).hex()) for trial in found.trials]
    return {"chosen": found.recipe, "dev": found.dev.hex(), "test": found.test.value.hex(), "tried": tried}


def deck(recipes: list[str], cache: Path) -> Answers:
    """A deck whose slides are added one by one, and then changed."""
    store = DeckStore(cache / "decks")
    for number in range(SLIDES):
        store.change(ADDRESS, lambda deck, number=number: _with_slide(deck, f"{number:08x}"))
    for number in range(SLIDES):
        store.change(
            ADDRESS, lambda deck, number=number: changes.edit(deck, f"{number:08x}", note=f"note {number}")
        )
    made = DeckStore(cache / "decks").get(ADDRESS)
    assert made is not None
    return {"slides": [(slide.id, slide.title, slide.note) for slide in made.slides]}


WORKS: dict[str, Work] = {
    "scores": answers,
    "tasks": tasks,
    "sweep": table_of_scores,
    "search": search,
    "deck": deck,
}


def _labelled() -> Corpus:
    corpus = pairs(90)
    labels = tuple("high" if gold > 2.5 else "low" for gold in corpus.gold)
    splits = ("train", "train", "train", "dev", "test")
    return replace(corpus, labels=labels, split=tuple(splits[i % 5] for i in range(90)))


def _with_slide(deck: Deck, id: str) -> Deck:
    if any(slide.id == id for slide in deck.slides):
        return deck
    return changes.add(deck, Slide(id, f"Title of {id}"))
