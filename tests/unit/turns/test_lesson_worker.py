"""Lessons that a turn should have taught are learned later: in order, once, not if forgotten."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from typing_extensions import override

from rich_agent.domain.memory.merging import Learned
from rich_agent.errors import MalformedOutputError, UpstreamRateLimitedError, UpstreamTimeoutError
from rich_agent.graph.nodes.persist import persist
from rich_agent.ports.due_work import NextRun
from rich_agent.ports.inbox import ReceivedUpdate
from rich_agent.ports.memories import Erased, Lesson
from rich_agent.ports.models import Prompt
from rich_agent.runtime.metering import Billing
from rich_agent.telegram.serve.alarm import ignore_failure
from rich_agent.turns.lesson_worker import LessonWorker
from tests import make
from tests.scripted import ScriptedExtractor
from tests.twins.inbox import InMemoryInbox
from tests.twins.lessons import InMemoryLessons

ANSWER = {"text": "ok", "citations": []}


def failing(error: Exception) -> make.Fakes:
    """A cast whose extractor fails, and whose clock stands still."""
    extractor = ScriptedExtractor(failure=error)
    return make.Fakes(extractor=extractor, lessons=InMemoryLessons(clock=lambda: 0.0))


def worker(cast: make.Fakes) -> LessonWorker:
    """A worker next to an inbox without work."""
    return LessonWorker(cast.services(), Billing(), InMemoryInbox(), ignore_failure)


async def learn_next(cast: make.Fakes) -> bool:
    """Learn the next lesson that is due, as the loop of due work does; False if there is none."""
    row = await cast.lessons.claim()
    if row is None:
        return False
    await cast.lessons.finish(row, await worker(cast).learn(row))
    return True


async def told(cast: make.Fakes, text: str, request_id: str = "r1") -> None:
    """The end of a turn in which the user said this."""
    state = make.state(text, answer=ANSWER)
    state["request"]["request_id"] = request_id
    await persist(state, make.runtime(cast))


def facts(cast: make.Fakes) -> list[str]:
    """The facts that are remembered of the user."""
    kept = cast.memories.kept.get(42)
    return [item.text for item in kept.facts] if kept else []


@pytest.mark.req("MEM-4")
@pytest.mark.parametrize(
    "error",
    [
        UpstreamRateLimitedError("model", 0.0),
        UpstreamTimeoutError("model", 60),
        MalformedOutputError("model", "x"),
    ],
)
async def test_turn_that_could_not_teach_teaches_later(error: Exception) -> None:
    """The words, the day and the request are those of the turn."""
    cast = failing(error)
    await told(cast, "My cat is called Mia")
    assert facts(cast) == []
    cast.lessons.clock = lambda: 3_600.0
    cast.extractor.failure, cast.extractor.learned = None, [Learned("facts", "Has a cat, Mia")]
    assert await learn_next(cast)
    assert facts(cast) == ["Has a cat, Mia"]
    (item,) = cast.memories.kept[42].facts
    assert (item.request_id, item.updated_at) == ("r1", make.NOW.isoformat())
    assert "My cat is called Mia" in cast.extractor.prompts[-1].user
    assert not await learn_next(cast)


@pytest.mark.req("MEM-4")
async def test_later_turn_waits_behind_what_is_yet_to_be_learned() -> None:
    """The newer words come last, so that they win."""
    cast = failing(UpstreamRateLimitedError("model", 0.0))
    await told(cast, "I live in Oslo")
    cast.extractor.failure = None
    await told(cast, "I moved to Rome", "r2")
    assert len(cast.extractor.prompts) == 1
    cast.extractor.learned = [Learned("facts", "Lives in Oslo", "residence")]
    assert await learn_next(cast)
    cast.extractor.learned = [Learned("facts", "Lives in Rome", "residence")]
    assert await learn_next(cast)
    assert facts(cast) == ["Lives in Rome"]


@pytest.mark.req("MEM-4")
@pytest.mark.parametrize(("minutes", "pending"), [(0, 0), (11, 1)])
async def test_slow_server_reads_a_lesson_when_no_message_waits(minutes: int, pending: int) -> None:
    """Messages come first, but for no longer than ten minutes."""
    extractor = ScriptedExtractor(learned=[Learned("facts", "Has a cat, Mia")])
    cast = make.Fakes(extractor=extractor, lessons=InMemoryLessons(clock=lambda: 0.0))
    cast.optional_calls, inbox = make.slow_server(), InMemoryInbox()
    await told(cast, "My cat is called Mia")
    await inbox.store([ReceivedUpdate(1, 7, b"{}")])
    busy = LessonWorker(cast.services(), Billing(), inbox, ignore_failure)
    row = await cast.lessons.claim()
    assert row is not None
    assert await busy.learn(row) == NextRun(5.0)
    assert extractor.prompts == []
    later = replace(cast.services(), now=lambda: make.NOW + timedelta(minutes=minutes))
    quiet = replace(busy, services=later, inbox=inbox if pending else InMemoryInbox())
    assert await quiet.learn(row) is None
    assert facts(cast) == ["Has a cat, Mia"]


async def test_lesson_that_was_forgotten_teaches_nothing() -> None:
    """Also when the model is being asked already."""
    cast = failing(UpstreamRateLimitedError("model", 0.0))
    await told(cast, "My cat is called Mia")

    class Forgetful(ScriptedExtractor):
        @override
        async def extract(self, prompt: Prompt) -> Sequence[Learned]:
            await cast.erasure.erase(Erased(42, "tg:42", frozenset({"r1"})))
            return await super().extract(prompt)

    cast.extractor = Forgetful([Learned("facts", "Has a cat, Mia")])
    assert await learn_next(cast)
    assert facts(cast) == []


async def test_lesson_is_given_up_when_no_model_can_read_it() -> None:
    """It must not keep for days what its user said later."""
    cast = failing(MalformedOutputError("model", "x"))
    await cast.lessons.keep(Lesson(42, "r1", "I have a cat", make.NOW))
    for hours in (0, 10, 20, 30):
        cast.lessons.clock = lambda at=hours * 3600.0: at  # type: ignore[misc]
        await learn_next(cast)
    assert len(cast.extractor.prompts) == 3
    assert await cast.lessons.count() == 0


async def test_lesson_outlives_a_server_that_is_away_for_days() -> None:
    """Not for ever."""
    cast = failing(UpstreamTimeoutError("model", 60))
    recent = Lesson(42, "r1", "I have a cat", make.NOW - timedelta(days=2))
    await cast.lessons.keep(recent)
    await cast.lessons.keep(replace(recent, user_id=43, told_at=make.NOW - timedelta(days=4)))
    assert await learn_next(cast)
    assert await learn_next(cast)
    assert list(cast.lessons.rows) == [(42, "r1")]
