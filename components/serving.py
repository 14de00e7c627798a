"""The command that serves the dashboard, with what Streamlit must know of the settings."""

from __future__ import annotations

import sys
from pathlib import Path

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
    """The command that serves the dashboard on an address and a port of this machine."""
    options = {"address": address, "port": port, "maxUploadSize": largest_upload(settings)}
    flags = [f"--server.{name}={value}" for name, value in options.items()]
    return [sys.executable, "-m", "streamlit", "run", str(APP), *flags]
