"""Makes links in a model's text harmless for any client that renders Markdown.

A link that a person opens, and an image that a client loads automatically, can send away what the
model has read. Only allowed addresses remain links. Other addresses become code, and tags become
text. Clients differ in how strictly they read Markdown, so text that only some clients read as code
is guarded.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from rich_agent.domain.answer.links import AllowedLinks
from rich_agent.domain.text import LONGEST_ANSWER
from rich_agent.web.link_tokens import GuardedLine

_OPENING = re.compile(
    r"(?P<before>[ >]*+(?:(?:[-*+]|\d{1,9}[.)])[ ]{1,4})?+)(?P<mark>`{3,}+(?=[^`]*+\Z)|~{3,}+)"
)
_ITEM = re.compile(r"[ ]*+(?:[-*+]|(?P<number>\d{1,9})[.)])[ ]{1,4}+(?=\S|\Z)")
_LIKE_ITEM = re.compile(r"\s*+(?:[-*+]|\d{1,9}[.)])(?:\s|\Z)")
_QUOTE = re.compile(r"[ ]{0,3}>(?:[ ]{0,4}>){0,9}[ ]{0,4}\Z")
_RULE = re.compile(r"[ ]*+(?:[-*_][ ]*+){3,}\Z")
_CODE_INDENT = 4
"""A mark after this many spaces is a line of code."""


@dataclass(frozen=True, slots=True)
class Fence:
    """An open block of code: the text before its `mark`, and whether its lines are always code.

    `in_list`: it ends with its list item, and clients differ there. `depth`: of the quotes around
    it.
    """

    before: str
    mark: str
    in_list: bool = False
    depth: int = 0

    @property
    def is_code(self) -> bool:
        """Whether every client reads its lines as code."""
        return not self.before.strip(" ")

    @property
    def closing(self) -> str:
        """The line that ends it for every client."""
        prefix = self.before if self.depth else " " * len(self.before)
        return prefix + self.mark

    def holds(self, line: str) -> bool:
        """Whether every client reads the line as part of the block."""
        if self.depth:
            return _inside_quotes(line, self.depth) is not None
        is_short = bool(line[: len(self.before)].strip(" "))
        return not self.in_list or _is_blank(line) or not is_short

    def is_closed_by(self, line: str) -> bool:
        """Whether a line ends it; in a list, the indentation may differ from the opening line's."""
        inner_line = _inside_quotes(line, self.depth) if self.depth else line
        mark = (inner_line or "").strip()
        indent = len(inner_line or "") - len((inner_line or "").lstrip())
        most_indent = _CODE_INDENT + (len(self.before) if self.in_list else 0)
        is_mark = len(mark) >= len(self.mark) and not mark.strip(self.mark[0])
        return is_mark and indent < most_indent and not (inner_line or "")[:indent].strip(" ")


def _inside_quotes(line: str, depth: int) -> str | None:
    """The text of a line inside `depth` quotes, None if the line is outside of them."""
    for _ in range(depth):
        line_without_indent = line.lstrip(" ")
        if (
            not line_without_indent.startswith(">")
            or len(line) - len(line_without_indent) >= _CODE_INDENT
        ):
            return None
        line = line_without_indent[1:].removeprefix(" ")
    return line


def _is_blank(line: str) -> bool:
    return not line.strip(" \t")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


@dataclass(slots=True)
class Blocks:
    """The open lists and their items after the lines that were read.

    `_items`: the text column of each open item, for items that every client reads as such.
    """

    _items: list[int] = field(default_factory=list)
    _may_be_list: bool = False
    _is_behind_blank: bool = True

    def fence_at(self, line: str) -> Fence | None:
        """The block of code that a line begins, if any."""
        match = _OPENING.match(line)
        if match is None:
            return None
        prefix, mark, indent = match["before"], match["mark"], _indent(line)
        if not self._is_block(indent):
            return None
        if not prefix.strip(" "):
            return Fence(prefix, mark, self._may_be_list and indent > 0)
        if _QUOTE.match(prefix):
            return Fence(prefix, mark, depth=prefix.count(">"))
        return Fence(prefix, mark, in_list=True) if self._is_item(prefix, indent) else None

    def _is_block(self, indent: int) -> bool:
        """Whether text with this indentation is not a line of indented code."""
        outer = max((item for item in self._items if item <= indent), default=0)
        return indent - outer < _CODE_INDENT

    def _is_item(self, line: str, indent: int) -> bool:
        """Whether the line begins an item, and does not continue a paragraph with a number."""
        match = _ITEM.match(line)
        leaves = bool(self._items) and self._items[-1] > indent
        return (
            match is not None
            and not _RULE.match(line)
            and (self._is_behind_blank or leaves or match["number"] in {None, "1"})
            and self._is_block(indent)
        )

    def read(self, line: str) -> None:
        """Read a line that is not code."""
        if _is_blank(line):
            self._is_behind_blank = True
            return
        indent = _indent(line)
        if _LIKE_ITEM.match(line):
            self._may_be_list = True
        elif self._is_behind_blank and not indent and not line[0].isspace():
            self._may_be_list = False
        is_item = self._is_item(line, indent)
        self._close(indent)
        if is_item and (item := _ITEM.match(line)):
            self._items.append(item.end())
        self._is_behind_blank = False

    def leave(self, fence: Fence) -> None:
        """Read the end of a block of code."""
        self._close(_indent(f"{fence.before}|"))
        self._may_be_list = self._may_be_list or fence.in_list
        self._is_behind_blank = True

    def _close(self, least_indent: int) -> None:
        while self._items and self._items[-1] > least_indent:
            self._items.pop()


_MOST_CHARS = LONGEST_ANSWER + 10_000
"""The size of an answer with the additions below it; further text is dropped."""
_BEFORE_MARK = re.compile(r"[\s>*+.)\d-]*+")
_MARKS = ("```", "~~~")


def guard_links(text: str, links: Iterable[str] = ()) -> str:
    """Markdown that links only to `links`; code stays, and an open block of code is closed."""
    guard = LinkGuard(AllowedLinks.of(links))
    return guard.feed(text) + guard.end()


@dataclass(slots=True)
class LinkGuard:
    """Guards one growing text.

    The time for a piece depends only on the piece. Text that a later character may change is held
    back: the end of a line, up to a few thousand characters of a token, and a line that may begin
    or end a block of code.
    """

    links: AllowedLinks
    _count: int = 0
    _has_return: bool = False
    _fence: Fence | None = None
    _is_agreed: bool = False
    _blocks: Blocks = field(default_factory=Blocks)
    _line: list[str] = field(default_factory=list)
    _mark: str | None = ""
    _text: GuardedLine | None = None
    _in_code: bool = False
    _in_formula: bool = False
    _is_ambiguous: bool = False

    def feed(self, piece: str) -> str:
        """Read a piece; return the text that has become final."""
        piece = piece[: _MOST_CHARS - self._count]
        self._count += len(piece)
        line_part, *following_lines = self._lines(piece)
        parts = [self._grow(line_part)]
        for line in following_lines:
            parts += [self._end_line(), "\n", self._grow(line)]
        return "".join(parts)

    def end(self) -> str:
        """The rest of the text, with its code closed."""
        remaining_text = self._end_line() + ("\n" if self._has_return else "")
        if self._fence and self._is_agreed and not self._fence.depth:
            return f"{remaining_text}\n{self._fence.closing}"
        return remaining_text

    @property
    def _is_sure(self) -> bool:
        """Whether every client reads the current line as code."""
        return self._fence is not None and self._fence.is_code and self._is_agreed

    def _lines(self, piece: str) -> list[str]:
        if self._has_return and piece:
            piece, self._has_return = piece if piece[0] == "\n" else f"\n{piece}", False
        if piece.endswith("\r"):
            piece, self._has_return = piece[:-1], True
        return piece.replace("\r\n", "\n").replace("\r", "\n").split("\n")

    def _grow(self, part: str) -> str:
        """Read more of a line; hold it back while it may be the mark of a block."""
        if not part:
            return ""
        self._line.append(part)
        if self._in_code:
            return part
        if self._text is None and self._may_be_mark(part):
            return ""
        return self._write(part)

    def _may_be_mark(self, part: str) -> bool:
        """Whether the line so far may begin or end a block."""
        if self._mark == "":
            part = _BEFORE_MARK.sub("", part, count=1)
        if self._mark is not None and len(self._mark) < 3:
            self._mark += part[: 3 - len(self._mark)]
            if not any(mark.startswith(self._mark) for mark in _MARKS):
                self._mark = None
        if self._mark and self._fence and self._is_sure:
            # Within code, a line that only begins with a mark is code.
            line_end = part.strip().strip(self._fence.mark[0])
            self._mark = None if line_end else self._mark
        return self._mark is not None

    def _write(self, part: str) -> str:
        """Read more of a line that is not a mark, as code or as text to guard."""
        if self._text is not None:
            return self._text.feed(part)
        line, text = "".join(self._line), ""
        if self._fence and not self._fence.holds(line):
            text = self._leave()
        if self._is_sure:
            self._in_code = True
            return line
        self._text = GuardedLine(self.links, self._in_formula or self._is_ambiguous)
        return text + self._text.feed(line)

    def _leave(self) -> str:
        """End a block that ends with its list, also for clients that would continue it."""
        fence, self._fence = self._fence, None
        if fence is None:
            return ""
        self._blocks.leave(fence)
        return f"{fence.closing}\n" if self._is_agreed and not fence.depth else ""

    def _end_line(self) -> str:
        line = "".join(self._line)
        text = "" if self._in_code else self._end_of_line(line)
        self._line, self._mark, self._text, self._in_code = [], "", None, False
        return text

    def _end_of_line(self, line: str) -> str:
        if self._text is None:
            fence = self._fence
            if fence and fence.is_closed_by(line):
                self._fence = None
                self._blocks.leave(fence)
                return fence.closing if fence.in_list else line.rstrip()
            remainder = self._leave() if fence and not fence.holds(line) else ""
            if self._fence is None and (new_fence := self._blocks.fence_at(line)):
                return remainder + self._open(new_fence, line)
            if self._is_sure:
                return line
            return remainder + self._end_text(line, _without_mark(line))
        return self._end_text(line, "")

    def _open(self, fence: Fence, line: str) -> str:
        # A client that reads a formula here does not read a block.
        self._fence, self._is_agreed = fence, not self._in_formula
        if self._is_sure:
            return line
        start = fence.before + fence.mark
        text = GuardedLine(self.links, is_ambiguous=True)
        guarded_rest = text.feed(line[len(start) :]) + text.end()
        if "`" in guarded_rest and fence.mark[0] == "`":
            # Now no client reads a block here; a code span after the mark would be split.
            self._fence = None
            return self._end_text(line, line)
        return start + guarded_rest

    def _end_text(self, line: str, remaining_text: str) -> str:
        text = self._text or GuardedLine(self.links, self._in_formula or self._is_ambiguous)
        output = text.feed(remaining_text) + text.end()
        if self._fence is None:
            self._blocks.read(line)
        if _has_open_formula(line):
            self._in_formula = not self._in_formula
        # A formula of one dollar ends with its paragraph.
        self._is_ambiguous = bool(line.strip()) and (self._is_ambiguous or "$" in line)
        return output


@dataclass(slots=True)
class TextBehind:
    """The new part of a growing text, guarded; the reader already has `text_before`.

    If the growing text does not begin with it, there is no new part.
    """

    guard: LinkGuard
    text_before: str = ""
    _raw: list[str] = field(default_factory=list)
    _is_other: bool = False
    _is_ended: bool = False
    _at: int = 0

    def feed(self, piece: str) -> str:
        """Read a piece; return the new text that has become final."""
        self._raw.append(piece)
        return self._new(self.guard.feed(piece))

    def end(self) -> str:
        """The rest of the text, with its code closed."""
        self._is_ended = True
        return self._new(self.guard.end())

    def rest_of(self, whole: str) -> str | None:
        """The text that `whole` adds, None if it differs from the text so far."""
        text_so_far = "".join(self._raw)
        if self._is_ended or not whole.startswith(text_so_far):
            return None
        added_text = self.feed(whole[len(text_so_far) :]) + self.end()
        return None if self._is_other else added_text

    def _new(self, text: str) -> str:
        known_part = self.text_before[self._at : self._at + len(text)]
        self._at += len(known_part)
        self._is_other = self._is_other or not text.startswith(known_part)
        return "" if self._is_other else text[len(known_part) :]


def _without_mark(line: str) -> str:
    """The line with an escaped mark, so that no client reads it as the beginning of a block.

    Only `~~~` needs this; other marks are guarded as text.
    """
    marked_part = _BEFORE_MARK.sub("", line, count=1)
    return (
        line.removesuffix(marked_part) + f"\\{marked_part}"
        if marked_part.startswith("~~~")
        else line
    )


def _has_open_formula(line: str) -> bool:
    """Whether a formula of several lines begins or ends here, for clients that know formulas."""
    mark_count = line.count("$$") + (line.strip() == "$") + line.count("\\[") + line.count("\\]")
    return mark_count % 2 == 1
