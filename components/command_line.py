"""The command line of the pages: the dashboard served, a deck drawn anew as a page or as a deck."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

from components import serving
from components.streamlit_inside import log
from core import settings_file, streams
from core.errors import StrataError, closest, counted, shorten
from core.settings import Settings

ENDINGS = {
    ".html": "a page to present, read and print",
    ".json": "a deck that opens on the page Deck",
    ".zip": "tables, words and references for a paper",
    ".pptx": "PowerPoint",
}
"""What a report is written as, by the ending of its file."""

_Commands = argparse._SubParsersAction  # what argparse gives has no public name

WRITTEN = "; ".join(f"{ending} {what}" for ending, what in ENDINGS.items())

_PAGE_OF_DECK = 4
"""How many times as large as a deck its page may be, which has more than the deck."""

_EXAMPLE = """
The pages are run on the links that the figures keep: numbers are those that the pages show.

  python -m components report deck.json --output report.html
  python -m components report deck.json --output other.html --source bert-base-uncased --corpus STS-B
  python -m components report deck.json --output talk.pptx --as-pinned
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 1 where some figures stay as they were, 2 for bad input."""
    parser = _parser()
    streams.prepare()
    options = parser.parse_args(arguments)
    try:
        return options.command(options)
    except (StrataError, OSError) as error:
        _tell(f"{parser.prog}: {' '.join(str(error).split())}")
        return 2
    except KeyboardInterrupt:
        _tell("\nStopped.")
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m components", description=__doc__)
    commands = parser.add_subparsers(dest="name", required=True, metavar="COMMAND")
    _add_report(commands)
    _add_demonstrations(commands)
    _add_serve(commands)
    return parser


def _add_report(commands: _Commands) -> None:
    what = "draw a deck anew, with today's models and corpora or with others"
    command = commands.add_parser(
        "report",
        help=what,
        description=f"{what[0].upper()}{what[1:]}.",
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("deck", type=Path, help="a deck that was downloaded: .json, or the page .html")
    command.add_argument(
        "--output", type=Path, required=True, help=f"the file; its ending says what it is: {WRITTEN}"
    )
    command.add_argument(
        "--source",
        default="",
        help="a model for all recipes, as source= of a recipe, such as bundled (default: each its own)",
    )
    command.add_argument(
        "--corpus",
        default="",
        help="a corpus for all figures that are of one, such as demo (default: each keeps its own)",
    )
    command.add_argument(
        "--address",
        default="",
        help="where a dashboard runs, as http://127.0.0.1:8501: figures link to it (default: no links)",
    )
    command.add_argument(
        "--as-pinned",
        action="store_true",
        help="keep every figure as it was pinned, and only write the deck in another form (default: all "
        "figures are drawn anew)",
    )
    command.add_argument(
        "--browser",
        default="",
        help="the program that draws figures for .pptx: Chrome, Chromium or Edge, by name or path "
        "(default: the one that is found)",
    )
    command.set_defaults(command=_report)


def _add_demonstrations(commands: _Commands) -> None:
    what = "draw the decks that come along anew, on the built-in models and corpora"
    command = commands.add_parser("demonstrations", help=what, description=f"{what[0].upper()}{what[1:]}.")
    command.set_defaults(command=_demonstrate)


def _add_serve(commands: _Commands) -> None:
    what = "serve the dashboard, with the settings of strata.toml"
    command = commands.add_parser("serve", help=what, description=f"{what[0].upper()}{what[1:]}.")
    command.add_argument(
        "--address",
        default=serving.LOCAL,
        help=f"the address to listen on: 0.0.0.0 lets others in (default: {serving.LOCAL}, this machine)",
    )
    command.add_argument(
        "--port", type=int, default=serving.PORT, help=f"the port to listen on (default: {serving.PORT})"
    )
    command.add_argument(
        "--settings",
        type=Path,
        help="a file of settings (default: STRATA_SETTINGS, else strata.toml where the server starts)",
    )
    command.set_defaults(command=_serve)


def _serve(options: argparse.Namespace) -> NoReturn:
    """Become the server; what is wrong with the settings is told before."""
    if options.settings is not None:
        os.environ[settings_file.VARIABLE] = str(options.settings)
    command = serving.command(Settings.for_pages(), options.address, options.port)
    os.execv(command[0], command)  # noqa: S606  (no shell is meant)


def _report(options: argparse.Namespace) -> int:
    """Draw a deck anew and write it."""
    ending = options.output.suffix.lower()
    if ending not in ENDINGS:
        raise StrataError(
            f"--output: got {shorten(options.output)}; its ending says what is written: {WRITTEN}."
            f"{closest(ending, ENDINGS)}"
        )
    if options.output.is_dir() or not options.output.parent.is_dir():
        raise StrataError(
            f"--output: got {shorten(options.output)}; allowed is a file in a folder that is there."
        )
    drawn_anew = {"--source": options.source, "--corpus": options.corpus}
    if options.as_pinned and (idle := [name for name, value in drawn_anew.items() if value]):
        raise StrataError(
            f"{idle[0]} is of figures drawn anew, and --as-pinned draws none; give one of the two."
        )
    if options.address and not _is_of_web(options.address):
        raise StrataError(
            f"--address: got {shorten(options.address)}; allowed is where a dashboard runs, as "
            f"http://127.0.0.1:{serving.PORT}."
        )
    if options.source and Path(options.source).is_dir():  # whoever runs a command may read the folder
        known = filter(None, (os.environ.get("STRATA_FOLDERS"), str(Path(options.source).resolve())))
        os.environ["STRATA_FOLDERS"] = os.pathsep.join(known)

    from components.deck import browser, files, paper_files, presenter, redraw
    from core.corpora.unreadable import refuse_no_file

    if ending == ".pptx":
        browser.program(options.browser)  # told before any figure is drawn
    log.leave_out_missing_server()
    refuse_no_file(options.deck)
    is_page = options.deck.suffix == ".html"
    most = _PAGE_OF_DECK * files.LARGEST if is_page else files.LARGEST
    if (size := options.deck.stat().st_size) > most:
        raise StrataError(
            f"{shorten(options.deck)} has {size:,} bytes; at most {most:,} are read. Remove slides "
            "with many points or frames."
        )
    content = options.deck.read_bytes()
    deck = files.read(presenter.deck_of(content) if is_page else content)
    if deck.mended:
        _tell(deck.mended)
    problems: Sequence[str] = ()
    if not options.as_pinned:
        drawn = redraw.redrawn(deck, options.source, options.corpus, _tell)
        deck, problems = drawn.deck, drawn.problems
    made = {
        ".html": lambda: presenter.page(deck, options.address).encode(),
        ".json": lambda: files.write(deck),
        ".zip": lambda: paper_files.archive(deck),
        ".pptx": lambda: browser.powerpoint_file(deck, options.address, options.browser),
    }
    options.output.write_bytes(made[ending]())
    _tell(
        f"{options.output}: {counted(len(deck.slides), 'slide')}"
        + f", {len(problems)} as pinned" * bool(problems)
    )
    return 1 if problems else 0


def _is_of_web(address: str) -> bool:
    """Whether a link may lead to an address: one of another kind, as javascript:, would run."""
    try:
        parts = urlsplit(address)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, brackets that are not closed
        return False


def _demonstrate(_: argparse.Namespace) -> int:
    """Draw the decks that come along anew."""
    from components.deck import demonstrations

    log.leave_out_missing_server()
    demonstrations.build_all(_tell)
    return 0


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")
