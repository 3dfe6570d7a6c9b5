"""Growing Markdown, as Telegram takes it and as its reader sees it."""

import re

import pytest

from rich_agent.rendering.answers import GrowingMessage
from tests.integration.telegram_support import Sim, open_client
from tests.sandbox_server import RunningSandbox

ADA = 42
STEP = 4
CORPUS = {
    "emphasis": "It is **very important** and *really* so, ***both***, ~~not~~ ||hidden||.",
    "code": "Call `run()` first:\n\n```python\nfor x in y:\n    print('**x**')\n```\n\nDone.",
    "links": "See [the docs](https://docs.example/a_(b)), or ![cat](https://x.example/c.png) [1].",
    "lists": "# Steps\n\n1. **One**: `a`\n2. Two\n   - nested *item*\n   - [x] done\n\n"
    "> a **quote**",
    "table": "Prices:\n\n| Item | Price |\n|:---|---:|\n| Tea | $5 |\n"
    "| **Cake** | $6 |\n\nThat is all.",
    "japanese": "これは**重要**です。「`コード`」と次の表：\n\n"
    "| 項目 | 値 |\n|---|---|\n| 一 | 二 |",
    "formulas": "The sum $$\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}$$ holds, "
    "\\(x^2\\) too; it costs $5.",
    "nested fence": "````markdown\n```\ninside\n```\n````\n\nAfter **that** 👩‍👩‍👧 and 🇯🇵.",
}
HALF_MARKER = re.compile(r"\*\*|```|~~|\]\(|^\s*\|[-:| ]*$", re.MULTILINE)


@pytest.mark.req("TG-4")
@pytest.mark.parametrize("name", CORPUS)
async def test_every_prefix_can_be_shown(sandbox: RunningSandbox, sim: Sim, name: str) -> None:
    """Telegram takes each state of a growing answer; the last shows the whole."""
    await sim.send(ADA, "hello")
    text = CORPUS[name]
    async with open_client(sandbox) as client:
        message_id = None
        for end in (*range(1, len(text), STEP), len(text)):
            message = GrowingMessage().show(text[:end])
            if message is None:
                continue
            if message_id is None:
                message_id = await client.send_message(ADA, message)
            else:
                await client.edit_message(ADA, message_id, message)
    refused = [c for c in await sim.calls("editMessageText", "sendMessage") if c["status"] != 200]
    assert [c for c in refused if c["status"] != 400] == []
    assert len(refused) < len(text) // STEP


@pytest.mark.parametrize("name", CORPUS)
def test_no_prefix_shows_a_half_marker(name: str) -> None:
    """A marker that is still being written is shown as it will look, not as it is typed."""
    text = CORPUS[name]
    for end in range(1, len(text) + 1):
        message = GrowingMessage().show(text[:end])
        verbatim = {"pre", "code"}
        if message and not any(entity.type in verbatim for entity in message.entities):
            assert not HALF_MARKER.search(message.text), (text[:end], message.text)
