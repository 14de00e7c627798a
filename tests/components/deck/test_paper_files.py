"""Tables and references of a deck, for a paper."""

import io
import re
import zipfile

import pandas as pd
import pytest

from components.deck import bibliography, changes, files, paper_files, pasted, references
from components.deck.document import Deck, Slide, Table
from components.exports import latex, tables
from components.exports.names import file_name
from core.literature.tables.papers import PAPERS
from core.recipe import STAGES
from tests.components.deck.test_files import HOSTILE


@pytest.fixture
def deck(figure) -> Deck:
    deck = changes.pin(
        Deck(), figure("A_1 & B", 3, recipes={"A": "layers=last;weight=ditto(layer=1,head=2)"})
    )
    deck = changes.pin(deck, figure(HOSTILE, 2, numbers=None, key="isoscore"))
    return changes.add(
        deck, Slide("ff", HOSTILE, table=Table(("x", HOSTILE), ((1.5, HOSTILE),)), note=HOSTILE)
    )


def opened(deck: Deck) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(paper_files.archive(deck))) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_an_archive_holds_the_deck_its_words_tables_and_references(deck):
    held = opened(deck)
    assert files.read(held["deck.json"]) == deck
    table = "tables/strata_001_A-1-B"
    assert {f"{table}.csv", f"{table}.md", f"{table}.tex", "slides.md", "references.bib"} < set(held)
    assert sum(name.startswith("tables/") for name in held) == 6
    assert not [name for name in held if not re.fullmatch(r"[\w/+.-]+", name)]
    numbers = pd.read_csv(io.BytesIO(held[f"{table}.csv"]), comment="#", encoding="utf-8-sig")
    assert numbers.values.tolist() == [[0, 0.0], [1, 0.5], [2, 1.0]]
    assert r"\caption{A\_1 \& B." in held[f"{table}.tex"].decode()
    assert paper_files.archive(deck) == paper_files.archive(deck)


def test_a_figure_without_numbers_says_where_they_are(deck):
    told = "Its numbers are more than a deck keeps: Save has them under the figure"
    assert opened(deck)["slides.md"].decode().count(told) == 1


def test_a_table_has_the_letter_of_its_figure(figure):
    deck = changes.pin(changes.pin(Deck(), figure("left", numbers=None)), figure("right"))
    held = opened(changes.join(deck, deck.slides[0].id))
    assert "tables/strata_001b_right.csv" in held


def test_no_two_tables_of_a_deck_have_one_label(figure):
    deck = changes.pin(Deck(), figure("Layer 5 scores highest", 30))
    deck = changes.pin(changes.tabulate(deck, deck.slides[0].id), figure("Layer 5 scores highest!"))
    found = [text.decode() for name, text in opened(deck).items() if name.endswith(".tex")]
    labels = [re.search(r"\\label\{(.+?)\}", text)[1] for text in found]
    assert labels[0] == "tab:layer-5-scores-highest"
    assert len(set(labels)) == 3


def test_captions_say_the_words_of_the_slide(figure):
    deck = changes.pin(changes.pin(changes.pin(Deck(), figure("one")), figure("left")), figure("right"))
    deck = changes.edit(deck, deck.slides[0].id, title="Ours")
    deck = changes.join(deck, deck.slides[1].id)
    deck = changes.entitle(deck, deck.slides[1].id, 1, "Theirs")
    deck = changes.edit(deck, deck.slides[1].id, title="Both")
    held = opened(deck)
    named = {"001_Ours": "Ours", "002a_left": "left", "002b_Theirs": "Theirs"}
    for name, title in named.items():
        assert f"# {title}\n" in held[f"tables/strata_{name}.csv"].decode()
        assert rf"\caption{{{title}. A: " in held[f"tables/strata_{name}.tex"].decode()
        assert held[f"tables/strata_{name}.md"].decode().startswith(f"{title}  \n")
    assert "  \none" not in (words := held["slides.md"].decode()) and "right" not in words


def test_hostile_words_are_text_in_latex_and_markdown(deck):
    held = opened(deck)
    (latex,) = (
        held[name].decode() for name in held if name.startswith("tables/strata_003") and "tex" in name
    )
    assert r"\textbackslash{}input\{x\} \$x\$" in latex
    assert r"\input" not in latex
    assert "<script>" not in held["slides.md"].decode().replace(f"*Note.* {HOSTILE}", "")


def test_papers_are_cited_whose_methods_and_measures_are_used(deck):
    assert references.used(deck) == ["chen2023", "rudman2022"]
    text = references.bibtex(deck).decode()
    assert re.findall(r"@\w+\{(\w+),", text) == ["chen2023", "rudman2022"]
    assert text.count("{") == text.count("}")
    assert references.bibtex(Deck()).startswith(b"%")


def test_every_paper_has_an_entry_and_every_option_is_one(figure):
    for (stage, option), key in references.OF_OPTIONS.items():
        assert key in bibliography.ENTRIES
        assert option in STAGES[stage].options
    deck = Deck()
    for paper in PAPERS:
        deck = changes.pin(deck, figure(page="papers", line=f"{paper.citation}, Table 1"))
    assert len(references.used(deck)) == len(PAPERS)
    for kind, fields in bibliography.ENTRIES.values():
        assert kind in ("article", "inproceedings", "misc")
        assert {"author", "title", "year"} <= set(fields)


def test_methods_name_their_papers(figure):
    recipes = {
        "layers=1+2+last;post=whiten": {"su2021", "huang2021"},
        "layers=first+last;post=whiten": {"su2021"},
        "pool=gem": {"yang2019"},
        "pool=vlawe;post=ccr": {"ionescu2019", "arora2017"},
        "template=T0;tokens=mask": {"jiang2022"},
        "template=T4;tokens=mask": {"stankevicius2024"},
    }
    for recipe, keys in recipes.items():
        deck = changes.pin(Deck(), figure(recipes={"A": recipe}))
        assert set(references.used(deck)) == keys, recipe


def test_entries_have_what_a_bibliography_prints():
    for key, (kind, fields) in bibliography.ENTRIES.items():
        assert kind != "article" or {"journal", "volume", "pages"} <= set(fields), key
        assert kind != "inproceedings" or "booktitle" in fields, key
        assert fields["year"] == key[-4:] or key == "wang2020", "printed the year after the conference"
        assert "--" in fields.get("pages", "--") or fields["pages"].isdecimal()


def test_titles_with_slashes_name_files_that_stay_where_they_are_put(figure):
    deck = changes.pin(changes.rename(Deck(), "a/b\\..\\c:*?<>|"), figure("../../etc/passwd"))
    with zipfile.ZipFile(io.BytesIO(paper_files.archive(deck))) as archive:
        names = archive.namelist()
    assert [name for name in names if name.count("/") > 1 or ".." in name or "\\" in name] == []
    assert "tables/strata_001_etc-passwd.csv" in names
    assert file_name(("deck", deck.title), "pptx") == "strata_deck_a-b-c.pptx"


def test_a_table_that_is_cut_says_so_and_where_all_rows_are(figure):
    deck = changes.pin(Deck(), figure("Densities", points=201))
    archive = zipfile.ZipFile(io.BytesIO(paper_files.archive(deck)))
    (csv,) = (name for name in archive.namelist() if name.endswith(".csv"))
    for ending in (".md", ".tex"):
        (name,) = (name for name in archive.namelist() if name.endswith(ending) and "tables/" in name)
        text = archive.read(name).decode()
        assert "200 of 201 rows; strata_001_Densities.csv holds all" in text.replace("\\", "")
        assert "99.5" in text
        assert "| 200 |" not in text and "200 & 100" not in text
    assert "200 of" not in archive.read(csv).decode()


def test_a_pasted_table_keeps_its_digits_and_numbers_stand_on_the_right():
    frame = pasted.table('method,demo,"STS-B, test"\nmean,46.0,-40.1\nDitto,49.45,').frame()
    text = latex.table(["t"], frame).decode()
    assert r"\begin{tabular}{lrr}" in text
    assert r"mean & 46.0 & $-$40.1 \\" in text
    assert "| --- | ---: | ---: |" in tables.markdown(["t"], frame).decode()
    assert tables.csv([], frame).decode("utf-8-sig").splitlines()[1:] == ["mean,46.0,-40.1", "Ditto,49.45,"]


def test_whole_numbers_beside_a_gap_are_written_whole():
    table = Table(("n", "x", "n"), ((12345, 0.5, 1), (None, 12345.0, 2)))
    frame = table.frame()
    assert tables.tabbed(frame) == "n\tx\tn\n12345\t0.5\t1\n\t12345.0\t2"
    assert b"12345 & 0.5 & 1" in latex.table(["a"], frame)
    assert tables.csv(["a"], frame).decode("utf-8-sig").splitlines()[2:] == ["12345,0.5,1", ",12345.0,2"]
    for columns, rows in (((), ()), (("a",), ()), (("a", "b"), ((2**70, None), (None, True)))):
        assert Table(columns, rows).frame().shape == (len(rows), len(columns))
