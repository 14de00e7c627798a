"""What controls hold: what a request says of them, and kept when their page is left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state.common import is_element_id
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import _is_internal_key

_WHOLE = SafeSessionState.filtered_state.fget


def keep() -> None:
    """Have what the controls of this run hold count as of an earlier run, at the end of this one.

    Streamlit looks for what a control of a page that was left holds among what earlier runs have left
    alone: ``SessionState._compact_state`` puts it there. A version that lacks it is left as it is.
    """
    run = get_script_run_ctx()
    compact = getattr(run.session_state._state, "_compact_state", None) if run is not None else None
    if compact is not None:
        compact()


def said(key: str) -> Any:
    """What the browser says of a control in the request of this run; None where it says nothing of it.

    ``st.session_state`` gives what code has set where the browser does not have the control. What came with
    the request is in ``SessionState._new_widget_state``, by the id of ``get_widget_id_from_key``.
    """
    run = get_script_run_ctx()
    if run is None:
        return None
    state = run.session_state._state
    return state._new_widget_state.get(state.get_widget_id_from_key(key) or "")


def is_drawn(key: str) -> bool:
    """Whether this run has drawn a control so far (``widget_ids_this_run``)."""
    run = get_script_run_ctx()
    if run is None:
        return False
    return run.session_state._state.get_widget_id_from_key(key) in run.shared.widget_ids_this_run.snapshot()


def drawn() -> frozenset[str]:
    """The identities of all controls that this run has drawn so far (``widget_ids_this_run``)."""
    run = get_script_run_ctx()
    return frozenset(run.shared.widget_ids_this_run.snapshot()) if run is not None else frozenset()


def changed() -> dict[str, str]:
    """The controls of which this request says something new: their keys, or nothing, by identity.

    ``SessionState._widget_changed`` tells it, ``SessionState._key_id_mapper`` has the keys.
    """
    run = get_script_run_ctx()
    if run is None:
        return {}
    state = run.session_state._state
    keys = state._key_id_mapper.id_key_mapping
    return {one: keys.get(one, "") for one in list(state._new_widget_state) if state._widget_changed(one)}


class _Values(Mapping[str, Any]):
    """What a visit holds by name, each looked up when it is asked for."""

    def __init__(self, state: SafeSessionState) -> None:
        self._state = state

    def __getitem__(self, key: str) -> Any:
        if is_element_id(key) or _is_internal_key(key):  # a control without a key, or a note of Streamlit's
            raise KeyError(key)
        return self._state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())

    def __repr__(self) -> str:
        return repr(self._whole())

    def _whole(self) -> dict[str, Any]:
        return _WHOLE(self._state)


def look_up_one() -> None:
    """Have a control look up its own value alone when it is drawn, in all visits.

    Text fields, radios, selects and sliders ask for ``SafeSessionState.filtered_state``, all that a visit
    holds, and look at one key of it: a tenth of what a run of a page computes. Nothing else is answered
    otherwise: whoever goes through all of it is given all of it. A version that lacks it raises
    AttributeError when app.py is run.
    """
    SafeSessionState.filtered_state = property(_Values)  # type: ignore[assignment, method-assign]
