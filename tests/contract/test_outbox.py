"""One suite for the outbox in PostgreSQL and for its twin."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from rich_agent.ports.outbox import DIRECT_PART, Accounted, Outbox, Place
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.outbox import PostgresOutbox
from tests.twins.outbox import InMemoryOutbox


@pytest.fixture(params=["postgres", "in_memory"])
async def outbox(request: pytest.FixtureRequest) -> AsyncIterator[Outbox]:
    """An empty outbox."""
    if request.param == "in_memory":
        yield InMemoryOutbox()
        return
    async with open_pool(request.getfixturevalue("database_url"), max_size=4) as pool:
        yield PostgresOutbox(pool)


@pytest.mark.req("DUR-2")
async def test_outbox_begin_is_new_once(outbox: Outbox) -> None:
    """Only one of several tries may send without doubt."""
    parts = await asyncio.gather(*(outbox.begin(1, 0, Place(42)) for _ in range(3)))
    assert sorted(part.is_new for part in parts) == [False, False, True]
    assert {part.state for part in parts} == {"sending"}
    assert {part.message_id for part in parts} == {None}


async def test_outbox_remembers_the_message_of_a_part(outbox: Outbox) -> None:
    """A second try finds the message to edit."""
    await outbox.begin(1, 0, Place(42))
    await outbox.note_sent(1, 0, 77)
    part = await outbox.begin(1, 0, Place(42))
    assert (part.state, part.message_id, part.text, part.is_new) == ("sent", 77, "", False)
    assert (await outbox.begin(1, 1, Place(42))).is_new
    assert (await outbox.begin(2, 0, Place(42))).is_new


async def test_outbox_finds_a_part_without_beginning_it(outbox: Outbox) -> None:
    """Looking leaves no trace: the send that follows is still the first."""
    assert await outbox.find(1, 0) is None
    assert (await outbox.begin(1, 0, Place(42))).is_new
    await outbox.note_sent(1, 0, 77)
    found = await outbox.find(1, 0)
    assert found is not None
    assert (found.state, found.message_id, found.is_new) == ("sent", 77, False)


async def test_outbox_remembers_the_final_text(outbox: Outbox) -> None:
    """A part that shows its answer is told from one that still grows; NUL is no obstacle."""
    await outbox.begin(1, 0, Place(42))
    await outbox.note_sent(1, 0, 77)
    await outbox.note_final(1, 0, "the answer\x00")
    assert (await outbox.begin(1, 0, Place(42))).text == "the answer"


async def test_outbox_takes_back_what_was_not_sent(outbox: Outbox) -> None:
    """The next try is the first again; a message that is there stays known."""
    await outbox.begin(1, 0, Place(42))
    await outbox.withdraw(1, 0)
    assert (await outbox.begin(1, 0, Place(42))).is_new
    await outbox.note_sent(1, 0, 77)
    await outbox.withdraw(1, 0)
    assert (await outbox.begin(1, 0, Place(42))).message_id == 77


async def test_outbox_remembers_what_cannot_be_sent(outbox: Outbox) -> None:
    """A chat that is gone is not tried again."""
    await outbox.begin(1, 0, Place(42))
    await outbox.note_failure(1, 0, "blocked by the user")
    assert (await outbox.begin(1, 0, Place(42))).state == "failed"


async def test_outbox_reopens_an_answer(outbox: Outbox) -> None:
    """Its messages stay known but not final; a part that was given up begins again."""
    for part, message_id in enumerate([77, 78]):
        await outbox.begin(1, part, Place(42))
        await outbox.note_sent(1, part, message_id)
        await outbox.note_final(1, part, "the answer")
    await outbox.note_failure(1, 1, "blocked by the user")
    await outbox.begin(1, 2, Place(42))
    await outbox.note_failure(1, 2, "blocked by the user")
    await outbox.begin(1, 3, Place(42))
    await outbox.begin(2, 0, Place(42))
    await outbox.note_final(2, 0, "another answer")
    await outbox.reopen(1)
    first, second, third = await outbox.after(1, -1)
    assert (first.state, first.message_id, first.text) == ("sent", 77, "")
    assert (second.state, second.message_id, second.text) == ("sent", 78, "")
    assert (third.part, third.state, third.message_id) == (3, "sending", None)
    assert (await outbox.begin(1, 2, Place(42))).is_new
    assert (await outbox.begin(2, 0, Place(42))).text == "another answer"


async def test_outbox_forgets_a_part_whose_message_is_gone(outbox: Outbox) -> None:
    """The parts behind an answer's end, in order, one by one."""
    for part in (2, 0, 1):
        await outbox.begin(1, part, Place(42))
    await outbox.begin(2, 5, Place(42))
    assert [row.part for row in await outbox.after(1, 0)] == [1, 2]
    await outbox.discard(1, 1)
    await outbox.discard(1, 1)
    assert [row.part for row in await outbox.after(1, 0)] == [2]


async def test_outbox_knows_what_a_message_answers(outbox: Outbox) -> None:
    """By chat and message: ids of messages are of one chat only."""
    await outbox.begin(1, 0, Place(42))
    await outbox.note_sent(1, 0, 77)
    await outbox.begin(2, 0, Place(43))
    await outbox.note_sent(2, 0, 78)
    assert await outbox.update_of_message(42, 77) == 1
    assert await outbox.update_of_message(42, 78) is None
    assert await outbox.update_of_message(43, 99) is None


async def test_outbox_knows_above_which_id_a_message_must_be(outbox: Outbox) -> None:
    """The question's, or that of the newest message known in the chat."""
    assert (await outbox.begin(1, 0, Place(42, 70))).after_id == 70
    await outbox.note_sent(1, 0, 77)
    assert (await outbox.begin(1, 1, Place(42, 70))).after_id == 77
    assert (await outbox.begin(2, 0, Place(43, 5))).after_id == 5
    assert (await outbox.begin(1, 1, Place(42, 99))).after_id == 77


async def test_outbox_remembers_a_doubt_until_it_is_settled(outbox: Outbox) -> None:
    """Whoever begins again after a send without end, and whoever comes after that one."""
    assert not (await outbox.begin(1, 0, Place(42, 70, topic_id=7))).is_doubtful
    assert (await outbox.begin(1, 0, Place(42))).is_doubtful
    await outbox.note_sent(1, 0, 77, is_doubtful=True)
    again = await outbox.begin(1, 0, Place(42))
    assert (again.is_doubtful, again.message_id, again.topic_id) == (True, 77, 7)
    await outbox.note_sent(1, 0, 77)
    assert not (await outbox.begin(1, 0, Place(42))).is_doubtful


async def test_outbox_doubts_a_part_whose_message_was_to_be_replaced(outbox: Outbox) -> None:
    """Whoever comes next looks for both messages: neither was seen to be gone or sent."""
    await outbox.begin(1, 0, Place(42, 70))
    await outbox.note_sent(1, 0, 77)
    await outbox.renew(1, 0)
    again = await outbox.begin(1, 0, Place(42))
    assert (again.message_id, again.is_doubtful, again.after_id) == (None, True, 70)


async def test_outbox_accounts_for_the_ids_around_a_lost_message(outbox: Outbox) -> None:
    """A send that nobody holds a lane for is not under way; a group counts for itself."""

    async def send(update_id: int, chat_id: int, message_id: int) -> None:
        await outbox.begin(update_id, 0, Place(chat_id))
        await outbox.note_sent(update_id, 0, message_id)

    await outbox.begin(1, 0, Place(42, 70))
    await outbox.begin(2, 0, Place(-9, 70))
    for number, (chat_id, message_id) in enumerate(((42, 80), (43, 81), (-9, 82), (42, 99))):
        await send(10 + number, chat_id, message_id)
    assert await outbox.account_before(1, 0, 90) == Accounted(
        70, frozenset({80, 81, 99}), under_way=0
    )
    assert await outbox.account_before(2, 0, 90) == Accounted(70, frozenset({82}), under_way=0)


async def test_outbox_knows_whether_a_message_is_on_its_way(outbox: Outbox) -> None:
    """In this chat, until it is sent."""
    number = await outbox.begin_direct(42)
    assert await outbox.is_sending(42)
    assert not await outbox.is_sending(43)
    await outbox.note_sent(number, DIRECT_PART, 80)
    assert not await outbox.is_sending(42)


async def test_outbox_accounts_for_direct_messages(outbox: Outbox) -> None:
    """They are no lost ones; one without an outcome is waited for, one that failed is not."""
    await outbox.begin(1, 0, Place(42, 70))
    arrived, waiting, failed, elsewhere = [
        await outbox.begin_direct(user_id) for user_id in (42, 42, 42, 43)
    ]
    await outbox.note_sent(arrived, DIRECT_PART, 80)
    await outbox.withdraw(failed, DIRECT_PART)
    assert await outbox.account_before(1, 0, 90) == Accounted(70, frozenset({80}), under_way=1)
    await outbox.note_sent(elsewhere, DIRECT_PART, 81)
    await outbox.note_sent(waiting, DIRECT_PART, 82)
    assert await outbox.account_before(1, 0, 90) == Accounted(
        70, frozenset({80, 81, 82}), under_way=0
    )
    assert len({arrived, waiting, failed, elsewhere}) == 4
    assert max(arrived, waiting, failed, elsewhere) < 0
    assert await outbox.leftovers() == ()


async def test_outbox_looks_for_no_lost_message_among_what_was_sent_before_it(
    outbox: Outbox,
) -> None:
    """Telegram counts the messages of all private chats together."""
    await outbox.begin(1, 0, Place(43))
    await outbox.note_sent(1, 0, 85)
    await outbox.begin(2, 0, Place(42, 70))
    assert (await outbox.account_before(2, 0, 90)).after_id == 85


async def test_outbox_knows_nothing_left_over_where_nothing_is_over(outbox: Outbox) -> None:
    """A final text, a file, and what was never sent are no leftovers."""
    await outbox.begin(1, 0, Place(42))
    await outbox.note_sent(1, 0, 70)
    await outbox.note_final(1, 0, "the answer")
    await outbox.begin(1, 1, Place(42))
    await outbox.note_sent(1, 1, 71)
    await outbox.begin(2, 0, Place(42))
    assert await outbox.leftovers() == ()
