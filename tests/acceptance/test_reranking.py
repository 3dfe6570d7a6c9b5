"""A reranker decides which passages an answer rests on; when it fails, the search does."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.acceptance.world import World, ask, environment, running_bot, running_sandbox
from tests.database import PostgresServer

QUESTION = "What is proof of history?"
FOUND, PREFERRED = "What is proof of history", "What it is not"
ONLY_THERE = "no consensus mechanism by itself"
PROBLEM = "Problem: ranking the passages failed or took too long"


@pytest.fixture(scope="module")
def reranked(database_server: PostgresServer, with_samples: str) -> Iterator[World]:
    """A bot of its own that reads one passage, the one that a reranker puts first."""
    with running_sandbox() as sandbox, database_server.database(with_samples) as url:
        settings = environment(
            sandbox.url,
            url,
            RETRIEVAL_PASSAGES="1",
            RERANK_MODEL="rerank-v3.5",
            RERANK_BASE_URL=f"{sandbox.url}/servers/cohere/v2",
            RERANK_API_KEY="key-of-the-reranker",
        )
        with running_bot(settings):
            yield World(sandbox, settings, url)


@pytest.fixture(autouse=True)
def _recovers(reranked: World) -> Iterator[None]:
    yield
    reranked.sandbox.recover()


def prefer(world: World, part: str) -> None:
    """Have the reranker put the passages with this part of a text first."""
    relevance = json.dumps({part: 0.9})
    world.sandbox.fail("openai", "scripted", method="rerank", text=relevance, times=9)


def read(world: World, user: int) -> dict[str, Any]:
    """The passage of the user's last answer."""
    (passage,) = world.decisions(user)[-1]["retrieved"]
    return dict(passage)


def rerank_calls(world: World, since: int) -> list[dict[str, Any]]:
    """The requests that the reranker got."""
    return [one for one in world.sandbox.calls("openai", since) if one["method"] == "rerank"]


def test_reranker_decides_which_passage_is_cited(reranked: World, user: int) -> None:
    """Another section is cited, with a link to it; the evidence is as strong as before."""
    before = reranked.sandbox.mark()
    prefer(reranked, ONLY_THERE)
    reranked.ask(user, QUESTION)
    passage = read(reranked, user)
    assert PREFERRED in passage["label"]
    assert passage["cited"]
    assert PROBLEM not in reranked.ask(user, "/why")["text"]
    (call,) = rerank_calls(reranked, before)
    assert call["body"]["query"] == QUESTION
    assert 1 < len(call["body"]["documents"]) <= 50
    assert "rerank-v3.5" in json.dumps(reranked.decisions(user)[-1]["nodes"]["N5_retrieve"])
    used = "SELECT calls, input_tokens FROM usage_days WHERE user_id = %s AND kind = 'reranking'"
    (charged,) = reranked.rows(used, user)
    assert charged["calls"] == 1
    assert charged["input_tokens"] > len(call["body"]["documents"])


@pytest.mark.parametrize("kind", ["429", "401", "500", "malformed", "timeout"])
def test_reranker_that_fails_leaves_the_order_and_why_says_so(
    reranked: World, user: int, kind: str
) -> None:
    """It refuses, breaks or is late: the answer rests on what the search found, at once."""
    delay_s = 60.0 if kind == "timeout" else 0.0
    reranked.sandbox.fail("openai", kind, method="rerank", delay_s=delay_s)
    reranked.ask(user, QUESTION)
    passage = read(reranked, user)
    assert FOUND in passage["label"]
    assert passage["cited"]
    assert PROBLEM in reranked.ask(user, "/why")["text"]
    retrieved = reranked.decisions(user)[-1]
    assert "rerank_failed" in retrieved["nodes"]["N5_retrieve"]["survived"]


def test_planner_s_model_ranks_where_the_setting_says_so(reranked: World, user: int) -> None:
    """It is asked for numbers in order; no other server is."""
    settings = {**reranked.environment, "RERANK_MODEL": "planner"}
    before = reranked.sandbox.mark()
    ranked = ask(QUESTION, settings, "--user", str(user))
    calls = reranked.sandbox.calls("openai", before)
    asked = next(one["body"] for one in calls if '"ranking"' in json.dumps(one["body"]))
    assert ONLY_THERE in json.dumps(asked)
    assert not rerank_calls(reranked, before)
    assert ranked["citations"]
    assert "rerank_failed" not in json.dumps(reranked.decisions(user)[-1]["nodes"])
