"""Which recipe, scored on what, gives a printed figure; or why none here does."""

from core.literature.rules.finding import rule_of
from core.literature.rules.rule import Rule

__all__ = ["Rule", "rule_of"]
