"""What the product says when it cannot do what was asked.

Every message a visitor can cause is a :class:`StrataError`; its text says what was wrong, what was
given, what is allowed and what to do next. Pages and the command line print it as it is; any other
exception is a mistake of ours and keeps its traceback.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

READ_ONLY = (
    "This installation is read-only: it keeps no file, recipe or deck of visitors, and downloads nothing."
)
"""What a visitor reads where the setting ``read_only`` refuses something."""


class StrataError(ValueError):
    """A request that cannot be met, in the reader's words."""


class RecipeError(StrataError):
    """A recipe that cannot be read, or that the chosen source cannot follow."""


class NoTokensError(RecipeError):
    """Texts of which none has a token that the source knows: there is nothing to embed."""


class TooFewSentencesError(RecipeError):
    """A step that would learn from so few sentences that its result means nothing.

    ``what`` says which one, what it needs and what it got; the advice depends on what it learns from, the
    target or the reference (``fit``).
    """

    def __init__(self, what: str, fit: str = "target") -> None:
        elsewhere = "Learn it from the reference corpus instead: fit=reference."
        advice = elsewhere if fit == "target" else "Take a larger reference corpus."
        super().__init__(f"{what} {advice}")
        self.what = what


class CorpusError(StrataError):
    """A corpus that cannot be found, read or scored."""


class ScaleError(CorpusError):
    """A table of which most rows cannot be used, as where its scores are on another scale."""


class ModelError(StrataError):
    """A model that cannot be found, verified or loaded."""


class StoreError(StrataError):
    """The folder of stored passes cannot be used."""


def counted(number: int, noun: str) -> str:
    """``1 sentence``, ``1,379 sentences``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def are(number: int) -> str:
    """``is`` for one of something, else ``are``."""
    return "is" if number == 1 else "are"


def their(number: int) -> str:
    """``its`` for one of something, else ``their``."""
    return "its" if number == 1 else "their"


def they(number: int, verb: str) -> str:
    """``gains`` for one of something, else ``gain``."""
    return f"{verb}s" if number == 1 else verb


def shorten(text: object, length: int = 60) -> str:
    """``text`` quoted on one line, cut in the middle to at most ``length`` characters."""
    shown = repr(str(text))
    if len(shown) <= length:
        return shown
    half = (length - 3) // 2
    return f"{shown[:half]}...{shown[-half:]}"


def first_line(error: BaseException) -> str:
    """The first line of what another library says went wrong; its kind when it says nothing."""
    return (str(error).strip() or type(error).__name__).splitlines()[0][:240]


def closest(got: str, allowed: Iterable[str]) -> str:
    """``" Did you mean 'mean'?"`` when one of ``allowed`` looks like ``got``, else an empty text."""
    match = get_close_matches(got, list(allowed), n=1, cutoff=0.6)
    return f" Did you mean {match[0]!r}?" if match else ""
