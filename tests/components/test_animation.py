"""Figures that move: their frames, and when they are kept without."""

import numpy as np
import plotly.graph_objects as go
import pytest

from components.deck import changes, files
from components.deck.document import Deck, DeckError
from components.figures import animation
from components.figures.animation import Animation, moving
from tests.components.deck.figures import pinned


def step(at: float, *, kind=go.Scatter) -> go.Figure:
    figure = go.Figure([kind(x=np.arange(3) + at, y=np.arange(3.0), text=["a", "b", "c"])])
    return figure.add_annotation(text=f"layer {at:g}")


def steps(*figures: go.Figure) -> Animation:
    return Animation("layer", tuple(map(str, range(len(figures)))), figures, "1")


def test_a_frame_says_where_the_same_points_are_and_what_stands_over_them():
    made = moving(step(1), steps(step(0), step(1), step(2)))
    assert [frame.name for frame in made.frames] == ["0", "1", "2"]
    assert made.layout.meta == {"frame": "1"}
    last = made.frames[2]
    assert last.data[0].x.tolist() == [2.0, 3.0, 4.0]
    assert last.layout.annotations[0].text == "layer 2"
    assert last.group == "layer"
    assert made.data[0].x.tolist() == [1.0, 2.0, 3.0]


def test_a_frame_leaves_out_traces_that_stand_still_and_has_words_that_change():
    figures = [step(0).add_scatter(x=[0, 1], y=[3, 4], text=[f"{n}", ""]) for n in range(3)]
    made = moving(step(0), steps(*figures))
    assert [frame.traces for frame in made.frames] == [(1,)] * 3
    assert list(made.frames[2].data[0].text) == ["2", ""]
    assert len(made.data) == 2, "a step may hold more than the page shows"
    assert moving(step(0), steps(step(1), step(1))).frames == (), "nothing moves"


def test_a_figure_stays_still_without_steps_with_other_traces_or_when_it_is_too_large(monkeypatch):
    for what in (None, steps(step(0)), steps(step(0), step(1, kind=go.Bar))):
        assert moving(step(0), what).frames == ()
    monkeypatch.setattr(animation, "LARGEST", 100)
    still = moving(step(0), steps(step(0), step(1)))
    assert still.frames == ()
    assert still.layout.meta is None


@pytest.mark.parametrize(
    ("frame", "why"),
    [
        ({"data": [{"x": [1], "marker": {"size": 3}}]}, "'marker', which does not move"),
        ({"layout": {"images": [{"source": "http://example.org"}]}}, "'images', which does not move"),
        ({"baseframe": "x"}, "'baseframe'"),
        (3, "got the frame .*; allowed is a JSON object"),
    ],
)
def test_frames_of_a_file_move_points_and_nothing_else(frame, why):
    figure = pinned(plotly={"data": [], "layout": {}, "frames": [frame]})
    with pytest.raises(DeckError, match=why):
        files.read(files.write(changes.pin(Deck(), figure)))
    whole = moving(step(1), steps(step(0), step(1))).to_plotly_json()
    figure = pinned(plotly={"data": [], "layout": {}, "frames": [dict(whole["frames"][0], data=[])]})
    assert files.read(files.write(changes.pin(Deck(), figure)))
