"""Attachments as records keep them, of this version and of those before."""

import pytest

from rich_agent.domain.answer.attachments import Attachment, attachments_in, last_of_each_kind
from rich_agent.domain.tools import ToolResult

DAY = {"day": "2099-01-05", "blocks": [], "left_out": 0}
KEPT = Attachment("day", "2099-01-05", DAY)


@pytest.mark.parametrize(
    ("record", "attachments"),
    [
        ({}, ()),
        ({"attachments": None, "timeline": None}, ()),
        ({"attachments": [KEPT.to_state()]}, (KEPT,)),
        ({"timeline": DAY}, (KEPT,)),
        ({"day": "2099-01-05"}, (Attachment("day", "2099-01-05"),)),
        ({"attachments": [{"kind": "map", "caption": "Rome"}]}, (Attachment("map", "Rome"),)),
    ],
)
def test_attachments_are_read_from_records_of_every_version(
    record: dict[str, object], attachments: tuple[Attachment, ...]
) -> None:
    """Also from checkpoints, messages and events that kept one day alone."""
    assert attachments_in(record) == attachments


def test_result_of_a_tool_keeps_its_attachments() -> None:
    """Written and read again, and read as the version before wrote it."""
    result = ToolResult("c", "success", "{}", attachments=(KEPT,))
    state = result.to_state()
    assert ToolResult.from_state(state) == result
    del state["attachments"]
    assert ToolResult.from_state({**state, "timeline": DAY}) == result  # type: ignore[typeddict-unknown-key]


def test_answer_has_one_attachment_of_a_kind() -> None:
    """The last, and four kinds at most."""
    newer = Attachment("day", "2099-01-06")
    others = [Attachment(kind, "") for kind in "abcd"]
    assert last_of_each_kind([KEPT, newer]) == (newer,)
    assert len(last_of_each_kind([KEPT, *others])) == 4
