"""Charts and sources of answers as widgets in the chat, where Telegram shows these."""

import csv
import io
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from rich_agent.phrases import say
from tests.acceptance.scripting import calling
from tests.acceptance.test_commands import labels, press
from tests.acceptance.test_files import sent
from tests.acceptance.world import (
    World,
    command,
    environment,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer
from tests.documents import document

Json = dict[str, Any]
BY_REGION = "SELECT region, sum(units) AS units FROM table1 GROUP BY region ORDER BY region"


@pytest.fixture(scope="module")
def world(database_server: PostgresServer, database_template: str) -> Iterator[World]:
    """A bot that sends widgets, with a sandbox of its own: two bots of one would share updates."""
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
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
@pytest.mark.feature("tables", "day_picture")
def test_chart_that_telegram_refuses_is_a_picture(world: World, user: int) -> None:
    """Once, in place of the widget."""
    world.sandbox.fail("telegram", "400_widgets", times=1_000_000, chat_id=user)
    ask_by_region(world, user, "How many units has each region sold?")
    world.await_idle()
    assert widgets(world, user) == []
    (picture,) = (one["photo_url"] for one in world.sandbox.replies(user) if one["photo_url"])
    content = world.sandbox.http.get(f"{world.sandbox.url}{picture}").content
    assert Image.open(io.BytesIO(content)).size[0] == 720


def add_documents(world: World, folder: Path, *texts: str) -> None:
    """Register a file for each text, and read them."""
    for number, text in enumerate(texts):
        (folder / f"part{number}.md").write_text(text, "utf-8")
    command(["ingest.cli", "add-source", str(folder), "--name", "parts"], world.environment)
    command(["ingest.cli", "sync", "parts"], world.environment)


def open_source(world: World, user: int, answer: Json, label: str) -> Json:
    """The message that a press on a source sends."""
    return dict(press(world, user, answer, label)["messages"][-1])


def test_sources_open_as_one_widget(world: World, user: int, tmp_path: Path) -> None:
    """With the passages, of which the whole comes by a press; removed ones are gone at once."""
    long = "The Mellbrook tower is lit by a lamp of brass. " * 20
    doors = "The doors of the Mellbrook tower are blue."
    add_documents(world, tmp_path, f"# Mellbrook lamp\n\n{long}", f"# Mellbrook doors\n\n{doors}")
    question = "What are the lamp and the doors of the Mellbrook tower like?"
    world.sandbox.script(question, "Brass [1], and blue [2].", streamed=True)
    answer = world.ask(user, question)
    try:
        assert {"[1]", "[2]"} <= set(labels(answer))
        named = re.search(r"(\[\d\]) Mellbrook doors", answer["text"])
        assert named
        opened = open_source(world, user, answer, named[1])
        html = opened["widget"]["html"]
        assert opened["reply_to_message_id"] == answer["message_id"]
        assert html.count("<details") == 2
        assert html.count("<details open>") == 1
        assert "The Mellbrook tower is lit" in html
        assert doors in html
        (data,) = re.findall(r'data-a="([^"]+)"', html)
        query = world.sandbox.query_widget(user, opened["message_id"], data)
        whole = wait_until(lambda: _last_text(world, user, long.strip()), "the whole passage")
        assert whole["widget"] is None
        wait_until(lambda: _told(world, user, query), "the answer")
    finally:
        command(["ingest.cli", "remove-source", "parts"], world.environment)
    query = world.sandbox.query_widget(user, opened["message_id"], data)
    told = wait_until(lambda: _told(world, user, query), "the answer")
    assert say("en", "passage-gone") in told


def _last_text(world: World, user: int, text: str) -> Json | None:
    message = world.sandbox.replies(user)[-1]
    return message if text in message["text"] else None


def _told(world: World, user: int, query: Json) -> str | None:
    return world.sandbox.widget_answer(user, query["query_id"])
