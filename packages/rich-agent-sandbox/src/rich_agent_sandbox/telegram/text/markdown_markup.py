"""The MarkdownV2 parse mode. Source: https://core.telegram.org/bots/api#markdownv2-style."""

import re
from dataclasses import dataclass, field
from typing import Any

from rich_agent_sandbox.telegram.refusals import BotApiError, bad_request
from rich_agent_sandbox.telegram.text.entities import Entity, utf16_length

_MARKS = {"*": "bold", "_": "italic", "__": "underline", "~": "strikethrough", "||": "spoiler"}
_NAMES = {
    "bold": "Bold",
    "code": "Code",
    "custom_emoji": "CustomEmoji",
    "italic": "Italic",
    "pre": "Pre",
    "spoiler": "Spoiler",
    "strikethrough": "Strikethrough",
    "text_link": "TextUrl",
    "underline": "Underline",
}
_RESERVED = frozenset("_*[]()~`>#+-=|{}.!")
_LANGUAGE = re.compile(r"([^\s`]*)\n")
_TARGET = re.compile(r"\]\(((?:\\.|[^)\\])*)\)", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Open:
    kind: str
    offset: int
    at: int


@dataclass(slots=True)
class _Scanner:
    source: str
    position: int = 0
    text: str = ""
    length: int = 0
    open_marks: list[_Open] = field(default_factory=list)
    quote_offset: int | None = None
    quote_kind: str = "blockquote"
    entities: list[Entity] = field(default_factory=list)

    def run(self) -> None:
        while self.position < len(self.source):
            self._step()
        self._end_quote()
        if self.open_marks:
            raise self._no_end(self.open_marks[-1])

    def _step(self) -> None:
        if self._starts_line() and self._quote():
            return
        if self._escape() or self._code() or self._mark() or self._link():
            return
        char = self.source[self.position]
        if char in _RESERVED:
            raise _cannot(
                f"Character '{char}' is reserved and must be escaped with the preceding '\\'"
            )
        self._write(char)

    def _write(self, text: str, *, consumed: int | None = None) -> None:
        self.text += text
        self.length += utf16_length(text)
        self.position += len(text) if consumed is None else consumed

    def _looks_at(self, mark: str) -> bool:
        return self.source.startswith(mark, self.position)

    def _starts_line(self) -> bool:
        return self.position == 0 or self.source[self.position - 1] == "\n"

    def _quote(self) -> bool:
        for mark, kind in (("**>", "expandable_blockquote"), (">", "blockquote")):
            if self._looks_at(mark):
                if self.quote_offset is None or mark == "**>":
                    self._end_quote()
                    self.quote_offset, self.quote_kind = self.length, kind
                self.position += len(mark)
                return True
        self._end_quote()
        return False

    def _end_quote(self) -> None:
        if self.quote_offset is not None and self.length > self.quote_offset:
            length = self.length - self.quote_offset
            self.entities.append(Entity(self.quote_kind, self.quote_offset, length))
        self.quote_offset, self.quote_kind = None, "blockquote"

    def _escape(self) -> bool:
        following = self.source[self.position + 1 : self.position + 2]
        if not self._looks_at("\\") or not following or not 0 < ord(following) < 127:
            return False
        self._write(following, consumed=2)
        return True

    def _code(self) -> bool:
        mark = next((mark for mark in ("```", "`") if self._looks_at(mark)), None)
        if mark is None:
            return False
        opened = _Open("pre" if mark == "```" else "code", self.length, self.position)
        end = self._find_unescaped(mark, self.position + len(mark))
        if end < 0:
            raise self._no_end(opened)
        content = self.source[self.position + len(mark) : end]
        extra: dict[str, Any] = {}
        language = _LANGUAGE.match(content) if mark == "```" else None
        if language:
            content = content[language.end() :]
            extra = {"language": language[1]} if language[1] else {}
        shown = _ESCAPED.sub(r"\1", content)
        if shown:
            self.entities.append(Entity(opened.kind, self.length, utf16_length(shown), extra))
        self._write(shown, consumed=end + len(mark) - self.position)
        return True

    def _find_unescaped(self, mark: str, start: int) -> int:
        at = start
        while (at := self.source.find(mark, at)) >= 0:
            slashes = len(self.source[:at]) - len(self.source[:at].rstrip("\\"))
            if slashes % 2 == 0:
                return at
            at += 1
        return -1

    def _mark(self) -> bool:
        if self.quote_kind == "expandable_blockquote" and self._ends_expandable_quote():
            self.position += 2
            return True
        mark = next((mark for mark in ("__", "||", "*", "_", "~") if self._looks_at(mark)), None)
        if mark is None:
            return False
        kind = _MARKS[mark]
        if self.open_marks and self.open_marks[-1].kind == kind:
            self._close()
        elif any(opened.kind == kind for opened in self.open_marks):
            raise self._no_end(self.open_marks[-1])
        else:
            self.open_marks.append(_Open(kind, self.length, self.position))
        self.position += len(mark)
        return True

    def _ends_expandable_quote(self) -> bool:
        return self._looks_at("||") and self.source[self.position + 2 :][:1] in ("", "\n")

    def _close(self, extra: dict[str, Any] | None = None) -> None:
        opened = self.open_marks.pop()
        length = self.length - opened.offset
        if length:
            self.entities.append(Entity(opened.kind, opened.offset, length, extra or {}))

    def _link(self) -> bool:
        for mark, kind in (("![", "custom_emoji"), ("[", "text_link")):
            if self._looks_at(mark):
                self.open_marks.append(_Open(kind, self.length, self.position))
                self.position += len(mark)
                return True
        if not self._looks_at("]") or not self.open_marks:
            return False
        opened = self.open_marks[-1]
        if opened.kind not in ("text_link", "custom_emoji"):
            return False
        target = _TARGET.match(self.source, self.position)
        url = _ESCAPED.sub(r"\1", target[1]) if target else ""
        if opened.kind == "text_link":
            self._close({"url": url})
        else:
            self._close({"custom_emoji_id": url.rpartition("id=")[2]})
        self.position = target.end() if target else self.position + 1
        return True

    def _no_end(self, opened: _Open) -> BotApiError:
        at = len(self.source[: opened.at].encode())
        return _cannot(f"Can't find end of {_NAMES[opened.kind]} entity at byte offset {at}")


def parse_markdown_v2(source: str) -> tuple[str, list[Entity]]:
    """The text without its marks, and its entities. Raises: BotApiError, in Telegram's words."""
    scanner = _Scanner(source)
    scanner.run()
    return scanner.text, scanner.entities


def _cannot(reason: str) -> BotApiError:
    return bad_request(f"can't parse entities: {reason}")
