"""Turns the blocks of Markdown's dialects into CommonMark: boxes, tabs, components, comments.

Code stays as it is. Each line is read once.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from rich_agent.documents.extract.dialects.boxes import (
    alert_title,
    colon_box,
    fence_title,
    indented_box_title,
    slash_box_title,
)
from rich_agent.documents.extract.dialects.components import Tag, TagScanner
from rich_agent.documents.extract.dialects.inlines import InlineReader
from rich_agent.documents.extract.dialects.statements import StatementScanner
from rich_agent.documents.extract.dialects.titles import title_line

_QUOTED: Final = re.compile(r"(?:[ \t]{0,3}>)++[ \t]?")
_FENCE: Final = re.compile(r"(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,4})*+(`{3,}+(?=[^`]*+\Z)|~{3,}+)(.*)")
_HIGHLIGHT: Final = re.compile(r"\{(?:%-?|\{<|\{%)\s*+(end|/)?\s*+highlight\b\s*+([\w+#-]*+)")
_ITEM: Final = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?: {1,4}(?=\S)| |\Z)")
_OPTION: Final = re.compile(r":[\w-]+:(?:\s.*)?")
_SETTING: Final = re.compile(r"[\w-]+:(?:\s|\Z)")
_FOOTNOTE: Final = re.compile(r"\[\^([^\]\s]{1,60})\]:[ \t]*+(.*)")
_UNSEEN_LINE: Final = re.compile(
    r"\*\[[^\]]+\]:\s.*|-{1,2}8<-{1,2}\s.*|<<<\s*+[@.~]\S.*|\{!.*!\}|\[toc\]"
    r"|(?:id|collapsed):: \S*+|\^(?=[\w-]*[a-z])[a-z0-9-]{4,60}",
    re.IGNORECASE,
)
_NEXT_LINE: Final = re.compile(r"\n(?: *+\n)?( *+)\S")
_BLOCK_ID: Final = re.compile(r" \^(?=[0-9-]{0,60}[A-Za-z])[A-Za-z0-9-]{4,60}\Z")
_MARGIN: Final = re.compile(r"^[ \t]*+(?:(?:[-*+]|\d{1,9}+[.)])[ \t]++)*+", re.MULTILINE)
"""Blanks and marks of lists at the beginning of a line, in which tabs are indentation."""
_LINE_BREAK: Final = re.compile("\n")
_BOX_STEP: Final = 4
_NOTE_STEP: Final = 2
_CODE_STEP: Final = 4
_DEEPEST: Final = 100
_WRITTEN_FENCE: Final = "`````"


@dataclass(slots=True)
class _Frame:
    """A box whose content is indented in the source, but not in what is written."""

    least_indent: int
    """A line with less indentation ends the box."""
    written_indent: int
    content_indent: int | None = None
    """Indentation of the first line of the content."""
    component: str = ""
    """Name of the component that ends with its tag, "" for a box that ends with its indentation."""


def common_markdown(text: str) -> str:
    """The text as CommonMark and HTML, with what a person sees who opens its page."""
    return _BlockReader(text).result()


class _BlockReader:
    """Reads a document line by line, and writes lines of text and of code."""

    def __init__(self, text: str) -> None:
        self._source_lines = text.split("\n") if "\t" in text else []
        """The lines as they stand in the source, where tabs make them differ."""
        self._text = _MARGIN.sub(lambda margin: margin[0].expandtabs(_CODE_STEP), text)
        self._line_starts = [0, *(match.end() for match in _LINE_BREAK.finditer(self._text))]
        self._inlines = InlineReader(self._text)
        self._tags = TagScanner(self._text)
        self._statements = StatementScanner(self._text)
        self._frames: list[_Frame] = []
        self._lines: list[tuple[bool, str]] = []
        """Lines that are written, and whether they are code."""
        self._fence = ""
        """The marks that end the current code, "highlight" if a template ends it."""
        self._directives: list[str] = []
        """The marks that end the boxes which are written as code."""
        self._item_indents: list[int] = []
        """Indentation of the content of each item of a list that is open."""
        self._is_after_blank = True
        self._is_after_code = False
        self._has_options = False

    def result(self) -> str:
        """The whole document. Templates and components in the text are read as well."""
        position = 0
        while position < len(self._text):
            position = self._read_line(position)
        return "\n".join(
            text if is_code else self._inlines.read(text)
            for is_code, group in groupby(self._lines, key=lambda line: line[0])
            for text in ["\n".join(line for _, line in group)]
        )

    def _read_line(self, start: int) -> int:
        """Read the line that begins here; where the next one begins."""
        end = self._text.find("\n", start)
        end = len(self._text) if end < 0 else end
        line = self._text[start:end]
        content = line.lstrip(" ")
        indent = len(line) - len(content)
        if not content.strip():
            self._lines.append((bool(self._fence), ""))
            self._is_after_blank, self._has_options = True, False
            return end + 1
        self._leave_frames(indent)
        written_indent = self._written_indent(indent)
        if self._fence:
            self._add_code(content, written_indent, self._source_line(start))
        elif self._has_options and written_indent >= _CODE_STEP and _SETTING.match(content):
            return end + 1
        elif self._is_indented_code(content, written_indent):
            self._lines.append((True, " " * written_indent + content))
            self._is_after_code = True
        else:
            end, is_statement = self._read_content(start + indent, end, written_indent)
            self._is_after_code = False
            self._is_after_blank = is_statement
            return end + 1
        self._is_after_blank = False
        return end + 1

    def _source_line(self, start: int) -> str | None:
        """The line that begins here with its tabs; None if there are none, or within a box."""
        if not self._source_lines or self._frames:
            return None
        return self._source_lines[bisect_right(self._line_starts, start) - 1]

    def _leave_frames(self, indent: int) -> None:
        """End the boxes that this indentation ends, and what is open in them."""
        while self._frames and not self._frames[-1].component:
            if indent >= self._frames[-1].least_indent:
                break
            self._frames.pop()
            self._fence = ""
        if self._frames and self._frames[-1].content_indent is None:
            frame = self._frames[-1]
            frame.content_indent = max(indent, frame.least_indent)

    def _written_indent(self, indent: int) -> int:
        if not self._frames:
            return indent
        frame = self._frames[-1]
        return frame.written_indent + max(0, indent - (frame.content_indent or 0))

    def _is_indented_code(self, content: str, written_indent: int) -> bool:
        """Whether a line is code by its indentation within the item of a list around it."""
        item = _ITEM.match(content)
        if item or self._is_after_blank:
            while self._item_indents and written_indent < self._item_indents[-1]:
                self._item_indents.pop()
        base = self._item_indents[-1] if self._item_indents else 0
        is_code = (
            written_indent >= base + _CODE_STEP
            and (self._is_after_blank or self._is_after_code)
            and not any(frame.component for frame in self._frames)
        )
        if item and not is_code:
            self._item_indents.append(written_indent + item.end())
        return is_code

    def _add_code(self, content: str, written_indent: int, source_line: str | None) -> None:
        """Add a line of code, and end the code if the line does."""
        inner = content[quoted.end() :] if (quoted := _QUOTED.match(content)) else content
        mark = inner.strip()
        is_template = self._fence == "highlight"
        closing = _HIGHLIGHT.match(mark) if is_template else None
        is_end = (
            closing is not None and closing[1] is not None
            if is_template
            else _closes(mark, self._fence)
        )
        if is_end and (is_template or self._fence[0] == ":"):
            content, source_line = _WRITTEN_FENCE, None
        self._lines.append((True, source_line or " " * written_indent + content))
        self._fence = "" if is_end else self._fence

    def _read_content(self, start: int, end: int, indent: int) -> tuple[int, bool]:
        """Read what begins with a line: where its last line ends, and whether it is a statement."""
        content = self._text[start:end]
        if self._has_options and _OPTION.fullmatch(content):
            return end, False
        self._has_options = False
        quoted = _QUOTED.match(content)
        quote = quoted[0] if quoted else ""
        inner = content[len(quote) :]
        if self._open_code(inner, quote, indent) or self._open_box(inner, quote, (indent, end)):
            return end, False
        if not quote and indent == 0 and not self._frames and self._is_after_blank:
            after = self._statements.end_at(start)
            if after is not None:
                return after, True
        if content.startswith("<"):
            end = self._enter_components(start, end, indent)
            content = self._text[start:end]
        if _UNSEEN_LINE.fullmatch(content.rstrip()):
            return end, False
        self._lines.append((False, " " * indent + _BLOCK_ID.sub("", content.rstrip("\r"))))
        return end, False

    def _open_code(self, inner: str, quote: str, indent: int) -> bool:
        """Open a block of code if a line begins one, and write its title; whether it did."""
        margin = " " * indent + quote
        if self._directives and _closes(inner.strip(), self._directives[-1]):
            self._directives.pop()
            self._lines.append((False, margin.rstrip()))
            return True
        highlight = _HIGHLIGHT.match(inner)
        if highlight and not highlight[1]:
            self._fence = "highlight"
            self._lines += [(False, ""), (True, f"{margin}{_WRITTEN_FENCE}{highlight[2]}")]
            return True
        fence = _FENCE.match(inner)
        if fence is None:
            return False
        title, is_box = fence_title(fence[2].strip(), self._is_in_code_group())
        if title or is_box:
            self._add_title(title, quote, indent)
        if is_box:
            self._directives.append(fence[1])
            self._has_options = True
            return True
        self._fence = fence[1]
        self._lines.append((True, margin + inner))
        return True

    def _is_in_code_group(self) -> bool:
        return any(frame.component.endswith("CodeGroup") for frame in self._frames)

    def _open_box(self, inner: str, quote: str, place: tuple[int, int]) -> bool:
        """Write the title of a box if a line opens or closes one; whether it did."""
        indent, end = place
        title = alert_title(inner) if quote else None
        if title is None and not quote:
            title = indented_box_title(inner) if self._is_indented_after(end, indent) else None
            note = _FOOTNOTE.fullmatch(inner) if title is None else None
            if (title is not None or note) and len(self._frames) < _DEEPEST:
                step = _NOTE_STEP if note else _BOX_STEP
                self._frames.append(_Frame(self._source_indent(indent) + step, indent))
            if note:
                self._lines += [(False, ""), (False, f"{' ' * indent}[^{note[1]}] {note[2]}")]
                return True
        if title is None:
            title = slash_box_title(inner)
            self._has_options = title is not None
        if title is None and inner.startswith(":::"):
            title, code_language = colon_box(inner)
            self._has_options = True
            if code_language:
                self._fence = ":::"
                self._lines.append((True, f"{' ' * indent}{quote}{_WRITTEN_FENCE}{code_language}"))
                return True
        if title is None:
            return False
        self._add_title(title, quote, indent)
        return True

    def _is_indented_after(self, end: int, indent: int) -> bool:
        """Whether the next line, or the one after an empty line, has the indentation of a box."""
        after = _NEXT_LINE.match(self._text, end)
        least_indent = self._source_indent(indent) + _BOX_STEP
        return after is not None and len(after[1]) >= least_indent

    def _source_indent(self, written_indent: int) -> int:
        if not self._frames:
            return written_indent
        frame = self._frames[-1]
        return written_indent - frame.written_indent + (frame.content_indent or 0)

    def _add_title(self, title: str, quote: str, indent: int) -> None:
        margin = " " * indent + quote
        lines = [margin + title_line(title), margin.rstrip()] if title else [margin.rstrip()]
        if title and not quote:
            lines.insert(0, "")
        self._lines += [(False, line) for line in lines]

    def _enter_components(self, start: int, end: int, indent: int) -> int:
        """Note the components that tags open and close; the end of the line of the last tag."""
        position, tags = start, list[Tag]()
        while (tag := self._tags.tag_at(position)) is not None:
            if not self._inlines.is_component(tag):
                break
            tags.append(tag)
            position = tag.end
            while self._text[position : position + 1] == " ":
                position += 1
        line_end = self._text.find("\n", position)
        line_end = len(self._text) if line_end < 0 else line_end
        if not tags or self._text[position:line_end].strip():
            return end
        source_indent = self._source_indent(indent)
        for tag in tags:
            if tag.is_closing:
                self._leave_component(tag.name)
            elif not tag.is_empty and len(self._frames) < _DEEPEST:
                self._frames.append(_Frame(source_indent, indent, component=tag.name or "<>"))
        return line_end

    def _leave_component(self, name: str) -> None:
        names = [frame.component for frame in self._frames]
        if (name or "<>") in names:
            del self._frames[len(names) - 1 - names[::-1].index(name or "<>") :]


def _closes(mark: str, fence: str) -> bool:
    """Whether a mark ends what another one has opened: it has at least as many signs."""
    return len(mark) >= len(fence) and not mark.strip(fence[0])
