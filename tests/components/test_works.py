"""Which work asks first, and how long it is said to take."""

from types import SimpleNamespace

import pytest

from components import works
from components.wording import duration, duration_range
from core.corpora.corpus import Corpus
from core.errors import ModelError
from core.evaluation.tasks.task import TASK
from core.recipe import Recipe
from core.work import LONG

CORPUS = Corpus.of_texts("small", ["one text", "another text"])


class Pending:
    """An engine that says how long each recipe would take."""

    def __init__(self, **seconds: float) -> None:
        self.seconds = seconds

    def pending(self, recipe, corpus):
        """The pass of the source, and a training of each step that learns from it."""
        source, post = (recipe.spelled()[stage] for stage in ("source", "post"))
        if self.seconds[source] < 0:
            raise ModelError("no such model")
        trained = {} if post == "none" else {(source, post): self.training}
        return {source: self.seconds[source]} | trained


def runs(engine, *recipes: str) -> bool:
    """Whether these recipes run without a question."""
    return works.reading(engine, [Recipe.parse(recipe) for recipe in recipes], CORPUS) is None


def test_short_work_runs():
    assert runs(Pending(bundled=LONG - 1), "layers=last", "layers=0")


def test_two_recipes_of_one_model_share_its_pass():
    assert runs(Pending(bundled=LONG * 0.7), "layers=last", "layers=0")


def test_two_trainings_on_one_pass_add_up():
    """The longest alone was announced: of a table's column of flows, the time of one."""
    engine = Pending(bundled=1.0)
    engine.training = LONG * 0.7
    assert runs(engine, "post=flow", "post=flow;layers=last")
    assert not runs(engine, "post=flow", "post=flow(epochs=5)")


def test_two_models_add_up():
    assert not runs(Pending(bundled=LONG * 0.7, other=LONG * 0.7), "layers=last", "source=other")


def test_long_work_asks():
    assert not runs(Pending(bundled=LONG), "layers=last")


def test_a_recipe_that_cannot_run_does_not_hold_up_the_other():
    assert runs(Pending(bundled=1.0, other=-1), "layers=last", "source=other")


@pytest.mark.parametrize("origin", ["built in", "pasted"])
def test_built_in_and_pasted_texts_never_ask(origin):
    corpus = Corpus.of_texts("small", ["one text", "another text"], origin=origin)
    assert works.reading(Pending(bundled=600.0), [Recipe()], corpus) is None


def test_several_corpora_are_one_question():
    other = Corpus.of_texts("other", ["a third text"])
    question = works.reading(Pending(bundled=LONG * 0.7), [Recipe()], CORPUS, other)
    assert "Reading 3 sentences of small and other" in question.text
    assert "takes 10 to 30 seconds, once" in question.text


def test_the_question_names_what_is_still_to_be_read():
    class Read(Pending):
        def pending(self, recipe, corpus):
            return {} if corpus is CORPUS else super().pending(recipe, corpus)

    other = Corpus.of_texts("other", ["a third text"])
    question = works.reading(Read(bundled=LONG), [Recipe()], CORPUS, other)
    assert question.text.startswith("Reading 1 sentence of other takes 10 to 20 seconds")


def test_the_question_speaks_of_the_reference_where_something_is_learnt_from_it():
    learns = Recipe.parse("weight=idf(fit=reference)")
    question = works.reading(Pending(bundled=LONG), [learns], CORPUS)
    assert "of small, and what a recipe learns from the reference, takes 10 to 20 seconds" in question.text


def test_work_that_reads_the_same_pass_takes_turns_and_other_work_does_not():
    recipe, other = Recipe.parse("layers=last"), Corpus.of_texts("other", ["a third text"])
    same = works.reads(Recipe.parse("layers=0"), [CORPUS])
    assert works.reads(recipe, [CORPUS]) & same
    assert not works.reads(recipe, [other]) & same
    assert not works.reads(Recipe.parse("source=random"), [CORPUS]) & same


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        *(
            (11, "10 seconds"),
            (44, "40 seconds"),
            (89, "90 seconds"),
            (120, "2 minutes"),
            (3600, "60 minutes"),
        ),
        *((5399, "90 minutes"), (5400, "2 hours"), (4 * 3600, "4 hours"), (3 * 86400, "3 days")),
    ],
)
def test_a_duration_is_said_in_round_numbers(seconds, words):
    assert duration(seconds) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (3, "up to 10 seconds"),
        (20, "10 to 40 seconds"),
        (60, "30 seconds to 2 minutes"),
        (120, "60 seconds to 4 minutes"),
        (240, "2 to 8 minutes"),
        (4 * 3600, "2 to 8 hours"),
    ],
)
def test_an_estimate_is_a_range(seconds, words):
    assert duration_range(seconds) == words


def test_work_is_estimated_anew_when_it_begins(monkeypatch):
    monkeypatch.setattr(works, "identity", lambda engine, recipe: (str(recipe),))
    engine = Pending(bundled=20.0)
    work = works.recipe_work("k", "", engine, Recipe(), CORPUS, lambda progress: None, learning=5.0)
    assert work.seconds == 25.0
    engine.seconds["bundled"] = 0.0
    assert work.anew() == 5.0, "others have read its share"


@pytest.mark.parametrize(
    ("recipe", "task", "split", "times"),
    [
        ("post=zscore", "classification(folds=5)", (), 4),  # each fold has four fifths of the rows
        ("post=zscore", "classification", ("train", "train", "train", "test"), 0.75),
        ("post=zscore", "clustering", (), 0),  # learns from all rows, which pending counts
        ("post=normalize", "classification", (), 0),
    ],
)
def test_what_a_recipe_learns_in_each_fold_is_counted(recipe, task, split, times):
    labelled = Corpus.of_labelled("c", ["a", "b", "c", "d"], ["x", "y"] * 2, split=split)
    engine = SimpleNamespace(
        source=lambda *_: SimpleNamespace(location=SimpleNamespace(dim=8)),
        pending_over=lambda recipe, corpus, times: 1000.0 * times,
    )
    seconds = works.learning(engine, Recipe.parse(recipe), TASK.parse(task), labelled)
    assert seconds == pytest.approx(1000 * times, abs=1)


def test_work_on_a_corpus_whose_labels_alone_changed_is_other_work():
    texts = ["one text", "another text"]
    one, other = (Corpus.of_labelled("c", texts, labels) for labels in (["a", "b"], ["b", "a"]))
    assert works.identity_of(one) != works.identity_of(other)
    assert works.identity_of(one) == works.identity_of(Corpus.of_labelled("c", texts, ["a", "b"]))
