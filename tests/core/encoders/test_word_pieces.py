"""Words of pieces by tokenizer.json alone: as the whole tokenizer has them, or not at all."""

import json
import shutil

import numpy as np
import pytest

from core.encoders.bundled_encoders import BUNDLED
from core.encoders.tokenizer import Tokenizer
from core.encoders.word_pieces import FILE, piece_decoder
from tests.core.helpers import scripts
from tests.core.helpers.tiny import FAMILIES


@pytest.mark.parametrize("which", BUNDLED, ids=lambda which: which.source)
def test_every_piece_and_many_words_of_pieces_have_the_text_that_the_tokenizer_gives(which):
    folder = which.place.folder()
    tokenizer = Tokenizer(folder)
    decode = piece_decoder(folder, dict(enumerate(tokenizer.pieces)))
    assert decode is not None
    ids = np.random.default_rng(0).integers(0, tokenizer.vocabulary, (2000, 3)).tolist()
    words = [[i] for i in range(tokenizer.vocabulary)] + ids
    assert [decode(word) for word in words] == [tokenizer.decode(word) for word in words]


@pytest.mark.parametrize("family", FAMILIES)
def test_another_kind_of_tokenizer_is_not_guessed_at(family, model):
    tokenizer = Tokenizer(model(family))
    pieces = dict(enumerate(tokenizer.pieces))
    if (decode := piece_decoder(model(family), pieces)) is not None:
        assert [decode([i]) for i in pieces] == [tokenizer.decode([i]) for i in pieces]
    kind = json.loads((model(family) / FILE).read_text("utf-8"))["decoder"] or {}
    assert (decode is not None) == (kind.get("type") == "WordPiece")


def test_a_file_that_lacks_a_piece_or_is_damaged_or_is_not_there_gives_none(tmp_path):
    shutil.copy(BUNDLED[1].place.folder() / FILE, tmp_path / FILE)
    assert piece_decoder(tmp_path, {2000: "to"}) is not None
    assert piece_decoder(tmp_path, {2000: "fro"}) is None
    assert piece_decoder(tmp_path, {10**6: "[NEW]"}) is None
    (tmp_path / FILE).write_text('{"decoder": {"type": "WordPiece"}, "model": 7}')
    assert piece_decoder(tmp_path, {2000: "to"}) is None
    (tmp_path / FILE).unlink()
    assert piece_decoder(tmp_path, {2000: "to"}) is None


def test_words_of_a_stored_pass_are_found_without_a_model(tmp_path):
    """Torch and transformers take a second and more to load."""
    code = """
import sys
from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.recipe import Recipe
recipe = Recipe.parse("weight=sif")
texts = Corpus.of_texts("t", ["Zebras outmanoeuvred it.", "So."])
Engine().embed(recipe.replace(weight=sys.argv[1]), texts)
print(sorted(set(sys.modules) & {"torch", "transformers"}))
"""
    scripts.run(code, "uniform", STRATA_CACHE=str(tmp_path))
    assert scripts.run(code, "sif", STRATA_CACHE=str(tmp_path)).strip() == "[]"
