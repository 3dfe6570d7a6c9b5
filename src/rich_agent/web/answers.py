"""Answers for clients that render Markdown, with safe links and with sources."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from rich_agent.domain.answer.citation import Answer, Citation
from rich_agent.domain.answer.links import is_web
from rich_agent.domain.approving.cards import ApprovalCard, card_text, cards_in, join_cards
from rich_agent.domain.text import shorten
from rich_agent.domain.tools import ToolCall
from rich_agent.phrases import say
from rich_agent.web.link_guard import guard_links

_LABEL_LENGTH = 160
_MOST_VERBATIM = 20_000
_TICKS = re.compile(r"`++")
_SPECIAL = re.compile(r"[\\\"<>&`\[\]|*_$]")
_UNSAFE = re.compile(r"[\s\\<>\"`\x00-\x1f]")


def answer_markdown(answer: Answer, user_links: Iterable[str] = ()) -> str:
    """The whole answer: its text with guarded links, then its sources.

    `user_links` are the links in the user's words. With the same links, the text begins with the
    output of a `LinkGuard` for the growing text.
    """
    text = guard_links(answer.text, allowed_links(answer.citations, user_links))
    return text + sources_markdown(answer.citations)


def verbatim_markdown(text: str, locale: str) -> str:
    """An introduction, and up to 20,000 characters of the text as a block of code.

    Links and markup have no effect in a block of code, so the text needs no guard.
    """
    extract = shorten(text, _MOST_VERBATIM)
    fence = "`" * (max(map(len, _TICKS.findall(extract)), default=0) + 3)
    return f"{say(locale, 'aside-stream')}\n\n{fence}\n{extract}\n{fence}"


def allowed_links(citations: Sequence[Citation], user_links: Iterable[str] = ()) -> list[str]:
    """The addresses that an answer may link to: those of its sources and of the user's words."""
    source_links = (
        link
        for citation in citations
        for link in (citation.link, citation.source_url)
        if is_web(link)
    )
    return [*user_links, *source_links]


def sources_markdown(citations: Sequence[Citation]) -> str:
    """The Markdown to append to a text so that each `[n]` in it links to its source.

    Citations with a web address get a reference definition, which rendered Markdown does not show.
    The others get a visible line. "" without citations.

    Source: CommonMark 0.31, link reference definitions.
    """
    if not citations:
        return ""
    lines = [_plain_source(citation) for citation in citations if not is_web(citation.link)]
    definitions = [_definition(citation) for citation in citations if is_web(citation.link)]
    # A backslash at the end of a line is a line break.
    return "".join(f"\n\n{part}" for part in ("\\\n".join(lines), "\n".join(definitions)) if part)


def _definition(citation: Citation) -> str:
    url = _UNSAFE.sub(lambda match: quote(match[0]), citation.link)
    return f'[{citation.number}]: <{url}> "{_escape(citation.label)}"'


def _plain_source(citation: Citation) -> str:
    name = PurePosixPath(unquote(urlsplit(citation.source_url).path)).name
    label = citation.label
    if name and name not in label:
        label = f"{label} · {name}"
    return f"\\[{citation.number}\\] {guard_links(_escape(label))}"


def _escape(label: str) -> str:
    text = shorten(" ".join(label.split()), _LABEL_LENGTH)
    return _SPECIAL.sub(lambda match: f"\\{match[0]}", text)


def cards_of_question(question: Mapping[str, Any]) -> tuple[ApprovalCard, ...]:
    """The cards of a run's event `question`; for an old event without cards, from its calls."""
    calls = (
        ToolCall(call["id"], call["name"], call["arguments"]) for call in question.get("calls", ())
    )
    return cards_in(question.get("cards", ()), calls) if question["approves"] else ()


def question_markdown(question: Mapping[str, Any], cards: Sequence[ApprovalCard]) -> str:
    """The question of an event and the given cards, each in a block of code.

    Every line of a card begins with the mark of its kind, so no line can end the block.
    """
    text = question["question"]
    if question["approves"] and "cards" not in question:
        text = text.partition("\n")[0]
    blocks = (f"```text\n{card_text(card_group.cards)}\n```" for card_group in join_cards(cards))
    return "\n\n".join([guard_links(text), *blocks])
