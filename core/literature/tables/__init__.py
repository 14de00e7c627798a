"""The result tables of the papers as data: one tidy file a table, and what reads and checks them."""

from core.literature.tables.papers import PAPERS, Paper, paper
from core.literature.tables.table import Cell, Table, find_table, tables

__all__ = ["PAPERS", "Cell", "Paper", "Table", "find_table", "paper", "tables"]
