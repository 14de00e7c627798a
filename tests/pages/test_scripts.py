"""What draws a page is sent once; an element has its own data alone."""

from components.scripts import brought

ASKING = 150
"""Characters at most with which a component asks for its script."""


def test_another_recipe_sends_no_script_again(visit, small):
    sent = []
    for recipe in (small, f"{small};pool=max"):
        protos = [each.proto for each in visit("layers", a=small, b=recipe).get("bidi_component")]
        (first,) = (proto for proto in protos if proto.component_name == brought.COMPONENT)
        sent.append(first.SerializeToString())
        others = {proto.component_name: proto.js_content for proto in protos if proto != first}
        assert others.keys() >= {"plot", "cells"}
        assert max(map(len, others.values())) < ASKING
    assert sent[0] == sent[1], "which Streamlit says in a few bytes"
