"""A GPU beside sentence-transformers on it, and beside the CPU: speed, the same numbers, perturbed masking.

    python -m benchmarks.gpu --data FOLDER

Encoders of BERT's shapes with random weights read the different sentences of STS-B test: what a pass takes
depends on shapes alone. The numbers are compared with those of the CPU, on the bundled untuned model too.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import numpy as np
import torch

from benchmarks import masking
from benchmarks.report import alternate, circumstances, data_folder, fresh_settings, middle, show, table
from core.encoders.device import find_device
from core.encoders.models import locate
from core.evaluation.sts import evaluate
from core.pipeline.engine import Engine
from core.recipe import Recipe

CORPUS = "STS-B"
ROUNDS = 5
UNTUNED = "untuned"
SHAPES = {
    "6 layers × 384 (MiniLM)": (6, 384, 12),
    "12 layers × 768 (BERT-base)": (12, 768, 12),
    "24 layers × 1,024 (BERT-large)": (24, 1024, 16),
}
"""Layers, width and heads."""

COMPARED = ("12 layers × 768 (BERT-base)",)
"""Those whose numbers are compared with the CPU's."""

PRECISIONS = ("float32", "bfloat16")
STORAGES = ("float32", "float16")
RECIPES = ("", "layers=last", "weight=idf;post=zscore", "layers=0+last;weight=ditto(layer=1,head=2)")


def run(data: Path) -> None:
    """Print the tables."""
    with ExitStack() as stack:
        folders = {
            label: stack.enter_context(_random_encoder(data, shape)) for label, shape in SHAPES.items()
        }
        show(
            "First pass on a GPU",
            table(
                [
                    *("encoder", "", "median s", "minimum s", "sentences a second"),
                    *("× sentence-transformers", "estimated before the first, s"),
                ],
                [row for label, folder in folders.items() for row in _speed(data, label, folder)],
                words=2,
            ),
            f"{ROUNDS} rounds, runs in turn, models loaded and warm. A first pass includes tokenization, "
            "checksums and the disk, and keeps every layer; sentence-transformers keeps one vector a "
            "sentence. The factor compares medians at the same precision of the model. Removing the pass "
            "before is not counted.\n",
        )
        masked = {label: _masking(data, folder) for label, folder in folders.items()}
        show(
            "Perturbed masking on a GPU",
            table(
                ["encoder", *masking.COLUMNS],
                [[label, *row] for label, (rows, _) in masked.items() for row in rows],
                words=2,
            ),
            *(f"{label}: {note}" for label, (_, note) in masked.items()),
        )
        sources = {UNTUNED: UNTUNED} | {label: str(folders[label]) for label in COMPARED}
        show(
            "The same numbers on a GPU",
            table(
                [
                    "encoder",
                    "recipe",
                    "forward",
                    "largest error",
                    "mean error",
                    "Spearman × 100",
                    "difference",
                ],
                [row for label, source in sources.items() for row in _agreement(data, label, source)],
                words=3,
            ),
            "Error: the absolute difference of a pair's cosine on the GPU from the CPU's in float32, over "
            f"all pairs of {CORPUS} test; Spearman is the CPU's.\n",
        )


@contextmanager
def _random_encoder(data: Path, shape: tuple[int, int, int]) -> Iterator[Path]:
    """A folder with a BERT of this shape, its weights drawn, and the untuned model's tokenizer."""
    from transformers import AutoTokenizer, BertConfig, BertModel

    depth, dim, heads = shape
    with fresh_settings(data) as settings:
        untuned = locate(UNTUNED, Engine(settings).store.digest).folder
    tokenizer = AutoTokenizer.from_pretrained(str(untuned))
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=dim,
        num_hidden_layers=depth,
        num_attention_heads=heads,
        intermediate_size=4 * dim,
    )
    with tempfile.TemporaryDirectory(prefix="strata-benchmark-") as folder:
        BertModel(config, add_pooling_layer=False).save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        yield Path(folder)


def _speed(data: Path, label: str, folder: Path) -> list[list[str]]:
    """Rows of the first table for one encoder."""
    with ExitStack() as stack:
        runs: dict[str, Callable[[], object]] = {}
        before: dict[str, Callable[[], object]] = {}
        usual: dict[str, str] = {}
        estimated: dict[str, str] = {}
        for forward in PRECISIONS:
            encode = f"sentence-transformers, {forward}"
            runs[encode] = _sentence_transformers(data, folder, forward)
            for storage in STORAGES:
                name = f"first pass, {forward}, stored in {storage}"
                given = stack.enter_context(fresh_settings(data, forward=forward, storage=storage))
                engine = Engine(given)
                corpus, source = engine.corpus(CORPUS), engine.source(Recipe.parse(f"source={folder}"))
                estimated[name] = f"{sum(engine.passes.pending(source, corpus).values()):.2f}"
                runs[name] = partial(engine.passes.get, source, corpus)
                before[name] = partial(engine.store.discard, engine.passes.key(source, corpus))
                usual[name] = encode
        alternate(runs, 1, before)
        durations = alternate(runs, ROUNDS, before)
        sentences = len(corpus.sentences)
    rows = []
    for name, found in durations.items():
        factor = middle(durations[usual.get(name, name)]) / middle(found)
        speed = f"{sentences / middle(found):,.0f}"
        times = f"{middle(found):.2f}", f"{min(found):.2f}"
        rows.append([label, name, *times, speed, f"{factor:.2f}", estimated.get(name, "")])
    return rows


def _sentence_transformers(data: Path, folder: Path, precision: str) -> Callable[[], object]:
    """The usual way to encode the sentences of the corpus on the GPU."""
    from sentence_transformers import SentenceTransformer

    with fresh_settings(data) as settings:
        sentences = list(Engine(settings).corpus(CORPUS).sentences)
    kwargs = {"dtype": getattr(torch, precision)}
    loaded = SentenceTransformer(str(folder), device="cuda", model_kwargs=kwargs)
    return lambda: loaded.encode(sentences, show_progress_bar=False, convert_to_tensor=True).float().cpu()


def _masking(data: Path, folder: Path) -> tuple[list[list[object]], str]:
    """The ways to perturbed masking with one encoder, and the note on them."""
    with fresh_settings(data) as settings:
        return masking.compared(Engine(settings), Recipe.parse(f"source={folder}"))


def _agreement(data: Path, label: str, source: str) -> list[list[str]]:
    """Rows of the second table for one encoder."""
    right = _cosines(data, source, device="cpu")
    rows = []
    for precision in PRECISIONS:
        for text, (found, score) in _cosines(data, source, forward=precision).items():
            exact, known = right[text]
            error = np.abs(found - exact)
            numbers = [f"{error.max():.1e}", f"{error.mean():.1e}", f"{known:.3f}", f"{score - known:+.3f}"]
            rows.append([label, f"`{text or 'defaults'}`", precision, *numbers])
    return rows


def _cosines(data: Path, source: str, **given: object) -> dict[str, tuple[np.ndarray, float]]:
    """The cosines and the score of every recipe."""
    found = {}
    with fresh_settings(data, **given) as settings:
        engine = Engine(settings)
        corpus = engine.corpus(CORPUS)
        for text in RECIPES:
            cosines, _ = engine.similarities(Recipe.parse(f"source={source};{text}"), corpus)
            found[text] = cosines, evaluate(cosines, corpus, intervals=False).spearman
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Run alone."""
    data = data_folder("A GPU beside sentence-transformers on it, and beside the CPU.", arguments)
    device = find_device()
    if device.torch.type == "cpu":
        raise SystemExit("This machine has no GPU that torch can use.")
    print(circumstances(device.label))
    run(data)


if __name__ == "__main__":
    main()
