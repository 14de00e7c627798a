"""Work that takes long: asked for, shown, stopped, found again by whoever comes back, and shared."""

import itertools
import re
import threading

import pytest

from components.cached import shared_queue
from components.papers import computing
from components.text import plain
from core.corpora import units
from core.pipeline.engine import Engine
from core.work import Job, State
from tests.core.helpers.texts import many
from tests.pages.conftest import TUNED
from tests.pages.reading import captions, errors, figures, htmls, markdown, pairs_of, press, told

RECIPES = TUNED


CORPUS_PAGES = ("scores", "layers", "heads", "mixing", "geometry", "methods")
"""Pages that read the corpus of the bar as they open."""

PAGES = (*CORPUS_PAGES, "compare", "masking", "tokens")


_NUMBERS = itertools.count(1)


@pytest.fixture
def cats(corpora, small) -> dict[str, str]:
    """A link to two dozen pairs with dev and test, on a tiny model: nothing of it is built in.

    Each test has two texts of its own: pages ask for nothing that another one has stored.
    """
    texts, own = many(48), next(_NUMBERS)
    texts[:3:2] = [f"{text} {own}" for text in texts[:3:2]]  # of test, and of dev
    rows = [f"{'dev' if i % 2 else 'test'}\t{texts[2 * i]}\t{texts[2 * i + 1]}\t{i % 5}" for i in range(24)]
    corpora(cats="\n".join(["split\tsentence1\tsentence2\tscore", *rows]) + "\n")
    return {"a": small, "b": "none", "corpus": "cats", "method": "idf"}


@pytest.fixture
def slow(monkeypatch) -> None:
    """Everything that is read seems to need two minutes."""
    monkeypatch.setattr(Engine, "pending", lambda *_: {"pass": 120.0})


@pytest.fixture
def held(monkeypatch) -> threading.Event:
    """Work goes on only when this is set; it can be stopped before."""
    go, run = threading.Event(), Job.run

    def waiting(self, give_way):
        while not go.wait(0.01):
            if self.stopping:
                break
        return run(self, give_way)

    monkeypatch.setattr(Job, "run", waiting)
    yield go
    go.set()


def labels(at) -> list[str]:
    assert not at.exception, at.exception[0].message
    return [button.label for button in at.button]


def drawn(at) -> int:
    """How many figures and scores there are."""
    return len(figures(at)) + len(at.metric)


def starts(at) -> list[str]:
    """The buttons that begin long work."""
    return [label for label in labels(at) if label == "Start" or label.startswith("Search all")]


# -- the question


@pytest.mark.parametrize("page", CORPUS_PAGES)
def test_a_corpus_that_is_not_built_in_is_asked_for_once_and_waits(visit, slow, cats, page):
    at = visit(page, **cats)
    assert len(starts(at)) == 1
    assert "Stop" not in labels(at)
    before = drawn(at)
    press(at, starts(at)[0])
    assert errors(at) == []
    assert starts(at) == []
    assert drawn(at) > before


@pytest.mark.parametrize("page", CORPUS_PAGES)
def test_what_was_asked_for_needs_no_question_in_another_visit(visit, slow, cats, page):
    press(first := visit(page, **cats), starts(first)[0])
    again = visit(page, **cats)
    assert starts(again) == []
    assert len(figures(again)) == len(figures(first))


@pytest.mark.parametrize("page", PAGES)
def test_built_in_corpora_and_pasted_sentences_begin_by_themselves(visit, slow, small, page):
    at = visit(page, a=small, b="none")
    assert errors(at) == []
    assert starts(at) == []
    assert figures(at)


@pytest.mark.parametrize("page", CORPUS_PAGES)
def test_short_work_does_not_ask(visit, cats, page, monkeypatch):
    monkeypatch.setattr(Engine, "pending", lambda *_: {"pass": 0.5})
    at = visit(page, **cats)
    assert starts(at) == []
    assert figures(at)


@pytest.mark.parametrize("page", ["scores", "mixing"])
def test_other_work_asks_again(visit, slow, cats, page):
    at = visit(page, **cats)
    press(at, "Start")
    at.text_input(key="a").set_value(f"{cats['a']};template=T0").run()
    assert len(starts(at)) == 1
    assert figures(at) == []


# -- while it runs


@pytest.mark.parametrize("page", PAGES)
def test_a_page_arrives_while_its_work_goes_on_and_is_drawn_when_it_is_there(visit, small, held, page):
    at = visit(page, patient=False, a=small, b="none")
    assert errors(at) == []
    assert "Stop" in labels(at)
    assert len(at.get("progress")) > 0
    held.set()
    at.patient = True
    at.run()
    assert errors(at) == []
    assert "Stop" not in labels(at)
    assert figures(at)


@pytest.mark.parametrize("page", PAGES)
def test_work_can_be_stopped_and_begun_again(visit, small, held, page):
    at = visit(page, patient=False, a=small, b="none")
    press(at, "Stop")
    held.set()
    at.patient = True
    at.run()
    assert "was stopped" in told(at)
    assert "Stop" not in labels(at)
    before = drawn(at)
    press(at, "Start")
    assert errors(at) == []
    assert drawn(at) > before


def test_leaving_and_coming_back_finds_the_work_still_running(visit, small, held):
    at = visit("scores", patient=False, a=small, b="none")
    (job,) = shared_queue().active()
    at.switch_page("pages/methods.py").run()
    assert job.state is State.RUNNING
    at.switch_page("pages/scores.py").run()
    assert "Stop" in labels(at)
    assert job in shared_queue().active()
    held.set()
    at.patient = True
    at.run()
    assert job.state is State.DONE
    assert figures(at)


def test_two_visits_share_one_computation(visit, small, held):
    first, second = (visit("scores", patient=False, a=small, b="none") for _ in range(2))
    assert len(shared_queue().active()) == 1
    assert "Stop" in labels(first)
    assert "Stop" in labels(second)
    held.set()
    for at in (first, second):
        at.patient = True
        at.run()
    assert [metric.value for metric in first.metric] == [metric.value for metric in second.metric]


def test_a_section_of_tasks_says_what_its_work_would_wait_for(visit, small, data, held, monkeypatch):
    monkeypatch.setattr("components.works.learning_seconds", lambda task, corpus, columns: 200.0)
    tasks = ["films: classification(folds=4)"]
    at = visit("tasks", patient=False, a=f"{small};pool=max", b="none", tasks=tasks, ablation="true")
    assert labels(at).count("Start") == 2
    assert "It will wait" not in told(at)
    at.button(key="tasks.work.start").click().run()
    assert labels(at).count("Start") == 1
    assert "It will wait, as what you started goes first: A, " in told(at)
    held.set()


def test_a_section_asks_before_recipes_that_nobody_chose(visit, small, data, held, monkeypatch):
    monkeypatch.setattr("components.works.learning_seconds", lambda task, corpus, columns: 6.0)
    tasks = ["films: classification(folds=4)"]
    at = visit("tasks", patient=False, a=f"{small};pool=max", b="none", tasks=tasks, ablation="true")
    assert "Reading and learning take 10 to 40 seconds" in told(at)
    assert [str(one.key) for one in at.button if one.label == "Start"] == ["ablation.work.start"]
    at.button(key="ablation.work.start").click().run()
    assert "Start" not in labels(at)
    held.set()


def test_a_figure_of_a_paper_is_not_offered_again_while_it_is_computed(visit, corpora, held):
    corpora(**{"STS-B": pairs_of(many(80)[60:])})
    at = visit("papers", patient=False, **{"papers.scope": "cell"})
    press(at, "Compute 1 figure")
    assert at.button(key="papers.compute").disabled
    assert at.button(key="papers.compute").label == "Computing 1 figure"
    press(at, "Stop")
    assert not at.button(key="papers.compute").disabled
    assert starts(at) == [], "one button for the same figure"
    assert "was stopped" in captions(at)
    press(at, "Compute 1 figure")
    held.set()
    at.patient = True
    at.run()
    assert errors(at) == []
    assert "papers.compute" not in [button.key for button in at.button]


@pytest.fixture
def wikitext(corpora, tmp_path, monkeypatch) -> None:
    """The pairs and the reference of a paper, of whose texts no sentences have been found yet."""
    corpora(**{"STS-B": pairs_of(many(80)[60:])})
    folder = tmp_path / "data" / "corpus"
    folder.mkdir()
    lines = (f"{one} {other}" for one, other in zip(many(140), many(140)[1:], strict=False))
    (folder / "wikitext-2.txt").write_text("\n".join(lines), "utf-8")
    monkeypatch.setenv("STRATA_CACHE", str(tmp_path / "cache"))


def test_papers_get_a_reference_ready_as_work_that_is_announced_and_can_be_stopped(
    visit, wikitext, held, monkeypatch
):
    monkeypatch.setattr("core.pipeline.sentences.SPLIT_A_SECOND", 200)
    monkeypatch.setattr("core.corpora.units.EVERY", 1)
    link = {"papers.row": "avg. + whiten^W", "papers.scope": "cell"}
    at = visit("papers", patient=False, **link)
    (label,) = (one for one in labels(at) if one.startswith("Compute"))
    assert re.fullmatch(r"Compute 1 figure, [0-9]+ to [0-9]+ (seconds|minutes)", label)
    press(at, label)
    assert [job.seconds > 10 for job in shared_queue().active()] == [True]
    (bar,) = at.get("progress")
    assert "Getting the reference wikitext-2(unit=sentence) ready, once" in plain(bar.proto.text)
    assert at.button(key="papers.compute").disabled
    press(at, "Stop")
    assert at.button(key="papers.compute").label == label
    assert "was stopped" in captions(at)
    press(at, label)
    (job,) = shared_queue().active()
    held.set()
    at.patient = True
    at.run()
    assert errors(at) == []
    assert "into sentences" in str(job.step)
    assert "papers.compute" not in [button.key for button in at.button], "it is computed"


def test_one_stop_ends_all_that_one_press_began(visit, wikitext, small, held):
    """Figures that wait for a reference have it made ready beside those that need none."""
    at = visit("papers", patient=False, a=small, **{"papers.column": "RE", "papers.scope": "column"})
    press(at, next(one for one in labels(at) if one.startswith("Compute")))
    begun = shared_queue().active()
    assert {job.key[0] for job in begun} >= {"reference", "figure"}
    assert labels(at).count("Stop") == 1
    press(at, "Stop")
    assert "Stop" not in labels(at)
    assert all(job.state is State.STOPPED or job.stopping for job in begun)
    held.set()
    assert [job.wait(10) for job in begun] == [True] * len(begun)
    at.run()
    assert shared_queue().active() == []
    assert "was stopped" in captions(at)


def test_a_figure_whose_reference_is_ready_while_the_page_is_drawn_is_not_offered_again(
    visit, wikitext, held, monkeypatch
):
    at = visit("papers", patient=False, **{"papers.row": "avg. + whiten^W", "papers.scope": "cell"})
    press(at, next(one for one in labels(at) if one.startswith("Compute")))
    preparing, looks = computing._preparing, []

    def ready_at_the_second_look(*given):
        looks.append(given)
        return preparing(*given) if len(looks) % 2 else {}

    monkeypatch.setattr(computing, "_preparing", ready_at_the_second_look)
    at.run()
    assert len(looks) == 2
    assert at.button(key="papers.compute").label == "Computing 1 figure"


# -- page Mixing asks for several corpora


def mixing_with(visit, cats, monkeypatch, unread: set[str], **more):
    """Page Mixing, where some splits seem to need two minutes each; the corpora that are read."""
    monkeypatch.setattr(
        Engine, "pending", lambda _, recipe, corpus: {"pass": 120.0 * (corpus.split_name in unread)}
    )
    return visit("mixing", **cats, **more)


def test_mixing_with_test_stored_and_dev_unread_starts(visit, cats, monkeypatch):
    at = mixing_with(visit, cats, monkeypatch, {"dev"})
    assert len(figures(at)) == 2, "the map of test is there already"
    assert "takes 60 seconds to 4 minutes, once" in told(at)
    assert "Chosen on cats dev, w = " not in markdown(at)
    press(at, "Start")
    assert errors(at) == []
    assert starts(at) == []
    assert "Chosen on cats dev, w = " in markdown(at)


def test_mixing_with_two_unread_corpora_asks_once_for_both(visit, cats, monkeypatch):
    at = mixing_with(visit, cats, monkeypatch, {"dev", "test"})
    assert "Reading 48 sentences of cats" in told(at)
    assert "takes 2 to 8 minutes, once" in told(at)
    assert starts(at) == ["Start"]
    assert figures(at) == []
    press(at, "Start")
    assert errors(at) == []
    assert starts(at) == []
    assert len(figures(at)) == 2
    assert "Chosen on cats dev, w = " in markdown(at)


LEARNT = "weight=sif(fit=reference);reference=wikitext-2(unit=sentence)"
"""What learns from a reference of which sentences have to be found."""

READY = "Getting the reference wikitext-2(unit=sentence) ready"


@pytest.fixture
def split(monkeypatch) -> list[str]:
    """The corpora of which sentences were looked for, in whatever thread."""
    found, split = [], units.split_some

    def noted(corpus, *given):
        found.append(corpus.name)
        return split(corpus, *given)

    monkeypatch.setattr("core.pipeline.sentences.split_some", noted)
    return found


@pytest.mark.parametrize("page", ["scores", "masking"])
def test_a_page_does_not_get_a_reference_ready_itself(visit, wikitext, small, held, split, page):
    at = visit(page, patient=False, a=f"{small};{LEARNT}", b="none")
    assert errors(at) == []
    assert split == []
    assert [job.key[0] for job in shared_queue().active()] == ["reference"]
    assert f"{READY}, once" in plain(at.get("progress")[0].proto.text)
    assert "is not ready" in htmls(at), "the score says what it waits for"
    press(at, "Stop")
    assert "was stopped" in told(at)
    press(at, "Start")
    held.set()
    at.patient = True
    at.run()
    assert errors(at) == []
    assert split == ["wikitext-2"]
    assert figures(at)
    assert "is not ready" not in htmls(at)


def test_a_reference_that_takes_long_is_asked_for(visit, wikitext, small, split, monkeypatch):
    monkeypatch.setattr("core.pipeline.sentences.SPLIT_A_SECOND", 200)
    at = visit("scores", a=f"{small};{LEARNT}", b=f"{small};pool=max;{LEARNT}")
    assert split == []
    assert shared_queue().active() == []
    assert re.search(re.escape(READY) + r" takes [0-9]+ to [0-9]+ (seconds|minutes), once", told(at))
    press(at, "Start")
    assert errors(at) == []
    assert split == ["wikitext-2"]
    assert READY not in told(at)


@pytest.mark.parametrize("page", ["deck", "papers"])
def test_a_page_that_brings_its_own_recipes_waits_for_no_reference(visit, wikitext, small, split, page):
    at = visit(page, a=f"{small};{LEARNT}", b="none")
    assert errors(at) == []
    assert split == []
    assert READY not in told(at)
    assert "is not ready" in htmls(at)
