"""Traces of how an answer came about: the row of its decision, /why, commands trace and replay."""

import json
from typing import Any

import pytest

from tests.acceptance.pictures import picture
from tests.acceptance.test_commands import command as chat_command
from tests.acceptance.test_commands import press
from tests.acceptance.test_files import send
from tests.acceptance.world import World, command
from tests.integration.catalogue import contents

NODE_SIDES = {"input", "output"}


def trace(world: World, *arguments: str) -> dict[str, Any]:
    """`rich-agent trace --json`."""
    done = command(["rich_agent.cli", "trace", *arguments, "--json"], world.environment)
    return dict(json.loads(done.stdout))


def replay(world: World, *arguments: str, **settings: str) -> dict[str, Any]:
    """`rich-agent replay --json`, with settings changed since."""
    environment = {**world.environment, **settings}
    done = command(["rich_agent.cli", "replay", *arguments, "--json"], environment)
    return dict(json.loads(done.stdout))


def _usages(replayed: dict[str, Any]) -> list[dict[str, int]]:
    return [replayed[run]["usage"] for run in ("before", "after")]


@pytest.mark.req("TOOL-3", "OBS-1", "RAG-6")
def test_turn_leaves_one_row_that_tells_what_every_node_did(world: World, user: int) -> None:
    """Thread, request, intent, plan, reason, counts, and for each node times and sizes."""
    sent = world.sandbox.say(user, "What is proof of history?")
    world.answer(user, sent)
    (row,) = world.decisions(user)
    assert (row["thread_id"], row["request_id"]) == (f"tg:{user}", f"tg:{sent.update_id}")
    assert row["plan"] == "rag"
    assert row["intent"]
    assert row["reason"]
    assert row["retrieved_count"] == len(row["retrieved"]) > 0
    assert row["citations_count"] == sum(passage["cited"] for passage in row["retrieved"]) > 0
    assert set(row["nodes"]) == set(row["latency_ms"])
    assert {"N1_ingest_input", "N5_retrieve", "N7_persist"} <= set(row["nodes"])
    assert all(set(report) >= NODE_SIDES for report in row["nodes"].values())
    read = row["nodes"]["N5_retrieve"]["output"]["rag.retrieved_chunks"]
    assert read == row["retrieved_count"]
    assert "history" not in json.dumps(row["nodes"])


@pytest.mark.req("TOOL-3", "OBS-1")
def test_trace_tells_the_same_in_full(world: World, user: int) -> None:
    """By the id that /why names, by its number, and by user alone; as JSON and for the eye."""
    newest = world.sandbox.mark()
    sent = world.sandbox.say(user, "What is proof of history?")
    answer = world.answer(user, sent)
    requests = [call["body"] for call in world.sandbox.calls("openai", newest)]
    chat_requests = [body for body in requests if "messages" in body]
    world.ask(user, "/why")
    name = f"tg:{sent.update_id}"
    assert f"Reference for the operator: {name}" in world.sandbox.replies(user)[-1]["text"]
    told = trace(world, name)
    assert told == trace(world, str(sent.update_id)) == trace(world, "--user", str(user))
    assert told["said"]["question"] == "What is proof of history?"
    assert told["said"]["answer"].split("[")[0].strip() in answer["text"]
    assert told["nodes"]["N6_synthesize"]["latency_ms"] > 0
    assert told["nodes"]["N6_synthesize"]["input"]["rag.retrieved_chunks"] > 0
    assert told["delivered"]["attempts"] == 1
    assert told["calls"]["calls"] == len(chat_requests)
    first_answer = next(n for n, body in enumerate(chat_requests, 1) if body.get("stream"))
    assert told["calls"]["before_answer"] == first_answer == 2
    assert told["calls"]["input_tokens"] > 0
    shown = command(["rich_agent.cli", "trace", name], {**world.environment, "COLUMNS": "160"})
    for expected in (name, "N5_retrieve", "plan", told["reason"], "What is proof of history?"):
        assert expected in shown.stdout


@pytest.mark.req("TOOL-3")
def test_trace_of_an_unknown_turn_names_the_newest(world: World, user: int) -> None:
    """With exit code 1; a user's turns are not found under another user."""
    sent = world.sandbox.say(user, "hi")
    world.answer(user, sent)
    name = f"tg:{sent.update_id}"
    for verb in ("trace", "replay"):
        done = command(["rich_agent.cli", verb, "tg:0"], world.environment, expect=1)
        assert "no turn has the id tg:0" in done.stderr
        assert name in done.stderr
    others = ["rich_agent.cli", "trace", name, "--user", str(user + 50_000)]
    assert "no turn has the id" in command(others, world.environment, expect=1).stderr


@pytest.mark.costs("a turn is run again by a command")
@pytest.mark.req("TOOL-3", "OBS-1")
def test_replay_of_a_turn_changes_nothing_and_finds_the_same(world: World, user: int) -> None:
    """After the same conversation, with the same photo, which is not fetched again."""
    first = world.sandbox.say(user, "What is proof of history?")
    world.answer(user, first)
    photo = picture("red", "blue", seed=user)
    sent = world.sandbox.say(user, "What is in this picture of ultramarine?", photo=photo)
    world.answer(user, sent)
    world.ask(user, "Tell me about zebrafish, please.")
    before, calls = contents(world.database_url), world.sandbox.mark()
    seen = replay(world, f"tg:{sent.update_id}")
    assert seen["difference"]["decision"] == {}
    assert seen["before"]["answer"] == seen["after"]["answer"] != ""
    prompts = json.dumps(world.sandbox.calls("openai", calls))
    assert "ultramarine" in prompts
    assert "What is proof of history?" in prompts
    assert "zebrafish" not in prompts
    assert "image_bytes" not in prompts
    read = replay(world, f"tg:{first.update_id}", MODEL_PRICES="sandbox-chat=1.00/2.00")
    assert read["same"]
    assert read["after"]["usage"] == read["before"]["usage"]
    assert read["after"]["usage"]["input_tokens"] > 0
    assert float(read["after"]["usage"]["cost_usd"]) > 0
    assert read["after"]["read"] == read["before"]["read"] != []
    assert contents(world.database_url) == before
    methods = {call["method"] for call in world.sandbox.calls("telegram", calls)}
    assert methods <= {"getUpdates"}


@pytest.mark.costs("a turn is run again by a command")
@pytest.mark.req("TOOL-3")
def test_replay_shows_what_a_changed_setting_changes(world: World, user: int) -> None:
    """Passages that are no longer read are named."""
    sent = world.sandbox.say(user, "What is proof of history?")
    world.answer(user, sent)
    name = f"tg:{sent.update_id}"
    changed = replay(world, name, RETRIEVAL_PASSAGES="1")
    assert not changed["same"]
    removed = changed["difference"]["read"]["removed"]
    assert len(removed) == len(changed["before"]["read"]) - 1
    environment = {**world.environment, "RETRIEVAL_PASSAGES": "1", "COLUMNS": "160"}
    shown = command(["rich_agent.cli", "replay", name], environment).stdout
    then, now = (changed[run]["usage"]["input_tokens"] for run in ("before", "after"))
    assert 0 < now < then
    tokens = {r["input_tokens"] + r["output_tokens"] for r in _usages(changed)}
    assert all(f"{count:,}" in shown for count in tokens)
    assert f"- {removed[0]}" in shown
    assert "N5_retrieve" in shown


@pytest.mark.costs("it reads, embeds and asks about several files")
def test_replay_of_a_turn_whose_file_was_forgotten_says_so(world: World, user: int) -> None:
    """It reads nothing anew and stores nothing."""
    question = send(world, user, "report.pdf", "What does the crossing cost for adults?")
    world.answer(user, question)
    press(world, user, chat_command(world, user, "/files"), "1 🗑")
    replayed = replay(world, f"tg:{question.update_id}")
    assert "no longer available" in replayed["after"]["answer"]
    assert world.rows("SELECT 1 FROM user_files WHERE user_id = %s", user) == []
