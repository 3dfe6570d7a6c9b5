"""Makes links that a model wrote harmless for any client that renders Markdown.

A link that a person opens, and an image that a client loads by itself, can carry away what the
model has read. Only allowed addresses stay links; every other one reads as code, tags as text. How
strictly a client reads Markdown is unknown: what may be code or not is guarded like text.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from rich_agent.domain.answer.links import AllowedLinks
from rich_agent.web.fences import Blocks, Fence
from rich_agent.web.link_tokens import GuardedLine

LONGEST = 100_000
"""Characters of an answer; what follows is left out."""
_BEFORE_MARK = re.compile(r"[\s>*+.)\d-]*+")
_MARKS = ("```", "~~~")


def guard_links(text: str, allowed: Iterable[str] = ()) -> str:
    """Markdown that links to `allowed` addresses only; code stays, and ends with its block."""
    guard = LinkGuard(AllowedLinks.of(allowed))
    return guard.feed(text) + guard.end()


@dataclass(slots=True)
class LinkGuard:
    """Guards one text while it grows. What a piece costs depends on the piece.

    Held back is what a later character may change: the end of a line, up to a few thousand
    characters of a token, and a line for as long as it may begin or end a block of code.
    """

    allowed: AllowedLinks
    _taken: int = 0
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
        piece = piece[: LONGEST - self._taken]
        self._taken += len(piece)
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
        line, shown = "".join(self._line), ""
        if self._fence and not self._fence.holds(line):
            shown = self._leave()
        if self._is_sure:
            self._in_code = True
            return line
        self._text = GuardedLine(self.allowed, self._in_formula or self._is_ambiguous)
        return shown + self._text.feed(line)

    def _leave(self) -> str:
        """End a block that ends with its list, for clients that read on."""
        fence, self._fence = self._fence, None
        if fence is None:
            return ""
        self._blocks.leave(fence)
        return f"{fence.closing}\n" if self._is_agreed and not fence.depth else ""

    def _end_line(self) -> str:
        line = "".join(self._line)
        shown = "" if self._in_code else self._ended(line)
        self._line, self._mark, self._text, self._in_code = [], "", None, False
        return shown

    def _ended(self, line: str) -> str:
        if self._text is None:
            fence = self._fence
            if fence and fence.is_closed_by(line):
                self._fence = None
                self._blocks.leave(fence)
                return fence.closing if fence.in_list else line.rstrip()
            left = self._leave() if fence and not fence.holds(line) else ""
            if self._fence is None and (opened := self._blocks.opened_by(line)):
                return left + self._open(opened, line)
            if self._is_sure:
                return line
            return left + self._end_text(line, _without_mark(line))
        return self._end_text(line, "")

    def _open(self, fence: Fence, line: str) -> str:
        # Who reads a formula here sees no block.
        self._fence, self._is_agreed = fence, not self._in_formula
        if self._is_sure:
            return line
        start = fence.before + fence.mark
        text = GuardedLine(self.allowed, is_ambiguous=True)
        rest = text.feed(line[len(start) :]) + text.end()
        if "`" in rest and fence.mark[0] == "`":
            # No client takes it for a block now; a code span behind its mark would be torn.
            self._fence = None
            return self._end_text(line, line)
        return start + rest

    def _end_text(self, line: str, held: str) -> str:
        text = self._text or GuardedLine(self.allowed, self._in_formula or self._is_ambiguous)
        shown = text.feed(held) + text.end()
        if self._fence is None:
            self._blocks.read(line)
        if _has_open_formula(line):
            self._in_formula = not self._in_formula
        # A formula of one dollar ends with its paragraph.
        self._is_ambiguous = bool(line.strip()) and (self._is_ambiguous or "$" in line)
        return shown


@dataclass(slots=True)
class TextBehind:
    """A growing text, guarded, behind what was told of it already: what of it is new.

    It may be another text than what was told; then nothing of it is new.
    """

    guard: LinkGuard
    told: str = ""
    _raw: list[str] = field(default_factory=list)
    _is_other: bool = False
    _is_ended: bool = False
    _at: int = 0

    def feed(self, piece: str) -> str:
        """Read a piece; return what can be told now and was not before."""
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

    def _new(self, shown: str) -> str:
        known = self.told[self._at : self._at + len(shown)]
        self._at += len(known)
        self._is_other = self._is_other or not shown.startswith(known)
        return "" if self._is_other else shown[len(known) :]


def _without_mark(line: str) -> str:
    """A line that no client takes for the beginning of a block; other marks are text anyway."""
    rest = _BEFORE_MARK.sub("", line, count=1)
    return line.removesuffix(rest) + f"\\{rest}" if rest.startswith("~~~") else line


def _has_open_formula(line: str) -> bool:
    """Whether a formula of several lines begins or ends here, for clients that know any."""
    blocks = line.count("$$") + (line.strip() == "$") + line.count("\\[") + line.count("\\]")
    return blocks % 2 == 1
