"""What is deployed: the files that the container copies are those that the dashboard is made of."""

import re
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

from core import settings_file

ROOT = Path(__file__).parents[1]
CONTAINER = (ROOT / "deploy" / "Containerfile").read_text("utf-8")
UNIT = (ROOT / "deploy" / "sentence-strata@.service").read_text("utf-8")
PROXY = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")


def test_what_is_copied_is_there_and_is_all_that_runs():
    copied = re.findall(r"^COPY (\S+) ", CONTAINER, flags=re.MULTILINE)
    assert all((ROOT / name).exists() for name in copied)
    rooms = {path.parent.name for path in ROOT.glob("*/__init__.py")} | {"pages", "app.py", ".streamlit"}
    assert set(copied) == rooms - {"tests", "benchmarks", "training"} | {"requirements.txt"}


def test_the_health_check_succeeds_while_the_dashboard_answers_and_then_alone():
    code = re.search(r'HEALTHCHECK .*?CMD python -c "([^"]+)"', CONTAINER, flags=re.DOTALL)[1]
    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        code = code.replace(
            re.search(r"^EXPOSE (\d+)$", CONTAINER, flags=re.MULTILINE)[1], str(server.server_port)
        )
        assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0
        server.shutdown()
    assert subprocess.run([sys.executable, "-c", code], timeout=60, capture_output=True).returncode != 0


class Answers(BaseHTTPRequestHandler):
    """Of Streamlit's: the address of health alone."""

    def do_GET(self):
        self.send_response(200 if self.path == "/_stcore/health" else 404)
        self.end_headers()


def test_variables_are_settings():
    known = {settings_file.VARIABLE, *map(settings_file.variable_of, settings_file.KEYS)}
    assert set(re.findall(r"STRATA_[A-Z_]+", CONTAINER + UNIT)) <= known


def test_the_servers_behind_the_proxy_are_those_that_the_unit_starts():
    assert "serve --port %i\n" in UNIT
    assert re.findall(r"server 127\.0\.0\.1:(\d+);", PROXY) == re.findall(r"sentence-strata@(\d+)", UNIT)
