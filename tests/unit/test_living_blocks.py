"""Living blocks: what their states say, and the documents that show them."""

import json
import re
import zlib
from dataclasses import replace
from typing import Any

import lxml.html
import pytest

from rich_agent.domain.approving.cards import card_of
from rich_agent.domain.living_blocks import (
    MOST_STATE_BYTES,
    BlockAction,
    BlockChart,
    BlockRow,
    LivingBlock,
    query_answer,
    state_of,
    with_state,
)
from rich_agent.domain.tools import ToolCall
from rich_agent.rendering.widgets import MOST_COMPRESSED_BYTES, widget_html
from rich_agent.telegram.deliver.asking_back import approval_block
from rich_agent.turns.runner import QuestionAsked
from tests.acceptance.test_approval_cards import TRICKS

ROWS = tuple(
    BlockRow(f"Task {number}", str(number), mark="open", actions=(BlockAction("✓", f"d:{number}"),))
    for number in range(6)
)
BLOCK = LivingBlock("tasks", "Tasks", "en", ROWS, (BlockAction("More", "m:6"),))
CHART = BlockChart("bar", ("May", "June"), (("Sold", (3.0, -1.5)),), corner="Month")


def with_row(number: int, **changes: object) -> LivingBlock:
    """The block with another row at a place."""
    rows = [replace(row, **changes) if row.key == str(number) else row for row in BLOCK.rows]  # type: ignore[arg-type]
    return replace(BLOCK, rows=tuple(rows))


def test_state_leads_from_the_sent_block_to_the_present_one() -> None:
    """However often it changed in between; no change is an empty state."""
    done = replace(with_row(2, mark="done", actions=()), note="Done: Task 2", title="Tasks (5)")
    state = state_of(BLOCK, done)
    assert state is not None
    assert with_state(BLOCK, state) == done
    assert state_of(BLOCK, BLOCK) == ""
    assert with_state(BLOCK, "") == BLOCK
    assert BLOCK.action_data == {*(f"d:{number}" for number in range(6)), "m:6"}
    assert "d:2" not in done.action_data


def test_state_beyond_its_limit_is_none() -> None:
    """In bytes, not characters."""
    assert state_of(BLOCK, replace(BLOCK, note="é" * (MOST_STATE_BYTES // 2))) is None
    assert state_of(BLOCK, replace(BLOCK, note="é" * 400)) is not None


@pytest.mark.parametrize(
    "other", [{"locale": "ar"}, {"kind": "session"}, {"steps": (1, 3)}, {"chart": CHART}]
)
def test_block_of_another_document_is_no_state(other: dict[str, Any]) -> None:
    """Its code could not show it."""
    assert state_of(BLOCK, replace(BLOCK, **other)) is None
    assert state_of(replace(BLOCK, rows=()), BLOCK) is None


def test_block_of_another_version_is_read() -> None:
    """Fields that it does not have are empty, those that are unknown are left out."""
    written = {"kind": "tasks", "title": "Tasks", "locale": "en", "rows": [{"text": "a", "new": 1}]}
    assert LivingBlock.from_json(written) == LivingBlock("tasks", "Tasks", "en", (BlockRow("a"),))


def test_answer_to_a_query_says_what_fits() -> None:
    """The state is left out first, then the notice."""
    assert json.loads(query_answer("Done.", '[["note","x"]]')) == {
        "note": "Done.",
        "state": [["note", "x"]],
    }
    long = json.dumps([["note", "x" * 1_010]])
    assert json.loads(query_answer("Done.", long)) == {"note": "Done."}
    assert json.loads(query_answer("x" * 1_100, "")) == {}
    assert json.loads(query_answer("Wait.")) == {"note": "Wait."}


@pytest.mark.parametrize("size", [0, 65])
def test_action_has_as_many_bytes_as_telegram_takes(size: int) -> None:
    """One to 64."""
    with pytest.raises(ValueError, match="1 to 64 bytes"):
        BlockAction("x", "y" * size)


def test_chart_is_kept_as_json() -> None:
    """With its words, and without."""
    block = replace(BLOCK, chart=replace(CHART, words=(("3", "−1.5"),)), steps=(1, 3))
    assert LivingBlock.from_json(json.loads(json.dumps(block.to_json()))) == block


def test_document_shows_everything_without_its_script() -> None:
    """Rows, buttons, steps, and the chart as a drawing and a table."""
    html = widget_html(replace(BLOCK, chart=CHART, steps=(1, 3), note="One is done."))
    assert html is not None
    page = re.sub(r"<script>.*</script>", "", html, flags=re.DOTALL)
    for words in ("Task 5", 'data-a="d:5"', '<progress value="1" max="3"', "One is done."):
        assert words in page
    assert page.count("<rect") == 2
    assert re.search(r'<th scope="row" dir="auto">June</th><td dir="auto">-1.5</td>', page)
    assert len(zlib.compress(html.encode(), 9)) <= MOST_COMPRESSED_BYTES


def test_document_that_is_too_large_is_none() -> None:
    """Random letters, which do not compress."""
    text = "".join(chr(33 + zlib.crc32(str(number).encode()) % 90) for number in range(4_000))
    assert widget_html(with_row(1, text=text)) is None


HOSTILE = (
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ 7*7 }} {% raw %}",
    "<!--<script>",
    "\u2028alert(1)//",
    "';alert(1);'",
    "]]></style><svg onload=alert(1)>",
    "&lt;b&gt; &amp;",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_words_of_strangers_are_never_code(text: str) -> None:
    """Wherever they stand: no element and no script is added."""
    row = BlockRow(text, "1", text, text, text, actions=(BlockAction(text, "d:1", text),))
    block = LivingBlock("tasks", text, "en", (row,), note=text, chart=replace(CHART, corner=text))
    html = widget_html(block)
    plain = widget_html(replace(block, rows=(BlockRow("a", "1", "a", "a", "a"),)))
    assert html is not None
    assert plain is not None
    for tag in ("<script", "<img", "<style", "onerror=alert(1)>", "<svg onload"):
        assert html.count(tag) == plain.count(tag)
    assert html.count("</script") == 1
    data = re.search(r"const block = (.*), words = ", html)
    assert data
    assert json.loads(data[1])["rows"][0]["text"] == text


@pytest.mark.parametrize("arguments", TRICKS)
def test_approval_shows_every_argument_as_it_is_run(arguments: dict[str, Any]) -> None:
    """Each in a row of its own, which no text of another can become a part of."""
    card = card_of(ToolCall("call_1", "bank__pay", arguments))
    question = QuestionAsked("tg:1", "Shall I do this?", cards=(card,), approves="f")
    html = widget_html(approval_block(question, "en"))
    assert html is not None
    page = lxml.html.fromstring(html)
    rows = [
        (row.findtext(".//b"), "".join(row.xpath(".//p//text()")))
        for row in page.iterfind(".//li")
        if row.find(".//b") is not None
    ]
    assert rows == [(field.name, field.value) for field in card.fields]
