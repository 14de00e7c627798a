"""A deck drawn anew on the command line: the numbers of the page, other models and corpora, problems."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlencode

import pytest

from components import command_line
from components.deck import browser, changes, files, presenter, redraw
from components.deck.document import Deck, DeckError, Slide
from components.deck.store import DeckStore
from core.cli import main
from tests.components.deck.figures import pinned
from tests.core.helpers import tiny
from tests.pages.reading import charts, pairs_of


@pytest.fixture
def dogs(corpora) -> str:
    texts = [f"the dog {i} ran by the cat {i * i % 7}" for i in range(40)]
    corpora(dogs=pairs_of(texts), cats=pairs_of(texts[::-1], lambda i: i * i % 6))
    return "dogs"


@pytest.fixture(scope="module")
def other(tmp_path_factory) -> str:
    """The folder of another tiny model."""
    return str(tiny.build("roberta", tmp_path_factory.mktemp("other") / "roberta"))


def link(page: str, **said: str) -> str:
    return f"{page}?{urlencode(said)}"


def test_a_report_has_the_page_s_numbers_and_those_of_another_model_and_corpus(
    visit, dogs, small, other, passes, tmp_path, capsys
):
    at = visit("scores", corpus=dogs, a=small, b="none")
    key = next(str(one.key) for one in at.button if str(one.key).endswith(".pin"))
    at.button(key=key).click().run()
    deck = DeckStore(passes / "decks").get(at.query_params["deck"])
    deck = changes.edit(deck, deck.slides[0].id, note="as seen")
    assert main(["score", "--recipe", small, "--corpus", dogs, "--json", "--quiet"]) == 0
    score = json.loads(capsys.readouterr().out)["spearman"]
    assert f": A {score:.1f} ± ".replace("-", "−") in deck.slides[0].title
    path, out = tmp_path / "deck.json", tmp_path / "anew.json"
    path.write_bytes(files.write(deck))

    assert command_line.main(["report", str(path), "--output", str(out)]) == 0
    anew = files.read(out.read_bytes())
    (old,), (new,) = deck.figures_of(deck.slides[0]), anew.figures_of(anew.slides[0])
    assert (new.plotly, new.numbers, new.title, new.link) == (old.plotly, old.numbers, old.title, old.link)
    assert (anew.slides[0].title, anew.slides[0].note) == (old.title, "as seen")
    assert not list((passes / "decks").glob("*.lock.json"))

    there = ["--source", other, "--corpus", "cats"]
    page = tmp_path / "other.html"
    assert command_line.main(["report", str(path), "--output", str(page), *there]) == 0
    shown = files.read(presenter.deck_of(page.read_bytes()))
    (figure,) = shown.figures_of(shown.slides[0])
    seen = visit("scores", corpus="cats", a=f"source={other};layers=last", b="none")
    (spec, *_) = [json.loads(chart.spec) for chart in charts(seen)]
    assert [trace["y"] for trace in figure.plotly["data"]] == [trace["y"] for trace in spec["data"]]
    assert figure.recipes["A"] == f"source={other};layers=last"
    assert "corpus=cats" in figure.link
    assert shown.slides[0].title == figure.title != old.title
    assert "1 of 1: Spearman × 100 with gold scores" in capsys.readouterr().err


def test_a_figure_that_cannot_be_drawn_stays_and_the_reason_is_told(dogs, tmp_path, capsys):
    gone = pinned("Old one", link=link("scores", a="source=no-such-model", b="none", corpus="dogs"))
    nowhere = pinned("Of no page", page="nowhere")
    deck = changes.pin(changes.pin(Deck(), gone), nowhere)
    deck = changes.add(deck, Slide("ff", "words", text="stay"))
    path, out = tmp_path / "deck.json", tmp_path / "anew.json"
    path.write_bytes(files.write(deck))
    assert command_line.main(["report", str(path), "--output", str(out)]) == 1
    told = capsys.readouterr().err
    assert "no-such-model" in told
    assert "There is no page 'nowhere' here" in told
    assert "3 slides, 2 as pinned" in told
    assert files.read(out.read_bytes()).slides == deck.slides
    assert command_line.main(["report", str(path), "--output", str(out), "--as-pinned"]) == 0


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        *(
            (
                ["deck.json", "--output", "x.html", "--as-pinned", *given],
                f"{given[0]} is of figures drawn anew",
            )
            for given in (["--source", "random"], ["--corpus", "demo"])
        ),
        (["missing.json", "--output", "x.html"], "There is no file 'missing.json'."),
        (["deck.json", "--output", "x.ppt"], ".pptx PowerPoint. Did you mean '.pptx'?"),
        (["deck.json", "--output", "x"], "its ending says what is written: .html a page"),
        (
            ["deck.json", "--output", "x.pptx", "--browser", "no-such"],
            "'no-such', which is no program here",
        ),
        (["cut.json", "--output", "x.html"], "it is cut"),
        (["/dev/zero", "--output", "x.html"], "'/dev/zero' is a device or a pipe and no file."),
        ([".", "--output", "x.html"], "'.' is a folder and no file."),
        (["pipe.json", "--output", "x.html"], "is a device or a pipe"),
        (["large.html", "--output", "x.html"], "has 50,000,000,000 bytes; at most 256,000,000 are read."),
        (["deck.json", "--output", "x.html", "--source", "x;y"], "source"),
        (
            ["deck.json", "--output", "x.html", "--corpus", "demmo"],
            "no corpus 'demmo'. Did you mean 'demo'",
        ),
        (
            ["deck.json", "--output", "no/x.html"],
            "'no/x.html'; allowed is a file in a folder that is there",
        ),
        (["deck.json", "--output", "folder.html"], "'folder.html'; allowed is a file in a folder"),
        *(
            (["deck.json", "--output", "x.html", "--address", address], f"--address: got '{address}'")
            for address in ("javascript:alert(1)", "127.0.0.1:8501", "http://", "http://[::1", "http://a:b")
        ),
    ],
)
def test_bad_input_is_told_in_a_line(arguments, why, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    content = files.write(changes.pin(Deck(), pinned()))
    (tmp_path / "deck.json").write_bytes(content)
    (tmp_path / "cut.json").write_bytes(content[:200])
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "folder.html").mkdir()
    monkeypatch.setattr(redraw, "draw", lambda *_: pytest.fail("a figure is drawn"))
    with (tmp_path / "large.html").open("wb") as file:
        file.truncate(50_000_000_000)
    assert command_line.main(["report", *arguments]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()[-1:]
    assert why in line
    assert not (tmp_path / "x.html").exists()


def test_recipes_of_a_link_take_another_model_and_none_stays_none():
    said = {
        "a": "layers=last;weight=idf",
        "b": "none",
        "corpus": "dogs",
        "split": "dev",
        "pins": "layers=0",
    }
    figure = pinned(link=link("geometry", **said, v="A000000"))
    assert redraw.parameters(figure, "random(seed=1)", "cats") == {
        "a": "source=random(seed=1);layers=last;weight=idf",
        "b": "none",
        "corpus": "cats",
        "pins": "source=random(seed=1);layers=0",
    }
    assert redraw.parameters(figure) == said


def test_a_recipe_that_cannot_be_read_keeps_its_figure_and_no_other(dogs, small, other, tmp_path, capsys):
    """A pin of an option that is gone: pages leave it out, and it cannot get another model."""
    gone = pinned("Gone", page="geometry", link=link("geometry", a=small, pins="pool=gone", corpus=dogs))
    fine = pinned("Fine", key="scatter", link=link("scores", a=small, b="none", corpus=dogs))
    path, out = tmp_path / "deck.json", tmp_path / "anew.json"
    path.write_bytes(files.write(changes.pin(changes.pin(Deck(), gone), fine)))
    arguments = ["report", str(path), "--output", str(out), "--source", other]
    assert command_line.main(arguments) == 1
    assert "pool" in capsys.readouterr().err
    anew = files.read(out.read_bytes())
    assert anew.slides[0].title == "Gone"
    assert anew.figures_of(anew.slides[1])[0].recipes["A"] == f"source={other};layers=last"


def test_a_deck_without_figures_is_powerpoint_without_a_browser(tmp_path):
    assert browser.powerpoint_file(Deck(slides=(Slide("a", "words"),)), browser="no-such")[:2] == b"PK"


def test_no_browser_here_is_told_with_what_to_do(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(DeckError, match="None is found here. Give one with --browser PATH, or write .html"):
        browser.program()


ROOT = Path(__file__).parents[2]
HAS_PROC = Path("/proc/self/stat").exists()


@pytest.mark.skipif(not HAS_PROC, reason="processes are not files here")
@pytest.mark.parametrize("deaf", [False, True])
def test_a_browser_that_a_script_has_started_ends_with_it(monkeypatch, tmp_path, deaf):
    """As Debian's chromium, which is a script that waits for the program."""
    monkeypatch.setattr(browser, "SECONDS", 0.5)
    monkeypatch.setattr(browser, "PATIENCE", 0.5)
    deck = changes.pin(Deck(), pinned("a figure"))
    with pytest.raises(DeckError, match="drew no figure in"):
        browser.powerpoint_file(deck, browser=script(tmp_path, 'trap "" TERM' if deaf else ""))
    assert has_ended(tmp_path)


@pytest.mark.skipif(not HAS_PROC, reason="processes are not files here")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_command_that_is_stopped_ends_its_browser(tmp_path, number, code):
    deck = tmp_path / "deck.json"
    deck.write_bytes(files.write(changes.pin(Deck(), pinned("a figure"))))
    given = [str(deck), "--as-pinned", "--output", str(tmp_path / "x.pptx"), "--browser", script(tmp_path)]
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may run the tests without it
    command = subprocess.Popen([sys.executable, "-m", "components", "report", *given], cwd=ROOT)
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text().endswith("\n"):
        assert command.poll() is None
        time.sleep(0.05)
    command.send_signal(number)
    assert command.wait(30) == code
    assert has_ended(tmp_path)


def script(folder, first="") -> str:
    """A program that starts another one, whose number it writes, and waits for it."""
    path = folder / "browser"
    path.write_text(f"#!/bin/sh\n{first}\nsleep 300 &\necho $! > {folder / 'pid'}\nwait\n")
    path.chmod(0o755)
    return str(path)


def has_ended(folder) -> bool:
    """Whether what the script has started ends within two seconds."""
    state = Path(f"/proc/{int((folder / 'pid').read_text())}/stat")
    for _ in range(100):
        if not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.02)
    return False


def test_a_browser_that_draws_nothing_is_told(monkeypatch, tmp_path):
    monkeypatch.setattr(browser, "SECONDS", 0.2)
    deck = changes.pin(Deck(), pinned("a figure"))
    with pytest.raises(DeckError, match="drew no figure in"):
        browser.powerpoint_file(deck, browser="true")


@pytest.mark.parametrize("command", [["report"], ["demonstrations"], ["serve"]])
def test_every_option_says_what_it_does_and_its_default(command, capsys):
    with pytest.raises(SystemExit):
        command_line.main([*command, "--help"])
    options = re.split(r"\n  (?=-)", capsys.readouterr().out.partition("options:")[2].partition("\n\n")[0])
    for option in options[1:]:
        assert option.startswith(("-h", "--output")) or "(default: " in " ".join(option.split()), option
