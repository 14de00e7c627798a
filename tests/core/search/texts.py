"""Sentences for the tests of the search."""

from tests.core.helpers import texts


def many(number: int) -> list[str]:
    """Different plain sentences, more than the helper has."""
    plain = texts.many(100)
    return [f"{plain[i % 100]} {'Again. ' * (i // 100)}".strip() for i in range(number)]
