"""SentEval's folder layout, made here: every set is read, and half a folder says what it lacks."""

import os
from pathlib import Path

import pytest

from core.corpora.catalogue import Catalogue
from core.corpora.senteval import PROBING
from core.errors import CorpusError
from core.storage.files import replacing

FILES = {
    "downstream/STS/STS12-en-test/STS.input.MSRpar.txt": "a b\tc d\ne\tf\ng\th\n",
    "downstream/STS/STS12-en-test/STS.gs.MSRpar.txt": "1.5\n\n4\n",
    "downstream/STS/STS12-en-test/STS.input.news.txt": "i\tj\n",
    "downstream/STS/STS12-en-test/STS.gs.news.txt": "5\n",
    **{
        f"downstream/STS/STSBenchmark/sts-{split}.csv": f'news\tf\t2012\t1\t2.5\ta "{split}\tb\textra\n'
        for split in ("train", "dev", "test")
    },
    **{
        f"downstream/SICK/{name}": "ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
        f"1\ta\tb {name}\t4.5\tNEUTRAL\n"
        for name in ("SICK_train.txt", "SICK_trial.txt", "SICK_test_annotated.txt")
    },
    "downstream/MR/rt-polarity.pos": "a fine film\n\n",
    "downstream/MR/rt-polarity.neg": "caf\xe9 and boredom\n".encode("latin-1"),
    "downstream/SUBJ/subj.objective": "he leaves\n",
    "downstream/SUBJ/subj.subjective": "he charms\n",
    **{f"downstream/SST/binary/sentiment-{s}": f"a {s} film\t1\n" for s in ("train", "dev", "test")},
    **{f"downstream/SST/fine/sentiment-{s}": f"a {s} film\t4\n" for s in ("train", "dev", "test")},
    "downstream/TREC/train_5500.label": "DESC:manner How is it ?\nENTY:cremat What film ?\n",
    "downstream/TREC/TREC_10.label": "NUM:dist How far ?\n",
    **{
        f"downstream/MRPC/msr_paraphrase_{s}.txt": "\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String\n"
        f"1\t2\t3\t{s}\tb\n"
        for s in ("train", "test")
    },
    **{f"probing/{name}.txt": "tr\tO\tone two\nva\tI\ttwo one\nte\tO\tthree\n" for name in PROBING},
}


@pytest.fixture
def folder(tmp_path) -> Path:
    for name, content in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return tmp_path


def test_every_set_is_listed_with_its_task(folder):
    listed = {e.name: (e.kind, e.task) for e in Catalogue(folder).listed() if "SentEval" in e.origin}
    assert {name for name, (_, task) in listed.items() if task == "sts"} == {"STS12", "STS-B", "SICK"}
    assert {name for name, (_, task) in listed.items() if task == "classification"} == {
        *("MR", "SUBJ", "SST2", "SST5", "TREC", "MRPC")
    }
    assert {name for name, (_, task) in listed.items() if task == "probing"} == set(PROBING)
    assert listed["STS-B"][0] == "pairs"


def rows(folder, name):
    corpus = Catalogue(folder).load(name)
    first = [corpus.sentences[i] for i in corpus.first]
    second = [corpus.sentences[i] for i in corpus.second]
    return list(
        zip(
            *(column for column in (first, second, corpus.labels, corpus.split) if len(column)), strict=True
        )
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("MR", [("a fine film", "1", ""), (".", "1", ""), ("café and boredom", "0", "")]),
        ("SUBJ", [("he leaves", "1", ""), ("he charms", "0", "")]),
        (
            "SST5",
            [("a train film", "4", "train"), ("a dev film", "4", "dev"), ("a test film", "4", "test")],
        ),
        (
            "TREC",
            [
                ("How is it ?", "DESC", "train"),
                ("What film ?", "ENTY", "train"),
                ("How far ?", "NUM", "test"),
            ],
        ),
        ("MRPC", [("train", "b", "1", "train"), ("test", "b", "1", "test")]),
        ("word_content", [("one two", "O", "train"), ("two one", "I", "dev"), ("three", "O", "test")]),
        ("STS12", [("a b", "c d", "test"), ("g", "h", "test"), ("i", "j", "test")]),
        ("STS-B", [(f'a "{split}', "b", split) for split in ("train", "dev", "test")]),
    ],
)
def test_every_format_is_read(folder, name, expected):
    assert rows(folder, name) == expected


def test_scores_subsets_and_scales(folder):
    catalogue = Catalogue(folder)
    sts, sick = catalogue.load("STS12"), catalogue.load("SICK")
    assert (sts.gold.tolist(), sts.subset) == ([1.5, 4, 5], ("MSRpar", "MSRpar", "news"))
    assert (sick.gold.tolist(), sick.labels, sick.scale) == ([4.5] * 3, ("NEUTRAL",) * 3, (1, 5))
    assert (sick.splits, catalogue.load("MR").task, sts.task) == (
        ("train", "dev", "test"),
        "classification",
        "",
    )


def test_a_changed_file_is_read_again(folder):
    catalogue, path = Catalogue(folder), folder / "downstream/MR/rt-polarity.neg"
    before = catalogue.stamp("MR")
    path.write_text("dull\nduller\n")
    after, moment = catalogue.stamp("MR"), path.stat().st_mtime_ns
    with replacing(path) as temporary:  # by one of its length within a tick of the disk
        temporary.write_text("cold\ncolder\n")
        os.utime(temporary, ns=(moment, moment))
    assert len({before, after, catalogue.stamp("MR")}) == 3
    assert catalogue.holds("MR")


def test_half_a_folder_lists_what_is_there_and_says_what_a_set_lacks(folder):
    (folder / "downstream/MR/rt-polarity.neg").unlink()
    (folder / "downstream/TREC/TREC_10.label").unlink()
    (folder / "downstream/TREC/train_5500.label").unlink()
    catalogue = Catalogue(folder)
    names = {entry.name for entry in catalogue.listed()}
    assert ("MR" in names, "TREC" in names) == (True, False)
    with pytest.raises(CorpusError, match="MR: SentEval's folder lacks downstream/MR/rt-polarity.neg"):
        catalogue.load("MR")
    with pytest.raises(CorpusError, match="There is no corpus 'TREC'"):
        catalogue.load("TREC")


@pytest.mark.parametrize(
    ("name", "file", "content", "said"),
    [
        ("TREC", "downstream/TREC/TREC_10.label", "no class here\n", "line 1: no CLASS:kind"),
        (
            "SST2",
            "downstream/SST/binary/sentiment-dev",
            "no tab\n",
            "line 1: 1 cells; SentEval's file has 2",
        ),
        ("STS12", "downstream/STS/STS12-en-test/STS.gs.news.txt", "5\n1\n", "2 scores for 1 pair."),
        ("tree_depth", "probing/tree_depth.txt", "xx\t5\ttext\n", "no split 'xx'; tr, va or te"),
    ],
)
def test_a_file_that_is_not_senteval_s_is_refused(folder, name, file, content, said):
    (folder / file).write_text(content)
    with pytest.raises(CorpusError, match=said):
        Catalogue(folder).load(name)
