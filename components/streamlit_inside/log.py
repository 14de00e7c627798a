"""What Streamlit writes into a log though nothing is amiss.

Its loggers are named after its modules. A version that calls them, or the message, otherwise writes these
lines again, which harms nothing.
"""

from __future__ import annotations

import logging
import traceback

SESSIONS = "streamlit.runtime.app_session"

WITHOUT_SERVER = (
    "streamlit.runtime.scriptrunner_utils.script_run_context",
    "streamlit.runtime.state.session_state_proxy",
)
"""Loggers that remark at every step that no server runs."""

GONE = "The fragment with id %s does not exist anymore"
"""How the remark begins that a part of a page asked once more when the page had gone on."""

SOCKET = "streamlit.web.server.starlette.starlette_websocket"

NO_MESSAGE = "Error deserializing back message"
"""What is said of bytes that a browser would not send."""

SERVER = "uvicorn.error"
"""The logger of the server that Streamlit runs in, which tells what its handlers raise."""

TEXT = "A connection sent text where bytes are expected, and is closed"
BAD_TEXT = "Invalid UTF-8 sequence received from client"
"""What is said of text on the connection of a page: our words, and how the server begins on broken text."""


def leave_out_gone_parts() -> None:
    """Leave out that a part of a page which redraws itself asked once more when the page had gone on.

    The browser's clock and the server's run apart: the last call of each panel of progress may come after
    the run that no longer has it. Streamlit drops it.
    """
    logging.getLogger(SESSIONS).addFilter(_is_told)  # the same function is added once


def shorten_garbage() -> None:
    """Have bytes and texts that no browser would send, which end their connection, told in one line each.

    Whoever reaches the server may send them as often as they like; the lines of Streamlit in which it finds
    that out tell nothing more. Of a text frame ``WebSocket.receive_bytes`` of Starlette raises KeyError.
    """
    logging.getLogger(SOCKET).addFilter(_in_one_line)  # the same function is added once
    logging.getLogger(SERVER).addFilter(_text_in_one_line)


def leave_out_missing_server() -> None:
    """Leave out that no server runs the pages."""
    for name in WITHOUT_SERVER:
        logging.getLogger(name).addFilter(_is_grave)


def _is_told(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith(GONE)


def _in_one_line(record: logging.LogRecord) -> bool:
    if record.msg == NO_MESSAGE and record.exc_info:
        record.msg, record.args = "%s: %s", (NO_MESSAGE, record.exc_info[1])
        record.exc_info = None
    return True


def _text_in_one_line(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return True
    if str(record.msg).startswith(BAD_TEXT):
        record.exc_info = None
    elif isinstance(error, KeyError) and _raised_in(error) == "receive_bytes":
        record.msg, record.args, record.exc_info = TEXT, (), None
    return True


def _raised_in(error: BaseException) -> str:
    """The name of the function that raised an error."""
    frames = traceback.extract_tb(error.__traceback__)
    return frames[-1].name if frames else ""


def _is_grave(record: logging.LogRecord) -> bool:
    """Whether it is more than a remark."""
    return record.levelno >= logging.ERROR
