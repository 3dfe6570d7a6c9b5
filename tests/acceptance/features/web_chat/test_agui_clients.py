"""AG-UI as its own clients see it: @ag-ui/client and @tanstack/ai-client, run by Node."""

import signal
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.acceptance.node_clients import Json, NodeClient, node_client, with_node
from tests.acceptance.scripting import calling
from tests.acceptance.test_agui import QUESTION, events_of, program, text_in, wanted
from tests.acceptance.world import (
    World,
    environment,
    free_port,
    running_bot,
    running_sandbox,
)
from tests.database import PostgresServer

pytestmark = with_node


def events_in(told: list[Json]) -> list[Json]:
    """The events that @ag-ui/client let pass."""
    return [one["event"] for one in told]


def is_text(told: Json) -> bool:
    """Whether a piece of the answer came."""
    return bool(told["event"]["type"] == "TEXT_MESSAGE_CONTENT")


def task_of(world: World, user: int, title: str) -> int:
    """A new task."""
    query = "INSERT INTO tasks (user_id, title) VALUES (%s, %s) RETURNING id"
    return int(world.rows(query, user, title)[0]["id"])


def reasons_for_deleting(world: World, user: int) -> list[Any]:
    """The reasons for which the tasks that were deleted were deleted."""
    rows = world.rows("SELECT input FROM tool_executions WHERE user_id = %s", user)
    return [row["input"].get("reason") for row in rows]


@pytest.fixture
def agui(world: World, user: int) -> Iterator[NodeClient]:
    """A conversation by @ag-ui/client."""
    with node_client("agui.mjs", world, user) as client:
        yield client


@pytest.fixture
def tanstack(world: World, user: int) -> Iterator[NodeClient]:
    """A conversation by @tanstack/ai-client."""
    with node_client("tanstack.mjs", world, user) as client:
        yield client


@pytest.mark.costs("clients of others run in Node")
def test_client_of_agui_reads_an_answer_with_sources(agui: NodeClient) -> None:
    """Its checks of the protocol let every event pass; the message is in its list once."""
    told, outcome = agui.do(say=QUESTION, runId="r1")
    events = events_in(told)
    assert "failed" not in outcome, outcome
    assert [one["role"] for one in outcome["messages"]] == ["user", "assistant"]
    answer = outcome["messages"][-1]
    assert answer["content"] == events[-1]["result"]["text"]
    assert answer["id"] == events[-1]["result"]["messageId"]
    (sources,) = [one for one in events if one.get("name") == "sources"]
    assert sources["value"]["sources"][0]["url"].startswith("http")


@pytest.mark.feature("agenda")
@pytest.mark.costs("clients of others run in Node")
def test_client_of_agui_answers_a_question_and_approves(
    agui: NodeClient, world: World, user: int
) -> None:
    """Interrupts are found, answered with other arguments, and closed."""
    name = f"Quill{user}"
    task = task_of(world, user, name)
    wish = f"Remove the chore {name}"
    world.sandbox.script(
        wish,
        calling("request_more_information", question="Really?", choices=["Yes", "No"]),
        calling("delete_task", task_id=task),
        "It is gone.",
    )
    _, outcome = agui.do(say=wish, runId="r1")
    (question,) = outcome["interrupts"]
    assert question["responseSchema"]["enum"] == ["Yes", "No"]
    answer = {"interruptId": question["id"], "status": "resolved", "payload": "Yes"}
    _, outcome = agui.do(runId="r2", resume=[answer])
    (approval,) = outcome["interrupts"]
    (call,) = outcome["messages"][-1]["toolCalls"]
    assert approval["toolCallId"] == call["id"]
    payload = {"approved": True, "editedArgs": {"task_id": task, "reason": "edited"}}
    answer = {"interruptId": approval["id"], "status": "resolved", "payload": payload}
    told, outcome = agui.do(runId="r3", resume=[answer])
    assert text_in(events_in(told)).startswith("It is gone.")
    assert outcome["interrupts"] == []
    assert "edited" in reasons_for_deleting(world, user)


def test_client_of_agui_sees_a_run_stopped(agui: NodeClient, world: World, user: int) -> None:
    """It ends as cancelled, with what was said."""
    world.sandbox.fail("openai", "slow", containing='"stream":true', delay_s=60.0)
    agui.begin(say=QUESTION, runId="r1")
    told = agui.told()
    seen = [next(one for one in told if is_text(one))]
    with program(world, user) as other:
        assert other.post("/agui/runs/r1/stop").json() == {"stopped": True}
    *rest, outcome = told
    events = events_in([*seen, *rest])
    assert events[-1]["outcome"] == {"type": "cancelled"}
    assert outcome["messages"][-1]["content"] == text_in(events)


def test_client_of_tanstack_reads_on_after_breaks(
    tanstack: NodeClient, world: World, user: int
) -> None:
    """It comes back behind the last event that it has: no character is lost or doubled.

    The answer is longer than what the breaks let through, however busy the machine is.
    """
    wish, text = f"Add the note of {user}", " ".join(f"word{number}" for number in range(80))
    world.sandbox.script(wish, text)
    _, outcome = tanstack.do(say=wish, cut=[700, 900, 1100])
    assert "failed" not in outcome
    requests = outcome["requests"]
    assert [one["method"] for one in requests] == ["POST"] * 4
    assert all(one["after"] for one in requests[1:])
    (stored,) = world.rows(
        "SELECT event ->> 'text' AS text FROM run_events JOIN runs USING (update_id) "
        "WHERE run_id = %s AND event ->> 'kind' = 'answer'",
        requests[1]["after"].rpartition(":")[0],
    )
    assert stored["text"].startswith(text)
    assert outcome["text"] == stored["text"]


@pytest.mark.feature("agenda")
@pytest.mark.parametrize("decision", ["approve", "edit", "reject", "cancel"])
def test_client_of_tanstack_decides_on_a_call(
    tanstack: NodeClient, world: World, user: int, decision: str
) -> None:
    """The client lets the interrupt be resolved, and the run goes on with the decision."""
    name = f"Umber{decision}{user}"
    task = task_of(world, user, name)
    wish = f"Delete the task {name}"
    world.sandbox.script(wish, calling("delete_task", task_id=task), "It is gone.")
    _, outcome = tanstack.do(say=wish)
    (interrupt,) = outcome["interrupts"]
    assert (interrupt["canResolve"], interrupt["errors"]) == (True, [])
    payload: Json = {"approved": decision != "reject"}
    if decision == "edit":
        payload["editedArgs"] = {"task_id": task, "reason": "edited"}
    command: Json = {"cancel": True} if decision == "cancel" else {"resolve": payload}
    _, outcome = tanstack.do(**command)
    assert outcome["interrupts"] == []
    assert "failed" not in outcome, outcome
    done = reasons_for_deleting(world, user)
    expected = {"approve": [None], "edit": ["edited"], "reject": [], "cancel": []}
    assert done == expected[decision]
    assert outcome["text"].startswith("It is gone.") == (decision in {"approve", "edit"})


def test_client_of_tanstack_joins_a_run_after_a_reload(
    tanstack: NodeClient, world: World, user: int
) -> None:
    """A page that is opened again while the answer grows shows all of it."""
    world.sandbox.fail("openai", "slow", containing='"stream":true', delay_s=3.0)
    with program(world, user) as other:
        with other.stream("POST", "/agui", json=wanted(QUESTION)) as stream:
            next(stream.iter_text())
        _, outcome = tanstack.do(reload=True)
        events = events_of(other.get("/agui", params={"runId": "r1", "offset": "-1"}))
    assert outcome["requests"][-1]["method"] == "GET"
    assert len(outcome["requests"]) == 2
    assert outcome["text"] == text_in(events)


@pytest.mark.costs("clients of others run in Node")
@pytest.mark.req("DUR-1")
def test_stream_goes_on_after_the_worker_was_killed(
    with_samples: str, database_server: PostgresServer, user: int
) -> None:
    """The connection stays; the client reads each character once."""
    with (
        running_sandbox() as sandbox,
        database_server.database(with_samples) as url,
        ExitStack() as stack,
    ):
        world = World(sandbox, environment(sandbox.url, url), url)
        sandbox.fail("openai", "slow", containing='"stream":true', delay_s=8.0)
        workers = {**world.environment, "PORT": str(free_port())}
        stack.enter_context(running_bot(world.environment, "serve"))
        client = stack.enter_context(node_client("agui.mjs", world, user))
        seen: list[Json] = []
        with running_bot(workers, "worker") as worker:
            client.begin(say=QUESTION, runId="r1")
            told = client.told()
            for one in told:
                seen.append(one)
                if is_text(one):
                    break
            worker.send_signal(signal.SIGKILL)
            worker.wait(20)
        sandbox.recover()
        with running_bot(workers, "worker"):
            *rest, outcome = told
    events = events_in([*seen, *rest])
    assert "failed" not in outcome, outcome
    assert text_in(events) == events[-1]["result"]["text"] == outcome["messages"][-1]["content"]
    assert sum(one["type"] == "RUN_STARTED" for one in events) == 1
