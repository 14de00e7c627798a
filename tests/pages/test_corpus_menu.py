"""The corpus menu and the dialog that brings pairs, on the pages."""

from collections import Counter
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from components import bring_file, bring_pairs
from components.cached import shared_engine
from components.corpus import words
from core.corpora import listing
from core.encoders import models
from core.recipe import Recipe
from core.storage import glance
from tests.core.helpers.texts import many
from tests.pages.conftest import TUNED
from tests.pages.reading import captions, errors, heard, pairs_of, plain, say_heard, told

RECIPES = TUNED


HOUSES = "nr,left sentence,right sentence,how alike\n" + "".join(
    f"{i},The house {i} is red.,A red house of {i} rooms.,{10 * (i % 9) + 10}\n" for i in range(18)
)


def group(at: AppTest, label: str):
    """A group of the corpus menu, which is opened."""
    at.session_state["corpus.menu"] = True
    at.run()
    return next(radio for radio in at.radio if radio.label.startswith(label))


def names(at: AppTest, label: str) -> list[str]:
    """The corpora of a group."""
    return list(group(at, label).options)


def test_the_menu_has_what_is_here_apart_from_what_needs_the_network(visit, corpora):
    table = pairs_of([f"sentence number {i} of them" for i in range(40)])
    corpora(STS12=table, SICK=table)
    at = visit("scores")
    assert not any("pairs" in said for radio in at.radio for said in radio.proto.captions), "closed"
    assert names(at, "Here") == ["demo", "SICK", "STS12"]
    assert names(at, "From the hub") == ["str2022", "sts13", "sts14", "sts15", "sts16", "stsb"]


def test_of_corpora_that_are_not_here_the_menu_says_how_many_pairs_papers_print(visit, corpora):
    corpora(STS12=pairs_of([f"sentence number {i} of them" for i in range(40)]))
    at = visit("scores")
    assert "in print" not in captions(at), "closed"
    assert "sts12" not in names(at, "From the hub")
    sizes = "sickr 4,927, str2022 5,500, sts13 1,500, sts14 3,750, sts15 3,000, sts16 1,186, stsb 1,379"
    assert f"Pairs in print: {sizes}." in captions(at)


def test_a_run_looks_once_which_corpora_and_models_are_there(visit, corpora, monkeypatch):
    """Each look asks the system, which takes Python's lock from the run."""
    corpora(dogs=pairs_of([f"dog number {i} of them" for i in range(40)]))
    at = visit("compare")
    looks: Counter[object] = Counter()

    def counted(look):
        def counting(what, *others):
            if glance._SEEN.get() is not None:  # work that a run waits for looks for itself
                looks[what] += 1
            return look(what, *others)

        return counting

    for module, name in ((listing, "_files"), (models, "_bundled")):
        monkeypatch.setattr(module, name, counted(getattr(module, name)))
    at.run()
    assert {type(what) for what in looks} == {type(Path()), models.Bundled}
    assert set(looks.values()) == {1}


def test_a_click_counts_while_the_menu_gets_its_counts_and_a_corpus_is_read(visit):
    """A control of the menu stays the same: a click on one that was replaced meanwhile would be lost."""
    at = visit("scores", b="none")
    closed = next(radio for radio in at.radio if radio.label == "Here").proto
    opened = group(at, "Here").proto
    assert list(opened.captions) == ["865 pairs · read"]
    assert list(closed.captions) == []
    assert (opened.id, list(opened.options)) == (closed.id, list(closed.options))


def test_a_corpus_is_chosen_from_the_menu(visit, corpora):
    corpora(dogs=pairs_of([f"dog number {i} of them" for i in range(40)]))
    at = visit("scores", b="none")
    group(at, "Here").set_value("dogs").run()
    assert at.text_input(key="corpus").value == "dogs"
    assert "dogs · 20 pairs" in captions(at)
    assert group(at, "Here").value == "dogs"


def test_a_corpus_without_splits_leaves_the_next_one_its_own(visit, small, corpora):
    """All was no choice there: demo went on with train, dev and test."""
    corpora(mine=pairs_of([f"the dog {i} ran by the cat {i * i % 7}" for i in range(40)]))
    at = visit("scores", a=small, b="none")
    assert "demo test" in captions(at)
    for name in ("mine", "demo"):
        (menu,) = (radio for radio in at.radio if radio.label == "Here")
        at = menu.set_value(name).run()
        assert errors(at) == []
    assert at.session_state["split"] == "test"
    assert "demo test" in captions(at)
    at.session_state["split"] = "dev"
    at.run()
    (menu,) = (radio for radio in at.radio if radio.label == "Here")
    at = menu.set_value("mine").run()
    assert at.session_state["split"] == "all"


def test_a_split_whose_name_is_markdown_is_read_from_a_link(visit, small, corpora):
    rows = [f"the dog {i} ran\tthe cat {i * i % 7} sat\t{i % 6}\tfold #{i % 2}" for i in range(24)]
    corpora(folds="\n".join(["sentence1\tsentence2\tscore\tsplit", *rows]))
    at = visit("scores", a=small, b="none", corpus="folds", split="fold \\#1")
    assert at.session_state["split"] == "fold #1"
    assert "folds fold #1 · 12 pairs" in captions(at)


def test_a_benchmark_that_is_here_under_another_name_is_still_read_by_a_link(visit, corpora):
    corpora(STS12=pairs_of([f"sentence number {i} of them" for i in range(40)]))
    at = visit("scores", corpus="sts12")
    assert "sts12" in told(at)
    assert "What works without network" in told(at)


def test_a_corpus_that_is_not_here_is_said_in_the_page_and_is_no_error(visit):
    at = visit("scores", corpus="sts14")
    assert errors(at) == []
    assert any(
        plain(box.value).startswith("**sts14 cannot be read.**") for box in at.main if box.type == "info"
    )
    assert not at.metric


def test_a_name_that_is_emptied_chooses_nothing(visit, small, corpora):
    corpora(dogs=pairs_of(many(30)))
    at = visit("scores", a=small, b="none", corpus="dogs")
    (box,) = (one for one in at.text_input if one.label.startswith("By name"))
    box.set_value("  ").run()
    assert told(at) == ""
    assert at.session_state["corpus"] == "dogs"


def test_the_menu_says_pairs_and_what_is_read(visit):
    visit("scores", b="none")
    engine, recipe = shared_engine(), Recipe.parse("layers=last")
    assert words.about(engine, recipe, "demo") == "865 pairs · read"
    assert words.about(engine, Recipe.parse("template=T0"), "demo") == "865 pairs"


def bring() -> None:
    """The dialog's content on a page of its own."""
    from components import bring_pairs
    from components.cached import shared_engine

    bring_pairs.form(shared_engine())


def brought(text: str, file_name: str = "houses.csv") -> AppTest:
    at = AppTest.from_function(bring, default_timeout=60)
    at.session_state["frames"] = None
    at.run()
    return at.file_uploader[0].upload(file_name, text.encode(), "text/csv").run()


def test_a_file_is_looked_at_before_it_is_kept(visit):
    before = shared_engine().uploads.corpora()
    at = brought(HOUSES)
    assert errors(at) == []
    assert len(at.dataframe[0].value) == 5
    assert [box.value for box in at.selectbox[:3]] == ["left sentence", "right sentence", "how alike"]
    assert "Scores found: 10 to 90; scored as **0 to 100**" in told_markdown(at)
    assert "**18 pairs**" in told_markdown(at)
    assert shared_engine().uploads.corpora() == before


def pasted(text: str) -> AppTest:
    at = AppTest.from_function(bring, default_timeout=60)
    at.session_state["frames"] = None
    at.run()
    return at.text_area[0].set_value(text).run()


@pytest.mark.parametrize("tab", ["\t", ","])
def test_rows_that_are_pasted_are_the_pairs_of_a_file(visit, tab):
    at = pasted(f"\n{HOUSES.replace(',', tab)}\n\n")
    assert errors(at) == []
    assert [box.value for box in at.selectbox[:3]] == ["left sentence", "right sentence", "how alike"]
    assert "**18 pairs**" in told_markdown(at)
    at.button(key="bring.use").click().run()
    (link,) = at.session_state["brought"]
    kept = shared_engine().corpus(link, "all")
    of_file = brought(HOUSES)
    of_file.button(key="bring.use").click().run()
    same = shared_engine().corpus(of_file.session_state["brought"][-1], "all")
    assert (kept.sentences, kept.gold.tolist()) == (same.sentences, same.gold.tolist())


def test_a_pasted_cell_may_have_line_breaks(visit):
    """Most lines have no tab then; the spreadsheet has put such cells in quotes."""
    rows = [f'"He said:\nthe cat {i}\nsleeps."\tThe cat {i} is asleep.\t{i % 5},5' for i in range(9)]
    at = pasted("\n".join(["sentence1\tsentence2\tscore", *rows]))
    assert errors(at) == []
    assert "**9 pairs**" in told_markdown(at)
    at.button(key="bring.use").click().run()
    corpus = shared_engine().corpus(at.session_state["brought"][-1], "all")
    assert "He said:\nthe cat 0\nsleeps." in corpus.sentences


def test_rows_that_have_changed_since_they_were_read_are_looked_at_again(visit):
    at = pasted(HOUSES)
    other = HOUSES.replace("left sentence", "another name")
    use = at.button(key="bring.use").click()
    at.text_area[0].set_value(other)
    use.run()
    assert errors(at) == ["The rows have changed since they were read: look at them again."]
    assert "brought" not in at.session_state
    at.text_area[0].set_value(HOUSES).run()
    at.button(key="bring.use").click().run()
    assert len(at.session_state["brought"]) == 1


def test_one_tab_in_a_sentence_parts_no_columns(visit):
    at = pasted(HOUSES.replace("house", "ho\tuse", 1))
    assert errors(at) == []
    assert "**18 pairs**" in told_markdown(at)


def test_a_file_goes_before_what_is_pasted(visit):
    at = pasted("one\ttwo\t3")
    at.file_uploader[0].upload("houses.csv", HOUSES.encode(), "text/csv").run()
    assert at.text_area[0].disabled
    assert "**18 pairs**" in told_markdown(at)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("a\tb\n" * (bring_file.MOST_PASTED // 4 + 1), "More than 200,000 characters"),
        ("just some words", "Say which column is"),
        ("\x00\t\x00", ""),
    ],
)
def test_what_cannot_be_pasted_is_said_in_words(visit, rows, said):
    at = pasted(rows)
    assert [each.value for each in at.exception] == []
    assert said in " ".join([*errors(at), *(box.value for box in at.info)])
    assert not any(box.key == "bring.use" and not box.disabled for box in at.button)


def bound(at: AppTest, label: str):
    """The field of the lowest or the highest score."""
    (field,) = (box for box in at.number_input if box.label == label)
    return field


def told_markdown(at: AppTest) -> str:
    return "\n".join(plain(box.value) for box in at.markdown)


def test_pairs_are_kept_under_the_name_that_is_given_and_found_by_a_link(visit, new_engine):
    at = brought(HOUSES)
    at.text_input[0].set_value("Our houses").run()
    at.button(key="bring.use").click().run()
    (link,) = at.session_state["brought"]
    st.cache_resource.clear()
    other = visit("scores", corpus=link, b="none")
    assert errors(other) == []
    assert "Our houses · 18 pairs" in captions(other)
    assert names(other, "Here")[-1] == "Our houses"


def test_a_link_to_pairs_that_are_not_here_says_how_they_come_and_works_once_they_are(visit, small):
    rows = "".join(
        f"The house {i} is red.,A red house of {i} rooms.,{i % 6},{'dev' if i % 3 else 'test'}\n"
        for i in range(36)
    )
    name = "parted-00000000"
    at = visit("scores", a=small, b="none", corpus=name, split="all", v="C000000")
    assert told(at) == (
        f"The link names a corpus '{name}' that is not here; showing demo. It is a table that somebody "
        "brought: bring the same file, with the same name, columns and scale (Bring pairs), and the link "
        "works here too."
    )
    assert "demo test" in captions(at), "all is what the link says of another corpus"
    at.button_group(key="split").set_value("dev").run()
    assert "demo dev" in captions(at)
    uploads = shared_engine().uploads
    kept = uploads.bring("parted.csv", f"sentence1,sentence2,score,split\n{rows}".encode())
    (uploads.folder / f"{kept}.parquet").rename(uploads.folder / f"{name}.parquet")
    at.session_state[bring_pairs.KEPT.chosen] = name
    at.run()
    assert told(at) == ""
    assert "parted test+dev · 36 pairs" in captions(at)
    assert at.button_group(key="split").value == "all"


def test_a_browser_that_hears_late_of_brought_pairs_does_not_take_them_back(visit, small):
    """On a busy server it may say for long that the corpus is the one before."""
    at = visit("scores", a=small, b="none")
    before = heard(at)
    kept = shared_engine().uploads.bring("late.csv", HOUSES.replace("how alike", "score").encode())
    at.session_state[bring_pairs.KEPT.chosen] = kept
    at.run()
    assert "late · 18 pairs" in captions(at)
    say_heard(at, before)
    at.text_input(key="corpus").set_value("demo").run()
    assert "late · 18 pairs" in captions(at)
    assert at.session_state["corpus"] == kept
    group(at, "Here").set_value("demo").run()
    assert at.session_state["corpus"] == "demo"


def test_a_link_to_what_nobody_can_bring_does_not_say_so(visit, small):
    at = visit("scores", a=small, b="none", corpus="nowhere")
    assert told(at) == "The link names a corpus 'nowhere' that is not here; showing demo."


def test_columns_and_scale_are_the_visitors_to_choose(visit):
    at = brought(HOUSES)
    at.selectbox[2].set_value("nr").run()
    assert "Scores found: 0 to 17; scored as **0 to 100**" in told_markdown(at)
    at.selectbox[3].set_value("another scale").run()
    bound(at, "Lowest").set_value(0.0)
    bound(at, "Highest").set_value(20.0).run()
    at.button(key="bring.use").click().run()
    corpus = shared_engine().corpus(at.session_state["brought"][0])
    assert (corpus.scale, corpus.gold.max()) == ((0, 20), 17)


def test_a_scale_that_does_not_hold_the_scores_says_so(visit):
    at = brought(HOUSES)
    at.selectbox[3].set_value("another scale").run()
    bound(at, "Highest").set_value(30.0).run()
    assert any("12 of 18 rows cannot be used" in error for error in errors(at))
    assert not any("--" in error for error in errors(at))
    assert at.button(key="bring.use").disabled
    bound(at, "Highest").set_value(5.0).run()
    assert any("highest score must be above the lowest" in error for error in errors(at))


def test_a_file_in_place_of_another_of_the_same_name_begins_with_its_own_choices(visit):
    """Fields would show the new file's bounds, and rows would be left out by those of the one before."""
    at = brought(HOUSES)
    at.selectbox[2].set_value("nr").run()
    at.selectbox[3].set_value("another scale").run()
    bound(at, "Lowest").set_value(-3.0)
    bound(at, "Highest").set_value(40.0).run()
    other = (
        HOUSES.splitlines()[0] + "\n" + "".join(f"{i},A house {i}.,A room.,{i * 100}\n" for i in range(9))
    )
    at.file_uploader[0].upload("houses.csv", other.encode(), "text/csv").run()
    assert errors(at) == []
    assert "Scores found: 0 to 800; scored as **0 to 800**" in told_markdown(at)
    assert "**9 pairs**" in told_markdown(at)
    at.selectbox[3].set_value("another scale").run()
    assert (bound(at, "Lowest").value, bound(at, "Highest").value) == (0, 800)
    at.selectbox[2].set_value("nr").run()
    at.selectbox[3].set_value("another scale").run()
    assert (bound(at, "Lowest").value, bound(at, "Highest").value) == (0, 8)
    assert "**9 pairs**" in told_markdown(at)


def test_what_is_no_table_is_said_in_words(visit):
    at = brought("some notes", "notes.txt")
    assert errors(at) == ["'notes.txt' is no table; allowed endings: .tsv, .csv, .parquet."]
    at = brought("one,two\na,b\n", "two.csv")
    assert "Say which column is Score." in told(at)
    assert at.button(key="bring.use").disabled


NO_NAMES = "Read without names of columns: the first line is a row."


def first_line(at: AppTest):
    """The control that says what the first line is; nothing where there is none."""
    return next((group for group in at.button_group if group.label == "The first line is"), None)


def test_a_table_without_names_keeps_its_first_row_and_says_so(visit):
    at = brought("\n".join(HOUSES.splitlines()[1:]))
    assert captions(at).count(NO_NAMES) == 1
    assert "**18 pairs**" in told_markdown(at)
    assert [box.value for box in at.selectbox[:3]] == ["column 2", "column 3", "column 4"]
    at.button(key="bring.use").click().run()
    assert errors(at) == []
    corpus = shared_engine().corpus(at.session_state["brought"][0])
    assert "The house 0 is red." in corpus.sentences
    assert corpus.notes == (NO_NAMES,)


def test_what_the_first_line_is_can_be_said_where_it_is_not_sure(visit):
    at = brought("\n".join(HOUSES.splitlines()[1:]))
    first_line(at).set_value(True).run()
    assert NO_NAMES not in captions(at)
    assert "Read with names of columns: the first line has them." in captions(at)
    assert "**17 pairs**" in told_markdown(at)
    at = brought(HOUSES)
    assert first_line(at).value is True
    first_line(at).set_value(False).run()
    assert NO_NAMES in captions(at)
    at.button(key="bring.use").click().run()
    notes = shared_engine().corpus(at.session_state["brought"][0]).notes
    assert notes == (NO_NAMES, "1 of 19 rows has a score that is not a number (line 1): left out.")
    assert first_line(brought("sentence1,sentence2,score\na,b,1\nc,d,2\n")) is None


def test_two_columns_of_one_name_are_refused_and_the_first_line_may_still_be_a_row(visit):
    at = brought("sentence1,sentence2,score,score\na,b,1,5\nc,d,2,4\n", "two.csv")
    assert errors(at) == ["'two.csv' has two columns called 'score': give each its own name."]
    at = brought("good,good,fine\nbad,poor,weak\nwell,nice,great\n", "words.csv")
    first_line(at).set_value(True).run()
    assert errors(at) == ["'words.csv' has two columns called 'good': give each its own name."]
    first_line(at).set_value(False).run()
    assert errors(at) == []
    assert NO_NAMES in captions(at)


def test_columns_of_subsets_and_splits_are_chosen_whatever_they_are_called(visit):
    rows = (
        f"a {i};b {i};{i % 6};{'news' if i % 2 else 'forum'};{'dev' if i % 3 else 'test'}"
        for i in range(30)
    )
    at = brought("Satz A;Satz B;Bewertung;Quelle;Teil\n" + "\n".join(rows), "saetze.csv")
    for label, column in {"Subsets": "Quelle", "Splits": "Teil"}.items():
        next(box for box in at.selectbox if box.label == label).set_value(column).run()
    at.button(key="bring.use").click().run()
    assert errors(at) == []
    (link,) = at.session_state["brought"]
    corpus = shared_engine().corpus(link, "all")
    assert set(corpus.subset) == {"news", "forum"}
    assert set(corpus.splits) == {"dev", "test"}


def test_a_column_called_subset_is_offered_and_can_be_left_out(visit):
    rows = (f"a {i},b {i},{i % 6},{'news' if i % 2 else 'forum'}" for i in range(30))
    at = brought("sentence1,sentence2,score,genre\n" + "\n".join(rows), "genres.csv")
    menu = next(box for box in at.selectbox if box.label == "Subsets")
    assert menu.value == "genre"
    menu.set_value("").run()
    at.button(key="bring.use").click().run()
    (link,) = at.session_state["brought"]
    assert set(shared_engine().corpus(link, "all").subset) <= {""}
