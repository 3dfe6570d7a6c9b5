"""Makes links that a model wrote harmless for any client that renders Markdown.

A link that a person opens, and an image that a client loads by itself, can carry away what the
model has read. Only allowed addresses stay links; every other one reads as code, tags as text. How
strictly a client reads Markdown is unknown: what may be code or not is guarded like text.
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
            return _inside_quotes(line, self.depth) is not None
        is_short = bool(line[: len(self.before)].strip(" "))
        return not self.in_list or _is_blank(line) or not is_short

    def is_closed_by(self, line: str) -> bool:
        """Whether a line ends it; in a list also with another indentation than it began with."""
        inner = _inside_quotes(line, self.depth) if self.depth else line
        mark = (inner or "").strip()
        indent = len(inner or "") - len((inner or "").lstrip())
        most = _CODE_INDENT + (len(self.before) if self.in_list else 0)
        is_mark = len(mark) >= len(self.mark) and not mark.strip(self.mark[0])
        return is_mark and indent < most and not (inner or "")[:indent].strip(" ")


def _inside_quotes(line: str, depth: int) -> str | None:
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

    def fence_at(self, line: str) -> Fence | None:
        """The block of code that a line begins."""
        match = _OPENING.match(line)
        if match is None:
            return None
        before, mark, indent = match["before"], match["mark"], _indent(line)
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
        match = _ITEM.match(line)
        leaves = bool(self._items) and self._items[-1] > indent
        return (
            match is not None
            and not _RULE.match(line)
            and (self._is_behind_blank or leaves or match["number"] in {None, "1"})
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
        if is_item and (item := _ITEM.match(line)):
            self._items.append(item.end())
        self._is_behind_blank = False

    def leave(self, fence: Fence) -> None:
        """Take the end of a block of code."""
        self._close(_indent(f"{fence.before}|"))
        self._may_be_list = self._may_be_list or fence.in_list
        self._is_behind_blank = True

    def _close(self, indent: int) -> None:
        while self._items and self._items[-1] > indent:
            self._items.pop()


_MOST_CHARS = LONGEST_ANSWER + 10_000
"""An answer with what the product adds below it; what follows is left out."""
_BEFORE_MARK = re.compile(r"[\s>*+.)\d-]*+")
_MARKS = ("```", "~~~")


def guard_links(text: str, links: Iterable[str] = ()) -> str:
    """Markdown that links to `links` only; code stays, and ends with its block."""
    guard = LinkGuard(AllowedLinks.of(links))
    return guard.feed(text) + guard.end()


@dataclass(slots=True)
class LinkGuard:
    """Guards one text while it grows. What a piece costs depends on the piece.

    Held back is what a later character may change: the end of a line, up to a few thousand
    characters of a token, and a line for as long as it may begin or end a block of code.
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
        """Read a piece; return what is certain now and was not before."""
        piece = piece[: _MOST_CHARS - self._count]
        self._count += len(piece)
        first, *others = self._lines(piece)
        parts = [self._grow(first)]
        for line in others:
            parts += [self._end_line(), "\n", self._grow(line)]
        return "".join(parts)

    def end(self) -> str:
        """The rest of the text, its code closed."""
        rest = self._end_line() + ("\n" if self._has_return else "")
        if self._fence and self._is_agreed and not self._fence.depth:
            return f"{rest}\n{self._fence.closing}"
        return rest

    @property
    def _is_sure(self) -> bool:
        """Whether every client reads code now."""
        return self._fence is not None and self._fence.is_code and self._is_agreed

    def _lines(self, piece: str) -> list[str]:
        if self._has_return and piece:
            piece, self._has_return = piece if piece[0] == "\n" else f"\n{piece}", False
        if piece.endswith("\r"):
            piece, self._has_return = piece[:-1], True
        return piece.replace("\r\n", "\n").replace("\r", "\n").split("\n")

    def _grow(self, part: str) -> str:
        """More of a line; it is held for as long as it may be a mark of a block."""
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
            # Within code, what only begins like a mark is code.
            rest = part.strip().strip(self._fence.mark[0])
            self._mark = None if rest else self._mark
        return self._mark is not None

    def _write(self, part: str) -> str:
        """More of a line that is no mark: code, or text to be guarded."""
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
        """End a block that ends with its list, for clients that read on."""
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
        # Who reads a formula here sees no block.
        self._fence, self._is_agreed = fence, not self._in_formula
        if self._is_sure:
            return line
        start = fence.before + fence.mark
        text = GuardedLine(self.links, is_ambiguous=True)
        rest = text.feed(line[len(start) :]) + text.end()
        if "`" in rest and fence.mark[0] == "`":
            # No client takes it for a block now; a code span behind its mark would be torn.
            self._fence = None
            return self._end_text(line, line)
        return start + rest

    def _end_text(self, line: str, rest: str) -> str:
        text = self._text or GuardedLine(self.links, self._in_formula or self._is_ambiguous)
        output = text.feed(rest) + text.end()
        if self._fence is None:
            self._blocks.read(line)
        if _has_open_formula(line):
            self._in_formula = not self._in_formula
        # A formula of one dollar ends with its paragraph.
        self._is_ambiguous = bool(line.strip()) and (self._is_ambiguous or "$" in line)
        return output


@dataclass(slots=True)
class TextBehind:
    """The new part of a growing text, guarded; the reader has `text_before` already.

    Nothing is new of a text that does not begin with it.
    """

    guard: LinkGuard
    text_before: str = ""
    _raw: list[str] = field(default_factory=list)
    _is_other: bool = False
    _is_ended: bool = False
    _at: int = 0

    def feed(self, piece: str) -> str:
        """Read a piece; return what can be shown now and was not before."""
        self._raw.append(piece)
        return self._new(self.guard.feed(piece))

    def end(self) -> str:
        """The rest of the text, its code closed."""
        self._is_ended = True
        return self._new(self.guard.end())

    def rest_of(self, whole: str) -> str | None:
        """The text that the whole adds, None if it is another one than what grew."""
        raw = "".join(self._raw)
        if self._is_ended or not whole.startswith(raw):
            return None
        rest = self.feed(whole[len(raw) :]) + self.end()
        return None if self._is_other else rest

    def _new(self, text: str) -> str:
        known_part = self.text_before[self._at : self._at + len(text)]
        self._at += len(known_part)
        self._is_other = self._is_other or not text.startswith(known_part)
        return "" if self._is_other else text[len(known_part) :]


def _without_mark(line: str) -> str:
    """A line that no client takes for the beginning of a block; other marks are text anyway."""
    rest = _BEFORE_MARK.sub("", line, count=1)
    return line.removesuffix(rest) + f"\\{rest}" if rest.startswith("~~~") else line


def _has_open_formula(line: str) -> bool:
    """Whether a formula of several lines begins or ends here, for clients that know any."""
    blocks = line.count("$$") + (line.strip() == "$") + line.count("\\[") + line.count("\\]")
    return blocks % 2 == 1
