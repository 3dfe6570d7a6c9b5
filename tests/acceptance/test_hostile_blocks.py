"""Hostile names in living blocks, as a browser shows them: nothing runs, hides or moves."""

import json
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from selenium import webdriver

from rich_agent.attachments import block_of
from rich_agent.domain.living_blocks import LivingBlock, state_of
from rich_agent.feature import Attachment
from rich_agent.rendering.widgets import widget_html
from tests.acceptance.browsing import axe_problems
from tests.hostile_names import HOSTILE_NAMES
from tests.unit.chat_commands.test_source_blocks import block_of as block_of_sources
from tests.unit.chat_commands.test_source_blocks import source

BEFORE = (
    "globalThis.TelegramWidget = { request: async () => null, chatData: '' }; globalThis.ran = 0;"
)
LOOK = """
const seen = [...document.querySelectorAll("main, main *:not(svg, svg *)")];
const lines = [...document.querySelectorAll("main > h1, li, tr")].map((one) => {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  return [left, top, right, bottom];
});
return {
  ran: globalThis.ran,
  tags: [...document.documentElement.querySelectorAll("*")].map((one) => one.tagName).join(" "),
  marks: [...new Set(seen.flatMap((one) => one.getAttributeNames()))].sort().join(" "),
  hidden: seen.filter((one) => one.id !== "note" && !one.checkVisibility()).map((one) => one.id),
  lines, wide: document.documentElement.scrollWidth, width: innerWidth,
};
"""


def shown(browser: webdriver.Chrome, block: LivingBlock, now: LivingBlock | None = None) -> Any:
    """The elements that the browser shows of a block, as it was sent or as it is now."""
    html = widget_html(block)
    assert html is not None
    browser.get(f"data:text/html;base64,{b64encode(html.encode()).decode()}")
    if now:
        state = state_of(block, now)
        assert state
        browser.execute_script(
            "TelegramWidget.chatData = arguments[0]; TelegramWidget.onChatData()", state
        )
    return browser.execute_script(LOOK)


def chart_of(names: Sequence[str]) -> LivingBlock:
    """A block with the names as cells, the first two as title and headings."""
    rows = [[name, number, number + 1] for number, name in enumerate(names, start=1)]
    kinds = ["text", "number", "number"]
    content = {"columns": [names[1], "n", names[0]], "kinds": kinds, "rows": rows}
    block = block_of(Attachment("computed", names[0], content), "en")
    assert block is not None
    return block


def sources_of(names: Sequence[str]) -> LivingBlock:
    """A block with the names as titles, passages and files."""
    sources = (
        source(number, name, f"{name[:30]}\n\n{name[:30]}", name[:300])
        for number, name in enumerate(names, start=1)
    )
    block = block_of_sources(*sources)
    assert block is not None
    # A name that stands in the line already is left out below it.
    rows = tuple(replace(row, details=row.details or row.text) for row in block.rows)
    return replace(block, title=names[0][:80], rows=rows)


def is_in_order(lines: list[list[float]], width: float) -> bool:
    """Whether lines follow each other without covering one another, all of them in sight."""
    tops = all(lines[n][3] <= lines[n + 1][1] + 1 for n in range(len(lines) - 1))
    return tops and all(left >= 0 and right <= width + 1 for left, _, right, _ in lines)


@pytest.mark.costs("it shows many widgets in a browser")
@pytest.mark.feature("tables")
def test_hostile_names_are_only_words(browser: webdriver.Chrome) -> None:
    """The elements are those of harmless names, before and after the block changes."""
    script = {"source": BEFORE}
    added = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", script)
    try:
        for names in batched(HOSTILE_NAMES, 8):
            for make in (chart_of, sources_of):
                expected = shown(browser, make([f"Name {number}" for number in range(len(names))]))
                assert axe_problems(browser) == []
                block = make(names)
                assert_harmless(shown(browser, block), expected)
                changed = replace(block, note=names[1][:200], title=names[2][:80])
                assert_harmless(shown(browser, block, changed), expected)
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def batched(names: Sequence[str], count: int) -> list[Sequence[str]]:
    """The names in groups that a block has room for."""
    return [names[start : start + count] for start in range(0, len(names), count)]


def assert_harmless(view: Any, expected: Any) -> None:
    """Check that a block has the elements and attributes of a harmless one, in their order."""
    told = json.dumps(view)
    assert view["ran"] == 0, told
    assert view["tags"] == expected["tags"], told
    assert view["marks"] == expected["marks"], told
    assert view["hidden"] == expected["hidden"], told
    assert view["wide"] <= view["width"], told
    assert is_in_order(view["lines"], view["width"]), told
