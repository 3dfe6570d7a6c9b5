"""Conversations over HTTP: named, deleted with all that was said there, and searched."""

from typing import Any

import httpx
import pytest

from tests.acceptance.test_agui import client, code_of, events_of, somebody_else, wanted
from tests.acceptance.test_my_data import rows_naming
from tests.acceptance.world import World

__all__ = ["client"]
GARDEN, SHED = "/agui/threads/own:garden", "/agui/threads/own:shed"


def ask(client: httpx.Client, thread: str, text: Any, run_id: str = "") -> None:
    """Ask in a conversation, and wait for the answer."""
    run_id = run_id or f"{thread}: {str(text)[:90]}"
    events_of(client.post("/agui", json=wanted(text, run_id, threadId=thread)))


def found(client: httpx.Client, query: str) -> list[dict[str, Any]]:
    """The turns that a search finds."""
    answer = client.post("/agui/search", json={"query": query})
    assert answer.status_code == 200, answer.text
    return list(answer.json()["found"])


def test_conversation_is_named(client: httpx.Client, world: World) -> None:
    """Its first words are its name until then, and again without one; others find nothing."""
    ask(client, "own:garden", "What is proof of history?")
    assert client.post(GARDEN, json={"title": "  My\n garden "}).json()["title"] == "My garden"
    assert client.get("/agui/threads").json()["threads"][0]["title"] == "My garden"
    assert code_of(client.post(GARDEN, json={"title": "x" * 81})) == (400, "invalid_input")
    assert code_of(client.post(SHED, json={"title": "x"})) == (404, "unknown_thread")
    assert code_of(client.post("/agui/threads/chat", json={"title": "x"})) == (409, "main_thread")
    with somebody_else(world) as other:
        assert code_of(other.post(GARDEN, json={"title": "x"})) == (404, "unknown_thread")
        assert code_of(other.delete(GARDEN)) == (404, "unknown_thread")
    assert client.post(GARDEN, json={"title": ""}).is_success
    title = client.get("/agui/threads").json()["threads"][0]["title"]
    assert title == "What is proof of history?"


@pytest.mark.costs("it looks for what is left in every table")
def test_deleted_conversation_leaves_nothing_behind(
    client: httpx.Client, world: World, user: int
) -> None:
    """No table names what was said there, or what came with it; other conversations stay."""
    ask(client, "own:garden", "What is proof of history, dear Tangerino?")
    data = b"ticket,price\ntangerino,14\n"
    headers = {"Content-Type": "text/csv"}
    upload = client.post("/agui/uploads", content=data, headers=headers).json()["id"]
    source = {"type": "file", "value": upload, "mimeType": "text/csv"}
    file = {"type": "document", "source": source, "metadata": {"filename": "tangerino.csv"}}
    ask(client, "own:garden", [{"type": "text", "text": "What does a tangerino pay?"}, file])
    ask(client, "own:shed", "What is impermanent loss?")
    assert rows_naming(world, "tangerino")
    world.await_idle()
    assert code_of(client.delete("/agui/threads/chat")) == (409, "main_thread")
    assert client.delete(GARDEN).status_code == 204
    assert set(rows_naming(world, "tangerino")) <= {"store", "due_work"}
    assert code_of(client.delete(GARDEN)) == (404, "unknown_thread")
    assert [one["id"] for one in client.get("/agui/threads").json()["threads"]] == ["own:shed"]
    threads = world.rows(
        "SELECT DISTINCT thread_id FROM checkpoints WHERE thread_id LIKE %s", f"tg:{user}%"
    )
    assert threads == [{"thread_id": f"tg:{user}:web:shed"}]
    assert client.get(GARDEN).json()["messages"] == []


def test_file_that_was_remembered_outlives_its_conversation(
    client: httpx.Client, world: World, user: int
) -> None:
    """With its bytes, from which its tables are computed."""
    data, headers = b"ticket,price\nadult,14\n", {"Content-Type": "text/csv"}
    upload = client.post("/agui/uploads", content=data, headers=headers).json()["id"]
    source = {"type": "file", "value": upload, "mimeType": "text/csv"}
    file = {"type": "document", "source": source, "metadata": {"filename": "prices.csv"}}
    ask(client, "own:garden", [{"type": "text", "text": "What does an adult pay?"}, file], "r1")
    (stored,) = world.rows("SELECT id FROM user_files WHERE user_id = %s", user)
    client.post("/agui/files", json={"ids": [stored["id"]], "kept": True})
    assert client.delete(GARDEN).status_code == 204
    assert world.rows("SELECT id FROM user_files WHERE user_id = %s", user) == [stored]
    assert world.rows("SELECT id FROM uploads WHERE user_id = %s", user) == [{"id": upload}]


def test_answer_that_is_being_written_goes_with_its_conversation(
    client: httpx.Client, world: World, user: int
) -> None:
    """It stores nothing more, and what is asked elsewhere meanwhile is answered."""
    world.sandbox.fail("openai", "slow", containing='"stream":true', delay_s=20.0)
    question = f"How is funding paid on the futures of {user}?"
    asked = wanted(question, "r1", threadId="own:garden")
    with client.stream("POST", "/agui", json=asked) as stream:
        seen = ""
        for piece in stream.iter_text():
            seen += piece
            if "TEXT_MESSAGE_CONTENT" in seen:
                break
    assert client.delete(GARDEN).status_code == 204
    world.sandbox.recover()
    ask(client, "own:shed", "hi there")
    world.await_idle()
    assert [one["id"] for one in client.get("/agui/threads").json()["threads"]] == ["own:shed"]
    rows = world.rows("SELECT thread FROM runs WHERE user_id = %s", user)
    assert rows == [{"thread": "own:shed"}]
    left = "SELECT thread_id FROM checkpoints WHERE thread_id = %s"
    assert world.rows(left, f"tg:{user}:web:garden") == []


def test_search_finds_turns_of_every_conversation(
    client: httpx.Client, world: World, user: int
) -> None:
    """Telegram's too, in any form of the words, newest first; nobody else's."""
    world.ask(user, "What are validators, dear Quincelina?")
    ask(client, "own:garden", "Tell Quincelina what is staked by a validator")
    client.post(GARDEN, json={"title": "Garden"})
    newest, oldest = found(client, "quincelina VALIDATOR")
    assert (newest["threadId"], newest["title"]) == ("own:garden", "Garden")
    assert oldest["threadId"] == "chat"
    excerpt = oldest["excerpt"]
    assert (excerpt["before"], excerpt["match"]) == ("What are ", "validators")
    assert excerpt["after"].startswith(", dear Quincelina?")
    assert found(client, "quincelina banana") == []
    assert found(client, "?!") == []
    with somebody_else(world) as other:
        assert found(other, "quincelina") == []
    assert code_of(client.post("/agui/search", json={"query": " "})) == (400, "invalid_input")
    long = {"query": "x" * 201}
    assert code_of(client.post("/agui/search", json=long)) == (400, "invalid_input")
    address = f"/agui/threads/{oldest['threadId']}"
    page = client.get(address, params={"at": oldest["turn"]}).json()
    assert [one["turn"] for one in page["messages"]] == [oldest["turn"]] * 2
    assert "later" not in page


def test_place_of_a_turn_is_a_page_around_it(client: httpx.Client) -> None:
    """It ends a few messages behind the turn, and says that there are later ones."""
    for number in range(8):
        ask(client, "own:garden", "hi there", f"r{number}")
    whole = client.get(GARDEN).json()["messages"]
    page = client.get(GARDEN, params={"at": whole[2]["turn"]}).json()
    assert page["later"] is True
    assert page["messages"] == whole[:14]
    assert "later" not in client.get(GARDEN, params={"at": whole[12]["turn"]}).json()
    assert client.get(GARDEN, params={"at": "tg:5"}).json()["messages"] == whole
