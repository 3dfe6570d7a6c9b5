"""Below an answer: rated, explained, asked again, edited; the same for every surface."""

import time
from typing import Any

import httpx
import pytest

from tests.acceptance.scripting import calling
from tests.acceptance.test_agui import (
    client,
    code_of,
    events_of,
    somebody_else,
    text_in,
    titles_of,
    wanted,
)
from tests.acceptance.test_commands import command
from tests.acceptance.world import World

__all__ = ["client"]
QUESTION = "What is proof of history?"
MAIN = "/agui/threads/chat"
RATINGS = (
    "SELECT rating FROM answer_feedback JOIN retrieval_decisions ON decision_id = id "
    "WHERE thread_id LIKE %s"
)


def ask(client: httpx.Client, text: Any, run_id: str, **more: Any) -> str:
    """Ask, and return the turn's id."""
    return turn_in(events_of(client.post("/agui", json=wanted(text, run_id, **more))))


def turn_in(events: list[dict[str, Any]]) -> str:
    """The id of the turn that a stream tells."""
    (told,) = [one["value"] for one in events if one.get("name") == "turn"]
    return str(told["id"])


def again(
    client: httpx.Client, turn: str, run_id: str, text: str | None = None, thread: str = "t1"
) -> httpx.Response:
    """Ask for a turn to be answered again, perhaps with other words."""
    asked = wanted(text, run_id, threadId=thread, forwardedProps={"replaces": turn})
    return client.post("/agui", json=asked if text else {**asked, "messages": []})


def said_in(client: httpx.Client, thread: str = "chat") -> list[str]:
    """The questions of the user in a conversation, oldest first."""
    messages = client.get(f"/agui/threads/{thread}").json()["messages"]
    return [one["content"] for one in messages if one["role"] == "user"]


def answers_in(client: httpx.Client) -> list[dict[str, Any]]:
    """The answers in the main conversation, oldest first."""
    messages = client.get(MAIN).json()["messages"]
    return [one for one in messages if one["role"] == "assistant"]


def test_answer_is_rated_with_the_records_of_telegram(
    client: httpx.Client, world: World, user: int
) -> None:
    """Twice is once; null takes it back; nobody else's answer is found."""
    turn = ask(client, QUESTION, "r1")
    address = f"/agui/turns/{turn}/rating"
    for _ in range(2):
        assert client.post(address, json={"rating": "down"}).json() == {"rating": "down"}
    assert world.rows(RATINGS, f"tg:{user}%") == [{"rating": "down"}]
    (answer,) = answers_in(client)
    assert (answer["turn"], answer["rateable"], answer["rating"]) == (turn, True, "down")
    assert client.post(address, json={"rating": None}).status_code == 200
    assert world.rows(RATINGS, f"tg:{user}%") == []
    assert "rating" not in answers_in(client)[0]
    assert code_of(client.post(address, json={"rating": "best"})) == (400, "invalid_input")
    assert code_of(client.post(address, content=b"[")) == (400, "invalid_input")
    with somebody_else(world) as other:
        assert code_of(other.post(address, json={"rating": "up"})) == (404, "unknown_turn")
        assert code_of(other.get(f"/agui/turns/{turn}/why")) == (404, "unknown_turn")
    assert world.rows(RATINGS, f"tg:{user}%") == []


def test_answer_of_telegram_is_explained_and_rated_over_http(
    client: httpx.Client, world: World, user: int
) -> None:
    """In the language of the request, as /why tells it."""
    world.ask(user, QUESTION)
    (answer,) = answers_in(client)
    why = f"/agui/turns/{answer['turn']}/why"
    told = client.get(why, headers={"Accept-Language": "de"}).json()["text"]
    assert answer["turn"] in told
    assert "**" in told
    assert told != client.get(why).json()["text"]
    assert client.post(f"/agui/turns/{answer['turn']}/rating", json={"rating": "up"}).is_success
    assert world.rows(RATINGS, f"tg:{user}%") == [{"rating": "up"}]


@pytest.mark.feature("agenda")
def test_question_is_answered_again_in_place_of_its_answer(
    client: httpx.Client, world: World, user: int
) -> None:
    """The first form is taken back; the same run again does nothing; an older turn is too late."""
    wish = f"Add the task of {user}"
    world.sandbox.script(
        wish, {"calls": [calling("create_task", title="Bread")]}, "Bread is there."
    )
    first = ask(client, wish, "r1")
    world.sandbox.script(wish, {"calls": [calling("create_task", title="Salt")]}, "Salt is there.")
    answer = again(client, first, "r2")
    assert text_in(events_of(answer)).startswith("Salt is there.")
    assert again(client, first, "r2").text == answer.text
    assert titles_of(world, user) == ["Salt"]
    assert said_in(client) == [wish]
    assert [one["content"].partition("\n")[0] for one in answers_in(client)] == ["Salt is there."]
    assert code_of(again(client, first, "r3")) == (409, "not_latest")
    with somebody_else(world) as other:
        assert code_of(again(other, first, "r2")) == (409, "not_latest")
    wrong = client.post("/agui", json=wanted("x", "r4", forwardedProps={"replaces": 7}))
    assert code_of(wrong) == (400, "invalid_input")


@pytest.mark.costs("it is a conversation of several turns")
def test_edited_question_replaces_the_one_before(client: httpx.Client, world: World) -> None:
    """In the history and in what the model reads; what came with it stays."""
    upload = client.post(
        "/agui/uploads", content=b"ticket,price\nadult,14\n", headers={"Content-Type": "text/csv"}
    ).json()
    source = {"type": "file", "value": upload["id"], "mimeType": "text/csv"}
    file = {"type": "document", "source": source, "metadata": {"filename": "prices.csv"}}
    first = ask(client, [{"type": "text", "text": "What does a chld pay?"}, file], "r1")
    before = world.sandbox.mark()
    answer = again(client, first, "r2", "What does an adult pay?")
    second = turn_in(events_of(answer))
    prompts = str(world.sandbox.calls("openai", before))
    assert "prices.csv" in prompts
    assert "chld" not in prompts
    asked = client.get(MAIN).json()["messages"][0]
    assert asked["content"] == "What does an adult pay?"
    assert asked["files"] == [{"name": "prices.csv"}]
    empty = again(client, second, "r3", " ")
    assert code_of(empty) == (400, "invalid_input")
    attached = wanted([file], "r4", forwardedProps={"replaces": second})
    assert code_of(client.post("/agui", json=attached)) == (400, "invalid_input")
    assert code_of(again(client, first, "r5", "Late")) == (409, "not_latest")


def test_question_of_telegram_is_edited_in_the_web_chat_and_then_asked_again_in_telegram(
    client: httpx.Client, world: World, user: int
) -> None:
    """One conversation: each replaces what was there."""
    world.ask(user, QUESTION)
    (answer,) = answers_in(client)
    again(client, answer["turn"], "r1", "What is impermanent loss?")
    assert said_in(client) == ["What is impermanent loss?"]
    world.ask(user, "/retry")
    world.await_idle()
    assert said_in(client) == ["What is impermanent loss?"]
    command(world, user, "/new")
    (answer,) = answers_in(client)
    assert events_of(again(client, answer["turn"], "r2"))[-1]["type"] == "RUN_FINISHED"


def test_question_is_edited_while_its_answer_is_written(
    client: httpx.Client, world: World, user: int
) -> None:
    """The answer that is stopped for it is in nobody's way afterwards."""
    world.sandbox.fail("openai", "slow", containing='"stream":true', delay_s=30.0)
    question = f"How is funding paid on the perpetual futures of {user}?"
    with client.stream("POST", "/agui", json=wanted(question, "r1")) as stream:
        seen = ""
        for piece in stream.iter_text():
            seen += piece
            if "TEXT_MESSAGE_CONTENT" in seen:
                break
    (run,) = world.rows("SELECT update_id FROM runs WHERE user_id = %s", user)
    client.post("/agui/runs/r1/stop")
    world.sandbox.recover()
    events = events_of(again(client, f"tg:{run['update_id']}", "r2", QUESTION))
    assert events[-1]["outcome"] == {"type": "success"}
    assert said_in(client) == [QUESTION]


def test_question_that_is_not_the_newest_any_more_is_told_so(
    client: httpx.Client, world: World
) -> None:
    """Also if another one was asked between the check and the answer; in the user's language."""
    first = ask(client, "hi", "r1")
    world.sandbox.fail("openai", "slow", containing='"stream":true', delay_s=3.0)
    began = wanted(QUESTION, "r2", forwardedProps={"busy": "queue"})
    with client.stream("POST", "/agui", json=began) as stream:
        pieces = stream.iter_text()
        next(pieces)
        late = again(client, first, "r3")
        for _ in pieces:
            pass
    world.sandbox.recover()
    last = events_of(late)[-1]
    assert (last["type"], last["code"]) == ("RUN_ERROR", "not_latest")
    assert last["message"].startswith("Only the newest question")
    assert said_in(client) == ["hi", QUESTION]


def test_files_of_an_answer_are_remembered_or_not(
    client: httpx.Client, world: World, user: int
) -> None:
    """As the buttons in Telegram do; those of others are not found."""
    upload = client.post(
        "/agui/uploads", content=b"ticket,price\nadult,14\n", headers={"Content-Type": "text/csv"}
    ).json()
    source = {"type": "file", "value": upload["id"], "mimeType": "text/csv"}
    file = {"type": "document", "source": source, "metadata": {"filename": "prices.csv"}}
    text = {"type": "text", "text": "What does an adult pay?"}
    events = events_of(client.post("/agui", json=wanted([text, file])))
    (offered,) = [one["value"] for one in events if one.get("name") == "offers"]
    (number,) = offered["keepable"]
    with somebody_else(world) as other:
        stolen = other.post("/agui/files", json={"ids": [number], "kept": True})
        assert code_of(stolen) == (404, "unknown_file")
    kept = "SELECT is_kept FROM user_files WHERE user_id = %s"
    for choice in (True, True, False):
        answer = client.post("/agui/files", json={"ids": [number], "kept": choice})
        assert answer.json() == {"kept": choice}
        assert world.rows(kept, user) == [{"is_kept": choice}]
        (shown,) = answers_in(client)
        assert shown["keepable"] == [{"id": number, "name": "prices.csv", "kept": choice}]
    assert code_of(client.post("/agui/files", json={"ids": [], "kept": True}))[0] == 400


@pytest.mark.parametrize("path", ["rating", "why", "undo"])
def test_ids_of_turns_that_are_none_are_not_found(client: httpx.Client, path: str) -> None:
    """Whatever they hold."""
    for turn in ("tg:1", "x", "%F0%9F%98%80", "tg:-99999999999999999999999"):
        address = f"/agui/turns/{turn}/{path}"
        body = {"rating": "up"}
        answer = client.get(address) if path == "why" else client.post(address, json=body)
        assert answer.status_code == 404
    began = time.monotonic()
    assert client.get(f"/agui/turns/{'x' * 5_000}/why").status_code == 404
    assert time.monotonic() - began < 5
