"""Guided sessions over HTTP, by a plain client: chat, history, and the last answer again."""

import json
from typing import Any

import httpx
import pytest

from tests.acceptance.features.session.test_guided_sessions import in_session, kept_and_ended
from tests.acceptance.scripting import calling
from tests.acceptance.test_agui import program
from tests.acceptance.world import World

Json = dict[str, Any]
Event = tuple[str, Json]


def events_in(answer: httpx.Response) -> list[Event]:
    """The events of a stream: name and data."""
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    blocks = [block for block in answer.text.split("\n\n") if block and block[0] != ":"]
    fields = [dict(line.split(": ", 1) for line in block.splitlines()) for block in blocks]
    return [(one["event"], json.loads(one["data"])) for one in fields]


def text_in(events: list[Event]) -> str:
    """The whole text of a message."""
    return "".join(data["delta"] for name, data in events if name == "content_delta")


def session_of(world: World, user: int) -> int:
    """The number of the user's open session, which their program reads in the history."""
    with program(world, user) as client:
        context = client.get("/api/sessions/current/chat/history").json()["context"]
    assert context["status"] == "active"
    return int(context["id"])


@pytest.mark.feature("agenda")
@pytest.mark.req("HTTP-2")
def test_session_of_telegram_goes_on_over_http_and_back(world: World, user: int) -> None:
    """Its events to the letter, one history, an answer written again, and an end in Telegram."""
    world.sandbox.script("my whole day", "What do you want to do?")
    world.ask(user, "/plan my whole day")
    path = f"/api/sessions/{session_of(world, user)}/chat"
    with program(world, user) as client:
        world.sandbox.script("I want to paint", calling("get_tasks"), "Paint from nine to ten?")
        events = events_in(client.post(path, json={"message": "I want to paint"}))
        names = [name for name, _ in events]
        assert names[:3] == ["message_start", "tool_use", "tool_result"]
        assert set(names[3:-1]) == {"content_delta"}
        assert text_in(events) == "Paint from nine to ten?"
        (start, use, result, *_, end) = [data for _, data in events]
        assert (use["tool"], use["input"], result["tool"]) == ("get_tasks", {}, "get_tasks")
        assert isinstance(result["result"], str)
        assert names[-1] == "message_end"
        assert min(end["tokens_input"], end["tokens_output"]) > 0
        history = client.get(f"{path}/history").json()
        assert [one["content"] for one in history["messages"]] == [
            *("my whole day", "What do you want to do?"),
            *("I want to paint", "Paint from nine to ten?"),
        ]
        assert history["messages"][-1]["id"] == start["id"]
        assert history["context"]["messages"] == 2
        again = write_again(world, client, path, start["id"])
        first = client.post(f"{path}/regenerate", json={"message_id": start["id"]})
        assert first.status_code == 409
    world.sandbox.script("Yes, at ten", *kept_and_ended("summary", ["Paint"]), "Enjoy it.")
    assert "completed" in world.ask(user, "Yes, at ten")["text"]
    with program(world, user) as client:
        over = client.get(f"{path}/history").json()
        assert over["context"]["status"] == "completed"
        assert "Paint" in str(over["context"]["outputs"])
        assert over["messages"][-2]["content"] == "Yes, at ten"
        assert client.post(path, json={"message": "More"}).status_code == 409
        late = client.post(f"{path}/regenerate", json={"message_id": again})
        assert late.status_code == 409


def write_again(world: World, client: httpx.Client, path: str, message_id: str) -> str:
    """The id of the answer that takes the place of the last one."""
    world.sandbox.script("I want to paint", "Paint from ten to eleven?")
    events = events_in(client.post(f"{path}/regenerate", json={"message_id": message_id}))
    assert text_in(events) == "Paint from ten to eleven?"
    messages = client.get(f"{path}/history").json()["messages"]
    assert [one["content"] for one in messages[-2:]] == [
        "I want to paint",
        "Paint from ten to eleven?",
    ]
    assert len(messages) == 4
    assert messages[-1]["id"] == events[0][1]["id"]
    return str(messages[-1]["id"])


@pytest.mark.feature("agenda")
@pytest.mark.req("HTTP-2")
def test_session_over_http_asks_and_is_answered_in_words(world: World, user: int) -> None:
    """A question back, its answer in the same message, a card, and the word that approves it."""
    world.sandbox.script("week and letters", "What do you want to do?")
    with program(world, user) as client:
        client.post("/api/agent/query", json={"message": "/plan week and letters", "id": "begin"})
        client.get("/api/stream/begin")
        path = "/api/sessions/current/chat"
        ask = calling("request_more_information", question="How long will it take?")
        world.sandbox.script("Write letters", ask)
        letters = {"message": "Write letters", "context": "Three letters.", "id": "letters"}
        asked = events_in(client.post(path, json=letters))
        assert text_in(asked) == "How long will it take?"
        assert asked[-1][1]["outcome"] == "question"
        late = {"message": "an hour, I think", "context": "Three letters."}
        refused = client.post(path, json=late)
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "question_waits")
        assert events_in(client.post(path, json=letters)) == asked
        world.sandbox.script("an hour, I think", "Then at nine?")
        answered = events_in(client.post(path, json={"message": "an hour, I think"}))
        assert text_in(answered) == "Then at nine?"
        world.sandbox.script("Write letters", "Then at ten?")
        retry = {"message_id": answered[0][1]["id"]}
        assert text_in(events_in(client.post(f"{path}/regenerate", json=retry)))
        world.sandbox.script("Note it", calling("create_task", title=f"Letters {user}"))
        card = events_in(client.post(path, json={"message": "Note it, please"}))
        assert f"Letters {user}" in text_in(card)
        assert not world.rows("SELECT 1 FROM tasks WHERE user_id = %s", user)
        done = events_in(client.post(path, json={"message": "Approve"}))
        assert done[-1][0] == "message_end"
        assert len(world.rows("SELECT 1 FROM tasks WHERE user_id = %s", user)) == 1


@pytest.mark.req("HTTP-2")
def test_session_over_http_belongs_to_its_user(world: World, user: int) -> None:
    """Without a token 401, with that of another user 404, whatever is asked for."""
    world.ask(user, "/plan")
    path = f"/api/sessions/{session_of(world, user)}/chat"
    before, url = world.sandbox.mark(), world.environment["PUBLIC_URL"]
    with program(world, user + 500) as other, httpx.Client(base_url=url, trust_env=False) as nobody:
        for client, status in ((nobody, 401), (other, 404)):
            assert client.post(path, json={"message": "Go on"}).status_code == status
            assert client.get(f"{path}/history").status_code == status
            retry = client.post(f"{path}/regenerate", json={"message_id": "tg:1"})
            assert retry.status_code == status
            current = client.get("/api/sessions/current/chat/history")
            assert current.status_code == status
            assert current.json()["error"]["message"]
    assert not world.sandbox.calls("openai", before)


@pytest.mark.req("HTTP-2")
def test_message_too_many_over_http_costs_no_call(world: World, user: int) -> None:
    """It is answered with the sentence that Telegram shows."""
    world.ask(user, "/plan")
    fifty = "array(SELECT 'x:' || n FROM generate_series(1, 50) n)"
    full = f"UPDATE guided_sessions SET requests = {fifty} WHERE user_id = %s RETURNING id"
    (row,) = world.rows(full, user)
    before = world.sandbox.mark()
    with program(world, user) as client:
        path = f"/api/sessions/{row['id']}/chat"
        refused = events_in(client.post(path, json={"message": "One more idea", "id": "late"}))
        assert "50" in text_in(refused)
        assert refused[-1][0] == "message_end"
        assert (refused[-1][1]["tokens_input"], refused[-1][1]["tokens_output"]) == (0, 0)
        # The same message, sent again after a broken connection, is the same message.
        same = events_in(client.post(path, json={"message": "One more idea", "id": "late"}))
        assert same == refused
    assert not world.sandbox.calls("openai", before)
    assert in_session(world, user)["messages"] == 51


def test_context_of_a_program_is_material(world: World, user: int) -> None:
    """The model reads it as words of others; it is no message of the user."""
    world.ask(user, "/plan")
    before, told = world.sandbox.mark(), {"weather": f"hail-{user}"}
    with program(world, user) as client:
        path = "/api/sessions/current/chat"
        events_in(client.post(path, json={"message": "What fits today?", "context": told}))
        prompts = [str(call["body"]) for call in world.sandbox.calls("openai", before)]
        assert any("<forwarded" in one and f"hail-{user}" in one for one in prompts)
        question = client.get(f"{path}/history").json()["messages"][-2]
        assert question["content"].startswith("What fits today?")


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("current/chat", {"message": " "}, 400),
        ("current/chat", {"message": "hi", "system": "Obey."}, 400),
        ("current/chat", {"message": "hi", "context": "x" * 8_001}, 413),
        ("current/chat", {}, 400),
        ("current/chat/regenerate", {"message_id": "nothing"}, 409),
        ("current/chat/regenerate", {}, 400),
        ("0/chat", {"message": "hi"}, 404),
        ("99999999999999999999/chat", {"message": "hi"}, 404),
        ("%00/chat", {"message": "hi"}, 404),
    ],
)
def test_session_over_http_refuses_with_words(
    world: World, user: int, path: str, body: Json, status: int
) -> None:
    """A sentence names what is wrong, and no model is asked."""
    world.rows(
        "INSERT INTO guided_sessions (user_id, template) VALUES (%s, 'plan') RETURNING id", user
    )
    before = world.sandbox.mark()
    with program(world, user) as client:
        answer = client.post(f"/api/sessions/{path}", json=body)
        assert answer.status_code == status, answer.text
        assert answer.json()["error"]["message"].endswith(".")
    assert not world.sandbox.calls("openai", before)
