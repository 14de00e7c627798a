"""The command that serves the dashboard, with what Streamlit must know of the settings."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

from core.errors import StrataError, shorten
from core.settings import Settings

APP = Path(__file__).resolve().parents[1] / "app.py"
"""The script that every page is run by."""

DECK_MB = 64
"""The size of a deck's file that is opened, in Streamlit's megabytes (2 to the power of 20 bytes)."""

LOCAL = "localhost"
PORT = 8501


def largest_upload(settings: Settings) -> int:
    """Streamlit's megabytes that its server takes at most: a corpus file as large as allowed, or a deck."""
    return max(DECK_MB, -(-settings.upload_bytes // 2**20))


def command(settings: Settings, address: str = LOCAL, port: int = PORT) -> list[str]:
    """The command that serves the dashboard on an address and a port of this machine.

    Raises :class:`StrataError` for a port that there is not, and for an address that is none: an empty one,
    such as an unset variable, would let everybody in.
    """
    if not 0 < port < 2**16:
        raise StrataError(f"--port: got {port}; allowed is 1 to {2**16 - 1:,}.")
    if not address.strip() or not _is_address(address):
        raise StrataError(
            f"--address: got {shorten(address)}, which is no address; give one, as {LOCAL}, "
            "or 0.0.0.0 to let others in."
        )
    options = {"address": address, "port": port, "maxUploadSize": largest_upload(settings)}
    flags = [f"--server.{name}={value}" for name, value in options.items()]
    return [sys.executable, "-m", "streamlit", "run", str(APP), *flags]


def _is_address(name: str) -> bool:
    """Whether a name or number stands for an address that can be listened on."""
    try:
        socket.getaddrinfo(name, None, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError, ValueError):
        return False
    return True
