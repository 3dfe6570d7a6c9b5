"""Answers as Telegram messages: Markdown to text and entities, sources, links that are allowed."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from telegramify_markdown import RenderConfig, convert

from rich_agent.domain.answer import Answer
from rich_agent.domain.citation import Citation
from rich_agent.domain.markdown import complete_markdown
from rich_agent.domain.text import clean_text, shorten, utf16_length
from rich_agent.phrases import say
from rich_agent.telegram.splitting import MAX_UNITS, split_message, utf16_offsets
from rich_agent.telegram_api import RenderedMessage, TextEntity

# Characters that Markdown would swallow travel through the conversion as private-use characters,
# one unit each, so that no offset moves.
_HIDE = str.maketrans({"[": "\ue0f0", "]": "\ue0f1", "<": "\ue0f2"})
_SHOW = str.maketrans({"\ue0f0": "[", "\ue0f1": "]", "\ue0f2": "<"})
_FORGED = re.compile("[\ue0f0-\ue0f2]")
_SWALLOWED = re.compile(r"\[\d{1,4}\]|^[ >]*\[[^\]\n]*\](?=:)|<", re.MULTILINE)
_MARKER = re.compile(r"\[(\d{1,4})\]")
# What Telegram makes clickable by itself: with a scheme, with a path, or a host of three labels
# (two labels without a path, such as "node.js", carry nothing anywhere).
_URL = re.compile(
    r"(?<![\w@.-])(?:(?:[a-z][a-z0-9+.-]*://|www\.)[^\s<>\"'`]+"
    r"|(?:[a-z0-9-]+\.)+[a-z]{2,}/[^\s<>\"'`]*|(?:[a-z0-9-]+\.){2,}[a-z]{2,})",
    re.IGNORECASE,
)
_URL_END = ".,;:!?)]}*_。、）」』"
_LABEL_LENGTH = 160
_VERBATIM = frozenset({"pre", "code"})


def links_in(text: str) -> frozenset[str]:
    """The URLs written in a text, without the punctuation that follows them."""
    return frozenset(match[0].rstrip(_URL_END) for match in _URL.finditer(text))


def render(
    answer: Answer, *, locale: str, allowed_links: Iterable[str] = ()
) -> list[RenderedMessage]:
    """The messages of an answer, in order, the sources last; at least one message.

    A link is clickable only if it is a citation's or one of `allowed_links`; any other URL is shown
    as code, because Telegram makes links of bare URLs by itself.
    """
    links = {citation.number: citation.link for citation in answer.citations}
    body = _convert(answer.text)
    allowed = frozenset(allowed_links) | frozenset(filter(_is_web, links.values()))
    body = _restrict_links(body, allowed)
    body = _link_markers(body, links)
    parts = split_message(_join(body, _sources(answer.citations, locale)))
    return parts or [RenderedMessage("…")]


def render_partial(text: str) -> RenderedMessage | None:
    """A growing answer as one message, at most 4000 units, without links; None without any text."""
    body = _restrict_links(_convert(complete_markdown(text)), frozenset())
    plain = tuple(entity for entity in body.entities if entity.type != "text_link")
    parts = split_message(RenderedMessage(body.text, plain), MAX_UNITS - 2)
    if not parts:
        return None
    first = parts[0]
    return replace(first, text=f"{first.text} …")


def _convert(markdown: str) -> RenderedMessage:
    text = _FORGED.sub("\ufffd", clean_text(markdown))
    hidden = _SWALLOWED.sub(lambda match: match[0].translate(_HIDE), text)
    converted, entities = convert(hidden, latex_escape=False, config=_render_config())
    shown = tuple(
        TextEntity(e.type, e.offset, e.length, url=_shown(e.url), language=e.language)
        for e in entities
        if e.length > 0 and e.type != "custom_emoji"
    )
    return RenderedMessage(converted.translate(_SHOW), shown)


def _shown(url: str | None) -> str | None:
    return url.translate(_SHOW) if url else None


def _render_config() -> RenderConfig:
    config = RenderConfig.isolated()
    symbols = config.markdown_symbol
    for level in range(1, 7):
        setattr(symbols, f"heading_level_{level}", "")
    symbols.image = ""
    symbols.unordered_list_item = "•"
    return config


def _is_web(link: str | None) -> bool:
    return bool(link) and urlsplit(str(link)).scheme in ("http", "https")


def _restrict_links(message: RenderedMessage, allowed: frozenset[str]) -> RenderedMessage:
    kept = [
        entity
        for entity in message.entities
        if entity.type != "text_link" or (entity.url in allowed and _is_web(entity.url))
    ]
    offsets = utf16_offsets(message.text)
    for match in _URL.finditer(message.text):
        url = match[0].rstrip(_URL_END)
        start, end = offsets[match.start()], offsets[match.start() + len(url)]
        if url in allowed or _overlaps(kept, start, end, _VERBATIM):
            continue
        # A link and code cannot share a span.
        kept = [e for e in kept if e.type != "text_link" or not _overlaps([e], start, end)]
        kept += [TextEntity("code", start, end - start)]
    return RenderedMessage(message.text, _ordered(kept))


def _link_markers(message: RenderedMessage, links: Mapping[int, str]) -> RenderedMessage:
    offsets = utf16_offsets(message.text)
    blocked = _VERBATIM | {"text_link"}
    added = []
    for match in _MARKER.finditer(message.text):
        link = links.get(int(match[1]))
        start, end = offsets[match.start()], offsets[match.end()]
        if link and _is_web(link) and not _overlaps(message.entities, start, end, blocked):
            added.append(TextEntity("text_link", start, end - start, url=link))
    return RenderedMessage(message.text, _ordered([*message.entities, *added]))


def _overlaps(
    entities: Iterable[TextEntity], start: int, end: int, types: frozenset[str] | None = None
) -> bool:
    return any(
        entity.offset < end and start < entity.offset + entity.length
        for entity in entities
        if types is None or entity.type in types
    )


def _ordered(entities: Iterable[TextEntity]) -> tuple[TextEntity, ...]:
    return tuple(sorted(entities, key=lambda entity: (entity.offset, -entity.length)))


def _sources(citations: Iterable[Citation], locale: str) -> RenderedMessage:
    lines = [_source_line(citation) for citation in citations]
    if not lines:
        return RenderedMessage("")
    heading = say(locale, "sources-heading")
    message = RenderedMessage(heading, (TextEntity("bold", 0, utf16_length(heading)),))
    for line in lines:
        message = _join(message, line, "\n")
    return message


def _source_line(citation: Citation) -> RenderedMessage:
    text = f"[{citation.number}] {shorten(citation.label, _LABEL_LENGTH)}"
    if _is_web(citation.link):
        return RenderedMessage(
            text, (TextEntity("text_link", 0, utf16_length(text), url=citation.link),)
        )
    name = PurePosixPath(unquote(urlsplit(citation.source_url).path)).name
    # A title may hold a URL of its own; it is no link either.
    source = _restrict_links(RenderedMessage(text), frozenset())
    if not name or name in text:
        return source
    # As code, because Telegram would make a link of a name such as readme.md.
    code = RenderedMessage(name, (TextEntity("code", 0, utf16_length(name)),))
    return _join(source, code, " ")


def _join(
    first: RenderedMessage, second: RenderedMessage, between: str = "\n\n"
) -> RenderedMessage:
    head = first.text.rstrip()
    if not head or not second.text:
        return second if not head else first
    shift = utf16_length(head + between)
    moved = (replace(entity, offset=entity.offset + shift) for entity in second.entities)
    return RenderedMessage(head + between + second.text, (*first.entities, *moved))
