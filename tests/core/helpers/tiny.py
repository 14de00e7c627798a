"""Transformers small enough for tests: random weights from a seed, and a tokenizer built by hand.

Each family keeps what makes it different: ELECTRA's and ALBERT's narrow embeddings, XLNet's [CLS] at the
end, RoBERTa's shifted positions, GPT-2 and Llama without a classification token.
"""

import string
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

LIMIT = 96
"""Tokens that every tiny model can read."""

WIDTH, DEPTH, HEADS = 32, 3, 4

_WORDS = "a the girl boy plays guitar sleep in park dog run cat sat on mat white two man rain fall".split()
_PIECES = ["##ing", "##s", "##ed"]


@dataclass(frozen=True)
class Family:
    """A kind of model: its configuration, its tokenizer and where its classification token stands."""

    config: Callable[[int], Any]
    tokenizer: Callable[[], tuple[Tokenizer, dict[str, Any]]]
    type_ids: bool = False


def _word_pieces() -> tuple[Tokenizer, dict[str, Any]]:
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = string.ascii_lowercase + string.digits
    pieces = [*special, *string.punctuation, *letters, *(f"##{c}" for c in letters), *_WORDS, *_PIECES]
    vocabulary = {piece: i for i, piece in enumerate(dict.fromkeys(pieces))}
    made = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[(t, vocabulary[t]) for t in ("[CLS]", "[SEP]")]
    )
    names = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
    return made, dict(zip(names, special, strict=True))


def _bytes(special: dict[str, str], single: str) -> tuple[Tokenizer, dict[str, Any]]:
    texts = list(dict.fromkeys(special.values()))
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {piece: i for i, piece in enumerate([*texts, *alphabet])}
    made = Tokenizer(models.BPE(vocabulary, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    if single:
        used = [(t, vocabulary[t]) for t in texts if t in single]
        made.post_processor = processors.TemplateProcessing(single=single, special_tokens=used)
    return made, special


def _roberta() -> tuple[Tokenizer, dict[str, Any]]:
    special = {"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    special |= {"cls_token": "<s>", "sep_token": "</s>", "mask_token": "<mask>"}
    return _bytes(special, "<s> $A </s>")


def _gpt2() -> tuple[Tokenizer, dict[str, Any]]:
    return _bytes({"bos_token": "<|endoftext|>", "eos_token": "<|endoftext|>"}, "")


def _pieces(special: dict[str, str], single: str) -> tuple[Tokenizer, dict[str, Any]]:
    texts = list(special.values())
    rest = [*(f"▁{word}" for word in _WORDS), "▁", *string.ascii_letters, *string.punctuation]
    scores = [(piece, 0.0) for piece in texts] + [(p, -1.0 - 0.01 * i) for i, p in enumerate(rest)]
    made = Tokenizer(models.Unigram(scores, unk_id=texts.index(special["unk_token"])))
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.decoder = decoders.Metaspace()
    used = [(t, i) for i, t in enumerate(texts) if t in single]
    made.post_processor = processors.TemplateProcessing(single=single, special_tokens=used)
    return made, special


def _xlnet() -> tuple[Tokenizer, dict[str, Any]]:
    special = {"unk_token": "<unk>", "sep_token": "<sep>", "pad_token": "<pad>", "cls_token": "<cls>"}
    return _pieces(special | {"mask_token": "<mask>"}, "$A <sep> <cls>")


def _llama() -> tuple[Tokenizer, dict[str, Any]]:
    return _pieces({"unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>"}, "<s> $A")


def _usual(kind: str, **more: Any) -> Callable[[int], Any]:
    sizes = {"hidden_size": WIDTH, "num_hidden_layers": DEPTH, "num_attention_heads": HEADS}
    sizes |= {"intermediate_size": 48, "max_position_embeddings": LIMIT}
    return lambda vocabulary: getattr(transformers, kind)(**(sizes | {"vocab_size": vocabulary} | more))


def _own(kind: str, **sizes: Any) -> Callable[[int], Any]:
    return lambda vocabulary: getattr(transformers, kind)(**sizes, vocab_size=vocabulary)


FAMILIES = {
    "bert": Family(_usual("BertConfig"), _word_pieces, type_ids=True),
    "roberta": Family(
        _usual("RobertaConfig", max_position_embeddings=LIMIT + 2, type_vocab_size=1, pad_token_id=1),
        _roberta,
    ),
    "electra": Family(_usual("ElectraConfig", embedding_size=16), _word_pieces, type_ids=True),
    "xlnet": Family(
        _own("XLNetConfig", d_model=WIDTH, n_layer=DEPTH, n_head=HEADS, d_inner=48, pad_token_id=2),
        _xlnet,
        type_ids=True,
    ),
    "albert": Family(
        _usual("AlbertConfig", embedding_size=16, pad_token_id=0), _word_pieces, type_ids=True
    ),
    "distilbert": Family(
        _own(
            "DistilBertConfig",
            dim=WIDTH,
            n_layers=DEPTH,
            n_heads=HEADS,
            hidden_dim=48,
            max_position_embeddings=LIMIT,
        ),
        _word_pieces,
    ),
    "mpnet": Family(_usual("MPNetConfig", max_position_embeddings=LIMIT + 2, pad_token_id=1), _roberta),
    "gpt2": Family(_own("GPT2Config", n_embd=WIDTH, n_layer=DEPTH, n_head=HEADS, n_positions=LIMIT), _gpt2),
    "llama": Family(_usual("LlamaConfig", num_key_value_heads=2), _llama),
}


def build(family: str, folder: Path, seed: int = 0) -> Path:
    """Write a tiny model of a family, with its tokenizer, into ``folder``."""
    kind = FAMILIES[family]
    backend, special = kind.tokenizer()
    names = ["input_ids", *(["token_type_ids"] if kind.type_ids else []), "attention_mask"]
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=backend, model_max_length=LIMIT, model_input_names=names, **special
    )
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    model = transformers.AutoModel.from_config(kind.config(backend.get_vocab_size()))
    for parameter in model.parameters():
        if parameter.ndim > 1:  # far enough from 0 for tokens, layers and sentences to differ
            torch.nn.init.normal_(parameter, std=0.3)
    model.save_pretrained(folder, safe_serialization=True)
    return folder
