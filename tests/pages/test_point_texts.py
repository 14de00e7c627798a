"""Texts of a figure's points: each list once, apart from what changes."""

import numpy as np

from components import point_texts
from tests.pages.reading import charts, pairs_of

LONG = [f"{i}: " + "word " * 20 for i in range(300)]


def test_each_list_is_there_once_and_what_is_no_text_of_a_point_stays():
    bars = {"type": "bar", "text": [1, 2]}
    title = {"type": "scatter", "text": "one for all"}
    points = {"type": "scatter", "y": [1.0], "text": np.array(LONG, object)}
    traces = [{"type": "scatter"}, points, bars, {**points, "text": list(LONG)}, title]
    numbered, texts = point_texts.apart(traces)
    assert texts == [LONG]
    assert [trace.get("text") for trace in numbered] == [None, 0, [1, 2], 0, "one for all"]
    assert isinstance(points["text"], np.ndarray), "the figure keeps its own"
    assert point_texts.apart([{"text": ["short", "too"]}]) == ([{"text": ["short", "too"]}], [])


def test_another_recipe_sends_the_sentences_no_more(visit, corpora, small):
    sentences = [f"number {i} is {'a dog or a cat ' * 6}" for i in range(300)]
    corpora(dogs=pairs_of(sentences))
    sent = []
    for recipe in (small, f"{small};pool=max"):
        at = visit("scores", corpus="dogs", a=small, b=recipe)
        (texts,) = (
            each.proto
            for each in at.get("bidi_component")
            if each.proto.component_name == point_texts.COMPONENT
        )
        figure = next(chart for chart in charts(at) if chart.key == "scatter")
        assert "number 299" in figure.spec
        sent.append((texts.id, texts.bytes))
    assert sent[0] == sent[1]
