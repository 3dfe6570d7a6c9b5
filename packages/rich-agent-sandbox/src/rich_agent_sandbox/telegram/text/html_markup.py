"""The HTML parse mode. Source: https://core.telegram.org/bots/api#html-style."""

import html
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from typing_extensions import override

from rich_agent_sandbox.telegram.refusals import BotApiError, bad_request
from rich_agent_sandbox.telegram.text.entities import Entity, utf16_length

_TYPES = {
    "a": "text_link",
    "b": "bold",
    "blockquote": "blockquote",
    "code": "code",
    "del": "strikethrough",
    "em": "italic",
    "i": "italic",
    "ins": "underline",
    "pre": "pre",
    "s": "strikethrough",
    "span": "spoiler",
    "strike": "strikethrough",
    "strong": "bold",
    "tg-emoji": "custom_emoji",
    "tg-spoiler": "spoiler",
    "u": "underline",
}
_TAG = re.compile(r"<(?P<close>/?)(?P<name>[a-zA-Z][\w-]*)(?P<rest>[^<>]*)>")
_REFERENCE = re.compile(r"&(?:#\d+|#x[0-9a-fA-F]+|lt|gt|amp|quot);")


@dataclass(frozen=True, slots=True)
class _OpenTag:
    name: str
    attributes: dict[str, str]
    offset: int


class _Attributes(HTMLParser):
    """Reads the attributes of one start tag."""

    def __init__(self, tag: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.feed(tag)

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found = {name: value or "" for name, value in attrs}


@dataclass(slots=True)
class _Scanner:
    source: str
    text: str = ""
    length: int = 0
    open_tags: list[_OpenTag] = field(default_factory=list)
    entities: list[Entity] = field(default_factory=list)

    def run(self) -> None:
        position = 0
        while position < len(self.source):
            char = self.source[position]
            if char == "<":
                position = self._tag(position)
                continue
            reference = _REFERENCE.match(self.source, position) if char == "&" else None
            self._write(html.unescape(reference.group()) if reference else char)
            position = reference.end() if reference else position + 1
        if self.open_tags:
            name = self.open_tags[-1].name
            raise _cannot(f'Can\'t find end tag corresponding to start tag "{name}"')

    def _write(self, text: str) -> None:
        self.text += text
        self.length += utf16_length(text)

    def _tag(self, position: int) -> int:
        at = len(self.source[:position].encode())
        match = _TAG.match(self.source, position)
        if match is None:
            raise _cannot(f"Unclosed start tag at byte offset {at}")
        name = match["name"].lower()
        if match["close"]:
            self._close(name, at)
        else:
            attributes = _Attributes(match.group()).found
            if not _is_supported(name, attributes):
                raise _cannot(f'Unsupported start tag "{name}" at byte offset {at}')
            self.open_tags.append(_OpenTag(name, attributes, self.length))
        return match.end()

    def _close(self, name: str, at: int) -> None:
        if not self.open_tags:
            raise _cannot(f"Unexpected end tag at byte offset {at}")
        tag = self.open_tags.pop()
        if tag.name != name:
            raise _cannot(
                f'Unmatched end tag at byte offset {at}, expected "</{tag.name}>", '
                f'found "</{name}>"'
            )
        length = self.length - tag.offset
        if length and not self._joins_outer_pre(tag):
            self.entities.append(_entity(tag, length))

    def _joins_outer_pre(self, tag: _OpenTag) -> bool:
        """`<pre><code class="language-x">` is one entity: the language goes to the `pre`."""
        if tag.name != "code" or not self.open_tags or self.open_tags[-1].name != "pre":
            return False
        self.open_tags[-1].attributes.update(tag.attributes)
        return True


def parse_html(source: str) -> tuple[str, list[Entity]]:
    """The text without its tags, and its entities. Raises: BotApiError, in Telegram's words."""
    scanner = _Scanner(source)
    scanner.run()
    return scanner.text, scanner.entities


def _is_supported(name: str, attributes: dict[str, str]) -> bool:
    if name == "span":
        return attributes.get("class") == "tg-spoiler"
    return name in _TYPES


def _entity(tag: _OpenTag, length: int) -> Entity:
    kind = _TYPES[tag.name]
    extra: dict[str, Any] = {}
    if tag.name == "a":
        extra["url"] = tag.attributes.get("href", "")
    elif tag.name == "tg-emoji":
        extra["custom_emoji_id"] = tag.attributes.get("emoji-id", "")
    elif tag.name == "pre" and tag.attributes.get("class", "").startswith("language-"):
        extra["language"] = tag.attributes["class"].removeprefix("language-")
    elif tag.name == "blockquote" and "expandable" in tag.attributes:
        kind = "expandable_blockquote"
    return Entity(kind, tag.offset, length, extra)


def _cannot(reason: str) -> BotApiError:
    return bad_request(f"can't parse entities: {reason}")
