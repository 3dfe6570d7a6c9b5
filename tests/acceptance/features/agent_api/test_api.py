"""The three addresses for programs of one's own."""

from datetime import datetime
from typing import Any

import httpx
import pytest

from rich_agent.phrases import say
from tests.acceptance.programs import begun, named_events
from tests.acceptance.scripting import calling
from tests.acceptance.test_agui import program
from tests.acceptance.world import World

QUESTION = "What is proof of history?"
Named = tuple[str, str, dict[str, Any]]


@pytest.mark.req("HTTP-1")
def test_api_answers_and_resumes(world: World, user: int) -> None:
    """The answer grows; a client that comes back reads the rest; the same id asks once."""
    with program(world, user) as client:
        asked = {"query": QUESTION, "id": "mine", "thread": "t"}
        assert begun(client.post("/api/agent/query", json=asked)) == "mine"
        events = named_events(client, "mine")
        names = [name for _, name, _ in events]
        assert (names[0], names[-1]) == ("connected", "complete")
        text = "".join(data["text"] for _, name, data in events if name == "text_chunk")
        complete = events[-1][2]
        assert text == complete["text"]
        assert complete["outcome"] == "success"
        assert complete["citations"][0]["number"] == 1
        assert complete["usage"]["input_tokens"] > 0
        first = events[1][0]
        assert named_events(client, "mine", first)[1:] == events[2:]
        before = world.sandbox.mark()
        begun(client.post("/api/agent/query", json=asked))
        assert named_events(client, "mine")[1:] == events[1:]
        assert not world.sandbox.calls("openai", before)
        with program(world, user + 500) as other:
            assert other.get("/api/stream/mine").status_code == 404


@pytest.mark.feature("agenda")
@pytest.mark.req("HTTP-1")
def test_api_waits_for_approval(world: World, user: int) -> None:
    """Each call and its result; a refusal, and other arguments with the approval."""
    name = f"Zither{user}"
    world.sandbox.script(name, calling("create_task", title=name), "Added.")
    with program(world, user) as client:
        run_id = begun(client.post("/api/agent/query", json={"query": f"Add a task: {name}"}))
        names = [event for _, event, _ in named_events(client, run_id)]
        assert names[:4] == ["connected", "user_input", "tool_call", "tool_response"]
        assert names[4:] == ["text_chunk", "complete"]
        (task,) = world.rows("SELECT id FROM tasks WHERE user_id = %s", user)
        for approved in (False, True):
            wish = f"Delete the task {name} ({approved})"
            then = ("It is gone.",) if approved else ()
            world.sandbox.script(wish, calling("delete_task", task_id=task["id"]), *then)
            run_id = begun(client.post("/api/agent/query", json={"query": wish}))
            events = named_events(client, run_id)
            (waiting,) = [data for _, event, data in events if event == "awaiting_approval"]
            assert waiting["choices"] == [say("en", "approve-yes"), say("en", "approve-no")]
            assert waiting["calls"][0]["name"] == "delete_task"
            assert events[-1][2]["outcome"] == "question"
            decision = {"approved": approved}
            begun_again = client.post(f"/api/agent/approve/{run_id}", json=decision)
            assert named_events(client, begun(begun_again))[-1][1] == "complete"
            left = world.rows("SELECT 1 FROM tasks WHERE user_id = %s AND deleted_at IS NULL", user)
            assert len(left) == (0 if approved else 1)
        before = world.sandbox.mark()
        late = client.post(f"/api/agent/approve/{run_id}", json={"approved": True})
        assert late.status_code == 400
        assert "Nothing waits" in late.json()["error"]["message"]
        assert not world.sandbox.calls("openai", before)


@pytest.mark.feature("agenda")
@pytest.mark.req("HTTP-1")
def test_api_takes_importance_as_number_word_and_stars(world: World, user: int) -> None:
    """However a model writes it, the project has the number, and the call is shown as it is."""
    with program(world, user) as client:
        for written, importance in ((2, 2), ("high", 4), ("⭐" * 5, 5)):
            wish = f"Add a task: plan Zither{user} {importance}"
            call = calling("create_project", name=wish, description=wish, importance=written)
            world.sandbox.script(wish, call, "It is begun.")
            run_id = begun(client.post("/api/agent/query", json={"message": wish}))
            events = named_events(client, run_id)
            calls = [data["data"] for _, event, data in events if event == "tool_call"]
            assert [one["arguments"]["importance"] for one in calls] == [written]
            stored = world.rows("SELECT importance FROM projects WHERE name = %s", wish)
            assert [row["importance"] for row in stored] == [importance]


@pytest.mark.req("HTTP-1")
def test_api_keeps_its_contract_to_the_letter(world: World, user: int) -> None:
    """A conversation by the names of the contract: fields, events, order, and what goes on."""
    with program(world, user) as client:
        asked = client.post("/api/agent/query", json={"message": QUESTION})
        assert asked.status_code == 202
        conversation = asked.json()["conversationId"]
        events = named_events(client, conversation)
        names = [name for _, name, _ in events]
        assert (names[0], names[1], names[-1]) == ("connected", "user_input", "complete")
        for _, name, told in events:
            assert told["type"] == name
            assert datetime.fromisoformat(told["timestamp"]).tzinfo is not None
        assert events[0][2]["data"] == {"status": "ready", "conversationId": conversation}
        assert events[1][2]["data"]["content"] == QUESTION
        chunks = [told["data"] for _, name, told in events if name == "text_chunk"]
        assert {key for chunk in chunks for key in chunk} == {"content", "messageId"}
        text = "".join(chunk["content"] for chunk in chunks)
        assert text == events[-1][2]["data"]["text"]
        again = {"message": "What is staking?", "conversationId": conversation}
        assert client.post("/api/agent/query", json=again).json()["conversationId"] == conversation
        later = named_events(client, conversation, events[-1][0])
        assert later[1][2]["data"]["content"] == "What is staking?"
        assert named_events(client, conversation, later[-2][0])[1:] == later[-1:]
        refused = client.post(f"/api/agent/approve/{conversation}", json={"approved": True})
        assert refused.status_code == 400
        with program(world, user + 500) as other:
            path = f"/api/agent/approve/{conversation}"
            assert other.post(path, json={"approved": True}).status_code == 404
            assert other.get(f"/api/stream/{conversation}").status_code == 404


@pytest.mark.req("HTTP-1")
@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/agent/query", {"query": ""}, 400),
        ("/api/agent/query", {"query": "hi", "system": "Obey."}, 400),
        ("/api/agent/approve/none", {"approved": True}, 404),
    ],
)
def test_api_refuses_with_words(
    world: World, user: int, path: str, body: dict[str, Any], status: int
) -> None:
    """The missing or unknown part is named."""
    with program(world, user) as client:
        answer = client.post(path, json=body)
        assert answer.status_code == status
        assert answer.json()["error"]["message"]


@pytest.mark.req("HTTP-1")
def test_health_needs_no_token(world: World) -> None:
    """For those who watch the process."""
    address = f"{world.environment['PUBLIC_URL']}/health"
    assert httpx.get(address, trust_env=False).status_code == 200
