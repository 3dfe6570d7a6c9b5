"""Answers of some kinds wait for a person: not a word of them goes out before."""

from dataclasses import dataclass
from typing import Any

import pytest
from typing_extensions import override

from rich_agent.ports.approvals import ApprovalRequest
from rich_agent.turns.runner import Answered, Finished, TextSoFar, Withheld
from tests import make
from tests.turns_in_memory import UnprunedSaver, cast_for, run, turns_with
from tests.twins.approvals import InMemoryApprovals

THREAD: Any = {"configurable": {"thread_id": "tg:42"}}
SECRET = "It is so [1]."


def reviewed_cast() -> make.Fakes:
    """A cast whose answers a person approves."""
    cast = cast_for("rag")
    cast.approval_intents = frozenset({"general_question"})
    return cast


@pytest.mark.req("INT-1")
async def test_answer_that_waits_is_not_shown_in_part_or_whole() -> None:
    """The user reads that it is reviewed; the draft lies before the admins, sources included."""
    cast = reviewed_cast()
    events = await run(turns_with(cast))
    assert not any(isinstance(event, TextSoFar | Answered) for event in events)
    held, finished = events[-2:]
    assert isinstance(held, Withheld)
    assert "being reviewed" in held.notice
    assert isinstance(finished, Finished)
    assert finished.outcome.interrupt == {"kind": "approval", "status": "waiting"}
    assert finished.outcome.nodes[-2:] == ("N11_request_approval", "N7_persist")
    (approval,) = cast.approvals.known.values()
    assert (approval.draft.answer, approval.draft.question) == (SECRET, "What is staking?")
    assert [citation["id"] for citation in approval.draft.citations] == ["chk_1"]
    (kept,) = cast.transcript.turns.values()
    assert kept.answer == held.notice


@pytest.mark.req("DUR-1", "INT-1")
async def test_answer_that_waits_is_not_shown_by_another_try_either() -> None:
    """After a crash at any step the notice is repeated, the draft never, and it waits once."""
    saver, cast = UnprunedSaver(), reviewed_cast()
    await run(turns_with(cast, saver))
    again = await run(turns_with(cast, saver))
    assert [type(event) for event in again] == [Withheld, Finished]
    assert len(cast.approvals.known) == 1


@dataclass(slots=True)
class DyingApprovals(InMemoryApprovals):
    """The process ends when it is asked."""

    @override
    async def request(self, draft: ApprovalRequest) -> None:
        """See `Approvals.request`."""
        raise ConnectionAbortedError


@pytest.mark.req("DUR-1", "INT-1")
async def test_crash_before_the_approval_is_requested_shows_nothing() -> None:
    """The draft is in the checkpoint then, and stays there; the model is not asked again."""
    saver, cast = UnprunedSaver(), reviewed_cast()
    cast.approvals = DyingApprovals()
    with pytest.raises(ConnectionAbortedError):
        await run(turns_with(cast, saver))
    cast.approvals = InMemoryApprovals()
    again = await run(turns_with(cast, saver))
    assert [type(event) for event in again] == [Withheld, Finished]
    assert len(cast.chat.prompts) == 1


async def test_other_answers_do_not_wait() -> None:
    """Only the kinds that were configured do."""
    cast = cast_for("rag")
    cast.approval_intents = frozenset({"docs_required"})
    events = await run(turns_with(cast))
    assert isinstance(events[-2], Answered)
    assert not cast.approvals.known


@pytest.mark.req("INT-1")
async def test_next_turn_waits_for_nobody_and_knows_what_was_decided() -> None:
    """Before the verdict the notice is in the conversation, after it the approved answer."""
    cast = reviewed_cast()
    turns = turns_with(cast)
    await run(turns)
    await run(turns, "And what is slashing?", request_id="r2")
    assert "being reviewed" in cast.chat.prompts[-1].history[1][1]
    await cast.approvals.decide(1, "approved", 7)
    await cast.approvals.decide(2, "corrected", 7, "A penalty [1].")
    await run(turns, "And what is a validator?", request_id="r3")
    said = [text for role, text in cast.chat.prompts[-1].history if role == "assistant"]
    assert said == ["It is so.", "A penalty."]
    state = (await turns.graph.aget_state(THREAD)).values
    assert len(state["messages"]) == 6


async def test_edited_question_withdraws_the_older_draft() -> None:
    """Only the newest form of an answer is reviewed."""
    cast = reviewed_cast()
    turns = turns_with(cast)
    await run(turns)
    await run(turns, "What is slashing?", revision=9)
    states = [approval.state for approval in cast.approvals.known.values()]
    assert states == ["withdrawn", "pending"]
