"""Reads the tags of components in MDX: their names, and the properties that are plain text."""

import re
from dataclasses import dataclass
from typing import Final

_NAME: Final = re.compile(r"<(/?)([A-Za-z][\w.:-]*+)?")
_ATTRIBUTE: Final = re.compile(r"[A-Za-z_@:$][\w@:.$-]*+")
_BARE: Final = re.compile(r"[^\s\"'=<>`{}]++")
_SPACE: Final = re.compile(r"\s*+")
_STRING: Final = re.compile(r"\"[^\"\n]*+\"|'[^'\n]*+'|`[^`$]*+`")
_BRACE: Final = re.compile(r"[{}]|\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?|`[^`]*+`")
_LONGEST: Final = 4_000


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag, and where it ends in the text."""

    name: str
    end: int
    properties: dict[str, str]
    """Properties by name; an expression keeps its braces."""
    is_closing: bool = False
    is_empty: bool = False
    has_code: bool = False
    """Whether a property is an expression, which no tag of HTML has."""

    @property
    def is_component(self) -> bool:
        """Whether the name is that of a component, and not of an element of HTML."""
        return self.name[:1].isupper() or "." in self.name or "-" in self.name

    @property
    def texts(self) -> dict[str, str]:
        """The properties that are plain text."""
        return {
            name: text
            for name, value in self.properties.items()
            if (text := plain_text(value)) is not None
        }


def plain_text(value: str) -> str | None:
    """The text of a property, None if it has to be computed."""
    if not value.startswith("{"):
        return value
    inner = value[1:-1].strip()
    return inner[1:-1] if _STRING.fullmatch(inner) else None


def listed_texts(value: str) -> list[str]:
    """The texts in the list of a property, in order."""
    return [match[0][1:-1] for match in _STRING.finditer(value)]


class TagScanner:
    """Finds tags in a text, from its start to its end. What is no tag is not read again."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._read_until = 0

    def tag_at(self, start: int) -> Tag | None:
        """The tag that begins at this place, None if there is none."""
        if start < self._read_until:
            return None
        match = _NAME.match(self._text, start)
        if match is None:
            return None
        properties: dict[str, str] = {}
        has_code = False
        position, limit = match.end(), start + _LONGEST
        while True:
            position = self._skip_space(position)
            closing = self._text[position : position + 2]
            if closing == "/>" or closing[:1] == ">":
                end = position + (2 if closing == "/>" else 1)
                is_empty = closing == "/>"
                name = match[2] or ""
                return Tag(name, end, properties, bool(match[1]), is_empty, has_code)
            next_position = self._property(position, properties) if position < limit else None
            if next_position is None:
                self._read_until = max(position, self._read_until)
                return None
            has_code = has_code or self._text[next_position - 1] == "}"
            position = next_position

    def _skip_space(self, position: int) -> int:
        match = _SPACE.match(self._text, position)
        return match.end() if match else position

    def _property(self, position: int, properties: dict[str, str]) -> int | None:
        """The end of the property that begins here, which is added; None if there is none."""
        if self._text.startswith("{", position):
            return self._braces_end(position)
        name = _ATTRIBUTE.match(self._text, position)
        if name is None:
            return None
        equals = self._skip_space(name.end())
        if not self._text.startswith("=", equals):
            properties[name[0]] = ""
            return name.end()
        start = self._skip_space(equals + 1)
        end = self._value_end(start)
        if end is not None:
            value = self._text[start:end]
            properties[name[0]] = value[1:-1] if value[0] in "\"'" else value
        return end

    def _value_end(self, start: int) -> int | None:
        opening = self._text[start : start + 1]
        if opening == "{":
            return self._braces_end(start)
        if opening and opening in "\"'":
            end = self._text.find(opening, start + 1, start + _LONGEST)
            return end + 1 if end >= 0 else None
        bare = _BARE.match(self._text, start)
        return bare.end() if bare else None

    def _braces_end(self, start: int) -> int | None:
        end = braces_end(self._text, start, start + _LONGEST)
        if end is None:
            self._read_until = start + _LONGEST
        return end


def braces_end(text: str, start: int, limit: int) -> int | None:
    """The end of the expression in braces that begins here, None if it is not closed."""
    depth = 0
    for match in _BRACE.finditer(text, start, limit):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return None
