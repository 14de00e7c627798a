"""What a server tells whoever watches it, and its visitors."""

import urllib.request

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.campaign.session import LARGEST


def test_a_server_tells_health_and_numbers_and_the_guide_shows_them(visit, site):
    page = visit()
    page.locator("button:visible", has_text="Guide").click()
    page.get_by_text("2 places, 1 of them for long work").wait_for()
    with urllib.request.urlopen(f"{site}/_stcore/health", timeout=10) as answer:
        assert answer.read() == b"ok"
    with urllib.request.urlopen(f"{site}/_stcore/metrics", timeout=30) as answer:
        lines = answer.read().decode().splitlines()
    values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    assert int(values["active_sessions"]) >= 1
    assert int(values['strata_jobs_ended_total{state="done"}']) >= 1
    assert float(values["strata_resident_bytes"]) > 1e8
    assert 'strata_store_bytes{kind="passes"}' in values


def test_a_stranger_has_nothing_of_who_came_before(visitors):
    keep = "() => { localStorage.name = 'Ann'; document.cookie = 'name=Ann'; sessionStorage.name = 'Ann' }"
    kept = "() => [localStorage.name, document.cookie.includes('name=Ann'), sessionStorage.name]"
    for _ in range(2):
        page = visitors.stranger().new_page()
        page.goto(f"{visitors.site}/_stcore/health")
        assert page.evaluate(kept) == [None, False, None]
        page.evaluate(keep)
        assert page.evaluate(kept) == ["Ann", True, "Ann"]
        page.close()


def test_a_browser_that_lost_its_connection_in_a_run_hears_nothing_of_its_end(site):
    """The end of a page without its beginning would leave the window empty, for good."""
    address = f"{site.replace('http', 'ws', 1)}/_stcore/stream"
    visit = ""

    def connected() -> ClientConnection:
        names = [Subprotocol(name) for name in ("streamlit", "none", visit) if name]
        return connect(address, subprotocols=names, max_size=LARGEST)

    def run(socket: ClientConnection) -> None:
        request = BackMsg()
        request.rerun_script.page_name = "scores"
        socket.send(request.SerializeToString())

    def kinds(socket: ClientConnection, most: int) -> list[str]:
        nonlocal visit
        found: list[str] = []
        while len(found) < most:
            message = ForwardMsg.FromString(socket.recv(timeout=60))
            found.append(message.WhichOneof("type"))
            visit = message.new_session.initialize.session_id or visit
        return found

    with connected() as socket:
        run(socket)
        assert "delta" in kinds(socket, 5)
    with connected() as socket:
        with pytest.raises(TimeoutError):
            socket.recv(timeout=1)
        run(socket)
        assert kinds(socket, 30)[0] == "new_session"
