"""Makes links that a model wrote harmless for any client that renders Markdown.

A link that a person opens, and an image that a client loads by itself, can carry away what the
model has read. Only allowed addresses stay links; every other one reads as code, tags as text. How
strictly a client reads Markdown is unknown: what may be code or not is guarded like text.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from rich_agent.domain.answer.links import AllowedLinks
from rich_agent.web.fences import Fence, find_fences
from rich_agent.web.link_tokens import guard_line, has_open_formula

LONGEST = 100_000
"""Characters of an answer; what follows is left out."""


@dataclass(frozen=True, slots=True)
class LinkGuard:
    """Guards one text, also while it grows: what it has read of it is not read again."""

    allowed: AllowedLinks
    _known: dict[tuple[str, bool, bool], str] = field(default_factory=dict)

    def guard(self, text: str, *, is_whole: bool = True) -> str:
        """As `guard_links`."""
        text = text[:LONGEST]
        if text.endswith("\r") and not is_whole:
            text = text[:-1]
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        return _Text(lines, self, is_whole).guarded()

    def line(self, line: str, *, is_growing: bool, is_ambiguous: bool, is_mark: bool) -> str:
        """As `guard_line`."""
        key = (line, is_ambiguous, is_mark)
        if not is_growing and key in self._known:
            return self._known[key]
        shown = guard_line(
            line,
            self.allowed,
            is_growing=is_growing,
            is_ambiguous=is_ambiguous,
            is_mark=is_mark,
        )
        if not is_growing:
            self._known[key] = shown
        return shown


def guard_links(text: str, allowed: Iterable[str] = (), *, is_whole: bool = True) -> str:
    """Markdown that links to `allowed` addresses only; code spans and fenced code stay.

    Of a text that grows, what no later character can change: each result begins with the one
    before. A whole text ends with its code closed.
    """
    return LinkGuard(AllowedLinks.of(allowed)).guard(text, is_whole=is_whole)


class _Text:
    """A text by its lines, the last of which is unfinished unless it is whole."""

    def __init__(self, lines: list[str], guard: LinkGuard, is_whole: bool) -> None:  # noqa: FBT001
        self._lines = lines
        self._guard = guard
        self._is_whole = is_whole
        self._in_formula = False
        self._is_ambiguous = False
        self._parts: list[str] = []

    def guarded(self) -> str:
        done = 0
        for fence in find_fences(self._lines):
            self._write_text(done, fence.first)
            self._write_fence(fence)
            done = fence.end
        self._write_text(done, len(self._lines))
        return "".join(self._parts)

    def _write_text(self, first: int, end: int, *, in_fence: bool = False) -> None:
        for number in range(first, end):
            line = self._lines[number]
            shown = self._guard.line(
                line,
                is_growing=self._is_growing(number),
                is_ambiguous=self._in_formula or self._is_ambiguous,
                is_mark=in_fence,
            )
            self._write(number, shown)
            if has_open_formula(line):
                self._in_formula = not self._in_formula
            # A formula of one dollar ends with its paragraph.
            self._is_ambiguous = bool(line.strip()) and (self._is_ambiguous or "$" in line)

    def _write_fence(self, fence: Fence) -> None:
        certain_end = fence.first if self._in_formula else fence.certain_end
        for number in range(fence.first, certain_end):
            line = self._lines[number]
            # It may become the mark that ends the block, or what begins it.
            is_open = self._is_growing(number) and (
                number == fence.first or not line.strip().strip(fence.mark[-1])
            )
            self._write(number, "" if is_open else line)
        self._write_text(certain_end, fence.end, in_fence=True)
        if certain_end == fence.end and not fence.is_closed:
            self._close(fence)

    def _close(self, fence: Fence) -> None:
        """End a block that ends with its list, or with the text, for clients that read on."""
        if fence.end < len(self._lines):
            self._parts.append(f"{fence.mark}\n")
        elif self._is_whole:
            self._parts.append(f"\n{fence.mark}")

    def _write(self, number: int, shown: str) -> None:
        is_last = number == len(self._lines) - 1
        self._parts.append(shown if is_last else f"{shown}\n")

    def _is_growing(self, number: int) -> bool:
        return not self._is_whole and number == len(self._lines) - 1
