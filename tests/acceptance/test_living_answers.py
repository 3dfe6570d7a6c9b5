"""Charts and sources of answers as widgets in the chat, where Telegram shows these."""

import csv
import io
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest

from tests.acceptance.scripting import calling
from tests.acceptance.test_files import sent
from tests.acceptance.world import Sandbox, World, environment, running_bot, wait_until
from tests.database import PostgresServer
from tests.documents import document

Json = dict[str, Any]
BY_REGION = "SELECT region, sum(units) AS units FROM table1 GROUP BY region ORDER BY region"


@pytest.fixture(scope="module")
def world(sandbox: Sandbox, database_server: PostgresServer, with_samples: str) -> Iterator[World]:
    """A bot that sends widgets, with the sample documents."""
    with database_server.database(with_samples) as url:
        own = World(sandbox, environment(sandbox.url, url, WIDGETS="auto"), url)
        with running_bot(own.environment):
            yield own


@pytest.fixture(autouse=True)
def _idle(world: World) -> Iterator[None]:
    """A turn that a test began is over before the next test."""
    yield
    world.sandbox.recover()
    world.await_idle()


def widgets(world: World, user: int) -> list[Json]:
    """The widgets in a chat."""
    return [one for one in world.sandbox.replies(user) if one.get("widget")]


def cells(html: str) -> list[list[str]]:
    """The rows of the table in a widget."""
    table = re.search(r"<table>(.*?)</table>", html, re.DOTALL)
    rows = table[1].split("</tr>")[:-1] if table else []
    return [[unescape(cell) for cell in re.findall(r"<t[hd][^>]*>([^<]*)<", row)] for row in rows]


def units_by_region() -> dict[str, int]:
    """The sums of the spreadsheet, by another program."""
    units: dict[str, int] = {}
    for row in csv.DictReader(io.StringIO(document("sales.csv").decode())):
        units[row["region"]] = units.get(row["region"], 0) + int(row["units"])
    return units


def ask_by_region(world: World, user: int, question: str) -> Json:
    """The answer to a question for which the model computes the units of each region."""
    call = calling("query_tables", sql=BY_REGION, in_words="the units of each region")
    world.sandbox.script(question, call, "North sold 1,000,000 units. [1]")
    return sent(world, user, "sales.xlsx", question)


@pytest.mark.costs("it computes over whole tables, in a process")
@pytest.mark.feature("tables")
def test_computed_rows_are_a_chart_below_the_answer(world: World, user: int) -> None:
    """Once, with the numbers of the spreadsheet, whatever the model says."""
    ask_by_region(world, user, "How many units did each region sell?")
    (chart,) = wait_until(lambda: widgets(world, user) or None, "the chart")
    html = chart["widget"]["html"]
    units = sorted(units_by_region().items())
    assert cells(html) == [["region", "units"], *([name, str(sum_)] for name, sum_ in units)]
    assert html.count("<rect") == len(units)
    assert "1,000,000" not in html
    assert not chart["text"]


@pytest.mark.costs("it computes over whole tables, in a process")
@pytest.mark.feature("tables")
def test_chart_that_telegram_refuses_is_left_out(world: World, user: int) -> None:
    """The answer is there with its numbers, and no second message."""
    world.sandbox.fail("telegram", "400_widgets", times=1_000_000, chat_id=user)
    ask_by_region(world, user, "How many units has each region sold?")
    world.await_idle()
    assert widgets(world, user) == []
