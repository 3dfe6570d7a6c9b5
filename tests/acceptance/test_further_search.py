"""Questions that one look does not answer: further rounds, their cost and their end."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.faults import end_leases, held_steps
from tests.acceptance.test_commands import command
from tests.acceptance.world import (
    ROOT,
    World,
    environment,
    running_bot,
    running_sandbox,
)
from tests.acceptance.world import command as run_command
from tests.database import PostgresServer

ASKED = "How fast is the network that the Raven wallet runs on?"
DESCRIBED = "the network that the Raven wallet runs on"
RAVEN = "# Raven\n\nThe Raven wallet runs on Tarn, and on nothing else.\n"
TARN = "# Tarn\n\nOn Tarn a tick takes 90 ms.\n"
TICKS = "Tarn tick"
AFTER_FIRST_ROUND = 5
"""The number of the checkpoint behind START, N1, N2, N4, N5 and N14."""
PLAN = {
    "intent": "general_question",
    "plan": "rag",
    "web": "never",
    "language": "en",
    "reason": "It stands in the documents.",
    "query": ASKED,
    "described": DESCRIBED,
}


@pytest.fixture(scope="module")
def rooted(
    database_server: PostgresServer,
    with_samples: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[World]:
    """The sample documents, and two pages, of which one names what the other is about."""
    folder = tmp_path_factory.mktemp("wallets")
    for name, text in (("raven", RAVEN), ("tarn", TARN)):
        Path(folder, f"{name}.md").write_text(text)
    with (
        running_sandbox(ROOT / "sample" / "solana", ROOT / "docs") as sandbox,
        database_server.database(with_samples) as url,
    ):
        settings = environment(sandbox.url, url)
        run_command(["ingest.cli", "add-source", str(folder)], settings)
        run_command(["ingest.cli", "sync"], settings)
        yield World(sandbox, settings, url)


@pytest.fixture
def asked_of(rooted: World) -> Iterator[World]:
    """A running bot with these documents."""
    with running_bot(rooted.environment):
        yield rooted


@pytest.fixture(autouse=True)
def _recovered(rooted: World) -> Iterator[None]:
    yield
    rooted.sandbox.recover()


def plan(world: World, *searches: dict[str, Any], answer: str) -> None:
    """Have the model plan the question, want these searches, and answer so."""
    told = [json.dumps(one) for one in (PLAN, *searches)]
    world.sandbox.script(ASKED, *told, streamed=False)
    world.sandbox.script(ASKED, answer)


def further_calls(world: World, since: int) -> list[dict[str, Any]]:
    """The calls that ask what is still missing."""
    calls = world.sandbox.calls("openai", since)
    return [call for call in calls if '"goes_on"' in json.dumps(call["body"])]


def read_by(world: World, user: int) -> list[str]:
    """The labels of the passages that the last answer was written from."""
    return [passage["label"] for passage in world.decisions(user)[-1]["retrieved"]]


@pytest.mark.costs("it searches and reads several times")
def test_question_of_two_hops_cites_both_pages(asked_of: World, user: int) -> None:
    """One call more, which reads the page that names; /why tells what was looked for then."""
    before = asked_of.sandbox.mark()
    plan(
        asked_of,
        {"useful": [1], "queries": [TICKS]},
        answer="Raven runs on Tarn. [1] A tick takes 90 ms. [7]",
    )
    answer = asked_of.ask(user, ASKED)
    labels = read_by(asked_of, user)
    assert (labels[0], labels[6]) == ("Raven", "Tarn")
    sources = answer["text"].partition("Sources")[2]
    assert "Raven" in sources
    assert "Tarn" in sources
    (call,) = further_calls(asked_of, before)
    assert "runs on Tarn" in json.dumps(call["body"])
    why = command(asked_of, user, "/why")["text"]
    assert f"Looked for: “{ASKED}”\nThen looked for: “{TICKS}”" in why
    assert "searching further" in why


@pytest.mark.costs("it starts a bot of its own")
def test_one_look_does_not_find_the_second_page(rooted: World, user: int) -> None:
    """RETRIEVAL_ROUNDS=1 asks for no more, whatever the plan says."""
    with running_bot({**rooted.environment, "RETRIEVAL_ROUNDS": "1"}):
        before = rooted.sandbox.mark()
        plan(rooted, answer="The texts do not say it. [0]")
        rooted.ask(user, ASKED)
        assert further_calls(rooted, before) == []
        assert "Tarn" not in read_by(rooted, user)


def test_simple_question_makes_no_further_call(asked_of: World, user: int) -> None:
    """The stand-in's model plans it: it names what it asks about."""
    before = asked_of.sandbox.mark()
    answer = asked_of.ask(user, "What is proof of history?")
    assert "Sources" in answer["text"]
    assert further_calls(asked_of, before) == []


@pytest.mark.costs("it starts a bot of its own")
def test_rounds_end_and_not_found_tells_what_was_looked_for(asked_of: World, user: int) -> None:
    """After the third round nobody is asked, although the model wants more."""
    before = asked_of.sandbox.mark()
    checks = {"method": "chat.completions", "containing": [ASKED, "no_claim"]}
    asked_of.sandbox.fail("openai", "scripted", **checks, text='{"no_answer": [1]}')
    plan(
        asked_of,
        {"useful": [1], "queries": ["Raven wallet network"], "goes_on": True},
        {"useful": [1], "queries": ["funding of perpetual futures"], "goes_on": True},
        answer="The texts do not say it. [0]",
    )
    answer = asked_of.ask(user, ASKED)
    assert len(further_calls(asked_of, before)) == 2
    looked_for = f"Looked for: “{ASKED} · Raven wallet network · funding of perpetual futures”"
    assert looked_for in answer["text"]


@pytest.mark.costs("it starts a bot of its own")
def test_bot_killed_between_rounds_repeats_no_call(rooted: World, user: int) -> None:
    """Plan and first round are stored before the next round begins; the next process goes on."""
    sandbox, before = rooted.sandbox, rooted.sandbox.mark()
    plan(
        rooted,
        {"useful": [1], "queries": ["Raven wallet network"], "goes_on": True},
        {"useful": [1], "queries": [TICKS]},
        answer="Raven runs on Tarn. [1] A tick takes 90 ms. [7]",
    )
    with ExitStack() as stack, held_steps(rooted) as steps:
        bot = stack.enter_context(running_bot(rooted.environment))
        steps.hold(user, AFTER_FIRST_ROUND)
        sent = sandbox.say(user, ASKED)
        steps.await_held(user)
        bot.kill()
        bot.wait(5)
        steps.let_go()
        end_leases(rooted)
        stack.enter_context(running_bot(rooted.environment))
        rooted.answer(user, sent)
    assert len(further_calls(rooted, before)) == 2
    plans = [call for call in sandbox.calls("openai", before) if "PlannedTurn" in str(call["body"])]
    assert len(plans) == 1
    assert {"Raven", "Tarn"} <= set(read_by(rooted, user))
