"""Clicks that come faster than the browser hears of the ones before, while its clock asks for runs as well.

What a click says is what the browser shows, which may be of runs ago: with each one it says so of all other
controls, and of the address, too. In the end the recipe has to be the one that was clicked, and the editor
closed.
"""

from __future__ import annotations

import random
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ButtonGroup_pb2 import ButtonGroup
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetStates

from benchmarks.resident import server
from components.bar.editor import EDIT
from core.recipe import POST
from tests.campaign.session import SECONDS, Session, key_of
from tests.campaign.tally import Bounds, Tally

SOURCES = ("source=random", "source=untuned;layers=last")
"""What trials begin with; the second, which has to be read first, in every tenth."""

STEP = "zscore(fit=reference)"

STEPS, REFERENCES = "b/post/options", "b/reference/options"
"""The keys of the group of options, and of the menu, that are clicked."""

CLOSE = "edit.close"
"""The key of the button that closes the editor in the end."""

NAMES = {name: POST.options[name].title for name in ("centre", "normalize", "robust")}
"""Steps that are clicked on and off, and their labels; z-score stays, which learns from the reference."""

ADDED = {"centre": "centre(fit=reference)", "normalize": "normalize", "robust": "robust(fit=reference)"}
"""What they are in the recipe: those that learn do so from what z-score learns from."""

TEXTS = ("demo", "topics", "vocabulary")

MOST = 8
"""Clicks of one trial."""

GAP, LAG = 0.4, 1.2
"""Seconds at most between two clicks, and until the browser has taken up what arrived."""

CLOCK = 0.25
"""Seconds from one run that the clock asks for to the next while there are clicks."""

QUIET = 1.0
"""Seconds without a message after which nothing is under way."""


class SlowBrowser(Session):
    """A browser that takes up each message ``lag`` seconds after it arrived, and says what it shows."""

    def __init__(self, url: str, page: str, query: str, lag: float) -> None:
        super().__init__(url, page, query)
        self._lag = lag
        self._arrived: deque[tuple[float, ForwardMsg]] = deque()
        self._asked: dict[str, float] = {}
        self._heard = time.monotonic()
        self._due = self._running = False
        self._ids: dict[str, str] = {}
        self._several: set[str] = set()
        self.shown: dict[str, list[str]] = {}
        """The labels that are lit, by the key of a group, and the text of a box by its key."""

    def wait(self, seconds: float) -> None:
        """Take up what is due, and let the clock ask, for a while."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._turn(min(0.01, left))

    def rest(self) -> None:
        """Wait until the run that was asked for last is over and nothing is under way."""
        end, self._asked = time.monotonic() + SECONDS, {}
        while time.monotonic() < end and (
            self._due or self._running or self._arrived or time.monotonic() - self._heard < QUIET
        ):
            self._turn(0.01)

    def click(self, key: str, label: str) -> None:
        """Click an option of a group or of a menu as it is shown."""
        lit = self.shown[key]
        if key not in self._several:
            self.shown[key] = [label]
        else:
            self.shown[key] = [one for one in lit if one != label] if label in lit else [*lit, label]
        self.ask()

    def press(self, key: str) -> None:
        """Press a button."""
        message = self._state()
        self._say(message.rerun_script.widget_states)
        widget = message.rerun_script.widget_states.widgets.add()
        widget.id, widget.trigger_value = self._ids[key], True
        self._due = True
        self._send(message)

    @property
    def address(self) -> str:
        """The query of the address as the browser shows it."""
        return self._query

    def ask(self, fragment: str = "") -> None:
        """Ask for a run of the page, as a click that changes nothing does, or of a part of it."""
        message = self._state(fragment)
        self._say(message.rerun_script.widget_states)
        self._due |= not fragment
        self._send(message)

    def _send(self, message: BackMsg) -> None:
        self._socket.send(message.SerializeToString())
        self._heard = time.monotonic()

    def _say(self, states: WidgetStates) -> None:
        for key in self.shown:
            name = self._ids[key]
            state = states.widgets.add()
            state.id = name
            if key in self.boxes:
                state.string_value = self.shown[key][0]
            else:
                state.string_array_value.data.extend(self.shown[key])

    def _turn(self, seconds: float) -> None:
        """Take what arrives within some seconds, take up what is due, and let the clock ask."""
        with suppress(TimeoutError):
            payload = self._socket.recv(timeout=seconds)
            self._heard, received = time.monotonic(), self._decoded(payload)
            self._arrived.append((self._heard + self._lag, received))
            self._hear(received)
        now = time.monotonic()
        while self._arrived and self._arrived[0][0] <= now:
            self._take_up(self._arrived.popleft()[1])
        for fragment, due in list(self._asked.items()):
            if due <= now:
                self._asked[fragment] = now + CLOCK
                self.ask(fragment)

    def _hear(self, received: ForwardMsg) -> None:
        """Notice that a run of the page begins, or that one is over."""
        kind = received.WhichOneof("type")
        if kind == "new_session" and not received.metadata.run.fragment_ids:
            self._due, self._running = False, True
        elif kind == "script_finished":
            self._running = False

    def _take_up(self, received: ForwardMsg) -> None:
        kind = received.WhichOneof("type")
        if kind == "new_session" and not received.metadata.run.fragment_ids:
            self._asked = {}
        elif kind == "stop_auto_rerun":
            for fragment in received.stop_auto_rerun.fragment_ids:
                self._asked.pop(fragment, None)
        elif kind == "page_info_changed":
            self._query = received.page_info_changed.query_string
        elif kind == "auto_rerun":
            self._asked[received.auto_rerun.fragment_id] = time.monotonic() + CLOCK
        else:
            self._take(received)

    def _keep(self, element: Element) -> None:
        super()._keep(element)
        kind = element.WhichOneof("type")
        if kind == "text_input" and key_of(element.text_input.id) in self.boxes:
            box = element.text_input
            self._show(box.id, [box.value] if box.set_value else None, [box.default])
        elif kind == "selectbox":
            menu = element.selectbox
            self.boxes[key_of(menu.id)] = menu.id
            self._show(menu.id, [menu.raw_value] if menu.set_value else None, [menu.options[menu.default]])
        elif kind == "button":
            self._ids[key_of(element.button.id)] = element.button.id
        elif kind == "button_group":
            group = element.button_group
            first = [group.options[i].content for i in group.default]
            self._show(group.id, list(group.raw_values) if group.set_value else None, first)
            if group.click_mode == ButtonGroup.MULTI_SELECT:
                self._several.add(key_of(group.id))

    def _show(self, name: str, set_to: list[str] | None, first: list[str]) -> None:
        key = key_of(name)
        if set_to is not None:
            self.shown[key] = set_to
        elif self._ids.get(key) != name:
            self.shown[key] = first
        self._ids[key] = name


def quick(bounds: Bounds, _: Path) -> Tally:
    """Some clicks in a row, again and again; each trial is right where the recipe is what was clicked."""
    tally = Tally(
        f"up to {MOST} quick clicks in a group, a menu and Close, the browser late by up to {LAG} s"
    )
    with server({}) as (url, _):
        for number in bounds.trials():
            chance = random.Random(bounds.seed * 10_000 + number)
            try:
                done, problem = _trial(url, chance, SOURCES[number % 10 == 9])
            except Exception as error:
                tally.count(number, error)
            else:
                tally.count(done, problem)
    return tally


def _trial(url: str, chance: random.Random, source: str) -> tuple[list[str], str | None]:
    """The labels that were clicked, and what is wrong with the recipe after it; None where nothing is."""
    query = urlencode({"b": f"{source};post={STEP}", "edit": "b.post", "corpus": "demo"})
    done, steps, reference = [], [STEP], TEXTS[0]
    with SlowBrowser(url, "scores", query, chance.random() * LAG) as browser:
        browser.open()
        browser.rest()
        for _ in range(chance.randint(2, MOST)):
            if chance.random() < 0.5:
                name = chance.choice([*NAMES])
                step = ADDED[name]
                steps = [one for one in steps if one != step] if step in steps else [*steps, step]
                browser.click(STEPS, label := NAMES[name])
            else:
                browser.click(REFERENCES, label := chance.choice(TEXTS))
                reference = label
            done.append(label)
            browser.wait(chance.random() * GAP)
        browser.press(CLOSE)
        browser.wait(chance.random() * GAP)
        browser.ask()
        browser.rest()
        problems, address = browser.problems, browser.address
        (written,) = browser.shown["b"]
    wanted = f"{source};post={'+'.join(steps)}"
    wanted += f";reference={reference}" if reference != TEXTS[0] else ""
    if problems:
        return done, "; ".join(problems)
    if written != wanted:
        return done, f"the recipe is {written}, and {wanted} was clicked"
    return done, "the editor is open, and Close was clicked" if EDIT in dict(parse_qsl(address)) else None
