"""One suite for answers that wait for a person, in PostgreSQL and for their twin."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import pytest

from rich_agent.domain.answer.citation import Citation
from rich_agent.ports.approvals import ApprovalRequest, Approvals, Notice
from rich_agent.repositories.approvals import PostgresApprovals
from rich_agent.repositories.database.pools import open_pool
from tests.twins.approvals import InMemoryApprovals

ANN, ADMIN, OTHER = 42, 7, 8
CITED = Citation(1, "c", "document", "https://docs.example", "", "Fees", "").to_state()
DRAFT = ApprovalRequest(
    ANN, "tg:42", "tg:100", 0, "en", "docs_required", "What?", "So [1].", [CITED], 5
)


@pytest.fixture(params=["postgres", "in_memory"])
async def approvals(request: pytest.FixtureRequest) -> AsyncIterator[Approvals]:
    """Nothing waits."""
    if request.param == "in_memory":
        yield InMemoryApprovals()
        return
    async with open_pool(request.getfixturevalue("database_url"), max_size=4) as pool:
        yield PostgresApprovals(pool)


async def the_only(approvals: Approvals) -> int:
    """The number of the one that waits."""
    (waiting,), total = await approvals.pending(10)
    assert total == 1
    return waiting.id


def kinds(notices: Sequence[Notice]) -> set[tuple[int, str]]:
    """The users who are told, each with the kind of the notice."""
    return {(notice.user_id, notice.kind) for notice in notices}


@pytest.mark.req("INT-1", "DUR-2")
async def test_draft_waits_once(approvals: Approvals) -> None:
    """A node that runs twice asks once; the draft comes back as it was."""
    await approvals.request(DRAFT)
    await approvals.request(DRAFT)
    found = await approvals.find(await the_only(approvals))
    assert found is not None
    assert found.draft == DRAFT
    assert await approvals.of_turn("tg:42", "tg:100") == found
    assert await approvals.of_turn("tg:43", "tg:100") is None


@pytest.mark.req("INT-1")
async def test_first_verdict_stays(approvals: Approvals) -> None:
    """Also of several at once; the others are shown it."""
    await approvals.request(DRAFT)
    number = await the_only(approvals)
    results = await asyncio.gather(
        *(approvals.decide(number, "rejected", admin, f"no {admin}") for admin in range(5))
    )
    assert len({(one.decided_by, one.words) for one in results if one}) == 1
    late = await approvals.decide(number, "approved", 99)
    assert late is not None
    assert late.state == "rejected"
    assert await approvals.decide(number + 1_000, "approved", ADMIN) is None
    assert await approvals.pending(10) == ([], 0)


async def test_newer_form_withdraws_the_older(approvals: Approvals) -> None:
    """Only one draft of a turn waits; a decided one stays decided."""
    await approvals.request(DRAFT)
    first = await the_only(approvals)
    await approvals.request(replace(DRAFT, revision=9, answer="Other."))
    assert await the_only(approvals) != first
    older = await approvals.find(first)
    assert older is not None
    assert older.state == "withdrawn"
    newest = await approvals.of_turn("tg:42", "tg:100")
    assert newest is not None
    assert newest.draft.answer == "Other."


async def test_what_waits_too_long_expires(approvals: Approvals) -> None:
    """By the database's clock."""
    await approvals.request(DRAFT)
    number = await the_only(approvals)
    assert not await approvals.expire(number, 3600)
    assert await approvals.expire(number, -1)
    found = await approvals.decide(number, "approved", ADMIN)
    assert found is not None
    assert found.state == "expired"


@pytest.mark.req("INT-1", "DUR-2")
async def test_notices_are_due_until_they_are_handed_out(approvals: Approvals) -> None:
    """Each admin is asked once, then told; the user hears the verdict; numbers are negative."""
    await approvals.request(DRAFT)
    number = await the_only(approvals)
    asked = await approvals.due_notices(number, [ADMIN, OTHER])
    assert kinds(asked) == {(ADMIN, "review"), (OTHER, "review")}
    assert all(notice.update_id < 0 for notice in asked)
    assert await approvals.due_notices(number, [ADMIN, OTHER]) == asked
    await approvals.note_handing_out(asked)
    assert await approvals.due_notices(number, [ADMIN, OTHER]) == []
    review = await approvals.review_of(number, ADMIN)
    assert review in asked
    assert await approvals.notice(review.update_id if review else 0) == review
    await approvals.ask_for_words(number, ADMIN, "reason")
    await approvals.ask_for_words(number, ADMIN, "reason")
    prompt = await approvals.due_notices(number, [ADMIN, OTHER])
    assert kinds(prompt) == {(ADMIN, "reason")}
    await approvals.note_handing_out(prompt)
    await approvals.decide(number, "approved", ADMIN)
    told = await approvals.due_notices(number, [ADMIN, OTHER])
    assert kinds(told) == {(ANN, "verdict"), (ADMIN, "closed"), (OTHER, "closed")}
    await approvals.note_handing_out(told)
    assert await approvals.due_notices(number, [ADMIN, OTHER]) == []


async def test_withdrawn_draft_has_no_verdict(approvals: Approvals) -> None:
    """Its user asked something else since."""
    await approvals.request(DRAFT)
    number = await the_only(approvals)
    await approvals.note_handing_out(await approvals.due_notices(number, [ADMIN]))
    await approvals.request(replace(DRAFT, revision=9))
    assert kinds(await approvals.due_notices(number, [])) == {(ADMIN, "closed")}
