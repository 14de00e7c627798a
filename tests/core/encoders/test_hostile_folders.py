"""Model folders that somebody broke on purpose: refused in words, within seconds, in little memory."""

import json
import resource
import shutil
import struct
import time

import pytest

from core.corpora.corpus import Corpus
from core.errors import ModelError
from core.recipe import Recipe
from tests.core.helpers.texts import many

CORPUS = Corpus.of_texts("t", many(3))
SECONDS = 15
MEGABYTES = 1500


def config(**changes):
    """``config.json`` with other values."""
    return lambda folder: edit(folder / "config.json", changes)


def tokenizer(**changes):
    """``tokenizer_config.json`` with other values."""
    return lambda folder: edit(folder / "tokenizer_config.json", changes)


def sentences(length):
    """A sentence-transformers folder that names this limit."""
    return content("sentence_bert_config.json", json.dumps({"max_seq_length": length}))


def content(name, text):
    return lambda folder: (folder / name).write_text(text)


def folder_at(name):
    """A folder where a file should be."""

    def damage(folder):
        (folder / name).unlink(missing_ok=True)
        (folder / name).mkdir()

    return damage


def edit(path, changes):
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def larger_tokenizer(folder):
    """Every word gets an id that the model does not know."""
    path = folder / "tokenizer.json"
    values = json.loads(path.read_text())
    vocabulary = values["model"]["vocab"]
    values["model"]["vocab"] = {
        text: i if text.startswith("[") else i + 5000 for text, i in vocabulary.items()
    }
    path.write_text(json.dumps(values))


def shapes_of_another(folder):
    edit(folder / "config.json", {"hidden_size": 64})


def huge_header(folder):
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", 1 << 40) + b"{}")


SIZES = ("num_hidden_layers", "hidden_size", "num_attention_heads")
OTHER_SIZES = ("intermediate_size", "vocab_size", "max_position_embeddings", "type_vocab_size")
ODD = {
    "zero": 0,
    "negative": -3,
    "text": "32",
    "fraction": 2.5,
    "list": [3],
    "true": True,
    "digits": 10**400,
    "billion": 10**9,
}
CASES = {
    **{f"{key}={name}": config(**{key: value}) for key in SIZES for name, value in ODD.items()},
    **{
        f"{key}={name}": config(**{key: value})
        for key in OTHER_SIZES
        for name, value in ODD.items()
        if (key, name) not in {("max_position_embeddings", "true"), ("type_vocab_size", "true")}
    },
    "sizes null": config(**dict.fromkeys(SIZES)),
    "a thousand layers of a million": config(num_hidden_layers=1000, hidden_size=10**6),
    "a thousand layers": config(num_hidden_layers=1000),
    "more layers than a model has": config(num_hidden_layers=1001),
    "nested": content("config.json", '{"a":' * 100_000),
    "nested list": content("config.json", "[" * 100_000 + "]" * 100_000),
    "config is a list": content("config.json", "[1, 2]"),
    "config is large": content("config.json", '{"a": "' + "x" * 11_000_000 + '"}'),
    "config is a folder": folder_at("config.json"),
    "config is no text": lambda f: (f / "config.json").write_bytes(b"\xff\xfe\x00"),
    "foreign type vit": config(model_type="vit"),
    "foreign type t5": config(model_type="t5"),
    "foreign type gpt2": config(model_type="gpt2"),
    "type is a number": config(model_type=5),
    "type is a list": config(model_type=["bert"]),
    "pad id beyond": config(pad_token_id=10**6),
    "pad id text": config(pad_token_id="x"),
    "pad id far below": config(pad_token_id=-500),
    "activation unknown": config(hidden_act="no-such"),
    "heads do not divide": config(num_attention_heads=5),
    "norm is text": config(layer_norm_eps="x"),
    "dropout is text": config(hidden_dropout_prob="x"),
    "other shapes": shapes_of_another,
    "weights are a folder": folder_at("model.safetensors"),
    "weights of a huge header": huge_header,
    "tokenizer is a folder": folder_at("tokenizer.json"),
    "tokenizer is a list": content("tokenizer.json", "[]"),
    "tokenizer is larger": larger_tokenizer,
    "tokenizer config is a list": content("tokenizer_config.json", "[1]"),
    "tokenizer config is a folder": folder_at("tokenizer_config.json"),
    "tokenizer config nested": content("tokenizer_config.json", '{"a":' * 100_000),
    "length negative": tokenizer(model_max_length=-5),
    "length zero": tokenizer(model_max_length=0),
    "length of special tokens alone": tokenizer(model_max_length=2),
    "length is text": tokenizer(model_max_length="long"),
    "sentence length is text": sentences("long"),
    "sentence length negative": sentences(-1),
    "sentence length zero": sentences(0),
    "sentence length fraction": sentences(12.5),
    "sentence length digits": sentences(10**400),
    "sentence length true": sentences(True),
    "sentence config is a list": content("sentence_bert_config.json", "[]"),
    "sentence config is a folder": folder_at("sentence_bert_config.json"),
}


@pytest.mark.parametrize("damage", CASES.values(), ids=CASES)
def test_a_hostile_model_folder_is_refused_in_words(model, tmp_path, engine, damage):
    copy = shutil.copytree(model("bert"), tmp_path / "hostile")
    damage(copy)
    begin, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ModelError) as caught:
        engine.embed(Recipe.parse(f"source={copy};tokens=content"), CORPUS)
    said = str(caught.value)
    assert said.count("\n") == 0
    assert len(said) < 600
    assert "ignore_mismatched_sizes" not in said
    assert time.perf_counter() - begin < SECONDS
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024 < MEGABYTES


def test_a_model_that_divides_by_a_size_of_0_is_refused_in_words(model, tmp_path, engine):
    copy = shutil.copytree(model("albert"), tmp_path / "hostile")
    config(num_hidden_groups=0)(copy)
    with pytest.raises(ModelError, match="cannot read a batch of texts: .*zero"):
        engine.embed(Recipe.parse(f"source={copy}"), CORPUS)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (config(quantization_config={"quant_method": "gptq", "bits": 4}), "has quantized weights"),
        (config(model_type="own", auto_map={"AutoConfig": "own.Config"}), "is never run$"),
    ],
    ids=["quantized", "own code"],
)
def test_what_only_other_programs_read_is_told_without_their_advice(model, tmp_path, engine, change, told):
    copy = shutil.copytree(model("bert"), tmp_path / "of others")
    change(copy)
    with pytest.raises(ModelError, match=told):
        engine.embed(Recipe.parse(f"source={copy}"), CORPUS)


@pytest.mark.parametrize(
    "change",
    [
        config(return_dict=False),
        config(pad_token_id=-1),
        config(pad_token_id=None),
        sentences(None),
        tokenizer(model_max_length=10**30),
        config(torchscript=True),
    ],
    ids=["return_dict", "pad id -1", "pad id null", "no limit", "endless tokenizer", "torchscript"],
)
def test_odd_and_valid_folders_are_read(model, tmp_path, engine, change):
    copy = shutil.copytree(model("bert"), tmp_path / "odd")
    change(copy)
    vectors = engine.embed(Recipe.parse(f"source={copy}"), CORPUS).vectors
    plain = engine.embed(Recipe.parse(f"source={model('bert')}"), CORPUS).vectors
    assert vectors == pytest.approx(plain, abs=1e-5)


def test_a_special_token_that_the_vocabulary_lacks_is_none(model, tmp_path, engine):
    copy = shutil.copytree(model("gpt2"), tmp_path / "odd")
    tokenizer(eos_token="")(copy)
    vectors = engine.embed(Recipe.parse(f"source={copy}"), CORPUS).vectors
    plain = engine.embed(Recipe.parse(f"source={model('gpt2')}"), CORPUS).vectors
    assert vectors == pytest.approx(plain, abs=1e-5)


def test_a_tokenizer_without_a_token_for_unknown_words_says_so(model, tmp_path, engine):
    copy = shutil.copytree(model("bert"), tmp_path / "no unknown")
    content = json.loads((copy / "tokenizer.json").read_text())
    content["model"]["unk_token"] = "[NONE]"
    (copy / "tokenizer.json").write_text(json.dumps(content))
    with pytest.raises(
        ModelError, match="tokenizer cannot read a text: WordPiece error.*Leave such texts out"
    ):
        engine.embed(Recipe.parse(f"source={copy}"), Corpus.of_texts("t", ["☃ snow"]))
