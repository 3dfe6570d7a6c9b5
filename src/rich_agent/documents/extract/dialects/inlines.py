"""Turns what tools write within lines into Markdown or HTML; code stays as it is."""

import re
from bisect import bisect_right
from collections.abc import Callable
from html import escape
from typing import Final

from rich_agent.documents.extract.dialects.components import (
    Tag,
    TagScanner,
    braces_end,
    listed_texts,
    plain_text,
)
from rich_agent.documents.extract.dialects.templates import CLOSERS, names_of_pairs, template_tag
from rich_agent.documents.extract.dialects.titles import displayed_title, title_line

_MARK: Final = re.compile(
    r"`++|\\[\\`{}\[\]<$%=+]|(?<=\]\()\{\{(?![<%])|\{\{[<%]|\{%|\{#(?=\s)|\{/\*|\{(?=\s*+[\"'`])|(?<!\w)%%|(?<!\w)!?\[\[|==|\+\+|\$\$?"
    r"|<(?=/?[A-Za-z>])|\{(?=:?[ ]?(?:[#.]\w|[\w-]{1,40}=))|\[!(?=INCLUDE|code)|:(?=[a-z]+-)"
    r"|\[(?=[^\[\]\n]{1,200}\]\{[.#])|~(?=[\w+-]{1,20}~)|\^(?=[\w+-]{1,20}\^)"
)
_BACKTICKS: Final = re.compile(r"`++")
_CLOSING_TAG: Final = re.compile(r"</([A-Za-z][\w.:-]*+)\s*+>")
_PAIR: Final = re.compile(
    r"label\s*+:\s*+[\"']([^\"'\n]*+)[\"']\s*+,\s*+value\s*+:\s*+[\"']([^\"'\n]*+)[\"']"
)
_KEYS: Final = re.compile(r"\+\+([\w\"-]{1,30}(?:\+[\w\"-]{1,30}){0,5})\+\+")
_ATTRIBUTES: Final = re.compile(
    r"\{:?\s*+((?:[#.][\w:-]++|[\w-]++=(?:\"[^\"\n]*+\"|'[^'\n]*+'|[^\s\"'{}]++))\s*+)++\}"
)
_ICON: Final = re.compile(r":(?:material|fontawesome|octicons|simple)-[\w-]{1,60}:")
_INCLUDED: Final = re.compile(r"\[!(?:INCLUDE|code)[\w-]*+\s?\[[^\[\]\n]*+\]\([^()\n]*+\)\]")
_MARKDOWN: Final = re.compile(r"([\\`*_{}\[\]<>#+!|~&])")
_SUFFIX: Final = re.compile(r"\.(?!md\b)[A-Za-z0-9]{2,5}(?:#[^.#]*+)?\Z")
_OWN_ID: Final = re.compile(r"#[\w:-]++")
_LINE_END: Final = re.compile(r"[ \t]*+(?:\n|\Z)")
_ATTRIBUTED: Final = ")]`*_:"
_LONGEST: Final = 2_000
_LONGEST_LINK: Final = 400
_LONGEST_COMMENT: Final = 20_000
_TAB: Final = re.compile(r"(?:\A|[.:_-])tabs?(?![a-z])|Tabs?(?![a-z])")
_COMMENT: Final = re.compile(r"-?\s*+comment\b")
_PLACE: Final = re.compile(r"\{\{[^{}\n]*+\}\}[^\s()]*+(?=\))")
_SPAN: Final = re.compile(r"\[([^\[\]\n]++)\]\{[.#][^{}\n]*+\}")
_SCRIPT: Final = re.compile(r"([~^])([\w+-]++)\1")


class InlineReader:
    """Reads a document from its start to its end, and keeps what is open between its parts."""

    def __init__(self, text: str) -> None:
        self.pairs = names_of_pairs(text)
        """The names of templates that have a closing tag."""
        self._closed_names = frozenset(match[1] for match in _CLOSING_TAG.finditer(text))
        self._has_fragments = "</>" in text
        self._labels: list[list[tuple[str, str]]] = []

    def read(self, text: str) -> str:
        """Text without code blocks, as Markdown or HTML that every reader knows."""
        return _Run(text, self).result()

    def is_component(self, tag: Tag) -> bool:
        """Whether a tag belongs to a component, and is no placeholder such as `<HOST>`."""
        if not tag.name:
            return self._has_fragments
        is_used = bool(tag.properties) or tag.is_empty or tag.name in self._closed_names
        return tag.is_component and is_used

    def component_title(self, tag: Tag) -> str:
        """The text that a component displays itself; tabs take theirs from the list around them."""
        is_tab = _TAB.search(tag.name) is not None
        if tag.is_closing:
            if tag.name.lower().endswith("tabs") and self._labels:
                self._labels.pop()
            return ""
        if is_tab and tag.name.lower().endswith("tabs") and not tag.is_empty:
            self._labels.append(_labels_of(tag))
            return ""
        title = displayed_title(tag.texts)
        if title or not is_tab:
            return title
        value = tag.texts.get("value", "")
        labels = self._labels[-1] if self._labels else []
        if labels and not labels[0][0]:
            return labels.pop(0)[1]
        return dict(labels).get(value) or value


def _labels_of(tag: Tag) -> list[tuple[str, str]]:
    """The labels that a list of tabs names, each after the value of its tab.

    The value is "" where only their order counts.
    """
    pairs = _PAIR.findall(tag.properties.get("values", "")[:_LONGEST])
    if pairs:
        return [(value, label) for label, value in pairs]
    return [("", label) for label in listed_texts(tag.properties.get("items", ""))]


class _Run:
    """Reads one text. Ends are searched from the left to the right, each part once."""

    def __init__(self, text: str, reader: InlineReader) -> None:
        self._text = text
        self._reader = reader
        self._tags = TagScanner(text)
        self._ends: dict[str, int] = {}
        self._ticks: dict[int, list[int]] = {}
        for match in _BACKTICKS.finditer(text):
            self._ticks.setdefault(len(match[0]), []).append(match.start())
        self._handlers: dict[str, Callable[[int], tuple[str, int] | None]] = {
            "{/*": lambda start: self._comment(start, "*/}"),
            "%%": self._obsidian_comment,
            "[[": self._link,
            "![[": self._embed,
            "==": self._highlight,
            "++": self._keys,
            "$": self._formula,
            "$$": self._formula,
            "<": self._tag,
            "{{": self._place,
            "[": self._span,
            "~": lambda start: self._script(start, "sub"),
            "^": lambda start: self._script(start, "sup"),
            "{": self._braces,
            "[!": lambda start: self._drop(_INCLUDED, start),
            ":": lambda start: self._drop(_ICON, start),
        }

    def result(self) -> str:
        """The text, with each mark replaced by what a person sees."""
        pieces: list[str] = []
        position = 0
        while match := _MARK.search(self._text, position):
            pieces.append(self._text[position : match.start()])
            mark = match[0]
            if mark[0] == "`":
                end = self._code_end(match.start(), len(mark))
                replaced: tuple[str, int] | None = (self._text[match.start() : end], end)
            elif mark in CLOSERS:
                replaced = self._template(match.start(), mark)
            else:
                handler = self._handlers.get(mark)
                replaced = handler(match.start()) if handler else None
            words, position = replaced or (mark, match.end())
            pieces.append(words)
        pieces.append(self._text[position:])
        return "".join(pieces)

    def _code_end(self, start: int, length: int) -> int:
        """The end of the code that begins with these ticks; their own end if none closes it."""
        places = self._ticks[length]
        index = bisect_right(places, start)
        if index == len(places) or places[index] - start > _LONGEST:
            return start + length
        end = places[index] + length
        is_one_paragraph = "\n\n" not in self._text[start:end]
        return end if is_one_paragraph else start + length

    def _end_of(self, closer: str, start: int, limit: int = _LONGEST) -> int | None:
        """The start of the next closer, None if there is none near."""
        end = self._ends.get(closer, -1)
        if end < start:
            place = self._text.find(closer, start)
            end = self._ends[closer] = place if place >= 0 else len(self._text) + _LONGEST
        return end if end - start <= limit and end < len(self._text) else None

    def _line_around(self, start: int, end: int) -> tuple[str, bool]:
        """The blanks before a part of a line, and whether the line has nothing else."""
        line_start = self._text.rfind("\n", max(0, start - _LONGEST), start) + 1
        line_end = self._text.find("\n", end, end + _LONGEST)
        before = self._text[line_start:start]
        after = self._text[end : line_end if line_end >= 0 else end + _LONGEST]
        return before, not before.strip(" \t>") and not after.strip()

    def _title_markup(self, title: str, start: int, end: int) -> tuple[str, int]:
        """A title in place of a tag: a paragraph, if the tag has a line for itself."""
        before, is_alone = self._line_around(start, end)
        if not is_alone:
            return escape(title, quote=False), end
        quote = before if ">" in before else ""
        return (f"\n{before}{title_line(title)}\n{quote}" if title else ""), end

    def _template(self, start: int, opening: str) -> tuple[str, int] | None:
        closer = CLOSERS[opening]
        inner_start = start + len(opening)
        end = self._end_of(closer, inner_start)
        if end is None:
            return None
        inner = self._text[inner_start:end]
        if _COMMENT.match(inner) and (after := self._end_of("endcomment", end, _LONGEST_COMMENT)):
            closing = self._end_of("%}", after)
            return None if closing is None else ("", closing + 2)
        tag = template_tag(opening, inner, self._reader.pairs)
        if tag.written:
            return _literal(tag.written), end + len(closer)
        return self._title_markup(tag.title, start, end + len(closer))

    def _tag(self, start: int) -> tuple[str, int] | None:
        tag = self._tags.tag_at(start)
        if tag is None:
            return None
        if self._reader.is_component(tag):
            return self._title_markup(self._reader.component_title(tag), start, tag.end)
        if not tag.has_code:
            return None
        names = "".join(f' {name}="{escape(value)}"' for name, value in tag.texts.items() if value)
        return f"<{'/' * tag.is_closing}{tag.name}{names}>", tag.end

    def _comment(self, start: int, closer: str) -> tuple[str, int] | None:
        end = self._end_of(closer, start + 2, _LONGEST_COMMENT)
        return None if end is None else ("", end + len(closer))

    def _obsidian_comment(self, start: int) -> tuple[str, int] | None:
        """A comment within a paragraph, or of several ones between marks that stand alone."""
        end = self._end_of("%%", start + 2, _LONGEST_COMMENT)
        if end is None:
            return None
        inner = self._text[start + 2 : end]
        before, is_alone = self._line_around(start, start + 2)
        if is_alone:
            return "", end + 2
        begins_line = not before.strip(" \t>*+-")
        ends_line = _LINE_END.match(self._text, end + 2) is not None
        is_comment = inner == inner.strip() or begins_line or ends_line
        return ("", end + 2) if is_comment and "\n\n" not in inner else None

    def _braces(self, start: int) -> tuple[str, int] | None:
        """An expression that is a text, or the attributes of the part before."""
        attributes = _ATTRIBUTES.match(self._text, start)
        if attributes and self._has_attributes(start, attributes.end()):
            before, _ = self._line_around(start, start)
            own_id = _OWN_ID.search(attributes[0]) if before.startswith("#") else None
            return (f"{{{own_id[0]}}}" if own_id else ""), attributes.end()
        end = braces_end(self._text, start, start + _LONGEST_LINK)
        text = plain_text(self._text[start:end]) if end is not None else None
        return None if end is None or text is None else (text, end)

    def _has_attributes(self, start: int, end: int) -> bool:
        """Whether attributes end a line, begin one, or stand right behind what they belong to."""
        before = self._text[start - 1 : start] if start else ""
        if before and before in _ATTRIBUTED:
            return True
        line_before, _ = self._line_around(start, start)
        return _LINE_END.match(self._text, end) is not None or not line_before.strip(" \t>*+-")

    def _link(self, start: int) -> tuple[str, int] | None:
        """The words of a link between the pages of a wiki."""
        return self._wiki(start + 2, is_embedded=False)

    def _embed(self, start: int) -> tuple[str, int] | None:
        return self._wiki(start + 3, is_embedded=True)

    def _wiki(self, start: int, *, is_embedded: bool) -> tuple[str, int] | None:
        end = self._end_of("]]", start, _LONGEST_LINK)
        inner = self._text[start:end] if end is not None else ""
        if end is None or not inner.strip() or any(mark in inner for mark in "\n[]"):
            return None
        page, bar, words = inner.replace("\\|", "|").partition("|")
        if is_embedded and _SUFFIX.search(page):
            return "", end + 2
        if page.strip("_ ").lower() == "toc":
            return "", end + 2
        is_page_last = "://" in words or words.startswith("/") or words.endswith(".md")
        if bar and not is_embedded and not is_page_last:
            return words.strip(), end + 2
        name, _, heading = page.partition("#")
        parts = [part.strip() for part in (name.removesuffix(".md"), *heading.split("#")) if part]
        return " > ".join(part for part in parts if not part.startswith("^")), end + 2

    def _highlight(self, start: int) -> tuple[str, int] | None:
        """Marked words, without the marks."""
        end = self._end_of("==", start + 2)
        inner = self._text[start + 2 : end] if end is not None else ""
        before = self._text[start - 1 : start] if start else ""
        is_marked = inner and inner == inner.strip() and "\n\n" not in inner and "=" not in inner
        if end is None or not is_marked or before.isalnum() or before == "=":
            return None
        return self._reader.read(inner), end + 2

    def _keys(self, start: int) -> tuple[str, int] | None:
        """Keys to press, as Python-Markdown's extension writes them."""
        match = _KEYS.match(self._text, start)
        if match is None:
            return None
        keys = (key.strip('"').replace("-", " ") for key in match[1].split("+"))
        return "+".join(key if key[:1].isupper() else key.title() for key in keys), match.end()

    def _formula(self, start: int) -> tuple[str, int] | None:
        """A formula, in which no character is Markdown. Source: Pandoc, `tex_math_dollars`."""
        mark = "$$" if self._text.startswith("$$", start) else "$"
        end = self._end_of(mark, start + len(mark))
        inner = self._text[start + len(mark) : end] if end is not None else ""
        if end is None or not inner.strip() or "\n\n" in inner:
            return None
        after = self._text[end + 1 : end + 2]
        if mark == "$" and (inner != inner.strip() or after.isdigit() or "`" in inner):
            return None
        return f"{mark}{_literal(inner)}{mark}", end + len(mark)

    def _place(self, start: int) -> tuple[str, int] | None:
        """The place of a link that a template computes."""
        match = _PLACE.match(self._text, start)
        return None if match is None else ("", match.end())

    def _span(self, start: int) -> tuple[str, int] | None:
        """Words with attributes. Source: Pandoc, `bracketed_spans`."""
        match = _SPAN.match(self._text, start)
        return None if match is None else (match[1], match.end())

    def _script(self, start: int, tag: str) -> tuple[str, int] | None:
        """An exponent or index. Source: Pandoc, `superscript` and `subscript`."""
        match = _SCRIPT.match(self._text, start)
        is_struck = self._text[start - 1 : start] == "~" if start else False
        if match is None or is_struck or self._text[match.end() : match.end() + 1] == "~":
            return None
        return f"<{tag}>{match[2]}</{tag}>", match.end()

    def _drop(self, pattern: re.Pattern[str], start: int) -> tuple[str, int] | None:
        match = pattern.match(self._text, start)
        return None if match is None else ("", match.end())


def _literal(text: str) -> str:
    """Text in which no character is Markdown."""
    return _MARKDOWN.sub(r"\\\1", text)
