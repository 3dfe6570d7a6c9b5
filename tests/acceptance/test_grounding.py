"""Nothing that was to be looked up reaches the user without what it rests on."""

from typing import Any

import pytest

from tests.acceptance.world import World

QUESTION = "What is an automated market maker?"


def shown(world: World, since: int) -> list[str]:
    """Every text that the bot sent or edited, in order."""
    calls = world.sandbox.calls("telegram", since)
    return [call["body"]["text"] for call in calls if "text" in call["body"]]


def answers(world: World, since: int) -> list[dict[str, Any]]:
    """The calls in which the model wrote text."""
    calls = world.sandbox.calls("openai", since)
    return [c for c in calls if c["method"] == "chat.completions" and "tools" not in c["body"]]


@pytest.mark.req("RAG-4", "TOOL-2")
def test_citations_are_passages_of_this_turn(world: World, user: int) -> None:
    """Documents and web together: each cited id was read, and a good answer costs one call."""
    before = world.sandbox.mark()
    world.ask(user, "What does staking on Solana yield today?")
    (turn,) = world.rows(
        "SELECT meta_json FROM messages WHERE user_id = %s AND role = 'assistant'", user
    )
    (decision,) = world.decisions(user)
    cited = turn["meta_json"]["citations"]
    assert len(cited) == decision["citations_count"] >= 1
    assert len(cited) == sum(passage["cited"] for passage in decision["retrieved"])
    assert len(answers(world, before)) == 1


@pytest.mark.req("TOOL-2", "RAG-4")
def test_answer_that_forgets_to_cite_is_repaired_once(world: World, user: int) -> None:
    """One more call; the text that grew is replaced by the same with numbers and sources."""
    before = world.sandbox.mark()
    world.sandbox.fail("openai", "uncited", method="chat.completions", times=2)
    answer = world.ask(user, QUESTION)
    assert "[1]" in answer["text"]
    assert "Sources" in answer["text"]
    assert len(answers(world, before)) == 2
    assert world.decisions(user)[0]["citations_count"] >= 1
    assert len(world.sandbox.replies(user)) == 1


@pytest.mark.req("TOOL-2", "RAG-4")
def test_answer_that_never_cites_is_refused(world: World, user: int) -> None:
    """After the repair still nothing: what was looked at instead of an unsupported text."""
    before = world.sandbox.mark()
    world.sandbox.fail("openai", "uncited", method="chat.completions", times=3)
    answer = world.ask(user, QUESTION)
    assert answer["text"].startswith("Nothing found in the registered sources that answers this.")
    assert "Automated market makers" in answer["text"]
    assert "pool" not in answer["text"]
    assert len(answers(world, before)) == 2
    (decision,) = world.decisions(user)
    assert (decision["plan"], decision["citations_count"]) == ("rag", 0)


@pytest.mark.req("RAG-4")
def test_invented_number_is_repaired_or_named(world: World, user: int) -> None:
    """A number that no passage holds goes with the repair, or the reader is told to check it."""
    world.sandbox.fail("openai", "fabricated", method="chat.completions", times=2)
    assert "73914" not in world.ask(user, QUESTION)["text"]
    world.sandbox.fail("openai", "fabricated", method="chat.completions", times=3)
    assert "please check: 73914" in world.ask(user, "What is slippage?")["text"]


@pytest.mark.req("TOOL-2")
def test_question_without_an_answer_says_so(world: World, user: int) -> None:
    """The documents were asked for and hold nothing: no citation, no call for a repair."""
    before = world.sandbox.mark()
    answer = world.ask(user, "According to the documents, who invented the accordion?")
    assert "Nothing found in the registered sources" in answer["text"]
    assert "Sources" not in answer["text"].split("\n")
    assert len(answers(world, before)) <= 1
    assert world.decisions(user)[0]["citations_count"] == 0
