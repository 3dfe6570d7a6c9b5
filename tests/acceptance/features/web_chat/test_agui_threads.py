"""The conversations of a user over HTTP: listed for their user alone, exported and forgotten."""

import json

import httpx

from tests.acceptance.test_agui import code_of, events_of, program, somebody_else, wanted
from tests.acceptance.test_commands import command, press, shown
from tests.acceptance.test_my_data import rows_naming
from tests.acceptance.world import World

GARDEN = "What is proof of history, dear Zanzibarry? " + "Tell me slowly. " * 10
KITCHEN = "What is impermanent loss?"


def ask(client: httpx.Client, thread: str, text: str) -> None:
    """Ask in a conversation, and wait for the answer."""
    events_of(client.post("/agui", json=wanted(text, f"{thread}: {text[:90]}", threadId=thread)))


def test_threads_are_listed_newest_first_and_page_by_page(world: World, user: int) -> None:
    """With the first words of each, and the main one wherever it was written."""
    with program(world, user) as client:
        assert client.get("/agui/threads").json() == {"threads": [], "page": {"truncated": False}}
        ask(client, "own:garden", GARDEN)
        world.ask(user, "hi there")
        ask(client, "own:kitchen", KITCHEN)
        ask(client, "own:garden", "Why is that?")
        first = client.get("/agui/threads", params={"limit": 2}).json()
        more = {"limit": 2, "before": first["page"]["cursor"]}
        rest = client.get("/agui/threads", params=more).json()
        assert code_of(client.get("/agui/threads?limit=x")) == (400, "invalid_input")
    assert [one["id"] for one in first["threads"]] == ["own:garden", "own:kitchen"]
    title = first["threads"][0]["title"]
    assert title.startswith("What is proof of history, dear Zanzibarry?")
    assert title.endswith("…")
    assert len(title) <= 80
    assert first["threads"][1]["title"] == KITCHEN
    assert [(one["id"], one["title"]) for one in rest["threads"]] == [("chat", "hi there")]
    assert rest["page"] == {"truncated": False}
    times = [one["updatedAt"] for one in first["threads"] + rest["threads"]]
    assert times == sorted(times, reverse=True)


def test_threads_of_somebody_else_are_not_listed(world: World, user: int) -> None:
    """Nor does a program without the scope `chat` read any."""
    with program(world, user) as client:
        ask(client, "own:garden", GARDEN)
    with somebody_else(world) as other:
        ask(other, "own:shed", "hi")
        assert [one["id"] for one in other.get("/agui/threads").json()["threads"]] == ["own:shed"]
    with program(world, user, "knowledge") as reader:
        assert code_of(reader.get("/agui/threads")) == (403, "wrong_scope")


def test_own_conversations_are_exported_and_forgotten(world: World, user: int) -> None:
    """With everything else; afterwards no table names what was said there."""
    with program(world, user) as client:
        ask(client, "own:garden", "What is proof of history, dear Marmaladio?")
    command(world, user, "/export")
    (document,) = [
        one["document"] for one in world.sandbox.chat(user)["messages"] if one.get("document")
    ]
    file = world.sandbox.http.get(f"{world.sandbox.url}{document['url']}")
    told = json.loads(file.content)["messages"]
    assert [(one["thread_id"], one["role"]) for one in told] == [
        (f"tg:{user}:web:garden", "user"),
        (f"tg:{user}:web:garden", "assistant"),
    ]
    assert rows_naming(world, "marmaladio")
    asked = command(world, user, "/forget")
    chat = press(world, user, asked, "Yes, delete everything")
    assert "is deleted" in shown(chat, asked["message_id"])["text"]
    assert rows_naming(world, "marmaladio") == {}
