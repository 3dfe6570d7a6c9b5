"""Replies to questions that the stand-in asked back."""

import pytest

from rich_agent_sandbox.model.planning.clarifying import is_new_request
from rich_agent_sandbox.model.prompt import Prompt


@pytest.mark.parametrize(
    ("reply", "is_other"),
    [
        ("What is staking?", True),
        ("ما هو الرهان؟", True),
        ("Add a task: call Anna", True),
        ("Berlin?", False),
        ("I live in Berlin", False),
    ],
)
def test_reply_that_asks_for_something_else_is_no_answer(reply: str, *, is_other: bool) -> None:
    """A name with a question mark is one; a short question in any language is not."""
    prompt = Prompt(reply, asked_back="In which city are you?", answer_to_it=reply)
    assert is_new_request(prompt) == is_other
