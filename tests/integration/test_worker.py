"""The worker on PostgreSQL: order, takeover, failures, and the end of a process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, cast
from unittest.mock import AsyncMock

import psycopg
import pytest
from prometheus_client import CollectorRegistry
from structlog.testing import capture_logs

from rich_agent.domain.message import TurnRequest
from rich_agent.errors import (
    DatabaseUnavailableError,
    ImageRefusedError,
    TurnDrainedError,
    UpstreamUnavailableError,
)
from rich_agent.phrases import say
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.inbox import Inbox, InboxRules, ReceivedUpdate, internal_update
from rich_agent.ports.outbox import Outbox
from rich_agent.repositories.database.pools import Pool, open_pool
from rich_agent.repositories.inbox.dead_letters import PostgresDeadLetters
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.inbox.wakeups import LOOK_S
from rich_agent.repositories.outbox import PostgresOutbox
from rich_agent.repositories.questions import PostgresQuestions
from rich_agent.repositories.stops import PostgresStops
from rich_agent.telegram.metrics import Metrics
from rich_agent.telegram.serve.crowds import CrowdTimings
from rich_agent.telegram.serve.internal_work import InternalKinds, SetAsideWork
from rich_agent.telegram.serve.notices import Notices
from rich_agent.telegram.serve.worker import LaneTimings
from rich_agent.turns.runner import StageChanged, TurnEvent
from tests.integration.telegram_support import (
    Bot,
    Script,
    ScriptedTurns,
    Sim,
    answered,
    echo,
    open_client,
    until,
)
from tests.integration.test_new_updates import end_listener
from tests.sandbox_server import RunningSandbox

ADA, BOB = 42, 43


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool]:
    """Connections to the test's database."""
    async with open_pool(database_url, max_size=8) as opened:
        yield opened


@asynccontextmanager
async def open_bot(
    sandbox: RunningSandbox, pool: Pool, rules: InboxRules | None = None
) -> AsyncIterator[Bot]:
    """A bot on PostgreSQL, as a process of its own would be."""
    async with (
        open_client(sandbox) as client,
        PostgresInbox(pool, rules or InboxRules(lease_s=2.0)) as inbox,
    ):
        yield Bot(
            client,
            inbox=inbox,
            outbox=PostgresOutbox(pool),
            stops=PostgresStops(pool, inbox.hearing),
            questions=PostgresQuestions(pool),
        )


@pytest.fixture
async def bot(sandbox: RunningSandbox, pool: Pool) -> AsyncIterator[Bot]:
    """A bot that echoes."""
    async with open_bot(sandbox, pool) as opened:
        yield opened


class Gate:
    """A script that answers once it is opened; for the users that it holds."""

    def __init__(self, *held: int) -> None:
        self._held = {f"tg:{user}" for user in held}
        self.opened = asyncio.Event()

    async def __call__(self, request: TurnRequest) -> AsyncIterator[TurnEvent]:
        """Play."""
        yield StageChanged("searching")
        if request.thread_id in self._held:
            await self.opened.wait()
        for event in answered(f"Re: {request.message.text}"):
            yield event


def fails(times: int, error: Exception) -> ScriptedTurns:
    """Turns whose first tries fail."""
    left = [error] * times

    async def script(request: TurnRequest) -> AsyncIterator[TurnEvent]:
        yield StageChanged("drafting")
        if left:
            raise left.pop()
        for event in answered(f"Re: {request.message.text}"):
            yield event

    return ScriptedTurns(script)


async def is_idle(bot: Bot) -> bool:
    """Whether nothing waits any more."""
    return (await bot.inbox.depth()).pending == 0


async def test_worker_serves_others_while_one_user_waits(bot: Bot, sim: Sim) -> None:
    """A long turn does not delay other users."""
    gate = Gate(ADA)
    bot.turns = ScriptedTurns(gate)
    async with bot.running():
        await sim.send(ADA, "slow")
        await sim.until_said(ADA, "Searching…")
        await sim.send(BOB, "quick")
        await sim.until_said(BOB, "Re: quick")
        assert await sim.texts(ADA) == ["Searching…"]
        gate.opened.set()
        await sim.until_said(ADA, "Re: slow")


@pytest.mark.costs("two workers answer thirty messages")
async def test_workers_answer_each_message_once_and_in_order(
    sandbox: RunningSandbox, pool: Pool, sim: Sim
) -> None:
    """Two processes, five users, six messages each."""
    users = range(50, 55)
    async with (
        open_bot(sandbox, pool) as one,
        open_bot(sandbox, pool) as two,
        one.running(),
        two.running(receiving=False),
    ):
        for n in range(6):
            for user in users:
                await sim.send(user, f"m{n}")
        await until(lambda: _answered_all(sim, users, 6))
        await until(lambda: is_idle(one))
    requests = [(r.thread_id, r.message.text) for r in (*one.turns.requests, *two.turns.requests)]
    assert len(requests) == len(set(requests)) == 30
    for user in users:
        finals = [
            call["body"]["text"]
            for call in await sim.calls("sendMessage", "editMessageText", chat_id=user)
            if call["body"]["text"].startswith("You said")
        ]
        assert finals == [f"You said: m{n}" for n in range(6)]


async def _answered_all(sim: Sim, users: range, count: int) -> bool:
    return all([len(await sim.from_bot(user)) == count for user in users])


@pytest.mark.req("REL-1")
async def test_worker_that_lost_its_lane_sends_nothing(
    sandbox: RunningSandbox, pool: Pool, sim: Sim
) -> None:
    """One that stopped past its lease finds another's answer, and leaves it alone."""
    rules = InboxRules(lease_s=1.0)
    gate = Gate(ADA)
    async with open_bot(sandbox, pool, rules) as late, open_bot(sandbox, pool, rules) as other:
        late.turns = ScriptedTurns(gate)
        # One slot: it must not take its own lane over.
        asleep = LaneTimings(heartbeat_s=60, notice_s=60)
        late.options = replace(late.options, concurrency=1, timings=asleep)
        async with late.running():
            await sim.send(ADA, "question")
            await sim.until_said(ADA, "Searching…")
            async with other.running(receiving=False):
                await sim.until_said(ADA, "You said: question")
                await until(lambda: is_idle(other))
                before = len(await sim.calls("sendMessage", "editMessageText"))
                gate.opened.set()
                await until(lambda: _lost(late, 1))
    assert len(await sim.calls("sendMessage", "editMessageText")) == before
    assert [r.request_id for r in other.turns.requests] == [
        r.request_id for r in late.turns.requests
    ]


async def test_worker_tries_a_turn_that_hangs_anew(
    sandbox: RunningSandbox, pool: Pool, sim: Sim
) -> None:
    """A lane is not kept forever: even if a turn hangs, the message is answered."""
    async with open_bot(sandbox, pool, InboxRules(lease_s=1.0)) as bot:
        bot.turns = ScriptedTurns(_hangs_once())
        bot.options = replace(bot.options, timings=LaneTimings(0.1, notice_s=0.05, longest_s=2.0))
        async with bot.running():
            await sim.send(ADA, "question")
            await sim.until_said(ADA, "You said: question")
            await until(lambda: is_idle(bot))
    assert len(bot.turns.requests) == 2


def _hangs_once() -> Script:
    hung = False

    async def script(request: TurnRequest) -> AsyncIterator[TurnEvent]:
        nonlocal hung
        if not hung:
            hung = True
            await asyncio.Event().wait()
        async for event in echo(request):
            yield event

    return script


async def _lost(bot: Bot, count: int) -> bool:
    return bot.metrics.registry.get_sample_value("telegram_lanes_lost_total") == count


async def test_worker_stops_a_turn_whose_lane_was_taken(
    sandbox: RunningSandbox, pool: Pool, sim: Sim
) -> None:
    """The heartbeat finds out, and the work ends there."""
    async with open_bot(sandbox, pool) as bot:
        bot.turns = ScriptedTurns(Gate(ADA))
        async with bot.running():
            await sim.send(ADA, "question")
            await sim.until_said(ADA, "Searching…")
            async with pool.connection() as connection:
                await connection.execute(
                    "UPDATE telegram_lanes SET fence = nextval('telegram_lane_fence'), "
                    "ready_at = clock_timestamp() + interval '1 hour'"
                )
            await until(lambda: _lost(bot, 1))
    assert await sim.texts(ADA) == ["Searching…"]


async def test_worker_tries_a_passing_failure_again(bot: Bot, sim: Sim) -> None:
    """The placeholder becomes the answer, and the user never knew."""
    bot.turns = fails(2, UpstreamUnavailableError("telegram", "503"))
    async with bot.running():
        await sim.send(ADA, "question")
        await sim.until_said(ADA, "Re: question")
        await until(lambda: is_idle(bot))
    assert len(bot.turns.requests) == 3
    assert len({request.request_id for request in bot.turns.requests}) == 1


@pytest.mark.parametrize(
    ("error", "tries", "words"),
    [
        # The turn itself has tried the model as often as makes sense.
        (UpstreamUnavailableError("model", "503"), 1, "could not reach the language model"),
        (UpstreamUnavailableError("telegram", "502"), 3, "could not fetch your file"),
        (ZeroDivisionError("a bug"), 3, "something went wrong on my side"),
    ],
)
async def test_worker_apologizes_once_after_the_last_try(
    bot: Bot, sim: Sim, error: Exception, tries: int, words: str
) -> None:
    """In the placeholder; the next message is answered as if nothing had been."""
    bot.turns = fails(tries, error)
    async with bot.running():
        await sim.send(ADA, "question")
        await sim.send(ADA, "next")
        await until(lambda: _says(sim, "Re: next"))
        await until(lambda: is_idle(bot))
    texts = await sim.texts(ADA)
    assert len(texts) == 2
    assert sum(words in text for text in texts) == 1
    assert len(bot.turns.requests) == tries + 1
    assert (await bot.inbox.depth()).dead == 1


async def test_worker_waits_for_a_database_that_stores_nothing(bot: Bot, sim: Sim) -> None:
    """However many tries it takes, none counts; another failure of a statement does."""
    bot.options = replace(bot.options, outage_s=0.02)
    bot.turns = fails(7, DatabaseUnavailableError("could not extend file"))
    async with bot.running():
        await sim.send(ADA, "question")
        await sim.until_said(ADA, "Re: question")
        await until(lambda: is_idle(bot))
        bot.turns.script = fails(3, DatabaseUnavailableError("deadlock", is_outage=False)).script
        await sim.send(ADA, "another")
        await until(lambda: _says(sim, say("en", "apology-internal")))
    assert len(bot.turns.requests) == 8 + 3


async def _says(sim: Sim, text: str) -> bool:
    return text in await sim.texts(ADA)


async def test_worker_logs_a_line_for_each_turn_and_no_warning_of_a_damaged_photo(
    bot: Bot, sim: Sim
) -> None:
    """The user is told what only they can fix; the operator is not bothered."""
    bot.turns = fails(1, ImageRefusedError("unreadable", "damaged"))
    with capture_logs() as lines:
        async with bot.running():
            await sim.send(ADA, "look")
            await sim.send(ADA, "next")
            await until(lambda: _says(sim, "Re: next"))
            await until(lambda: is_idle(bot))
    told = [line for line in lines if line["log_level"] == "info"]
    assert [line["event"] for line in told] == ["telegram.turn"] * 2
    assert [line["failure"] for line in told] == ["ImageRefusedError", None]
    assert not [line for line in lines if line["log_level"] == "warning"]


async def test_worker_delivers_after_an_outage_of_telegram(bot: Bot, sim: Sim) -> None:
    """The turn is kept and its answer comes later, once."""
    bot.retry_policy = replace(bot.retry_policy, postponed_s=0.5)
    async with bot.running():
        await sim.fail("500", method="sendMessage", times=7)
        await sim.send(ADA, "question")
        await sim.until_said(ADA, "You said: question")
        await until(lambda: is_idle(bot))
    assert len(bot.turns.requests) == 2


async def test_worker_outlives_garbage(bot: Bot, sim: Sim) -> None:
    """Whatever was stored is dealt with, and the next message is answered."""
    garbage = [b"", b"\x00", b"[]", b'{"update_id": 1, "message": {"chat": 7}}']
    await bot.inbox.store([ReceivedUpdate(-n, 0, raw) for n, raw in enumerate(garbage, start=1)])
    async with bot.running():
        await sim.send(ADA, "hello")
        await sim.until_said(ADA, "You said: hello")
        await until(lambda: is_idle(bot))
    assert (await bot.inbox.depth()).dead == 0


async def test_worker_outlives_its_database_connections(
    bot: Bot, sim: Sim, database_url: str
) -> None:
    """Every connection is cut in the middle of a turn; it is answered, and so is the next."""
    gate = Gate(ADA)
    bot.turns = ScriptedTurns(gate)
    async with bot.running():
        await sim.send(ADA, "one")
        await sim.until_said(ADA, "Searching…")
        with psycopg.connect(database_url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        gate.opened.set()
        await until(lambda: _says(sim, "Re: one"))
        await sim.send(ADA, "two")
        await until(lambda: _says(sim, "Re: two"))
        await until(lambda: is_idle(bot))
    assert await sim.texts(ADA) == ["Re: one", "Re: two"]


@pytest.mark.req("REL-1")
async def test_worker_that_loses_its_lock_answers_its_turn(
    sandbox: RunningSandbox, pool: Pool, sim: Sim, database_url: str
) -> None:
    """Again and again during a long turn, next to another worker; it is no suspect, and goes on."""
    gate = Gate(ADA)
    async with open_bot(sandbox, pool) as first, open_bot(sandbox, pool) as other:
        first.turns = other.turns = ScriptedTurns(gate)
        async with first.running():
            await sim.send(ADA, "question")
            await sim.until_said(ADA, "Searching…")
            async with other.running(receiving=False):
                for _ in range(3):
                    await until(lambda: end_listener(database_url))
                    await asyncio.sleep(LOOK_S * 1.5)
                gate.opened.set()
                await until(lambda: is_idle(first))
    assert await sim.texts(ADA) == ["Re: question"]
    assert len(first.turns.requests) == 1
    assert (await first.inbox.depth()).dead == 0


async def test_worker_finishes_what_runs_when_it_is_stopped(bot: Bot, sim: Sim) -> None:
    """It takes nothing new, and ends when the last turn did."""
    gate = Gate(ADA)
    bot.turns = ScriptedTurns(gate)
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        polling_stop = asyncio.Event()
        group.create_task(bot.poller().run(polling_stop))
        group.create_task(bot.worker().run(stop))
        await sim.send(ADA, "one")
        await sim.until_said(ADA, "Searching…")
        stop.set()
        await sim.send(BOB, "two")
        await until(lambda: _pending(bot, 2))
        gate.opened.set()
        await sim.until_said(ADA, "Re: one")
        await until(lambda: _pending(bot, 1))
        polling_stop.set()
    assert [request.thread_id for request in bot.turns.requests] == [f"tg:{ADA}"]


async def _pending(bot: Bot, count: int) -> bool:
    return (await bot.inbox.depth()).pending == count


@pytest.mark.req("REL-1")
async def test_worker_hands_over_what_runs_when_it_is_stopped(
    sandbox: RunningSandbox, pool: Pool, sim: Sim
) -> None:
    """The turn stops at its next node; another worker goes on at once, and it is no new attempt."""
    rules = InboxRules(lease_s=600, max_attempts=1)

    async def until_drained(request: TurnRequest) -> AsyncIterator[TurnEvent]:  # noqa: ARG001 - a script
        yield StageChanged("searching")
        await first_turns.drained.wait()
        raise TurnDrainedError

    first_turns = ScriptedTurns(until_drained)
    async with open_bot(sandbox, pool, rules) as first, open_bot(sandbox, pool, rules) as second:
        first.turns = first_turns
        async with first.running():
            await sim.send(ADA, "question")
            await sim.until_said(ADA, "Searching…")
        async with second.running(receiving=False):
            await sim.until_said(ADA, "You said: question")
            await until(lambda: is_idle(second))
    assert len(await sim.calls("sendMessage", chat_id=ADA)) == 1
    assert (await second.inbox.depth()).dead == 0


async def test_worker_settles_what_is_done_when_the_database_is_back(
    sandbox: RunningSandbox, pool: Pool, sim: Sim
) -> None:
    """An answer that was sent while the database could not be reached is not made again."""
    async with open_bot(sandbox, pool, InboxRules(lease_s=600)) as bot:
        inbox = Failing(bot.inbox, "finish", times=3)
        bot.inbox = cast("Inbox", inbox)
        async with bot.running():
            await sim.send(ADA, "question")
            await sim.until_said(ADA, "You said: question")
            await until(lambda: is_idle(bot))
        assert inbox.refused == 3
    assert len(bot.turns.requests) == 1
    assert await sim.texts(ADA) == ["You said: question"]


class Failing:
    """Passes everything on to `inner`, but the first calls of one method find no database."""

    def __init__(self, inner: object, method: str, times: int) -> None:
        self._inner = inner
        self._method = method
        self._left = times
        self.refused = 0

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if name != self._method:
            return found

        async def call(*args: object, **kwargs: object) -> Any:
            if self._left:
                self._left -= 1
                self.refused += 1
                raise DatabaseUnavailableError("away")
            return await found(*args, **kwargs)

        return call


async def test_worker_records_what_it_sent_however_long_the_database_is_away(
    bot: Bot, sim: Sim
) -> None:
    """A message whose id could not be stored for long is edited all the same, not sent again."""
    outbox = Failing(bot.outbox, "note_sent", times=12)
    bot.outbox = cast("Outbox", outbox)
    async with bot.running():
        await sim.send(ADA, "question")
        await sim.until_said(ADA, "You said: question")
        await until(lambda: is_idle(bot))
    assert outbox.refused == 12
    assert len(await sim.calls("sendMessage", chat_id=ADA)) == 1
    assert len(bot.turns.requests) == 1


async def test_worker_lets_others_renew_after_an_outage(
    sandbox: RunningSandbox, pool: Pool, sim: Sim
) -> None:
    """After an outage in which leases ran out, a working process keeps its lane."""
    gate, rules = Gate(ADA), InboxRules(lease_s=60)
    async with open_bot(sandbox, pool, rules) as holder, open_bot(sandbox, pool, rules) as other:
        holder.turns = ScriptedTurns(gate)
        holder.options = replace(
            holder.options, concurrency=1, timings=LaneTimings(heartbeat_s=1.0)
        )
        other.options = replace(other.options, timings=LaneTimings(heartbeat_s=8.0))
        other.inbox = cast("Inbox", Failing(other.inbox, "claim", times=1))
        async with holder.running():
            await sim.send(ADA, "question")
            await sim.until_said(ADA, "Searching…")
            async with pool.connection() as connection:
                await connection.execute("UPDATE telegram_lanes SET ready_at = clock_timestamp()")
            async with other.running(receiving=False):
                await until(lambda: _is_leased(pool))
                gate.opened.set()
                await until(lambda: is_idle(holder))
    assert await sim.texts(ADA) == ["Re: question"]
    assert other.turns.requests == []


async def _is_leased(pool: Pool) -> bool:
    async with pool.connection() as connection:
        held = await connection.execute(
            "SELECT FROM telegram_lanes WHERE ready_at > clock_timestamp()"
        )
        return held.rowcount > 0


async def test_worker_gives_back_what_does_not_end(
    sandbox: RunningSandbox, pool: Pool, sim: Sim
) -> None:
    """After the grace the lane is free at once, long before its lease ends."""
    rules = InboxRules(lease_s=600)
    async with open_bot(sandbox, pool, rules) as first, open_bot(sandbox, pool, rules) as second:
        first.turns = ScriptedTurns(Gate(ADA))
        first.options = replace(first.options, grace_s=0.05)
        async with first.running():
            await sim.send(ADA, "question")
            await sim.until_said(ADA, "Searching…")
        async with second.running(receiving=False):
            await sim.until_said(ADA, "You said: question")
    assert len(await sim.calls("sendMessage", chat_id=ADA)) == 1


async def test_worker_passes_commands_while_every_slot_is_taken(
    sandbox: RunningSandbox, pool: Pool, sim: Sim
) -> None:
    """A command waits neither behind its user's turn nor behind everybody's."""
    async with open_bot(sandbox, pool) as bot:
        gate = Gate(ADA, BOB)
        bot.turns = ScriptedTurns(gate)
        bot.options = replace(bot.options, concurrency=2)
        async with bot.running():
            await sim.send(ADA, "slow")
            await sim.send(BOB, "slow")
            await sim.until_said(ADA, "Searching…")
            await sim.until_said(BOB, "Searching…")
            await sim.send(ADA, "/help")
            await until(lambda: _says_something_with(sim, "What I can do"))
            assert "Re: slow" not in await sim.texts(ADA)
            gate.opened.set()
            await until(lambda: _says(sim, "Re: slow"))


async def test_worker_tells_those_who_wait_in_a_crowd(
    sandbox: RunningSandbox, pool: Pool, sim: Sim
) -> None:
    """A user who finds every slot taken is told so at once, and answered in that message."""
    async with open_bot(sandbox, pool) as bot:
        gate = Gate(ADA)
        bot.turns = ScriptedTurns(gate)
        crowd = CrowdTimings(look_s=0.05, waited_s=0.1)
        bot.options = replace(bot.options, concurrency=1, crowd=crowd)
        async with bot.running():
            await sim.send(ADA, "slow")
            await sim.until_said(ADA, "Searching…")
            await sim.send(BOB, "question")
            await sim.until_said(BOB, say("en", "status-crowd", place=1))
            gate.opened.set()
            await sim.until_said(BOB, "Re: question")
            await until(lambda: is_idle(bot))
    assert len(await sim.calls("sendMessage", chat_id=BOB)) == 1
    assert bot.metrics.registry.get_sample_value("telegram_redelivered_total") == 0


async def test_worker_begins_no_turn_while_the_process_does_not_keep_up(
    sandbox: RunningSandbox, pool: Pool, sim: Sim
) -> None:
    """A question then waits, its user is told, and commands are answered all the same."""
    async with open_bot(sandbox, pool) as bot:
        strained = [True]
        crowd = CrowdTimings(look_s=0.05, waited_s=0.1)
        bot.options = replace(bot.options, crowd=crowd, is_strained=lambda: strained[0])
        async with bot.running():
            await sim.send(BOB, "question")
            await sim.until_said(BOB, say("en", "status-crowd", place=1))
            await sim.send(ADA, "/help")
            await until(lambda: _says_something_with(sim, "What I can do"))
            assert bot.turns.requests == []
            strained[0] = False
            await sim.until_said(BOB, "You said: question")


async def _says_something_with(sim: Sim, words: str) -> bool:
    return any(words in text for text in await sim.texts(ADA))


@pytest.mark.parametrize(("locale", "word"), [("en", "question"), ("ja", "しつもん")])
async def test_worker_tells_once_of_a_burst_over_the_cap(
    sandbox: RunningSandbox, pool: Pool, sim: Sim, locale: str, word: str
) -> None:
    """Messages before it are answered, those on top are not, and the user reads it once."""
    rules = InboxRules(lease_s=2.0, max_pending=2)
    gate = Gate(ADA)
    async with open_bot(sandbox, pool, rules) as bot:
        bot.turns = ScriptedTurns(gate)
        async with bot.running():
            for n in range(5):
                await sim.send(ADA, f"{word} {n}")
            notice = say(locale, "too-many")
            await until(lambda: _says(sim, notice))
            gate.opened.set()
            await until(lambda: is_idle(bot))
        assert bot.metrics.registry.get_sample_value("telegram_floods_total") == 1
    texts = await sim.texts(ADA)
    assert texts.count(notice) == 1
    assert [text for text in texts if text != notice] == [f"Re: {word} 0", f"Re: {word} 1"]


@pytest.mark.req("REL-1")
async def test_worker_answers_a_replayed_dead_letter_in_its_apology(
    bot: Bot, pool: Pool, sim: Sim
) -> None:
    """One apology, which becomes the answer; what came later was answered meanwhile."""
    bot.turns = fails(3, ZeroDivisionError("a bug"))
    letters = PostgresDeadLetters(pool)
    async with bot.running():
        await sim.send(ADA, "question")
        await until(lambda: _dead(bot, 1))
        (letter,) = await letters.all()
        assert (letter.user_id, letter.attempts) == (ADA, 3)
        assert "ZeroDivisionError: a bug" in letter.last_error
        await sim.send(ADA, "next")
        await until(lambda: _says(sim, "Re: next"))
        assert await letters.replay([letter.update_id]) == (letter.update_id,)
        await sim.until_said(ADA, "Re: question", "Re: next")
        await until(lambda: _dead(bot, 0))


@pytest.mark.req("REL-1")
async def test_worker_keeps_a_notice_whose_feature_is_missing(
    bot: Bot, pool: Pool, sim: Sim
) -> None:
    """A dead letter names the kind, the user's messages are answered, and a replay is sent."""
    inbox, letters = cast("PostgresInbox", bot.inbox), PostgresDeadLetters(pool)
    aside = SetAsideWork(inbox.attempts, bot.accounts)
    bot.internal = InternalKinds(aside.kinds({"lesson"}), aside.of_absent_feature)
    await inbox.store([internal_update(-7, ADA, "reminder", urgent=True)])
    async with bot.running():
        await until(lambda: _dead(bot, 1))
        (letter,) = await letters.all()
        assert (letter.update_id, letter.attempts) == (-7, 3)
        assert "no feature of this process does work of the kind reminder" in letter.last_error
        await sim.send(ADA, "question")
        await sim.until_said(ADA, "You said: question")
    word = AsyncMock(return_value=RenderedMessage("Tea"))
    notices = Notices({"reminder": word}, bot.accounts, bot.messenger())
    bot.internal = replace(bot.internal, notices=notices)
    assert await letters.replay([letter.update_id]) == (-7,)
    async with bot.running():
        await sim.until_said(ADA, "You said: question", "Tea")
        await until(lambda: is_idle(bot))
    assert (await inbox.depth()).dead == 0


async def test_worker_apologizes_for_an_update_that_kills_its_process(
    sandbox: RunningSandbox, pool: Pool, sim: Sim
) -> None:
    """It is not handled once more, its user reads one sentence, and an operator finds it."""
    async with open_bot(sandbox, pool, InboxRules(max_attempts=1, lease_s=0.3)) as bot:
        await sim.send(ADA, "question")
        async with bot.receiving():
            await until(lambda: _pending(bot, 1))
        died = await bot.inbox.claim()
        assert died is not None
        async with bot.running(receiving=False):
            await until(lambda: _says_something_with(sim, "got stuck each time"))
            await until(lambda: _dead(bot, 1))
        assert bot.turns.requests == []


async def test_worker_buries_what_can_never_be_delivered(
    sandbox: RunningSandbox, pool: Pool, sim: Sim
) -> None:
    """After its time an operator finds it, and the user's next message is answered."""
    async with open_bot(sandbox, pool, InboxRules(longest_postponed_s=0.0)) as bot:
        bot.metrics = Metrics(CollectorRegistry())
        await sim.fail("500", method="sendMessage", times=bot.retry_policy.tries)
        async with bot.running():
            await sim.send(ADA, "one")
            await until(lambda: _dead(bot, 1))
            await sim.send(ADA, "two")
            await sim.until_said(ADA, "You said: two")
    assert bot.metrics.registry.get_sample_value("telegram_dead_letters_total") == 1


async def _dead(bot: Bot, count: int) -> bool:
    return (await bot.inbox.depth()).dead == count
