"""Cards of what waits for approval, at the terminal: whole, and no line can pass for another."""

import shutil
import sys
from collections.abc import Iterable, Iterator

import wcwidth

from rich_agent.domain.approving.cards import ApprovalCard, card_text

_GOES_ON = "┊ "
_LEAST_COLUMNS = 20


def printed_cards(cards: Iterable[ApprovalCard]) -> str:
    """The cards as they are printed: on a terminal, a line that goes on says so by its mark."""
    text = card_text(cards)
    if not sys.stdout.isatty():
        return text
    columns = max(_LEAST_COLUMNS, shutil.get_terminal_size().columns) - 1
    return "\n".join(part for line in text.split("\n") for part in _wrapped(line, columns))


def _wrapped(line: str, columns: int) -> Iterator[str]:
    """The line in parts that fit; a character is never cut from the marks on it."""
    part, width = "", 0
    for grapheme in wcwidth.iter_graphemes(line):
        wide = max(0, wcwidth.wcswidth(grapheme))
        if width + wide > columns:
            yield part
            part, width = _GOES_ON, len(_GOES_ON)
        part, width = part + grapheme, width + wide
    yield part
