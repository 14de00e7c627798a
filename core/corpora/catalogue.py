"""Corpora by name: the built-in one, those of a data folder, the hub's benchmarks, and files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path

import pandas as pd

from core.corpora.brought import read_kept, title_of
from core.corpora.corpus import Corpus
from core.corpora.listing import PARTS, corpora_in, kind_of
from core.corpora.senteval import SentEvalSet, read_set, sets_in
from core.corpora.table_files import ENDINGS, read_table
from core.corpora.tables import SCALE, corpus_from, labelled_from, pairs_from, read_corpus
from core.corpora.units import split_unit, with_unit
from core.corpora.uploads import Uploads
from core.errors import CorpusError, closest, first_line, shorten
from core.storage.files import Stamp, stamp_of
from core.storage.hub import HubError, Repository, is_cached, is_hub_id, snapshot
from core.trust import Trust, is_file

DEMO = "demo"
TOPICS = "topics"
VOCABULARY = "vocabulary"

BUILT_IN_ORIGIN = "built in"
"""The origin of a corpus that comes along."""

BUILT_IN = {DEMO: "pairs", TOPICS: "labelled", VOCABULARY: "texts"}
"""The corpora that come along (``core/corpora/data/README.md``), and of what kind they are.

The last is a list of words, each a text, from the package ``wordfreq``: groups of words, as those of S3E,
can be learnt from it in place of a corpus' own words.
"""

WORDS = 30_000
"""Words of the list, the most frequent of English."""

HUB = {
    "sts12": ("mteb/sts12-sts", SCALE),
    "sts13": ("mteb/sts13-sts", SCALE),
    "sts14": ("mteb/sts14-sts", SCALE),
    "sts15": ("mteb/sts15-sts", SCALE),
    "sts16": ("mteb/sts16-sts", SCALE),
    "stsb": ("mteb/stsbenchmark-sts", SCALE),
    "sickr": ("mteb/sickr-sts", (1.0, 5.0)),
    "str2022": ("vkpriya/str-2022", (0.0, 1.0)),
}
"""The standard benchmarks: their data set on the hub, and the range of their scores."""

FROM_HUB = "hub:"
"""What the name of any other data set of the hub begins with: ``hub:owner/name``."""

ALSO = {"stsb": {"stsbenchmark"}, "sickr": {"sick"}, "str2022": {"str"}}
"""What the benchmarks are called elsewhere, without capitals, dashes and dots."""

_DATA_FOLDER = files(__package__) / "data"
_DATA = "*.[jptc]*"  # json, jsonl, parquet, tsv, csv: a cache that holds none of them is no data set
_FILES = ("*.md", "*.json", "*.jsonl", "*.jsonl.gz", "*.parquet", "*.tsv", "*.csv")


@dataclass(frozen=True)
class Listed:
    """A corpus that can be had by name.

    ``kind`` is pairs, labelled or texts; ``task`` the one that its folder or file says it is for.
    """

    name: str
    kind: str
    origin: str
    task: str = ""

    @property
    def from_hub(self) -> bool:
        """Whether it is the hub's, which may need the network."""
        return self.origin.startswith("hub: ")


@dataclass(frozen=True)
class BuiltIn:
    """A corpus that comes along, and what makes it."""

    make: Callable[[], Corpus]


@dataclass(frozen=True)
class InFile:
    """A corpus in a file."""

    path: Path


class InFolder(InFile):
    """A file of the data folder."""


class Upload(InFile):
    """A file that a visitor brought."""


class ByPath(InFile):
    """A file that is named by its path, there or not."""


@dataclass(frozen=True)
class OnHub:
    """A data set of the hub, and the range of its scores where it is known."""

    identifier: str
    scale: tuple[float, float] | None


CorpusStamp = tuple[str, tuple[Stamp, ...]]
"""Where a corpus is, and the stamps of its files; none where it is in no file."""

Place = BuiltIn | InFolder | SentEvalSet | Upload | OnHub | ByPath
"""Where a corpus is."""


@dataclass(frozen=True)
class Catalogue:
    """Finds corpora.

    Attributes
    ----------
    data
        A folder with ``sts/NAME.tsv.gz``, ``classification/NAME.tsv.gz`` (also ``clustering``, ``probing``)
        and ``corpus/NAME.txt.gz``, or SentEval's data folder.
    uploads
        The files that visitors brought, which are found by name but not listed.
    trust
        The paths that a name may be, and whether the hub may be asked for files at once.
    """

    data: Path | None = None
    uploads: Uploads | None = None
    trust: Trust = Trust()

    def listed(self) -> list[Listed]:
        """Every corpus with a name, those that need no network first."""
        tasks = {DEMO: "sts", TOPICS: "classification"}
        corpora = [
            Listed(name, kind, BUILT_IN_ORIGIN, tasks.get(name, "")) for name, kind in BUILT_IN.items()
        ]
        files = corpora_in(self.data)
        for name, path in files.items():
            corpora.append(self._listed_file(name, path))
        for name, found in self._senteval().items():
            if name not in files:
                corpora.append(
                    Listed(name, found.kind, f"data folder: {found.shown} (SentEval)", found.task)
                )
        return corpora + [Listed(name, "pairs", f"hub: {hub}", "sts") for name, (hub, _) in HUB.items()]

    def load(self, name: str, scale: tuple[float, float] | None = None) -> Corpus:
        """The corpus called ``name``: a built-in one, a name in the data folder, a hub benchmark, a path.

        Raises
        ------
        DownloadRequiredError
            Only the hub has the corpus, and ``trust`` does not let it be downloaded unasked.
        CorpusError
            No such corpus, or the hub is out of reach; the message names what there is.
        """
        match self._place(name):
            case BuiltIn(make):
                return make()
            case InFolder(path):
                return read_corpus(path, name, scale or _range_of(name), self._task_of(path))
            case SentEvalSet() as found:
                return read_set(found, scale)
            case Upload(path):
                return read_kept(path, name, scale)
            case OnHub(identifier, own_scale):
                return self._from_hub(name, identifier, scale, own_scale)
            case ByPath(path):
                return read_corpus(path, scale=scale)
        allowed = [entry.name for entry in self.listed()]
        also = "" if self.trust.restricted else f", or the path of a file ({', '.join(ENDINGS[::2])})"
        raise CorpusError(
            f"There is no corpus {shorten(name)}.{closest(name, allowed)} "
            f"Allowed: {', '.join(allowed)}{also}."
        )

    def offered(self) -> list[Listed]:
        """The corpora that a page offers: without those of the hub that are here under another name."""
        listed = self.listed()
        here = {_plain(entry.name) for entry in listed if not entry.from_hub}
        return [
            entry
            for entry in listed
            if not (entry.from_hub and {entry.name, *ALSO.get(entry.name, ())} & here)
        ]

    def title(self, name: str) -> str:
        """What the corpus is called that a link finds by ``name``."""
        name, unit = split_unit(name)
        place = self._place(name)
        title = title_of(place.path) if isinstance(place, Upload) else ""
        return with_unit(title or name, unit)

    def is_here(self, name: str) -> bool:
        """Whether a corpus can be read without the network."""
        place = self._place(split_unit(name)[0])
        return not isinstance(place, OnHub) or is_cached(_repository(place.identifier))

    def stamp(self, name: str) -> CorpusStamp:
        """What changes when a file of the corpus does; an upload counts as used now."""
        name, _ = split_unit(name)
        place = self._place(name)
        if isinstance(place, SentEvalSet):
            return f"{place.root.resolve()}:{place.name}", tuple(map(stamp_of, place.here))
        if not isinstance(place, InFile) or not is_file(place.path):
            return name, ()
        if isinstance(place, Upload) and self.uploads is not None:
            self.uploads.touch(place.path)
        return str(place.path.resolve()), (stamp_of(place.path),)

    def bytes_of(self, name: str) -> int:
        """Bytes of the corpus' files; 0 for one that is in no file here."""
        return sum(size for _, size, _ in self.stamp(name)[1])

    def holds(self, name: str) -> bool:
        """Whether a link may name the corpus: a listed one, an upload, or a file in an allowed folder."""
        try:
            name, _ = split_unit(name)
        except CorpusError:
            return False
        place = self._place(name)
        if not isinstance(place, ByPath):
            return place is not None
        named = place.path.name.lower()
        return self.trust.restricted and is_file(place.path) and named.endswith(ENDINGS)

    def _place(self, name: str) -> Place | None:
        """Where the corpus called ``name`` is: the first place that has it; None where none has."""
        if name in (DEMO, TOPICS):
            return BuiltIn(demo if name == DEMO else topics)
        if (path := corpora_in(self.data).get(name)) is not None:
            return InFolder(path)
        if name == VOCABULARY:
            return BuiltIn(vocabulary)
        if (found := self._senteval().get(name)) is not None:
            return found
        if self.uploads and (path := self.uploads.corpora().get(name)) is not None:
            return Upload(path)
        if name in HUB:
            return OnHub(*HUB[name])
        if identifier := _hub_id(name):
            return OnHub(identifier, None)
        path = self.trust.path(name)
        here = path is not None and (is_file(path) or name.lower().endswith(ENDINGS))
        return ByPath(path) if path is not None and here else None

    def _senteval(self) -> dict[str, SentEvalSet]:
        return sets_in(self.data)

    def _task_of(self, path: Path) -> str:
        """The task that a file's place in the data folder says it is for."""
        return PARTS.get(path.parent.name, "") if self.data and path.parent != self.data else ""

    def _listed_file(self, name: str, path: Path) -> Listed:
        origin = f"data folder: {path.relative_to(self.data or path.parent)}"
        kind, task = kind_of(path), self._task_of(path)
        if kind == "texts":
            return Listed(name, kind, origin)
        return Listed(name, kind, origin, task or ("sts" if kind == "pairs" else "classification"))

    def _from_hub(
        self, name: str, hub: str, scale: tuple[float, float] | None, own_scale: tuple[float, float] | None
    ) -> Corpus:
        here = ", ".join([*BUILT_IN, *corpora_in(self.data)])
        try:
            table, revision = _read_hub(hub, download=self.trust.downloads)
        except HubError as error:
            also = "" if self.trust.restricted else ", or the path of a file"
            advice = f"What works without network: {here}{also}."
            if self.data is None:
                advice += " Others lie in a data folder: name one with --data or STRATA_DATA."
            raise CorpusError(f"{name}: {error} {advice}") from error
        origin = f"hub: {hub}@{revision}"
        if own_scale is None:
            return corpus_from(table, name, origin, scale)
        return pairs_from(table, name, origin, scale or (own_scale if own_scale != SCALE else None))


def demo() -> Corpus:
    """The demonstration corpus: pairs of nine kinds, scored from 0 to 5."""
    with as_file(_DATA_FOLDER / "demo.tsv") as path:
        loaded = read_corpus(path, DEMO)
    note = (
        f"{DEMO}: a demonstration, written for this project and scored twice by language models: "
        "see how recipes differ on it, and report results on a benchmark."
    )
    return replace(loaded, origin=BUILT_IN_ORIGIN, notes=(note,))


def topics() -> Corpus:
    """Short texts of twelve topics in three registers; the topics are their labels."""
    with as_file(_DATA_FOLDER / "topics.tsv") as path:
        loaded = labelled_from(read_table(path), TOPICS, BUILT_IN_ORIGIN, label="topic")
    return replace(loaded, notes=(f"{TOPICS}: a demonstration, written for this project.",))


def vocabulary() -> Corpus:
    """The most frequent words of English, each a text of its own, the most frequent first."""
    from wordfreq import top_n_list

    words = top_n_list("en", WORDS)
    return Corpus.of_texts(
        VOCABULARY, words, origin=f"wordfreq: its {WORDS:,} most frequent words of English"
    )


@lru_cache(maxsize=1000)
def _plain(name: str) -> str:
    """A name without capitals, dashes and dots: ``STS-B`` and ``stsb`` are one."""
    return "".join(character for character in name.lower() if character.isalnum())


def _range_of(name: str) -> tuple[float, float] | None:
    """The range of scores of a file called as a benchmark is; None where they end as those of STS do."""
    _, known = HUB.get(_plain(name), ("", SCALE))
    return None if known[1] == SCALE[1] else known


def _hub_id(name: str) -> str:
    """``owner/name`` of ``hub:owner/name``; empty for another name."""
    identifier = name.removeprefix(FROM_HUB)
    return identifier if name.startswith(FROM_HUB) and is_hub_id(identifier) else ""


def _repository(hub: str) -> Repository:
    return Repository(hub, "dataset", _FILES, (_DATA,))


def _read_hub(hub: str, *, download: bool) -> tuple[pd.DataFrame, str]:
    """All splits of a hub data set as one table, and the commit they are of."""
    from datasets import DatasetDict, disable_progress_bars, load_dataset

    folder = snapshot(_repository(hub), download=download)
    disable_progress_bars()
    try:
        splits: DatasetDict = load_dataset(str(folder))
    except Exception as error:  # the library and its readers raise many kinds
        raise HubError(f"The files of {hub!r} in {folder} cannot be read: {first_line(error)}.") from error
    tables = [splits[name].to_pandas().assign(split=name) for name in splits]
    return pd.concat(tables, ignore_index=True), folder.name[:12]
