"""Nothing that was to be looked up reaches the user without what it rests on."""

import json
from typing import Any

import pytest

from tests.acceptance.world import World

QUESTION = "What is an automated market maker?"
STREAM = '"stream":true'
"""Stands in the requests in which the model writes text."""


def shown(world: World, since: int) -> list[str]:
    """Every text that the bot sent or edited, in order."""
    calls = world.sandbox.calls("telegram", since)
    return [call["body"]["text"] for call in calls if "text" in call["body"]]


def answers(world: World, since: int) -> list[dict[str, Any]]:
    """The calls in which the model wrote text."""
    calls = world.sandbox.calls("openai", since)
    asked = [call for call in calls if call["method"] == "chat.completions"]
    return [call for call in asked if "response_format" not in call["body"]]


def looks(world: World, since: int) -> list[dict[str, Any]]:
    """The calls in which the planner's model looked at doubtful sentences again."""
    return [
        call
        for call in world.sandbox.calls("openai", since)
        if '"unsupported"' in json.dumps(call["body"].get("response_format"))
    ]


@pytest.mark.req("RAG-4", "TOOL-2")
def test_citations_are_passages_of_this_turn(world: World, user: int) -> None:
    """Documents and web together: each cited id was read, and a good answer costs one call."""
    before = world.sandbox.mark()
    world.ask(user, "What is the SOL price on Solana today?")
    (turn,) = world.rows(
        "SELECT meta_json FROM messages WHERE user_id = %s AND role = 'assistant'", user
    )
    (decision,) = world.decisions(user)
    cited = turn["meta_json"]["citations"]
    assert len(cited) == decision["citations_count"] >= 1
    assert len(cited) == sum(passage["cited"] for passage in decision["retrieved"])
    assert len(answers(world, before)) == 1
    assert looks(world, before) == []


@pytest.mark.req("TOOL-2", "RAG-4")
def test_answer_that_forgets_to_cite_is_repaired_once(world: World, user: int) -> None:
    """One more call; the text that grew is replaced by the same with numbers and sources."""
    before = world.sandbox.mark()
    world.sandbox.fail("openai", "uncited", containing=STREAM)
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
    world.sandbox.fail("openai", "uncited", containing=STREAM, times=2)
    answer = world.ask(user, QUESTION)
    assert answer["text"].startswith("Nothing found in the registered sources that answers this.")
    assert "Automated market makers" in answer["text"]
    assert "pool" not in answer["text"]
    assert len(answers(world, before)) == 2
    (decision,) = world.decisions(user)
    assert (decision["plan"], decision["citations_count"]) == ("rag", 0)


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize(("fault", "claim"), [("fabricated", "73914"), ("misnamed", "Ada Quill")])
def test_invented_claim_is_repaired_or_named(
    world: World, user: int, fault: str, claim: str
) -> None:
    """A number or name that no passage holds goes, or the reader is told to check it."""
    before = world.sandbox.mark()
    world.sandbox.fail("openai", fault, containing=STREAM)
    answer = world.ask(user, QUESTION)["text"]
    assert claim not in answer
    assert "[1]" in answer
    assert len(looks(world, before)) == 1
    world.sandbox.fail("openai", fault, containing=STREAM, times=2)
    marked = world.ask(user, "What is slippage?")["text"]
    assert "Not in the sources, please check: " in marked
    assert claim in marked.split("please check: ")[1].splitlines()[0]
    assert "1 sentence has no source" in world.ask(user, "/why")["text"]


@pytest.mark.req("RAG-4")
def test_claim_without_any_support_is_not_shown(world: World, user: int) -> None:
    """A marker behind an invention is no ground."""
    world.sandbox.script("", "The CEO is Ada Quill. [1]")
    answer = world.ask(user, QUESTION)["text"]
    assert answer.startswith("Nothing found in the registered sources that answers this.")
    assert "Ada" not in answer


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("What do 12 months at $20 cost?", "An automated market maker: $240 (12 × $20). [1]"),
        ("How long are 7 days?", "An automated market maker: 168 hours (7 days × 24). [1]"),
        ("Was sind die 12 Gebühren?", "An automated market maker has zwölf of them. [1]"),
    ],
)
def test_result_with_its_working_is_not_doubted(
    world: World, user: int, asked: str, said: str
) -> None:
    """Nobody is asked: the working holds by arithmetic, and numbers in words are not read."""
    before = world.sandbox.mark()
    world.sandbox.script("", said)
    answer = world.ask(user, f"{QUESTION} {asked}")["text"]
    assert said.split(" [", maxsplit=1)[0] in answer
    assert "please check" not in answer
    assert looks(world, before) == []
    assert len(answers(world, before)) == 1


@pytest.mark.req("TOOL-2")
@pytest.mark.parametrize(
    "said",
    [
        "Die Dokumente enthalten dazu keine Angaben.",
        "Los documentos no dicen nada sobre eso.",
        "文件中没有提到这一点。",
    ],
)
def test_nothing_found_is_recognised_in_any_language(world: World, user: int, said: str) -> None:
    """Without a marker: a second look says so, and nothing is written again or refused."""
    before = world.sandbox.mark()
    world.sandbox.script("", said)
    answer = world.ask(user, QUESTION)["text"]
    assert answer.startswith(said)
    assert "Nothing found in the registered sources" in answer
    assert (len(answers(world, before)), len(looks(world, before))) == (1, 1)


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize("fault", ["429", "malformed"])
def test_second_look_that_fails_leaves_the_answer(world: World, user: int, fault: str) -> None:
    """A doubt alone changes nothing; it is in the record of the answer."""
    before = world.sandbox.mark()
    world.sandbox.fail("openai", "misnamed", containing=STREAM)
    world.sandbox.fail("openai", fault, containing='"unsupported"', times=3)
    answer = world.ask(user, QUESTION)["text"]
    assert "The CEO is Ada Quill." in answer
    assert "please check" not in answer
    assert len(answers(world, before)) == 1
    told = world.decisions(user)[-1]["nodes"]["N6_synthesize"]
    assert told["output"]["answer.debug.doubted"] == 1
    assert told["output"]["answer.debug.looked"] is False
    assert "second_look_failed" in told["survived"]


@pytest.mark.req("TOOL-2")
def test_question_without_an_answer_says_so(world: World, user: int) -> None:
    """The documents were asked for and hold nothing: no citation, no call for a repair."""
    before = world.sandbox.mark()
    answer = world.ask(user, "According to the documents, who invented the accordion?")
    assert "Nothing found in the registered sources" in answer["text"]
    assert "Sources" not in answer["text"].split("\n")
    assert len(answers(world, before)) <= 1
    assert world.decisions(user)[0]["citations_count"] == 0
