"""``python -m training.evaluate``: masked-language-model loss on held-out text, and the behaviour table."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from core.cli.common import Parser
from core.errors import CorpusError, StrataError
from core.pipeline.engine import Engine
from core.settings import Settings
from training.behaviour import behaviour, markdown
from training.command import print_progress, run
from training.held_out import MAX_LENGTH, SEED, held_out_loss
from training.masked_lm import set_threads
from training.settings import SHORTEST_SEQUENCE


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return run(_build_parser(), _evaluate, arguments, "Stopped.")


def _build_parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python -m training.evaluate",
        description="Masked-language-model loss on held-out text, and the behaviour table on STS-B.",
    )
    add = parser.add_argument
    add("--model", required=True, help="a folder, hub id or name of a bundled model")
    add("--text", nargs="+", type=Path, help="held-out text files, one text a line; plain or .gz")
    add("--lines", type=int, help="different lines of ten characters or more per file (default: all)")
    add("--max-length", type=int, default=MAX_LENGTH, help="tokens of a sequence (default: %(default)s)")
    add("--seed", type=int, default=SEED, help="of the masks (default: %(default)s)")
    add("--table", action="store_true", help="print the behaviour table on STS-B test (STRATA_DATA)")
    add("--threads", type=int, help="threads of the CPU (default: torch's)")
    add("--quiet", action="store_true", help="no progress on standard error")
    return parser


def _evaluate(options: argparse.Namespace) -> None:
    set_threads(options.threads)
    _refuse(options)
    progress = print_progress(options.quiet)
    if options.text:
        measured = held_out_loss(
            options.model,
            options.text,
            lines=options.lines,
            max_length=options.max_length,
            seed=options.seed,
            progress=progress,
        )
        names = " + ".join(path.name for path in options.text)
        print(f"{names}: masked-LM loss {measured.loss:.4f}, perplexity {measured.perplexity:.2f}")
        print(
            f"  {measured.predicted:,} of {measured.tokens:,} tokens predicted, in {measured.sequences:,} "
            f"sequences of up to {measured.max_length} tokens; mask seed {options.seed}"
        )
    if options.table:
        engine = Engine(Settings.from_environment())
        if engine.settings.data is None:
            raise CorpusError("table: STRATA_DATA is not set; name the folder with sts/STS-B.tsv.gz.")
        corpus = engine.corpus("STS-B", "test")
        rows = behaviour(engine, options.model, corpus, progress)
        print(markdown(rows, Path(options.model).name, corpus))


def _refuse(options: argparse.Namespace) -> None:
    if not options.text and not options.table:
        raise StrataError("Nothing to evaluate: give --text FILE for the loss, --table, or both.")
    for name, low in (("lines", 1), ("max_length", SHORTEST_SEQUENCE), ("seed", 0)):
        value = getattr(options, name)
        if value is not None and value < low:
            raise StrataError(f"{name.replace('_', '-')}: got {value}; allowed is {low} or more.")


if __name__ == "__main__":
    sys.exit(main())
