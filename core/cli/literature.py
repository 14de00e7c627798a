"""The commands ``presets`` and ``tables``: the papers' recipes and their printed figures."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence

from core.cli.common import AddCommand, engine_of, print_notes, progress_of, refuse_idle
from core.errors import StrataError, shorten
from core.literature.presets import PRESETS
from core.literature.presets.of_paper import figures, presets_of
from core.literature.rules import rule_of
from core.literature.rules.running import Reproduction, as_line
from core.literature.rules.without import systems_without
from core.literature.tables import PAPERS, Paper, Table, find_table, paper, tables
from core.literature.tables.printing import as_lines, as_text
from core.literature.tables.slips import slips_of
from core.recipe import Recipe, shown

_PAPERS = ", ".join(f"{known.number} {known.citation}" for known in PAPERS)


def add(command: AddCommand) -> None:
    """Add the commands."""
    presets = command("presets", _presets, "List named recipes of the literature.")
    presets.add_argument(
        "--paper", nargs="?", const="", help=f"those of one paper, with what it prints: {_PAPERS}"
    )
    tables_ = command("tables", _tables, "List the papers' result tables, or print one as it is printed.")
    tables_.add_argument("paper", nargs="?", help=f"the paper: {_PAPERS}")
    tables_.add_argument("table", nargs="?", help="the table: its number, or the word the list has for it")
    tables_.add_argument("--tsv", action="store_true", help="the figures one a line, tab-separated")
    tables_.add_argument("--slips", action="store_true", help="only what does not add up in print")
    tables_.add_argument(
        "--here", action="store_true", help="compute the figures of the table that can be computed here"
    )
    tables_.add_argument("--column", help="with --here: one column alone, by its name")
    tables_.add_argument("--recipe", help="with --here: a recipe whose source stands for the paper's model")


def _presets(options: argparse.Namespace) -> None:
    if options.paper is not None:
        _presets_of(paper(options.paper))
        return
    for preset in PRESETS:
        print(f"{preset.name:<34} {shown(preset.recipe)}")
        print(f"{'':<34} {preset.explanation} {preset.published}.")


def _presets_of(asked: Paper) -> None:
    print(f"{asked.number}  {asked.citation}: {asked.title}")
    for one in presets_of(asked):
        preset = one.preset
        print(f"\n{preset.name:<34} {shown(preset.recipe)}")
        if preset.needs:
            print(f"{'':<34} needs {preset.needs}")
        for (where, model), scores in one.scores.items():
            print(f"{'':<34} {where.removeprefix(asked.citation + ', ')}; {model}, {scores[0].metric}:")
            print(f"{'':<34}   {figures(scores)}")
    if without := systems_without(asked):
        print("\nPrinted there, and no recipe here:")
    for each in without:
        printed = ", ".join(f"{cell.column} {cell.printed}" for cell in each.cells)
        print(f"\n{each.row:<34} {each.table.label}: {each.reason}")
        print(f"{'':<34}   {printed}")


def _tables(options: argparse.Namespace) -> None:
    found = tables(options.paper) if options.table is None else (find_table(options.paper, options.table),)
    _refuse_idle(options)
    if options.here:
        _table_here(options, found)
    elif options.slips:
        for slip in (slip for table in found for slip in slips_of(table)):
            place = ", ".join(filter(None, (slip.row, slip.column)))
            print(f"{slip.paper} {slip.table:<18} {place}{': ' if place else ''}{slip.told}")
    elif options.tsv:
        for number, table in enumerate(found):
            print(as_lines(table) if not number else as_lines(table).partition("\n")[2])
    elif options.table is not None:
        print(as_text(found[0]))
    else:
        for table in found:
            print(f"{table.paper.number}  {table.name:<18} {table.results:>4} figures  {table.title}")


def _refuse_idle(options: argparse.Namespace) -> None:
    """Refuse options that would do nothing beside the others."""
    if not options.here:
        why = "is of what is computed; give --here with it."
        refuse_idle(options, "tables", ("column", "recipe"), why)
    forms = [f"--{name}" for name in ("here", "slips", "tsv") if getattr(options, name)]
    if len(forms) > 1:
        raise StrataError(f"tables: {' and '.join(forms)} are two forms of an answer; give one of them.")


def _table_here(options: argparse.Namespace, found: Sequence[Table]) -> None:
    """Printed and measured figures of one table, one a line, and why the others cannot be computed."""
    if len(found) != 1:
        raise StrataError("tables: --here computes one table: give a paper and a table, as 000 11.")
    (table,) = found
    if options.column is not None and options.column not in table.columns:
        allowed = ", ".join(table.columns)
        raise StrataError(f"column: got {shorten(options.column)}; allowed is {allowed}.")
    here, missing = Reproduction(engine_of(options), Recipe.parse(options.recipe or "")), Counter[str]()
    print("row\tcolumn\tprinted\there\tlow\thigh\tdifference\trecipe\tdiffers")
    for cell in table.cells:
        if not cell.is_result or options.column not in (None, cell.column):
            continue
        rule = rule_of(table, cell)
        figure = rule if isinstance(rule, str) else here.runnable(rule)
        try:
            if isinstance(figure, str):
                raise StrataError(figure)
            print(as_line(cell, figure, here.measure(figure, progress_of(options))), flush=True)
        except StrataError as error:
            missing[str(error)] += 1
    print_notes([f"{count} not computed: {why}" for why, count in missing.most_common()])
