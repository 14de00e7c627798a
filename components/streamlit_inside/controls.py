"""The controls that are bound to query parameters, and how Streamlit writes and reads their values there.

``QueryParams`` has the bindings (``_bindings_by_widget``, ``_bindings_by_param``), the session state the
``WidgetMetadata`` of each control: how its value becomes what the browser sends, and back. In a version
that lacks one of them, what reads it raises AttributeError, or ImportError when this module is imported.
Outside a run there are no controls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.query_params import _coerce_value_for_query_url, parse_url_param


@dataclass(frozen=True)
class Bound:
    """A control by its query parameter, which is its key too."""

    parameter: str
    _metadata: WidgetMetadata[Any]

    @property
    def single(self) -> bool:
        """Whether it holds one value: of several in the address the last."""
        return not self._metadata.value_type.endswith("array_value")

    @property
    def default(self) -> Any:
        """What it holds until it is touched."""
        return self._metadata.deserializer(None)

    def spelled(self, value: Any) -> tuple[str, ...]:
        """A value in the words of the address; empty for none, and for an empty text."""
        wire = self._metadata.serializer(value)
        if wire is None or (isinstance(wire, str) and not wire):
            return ()
        words = _coerce_value_for_query_url(wire, self._metadata.value_type)
        return (words,) if isinstance(words, str) else tuple(words)

    def read(self, words: Sequence[str]) -> Any:
        """The value that words of the address say. Raises ValueError for words that it cannot read."""
        return self._metadata.deserializer(parse_url_param(list(words), self._metadata.value_type))


def drawn() -> list[Bound]:
    """The bound controls that this run has drawn so far (``widget_ids_this_run``)."""
    run = get_script_run_ctx()
    if run is None:
        return []
    ids = run.shared.widget_ids_this_run.snapshot()
    with run.session_state.query_params() as parameters:
        bindings = [one for widget, one in parameters._bindings_by_widget.items() if widget in ids]
    return [bound for one in bindings if (bound := _bound(one.widget_id, one.param_key)) is not None]


def of_last_run() -> dict[str, Bound]:
    """The bound controls of the run before, by their parameters; asked before this run draws any."""
    run = get_script_run_ctx()
    if run is None:
        return {}
    with run.session_state.query_params() as parameters:
        bindings = {name: one.widget_id for name, one in parameters._bindings_by_param.items()}
    found = {name: _bound(widget, name) for name, widget in bindings.items()}
    return {name: bound for name, bound in found.items() if bound is not None}


def _bound(widget: str, parameter: str) -> Bound | None:
    """A control by its id; None where the session knows nothing of it (``get_widget_metadata``).

    So it is of one that was bound to the address when the server still was another, until it is drawn.
    """
    run = get_script_run_ctx()
    metadata = run.session_state._state.get_widget_metadata(widget) if run is not None else None
    return None if metadata is None or metadata.value_type is None else Bound(parameter, metadata)
