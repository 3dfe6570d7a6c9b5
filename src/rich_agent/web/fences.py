"""Finds blocks of fenced code line by line, as CommonMark reads them.

A mark that not every client takes for the beginning of a block is not found: the caller
has to write it so that no client does.
"""

import re
from dataclasses import dataclass, field

_OPENING = re.compile(
    r"(?P<before>[ >]*+(?:(?:[-*+]|\d{1,9}[.)])[ ]{1,4})?+)(?P<mark>`{3,}+(?=[^`]*+\Z)|~{3,}+)"
)
_ITEM = re.compile(r"[ ]*+(?:[-*+]|(?P<number>\d{1,9})[.)])[ ]{1,4}+(?=\S|\Z)")
_LIKE_ITEM = re.compile(r"\s*+(?:[-*+]|\d{1,9}[.)])(?:\s|\Z)")
_QUOTE = re.compile(r"[ ]{0,3}>(?:[ ]{0,4}>){0,9}[ ]{0,4}\Z")
_RULE = re.compile(r"[ ]*+(?:[-*_][ ]*+){3,}\Z")
_CODE_INDENT = 4
"""Behind so many blanks, a mark is a line of code."""


@dataclass(frozen=True, slots=True)
class Fence:
    """An open block of code: what stands before its `mark`, and whether every line is code.

    `in_list`: it ends with its item, where clients differ. `depth`: of the quotes it stands in.
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
        before = self.before if self.depth else " " * len(self.before)
        return before + self.mark

    def holds(self, line: str) -> bool:
        """Whether a line is one of the block's for every client."""
        if self.depth:
            return _quoted(line, self.depth) is not None
        is_short = bool(line[: len(self.before)].strip(" "))
        return not self.in_list or _is_blank(line) or not is_short

    def is_closed_by(self, line: str) -> bool:
        """Whether a line ends it; in a list also with another indentation than it began with."""
        inner = _quoted(line, self.depth) if self.depth else line
        mark = (inner or "").strip()
        indent = len(inner or "") - len((inner or "").lstrip())
        most = _CODE_INDENT + (len(self.before) if self.in_list else 0)
        is_mark = len(mark) >= len(self.mark) and not mark.strip(self.mark[0])
        return is_mark and indent < most and not (inner or "")[:indent].strip(" ")


def _quoted(line: str, depth: int) -> str | None:
    """The text that stands in so many quotes, None if the line leaves them."""
    for _ in range(depth):
        inner = line.lstrip(" ")
        if not inner.startswith(">") or len(line) - len(inner) >= _CODE_INDENT:
            return None
        line = inner[1:].removeprefix(" ")
    return line


def _is_blank(line: str) -> bool:
    return not line.strip(" \t")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


@dataclass(slots=True)
class Blocks:
    """The places of lists, after the lines that were read.

    `_items`: where the text of each open item begins, for those that every client takes for one.
    """

    _items: list[int] = field(default_factory=list)
    _may_be_list: bool = False
    _is_behind_blank: bool = True

    def opened_by(self, line: str) -> Fence | None:
        """The block of code that a line begins."""
        found = _OPENING.match(line)
        if found is None:
            return None
        before, mark, indent = found["before"], found["mark"], _indent(line)
        if not self._is_block(indent):
            return None
        if not before.strip(" "):
            return Fence(before, mark, self._may_be_list and indent > 0)
        if _QUOTE.match(before):
            return Fence(before, mark, depth=before.count(">"))
        return Fence(before, mark, in_list=True) if self._is_item(before, indent) else None

    def _is_block(self, indent: int) -> bool:
        """Whether what is indented like this is no line of code."""
        outer = max((item for item in self._items if item <= indent), default=0)
        return indent - outer < _CODE_INDENT

    def _is_item(self, line: str, indent: int) -> bool:
        """Whether an item begins here, or a paragraph goes on with a number."""
        found = _ITEM.match(line)
        leaves = bool(self._items) and self._items[-1] > indent
        return (
            found is not None
            and not _RULE.match(line)
            and (self._is_behind_blank or leaves or found["number"] in {None, "1"})
            and self._is_block(indent)
        )

    def read(self, line: str) -> None:
        """Take a line that is no code."""
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
        if is_item and (found := _ITEM.match(line)):
            self._items.append(found.end())
        self._is_behind_blank = False

    def leave(self, fence: Fence) -> None:
        """Take the end of a block of code."""
        self._close(_indent(f"{fence.before}|"))
        self._may_be_list = self._may_be_list or fence.in_list
        self._is_behind_blank = True

    def _close(self, indent: int) -> None:
        while self._items and self._items[-1] > indent:
            self._items.pop()
