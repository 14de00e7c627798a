"""Tasks: recipes against tasks in one map, what is left out and why, and the link."""

import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from components.cached import shared_engine
from core import machine
from core.corpora.readings import LabelledReading
from core.pipeline.engine import Engine
from core.work import Queue
from tests.core.helpers.texts import many
from tests.pages.reading import captions, errors, figures, headings, plain, press, told

TASKS = ["dogs: sts", "films: classification", "films: clustering(runs=3)"]


def cells(at):
    figure = json.loads(figures(at)[0])
    return figure["data"][0], [note["text"] for note in figure["layout"]["annotations"]]


def test_the_map_has_a_row_for_each_recipe_and_a_column_for_each_task(visit, small, data):
    at = visit("tasks", a=small, b=f"{small};pool=max", tasks=TASKS)
    assert errors(at) == []
    heatmap, numbers = cells(at)
    assert len(numbers) == 6
    assert any(
        re.search(r"mean rank of 2 recipes .*; (shown above|no difference from) [AB]", line)
        or "share the best mean rank" in line
        for line in headings(at)
    )
    told = captions(at)
    assert "films: classification: accuracy × 100 of 20 rows, logistic regression, trained on train" in told
    assert "dogs: sts: Spearman × 100 of 12 rows, untrained" in told
    assert heatmap["zmin"] == 0


def test_a_task_that_is_written_twice_counts_once(visit, small, data):
    at = visit("tasks", a=small, an="MINE", b="none", tasks=["dogs: sts", "dogs", "dogs: sts"])
    assert errors(at) == []
    assert len(cells(at)[1]) == 1
    assert "A, MINE" in figures(at)[0]


def test_the_bar_s_corpus_is_no_task_by_itself_and_is_offered(visit, small, data):
    at = visit("tasks", a=small, b="none", corpus="dogs", tasks=TASKS[1:2])
    assert errors(at) == []
    assert "Tasks have texts of their own: dogs, the corpus of the bar, is not among them." in captions(at)
    menu = next(one for one in at.get("popover") if "dogs" in one.proto.popover.label)
    assert menu.proto.popover.label.startswith("~~dogs~~ ")
    assert "gives the scores in the bar alone" in menu.proto.popover.help
    assert "**No effect on this page.** Tasks have texts of their own" in captions(at)
    press(at, "Add dogs: sts")
    assert errors(at) == []
    assert at.multiselect(key="tasks").value == [TASKS[1], "dogs: sts"]
    assert "the corpus of the bar" not in captions(at)
    assert len(cells(at)[1]) == 2


def test_pairs_that_are_called_like_a_task_s_corpus_are_not_among_the_tasks(visit, small, data):
    """They were taken for scored, by their name."""
    texts = many(12)
    rows = [f"{texts[i]}\t{texts[i + 6]}\t{i % 5}" for i in range(6)]
    table = "\n".join(["sentence1\tsentence2\tscore", *rows]).encode()
    link = shared_engine().uploads.bring("dogs.tsv", table)
    at = visit("tasks", a=small, b="none", corpus=link, tasks=["dogs: sts"])
    assert errors(at) == []
    assert "dogs, the corpus of the bar, is not among them." in captions(at)


def test_few_pairs_of_one_s_own_have_their_name_and_are_told(visit, small, data):
    texts = many(6)
    pairs = "\n".join(f"{texts[i]}\t{texts[i + 1]}\t{i}" for i in (0, 2, 4))
    table = f"sentence1\tsentence2\tscore\n{pairs}\n".encode()
    link, other = (shared_engine().uploads.bring("three.tsv", table + more) for more in (b"", b"a\tb\t1\n"))
    at = visit("tasks", a=small, b=f"{small};pool=max", corpus=link, tasks=["dogs: sts", f"{link}: sts"])
    assert errors(at) == []
    figure = json.loads(figures(at)[0])
    heads = [f"{one}<br>sts<br>Spearman × 100" for one in ("dogs", "three")]
    assert figure["layout"]["xaxis"]["ticktext"] == heads
    assert "three: sts: 3 pairs are too few for an interval; in the mean rank the task counts" in captions(
        at
    )
    assert "is not among them" not in captions(at)
    menu = next(one for one in at.get("popover") if "three" in one.proto.popover.label)
    assert "~~" not in menu.proto.popover.label
    both = visit("tasks", a=small, b="none", tasks=[f"{link}: sts", f"{other}: sts"])
    figure = json.loads(figures(both)[0])
    heads = [f"{one}<br>sts<br>Spearman × 100" for one in (link, other)]
    assert figure["layout"]["xaxis"]["ticktext"] == heads


def test_texts_that_are_brought_twice_are_one_task(visit, small, data):
    at = visit("tasks", a=small, b="none", tasks=TASKS)
    at.session_state["tasks.brought"] = TASKS[1]
    at.run()
    assert at.multiselect(key="tasks").value == TASKS


def test_differences_are_from_the_chosen_recipe(visit, small, data):
    at = visit("tasks", a=small, b=f"{small};pool=max", tasks=TASKS[:2])
    name = at.selectbox(key="from").options[1]
    at.selectbox(key="from").select(name).run()
    linked = visit("tasks", a=small, b=f"{small};pool=max", tasks=TASKS[:2], **{"from": name})
    for page in (at, linked):
        assert errors(page) == []
        _, numbers = cells(page)
        assert sum("<br>" in number for number in numbers) == 2
        assert f"Under each value: the recipe's paired difference from {name}, in points" in captions(page)
    assert "Under each value" not in captions(visit("tasks", a=small, b="none", tasks=TASKS[:1]))


def test_pinned_recipes_are_rows_too(visit, small, data):
    at = visit("tasks", a=small, b="none", tasks=TASKS[1:2], pins=f"{small};pool=max")
    assert errors(at) == []
    assert len(cells(at)[1]) == 2


def test_a_recipe_has_one_name_wherever_it_stands(visit, small, data):
    recipe = f"{small};pool=max"
    at = visit("tasks", a=recipe, an="MINE", b="none", tasks=TASKS[:1], pins=recipe)
    assert "A, MINE" in figures(at)[0]
    at.text_input(key="a").set_value(small)
    at.text_input(key="an").set_value("").run()
    rows = json.loads(figures(at)[0])["layout"]["yaxis"]["ticktext"]
    assert len(rows) == 2 and "MINE" in rows, "the pin keeps the name that A had"
    at.text_input(key="b").set_value(recipe).run()
    rows = json.loads(figures(at)[0])["layout"]["yaxis"]["ticktext"]
    assert "B, MINE" in rows, "so has recipe B, which is the same"
    at.text_input(key="bn").set_value("OTHER").run()
    at.text_input(key="b").set_value("none").run()
    assert "OTHER" in json.loads(figures(at)[0])["layout"]["yaxis"]["ticktext"], "the latest name holds"


def test_what_cannot_be_scored_is_said_and_the_rest_stands(visit, small, data):
    at = visit(
        "tasks", a=small, b="none", tasks=["dogs: clustering", "dogs: sts", "nowhere: sts", "dogs: sst"]
    )
    assert errors(at) == []
    assert len(cells(at)[1]) == 1
    warned = " ".join(warning.value for warning in at.warning)
    assert "there is no corpus" in warned
    assert "Did you mean" in warned
    assert any("1 could not be scored" in expander.label for expander in at.expander)


def test_a_corpus_that_is_not_here_is_told_with_what_to_do(visit, small):
    at = visit("tasks", a=small, b="none", corpus="stsb", tasks=["demo: sts"])
    assert errors(at) == []
    (why,) = (plain(box.value) for box in at.main if box.type == "info")
    assert "stsb cannot be read" in why
    assert "name one with --data or STRATA_DATA" in why
    assert "Bring pairs" in why
    assert len(cells(at)[1]) == 1, "the tasks stand all the same"


def test_where_nothing_can_be_scored_the_reasons_are_open(visit, small):
    at = visit("tasks", a=small, b="none", tasks=["stsb: sts"])
    (reasons,) = (one for one in at.expander if "could not be scored" in one.label)
    assert reasons.proto.expanded


def test_a_group_adds_its_tasks(visit, small, data):
    at = visit("tasks", a=small, b="none", tasks=TASKS[:1])
    assert not [button for button in at.button if button.key == "tasks.group.probing"]
    assert "tasks" in at.session_state
    assert at.session_state["tasks"] == TASKS[:1]


STEPS = ";layers=last;weight=sif(a=0.01);post=normalize"


def figure_of(at, key):
    (chart,) = [spec for spec in map(json.loads, figures(at)) if key in json.dumps(spec)]
    return chart


def test_the_sections_below_the_map(visit, small, data):
    """Ablation, Sensitivity and the sets in one visit: each is drawn, and each is in the link."""
    recipe = small.replace(";layers=last", STEPS)
    opened = {"ablation": "true", "sensitivity": "true", "sets": "true"}
    at = visit(
        "tasks",
        a=recipe,
        b="none",
        tasks=TASKS[:2],
        varied="a of weight=sif",
        values="0.1 0.001 0.01",
        **opened,
    )
    assert errors(at) == []
    assert len(figures(at)) == 3
    bars = figure_of(at, "without")
    assert sorted(bars["layout"]["yaxis"]["ticktext"]) == [
        "without layers=last",
        "without post=normalize",
        "without weight=sif(a=0.01)",
    ]
    line = figure_of(at, "a of weight=sif")
    assert line["layout"]["xaxis"]["ticktext"] == ["0.001", "0.01", "0.1"]
    middle = line["data"][-1]
    assert middle["customdata"][1] == "95 %: 0.0 to 0.0"  # the recipe's own value
    assert "Thin grey lines: each task by itself." in captions(at)
    told = " ".join(headings(at))
    assert "mean over 2 tasks" in told
    assert "could not be scored" not in " ".join(expander.label for expander in at.expander)
    (table,) = [frame.value for frame in at.dataframe]
    assert table["rows"].tolist() == [12, 20, 40]
    assert at.query_params["values"] == "0.1 0.001 0.01"


def test_a_recipe_of_defaults_has_nothing_to_leave_out_and_bad_values_are_said(visit, small, data):
    plain = small.replace(";layers=last", "")
    at = visit("tasks", a=plain, b="none", tasks=TASKS[:1], ablation="true", sensitivity="true")
    assert errors(at) == []
    said = " ".join(info.value for info in at.info)
    assert "no step that could be left out" in said
    assert "No option of these recipes has a number" in said
    at = visit(
        "tasks", a=f"{small};post=abtt(d=2)", b="none", tasks=TASKS[:1], sensitivity="true", values="1 some"
    )
    assert any("post=abtt(d): got" in error for error in errors(at))


def test_values_begin_within_the_layers_of_the_model(visit, small, data):
    plain, weighed = small, f"{small};weight=ditto(head=1)"
    at = visit(
        "tasks", a=plain, b=weighed, tasks=TASKS[:1], sensitivity="true", varied="layer of weight=ditto"
    )
    assert errors(at) == []
    (recipe,) = [box for box in at.selectbox if box.key == "varied.recipe"]
    assert len(recipe.options) == 1, "recipe A has no number to vary"
    assert at.text_input(key="values").value == "1 2 3"


def test_a_value_that_cannot_be_scored_is_said_beside_the_figure_of_the_others(visit, small, data):
    weighed = f"{small};weight=ditto(head=1)"
    opened = {"sensitivity": "true", "varied": "head of weight=ditto", "values": "1 99"}
    at = visit("tasks", a=weighed, b="none", tasks=TASKS[:2], **opened)
    assert errors(at) == []
    assert figure_of(at, "head of weight=ditto")["data"][-1]["x"]
    assert any(
        line.startswith("head = 1, Spearman and accuracy × 100, mean over 2 tasks: no other value")
        for line in headings(at)
    )
    (why,) = (plain(box.value) for box in at.warning)
    assert why.startswith("**head = 99** could not be scored: ")
    assert "this model has" in why
    assert not any("could not be scored" in box.label for box in at.expander)


def test_a_recipe_that_learns_from_the_texts_of_a_task_is_told(visit, small):
    learns = f"{small};post=zscore(fit=reference);reference=topics"
    at = visit("tasks", a=learns, b=small, tasks=["topics: clustering(runs=1)", "demo: sts"])
    (said,) = [line for line in captions(at).splitlines() if "learns from the texts of topics" in line]
    assert "A, " in said and "also those it is scored on in topics: clustering(runs=1)." in said


def test_long_learning_is_asked_for_with_its_time(visit, small, data, monkeypatch):
    monkeypatch.setattr("components.works.learning_seconds", lambda task, corpus, columns: 200.0)
    at = visit("tasks", a=f"{small};pool=max", b="none", tasks=["films: classification(folds=7)"])
    asked = " ".join(info.value for info in at.info)
    assert "Classifiers and clusters take 2 to 7 minutes to learn" in asked
    assert not figures(at)
    at.button(key="tasks.work.start").click().run()
    assert len(cells(at)[1]) == 1


def test_what_is_drawn_already_is_not_read_again_and_not_asked_for(visit, small, data, monkeypatch):
    assert len(cells(visit("tasks", a=small, b="none", tasks=TASKS[:1]))[1]) == 1
    monkeypatch.setattr(Engine, "pending", lambda *_: {"pass": 100.0})  # as if no pass were stored
    both = [TASKS[0], "films: classification(folds=8)"]
    at = visit("tasks", a=small, b="none", tasks=both)
    (asked,) = (info.value for info in at.info if "Reading" in info.value)
    assert "of films takes 50 seconds to 3 minutes" in asked
    assert "dogs" not in asked
    assert len(cells(at)[1]) == 1, "what is kept is drawn beside the question"


FEW = ["One dog runs.\tdog", "Two dogs sit.\tdog", "A cat sleeps.\tcat"]


def brought(name, rows):
    """Keep labelled texts as a visitor brings them; what a link finds them by."""
    uploads = shared_engine().uploads
    draft = uploads.draft(f"{name}.tsv", "\n".join(["text\tlabel", *rows]).encode())
    return uploads.keep(draft, LabelledReading(name, "text", "label", ""))


def test_what_failed_is_not_tried_again_in_the_visit(visit, small, data, monkeypatch):
    """A quick failure is tried anew by the queue: the page said fewer failures while it was."""
    begun, submit = [], Queue.submit
    few = f"{brought('few', FEW)}: classification"
    at = visit("tasks", a=small, b=f"{small};pool=max", tasks=[few, *TASKS[:1]])
    monkeypatch.setattr(
        Queue, "submit", lambda *given, **more: begun.append(given) or submit(*given, **more)
    )
    at.session_state["from"] = at.selectbox(key="from").options[1]
    at.run()
    assert errors(at) == []
    assert [box.label for box in at.expander if "could not" in box.label] == [
        "2 could not be scored, and why"
    ]
    assert begun == []


@pytest.mark.parametrize(
    ("rows", "task", "said"),
    [
        (
            FEW,
            "clustering",
            "A class with one row only cannot be both learnt and scored, so the page clusters",
        ),
        (
            [*FEW, "Two cats eat.\tcat"],
            "classification(folds=2)",
            "so the page takes classification(folds=2)",
        ),
        (
            [f"{row}\t{'test' if i % 2 else 'train'}" for i, row in enumerate([*FEW, FEW[-1]])],
            "classification",
            "",
        ),
    ],
)
def test_few_rows_are_told_and_taken_for_what_can_be_done_with_them(visit, small, rows, task, said):
    at = AppTest.from_function(bring, default_timeout=60)
    header = "\t".join(["text", "label", "split"][: rows[0].count("\t") + 1])
    at.run()
    at.file_uploader[0].upload("few.tsv", "\n".join([header, *rows]).encode(), "text/csv").run()
    assert said in told(at)
    assert bool(at.warning) == bool(said)
    at.button(key="texts.use").click().run()
    (link,) = at.session_state["brought.texts"]
    assert at.session_state["tasks.brought"] == f"{link}: {task}"
    page = visit("tasks", a=small, b="none", tasks=[f"{link}: {task}"])
    page.session_state["brought.texts"] = [link]
    page.run()
    assert errors(page) == []
    assert len(cells(page)[1]) == 1
    offered = [one for one in page.multiselect(key="tasks").options if one.startswith(link)]
    assert offered == [f"{link}: {one}" for one in dict.fromkeys([task, "clustering"])]


def test_a_task_with_too_many_folds_says_what_to_type(visit, small, data):
    link = brought("four", [*FEW, "Two cats eat.\tcat"])
    at = visit("tasks", a=small, b="none", tasks=[*TASKS[:1], f"{link}: classification"])
    (box,) = (one for one in at.expander if "could not be scored" in one.label)
    assert "4 rows are fewer than 10 folds; take folds=2 or fewer" in plain(box.table[0].value["why"][0])
    assert f"a task is typed with its arguments: {link}: classification(folds=2)." in captions(at)


def bring() -> None:
    """The dialog's content on a page of its own."""
    from components.cached import shared_engine
    from components.tasks import bring_texts

    bring_texts.form(shared_engine())


def labels_box(at: AppTest):
    """The menu of the column of labels."""
    (box,) = (one for one in at.selectbox if one.label == "Label")
    return box


def test_a_column_of_too_many_classes_is_refused_before_it_is_kept(monkeypatch):
    rows = [f"{text}\t{i // 2}" for i, text in enumerate(many(40))]
    at = AppTest.from_function(bring, default_timeout=60)
    at.session_state["frames"] = None
    at.run()
    monkeypatch.setattr(machine, "memory", lambda: 50_000)
    at.file_uploader[0].upload("ids.tsv", "\n".join(["text\tlabel", *rows]).encode(), "text/csv").run()
    assert any("20 classes in 40 rows of ids need about" in error for error in errors(at))
    assert at.button(key="texts.use").disabled
    monkeypatch.setattr(machine, "memory", lambda: None)
    at.run()
    assert errors(at) == []
    assert not at.button(key="texts.use").disabled


def test_labelled_texts_are_brought_and_are_a_task(visit, small):
    rows = [f"{text},{'girl' if 'girl' in text else 'other'}" for text in many(40) if "," not in text]
    at = AppTest.from_function(bring, default_timeout=60)
    at.session_state["frames"] = None
    at.run()
    at.file_uploader[0].upload("films.csv", "\n".join(["text,kind", *rows]).encode(), "text/csv").run()
    assert at.button(key="texts.use").disabled
    labels_box(at).select("text").run()
    assert any("need a column each" in error for error in errors(at))
    labels_box(at).select("kind").run()
    assert any(f"{len(rows)} rows** of 2 classes" in box.value for box in at.markdown)
    assert at.warning == []
    assert at.text_input[0].label.startswith("Name, as figures show it; the list of tasks and links add")
    at.button(key="texts.use").click().run()
    (link,) = at.session_state["brought.texts"]
    assert at.session_state["tasks.brought"] == f"{link}: classification"
    page = visit("tasks", a=small, b="none", tasks=[f"{link}: clustering(runs=2)"])
    assert errors(page) == []
    assert len(cells(page)[1]) == 1


def test_what_was_brought_is_offered_and_typed_by_its_name(visit, small, data):
    uploads = shared_engine().uploads
    labelled = brought("own", [f"{text}\t{'girl' if 'girl' in text else 'other'}" for text in many(40)])
    pairs = "\n".join(f"{one}\t{many(24)[i + 12]}\t{i % 5}" for i, one in enumerate(many(12)))
    draft = uploads.draft("couples.tsv", f"sentence1\tsentence2\tscore\n{pairs}\n".encode())
    scored = uploads.keep(draft, draft.reading("couples"))
    at = visit("tasks", a=small, b="none", tasks=TASKS[:1])
    at.session_state["brought.texts"], at.session_state["brought"] = [labelled], [scored]
    at.run()
    box = at.multiselect(key="tasks")
    own = [text for text in box.options if text.startswith((labelled, scored))]
    assert own == [f"{scored}: sts", f"{labelled}: classification", f"{labelled}: clustering"]
    at.session_state["tasks"] = [TASKS[0], "couples: sts", f"{labelled}: clustering(runs=2)"]
    at.run()
    assert errors(at) == []
    assert not at.warning
    chosen = [TASKS[0], f"{scored}: sts", f"{labelled}: clustering(runs=2)"]
    assert at.multiselect(key="tasks").value == chosen, "the link says what another visitor finds"
    assert len(cells(at)[1]) == 3
    elsewhere = visit("tasks", a=small, b="none", tasks=chosen)
    assert len(cells(elsewhere)[1]) == 3
    elsewhere.session_state["tasks"] = [*chosen, "couples: classification"]
    elsewhere.run()
    assert elsewhere.multiselect(key="tasks").value[-1] == f"{scored}: classification"
    searched = visit("find", a=small, b="none")
    searched.session_state["brought"] = [scored]
    searched.session_state["find.tasks"] = ["couples: sts"]
    searched.run()
    assert "dev of couples has" in " ".join(errors(searched)), "it is found, and too small for a search"
    assert searched.multiselect(key="find.tasks").value == [f"{scored}: sts"]


def test_a_name_that_two_corpora_have_is_no_task_and_both_are_told(visit, small, data):
    uploads = shared_engine().uploads
    tables = (f"sentence1\tsentence2\tscore\na\tb\t1\nc\td\t{i}\n".encode() for i in (2, 3))
    drafts = [uploads.draft("twins.tsv", table) for table in tables]
    links = [uploads.keep(draft, draft.reading("twins")) for draft in drafts]
    at = visit("tasks", a=small, b="none", tasks=TASKS[:1])
    at.session_state["brought"] = links
    at.session_state["tasks"] = [TASKS[0], "twins: sts"]
    at.run()
    (warned,) = (plain(warning.value) for warning in at.warning)
    assert "several corpora are called 'twins'" in warned
    assert all(link in warned for link in links)


def test_menus_of_recipes_stay_on_the_side_that_is_edited(visit, data, small):
    link = {"a": small, "b": f"{small};pool=max;weight=idf", "tasks": "dogs: sts"}
    at = visit("tasks", **link, ablation="true", sensitivity="true")
    for key in ("ablated", "from"):
        menu = at.selectbox(key=key)
        menu.set_value(next(name for name in menu.options if name.startswith("B, "))).run()
    at.text_input(key="b").set_value(f"{small};pool=max;weight=idf;post=zscore").run()
    assert errors(at) == []
    for key in ("ablated", "from"):
        assert at.selectbox(key=key).value.startswith("B, ")
        assert "z-score" in at.selectbox(key=key).value


def test_labelled_texts_without_names_of_columns_keep_their_first_row(visit):
    rows = [f"{text},{'girl' if 'girl' in text else 'other'}" for text in many(40) if "," not in text]
    at = AppTest.from_function(bring, default_timeout=60)
    at.session_state["frames"] = None
    at.run()
    at.file_uploader[0].upload("films.csv", "\n".join(rows).encode(), "text/csv").run()
    assert "Read without names of columns: the first line is a row." in captions(at)
    for wanted, column in {"text": "column 1", "label": "column 2"}.items():
        next(box for box in at.selectbox if box.label == wanted.capitalize()).select(column).run()
    assert any(f"{len(rows)} rows** of 2 classes" in box.value for box in at.markdown)
    at.button(key="texts.use").click().run()
    (link,) = at.session_state["brought.texts"]
    assert shared_engine().corpus(link).rows == len(rows)
