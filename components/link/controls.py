"""The controls of a run that are bound to the URL, and what they say as Streamlit writes it there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state.query_params import _coerce_value_for_query_url, parse_url_param


@dataclass(frozen=True)
class Said:
    """What a control says, in the URL's words.

    ``untouched`` is what it says by default. ``single`` tells that it holds one value: the last of those
    that a link writes.
    """

    values: tuple[str, ...]
    untouched: tuple[str, ...] = ()
    single: bool = False

    @property
    def shown(self) -> str:
        """In words, for a message."""
        return ", ".join(self.values) or "none"

    @property
    def written(self) -> tuple[str, ...]:
        """As a full link says it; nothing where it says nothing by default too."""
        return self.values or ("",) * bool(self.untouched)

    def agrees(self, written: list[str]) -> bool:
        """Whether it says what a link has written."""
        wanted = [value for value in dict.fromkeys(written) if value]
        if len(self.values) == 1 and wanted:
            return _alike(self.values[0], wanted[-1]) if len(wanted) == 1 else list(self.values) == wanted
        return list(self.values) == wanted


def of_this_run() -> dict[str, Said]:
    """Every bound control that the run has drawn, by its query parameter."""
    run = get_script_run_ctx()
    if run is None:
        return {}
    with run.session_state.query_params() as parameters:
        bindings = dict(parameters._bindings_by_widget)
    drawn = run.shared.widget_ids_this_run.snapshot()
    said = {}
    for widget, binding in bindings.items():
        metadata = run.session_state._state.get_widget_metadata(widget)
        if metadata is None or widget not in drawn:
            continue

        def spelled(value: Any, metadata: Any = metadata) -> tuple[str, ...]:
            wire = metadata.serializer(value)
            if wire is None or (isinstance(wire, str) and not wire):
                return ()
            written = _coerce_value_for_query_url(wire, metadata.value_type)
            return (written,) if isinstance(written, str) else tuple(written)

        value = st.session_state[binding.param_key]
        single = not metadata.value_type.endswith("array_value")
        said[binding.param_key] = Said(spelled(value), spelled(metadata.deserializer(None)), single)
    return said


def by_words(written: Mapping[str, list[str]]) -> dict[str, Any]:
    """What controls of the last run hold by a link's words; their default where they cannot read them."""
    run = get_script_run_ctx()
    if run is None:
        return {}
    with run.session_state.query_params() as parameters:
        bindings = dict(parameters._bindings_by_param)
    found = {}
    for name in bindings.keys() & written.keys():
        metadata = run.session_state._state.get_widget_metadata(bindings[name].widget_id)
        if metadata is not None:
            try:
                found[name] = metadata.deserializer(parse_url_param(written[name], metadata.value_type))
            except ValueError:
                found[name] = metadata.deserializer(None)
    return found


def _alike(one: str, other: str) -> bool:
    """Whether two values are written alike, but for capitals and the form of a number."""
    if one.lower() == other.lower():
        return True
    try:
        return float(one) == float(other)
    except ValueError:
        return False
