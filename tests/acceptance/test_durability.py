"""Processes die; messages, order and answers do not.

These bots have a sandbox and a database of their own: they come and go.
"""

import json
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.acceptance.faults import end_leases, held_steps
from tests.acceptance.pictures import picture
from tests.acceptance.world import (
    ROOT,
    SECRET,
    TOKEN,
    World,
    environment,
    free_port,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer


@pytest.fixture(scope="module")
def prepared(database_server: PostgresServer, with_samples: str) -> Iterator[World]:
    """Sample documents ingested; no bot runs but those of the test."""
    with (
        running_sandbox(ROOT / "sample" / "solana", ROOT / "docs") as sandbox,
        database_server.database(with_samples) as url,
    ):
        yield World(sandbox, environment(sandbox.url, url), url)


@pytest.mark.costs("it starts a bot for each kill")
@pytest.mark.req("DUR-1", "REL-1")
def test_killed_bot_finishes_its_answer_in_the_same_message(prepared: World, user: int) -> None:
    """Kill -9 while the answer grows: started again, the bot edits that very message to its end.

    Everything stays in the topic in which the question was asked.
    """
    sandbox = prepared.sandbox
    with running_bot(prepared.environment) as bot:
        prepared.ask(user, "hi")
        before = sandbox.mark()
        sandbox.fail("openai", "slow", method="chat.completions", delay_s=6.0, times=2)
        question = "How is funding paid on perpetual futures?"
        sent = sandbox.say(user, question, message_thread_id=7)

        def growing() -> bool | None:
            replies = sandbox.replies(user, sent.message_id)
            return True if replies and len(replies[0]["text"]) > 30 else None

        wait_until(growing, "the answer grows")
        bot.send_signal(signal.SIGKILL)
        bot.wait(5)
    half = sandbox.replies(user, sent.message_id)
    with running_bot(prepared.environment):
        answer = prepared.answer(user, sent)
    whole = sandbox.replies(user, sent.message_id)
    assert [m["message_id"] for m in whole] == [m["message_id"] for m in half]
    assert {m["message_thread_id"] for m in whole} == {7}
    shown = [
        call["body"].get("message_thread_id")
        for call in sandbox.calls("telegram", before)
        if call["method"] in {"sendMessage", "sendChatAction"}
    ]
    assert set(shown) == {7}
    assert "Sources" in answer["text"]
    assert not prepared.is_done(sent) or len(prepared.decisions(user)) == 2
    calls = sandbox.calls("openai", before)
    assert sum("PlannedTurn" in str(call["body"]) for call in calls) == 1


STEPS = {3: "N4", 4: "N5", 5: "N8", 6: "N6", 7: "N7"}
"""The steps of a rag+web turn, by the number that their checkpoint has.

START, N1 and N2 call nobody, and are stored with N4.
"""
SOME_STEPS = (3, 5, 7)
"""Behind the planner, behind the web search, and at the end."""


@pytest.mark.costs("it starts a bot for each kill")
@pytest.mark.req("DUR-1", "DUR-2", "REL-1")
@pytest.mark.parametrize(
    "steps_to_kill",
    [SOME_STEPS, pytest.param(tuple(STEPS), marks=pytest.mark.soak)],
    ids=["three", "each"],
)
def test_bot_killed_between_any_two_nodes_runs_none_of_them_again(
    prepared: World, user: int, steps_to_kill: tuple[int, ...]
) -> None:
    """Kill -9 behind each node: no upstream is called once more, one message, one record.

    But for one vector: what N4 embedded for N5 while the planner planned was in memory alone.
    """
    question = "What is the SOL price on Solana today?"
    with ExitStack() as stack, held_steps(prepared) as steps:
        bot = stack.enter_context(running_bot(prepared.environment))
        before = prepared.sandbox.mark()
        prepared.ask(user, question)
        undisturbed = _calls_of(prepared, before, question)
        assert undisturbed["search"] == undisturbed["embeddings"] == 1
        for step in steps_to_kill:
            node = STEPS[step]
            victim = user + 1_000 * (step + 1)
            before = prepared.sandbox.mark()
            steps.hold(victim, step)
            sent = prepared.sandbox.say(victim, question)
            steps.await_held(victim)
            bot.kill()
            bot.wait(5)
            steps.let_go()
            end_leases(prepared)
            bot = stack.enter_context(running_bot(prepared.environment))
            assert "Sources" in prepared.answer(victim, sent)["text"], node
            again = Counter(embeddings=1) if node == "N4" else Counter[str]()
            assert _calls_of(prepared, before, question) == undisturbed + again, node
            assert len(prepared.sandbox.replies(victim)) == 1, node
            assert len(prepared.decisions(victim)) == 1, node
            kept = prepared.rows("SELECT role FROM messages WHERE user_id = %s", victim)
            assert len(kept) == 2, node


def _calls_of(world: World, since: int, question: str) -> Counter[str]:
    """The number of calls of the model server and the web search about this question."""
    return Counter(
        call["method"]
        for call in world.sandbox.calls(since=since)
        if call["upstream"] != "telegram" and question in json.dumps(call["body"])
    )


@pytest.mark.costs("it starts a bot for each kill")
@pytest.mark.req("INT-1", "REL-2", "DUR-1")
def test_question_back_outlives_its_process_and_is_answered_once(
    prepared: World, user: int
) -> None:
    """Kill -9 while the answer is awaited, and behind the node that took it: one look, one run."""
    photo = picture("teal", "orange", seed=user)
    with ExitStack() as stack, held_steps(prepared) as steps:
        bot = stack.enter_context(running_bot(prepared.environment))
        before = prepared.sandbox.mark()
        asked = prepared.ask(user, "?", photo=photo)
        assert "What would you like" in asked["text"]
        bot.kill()
        bot.wait(5)
        bot = stack.enter_context(running_bot(prepared.environment))
        # START, N1, N2, N3 and N9 have the steps 0 to 4; the answer is taken in 5.
        steps.hold(user, 5)
        sent = prepared.sandbox.say(user, "what is in this picture?")
        steps.await_held(user)
        bot.kill()
        bot.wait(5)
        steps.let_go()
        end_leases(prepared)
        stack.enter_context(running_bot(prepared.environment))
        assert "teal" in prepared.answer(user, sent)["text"].lower()
    assert len(prepared.sandbox.replies(user)) == 2
    assert len(prepared.decisions(user)) == 1
    calls = [str(call["body"]) for call in prepared.sandbox.calls("openai", before)]
    assert sum("image_url" in body for body in calls) == 1
    assert sum("PlannedTurn" in body for body in calls) == 1


@pytest.mark.costs("it starts a bot for each kill")
@pytest.mark.req("DUR-1")
def test_message_sent_while_nothing_runs_is_answered_once(prepared: World, user: int) -> None:
    """A bot that was away answers what waits, once, in order."""
    sandbox = prepared.sandbox
    first = sandbox.say(user, "What is a validator?")
    second = sandbox.say(user, "hi")
    with running_bot(prepared.environment):
        prepared.answer(user, first)
        prepared.answer(user, second)
    assert len(sandbox.replies(user)) == 2
    with running_bot(prepared.environment):
        prepared.ask(user, "hi")
    assert len(sandbox.replies(user)) == 3


@pytest.mark.costs("it starts a bot for each kill")
@pytest.mark.req("TG-1", "DUR-2")
def test_receiver_and_workers_apart_by_webhook(prepared: World, user: int) -> None:
    """`serve` and two `worker`s: acknowledged by one process, answered by another."""
    port = free_port()
    settings = {
        **prepared.environment,
        "PORT": str(port),
        "WEBHOOK_URL": f"http://127.0.0.1:{port}",
        "WEBHOOK_SECRET": SECRET,
    }
    http = prepared.sandbox.http
    with (
        running_bot(settings, "serve"),
        running_bot(settings, "worker"),
        running_bot(settings, "worker", "--concurrency", "2", "--port", str(own := free_port())),
    ):
        wait_until(
            lambda: http.get(f"{prepared.sandbox.url}/sim/deliveries").status_code == 200 or None,
            "the sandbox answers",
        )
        users = [user + number for number in range(0, 5_000, 1_000)]
        sent = {one: prepared.sandbox.say(one, "What is proof of history?") for one in users}
        for one, message in sent.items():
            assert "Sources" in prepared.answer(one, message)["text"]
            assert len(prepared.sandbox.replies(one, message.message_id)) == 1
        wrong = http.post(f"http://127.0.0.1:{port}/telegram/webhook", json={"update_id": 1})
        assert wrong.status_code == 403
        assert http.get(f"http://127.0.0.1:{own}/readyz").text == "ok"
        assert "telegram_lanes_lost_total" in http.get(f"http://127.0.0.1:{own}/metrics").text
        assert http.post(f"http://127.0.0.1:{own}/telegram/webhook", json={}).status_code == 404
        assert http.get(f"http://127.0.0.1:{port}/healthz").status_code == 200
        assert http.get(f"http://127.0.0.1:{port}/readyz").status_code == 200
        assert "telegram_updates_total" in http.get(f"http://127.0.0.1:{port}/metrics").text


@pytest.mark.req("DEP-2")
def test_bot_keeps_its_token_out_of_its_log_until_it_ends(
    prepared: World, user: int, tmp_path: Path
) -> None:
    """At its most talkative, and while Telegram breaks off; a stopped bot exits with 0."""
    log = tmp_path / "bot.log"
    with running_bot({**prepared.environment, "LOG_LEVEL": "debug"}, log=log) as bot:
        for method in ("sendMessage", "getUpdates", "sendChatAction"):
            prepared.sandbox.fail("telegram", "reset", method=method)
        prepared.ask(user, "What is a validator?")
        bot.send_signal(signal.SIGTERM)
        assert bot.wait(60) == 0
    said = log.read_text(encoding="utf-8")
    assert "telegram" in said
    assert "turn.node" in said
    assert TOKEN not in said
    assert TOKEN.partition(":")[2] not in said
