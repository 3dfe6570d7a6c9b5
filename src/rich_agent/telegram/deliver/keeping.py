"""The buttons Remember and Only here, below what was said about files."""

from collections.abc import Sequence

from rich_agent.phrases import say
from rich_agent.ports.bot_api import Button

KEEP_FILES_VERB = "keepfiles1"
_DATA_BYTES = 64


def keeping_row(
    locale: str, files: Sequence[int], *, kept: bool | None = None
) -> tuple[tuple[Button, ...], ...]:
    """A row for these files, in which what was chosen is marked; no row without files.

    As many files as the data of a button has room for. Source: Bot API, InlineKeyboardButton.
    """
    if not files:
        return ()
    numbers = ",".join(map(str, files))[: _DATA_BYTES - len(f"{KEEP_FILES_VERB}:yes:")]
    if len(numbers) < len(",".join(map(str, files))):
        numbers = numbers.rpartition(",")[0]
    choices = (("yes", "file-keep-button", True), ("no", "file-only-here-button", False))
    return (
        tuple(
            Button(
                f"{say(locale, phrase)} ✓" if kept is chosen else say(locale, phrase),
                f"{KEEP_FILES_VERB}:{choice}:{numbers}",
            )
            for choice, phrase, chosen in choices
        ),
    )
