"""What Streamlit writes into the server's log though nothing is amiss."""

from __future__ import annotations

import logging

_LOGGER = "streamlit.runtime.app_session"

_HARMLESS = "The fragment with id %s does not exist anymore"


def hush() -> None:
    """Leave out that a part of a page which redraws itself asked once more when the page had gone on.

    The browser's clock and the server's run apart: the last call of each panel of progress may come after
    the run that no longer has it. Streamlit drops it.
    """
    logging.getLogger(_LOGGER).addFilter(_is_told)  # the same function is added once


def _is_told(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith(_HARMLESS)
