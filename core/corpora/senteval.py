"""SentEval's folder layout: ``downstream/…`` and ``probing/*.txt``, whatever of it is there.

A set is listed when any of its files is there, and refused with the names of the missing ones when only
some are. Texts are read as UTF-8, and as Latin-1 where they are none, as SentEval reads its older sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from core.corpora.corpus import Corpus
from core.corpora.scales import SCALE
from core.corpora.tables import corpus_from
from core.errors import CorpusError, counted, shorten
from core.storage.glance import at_a_glance
from core.trust import is_file, is_folder

PROBING = (
    *("sentence_length", "word_content", "tree_depth", "top_constituents", "bigram_shift"),
    *("past_present", "subj_number", "obj_number", "odd_man_out", "coordination_inversion"),
)
"""The ten probing tasks."""

_PROBING_SPLITS = {"tr": "train", "va": "dev", "te": "test"}
_SPLITS = ("train", "dev", "test")
_SICK_SCALE = (1.0, 5.0)


@dataclass(frozen=True)
class SentEvalSet:
    """One set: its name, its files, which task it is for, and how its table is made.

    ``files`` are those that belong to it, there or not; ``scale`` is the range of its scores.
    """

    name: str
    root: Path
    files: tuple[Path, ...]
    task: str
    read: Callable[[tuple[Path, ...]], pd.DataFrame]
    scale: tuple[float, float] = SCALE

    @property
    def kind(self) -> str:
        """Pairs with scores, or labelled texts."""
        return "pairs" if self.task == "sts" else "labelled"

    @property
    def shown(self) -> str:
        """Where it lies in the data folder."""
        first = self.files[0].relative_to(self.root)
        return str(first if self.task == "probing" else first.parent)

    @property
    def missing(self) -> tuple[Path, ...]:
        """The files that are not there."""
        return tuple(path for path in self.files if not is_file(path))

    @property
    def here(self) -> tuple[Path, ...]:
        """The files that are there."""
        return tuple(path for path in self.files if is_file(path))


@at_a_glance
def sets_in(folder: Path | None) -> Mapping[str, SentEvalSet]:
    """The sets of which a file is there, by name, in SentEval's order; not to be changed."""
    if folder is None:
        return {}
    return {found.name: found for found in _sets(folder) if found.here}


def read_set(found: SentEvalSet, scale: tuple[float, float] | None = None) -> Corpus:
    """The corpus of one set.

    Raises :class:`CorpusError` when some of its files are missing or are not as SentEval's are.
    """
    if found.missing:
        names = ", ".join(str(path.relative_to(found.root)) for path in found.missing)
        raise CorpusError(f"{found.name}: SentEval's folder lacks {names}; the set needs all of its files.")
    scale = scale or found.scale
    task = "" if found.task == "sts" else found.task
    return corpus_from(found.read(found.files), found.name, f"SentEval: {found.shown}", scale, task)


def _sets(folder: Path) -> Iterator[SentEvalSet]:
    down = folder / "downstream"
    if is_folder(down):
        for year in ("12", "13", "14", "15", "16"):
            part = down / "STS" / f"STS{year}-en-test"
            inputs = sorted(part.glob("STS.input.*.txt")) if is_folder(part) else []
            if inputs:
                gold = [path.with_name(path.name.replace(".input.", ".gs.")) for path in inputs]
                yield SentEvalSet(f"STS{year}", folder, (*inputs, *gold), "sts", _sts)
        part = down / "STS" / "STSBenchmark"
        yield SentEvalSet("STS-B", folder, tuple(part / f"sts-{s}.csv" for s in _SPLITS), "sts", _benchmark)
        sick = ("SICK_train.txt", "SICK_trial.txt", "SICK_test_annotated.txt")
        yield SentEvalSet("SICK", folder, _in(down / "SICK", sick), "sts", _sick, _SICK_SCALE)
        for name, classes in _BY_CLASS.items():
            yield SentEvalSet(name, folder, _in(down / name, classes), "classification", _by_class)
        for name, part_of in (("SST2", "binary"), ("SST5", "fine")):
            files = tuple(down / "SST" / part_of / f"sentiment-{s}" for s in _SPLITS)
            yield SentEvalSet(name, folder, files, "classification", _sst)
        trec = _in(down / "TREC", ("train_5500.label", "TREC_10.label"))
        yield SentEvalSet("TREC", folder, trec, "classification", _trec)
        mrpc = _in(down / "MRPC", ("msr_paraphrase_train.txt", "msr_paraphrase_test.txt"))
        yield SentEvalSet("MRPC", folder, mrpc, "classification", _mrpc)
    for name in PROBING:
        yield SentEvalSet(name, folder, (folder / "probing" / f"{name}.txt",), "probing", _probing)


_BY_CLASS = {
    "MR": ("rt-polarity.pos", "rt-polarity.neg"),
    "CR": ("custrev.pos", "custrev.neg"),
    "SUBJ": ("subj.objective", "subj.subjective"),
    "MPQA": ("mpqa.pos", "mpqa.neg"),
}
"""The sets with a file for each class, class 1 first."""


def _in(folder: Path, names: tuple[str, ...]) -> tuple[Path, ...]:
    return tuple(folder / name for name in names)


def _lines(path: Path) -> list[str]:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CorpusError(f"{shorten(path.name)} cannot be read: {error.strerror}.") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return [line.rstrip("\r") for line in text.removesuffix("\n").split("\n")]


def _cells(path: Path, least: int, *, header: bool = False) -> Iterator[list[str]]:
    """The cells of each line; refuses a line that has too few."""
    for number, line in enumerate(_lines(path), 1):
        if header and number == 1:
            continue
        cells = line.split("\t")
        if len(cells) < least:
            raise CorpusError(
                f"{shorten(path.name)}, line {number}: {len(cells)} cells; SentEval's file has {least}."
            )
        yield cells


def _table(rows: Sequence[tuple[str, ...]], *columns: str) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=list(columns), dtype=object)


def _by_class(files: tuple[Path, ...]) -> pd.DataFrame:
    """One file a class; a blank line is kept as "." because SentEval gives encoders that."""
    rows = [
        (line.strip() or ".", label)
        for path, label in zip(files, "10", strict=True)
        for line in _lines(path)
    ]
    return _table(rows, "text", "label")


def _sst(files: tuple[Path, ...]) -> pd.DataFrame:
    rows = [
        (c[0], c[1], split) for path, split in zip(files, _SPLITS, strict=True) for c in _cells(path, 2)
    ]
    return _table(rows, "text", "label", "split")


def _trec(files: tuple[Path, ...]) -> pd.DataFrame:
    """``DESC:manner How did …``: the coarse class, then the question."""
    rows = []
    for path, split in zip(files, ("train", "test"), strict=True):
        for number, line in enumerate(_lines(path), 1):
            label, space, question = line.partition(" ")
            if ":" not in label or not space:
                raise CorpusError(
                    f"{shorten(path.name)}, line {number}: no CLASS:kind before the question."
                )
            rows.append((question, label.partition(":")[0], split))
    return _table(rows, "text", "label", "split")


def _mrpc(files: tuple[Path, ...]) -> pd.DataFrame:
    rows = [
        (cells[3], cells[4], cells[0], split)
        for path, split in zip(files, ("train", "test"), strict=True)
        for cells in _cells(path, 5, header=True)
    ]
    return _table(rows, "text1", "text2", "label", "split")


def _sick(files: tuple[Path, ...]) -> pd.DataFrame:
    rows = [
        (cells[1], cells[2], cells[3], cells[4], split)
        for path, split in zip(files, _SPLITS, strict=True)
        for cells in _cells(path, 5, header=True)
    ]
    return _table(rows, "sentence1", "sentence2", "score", "label", "split")


def _benchmark(files: tuple[Path, ...]) -> pd.DataFrame:
    rows = [
        (cells[5], cells[6], cells[4], cells[0], split)
        for path, split in zip(files, _SPLITS, strict=True)
        for cells in _cells(path, 7)
    ]
    return _table(rows, "sentence1", "sentence2", "score", "subset", "split")


def _sts(files: tuple[Path, ...]) -> pd.DataFrame:
    """Pairs and scores lie in two files a subset; pairs without a score were never rated."""
    half, rows = len(files) // 2, []
    for pairs, gold in zip(files[:half], files[half:], strict=True):
        scores, subset = _lines(gold), pairs.name.removeprefix("STS.input.").removesuffix(".txt")
        cells = list(_cells(pairs, 2))
        if len(cells) != len(scores):
            have = f"{counted(len(scores), 'score')} for {counted(len(cells), 'pair')}"
            raise CorpusError(f"{shorten(gold.name)} has {have}; each needs a line. Get both files again.")
        rated = [(c, s) for c, s in zip(cells, scores, strict=True) if s.strip()]
        rows += [(c[0], c[1], score, subset, "test") for c, score in rated]
    return _table(rows, "sentence1", "sentence2", "score", "subset", "split")


def _probing(files: tuple[Path, ...]) -> pd.DataFrame:
    rows = []
    for cells in _cells(files[0], 3):
        if cells[0] not in _PROBING_SPLITS:
            raise CorpusError(
                f"{shorten(files[0].name)}: no split {shorten(cells[0])}; tr, va or te is allowed."
            )
        rows.append((cells[2], cells[1], _PROBING_SPLITS[cells[0]]))
    return _table(rows, "text", "label", "split")
