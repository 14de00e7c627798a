"""Files that visitors bring, damaged: a corpus or a deck that is right, or a refusal in words."""

from __future__ import annotations

import gzip
import io
import random
import resource
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pandas as pd

from components.deck import changes
from components.deck import files as deck_files
from components.deck.document import Deck, Slide, Table
from core.corpora.tables import read_corpus
from core.corpora.uploads import Uploads
from tests.campaign.tally import Bounds, Tally
from tests.components.deck.figures import pinned
from tests.core.helpers.texts import pairs

SECONDS = 5.0
"""Within which a file is read or refused."""

KILOBYTES = 1_000_000
"""By which the process may grow at its peak."""

MARKS = (
    b'"',
    b"'",
    b"\t",
    b",",
    b"\n",
    b"\r",
    b"\0",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xc3",
    b"\xed\xa0\x80",
)
CELLS = (
    *(b'"' * 99, b"x" * 1_000_000, b"=1+1", b"<script>", "שלום\u202e".encode(), b"1e999", b"-0", b"nan"),
    *(mark * 2_000_000 for mark in (b",", b";", b"\t")),
)


def uploads(bounds: Bounds, folder: Path) -> Tally:
    """Tables with random damage, brought as a visitor brings them; what is kept is read again."""
    tally, chance = Tally("tables brought by visitors"), random.Random(bounds.seed)
    whole = tables()
    for _ in bounds.trials():
        name = chance.choice(sorted(whole))
        content = damaged(whole[name], chance)
        place = Uploads(folder / "uploads", 100_000_000, 50_000_000)
        tally.count((name, content[:120]), _timed(lambda n=name, c=content, p=place: _bring(p, n, c)))
        shutil.rmtree(folder / "uploads", ignore_errors=True)
    return tally


def decks(bounds: Bounds, folder: Path) -> Tally:
    """Deck files with random damage: the deck again, or a refusal."""
    tally, chance = Tally("deck files"), random.Random(bounds.seed)
    deck = changes.pin(changes.pin(Deck(), pinned("one")), pinned("two", 30))
    deck = changes.add(deck, Slide("ff", "numbers", table=Table(("x", "y"), ((1, None), (0.5, "b")))))
    whole = deck_files.write(deck)
    for _ in bounds.trials():
        content = damaged(whole, chance)
        tally.count(content[:120], _timed(lambda c=content: _open(c)))
    return tally


def tables() -> dict[str, bytes]:
    """The same pairs in every form that is read."""
    corpus = pairs(40)
    table = pd.DataFrame(
        {
            "sentence1": [corpus.sentences[i] for i in corpus.first],
            "sentence2": [corpus.sentences[i] for i in corpus.second],
            "score": corpus.gold,
        }
    )
    parquet = io.BytesIO()
    table.to_parquet(parquet)
    tsv, csv = (table.to_csv(sep=mark, index=False).encode() for mark in "\t,")
    return {
        "pairs.tsv": tsv,
        "pairs.csv": csv,
        "pairs.tsv.gz": gzip.compress(tsv, 1),
        "pairs.csv.gz": gzip.compress(csv, 1),
        "pairs.parquet": parquet.getvalue(),
    }


def damaged(content: bytes, chance: random.Random) -> bytes:
    """One to four changes: bytes, cells, lines, an end cut off, parts repeated."""
    for _ in range(chance.randint(1, 4)):
        content = chance.choice(DAMAGES)(content, chance)
    return content


def _bring(place: Uploads, name: str, content: bytes) -> str | None:
    kept = place.bring(name, content)
    corpus = read_corpus(place.corpora()[kept])
    return None if len(corpus) and len(corpus.sentences) > 0 else "a corpus without pairs was kept"


def _open(content: bytes) -> str | None:
    deck = deck_files.read(content)
    return None if deck_files.read(deck_files.write(deck)) == deck else "it is read as another deck"


def _timed(trial: Callable[[], str | None]) -> str | Exception | None:
    begun, before = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        problem = trial()
    except Exception as error:
        return error
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    slow = time.monotonic() - begun
    if slow > SECONDS or grown > KILOBYTES:
        return f"it took {slow:.1f} s and {grown / 1e6:.1f} GB"
    return problem


def _byte(content: bytes, chance: random.Random) -> bytes:
    changed = bytearray(content or b"x")
    changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _mark(content: bytes, chance: random.Random) -> bytes:
    at = chance.randint(0, len(content))
    return content[:at] + chance.choice(MARKS) + content[at:]


def _cell(content: bytes, chance: random.Random) -> bytes:
    at = chance.randint(0, len(content))
    return content[:at] + chance.choice(CELLS) + content[at:]


def _cut(content: bytes, chance: random.Random) -> bytes:
    return content[: chance.randint(0, len(content))]


def _repeat(content: bytes, chance: random.Random) -> bytes:
    at = chance.randint(0, len(content))
    return content[:at] + content[at : at + 50] * chance.choice((2, 1000)) + content[at:]


def _line(content: bytes, chance: random.Random) -> bytes:
    lines = content.split(b"\n")
    lines.insert(
        chance.randint(0, len(lines)), chance.choice((b"", b"\t" * 9, b",,", b"a\tb", chance.choice(lines)))
    )
    return b"\n".join(lines)


DAMAGES = (_byte, _mark, _cell, _cut, _repeat, _line)
