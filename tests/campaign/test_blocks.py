"""The places of a page are those that a browser has: what belongs nowhere is refused."""

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.campaign.blocks import Blocks


def begun(run: str, *parts: str) -> ForwardMsg:
    message = ForwardMsg()
    message.new_session.name = "page"
    return of(message, run, parts)


def over(run: str, *parts: str, status: int | None = None) -> ForwardMsg:
    done = ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY if parts else ForwardMsg.FINISHED_SUCCESSFULLY
    return of(ForwardMsg(script_finished=done if status is None else status), run, parts)


def of(message: ForwardMsg, run: str, parts: tuple[str, ...]) -> ForwardMsg:
    message.metadata.run.script_run_id = run
    message.metadata.run.fragment_ids[:] = parts
    return message


def drawn(*path: int, part: str = "", block: bool = False) -> ForwardMsg:
    message = ForwardMsg()
    message.metadata.delta_path[:] = path
    kind = message.delta.add_block.vertical if block else message.delta.new_element.markdown
    kind.SetInParent()
    message.delta.fragment_id = part
    return message


PAGE = [begun("1"), drawn(0, 0, block=True), drawn(0, 0, 0, part="a"), drawn(0, 0, 1, part="b"), over("1")]


@pytest.mark.parametrize(
    ("more", "is_placed"),
    [
        ([drawn(0, 0, 2)], True),
        ([drawn(0, 0, 3)], False),
        ([drawn(0, 0, 1, 0)], False),
        ([drawn(0, 1, 0)], False),
        ([begun("2"), drawn(0, 0, block=True), drawn(0, 0, 0), over("2"), drawn(0, 0, 2)], False),
        ([begun("2"), drawn(0, 0, block=True), drawn(0, 0, 0), drawn(0, 0, 2)], True),
        (
            [
                begun("2"),
                drawn(0, 0, 0),
                over("2", status=ForwardMsg.FINISHED_EARLY_FOR_RERUN),
                drawn(0, 0, 2),
            ],
            True,
        ),
        ([begun("2", "a"), drawn(0, 0, 0, part="a"), over("2", "a"), drawn(0, 0, 2)], True),
        ([begun("2"), begun("3", "a"), over("2"), drawn(0, 0, 2)], True),
    ],
    ids=[
        *("the next child", "the one after the next", "in an element", "in a block that is not there"),
        *("behind what went with its run", "before its run is over", "after a run that was ended"),
        *("beside a part's run", "a run that another has followed"),
    ],
)
def test_a_message_has_a_place_or_is_refused(more, is_placed):
    blocks = Blocks()
    *before, last = [*PAGE, *more]
    for message in before:
        blocks.take(message)
    if is_placed:
        blocks.take(last)
    else:
        with pytest.raises(LookupError, match="is no place on the page"):
            blocks.take(last)


def test_what_a_part_does_not_draw_again_goes_and_its_block_keeps_the_rest():
    blocks, block = Blocks(), [drawn(0, 0, block=True, part="a")]
    for message in [begun("1"), *block, drawn(0, 0, 0, part="a"), drawn(0, 0, 1, part="a"), over("1")]:
        blocks.take(message)
    for message in [begun("2", "a"), *block, drawn(0, 0, 0, part="a"), over("2", "a")]:
        blocks.take(message)
    blocks.take(drawn(0, 0, 1))
    with pytest.raises(LookupError):
        blocks.take(drawn(0, 0, 3))
