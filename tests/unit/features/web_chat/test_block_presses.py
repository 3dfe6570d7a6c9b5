"""Presses in living blocks, as AG-UI's clients send them, and blocks as these get them."""

import json
from typing import Any

import pytest

from rich_agent.feature.living import BlockAction, BlockRow, LivingBlock
from rich_agent.feature.web import RequestRefusedError
from rich_agent.features.web_chat.agui.requests import read_input
from tests.unit.features.web_chat.test_agui_events import BEGUN, ENDED, written

ROW = BlockRow("Milk", "1", mark="open", actions=(BlockAction("✓", "taskdone1:1:all", "Done"),))
BLOCK = LivingBlock("tasks", "Tasks", "en", (ROW,), (BlockAction("End", "command1:cancel 7"),))


def pressed(**press: Any) -> Any:
    """The request of a client that presses a button."""
    props = {"press": {"run": "r1", "data": "taskdone1:1:all", **press}}
    body = {"threadId": "t", "runId": "r", "messages": [], "forwardedProps": props}
    return read_input(json.dumps(body).encode()).press


def test_press_names_its_button_and_the_run_of_its_block() -> None:
    """The bot knows the block by itself."""
    press = pressed(block={"rows": []})
    assert (press.run, press.data) == ("r1", "taskdone1:1:all")


@pytest.mark.parametrize(
    "press", [{"data": 7}, {"data": ""}, {"data": "x" * 65}, {"run": ""}, {"run": None}]
)
def test_press_of_no_button_is_refused(press: dict[str, Any]) -> None:
    """In words that name the field."""
    with pytest.raises(RequestRefusedError, match=r"forwardedProps\.press"):
        pressed(**press)


def test_no_press_is_none() -> None:
    """As in all other requests."""
    body = {"threadId": "t", "runId": "r", "messages": []}
    assert read_input(json.dumps(body).encode()).press is None


def test_client_gets_the_block_and_the_notice_beside_the_text() -> None:
    """A button that stands for a message has its words."""
    told = {"living": BLOCK.to_json(), "notice": "Done."}
    answer = {"message": 0, "text": "Tasks", "citations": [], **told}
    events = [one for one in written(BEGUN, ("answer", answer), ENDED) if one["type"] == "CUSTOM"]
    by_name = {one["name"]: one["value"] for one in events}
    assert by_name["notice"] == {"text": "Done."}
    block = by_name["living"]["block"]
    assert block["actions"][0]["message"] == "/cancel 7"
    assert block["rows"][0]["actions"][0]["message"] == ""
    assert block["title"] == "Tasks"
