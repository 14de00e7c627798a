"""A figure is sent unchecked: here each of a new form is compared with what Plotly makes of it."""

import base64
import json
import math

import numpy as np
import plotly.graph_objects as go
import plotly.io

from components.figures.drawn import DrawnFigure

SEEN: set[str] = set()
"""The forms that were compared in this process."""


def watch(monkeypatch) -> None:
    """Compare each figure of a new form when it is sent."""
    whole = DrawnFigure.to_dict

    def sent(self):
        out = whole(self)
        if "_checked" not in vars(self) and (form := str(_form(out))) not in SEEN:
            SEEN.add(form)
            compare(self, out)
        return out

    monkeypatch.setattr(DrawnFigure, "to_dict", sent)


def compare(figure: DrawnFigure, out: dict) -> None:
    """The browser is sent what it would be sent of a figure that Plotly has checked."""
    found, wanted = plain(out), plain(go.Figure(figure._traces, figure._outline).to_dict())
    if different := list(differences(found, wanted)):
        raise AssertionError(different)  # in the words of a page that shows it


def plain(figure: dict) -> dict:
    """What the browser is sent, its typed arrays as arrays of numbers."""
    return _numbers(json.loads(plotly.io.to_json(figure, validate=False)))


def differences(found, wanted, place="figure"):
    """Where two figures differ, and in what."""
    if isinstance(found, np.ndarray) or isinstance(wanted, np.ndarray):
        if not _alike(found, wanted):
            yield place, found, wanted
    elif isinstance(found, dict) and isinstance(wanted, dict):
        for name in found.keys() | wanted.keys():
            yield from differences(found.get(name), wanted.get(name), f"{place}.{name}")
    elif isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        for number, (one, other) in enumerate(zip(found, wanted, strict=True)):
            yield from differences(one, other, f"{place}.{number}")
    elif isinstance(found, float) and isinstance(wanted, float):
        if not math.isclose(found, wanted, rel_tol=1e-6):  # single precision is written in fewer digits
            yield place, found, wanted
    elif found != wanted:
        yield place, found, wanted


def _alike(found, wanted):
    """Whether arrays, or an array and a list, hold the same numbers; single precision has fewer digits."""
    try:
        one, other = (np.asarray(each, float) for each in (found, wanted))
    except (TypeError, ValueError):  # words, or nothing at all
        return False
    return one.shape == other.shape and np.allclose(one, other, rtol=1e-6, atol=0, equal_nan=True)


def _form(value):
    """Names and kinds: two figures of one form differ in numbers and words alone."""
    if isinstance(value, dict):
        return {name: value[name] if name == "type" else _form(value[name]) for name in sorted(value)}
    if isinstance(value, list | tuple):
        return sorted({str(_form(each)) for each in value})
    return type(value).__name__


def _numbers(value):
    """Typed arrays as numbers, and what is not said left out."""
    if isinstance(value, dict) and "bdata" in value:
        numbers = np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"])
        return numbers.reshape([int(each) for each in value.get("shape", str(numbers.size)).split(",")])
    if isinstance(value, dict):
        return {name: _numbers(each) for name, each in value.items() if each is not None}
    if isinstance(value, list):
        return [_numbers(each) for each in value]
    if isinstance(value, float):
        return None if math.isnan(value) else value
    return value
