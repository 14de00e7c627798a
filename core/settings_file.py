"""Where settings are said: a key of ``strata.toml``, or a variable of the environment, which goes before.

Each key has one variable: ``jobs`` is ``STRATA_JOBS``. In the file a list is a list; in a variable, folders
are joined as in ``PATH`` and models by commas. A relative path in the file starts from the file's folder.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import StrataError, closest, first_line, shorten
from core.trust import expanded, is_file

NAME = "strata.toml"
"""The file that is read where it lies in the working folder."""

VARIABLE = "STRATA_SETTINGS"
"""The variable that names a file of settings instead."""

GIGABYTE = 1_000_000_000
MEGABYTE = 1_000_000

FORWARD = ("float32", "bfloat16")
STORAGE = ("float32", "float16")

LARGEST = MEGABYTE
"""Bytes of a file of settings."""

_MOST_JOBS = 999
_SWITCHES = dict.fromkeys(("1", "true", "on", "yes"), True) | dict.fromkeys(
    ("0", "false", "off", "no"), False
)


@dataclass(frozen=True)
class Key:
    """A setting.

    Attributes
    ----------
    field
        Which field of :class:`core.settings.Settings` it is.
    allowed
        What it may be, in words.
    read
        Makes the field's value of what the file says; raises :class:`ValueError` where that is not allowed.
    spelled
        Makes what a file would say of a variable's text; raises :class:`ValueError` likewise.
    """

    field: str
    allowed: str
    read: Callable[[Any, Path], object]
    spelled: Callable[[str], object]


def _folder(value: Any, start: Path) -> Path:
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        raise ValueError
    return start / expanded(value)


def _folders(value: Any, start: Path) -> tuple[Path, ...]:
    return tuple(_folder(one, start) for one in _list(value))


def _names(value: Any, _: Path) -> tuple[str, ...]:
    names = _list(value)
    if not all(isinstance(name, str) and name.strip() for name in names):
        raise ValueError
    return tuple(name.strip() for name in names)


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError
    return value


def _times(unit: int, least: float = 0.0) -> Callable[[Any, Path], int]:
    """Reads a number of ``unit`` bytes."""

    def read(value: Any, _: Path) -> int:
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value < 1e6:
            raise ValueError
        return int(value * unit)

    return read


def _count(value: Any, _: Path) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= _MOST_JOBS:
        raise ValueError
    return value


def _one_of(*allowed: str) -> Callable[[Any, Path], str]:
    """Reads one of some words."""

    def read(value: Any, _: Path) -> str:
        if value not in allowed:
            raise ValueError
        return str(value)

    return read


def _device(value: Any, _: Path) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"auto|cpu|(cuda|xpu|mps)(:\d{1,2})?", value):
        raise ValueError
    return value


def _switch(value: Any, _: Path) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _split(separator: str) -> Callable[[str], list[str]]:
    return lambda text: [part for part in text.split(separator) if part.strip()]


def _spelled_switch(text: str) -> bool:
    try:
        return _SWITCHES[text.strip().lower()]
    except KeyError as error:
        raise ValueError from error


def _spelled_count(text: str) -> int:
    if not text.strip().isdecimal():
        raise ValueError
    return int(text)


_GIGABYTES, _PATH = "a number of gigabytes", "the path of a folder"

KEYS: Mapping[str, Key] = {
    "cache": Key("cache", _PATH, _folder, str),
    "data": Key("data", _PATH, _folder, str),
    "folders": Key("folders", "a list of folders", _folders, _split(os.pathsep)),
    "models": Key("models", "a list of hub ids, as 'owner/name' or 'owner/*'", _names, _split(",")),
    "upload_mb": Key("upload_bytes", "a number of megabytes, 1 or more", _times(MEGABYTE, 1), float),
    "uploads_gb": Key("uploads_bytes", _GIGABYTES, _times(GIGABYTE), float),
    "decks_gb": Key("decks_bytes", _GIGABYTES, _times(GIGABYTE), float),
    "cache_gb": Key("budget_bytes", _GIGABYTES, _times(GIGABYTE), float),
    "memory_gb": Key("memory_bytes", _GIGABYTES, _times(GIGABYTE), float),
    "jobs": Key("jobs", f"a number of jobs, 1 or more (at most {_MOST_JOBS})", _count, _spelled_count),
    "threads": Key(
        "threads", f"a number of threads, 1 or more (at most {_MOST_JOBS})", _count, _spelled_count
    ),
    "read_only": Key("read_only", "true or false", _switch, _spelled_switch),
    "forward": Key("forward", " or ".join(FORWARD), _one_of(*FORWARD), str),
    "device": Key("device", "auto, cpu, or a device of torch, as cuda or cuda:1", _device, str),
    "storage": Key("storage", " or ".join(STORAGE), _one_of(*STORAGE), str),
}
"""The settings by their names in the file."""


def variable_of(name: str) -> str:
    """The variable of the environment for a key."""
    return f"STRATA_{name.upper()}"


def find(environment: Mapping[str, str]) -> Path | None:
    """The file of settings: the one that ``STRATA_SETTINGS`` names, else ``strata.toml`` in this folder.

    Raises :class:`StrataError` where one is named that is not there.
    """
    if named := environment.get(VARIABLE):
        path = expanded(named)
        if not is_file(path):
            raise StrataError(f"{VARIABLE}: there is no file {shorten(named)}; name a file like {NAME}.")
        return path
    path = Path(NAME)
    return path if is_file(path) else None


def read(environment: Mapping[str, str]) -> dict[str, object]:
    """What file and environment say, by the fields of ``Settings``; the environment goes before.

    Raises
    ------
    StrataError
        A file that cannot be read, a key that there is not, or a value that is not allowed.
    """
    path = find(environment)
    values = {} if path is None else _of_file(path)
    for name, key in KEYS.items():
        if text := environment.get(variable_of(name)):
            values[key.field] = _of_text(name, text)
    return values


def _of_file(path: Path) -> dict[str, object]:
    try:
        if path.stat().st_size > LARGEST:
            raise StrataError(f"{path} has more bytes than {LARGEST:,}, which is the most for settings.")
        said = tomllib.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise StrataError(f"{path} cannot be read: {error.strerror}.") from error
    except StrataError:
        raise
    except (ValueError, RecursionError) as error:  # no TOML, no UTF-8, or brackets in brackets
        raise StrataError(f"{path} is no TOML: {first_line(error)}.") from error
    values = {}
    for name, value in said.items():
        if name not in KEYS:
            raise StrataError(
                f"{path}: there is no setting {shorten(name)}.{closest(name, KEYS)} "
                f"Allowed: {', '.join(KEYS)}."
            )
        key = KEYS[name]
        try:
            values[key.field] = key.read(value, path.absolute().parent)
        except ValueError as error:
            raise StrataError(f"{path}: {name}: got {shorten(value)}; allowed is {key.allowed}.") from error
    return values


def _of_text(name: str, text: str) -> object:
    key = KEYS[name]
    try:
        return key.read(key.spelled(text), Path())
    except ValueError as error:
        raise StrataError(f"{variable_of(name)}: got {shorten(text)}; allowed is {key.allowed}.") from error
