"""What is reached for behind Streamlit's public face: it is there, and one room alone reaches for it.

What to run first after an upgrade: each name that is missing is told, and stands in one module of the room.
"""

import ast
import asyncio
import importlib
import inspect
import io
import logging
from pathlib import Path
from types import SimpleNamespace

from starlette.websockets import WebSocket, WebSocketState
from streamlit.runtime import app_session
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.state.common import WidgetMetadata
from uvicorn.protocols.websockets import websockets_sansio_impl

from components.streamlit_inside import connections, controls, log

ROOT = Path(__file__).parents[2]
ROOM = ROOT / "components" / "streamlit_inside"

NAMES = {
    "streamlit.runtime": ("exists", "get_instance"),
    "streamlit.runtime.runtime": ("Runtime.stats_mgr", "Runtime.get_app_session"),
    "streamlit.delta_generator_singletons": ("context_dg_stack", "get_default_dg_stack_value"),
    "streamlit.runtime.runtime_util": ("MESSAGE_FLUSH_INTERVAL_SECS",),
    "streamlit.runtime.scriptrunner": (
        *("get_script_run_ctx", "RerunData.page_script_hash", "ScriptRunContext"),
        *("ScriptRunner._maybe_handle_execution_control_request", "ScriptRunner._on_script_finished"),
        *("ScriptRunner._requests", "ScriptRunnerEvent.SHUTDOWN"),
    ),
    "streamlit.runtime.scriptrunner_utils.script_requests": (
        *("ScriptRequests._state", "ScriptRequests._rerun_data", "ScriptRequestType.RERUN"),
        *("_has_active_trigger_value", "_is_full_app_rerun"),
    ),
    "streamlit.runtime.scriptrunner_utils.script_run_context": (
        "ScriptRunContext.fragment_ids_this_run",
        *("ScriptRunContext.page_script_hash", "ScriptRunContext.pages_manager"),
        *("ScriptRunContext.query_string", "ScriptRunContext.is_history_navigation"),
        *("ScriptRunContext.session_state", "ScriptRunContext.shared", "ScriptRunContext.enqueue"),
        *("SharedRunState", "ScriptRunContext.run_with_active_hash", "ThreadState.get"),
    ),
    "streamlit.runtime.forward_msg_queue": (
        *("ForwardMsgQueue.enqueue", "ForwardMsgQueue.flush", "ForwardMsgQueue.clear"),
        "ForwardMsgQueue._delta_index_map",
    ),
    "streamlit.runtime.app_session": (
        *("AppSession._browser_queue", "AppSession._event_loop", "AppSession._scriptrunner"),
        *("AppSession._message_enqueued_callback", "AppSession.request_rerun"),
        *("AppSession._create_scriptrunner", "AppSession._handle_scriptrunner_event_on_event_loop"),
        "AppSession._call_soon_on_event_loop",
    ),
    "streamlit.runtime.websocket_session_manager": (
        *("WebsocketSessionManager.disconnect_session", "WebsocketSessionManager.get_active_session_info"),
    ),
    "streamlit.runtime.pages_manager": (
        *("PagesManager.main_script_path", "PagesManager.main_script_hash"),
        "PagesManager.set_script_intent",
        "PagesManager.uses_pages_directory",
    ),
    "streamlit.runtime.state.safe_session_state": (
        *("SafeSessionState.on_script_will_rerun", "SafeSessionState.filtered_state"),
        "SafeSessionState.query_params",
        "SafeSessionState._state",
    ),
    "streamlit.runtime.state.session_state": (
        *("SessionState.get_widget_metadata", "SessionState._compact_state"),
        *("SessionState.get_widget_id_from_key", "SessionState._new_widget_state"),
        *("SessionState._widget_changed", "SessionState._key_id_mapper", "KeyIdMapper.id_key_mapping"),
        *("SessionStateStatProvider.get_stats", "_is_internal_key"),
    ),
    "streamlit.runtime.state.common": (
        "is_element_id",
        *("WidgetMetadata.serializer", "WidgetMetadata.deserializer", "WidgetMetadata.value_type"),
    ),
    "streamlit.runtime.state.query_params": (
        *("_coerce_value_for_query_url", "parse_url_param"),
        *("QueryParams._initial_query_params", "QueryParams._query_params"),
        *("QueryParams._bindings_by_widget", "QueryParams._bindings_by_param"),
        *("QueryParams.get_all", "QueryParams.discard_param_no_forward_msg"),
        *("QueryParams._send_query_param_msg", "WidgetBinding.widget_id", "WidgetBinding.param_key"),
    ),
    "streamlit.runtime.stats": (
        *("ACTIVE_SESSIONS_FAMILY", "CounterStat", "GaugeStat", "Stat"),
        *("StatsManager.get_stats", "StatsManager.register_provider", "StatsManager.registered_families"),
    ),
    "streamlit.components.v2.get_bidi_component_manager": ("get_bidi_component_manager",),
    "streamlit.components.v2.component_manager": (
        *("BidiComponentManager.get", "BidiComponentManager.register_from_manifest"),
    ),
    "streamlit.components.v2.manifest_scanner": ("ComponentConfig", "ComponentManifest"),
    "streamlit.proto.ForwardMsg_pb2": ("ForwardMsg",),
    "streamlit.proto.ClientState_pb2": ("ClientState",),
}
"""What is used, by the module that has it; a class with an attribute of it."""

PUBLIC = {"streamlit", "streamlit.delta_generator", "streamlit.testing.v1"}
"""What every room may import: its documentation names them."""


def imports(path: Path) -> set[tuple[str, str]]:
    """What a file imports of Streamlit, by the module that has it."""
    nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
    named = {
        (node.module or "", alias.name)
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    named |= {(alias.name, "") for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return {(module, name) for module, name in named if module.partition(".")[0] == "streamlit"}


def has(owner: object, name: str) -> bool:
    """Whether a module or a class has a name; a field without a default is in no attribute of its class."""
    if hasattr(owner, name) or name in getattr(owner, "__annotations__", {}):
        return True
    return inspect.isclass(owner) and f"self.{name} = " in inspect.getsource(owner)


def test_all_that_is_used_is_there():
    missing = []
    for module, names in NAMES.items():
        try:
            owner = importlib.import_module(module)
        except ImportError:
            missing.append(module)
            continue
        for name in names:
            first, _, attribute = name.partition(".")
            if not has(owner, first) or (attribute and not has(getattr(owner, first), attribute)):
                missing.append(f"{module}.{name}")
    assert missing == []
    context = importlib.import_module("streamlit.runtime.scriptrunner_utils.script_run_context")
    messages = importlib.import_module("streamlit.proto.ForwardMsg_pb2")
    assert context.SharedRunState().widget_ids_this_run.snapshot() == set()
    assert messages.ForwardMsg().page_info_changed.query_string == ""


def test_what_is_left_out_of_the_log_is_still_called_so():
    assert log.GONE in inspect.getsource(app_session)
    assert app_session.__name__ == log.SESSIONS
    assert [importlib.import_module(name).__name__ for name in log.WITHOUT_SERVER] == [*log.WITHOUT_SERVER]


def test_bytes_that_are_no_message_are_told_in_one_line(monkeypatch):
    told = io.StringIO()
    socket = importlib.import_module(log.SOCKET)
    assert log.NO_MESSAGE in inspect.getsource(socket)
    monkeypatch.setattr(socket._LOGGER, "handlers", [logging.StreamHandler(told)])
    monkeypatch.setattr(logging.root.manager, "disable", logging.NOTSET)
    log.shorten_garbage()
    try:
        raise ValueError("of another kind")
    except ValueError as error:
        socket._LOGGER.warning(log.NO_MESSAGE, exc_info=error)
    assert told.getvalue() == f"{log.NO_MESSAGE}: of another kind\n"


def test_a_text_where_bytes_are_expected_is_told_in_one_line(monkeypatch):
    told, server = io.StringIO(), logging.getLogger(log.SERVER)
    monkeypatch.setattr(server, "handlers", [logging.StreamHandler(told)])
    monkeypatch.setattr(server, "propagate", False)
    monkeypatch.setattr(logging.root.manager, "disable", logging.NOTSET)
    log.shorten_garbage()

    async def text() -> dict[str, str]:
        return {"type": "websocket.receive", "text": "hello"}

    socket = WebSocket({"type": "websocket"}, text, text)
    socket.application_state = socket.client_state = WebSocketState.CONNECTED
    try:
        asyncio.run(socket.receive_bytes())
    except KeyError:
        server.exception("Exception in ASGI application\n")
    try:
        {}["bytes"]
    except KeyError:
        server.exception("Exception in ASGI application\n")
    assert log.BAD_TEXT in inspect.getsource(websockets_sansio_impl)
    server.error(f"{log.BAD_TEXT}.", exc_info=ValueError("of another kind"))
    first, *others, last = told.getvalue().splitlines()
    assert (first, last) == (log.TEXT, f"{log.BAD_TEXT}.")
    assert others[-1] == "KeyError: 'bytes'", "what is raised elsewhere keeps its traceback"


def test_a_browser_that_knows_the_script_alone_gets_the_page_of_its_address(monkeypatch):
    """It lost its connection after the beginning of its first run, which says the script, not the page."""
    monkeypatch.setattr(PagesManager, "set_script_intent", PagesManager.set_script_intent)
    connections.begin_with_a_run()
    pages = PagesManager("app.py")
    for asked, wanted in [
        (("", "scores"), ("", "scores")),
        ((pages.main_script_hash, ""), ("", "scores")),
        ((pages.main_script_hash, ""), ("", "scores")),
        (("of heads", ""), ("of heads", "")),
        ((pages.main_script_hash, ""), ("", "")),
    ]:
        pages.set_script_intent(*asked)
        assert (pages.intended_page_script_hash, pages.intended_page_name) == wanted


def test_the_room_imports_nothing_else():
    used = {(module, name.partition(".")[0]) for module, names in NAMES.items() for name in names}
    found = set().union(*map(imports, ROOM.glob("*.py")))
    assert len(found) > 10
    assert found - used - {("streamlit", "runtime")} == set()


def test_the_room_touches_no_other_private_attribute():
    private = {name.rpartition(".")[2] for names in NAMES.values() for name in names}
    for path in ROOM.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) != "self":
                hidden = node.attr.startswith("_") and not node.attr.endswith("__")
                assert not hidden or node.attr in private, f"{path.name}: {node.attr}"


def test_no_other_room_reaches_inside():
    others = [path for path in (ROOT / "components").rglob("*.py") if ROOM not in path.parents]
    for path in [*others, *(ROOT / "pages").glob("*.py"), ROOT / "app.py"]:
        assert {module for module, _ in imports(path)} <= PUBLIC, path
        assert ("streamlit", "runtime") not in imports(path), path


def test_a_control_whose_value_has_no_type_is_not_known(monkeypatch):
    """As one may be that was bound to the address before the server was started anew."""
    known = {"a": WidgetMetadata("a", str, str, "string_value"), "b": WidgetMetadata("b", str, str, None)}
    state = SimpleNamespace(_state=SimpleNamespace(get_widget_metadata=known.get))
    monkeypatch.setattr(controls, "get_script_run_ctx", lambda: SimpleNamespace(session_state=state))
    assert controls._bound("a", "a").single
    assert controls._bound("b", "b") is None
    assert controls._bound("c", "c") is None
