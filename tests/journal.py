"""The journal of a test run: what any bot of any test asked of Telegram, checked call by call.

Every sandbox of a run, in a thread or in a process, appends its calls to the journal of the pytest
process that it belongs to; `DELETE /sim` and kills leave it whole.
"""

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from rich_agent.domain.languages import LOCALE_BY_CODE
from rich_agent.phrases import say
from tests.contract.telegram_models import check_call

JOURNAL_VARIABLE = "SANDBOX_JOURNAL"
_UNAUTHORIZED = 401
_COUNTS = ".counts.json"


@dataclass(slots=True)
class Journal:
    """Reads on where it stopped; a last line that is still being written waits."""

    file: Path
    checked: Counter[str] = field(default_factory=Counter)
    _offset: int = 0

    def check_new(self) -> None:
        """Assert that each new call to Telegram has the Bot API's form, and is safe.

        What came with a wrong token was refused unread.
        """
        wrong = []
        for call in self._new_calls():
            if call["upstream"] == "telegram" and call["status"] != _UNAUTHORIZED:
                self.checked[call["method"]] += 1
                try:
                    check_call(call["method"], call["body"])
                    check_safety(call["method"], call["body"])
                except AssertionError as error:
                    wrong.append(str(error))
        assert not wrong, "wrong calls to Telegram's Bot API:\n" + "\n".join(wrong)

    def close(self) -> None:
        """Check the rest, and leave the counts for the summary."""
        self.check_new()
        self.file.with_suffix(_COUNTS).write_text(json.dumps(self.checked))

    def _new_calls(self) -> Iterator[dict[str, Any]]:
        if not self.file.exists():
            return
        with self.file.open("rb") as lines:
            lines.seek(self._offset)
            for line in lines:
                if not line.endswith(b"\n"):
                    return
                self._offset += len(line)
                yield json.loads(line)


@cache
def _placeholders() -> frozenset[str]:
    """The text of a message that becomes a private answer, in each language."""
    return frozenset(say(locale, "status-thinking") for locale in LOCALE_BY_CODE.values())


def check_safety(method: str, body: Mapping[str, Any]) -> None:
    """Assert what holds whatever the bot calls.

    No preview carries an address away, no markup can be left open, and no update is dropped.
    """
    if method in {"sendMessage", "editMessageText"} and "rich_message" not in body:
        preview = body.get("link_preview_options") or {}
        assert preview.get("is_disabled"), f"{method} lets Telegram fetch a preview"
    if "ephemeral_message_parameters" in body:
        # An old server shows it to everybody: what only the receiver may read is put in by an edit.
        assert body.get("text") in _placeholders(), f"{method} shows a content to all"
    if "rich_message" in body:
        rich = body["rich_message"]
        assert rich.get("skip_entity_detection"), f"{method} lets Telegram find links"
        assert not {"markdown", "html"} & set(rich), f"{method} has markup that Telegram parses"
    if method == "answerGuestQuery":
        preview = body["result"]["input_message_content"].get("link_preview_options") or {}
        assert preview.get("is_disabled"), f"{method} lets Telegram fetch a preview"
    assert not body.get("parse_mode"), f"{method} has markup that Telegram parses"
    assert not body.get("drop_pending_updates"), f"{method} drops what users wrote"


@contextmanager
def open_journal(directory: Path) -> Iterator[Journal]:
    """The journal of this process, named to every sandbox that it starts."""
    journal = Journal(directory / f"calls-{os.getpid()}.jsonl")
    os.environ[JOURNAL_VARIABLE] = str(journal.file)
    try:
        yield journal
    finally:
        del os.environ[JOURNAL_VARIABLE]
    journal.close()


def checked_calls(directory: Path) -> Counter[str]:
    """The number of calls of each method that all processes of the run have checked."""
    counts: Counter[str] = Counter()
    for file in directory.glob(f"calls-*{_COUNTS}"):
        counts.update(json.loads(file.read_text()))
    return counts
