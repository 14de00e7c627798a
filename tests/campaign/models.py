"""Model folders of every kind of encoder and decoder, damaged at random: refused in words, or finite."""

from __future__ import annotations

import json
import random
import shutil
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file

from core.corpora.corpus import Corpus
from core.recipe import Recipe
from tests.campaign.recipes import engine_in
from tests.campaign.tally import Bounds, Tally
from tests.core.helpers import tiny
from tests.core.helpers.texts import many

FAMILIES = tuple(tiny.FAMILIES)
SECONDS = 60.0
ODD: tuple[Any, ...] = (0, -1, 1, 2.5, 10**9, 10**400, "", "x", "32", None, True, [], {}, [3], {"a": 1})
TEXTS = Corpus.of_texts("t", many(3))


def folders(bounds: Bounds, folder: Path) -> Tally:
    """One model folder after another, with one damage each, asked for the vectors of three sentences.

    Weights that are whole and other than those of the model are not told apart: their numbers are theirs.
    """
    tally, chance = Tally("model folders damaged"), random.Random(bounds.seed)
    whole = {family: tiny.build(family, folder / family) for family in FAMILIES}
    for number in bounds.trials():
        family = sorted(whole)[number % len(whole)]
        copy = folder / f"damaged-{number}"
        shutil.copytree(whole[family], copy)
        name, damage = chance.choice(sorted(DAMAGES.items()))
        told = damage(copy, chance)
        problem = _vectors(copy, folder / "cache")
        ran = (folder / "ran").exists()
        tally.count(f"{family}: {name} {told}", "a program in it was run" if ran else problem)
        shutil.rmtree(copy, ignore_errors=True)
        shutil.rmtree(folder / "cache", ignore_errors=True)
    return tally


def _vectors(copy: Path, cache: Path) -> str | Exception | None:
    begun = time.monotonic()
    try:
        vectors = engine_in(cache).embed(Recipe.parse(f"source={copy}"), TEXTS).vectors
    except Exception as error:
        return error
    if time.monotonic() - begun > SECONDS:
        return f"it took {time.monotonic() - begun:.0f} s"
    return None if np.isfinite(vectors).all() else "vectors that are not finite"


def _value(copy: Path, chance: random.Random) -> str:
    """Another value for one entry of a JSON file, however deep."""
    path = chance.choice(sorted(copy.glob("*config.json")))
    content = json.loads(path.read_text())
    part, key, way = content, chance.choice(sorted(content)), path.name
    while isinstance(part[key], dict) and part[key] and chance.random() < 0.7:
        part, way = part[key], f"{way}/{key}"
        key = chance.choice(sorted(part))
    part[key] = chance.choice(ODD)
    path.write_text(json.dumps(content))
    return f"{way}/{key}={part[key]!r:.20}"


def _bytes(copy: Path, chance: random.Random) -> str:
    path = chance.choice(sorted(path for path in copy.iterdir() if path.is_file()))
    content = bytearray(path.read_bytes())
    for _ in range(chance.randint(1, 8)):
        content[chance.randrange(min(len(content), 4096))] = chance.randrange(256)
    path.write_bytes(bytes(content))
    return path.name


def _cut(copy: Path, chance: random.Random) -> str:
    path = chance.choice(sorted(path for path in copy.iterdir() if path.is_file()))
    path.write_bytes(path.read_bytes()[: chance.randrange(path.stat().st_size)])
    return path.name


def _without(copy: Path, chance: random.Random) -> str:
    path = chance.choice(sorted(path for path in copy.iterdir() if path.is_file()))
    path.unlink()
    return path.name


def _weights(copy: Path, chance: random.Random) -> str:
    """A tensor that is gone, of another shape, of another type, or not finite."""
    path = copy / "model.safetensors"
    weights = load_file(path)
    name = chance.choice(sorted(weights))
    change = chance.choice(("gone", "shape", "half", "whole numbers", "nan", "infinite"))
    if change == "gone":
        del weights[name]
    else:
        weights[name] = {
            "shape": lambda w: w.flatten()[: max(1, w.numel() // 2)].clone(),
            "half": lambda w: w.half(),
            "whole numbers": lambda w: w.to(torch.int8),
            "nan": lambda w: torch.full_like(w, float("nan")),
            "infinite": lambda w: torch.full_like(w, float("inf")),
        }[change](weights[name])
    save_file(weights, path, {"format": "pt"})
    return f"{name}: {change}"


def _half(copy: Path, chance: random.Random) -> str:
    """All weights in half precision, as many models are published."""
    kind = chance.choice((torch.float16, torch.bfloat16))
    path = copy / "model.safetensors"
    save_file({name: one.to(kind) for name, one in load_file(path).items()}, path, {"format": "pt"})
    return str(kind)


def _pickle(copy: Path, chance: random.Random) -> str:
    """Weights that could run a program."""
    torch.save(load_file(copy / "model.safetensors"), copy / "pytorch_model.bin")
    (copy / "model.safetensors").unlink()
    return "pytorch_model.bin"


def _program(copy: Path, chance: random.Random) -> str:
    """A model that asks for its own program, which would leave a file behind."""
    path = copy / "config.json"
    auto = {"AutoConfig": "own.Config", "AutoModel": "own.Model"}
    path.write_text(json.dumps(json.loads(path.read_text()) | {"auto_map": auto, "model_type": "own"}))
    (copy / "own.py").write_text(f"open({str(copy.parent / 'ran')!r}, 'w').write('ran')\n")
    return "auto_map"


DAMAGES = {
    "value": _value,
    "bytes": _bytes,
    "cut": _cut,
    "without": _without,
    "weights": _weights,
    "half precision": _half,
    "pickle": _pickle,
    "own program": _program,
}
