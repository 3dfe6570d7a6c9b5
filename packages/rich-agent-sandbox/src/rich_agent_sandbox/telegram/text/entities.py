"""Text and its entities, cleaned as Telegram's server cleans them. Offsets are UTF-16 units.

Source: https://core.telegram.org/bots/api#messageentity and TDLib's MessageEntity.cpp.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any

from rich_agent_sandbox.telegram.refusals import bad_request
from rich_agent_sandbox.telegram.text.detection import find_marks

ENTITIES_KEPT = 100
KNOWN_TYPES = frozenset(
    (
        "blockquote",
        "bold",
        "bot_command",
        "cashtag",
        "code",
        "custom_emoji",
        "date_time",
        "email",
        "expandable_blockquote",
        "hashtag",
        "italic",
        "mention",
        "phone_number",
        "pre",
        "spoiler",
        "strikethrough",
        "text_link",
        "text_mention",
        "underline",
        "url",
    )
)
_VERBATIM = frozenset({"code", "pre"})
_QUOTES = frozenset({"blockquote", "expandable_blockquote"})
_OPAQUE = _VERBATIM | {"text_link", "text_mention", "custom_emoji", "date_time"}
_LINK = re.compile(r"(?i)^(?:https?://[^\s/?#]+|tg://\S|ton://\S|tonsite://\S|mailto:\S|tel:\S)")
_BARE_HOST = re.compile(r"(?i)^(?:[\w-]+\.)+[a-z]{2,}(?:[:/?#]\S*)?$")
_TIME_FORMAT = re.compile(r"r|w?[dD]?[tT]?")
_CONTROL = {code: " " for code in range(32) if code not in (10, 13)} | {13: None}


@dataclass(frozen=True, slots=True)
class Entity:
    """A marked part of a text; `extra` has the further fields of its type, such as the url."""

    type: str
    offset: int
    length: int
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def end(self) -> int:
        """The offset of the first unit after it."""
        return self.offset + self.length

    def to_json(self) -> dict[str, Any]:
        """The entity in the Bot API's form."""
        return {"type": self.type, "offset": self.offset, "length": self.length, **self.extra}


@dataclass(frozen=True, slots=True)
class FormattedText:
    """A text in the form in which it is stored and shown."""

    text: str = ""
    entities: tuple[Entity, ...] = ()


def utf16_length(text: str) -> int:
    """The length in UTF-16 units, in which Telegram counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def read_entities(items: object) -> list[Entity]:
    """The entities in the JSON of a call. Raises: BotApiError for anything else."""
    if not isinstance(items, list):
        raise bad_request("can't parse entities: expected an Array of MessageEntity")
    return [_read_entity(item) for item in items]


def _read_entity(item: object) -> Entity:
    if not isinstance(item, dict):
        raise bad_request("can't parse entities: expected an Object MessageEntity")
    kind, offset, length = item.get("type"), item.get("offset"), item.get("length")
    if kind not in KNOWN_TYPES:
        raise bad_request(f'can\'t parse entities: unsupported entity type "{kind}"')
    if not isinstance(offset, int) or offset < 0:
        raise bad_request(f"can't parse entities: receive an entity with incorrect offset {offset}")
    if not isinstance(length, int) or length < 0:
        raise bad_request(f"can't parse entities: receive an entity with incorrect length {length}")
    extra = {name: item[name] for name in item if name not in ("type", "offset", "length")}
    if kind == "date_time":
        _check_time(extra)
    return Entity(kind, offset, length, extra)


def _check_time(extra: Mapping[str, Any]) -> None:
    """Source: https://core.telegram.org/bots/api#date-time-entity-formatting."""
    moment, time_format = extra.get("unix_time"), extra.get("date_time_format") or ""
    if not isinstance(moment, int) or moment < 0:
        raise bad_request("can't parse entities: receive a date_time with incorrect unix_time")
    if not _TIME_FORMAT.fullmatch(str(time_format)):
        raise bad_request(f"can't parse entities: receive incorrect date_time_format {time_format}")


def fix_text(text: str, entities: Iterable[Entity]) -> FormattedText:
    """The text as Telegram stores it: trimmed, without control characters, with valid entities.

    At most 100 entities are kept; a link that Telegram would not open is silently dropped.

    Raises: BotApiError for an entity outside the text or inside a surrogate pair.
    """
    sorted_entities = sorted(entities, key=lambda entity: (entity.offset, -entity.length))
    _check_bounds(text, sorted_entities)
    cleaned, kept_entities = _clean(text, sorted_entities)
    trimmed, kept_entities = _trim(cleaned, kept_entities)
    kept_entities = _without_marks_in_code(
        [entity for entity in map(_linked, kept_entities) if entity is not None]
    )
    all_entities = [*kept_entities, *detect_entities(trimmed, kept_entities)]
    all_entities.sort(key=lambda entity: (entity.offset, -entity.length))
    return FormattedText(trimmed, tuple(all_entities[:ENTITIES_KEPT]))


def _check_bounds(text: str, entities: Sequence[Entity]) -> None:
    edges = _utf16_edges(text) if entities else frozenset()
    end = utf16_length(text)
    for entity in entities:
        start = f"can't parse entities: entity beginning at UTF-16 offset {entity.offset}"
        if entity.end > end:
            raise bad_request(f"{start} ends after the end of the text at UTF-16 offset {end}")
        if entity.offset not in edges or entity.end not in edges:
            raise bad_request(f"{start} begins or ends in a middle of a UTF-16 symbol")


def _utf16_edges(text: str) -> frozenset[int]:
    return frozenset(accumulate((1 + (char > "\uffff") for char in text), initial=0))


def _clean(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    cleaned = text.translate(_CONTROL)
    if "\r" not in text:
        return cleaned, entities
    returns = [utf16_length(text[:index]) for index, char in enumerate(text) if char == "\r"]

    def moved(offset: int) -> int:
        return offset - sum(position < offset for position in returns)

    return cleaned, [
        replace(
            entity, offset=moved(entity.offset), length=moved(entity.end) - moved(entity.offset)
        )
        for entity in entities
    ]


def _trim(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    right = text.rstrip()
    left = right.lstrip()
    # Space at the start of an entity is kept, so that the entity keeps its offset.
    left_cut = min([len(right) - len(left), *(entity.offset for entity in entities[:1])])
    trimmed = right[left_cut:]
    end = utf16_length(trimmed)
    fitting_entities = []
    for entity in entities:
        offset = entity.offset - left_cut
        length = min(entity.length, end - offset)
        if length > 0:
            fitting_entities.append(replace(entity, offset=offset, length=length))
    return trimmed, fitting_entities


def _linked(entity: Entity) -> Entity | None:
    if entity.type != "text_link":
        return entity
    url = link_target(str(entity.extra.get("url", "")))
    return replace(entity, extra={"url": url}) if url else None


def link_target(url: str) -> str | None:
    """The address that a link opens, None for a link that Telegram drops.

    Unlike Telegram, it accepts a host without a dot, so that local pages can be linked.
    """
    url = url.strip()
    if _LINK.match(url):
        is_bare = re.fullmatch(r"(?i)https?://[^/?#]+", url)
        return f"{url}/" if is_bare else url
    if _BARE_HOST.match(url):
        return link_target(f"http://{url}")
    return None


def _without_marks_in_code(entities: list[Entity]) -> list[Entity]:
    code_entities = [entity for entity in entities if entity.type in _VERBATIM]

    def is_inside_code(entity: Entity) -> bool:
        return any(
            code is not entity and entity.offset < code.end and code.offset < entity.end
            for code in code_entities
        )

    return [
        entity
        for entity in entities
        if entity.type in _VERBATIM or entity.type in _QUOTES or not is_inside_code(entity)
    ]


def detect_entities(text: str, entities: Sequence[Entity] = ()) -> list[Entity]:
    """Links, mentions, tags and commands in the text, outside of `entities`."""
    opaque_entities = [entity for entity in entities if entity.type in _OPAQUE]
    detected_entities = []
    for mark in find_marks(text):
        offset = utf16_length(text[: mark.start])
        entity = Entity(mark.kind, offset, utf16_length(text[mark.start : mark.end]))
        if not any(
            entity.offset < opaque_entity.end and opaque_entity.offset < entity.end
            for opaque_entity in opaque_entities
        ):
            detected_entities.append(entity)
    return detected_entities
