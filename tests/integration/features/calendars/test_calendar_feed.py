"""Calendar feeds: which address opens which calendar, and what strangers learn."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from importlib import import_module
from urllib.parse import urlsplit

import httpx
import icalendar
import psycopg
import pytest
from starlette.applications import Starlette

from rich_agent.domain.access import Access
from rich_agent.domain.dated_entry import DatedEntries
from rich_agent.features.agenda.domain.plans import NewBlock
from rich_agent.features.agenda.domain.tasks import NewTask, TaskQuery
from rich_agent.features.agenda.repositories.dated import PostgresDatedPlans
from rich_agent.features.agenda.repositories.plans import PostgresSchedule
from rich_agent.features.agenda.repositories.tasks import PostgresTasks
from rich_agent.features.calendars.endpoint import CalendarEndpoint, feed_address
from rich_agent.features.calendars.icalendar_text import write_calendar
from rich_agent.features.calendars.repository import CalendarFeeds
from rich_agent.repositories.accounts import PostgresAccounts
from rich_agent.repositories.database.pools import Pool, open_pool
from rich_agent.web.routes import open_to_all

ME, OTHER, TAKEN_OUT = 42, 4, 6
NOW = datetime(2026, 3, 2, 8, tzinfo=UTC)
PUBLIC = "https://bot.example/rich"
MORNING = datetime.fromisoformat("2026-03-02T09:00")
TODAY = date(2026, 3, 2)


@dataclass(frozen=True, slots=True)
class Office:
    """The endpoint over HTTP, and what it shows."""

    pool: Pool
    feeds: CalendarFeeds
    http: httpx.AsyncClient

    async def get(self, token: str, **headers: str) -> httpx.Response:
        """The response that a program gets."""
        address = urlsplit(feed_address(PUBLIC, token))
        return await self.http.get(address.path, headers=headers)

    async def titles(self, token: str) -> list[str]:
        """The events that the calendar shows, by name."""
        answer = await self.get(token)
        assert answer.status_code == 200
        calendar = icalendar.Calendar.from_ical(answer.content)
        return sorted(str(event["SUMMARY"]) for event in calendar.walk("VEVENT"))


def entries_of_reminders(pool: Pool) -> Sequence[DatedEntries]:
    """The function that lists the reminders to come; none if the feature is taken out."""
    with suppress(ModuleNotFoundError):
        module = import_module("rich_agent.features.reminder.repository")
        return [module.Reminders(pool, PostgresAccounts(pool)).entries]
    return []


@asynccontextmanager
async def open_office(url: str, access: Access = Access()) -> AsyncIterator[Office]:  # noqa: B008 - frozen
    """The endpoint on a database."""
    async with open_pool(url, max_size=3) as pool:
        feeds = CalendarFeeds(pool, "a secret")
        plans = [PostgresDatedPlans(pool).entries, *entries_of_reminders(pool)]
        endpoint = CalendarEndpoint(
            feeds, plans, access.permits, write_calendar, PUBLIC, deadline_s=5, now=lambda: NOW
        )
        routes = [*open_to_all([endpoint.route()], urlsplit(PUBLIC).path)]
        transport = httpx.ASGITransport(Starlette(routes=routes))
        async with httpx.AsyncClient(transport=transport, base_url="http://bot") as http:
            yield Office(pool, feeds, http)


@pytest.fixture
async def office(database_url: str) -> AsyncIterator[Office]:
    """Everybody may use the bot but one."""
    async with open_office(database_url) as opened:
        yield opened


async def plan(office: Office, user_id: int, name: str) -> int:
    """A block, a task for a day, one that is done, one without a day; the id of the first."""
    schedule, tasks = PostgresSchedule(office.pool), PostgresTasks(office.pool)
    await schedule.create(user_id, NewBlock(MORNING, MORNING + timedelta(hours=1), f"{name} block"))
    for title, due in (("due", TODAY), ("done", TODAY), ("someday", None), ("late", TODAY)):
        assert await tasks.create(user_id, NewTask(f"{name} {title}", due_date=due))
    found, _ = await tasks.page(user_id, TaskQuery(), 10)
    ids = {task.title.split()[-1]: task.id for task in found}
    await tasks.update(user_id, ids["done"], {"status": "done"}, TODAY)
    long_ago = TODAY - timedelta(days=100)
    await tasks.update(user_id, ids["late"], {"due_date": long_ago.isoformat()}, TODAY)
    return ids["due"]


async def test_feed_shows_what_its_user_plans_and_nobody_else(office: Office) -> None:
    """Blocks and the days of open tasks, not what is done or over."""
    for user_id, name in ((ME, "My"), (OTHER, "Their")):
        await plan(office, user_id, name)
    assert await office.titles(await office.feeds.make(ME)) == ["My block", "My due"]
    assert await office.titles(await office.feeds.make(OTHER)) == ["Their block", "Their due"]


async def test_feed_is_in_the_time_zone_of_its_user(office: Office) -> None:
    """A block is where the user's clock shows it."""
    await plan(office, ME, "My")
    async with office.pool.connection() as connection:
        await connection.execute(
            "INSERT INTO users (telegram_user_id, time_zone) VALUES (%s, 'Asia/Tokyo')", (ME,)
        )
    answer = await office.get(await office.feeds.make(ME))
    calendar = icalendar.Calendar.from_ical(answer.content)
    assert isinstance(calendar, icalendar.Calendar)
    assert datetime(2026, 3, 2, tzinfo=UTC) in [event.start for event in calendar.events]
    assert [zone.tz_name for zone in calendar.timezones] == ["Asia/Tokyo"]


_REMIND = """
INSERT INTO schedules (user_id, text, kind, local_start, local_next, tz, rrule, status)
VALUES (%(user_id)s, %(text)s, %(kind)s, '2026-03-01 09:00', '2026-03-03 09:00', 'Europe/Berlin',
    'FREQ=DAILY;COUNT=4', %(status)s)
"""


@pytest.mark.feature("reminder")
async def test_feed_shows_the_reminders_that_are_to_come(office: Office) -> None:
    """Not the digest, which tells the same, and none that was cancelled or is somebody else's."""
    async with office.pool.connection() as connection:
        for user_id, text, kind, status in (
            (ME, "Call mum", "reminder", "active"),
            (ME, "What is new?", "prompt", "paused"),
            (ME, "", "digest", "active"),
            (ME, "Cancelled", "reminder", "cancelled"),
            (OTHER, "Theirs", "reminder", "active"),
        ):
            named = {"user_id": user_id, "text": text, "kind": kind, "status": status}
            await connection.execute(_REMIND, named)
    token = await office.feeds.make(ME)
    assert await office.titles(token) == ["Call mum", "What is new?"]
    text = (await office.get(token)).text
    assert text.count("RRULE:FREQ=DAILY;COUNT=2\r\n") == 2
    assert text.count("DTSTART;TZID=Europe/Berlin:20260303T090000\r\n") == 2


async def test_feed_ends_with_its_address(office: Office) -> None:
    """A new address ends the old one; an ended feed looks like one that never was."""
    first = await office.feeds.make(ME)
    second = await office.feeds.make(ME)
    assert first != second
    assert [(await office.get(one)).status_code for one in (first, second)] == [404, 200]
    assert await office.feeds.revoke(ME)
    assert not await office.feeds.revoke(ME)
    assert await office.feeds.token(ME) is None
    unknown = await office.get("x" * 43)
    ended = await office.get(second)
    assert (ended.status_code, ended.content) == (404, unknown.content)
    assert ended.headers == unknown.headers


@pytest.mark.parametrize("token", ["", "x", "x" * 20_000, "%00", "%ff", "..", "'--", "長い"])
async def test_feed_of_a_strange_address_is_not_found(office: Office, token: str) -> None:
    """Whatever is asked for."""
    await office.feeds.make(ME)
    assert (await office.http.get(f"/calendar/{token}.ics")).status_code == 404


async def test_feed_is_not_shown_again_if_it_did_not_change(office: Office) -> None:
    """304 for the ETag that the program has; another one after a change."""
    due = await plan(office, ME, "My")
    token = await office.feeds.make(ME)
    first = await office.get(token)
    assert first.headers["content-type"] == "text/calendar; charset=utf-8"
    assert first.headers["cache-control"].startswith("private")
    tag = first.headers["etag"]
    for named in (tag, f'"other", W/{tag}', "*"):
        again = await office.get(token, **{"If-None-Match": named})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    await PostgresTasks(office.pool).update(ME, due, {"title": "My rent"}, TODAY)
    changed = await office.get(token, **{"If-None-Match": tag})
    assert changed.status_code == 200
    assert changed.headers["etag"] != tag


async def test_feed_is_closed_to_a_user_who_may_not_use_the_bot(office: Office) -> None:
    """From the moment at which an admin keeps them out."""
    token = await office.feeds.make(TAKEN_OUT)
    assert (await office.get(token)).status_code == 200
    await PostgresAccounts(office.pool).set_access(TAKEN_OUT, is_allowed=False, by=None)
    assert (await office.get(token)).status_code == 404


async def test_database_does_not_hold_the_token(office: Office, database_url: str) -> None:
    """It can be shown again with the secret of the installation only."""
    token = await office.feeds.make(ME)
    assert await office.feeds.token(ME) == token
    with psycopg.connect(database_url) as connection:
        (row,) = connection.execute("SELECT f::text FROM calendar_feeds AS f").fetchall()
    assert token not in row[0]
    other = CalendarFeeds(office.pool, "another secret")
    assert await other.token(ME) is None
    assert await other.owner(token) is not None


async def test_feed_of_a_database_that_is_away_is_to_be_asked_for_again(office: Office) -> None:
    """A program tries again, and does not take the calendar for empty."""
    token = await office.feeds.make(ME)
    await office.pool.close()
    answer = await office.get(token)
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0
