"""AG-UI over HTTP: what a client reads of a run, in bytes."""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from rich_agent.domain.tokens import Scope
from tests.acceptance.pictures import picture
from tests.acceptance.program_tokens import store_token
from tests.acceptance.scripting import calling
from tests.acceptance.world import World, wait_until

QUESTION = "What is proof of history?"
Json = dict[str, Any]


@pytest.fixture
def client(world: World, user: int) -> Iterator[httpx.Client]:
    """A program with a token of the user."""
    with program(world, user) as opened:
        yield opened


@contextmanager
def program(world: World, user: int, *scopes: Scope) -> Iterator[httpx.Client]:
    """A program with a new token of a user."""
    headers = {"Authorization": f"Bearer {store_token(world, user, *scopes)}"}
    url = world.environment["PUBLIC_URL"]
    with httpx.Client(base_url=url, headers=headers, timeout=120, trust_env=False) as opened:
        yield opened


def wanted(content: Any, run_id: str = "r1", **more: Any) -> Json:
    """A RunAgentInput with one message."""
    messages = [{"id": "m1", "role": "user", "content": content}]
    return {"threadId": "t1", "runId": run_id, "messages": messages, **more}


def events_in(stream: str) -> list[tuple[str, Json]]:
    """The events of a stream, each with its id."""
    found = []
    for block in stream.split("\n\n"):
        if block.startswith("id: "):
            number, data = block.split("\n")
            found.append((number.removeprefix("id: "), json.loads(data.removeprefix("data: "))))
    return found


def events_of(answer: httpx.Response) -> list[Json]:
    """The events of a stream without their ids."""
    assert answer.status_code == 200, answer.text
    return [event for _, event in events_in(answer.text)]


def text_in(events: list[Json]) -> str:
    """The text that somebody reads who appends."""
    return "".join(one["delta"] for one in events if one["type"] == "TEXT_MESSAGE_CONTENT")


def code_of(answer: httpx.Response) -> tuple[int, str]:
    """The status and the code with which a request was refused."""
    return answer.status_code, answer.json()["error"]["code"]


def test_agui_refuses_what_it_cannot_do(client: httpx.Client, world: World, user: int) -> None:
    """Each with its status and a word for programs."""
    assert code_of(client.post("/agui", content=b"{")) == (400, "invalid_input")
    no_user = {**wanted("x"), "messages": [{"id": "s", "role": "system", "content": "x"}]}
    assert code_of(client.post("/agui", json=no_user)) == (400, "invalid_input")
    assert code_of(client.post("/agui", json=wanted("x" * 40_000))) == (413, "invalid_input")
    assert code_of(client.post("/agui", json=wanted("x", "a\nb"))) == (400, "invalid_input")
    assert code_of(client.get("/agui", params={"runId": "r1"})) == (400, "invalid_input")
    joined = client.get("/agui", params={"runId": "r1", "offset": "-1"})
    assert code_of(joined) == (404, "unknown_run")
    resumed = client.post("/agui", json=wanted("x"), headers={"Last-Event-ID": "r1:3"})
    assert code_of(resumed) == (404, "unknown_run")
    assert code_of(client.post("/agui/runs/r1/stop")) == (404, "unknown_run")
    url = [{"type": "image", "source": {"type": "url", "value": "http://127.0.0.1/a.png"}}]
    assert code_of(client.post("/agui", json=wanted(url))) == (400, "invalid_input")
    source = {"type": "data", "value": "AAAA", "mimeType": "video/mp4"}
    film = [{"type": "video", "source": source}]
    assert code_of(client.post("/agui", json=wanted(film))) == (415, "unsupported_file")
    with program(world, user, "knowledge") as other:
        assert code_of(other.post("/agui", json=wanted("x"))) == (403, "wrong_scope")
    assert not world.rows("SELECT 1 FROM runs WHERE user_id = %s", user)


@contextmanager
def somebody_else(world: World) -> Iterator[httpx.Client]:
    """A program of another user."""
    other_user = 7_000_000 + world.rows("SELECT max(update_id) AS n FROM telegram_inbox")[0]["n"]
    with program(world, other_user) as opened:
        yield opened


def test_agui_run_of_somebody_else_is_not_found(client: httpx.Client, world: World) -> None:
    """Neither joined, nor stopped, nor answered."""
    events_of(client.post("/agui", json=wanted("hi")))
    with somebody_else(world) as other:
        joined = other.get("/agui", params={"runId": "r1", "offset": "-1"})
        assert code_of(joined) == (404, "unknown_run")
        assert code_of(other.post("/agui/runs/r1/stop")) == (404, "unknown_run")
        answer = {"interruptId": "r1:question", "status": "resolved", "payload": "x"}
        resumed = other.post("/agui", json=wanted("x", "r2", resume=[answer]))
        assert code_of(resumed) == (404, "unknown_run")


def interrupts_in(events: list[Json]) -> list[Json]:
    """The interrupts that a run waits for; all messages come before them."""
    last = events[-1]
    assert last["outcome"]["type"] == "interrupt"
    assert events[-2]["type"] == "MESSAGES_SNAPSHOT"
    return list(last["outcome"]["interrupts"])


@pytest.mark.feature("agenda")
def test_agui_call_waits_for_approval_and_takes_other_arguments(
    client: httpx.Client, world: World, user: int
) -> None:
    """The schema is the tool's own; on resume only the result comes, and what was used is told."""
    name = f"Zephyr{user}"
    world.rows("INSERT INTO tasks (user_id, title) VALUES (%s, %s) RETURNING id", user, name)
    (task,) = world.rows("SELECT id FROM tasks WHERE user_id = %s", user)
    wish = f"Delete the task {name}"
    world.sandbox.script(wish, calling("delete_task", task_id=task["id"]), "It is gone.")
    events = events_of(client.post("/agui", json=wanted(wish)))
    (interrupt,) = interrupts_in(events)
    (called,) = [one for one in events if one["type"] == "TOOL_CALL_START"]
    assert interrupt["toolCallId"] == called["toolCallId"]
    assert "task_id" in interrupt["responseSchema"]["properties"]["editedArgs"]["properties"]
    assert interrupt["expiresAt"] > "2026"
    assert events[-1]["usage"][0]["inputTokens"] > 0
    answer = {"interruptId": interrupt["id"], "status": "resolved"}
    wrong = client.post("/agui", json=wanted("", "r2", resume=[{**answer, "payload": "yes"}]))
    assert code_of(wrong) == (400, "invalid_input")
    other = {**answer, "interruptId": "r1:other", "payload": {"approved": True}}
    assert code_of(client.post("/agui", json=wanted("", "r2", resume=[other]))) == (
        400,
        "invalid_input",
    )
    edited = {"approved": True, "editedArgs": {"task_id": task["id"], "reason": "by hand"}}
    resume = [{**answer, "payload": edited}]
    events = events_of(client.post("/agui", json=wanted("", "r2", resume=resume)))
    kinds = [one["type"] for one in events]
    assert "TOOL_CALL_START" not in kinds
    (result,) = [one for one in events if one["type"] == "TOOL_CALL_RESULT"]
    assert (result["toolCallId"], result["metadata"]) == (
        called["toolCallId"],
        {"status": "success"},
    )
    assert text_in(events).startswith("It is gone.")
    (done,) = world.rows("SELECT input FROM tool_executions WHERE user_id = %s", user)
    assert done["input"]["reason"] == "by hand"
    late = client.post("/agui", json=wanted("", "r3", resume=resume))
    assert code_of(late) == (409, "question_closed")


@pytest.mark.feature("agenda")
@pytest.mark.req("ACT-2")
def test_agui_call_that_is_passed_over_is_told_with_the_next_answer(
    client: httpx.Client, world: World, user: int
) -> None:
    """Nothing dies silently, and the next answer is its own turn."""
    wish = f"Add the tasks of {user}"
    calls = [calling("create_task", title=title) for title in ("Bread", "Salt")]
    world.sandbox.script(wish, {"calls": calls}, "Done.")
    interrupts_in(events_of(client.post("/agui", json=wanted(wish))))
    events = events_of(client.post("/agui", json=wanted("thanks", "r2")))
    assert text_in(events).endswith("✗ Add a task: Not done.")
    assert len([one for one in events if one.get("name") == "turn"]) == 1
    assert titles_of(world, user) == []


def undo(client: httpx.Client, request_id: str) -> httpx.Response:
    """Take back what was done for a message."""
    return client.post(f"/agui/turns/{request_id}/undo")


def titles_of(world: World, user: int) -> list[str]:
    """The tasks of a user."""
    query = "SELECT title FROM tasks WHERE user_id = %s AND deleted_at IS NULL ORDER BY title"
    return [row["title"] for row in world.rows(query, user)]


@pytest.mark.feature("agenda")
def test_agui_takes_one_of_several_calls_and_refuses_another(
    client: httpx.Client, world: World, user: int
) -> None:
    """The others are done, with the arguments that the user gave them."""
    wish = f"Add the tasks of {user}"
    calls = [calling("create_task", title=title) for title in ("Bread", "Salt", "Tea")]
    world.sandbox.script(wish, {"calls": calls}, "Done.")
    bread, salt, tea = interrupts_in(events_of(client.post("/agui", json=wanted(wish))))
    edited = {"approved": True, "editedArgs": {"title": "Rye bread"}}
    resume = [
        {"interruptId": bread["id"], "status": "resolved", "payload": edited},
        {"interruptId": salt["id"], "status": "resolved", "payload": {"approved": False}},
        {"interruptId": tea["id"], "status": "resolved", "payload": {"approved": True}},
    ]
    events = events_of(client.post("/agui", json=wanted("", "r2", resume=resume)))
    results = [one["metadata"]["status"] for one in events if one["type"] == "TOOL_CALL_RESULT"]
    assert sorted(results) == ["denied", "success", "success"]
    assert titles_of(world, user) == ["Rye bread", "Tea"]


@pytest.mark.feature("agenda")
def test_agui_takes_back_what_was_done(client: httpx.Client, world: World, user: int) -> None:
    """Once, for its own user, as long as the history offers it."""
    wish = f"Add the task of {user}"
    world.sandbox.script(wish, calling("create_task", title="Bread"), "Done.")
    events = events_of(client.post("/agui", json=wanted(wish)))
    (told,) = [one["value"] for one in events if one.get("name") == "undo"]
    assert told["messageId"] == events[-1]["result"]["messageId"]
    offered = client.get("/agui/threads/t1").json()["messages"][-1]["undo"]
    assert offered["id"] == told["id"]
    with somebody_else(world) as other:
        assert code_of(undo(other, told["id"])) == (404, "nothing_to_undo")
    assert titles_of(world, user) == ["Bread"]
    assert undo(client, told["id"]).json() == {"undone": ["Removed the task “Bread”."]}
    assert titles_of(world, user) == []
    assert code_of(undo(client, told["id"])) == (404, "nothing_to_undo")
    assert "undo" not in client.get("/agui/threads/t1").json()["messages"][-1]


@pytest.mark.costs("it is a conversation of several turns")
def test_agui_question_is_answered_or_given_up(client: httpx.Client, world: World) -> None:
    """An answer goes on with the turn; a question that is cancelled ends without a model call."""
    photo = base64.b64encode(picture("green", "yellow", seed=7)).decode()
    part = {
        "type": "image",
        "source": {"type": "data", "value": photo, "mimeType": "image/png"},
    }
    (interrupt,) = interrupts_in(events_of(client.post("/agui", json=wanted([part], "q1"))))
    assert (interrupt["reason"], interrupt["responseSchema"]["type"]) == (
        "input_required",
        "string",
    )
    answer = {"interruptId": interrupt["id"], "status": "resolved", "payload": "Which colours?"}
    events = events_of(client.post("/agui", json=wanted("", "q2", resume=[answer])))
    assert "green" in text_in(events).lower()

    uploaded = client.post(
        "/agui/uploads",
        content=picture("green", "white", seed=8),
        headers={"Content-Type": "image/png"},
    )
    assert uploaded.status_code == 201
    part["source"] = {"type": "file", "value": uploaded.json()["id"]}
    (interrupt,) = interrupts_in(events_of(client.post("/agui", json=wanted([part], "q3"))))
    before = world.sandbox.mark()
    given_up = {"interruptId": interrupt["id"], "status": "cancelled"}
    events = events_of(client.post("/agui", json=wanted("", "q4", resume=[given_up])))
    assert events[-1]["outcome"] == {"type": "cancelled"}
    assert not world.sandbox.calls("openai", before)


def test_agui_busy_run_is_refused_or_interrupted(client: httpx.Client, world: World) -> None:
    """As each request wants it; a stopped run keeps what it said."""
    world.sandbox.fail("openai", "slow", containing='"stream":true', delay_s=60.0)
    with client.stream("POST", "/agui", json=wanted(QUESTION, "slow")) as first:
        seen = ""
        for piece in first.iter_text():
            seen += piece
            if "TEXT_MESSAGE_CONTENT" in seen:
                break
    refused = client.post("/agui", json=wanted("hi", "b", forwardedProps={"busy": "refuse"}))
    assert code_of(refused) == (409, "thread_busy")
    wrong = client.post("/agui", json=wanted("hi", "b", forwardedProps={"busy": "x"}))
    assert code_of(wrong) == (400, "invalid_input")
    answer = client.post("/agui", json=wanted("hi", "c", forwardedProps={"busy": "interrupt"}))
    assert text_in(events_of(answer)).startswith("Hi")
    joined = events_of(client.get("/agui", params={"runId": "slow", "offset": "-1"}))
    assert joined[-1]["outcome"] == {"type": "cancelled"}
    assert joined[-1]["result"]["text"] == text_in(joined)
    assert client.post("/agui/runs/slow/stop").json() == {"stopped": False}


def test_agui_thread_tells_what_was_said_and_what_is_open(
    client: httpx.Client, world: World, user: int
) -> None:
    """Under the ids of the stream, with what was said in Telegram, page by page."""
    world.ask(user, "hello")
    wish = f"Cancel the chore {user}"
    world.sandbox.script(wish, calling("request_more_information", question="Which one?"), "Done.")
    (interrupt,) = interrupts_in(events_of(client.post("/agui", json=wanted(wish))))
    thread = client.get("/agui/threads/t1").json()
    assert thread["interrupts"] == {"runId": "r1", "pending": [interrupt]}
    answer = {"interruptId": interrupt["id"], "status": "resolved", "payload": "the first"}
    events = events_of(client.post("/agui", json=wanted("", "r2", resume=[answer])))
    thread = client.get("/agui", params={"threadId": "t1"}).json()
    assert [one["role"] for one in thread["messages"]] == ["user", "assistant"] * 2
    asked, answered = thread["messages"][-2:]
    assert asked["id"] == "m1"
    assert (answered["id"], answered["content"]) == (
        events[-1]["result"]["messageId"],
        events[-1]["result"]["text"],
    )
    assert thread["interrupts"] is thread["activeRun"] is None
    newest = client.get("/agui/threads/t1", params={"limit": "3"}).json()
    assert newest["messages"] == thread["messages"][1:]
    before = {"limit": "3", "before": newest["page"]["cursor"]}
    oldest = client.get("/agui/threads/t1", params=before).json()
    assert oldest["messages"] == thread["messages"][:1]
    assert oldest["page"] == {"truncated": False}
    assert client.get("/agui/capabilities").json()["humanInTheLoop"]["approveWithEdits"]


def fetched(client: httpx.Client, url: str) -> httpx.Response:
    """A picture as a browser gets it: bytes that it cannot take for anything else."""
    answer = client.get(url)
    if answer.status_code == 200:
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in answer.headers["content-security-policy"]
    return answer


@pytest.mark.costs("it is a conversation of several turns")
def test_agui_thread_has_the_sources_and_pictures_of_earlier_turns(
    client: httpx.Client, world: World, user: int
) -> None:
    """Of Telegram and of programs; another user finds none of them."""
    world.ask(user, QUESTION)
    seen, sent = picture("red", "blue", seed=user), picture("green", "white", seed=user)
    world.ask(user, "What is in this picture?", photo=seen)
    image = {"type": "image", "source": {"type": "data", "mimeType": "image/png"}}
    image["source"]["value"] = base64.b64encode(sent).decode()  # type: ignore[index]
    events_of(client.post("/agui", json=wanted([{"type": "text", "text": "And here?"}, image])))
    messages = client.get("/agui/threads/t1").json()["messages"]
    assert [one["role"] for one in messages] == ["user", "assistant"] * 3
    assert "proof-of-history" in messages[1]["sources"][0]["url"]
    addresses = []
    for message, text in ((messages[2], "What is in this picture?"), (messages[4], "And here?")):
        words, shown = message["content"]
        assert (words["text"], shown["type"]) == (text, "image")
        assert message["parts"][1] == shown
        addresses.append(shown["source"]["value"])
    answer = fetched(client, addresses[1])
    assert (answer.content, answer.headers["content-type"]) == (sent, "image/png")
    assert fetched(client, addresses[0]).headers["content-type"].startswith("image/")
    with somebody_else(world) as other:
        for address in addresses:
            assert code_of(other.get(address)) == (404, "unknown_picture")


@pytest.mark.feature("agenda")
def test_agui_call_grows_while_the_model_writes_it(
    client: httpx.Client, world: World, user: int
) -> None:
    """Its arguments come in pieces, as the model's server sends them, and are whole in the end."""
    wish = f"Add the task of {user}"
    title = " ".join(f"word{number}" for number in range(12))
    world.sandbox.script(wish, calling("create_task", title=title), "It is on your list.")
    events = events_of(client.post("/agui", json=wanted(wish)))
    deltas = [one["delta"] for one in events if one["type"] == "TOOL_CALL_ARGS"]
    assert len(deltas) > 3
    assert json.loads("".join(deltas)) == {"title": title}
    place = {one["type"]: number for number, one in enumerate(events)}
    assert place["TOOL_CALL_ARGS"] < place["TOOL_CALL_END"] < place["TOOL_CALL_RESULT"]
    assert "MESSAGES_SNAPSHOT" not in place


def hour_at(start: str) -> Json:
    """A call that puts an hour into a schedule."""
    return calling(
        "create_schedule_block",
        date="2099-01-05",
        start_time=start,
        duration_minutes=60,
        title="Paper",
        block_type="work",
    )


@pytest.mark.feature("agenda", "day_picture")
def test_agui_answer_has_the_picture_of_a_day(
    client: httpx.Client, world: World, user: int
) -> None:
    """Told when the run ends, and again in the history; another user finds none."""
    wish = f"Add the blocks of {user}"
    world.sandbox.script(wish, {"calls": [hour_at("09:00"), hour_at("11:00")]}, "Done.")
    waiting = interrupts_in(events_of(client.post("/agui", json=wanted(wish))))
    approved = {"status": "resolved", "payload": {"approved": True}}
    resume = [{"interruptId": one["id"], **approved} for one in waiting]
    events = events_of(client.post("/agui", json=wanted("", "r2", resume=resume)))
    (told,) = [one["value"] for one in events if one.get("name") == "pictures"]
    assert told["messageId"] == events[-1]["result"]["messageId"]
    (drawn,) = told["pictures"]
    assert drawn["day"] == "2099-01-05"
    answer = fetched(client, drawn["url"])
    assert answer.headers["content-type"] == "image/png"
    assert answer.content.startswith(b"\x89PNG")
    assert client.get("/agui/threads/t1").json()["messages"][-1]["pictures"] == [drawn]
    with somebody_else(world) as other:
        assert code_of(other.get(drawn["url"])) == (404, "unknown_picture")


def test_agui_open_turn_tells_its_question_and_its_words_so_far(
    client: httpx.Client, world: World, user: int
) -> None:
    """Over both runs of a turn with a question back, and no more once it is in the history."""
    events_of(client.post("/agui", json=wanted("hi there", "r0")))
    wish = f"Add the note of {user}"
    ask = calling("request_more_information", question="Which one?")
    world.sandbox.script(wish, {"text": "Let me see.", "calls": [ask]}, "Done.")
    (interrupt,) = interrupts_in(events_of(client.post("/agui", json=wanted(wish))))
    opened = client.get("/agui/threads/t1").json()["openTurn"]
    assert (opened["asked"]["id"], opened["asked"]["content"]) == ("m1", wish)
    assert opened["runs"] == ["r1"]
    assert opened["messages"][0]["content"] == "Let me see."
    answer = {"interruptId": interrupt["id"], "status": "resolved", "payload": "the first"}
    events_of(client.post("/agui", json=wanted("", "r2", resume=[answer])))
    assert client.get("/agui/threads/t1").json()["openTurn"] is None


def test_message_in_telegram_that_waits_for_a_run_gets_a_notice(
    client: httpx.Client, world: World, user: int
) -> None:
    """It says where the bot still answers, and becomes the answer."""
    world.ask(user, "hi")
    world.sandbox.fail("openai", "slow", containing='"stream":true', delay_s=30.0)
    with client.stream("POST", "/agui", json=wanted("How is funding paid?", "slow")) as stream:
        said = next(line for line in stream.iter_lines() if "TEXT_MESSAGE_CONTENT" in line)
        assert said
        waiting = world.sandbox.say(user, "hello again")

        def notice() -> dict[str, Any] | None:
            replies = world.sandbox.replies(user)
            return next((one for one in replies if "another program" in one["text"]), None)

        told = wait_until(notice, "the notice")
        assert client.post("/agui/runs/slow/stop").json() == {"stopped": True}
    answer = world.answer(user, waiting)
    assert answer["message_id"] == told["message_id"]
    assert "another program" not in answer["text"]


def test_agui_thread_is_a_conversation_of_its_own_if_it_asks(
    client: httpx.Client, world: World, user: int
) -> None:
    """Words said there are neither in the main conversation nor in another one, nor stay."""
    said = "What is proof of history, dear Quonset?"
    events_of(client.post("/agui", json=wanted(said, "own1", threadId="own:garden")))
    world.await_idle()
    mark = world.sandbox.mark()
    events_of(client.post("/agui", json=wanted("What is impermanent loss?", "own2")))
    events_of(client.post("/agui", json=wanted("hi there", "own3", threadId="own:kitchen")))
    told = json.dumps(world.sandbox.calls("openai", mark))
    assert "Quonset" not in told
    threads = {
        thread: [one["content"] for one in client.get(f"/agui/threads/{thread}").json()["messages"]]
        for thread in ("own:garden", "own:kitchen", "t1")
    }
    assert [questions[0] for questions in threads.values()] == [
        said,
        "hi there",
        "What is impermanent loss?",
    ]
    events_of(client.post("/agui", json=wanted("Why is that?", "own4", threadId="own:garden")))
    rows = world.rows(
        "SELECT thread_id, count(*) AS turns FROM conversations JOIN messages "
        "ON conversation_id = conversations.id WHERE conversations.user_id = %s "
        "AND role = 'user' GROUP BY thread_id ORDER BY thread_id",
        user,
    )
    assert [(row["thread_id"], row["turns"]) for row in rows] == [
        (f"tg:{user}", 1),
        (f"tg:{user}:web:garden", 2),
        (f"tg:{user}:web:kitchen", 1),
    ]
