"""Living blocks of guided sessions: which one can begin, the open one with its results, its end."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from rich_agent.feature import Button, say
from rich_agent.feature.living import BlockAction, BlockRow, LivingBlock, RowMark
from rich_agent.feature.text import printable, shorten
from rich_agent.features.session.records import SessionRecord
from rich_agent.features.session.tools import END_TOOL

KIND = "session"
END_VERB = "sessionend1"
_MOST_RESULTS = 5
_SUMMARY_CHARS = 300
_MARKS: Mapping[str, RowMark] = {"active": "current", "completed": "done", "cancelled": ""}


def choice_block(buttons: Sequence[Button], locale: str) -> LivingBlock | None:
    """The sessions that can begin, each as a button; None if the name of one is too long for it."""
    what = say(locale, "command-session")
    with suppress(ValueError):
        actions = [BlockAction(one.text, one.data, f"{what}: {one.text}") for one in buttons]
        return LivingBlock(KIND, say(locale, "session-which"), locale, actions=tuple(actions))
    return None


def session_block(record: SessionRecord, title: str, locale: str) -> LivingBlock:
    """A session with its newest results: open and with the way out, or ended."""
    session_id, is_open = record.session.id, record.status == "active"
    saved = [_result_row(one, locale) for one in record.outputs]
    numbered = [replace(row, key=f"result-{number}") for number, row in enumerate(saved)]
    state = BlockRow(title, f"session-{session_id}", mark=_MARKS[record.status])
    rows = (state, *numbered[-_MOST_RESULTS:])
    if not is_open:
        return LivingBlock(KIND, end_sentence(record, title, locale), locale, rows)
    leave = say(locale, f"tool-{END_TOOL}")
    action = BlockAction(leave, f"{END_VERB}:{session_id}", f"{leave}: {title}", "danger")
    heading = f"{say(locale, 'session-page')}: {title}"
    return LivingBlock(KIND, heading, locale, rows, (action,))


def end_sentence(record: SessionRecord, title: str, locale: str) -> str:
    """The sentence that says in which way a session ended."""
    return say(locale, f"session-{record.status}", title=title)


def _result_row(output: Mapping[str, Any], locale: str) -> BlockRow:
    """A result by its kind; a summary with its words."""
    if kind := output.get("output_type"):
        return BlockRow(say(locale, f"session-output-{kind}"))
    summary = shorten(printable(str(output.get("summary", ""))), _SUMMARY_CHARS)
    return BlockRow(summary, label=say(locale, "session-output-summary"))
