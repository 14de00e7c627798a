"""Files of word vectors: every form is read, what is wrong is counted, and each is parsed once."""

import errno
import gzip
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from core.errors import ModelError, StoreError
from core.progress import silent
from core.sources import word_vector_file, word_vectors
from core.sources.word_tokenizer import UnknownWords, tokenise_words
from core.sources.word_vectors import WordVectors, open_vectors
from core.storage import disk_space
from core.storage.folders import size_of
from core.storage.store import Store
from tests.core.helpers import scripts

WORDS = ("the", "of", "Dog", "naïve", "日本", ",", "2015", "\x85")
MATRIX = np.random.default_rng(0).standard_normal((len(WORDS), 5)).astype(np.float32)
FORMS = ("glove", "word2vec", "fasttext", "x2static", "tabs", "windows", "binary", "binary, no line ends")


def text_of(words=WORDS, matrix=MATRIX, header="", end="\n") -> bytes:
    rows = (" ".join([word, *map(repr, row.tolist())]) for word, row in zip(words, matrix, strict=True))
    return (header + "".join(row + end for row in rows)).encode()


def binary_of(words=WORDS, matrix=MATRIX, end=b"\n") -> bytes:
    header = "{} {}\n".format(*matrix.shape).encode()
    rows = zip(words, matrix, strict=True)
    return header + b"".join(w.encode() + b" " + row.astype("<f4").tobytes() + end for w, row in rows)


def surface_forms(form: str) -> bytes:
    header = f"{len(WORDS)} {MATRIX.shape[1]}\n"
    if form.startswith("binary"):
        return binary_of(end=b"" if "no line" in form else b"\n")
    if form == "tabs":
        return text_of().replace(b" ", b"\t")
    return {
        "glove": text_of(),
        "word2vec": text_of(header=header),
        "fasttext": text_of(header=header, end=" \n"),  # with a space at the end of each line
        "x2static": text_of(header=header, end=" \n"),
        "windows": text_of(end="\r\n"),
    }[form]


@pytest.fixture
def store(tmp_path) -> Store:
    return Store(tmp_path / "cache")


@pytest.fixture
def read(tmp_path, store):
    """Word vectors of a file with some content."""

    def open_(content: bytes, name: str = "vectors.txt", **more) -> WordVectors:
        path = tmp_path / name
        path.write_bytes(content)
        return open_vectors(path, store, **more)

    return open_


def everything(vectors: WordVectors) -> np.ndarray:
    return vectors.rows(np.arange(len(vectors)))


# -- forms -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gz"])
@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_words_and_vectors(form, packed, read):
    content = surface_forms(form)
    vectors = read(gzip.compress(content) if packed else content, "no-ending-tells-the-form")
    assert vectors.words == WORDS
    assert vectors.dim == 5
    assert vectors.notes == ()
    assert dict(vectors.index) == {word: i for i, word in enumerate(WORDS)}
    assert np.array_equal(everything(vectors), MATRIX)
    assert everything(vectors).dtype == np.float32
    assert vectors.revision.startswith("sha256:")


@pytest.mark.parametrize("form", FORMS)
def test_where_blocks_end_makes_no_difference(form, read, monkeypatch):
    monkeypatch.setattr(word_vector_file, "SAMPLE", 150)
    for size in (1, 7, 64):
        monkeypatch.setattr(word_vector_file, "BLOCK", size)
        vectors = read(surface_forms(form) + b"\n" * size)  # so that it is another file each time
        assert vectors.words == WORDS
        assert np.array_equal(everything(vectors), MATRIX)
        assert vectors.notes == ()


def test_the_last_line_needs_no_end_and_blank_lines_are_nothing(read):
    vectors = read(b"\n\na 1 2\n   \n\r\nb 3 4")
    assert vectors.words == ("a", "b")
    assert everything(vectors).tolist() == [[1, 2], [3, 4]]
    assert vectors.notes == ()


@pytest.mark.parametrize("form", ["glove", "word2vec", "tabs"])
def test_a_byte_order_mark_is_no_part_of_the_first_word(form, read):
    vectors = read(b"\xef\xbb\xbf" + surface_forms(form))
    assert vectors.words == WORDS
    assert np.array_equal(everything(vectors), MATRIX)
    assert vectors.notes == ()


def test_words_may_be_numbers_or_hold_spaces(read):
    content = b"1999 1 2 3\n. . . 4 5 6\nat name@domain.com 7 8 9\nthe 0 0 1\nof  1   1 1\n"
    vectors = read(content)
    assert vectors.words == ("1999", ". . .", "at name@domain.com", "the", "of")
    assert everything(vectors).tolist() == [[1, 2, 3], [4, 5, 6], [7, 8, 9], [0, 0, 1], [1, 1, 1]]


def test_numbers_are_read_as_python_reads_them(read):
    numbers = ["0.1", "-2.5e-3", "+7", "1E2", ".5", "5.", "123456.789", "-0", "1e-50"]
    vectors = read(f"a {' '.join(numbers)}\nb {' '.join(numbers[::-1])}\n".encode())
    expected = np.array([float(n) for n in numbers], np.float32)
    assert np.array_equal(everything(vectors), [expected, expected[::-1]])


# -- what is wrong in a file ------------------------------------------------------------------------


def test_what_cannot_be_used_is_left_out_and_counted(read):
    lines = [
        *(b"a 1 2 3", b"b 4 5", b"c 1 2 3 4", b"d 1 x 3", b"\xff\xfe 1 2 3", b" 1 2 3", b"e nan 2 3"),
        *(b"f 1 1e400 3", b"a 9 9 9", b"g 7 8 9", b"h", b"i 1,0 2 3", b"j 0 0 0", b"k 0 0 1", b"l 0 1 0"),
        *(b"m 0 1 1", b"n 1 0 0", b"o 1 0 1"),
    ]
    vectors = read(b"99 3\n" + b"\n".join(lines))
    assert vectors.words == tuple("agjklmno")
    assert everything(vectors)[:2].tolist() == [[1, 2, 3], [7, 8, 9]]
    assert sorted(vectors.notes) == [
        "1 of 18 lines are not UTF-8 (6): left out.",
        "1 of 18 lines have no word (7): left out.",
        "1 of 18 lines repeat an earlier word, of which the first counts (10): left out.",
        "2 of 18 lines have a number that is not finite (8, 9): left out.",
        "5 of 18 lines have not 3 numbers after the word (3, 4, 12, 5, 13): left out.",
        "The first line promises 99 words; 18 lines follow.",
    ]


def test_many_lines_of_one_kind_are_named_by_the_first(read):
    vectors = read(b"a 1 2\n" * 20)
    assert vectors.words == ("a",)
    assert vectors.notes == (
        "19 of 20 lines repeat an earlier word, of which the first counts (2, 3, 4, 5, 6, …): left out.",
    )


def test_binary_leaves_out_the_same(read):
    matrix = MATRIX[:5].copy()
    matrix[1, 2] = np.inf
    content = binary_of(("a", "b", "a", "?", "c"), matrix).replace(b"\n? ", b"\n\xff ")
    vectors = read(content)
    assert vectors.words == ("a", "c")
    assert np.array_equal(everything(vectors), matrix[[0, 4]])
    assert sorted(vectors.notes) == [
        "1 of 5 words are not UTF-8 (4): left out.",
        "1 of 5 words have a number that is not finite (2): left out.",
        "1 of 5 words repeat an earlier word, of which the first counts (3): left out.",
    ]


@pytest.mark.parametrize("block", [7, word_vector_file.BLOCK])
def test_binary_that_holds_more_than_its_first_line_promises_says_so(block, read, monkeypatch):
    monkeypatch.setattr(word_vector_file, "SAMPLE", 90)
    monkeypatch.setattr(word_vector_file, "BLOCK", block)
    vectors = read(binary_of().replace(b"8 5\n", b"3 5\n", 1))
    assert vectors.words == WORDS[:3]
    assert vectors.notes == ("The first line promises 3 words; what follows them is left out.",)


GARBAGE = np.random.default_rng(1).integers(0, 256, 50_000, np.uint8).tobytes()
REFUSED = {
    "empty": (b"", "no file of word vectors; allowed are"),
    "blank": (b"\n\n \n", "no file of word vectors"),
    "garbage": (GARBAGE, "no file of word vectors"),
    "garbage under a header": (b"10 300\n" + GARBAGE.replace(b" ", b"_"), "no file of word vectors"),
    "prose": (b"The cat sat on the mat in 1999.\nIt slept.\n" * 9, "no file of word vectors"),
    "text under a header": (b"2 3\nno numbers here\nnor here, though\n", "no file of word vectors"),
    "word counts": (b"the 100\nof 50\n", "no file of word vectors"),
    "a header alone": (b"400000 300\n", "no file of word vectors"),
    "no usable line": (b"a nan 1\nb 2 inf\n", "no vector that can be used. 2 of 2 lines"),
    "another width": (b"2 300\na 1 2 3\nb 1 2 3\n", "promises 300 numbers a word.*have 3"),
    "truncated binary": (binary_of()[:-30], "ends after 6 of the 8 words.*cut off"),
    "truncated gz": (gzip.compress(text_of())[:-20], "cannot be read to its end"),
    "zip": (b"PK\x03\x04....", "zip archive: unpack it.*X2Static"),
    "pickle": (b"\x80\x02}q\x00.", "pickle, which can run code"),
    "fastText model": (b"\xba\x16\x4f\x2f\x0c\0\0\0", "fastText model: take the .vec"),
    "endless line": (b"a 1 2\n" * 99 + b"b" * 9_000_000, "no file of word vectors"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_no_file_of_word_vectors_is_refused(what, read, store):
    content, message = REFUSED[what]
    with pytest.raises(ModelError, match=f"^'vectors.txt'.*{message}"):
        read(content)
    assert list((store.root / "vectors").iterdir()) == []


def test_a_missing_file_and_a_folder_are_refused(tmp_path, store):
    with pytest.raises(ModelError, match=r"nowhere.txt' does not exist; word vectors are one file"):
        open_vectors(tmp_path / "nowhere.txt", store)
    with pytest.raises(ModelError, match="is a folder; word vectors are one file"):
        open_vectors(tmp_path, store)


# -- kept -------------------------------------------------------------------------------------------


def test_a_file_is_parsed_once_whatever_its_name(read, monkeypatch):
    first = read(surface_forms("glove"))
    monkeypatch.setattr(word_vectors, "VectorFile", None)  # fails when called
    for again in (read(surface_forms("glove")), read(surface_forms("glove"), "copy.txt")):
        assert (again.words, again.dim, again.revision) == (first.words, first.dim, first.revision)
        assert np.array_equal(everything(again), MATRIX)
    with pytest.raises(TypeError):
        read(surface_forms("word2vec"))


def test_notes_are_kept_too(read):
    content = b"a 1 2\nb 3\nc 4 5\n"
    assert read(content).notes == read(content).notes != ()


def test_what_is_stored_is_a_plain_array(read, store):
    read(surface_forms("glove"))
    (folder,) = (store.root / "vectors").iterdir()
    assert np.array_equal(np.load(folder / "vectors.npy", allow_pickle=False), MATRIX)
    assert {p.name for p in folder.iterdir()} == {"vectors.npy", "words.txt", "about.json"}


@pytest.mark.parametrize("name", ["vectors.npy", "words.txt", "about.json"])
@pytest.mark.parametrize("damage", ["short", "gone", "other"])
def test_a_damaged_copy_is_made_anew(name, damage, read, store):
    read(surface_forms("glove"))
    (folder,) = (store.root / "vectors").iterdir()
    path = folder / name
    if damage == "gone":
        path.unlink()
    elif damage == "short":
        path.write_bytes(path.read_bytes()[:-3])
    elif name == "about.json":
        path.write_text(json.dumps({"words": 3}))
    elif name == "words.txt":
        path.write_bytes(path.read_bytes().replace(b"\n", b"_", 1))
    else:
        path.write_bytes(path.read_bytes() + b"more")
    again = read(surface_forms("glove"))
    assert again.words == WORDS
    assert np.array_equal(everything(again), MATRIX)


def test_only_the_rows_asked_for_are_given_in_their_order(read):
    vectors = read(surface_forms("glove"))
    for ids in ([], [3], [7, 0], [2, 3, 4, 4, 5, 0, 1], [5, 5, 5], [7, 6, 5]):
        got = vectors.rows(np.array(ids, np.int32))
        assert got.shape == (len(ids), 5)
        assert np.array_equal(got, MATRIX[np.array(ids, int)])
    for ids in ([-1], [8], [0, 99]):
        with pytest.raises(IndexError):
            vectors.rows(np.array(ids))


def test_vectors_that_are_open_stay_readable_when_the_store_is_cleared(read, store):
    vectors = read(surface_forms("glove"))
    assert store.clear() >= MATRIX.nbytes
    assert list((store.root / "vectors").iterdir()) == []
    assert np.array_equal(everything(vectors), MATRIX)


def test_a_matrix_cut_short_while_in_use_is_explained(read, store):
    vectors = read(surface_forms("glove"))
    (folder,) = (store.root / "vectors").iterdir()
    with (folder / "vectors.npy").open("r+b") as file:
        file.truncate(200)
    with pytest.raises(StoreError, match="became shorter.*Ask again"):
        everything(vectors)


# -- progress, budget, disk --------------------------------------------------------------------------


class Stopped(Exception):
    """Raised in the middle of reading."""


def test_progress_is_reported_in_bytes_and_may_stop_it(read, store, monkeypatch):
    monkeypatch.setattr(word_vector_file, "SAMPLE", 150)
    monkeypatch.setattr(word_vector_file, "BLOCK", 100)
    content, steps = surface_forms("glove"), []

    def stop(step):
        steps.append(step)
        if step.done > 300:
            raise Stopped

    with pytest.raises(Stopped):
        read(content, progress=stop)
    assert list((store.root / "vectors").iterdir()) == []
    assert {(step.what, step.total) for step in steps} == {("Reading word vectors", len(content))}
    done = [step.done for step in steps]
    assert done == sorted(done)
    assert done[0] == 0

    steps.clear()
    vectors = read(content, progress=steps.append)
    assert steps[-1].done == len(content)
    assert np.array_equal(everything(vectors), MATRIX)


def test_what_a_killed_process_left_is_no_harm(read, store):
    read(surface_forms("glove"))
    (folder,) = (store.root / "vectors").iterdir()
    folder.rename(folder.with_name(f"{folder.name}.partial"))
    assert read(surface_forms("glove")).words == WORDS
    assert list((store.root / "vectors").iterdir()) == [folder]


def test_too_little_budget_is_explained_with_bytes(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_bytes(surface_forms("word2vec"))
    store = Store(tmp_path / "small", budget_bytes=100)
    with pytest.raises(StoreError, match=r"need about 160 bytes.*budget .* is 100 bytes.*STRATA_CACHE"):
        open_vectors(path, store)
    assert list((store.root / "vectors").iterdir()) == []


def test_a_full_disk_is_explained_with_bytes(read, store, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(word_vectors, "_write", full)
    with pytest.raises(StoreError, match=r"disk of .* is full.*160 bytes.*cache --clear"):
        read(surface_forms("word2vec"))
    assert list((store.root / "vectors").iterdir()) == []


def test_vectors_least_recently_used_make_room(tmp_path, monkeypatch):
    monkeypatch.setattr(disk_space, "MARGIN", 0)
    paths = [tmp_path / f"{i}.txt" for i in range(4)]
    for i, path in enumerate(paths):
        path.write_bytes(text_of(matrix=np.tile(MATRIX + i, 100)))
    store = Store(tmp_path / "cache")
    open_vectors(paths[0], store)
    one = size_of(store.root / "vectors")
    store = Store(tmp_path / "cache", budget_bytes=int(2.9 * one))
    for path in paths[1:]:
        open_vectors(path, store)
        open_vectors(paths[0], store)  # used again
    kept = {json.loads((p / "about.json").read_text())["name"] for p in (store.root / "vectors").iterdir()}
    assert kept == {"0.txt", "3.txt"}


def test_a_large_file_is_read_in_little_memory(tmp_path):
    """Far less than its vectors take: what is allocated by Python, numpy and pyarrow."""
    count, dim = 100_000, 100
    line = " ".join(f"{x:.5f}" for x in np.random.default_rng(2).standard_normal(dim))
    path = tmp_path / "large.txt"
    with path.open("w") as file:
        file.writelines(f"w{i} {line}\n" for i in range(count))
    code = """
import sys, tracemalloc, pathlib, numpy, pandas, pyarrow.csv  # what pyarrow loads is no memory of reading
from core.storage.store import Store
from core.sources.word_vectors import open_vectors
tracemalloc.start()
vectors = open_vectors(pathlib.Path(sys.argv[1]), Store(pathlib.Path(sys.argv[2])))
print(tracemalloc.get_traced_memory()[1] + pyarrow.default_memory_pool().max_memory())
print(len(vectors), *vectors.rows(numpy.array([len(vectors) - 1]))[0].tolist())
"""
    peak, last = scripts.run(code, path, tmp_path / "cache").splitlines()
    assert int(peak) < count * dim * 8 / 2
    assert np.array_equal(
        np.array(last.split(), np.float32), np.array([count, *line.split()]).astype(np.float32)
    )


# -- words of texts ----------------------------------------------------------------------------------

INDEX = {
    word: i
    for i, word in enumerate(
        "the , . of ' - dog Dog 's n't do ca 1999 e.g. don't bone mother well-known ... u.s. law ! 5"
        "".split()
    )
}


def cut(*texts, **more):
    tokens, unknown = tokenise_words(texts, INDEX, **more)
    return [tokens.surface_forms(tokens.span(i)) for i in range(len(texts))], unknown


@pytest.mark.parametrize(
    ("text", "expected", "left_out"),
    [
        ("The dog, of the Dog.", ["the", "dog", ",", "of", "the", "Dog", "."], 0),
        ("DOG dOg", ["dog", "dog"], 0),
        ("the dog's bone", ["the", "dog", "'s", "bone"], 0),
        ("the dog 's bone", ["the", "dog", "'s", "bone"], 0),
        ("the dog’s bone", ["the", "dog", "'s", "bone"], 0),
        ("Don't! Don’t can't", ["don't", "!", "don't", "ca", "n't"], 0),
        ("did n't", ["n't"], 1),
        ("mother-don't", ["mother", "do", "n't"], 0),
        ("well-known mother-in-law", ["well-known", "mother", "law"], 1),
        ("the 'dog' - bone", ["the", "'", "dog", "'", "-", "bone"], 0),
        ("dog...bone!!!", ["dog", "...", "bone", "!", "!", "!"], 0),
        ("U.S. law, e.g. 1999", ["u.s.", "law", ",", "e.g.", "1999"], 0),
        ("1,999.5", [",", ".", "5"], 2),
        ("the_dog", ["the", "dog"], 0),
        ("--", ["-", "-"], 0),
        ("dog.Bone", ["dog", ".", "bone"], 0),
        ("__ 🎸 שלום", [], 3),
        ("", [], 0),
        ("  \n\t", [], 0),
    ],
)
def test_texts_are_cut_into_words_the_file_has(text, expected, left_out):
    (found,), unknown = cut(text)
    assert found == expected
    assert unknown == UnknownWords(left_out, len(expected) + left_out, int(not expected))


def test_decomposed_letters_are_composed():
    tokens, unknown = tokenise_words(["cafe\u0301"], {"café": 4})
    assert tokens.ids.tolist() == [4]
    assert unknown == UnknownWords(0, 1, 0)


def test_tokens_are_in_stored_order_and_plain():
    texts = ["dog", "xyz", "the dog of the law", "the zyx dog", ""]
    tokens, unknown = tokenise_words(texts, INDEX)
    assert tokens.order.tolist() == [2, 3, 0, 1, 4]
    assert tokens.offsets.tolist() == [0, 5, 7, 8, 8, 8]
    assert tokens.restore(tokens.lengths).tolist() == [1, 0, 5, 2, 0]
    assert tokens.words.tolist() == [0, 1, 2, 3, 4, 0, 2, 0]  # the unknown word has its number
    assert tokens.cls.tolist() == [-1] * 5
    assert tokens.vocabulary == {INDEX[word]: word for word in ("the", "dog", "of", "law")}
    for name in ("special", "continues", "template", "mask", "truncated"):
        assert not getattr(tokens, name).any()
    assert unknown == UnknownWords(2, 10, 2)


def test_the_most_frequent_words_can_be_dropped():
    found, unknown = cut("the dog, of the law.", "of the, the.", "law", drop=4)
    assert found == [["dog", "law"], ["of", "the", ",", "the", "."], ["law"]]  # one keeps its words
    assert unknown == UnknownWords(0, 13, 0)
    tokens, _ = tokenise_words(["the dog, of the law."], INDEX, drop=4)
    assert tokens.words.tolist() == [1, 5]
    assert set(tokens.vocabulary.values()) == {"dog", "law"}


def test_no_texts_have_no_tokens():
    tokens, unknown = tokenise_words([], INDEX)
    assert (len(tokens), tokens.sentences, unknown) == (0, 0, UnknownWords(0, 0, 0))


def test_tokenizing_many_texts_reports_progress():
    steps = []
    tokenise_words(["the dog"] * 5000, INDEX, progress=steps.append)
    assert [step.done for step in steps] == [2048, 4096, 5000]
    tokenise_words(["the dog"], INDEX, progress=silent)


def test_rows_fit_the_tokens(read):
    vectors = read(surface_forms("glove"))
    tokens, unknown = tokenise_words(["The dog of 2015, naïve!"], vectors.index)
    assert tokens.surface_forms(slice(0, 5)) == ["the", "of", "2015", ",", "naïve"]
    assert unknown == UnknownWords(2, 7, 0)
    assert np.array_equal(vectors.rows(tokens.ids), MATRIX[[0, 1, 6, 5, 3]])


def test_paths_are_not_part_of_what_is_stored(read, store, tmp_path):
    read(surface_forms("glove"))
    (folder,) = (store.root / "vectors").iterdir()
    assert str(Path(tmp_path)) not in (folder / "about.json").read_text()


# -- damage within the length of the files -----------------------------------------------------------


def flip(data: bytearray) -> None:
    data[len(data) * 3 // 4] ^= 4


def zero(data: bytearray) -> None:
    data[-20:] = bytes(20)


def cut_short(data: bytearray) -> None:
    del data[-4:]


def change_header(data: bytearray) -> None:
    data[70] ^= 1


@pytest.mark.parametrize("damage", [flip, zero, cut_short, change_header])
@pytest.mark.parametrize("name", ["vectors.npy", "words.txt"])
def test_damaged_bytes_are_read_again_from_the_file(tmp_path, name, damage):
    path = tmp_path / "vectors.txt"
    path.write_bytes(surface_forms("glove"))
    open_vectors(path, Store(tmp_path / "store"))
    (folder,) = (tmp_path / "store" / "vectors").iterdir()
    data = bytearray((folder / name).read_bytes())
    if damage is change_header and name == "words.txt":
        data[0] ^= 1
    else:
        damage(data)
    (folder / name).write_bytes(data)
    again = open_vectors(path, Store(tmp_path / "store"))
    assert again.words == WORDS
    assert np.array_equal(everything(again), MATRIX)


@pytest.mark.parametrize("other", ["7", '"', "f"])
def test_any_changed_character_of_the_description_is_harmless(tmp_path, other):
    path = tmp_path / "vectors.txt"
    path.write_bytes(surface_forms("glove"))
    store = Store(tmp_path / "store")
    revision, notes = (right := open_vectors(path, store)).revision, right.notes
    (folder,) = (tmp_path / "store" / "vectors").iterdir()
    text = (folder / "about.json").read_text()
    for place in range(0, len(text), 3):
        (folder / "about.json").write_text(text[:place] + other + text[place + 1 :])
        again = open_vectors(path, store)
        assert (again.words, again.dim, again.revision, again.notes) == (WORDS, 5, revision, notes)
        assert np.array_equal(everything(again), MATRIX)


def test_word_vectors_know_what_they_hold_in_memory(read):
    vectors = read(surface_forms("glove"))
    strings = sum(map(sys.getsizeof, vectors.words))
    assert vectors.bytes_in_memory > strings + sys.getsizeof(vectors.words) + sys.getsizeof(
        dict(vectors.index)
    )
