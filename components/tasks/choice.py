"""What the page Tasks scores: the recipes, and the tasks on their corpora."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from components import held, hub_download, names, page_style, pins, provenance
from components.corpus import choice as corpus_choice
from components.tasks import bring_texts, brought
from components.text import escape
from core.corpora.built_in import DEMO, TOPICS
from core.corpora.corpus import Corpus
from core.errors import CorpusError, StrataError, shorten
from core.evaluation.tasks import TASK
from core.evaluation.tasks.groups import GROUPS, find_group
from core.evaluation.tasks.task import task_for
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.recipe.options import Choice
from core.storage.hub import DownloadRequiredError

KEY = "tasks"
"""Key of the widget, and the query parameter that is repeated for each task."""

MOST = 40
"""Tasks that the map can show and a link can hold."""

START = (f"{DEMO}: sts", f"{TOPICS}: classification", f"{TOPICS}: clustering")
"""The tasks of corpora that come along."""


@dataclass(frozen=True)
class ChosenTask:
    """A task on a corpus: ``text`` is how pages write it, ``corpus`` what a link finds the corpus by."""

    text: str
    corpus: str
    task: Choice


def recipes(a: Recipe | None, b: Recipe | None) -> dict[str, Recipe]:
    """Recipes A and B and the pinned ones by their names, each once."""
    pinned = pins.show(a, b)
    sides = {side: recipe for side, recipe in (("A", a), ("B", b)) if recipe is not None}
    others = [recipe for recipe in pinned if recipe not in sides.values()]
    every = [*sides.values(), *others]
    titles = [*(f"{side}, " for side in sides), *("" for _ in others)]
    own = [*(names.own(side.lower()) for side in sides), *("" for _ in others)]
    named: dict[str, Recipe] = {}
    for title, given, name, recipe in zip(titles, own, names.called(every), every, strict=True):
        label = f"{title}{given or name}"
        if not title and label.startswith(("A, ", "B, ")):  # a pin that is called as a side is
            label = f"pinned: {label}"
        named[label if label not in named else f"{label} ({len(named) + 1})"] = recipe
    return named


def tasks(engine: Engine, corpus: Corpus | None = None) -> list[ChosenTask]:
    """The tasks that the visitor chooses; what cannot be read is said, and left out.

    ``corpus`` is the bar's, of a page that does not use it: the page says so where no task is on it.
    """
    offered_here = offered(engine)
    if brought_task := st.session_state.pop(bring_texts.KEPT.chosen, None):
        now = st.session_state.get(KEY) or START
        held.hold(KEY, list(dict.fromkeys([*now, brought_task]))[:MOST])
    address(engine, KEY)
    if not st.session_state.get(KEY) and not st.query_params.get_all(KEY):
        st.session_state[KEY] = list(START)
    with st.container(key=page_style.TASKS, horizontal=True, vertical_alignment="bottom", gap="small"):
        chosen = st.multiselect(
            "Tasks",
            list(dict.fromkeys([*(st.session_state.get(KEY) or []), *offered_here])),
            key=KEY,
            bind="query-params",
            persist_state="session",
            accept_new_options=True,
            max_selections=MOST,
            wrap=True,
            placeholder="corpus: task",
            help="A corpus and what is scored on it. To add one, type it, as agnews: classification. "
            "Labelled corpora come from a data folder (STRATA_DATA), from a file of yours (Bring texts), "
            "or as hub:owner/name from the hub.",
        )
        held.tell_behind(KEY)
        bring_texts.button(engine)
        _group_buttons(engine)
    asked = _asked(engine, chosen)
    different: dict[tuple[str, Choice], ChosenTask] = {}
    for one in asked:
        different.setdefault((one.corpus, one.task), one)
    if corpus is not None and corpus.link not in {one.corpus for one in asked}:
        _left_out(engine, corpus, full=len(chosen) >= MOST)
    return _distinct(list(different.values()))


def _group_buttons(engine: Engine) -> None:
    """A button for each group of which some tasks are here, which adds them."""
    for name, group in GROUPS.items():
        if found := _members(engine, name):
            st.button(
                name,
                key=f"tasks.group.{name}",
                icon=":material/add:",
                type="tertiary",
                on_click=_add,
                args=(found,),
                help=f"{group.explanation}; {len(found)} of {len(group.members)} here",
            )


def _asked(engine: Engine, chosen: Sequence[str]) -> list[ChosenTask]:
    """The tasks that the texts name; what cannot be read is said."""
    asked, problems = [], []
    for text in chosen:
        try:
            asked.append(read(engine, text))
        except DownloadRequiredError as error:
            hub_download.show(error, f"tasks.{text}")
        except StrataError as error:
            problems.append(f"The task {shorten(text)} is left out: {error}")
    for problem in problems:
        st.warning(escape(problem), icon=":material/link_off:")
    return asked


def unused(engine: Engine) -> dict[str, str]:
    """Why the page does not use the bar's corpus; empty where a task is on it."""
    chosen = st.session_state.get(KEY) or st.query_params.get_all(KEY) or START
    if corpus_choice.now(engine) in {_parted(_addressed(engine, text, chosen))[0] for text in chosen}:
        return {}
    return {"corpus": "Tasks have texts of their own; this corpus gives the scores in the bar alone."}


def _distinct(asked: list[ChosenTask]) -> list[ChosenTask]:
    """The tasks, those on corpora of the same title with what a link finds each by."""
    count = Counter(one.text for one in asked)
    return [
        one if count[one.text] == 1 else replace(one, text=f"{one.corpus}: {TASK.text(one.task)}")
        for one in asked
    ]


def _left_out(engine: Engine, corpus: Corpus, *, full: bool) -> None:
    """A line that the bar's corpus is none of the tasks', and a button that adds it where it has a task."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(
            f":material/info: Tasks have texts of their own: {escape(provenance.split(corpus))}, the "
            "corpus of the bar, is not among them.",
            width="content",
        )
        try:
            task = TASK.text(task_for(engine.corpus(corpus.link, "all")))
        except StrataError:
            return
        st.button(
            f"Add {escape(corpus.name)}: {task}",
            key="tasks.bar",
            icon=":material/add:",
            type="tertiary",
            disabled=full,
            on_click=_add,
            args=([f"{corpus.link}: {task}"],),
        )


def read(engine: Engine, text: str) -> ChosenTask:
    """``MR: classification``, or a corpus alone for the task that it is for.

    Raises :class:`~core.errors.StrataError` for no such corpus or task.
    """
    name, task = _parted(text)
    name = brought.link_of(engine, name)
    choice = TASK.parse(task) if task else task_for(engine.corpus(name, "all"))
    return ChosenTask(f"{engine.catalogue.title(name)}: {TASK.text(choice)}", name, choice)


def address(engine: Engine, key: str) -> None:
    """Have a control of tasks name each corpus as a link finds it: a title is known to its visit alone."""
    now = st.session_state.get(key) or []
    addressed = list(dict.fromkeys(_addressed(engine, text, now) for text in now))
    if addressed != list(now):
        st.session_state[key] = addressed


def _addressed(engine: Engine, text: str, chosen: Iterable[str]) -> str:
    """A task with what a link finds its corpus by; as it is where none or several are called so.

    Corpora of the other tasks are meant as well: a link that names them may have come from another visit.
    """
    name, task = _parted(text)
    try:
        link = brought.link_of(engine, name, [_parted(other)[0] for other in chosen])
    except CorpusError:
        return text
    return text if link == name else f"{link}: {task}" if task else link


def _parted(text: str) -> tuple[str, str]:
    """The corpus and the task of ``MR: classification``; no task where there is none."""
    name, colon, task = (part.strip() for part in text.rpartition(": "))
    return (name, task) if colon else (text.strip(), "")


def offered(engine: Engine) -> list[str]:
    """Every corpus that is here and has a task, with it; the built-in one and brought ones for each."""
    listed = [
        f"{entry.name}: {entry.task}"
        for entry in engine.catalogue.offered()
        if entry.task and engine.catalogue.is_here(entry.name)
    ]
    return list(dict.fromkeys([*START, *brought.offered(engine), *listed]))


def _members(engine: Engine, name: str) -> list[str]:
    try:
        found = find_group(engine.catalogue, name)
    except CorpusError:
        return []
    return [f"{corpus}: {TASK.text(task)}" for _, corpus, task in found.here]


def _add(texts: list[str]) -> None:
    now = held.now(KEY) or []
    held.hold(KEY, list(dict.fromkeys([*now, *texts]))[:MOST])
