"""Corpora by name: the built-in one, those of a data folder, the hub's benchmarks, and files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from core.corpora.built_in import (
    BUILT_IN,
    BUILT_IN_ORIGIN,
    DEMO,
    TOPICS,
    VOCABULARY,
    demo,
    topics,
    vocabulary,
)
from core.corpora.corpus import Corpus
from core.corpora.hub_sets import HUB, hub_id, range_of, read_hub, repository, same
from core.corpora.kept_tables import read_kept, title_of
from core.corpora.listing import PARTS, corpora_in, kind_of
from core.corpora.scales import SCALE
from core.corpora.senteval import SentEvalSet, read_set, sets_in
from core.corpora.table_files import ENDINGS
from core.corpora.tables import corpus_from, pairs_from, read_corpus
from core.corpora.units import split_unit, with_unit
from core.corpora.uploads import Uploads
from core.errors import CorpusError, closest, shorten
from core.storage.files import Stamp, stamp_of
from core.storage.glance import at_a_glance
from core.storage.hub import HubError, is_cached
from core.trust import Trust, is_file


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
                return read_corpus(path, name, scale or range_of(name), self._task_of(path))
            case SentEvalSet() as found:
                return read_set(found, scale)
            case Upload(path):
                return read_kept(path, name, scale)
            case OnHub(identifier, own_scale):
                return self._from_hub(name, identifier, scale, own_scale)
            case ByPath(path):
                return replace(read_corpus(path, scale=scale), address=name)
        allowed = [entry.name for entry in self.listed()]
        also = "" if self.trust.restricted else f", or the path of a file ({', '.join(ENDINGS[::2])})"
        raise CorpusError(
            f"There is no corpus {shorten(name)}.{closest(name, allowed)} "
            f"Allowed: {', '.join(allowed)}{also}."
        )

    def offered(self) -> list[Listed]:
        """The corpora that a page offers: without those of the hub that are here under another name."""
        listed = self.listed()
        here = {same(entry.name) for entry in listed if not entry.from_hub}
        return [entry for entry in listed if not (entry.from_hub and entry.name in here)]

    def title(self, name: str) -> str:
        """What the corpus is called that a link finds by ``name``."""
        name, unit = split_unit(name)
        place = self._place(name)
        title = title_of(place.path) if isinstance(place, Upload) else ""
        return with_unit(title or name, unit)

    @at_a_glance
    def is_here(self, name: str) -> bool:
        """Whether a corpus can be read without the network."""
        place = self._place(split_unit(name)[0])
        return not isinstance(place, OnHub) or is_cached(repository(place.identifier))

    @at_a_glance
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
        if identifier := hub_id(name):
            return OnHub(identifier, None)
        path = self.trust.path(name)
        here = path is not None and (is_file(path) or name.lower().endswith(ENDINGS))
        return ByPath(path) if path is not None and here else None

    def _senteval(self) -> Mapping[str, SentEvalSet]:
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
            table, revision = read_hub(hub, download=self.trust.downloads)
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
