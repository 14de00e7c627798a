"""What stands on a page, as a reader reads it."""

import json
from collections.abc import Callable
from typing import NamedTuple
from unittest.mock import patch

import pandas as pd
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df
from streamlit.runtime.state.session_state import WStates
from streamlit.testing.v1 import AppTest

from components import held, point_texts
from components.bar import cells as bar_cells
from components.plot import COMPONENT
from components.text import plain


class Chart(NamedTuple):
    """A figure as it is sent to the browser: its key, its JSON, its text, and how points are chosen."""

    key: str
    spec: str
    alt: str
    ways: list[str]


def charts(at: AppTest) -> list[Chart]:
    """The figures of a page, in their order, each with the texts of its points."""
    protos = [each.proto for each in at.get("bidi_component")]
    texts = {}
    for proto in protos:
        if proto.component_name == point_texts.COMPONENT:
            figure, name, lists = proto.bytes.decode().split("\n", 2)
            texts[figure, name] = json.loads(lists)
    found = []
    for proto in protos:
        if proto.component_name == COMPONENT:
            figure, rest = json.loads(proto.bytes).values()
            for trace in figure["data"] if rest["texts"] else ():
                if isinstance(number := trace.get("text"), int):
                    trace["text"] = texts[rest["key"], rest["texts"]][number]
            found.append(Chart(rest["key"], json.dumps(figure), rest["alt"], rest["ways"]))
    return found


def _rows(at: AppTest) -> dict[str, tuple[str, dict[str, dict[str, str]]]]:
    """The element of each side's cells, and its cells by stage."""
    protos = [each.proto for each in at.get("bidi_component")]
    found = [(one.id, json.loads(one.json)) for one in protos if one.component_name == bar_cells.COMPONENT]
    return {data["side"]: (name, {cell["stage"]: cell for cell in data["cells"]}) for name, data in found}


def cells(at: AppTest, side: str) -> dict[str, dict[str, str]]:
    """The cells of recipe ``a`` or ``b`` by stage, as they are sent to the browser; none when it is off."""
    return _rows(at)[side][1] if side in _rows(at) else {}


def click_cell(at: AppTest, side: str, stage: str) -> AppTest:
    """What the browser sends when a cell is clicked, and the run that follows."""
    states = at._tree.get_widget_states()
    click = states.widgets.add()
    click.id = _make_trigger_id(_rows(at)[side][0], "events")
    click.json_trigger_value = json.dumps([{"event": "chosen", "value": stage}])
    return at._run(states)


def click_point(at: AppTest, figure: str, **point: object) -> AppTest:
    """What the browser sends when a point of a figure is clicked, and the run that follows."""
    protos = [each.proto for each in at.get("bidi_component") if each.proto.component_name == COMPONENT]
    (name,) = (proto.id for proto in protos if proto.id.split("-", 2)[-1] == figure)
    states = at._tree.get_widget_states()
    click = states.widgets.add()
    click.id = _make_trigger_id(name, "events")
    click.json_trigger_value = json.dumps([{"event": "chosen", "value": [point]}])
    return at._run(states)


def heard(at: AppTest) -> dict[str, str]:
    """What a browser says that has heard of all until now."""
    return {one.key: one.value for one in at.text_input if str(one.key).startswith(held.FIELD)}


def say_heard(at: AppTest, until: dict[str, str]) -> None:
    """Have the next request come from a browser that has heard no more than that."""
    for field, value in until.items():
        at.text_input(key=field).set_value(value)


def told(at: AppTest) -> str:
    """Every error, warning and hint on the page, as a reader reads them; and no traceback beside them."""
    assert not at.exception, at.exception[0].message
    return "\n".join(plain(box.value) for box in [*at.error, *at.warning, *at.info])


def errors(at: AppTest) -> list[str]:
    """The error boxes, as a reader reads them; and no traceback beside them."""
    assert not at.exception, at.exception[0].message
    return [plain(box.value) for box in at.error]


def headings(at: AppTest) -> list[str]:
    """The findings over figures and tables."""
    return [plain(box.value.removeprefix("## ")) for box in at.markdown if box.value.startswith("## ")]


def captions(at: AppTest) -> str:
    """All small print."""
    return "\n".join(plain(box.value) for box in at.caption)


def figures(at: AppTest) -> list[str]:
    """The figures as they are sent to the browser."""
    return [chart.spec for chart in charts(at)]


def shown(table) -> pd.DataFrame:
    """The cells of a table as they are written, where the page writes them itself."""
    return convert_arrow_bytes_to_pandas_df(table.proto.arrow_data.styler.display_values)


def table_of(lines: list[tuple[str, str, object]]) -> str:
    """A corpus file of (sentence, sentence, score)."""
    rows = [f"{a}\t{b}\t{score}" for a, b, score in lines]
    return "\n".join(["sentence1\tsentence2\tscore", *rows]) + "\n"


def press_twice(at: AppTest, label: str) -> AppTest:
    """Press a button by its label, and again before the page is drawn anew."""
    call = WStates.call_callback

    def twice(states: WStates, widget: str) -> None:
        call(states, widget)
        call(states, widget)

    with patch.object(WStates, "call_callback", twice):
        return press(at, label)


def press(at: AppTest, label: str) -> AppTest:
    """Click a button by its label."""
    return next(button for button in at.button if button.label == label).click().run()


def markdown(at: AppTest) -> str:
    """Everything in Markdown, as a reader reads it."""
    return "\n".join(plain(box.value) for box in at.markdown)


def htmls(at: AppTest) -> str:
    """Everything in HTML, such as token strips."""
    return "".join(box.proto.body for box in at.get("html"))


def pairs_of(texts: list[str], gold: Callable[[int], int] = lambda i: i % 5) -> str:
    """A corpus file that pairs each text with the next; ``gold`` scores the i-th pair."""
    return table_of([(texts[2 * i], texts[2 * i + 1], gold(i)) for i in range(len(texts) // 2)])
