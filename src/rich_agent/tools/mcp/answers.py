"""Answers of a server to a call, as a result that a model reads and an answer can cite."""

import json
from collections.abc import Iterator

from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.tools import ResultState, ToolCall, ToolResult
from rich_agent.ports.mcp import ServerAnswer, ServerText
from rich_agent.tools.attempting import MOST_RESULT_CHARS, failed
from rich_agent.tools.mcp.listing import McpTool


def result_of(call: ToolCall, answer: ServerAnswer, tool: McpTool) -> ResultState:
    """Texts are passages; data is shown as it is. What is neither is named only.

    Data of a call that may have changed something is a passage too: it may be all that was asked.
    """
    if answer.is_error:
        said = " ".join(text.text for text in answer.texts) or _written(answer.data)
        return failed(call, said or "The tool says that it failed, and not why.")
    passages = tuple(_passages(call, answer, tool))
    content: dict[str, object] = {"result": answer.data} if answer.data is not None else {}
    if answer.attachments:
        content["attachments_that_you_cannot_see"] = list(answer.attachments)
    if not passages and not content:
        content = {"result": "done, without a word"}
    done = "" if tool.only_reads else tool.title
    return ToolResult(
        call.id, "success", _written(content)[:MOST_RESULT_CHARS], passages, done
    ).to_state()


def _passages(call: ToolCall, answer: ServerAnswer, tool: McpTool) -> Iterator[Passage]:
    """Each text, until there is enough; behind them, what was attached."""
    texts = [text for text in answer.texts if text.text.strip()]
    if answer.data is not None and not tool.only_reads:
        texts = [ServerText(_written(answer.data)), *texts]
    left = MOST_RESULT_CHARS
    for number, text in enumerate(texts, start=1):
        if left > 0:
            title = text.title or tool.title
            yield Passage(
                f"tool:{call.id}:{number}", "tool", text.text[:left], text.url, title, link=text.url
            )
        left -= len(text.text)
    if texts and answer.attachments:
        named = "Attached, and not shown here: " + "; ".join(answer.attachments)
        yield Passage(f"tool:{call.id}:attached", "tool", named[:MOST_RESULT_CHARS], "", tool.title)


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) if value is not None else ""
