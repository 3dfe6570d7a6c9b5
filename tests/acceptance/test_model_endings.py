"""Models that think, end early or have a small window, as the user of the bot meets them."""

import json
from typing import Any

import pytest

from rich_agent_sandbox.openai.servers.styles import THOUGHT
from tests.acceptance.world import World, ask, environment, wait_until

QUESTION = "How is funding paid on perpetual futures?"
STREAMED = {"method": "chat.completions", "containing": '"stream":true'}


def buttons(message: dict[str, Any]) -> dict[str, str]:
    """The data of each button by its label."""
    return {one["text"]: one["callback_data"] for row in message["buttons"] for one in row}


def test_answer_whose_tokens_run_out_goes_on_to_its_end(world: World, user: int) -> None:
    """The user reads the same as if they had not."""
    whole = world.ask(user, QUESTION)["text"]
    world.sandbox.fail("openai", "length", **STREAMED)
    before = world.sandbox.mark()
    assert world.ask(user + 500_000, QUESTION)["text"] == whole
    calls = [one for one in world.sandbox.calls("openai", before) if one["body"].get("stream")]
    assert len(calls) >= 2


def test_answer_that_is_cut_says_so_and_has_a_button_to_go_on(world: World, user: int) -> None:
    """The press asks for the rest in a turn of its own; it is known to whoever has the message."""
    sandbox = world.sandbox
    sandbox.fail("openai", "length", times=5, **STREAMED)
    answer = world.ask(user, QUESTION)
    assert "The answer became too long and ends here." in answer["text"]
    data = buttons(answer)["Continue"]
    pressed = sandbox.http.post(
        f"{sandbox.url}/sim/chats/{user}/press",
        json={"message_id": answer["message_id"], "callback_data": data},
    )
    assert pressed.is_success
    below = wait_until(lambda: sandbox.replies(user, answer["message_id"]) or None, "more")
    assert below[0]["text"]
    wait_until(lambda: len(world.decisions(user)) == 2 or None, "the turn is recorded")


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("content_filter", "The content filter of the model server stopped this answer."),
        ("filtered_prompt", "The content filter of the model server stopped this answer."),
        ("refusal", "The language model declined to answer this."),
        ("looped", "The language model repeated itself without end, so I stopped it."),
    ],
)
def test_answer_that_is_stopped_says_why(world: World, user: int, kind: str, told: str) -> None:
    """No apology, and no half answer that passes for a whole one; the next question is answered."""
    world.sandbox.fail("openai", kind, **STREAMED)
    answer = world.ask(user, QUESTION)["text"]
    assert told in answer
    assert "Sorry" not in answer
    if kind == "refusal":
        assert "I can't help with that." in answer
    before = world.sandbox.mark()
    assert "history" in world.ask(user, "What is proof of history?")["text"].lower()
    asked = json.dumps([one["body"] for one in world.sandbox.calls("openai", before)])
    assert (QUESTION in asked) == (kind in {"refusal", "looped"}), (
        "what a filter stops goes into no prompt"
    )


@pytest.mark.parametrize("server", ["ollama", "deepseek", "openai-reasoning", "openrouter"])
def test_thoughts_reach_no_answer(
    prepared: World, database_url: str, user: int, server: str
) -> None:
    """In tags, in fields, behind the Responses API: the answer is cited and holds no thought."""
    sandbox = prepared.sandbox
    settings = environment(
        sandbox.url,
        database_url,
        OPENAI_BASE_URL=f"{sandbox.url}/servers/{server}/v1",
        EMBEDDING_MODEL="none",
    )
    before = sandbox.mark()
    answer = ask(QUESTION, settings, "--user", str(user))
    assert "funding" in answer["answer"].lower()
    assert answer["citations"]
    assert THOUGHT not in json.dumps(answer)
    assert "think>" not in json.dumps(answer)
    world = World(sandbox, settings, database_url)
    kept = world.rows("SELECT content FROM messages WHERE user_id = %s", user)
    assert kept
    assert not [row for row in kept if THOUGHT in row["content"]]
    methods = {one["method"] for one in sandbox.calls("openai", before)}
    assert ("responses" in methods) == (server == "openai-reasoning")
