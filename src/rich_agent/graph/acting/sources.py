"""Approval cards that name the sources of each argument of a call."""

from typing import Any

from rich_agent.domain.approving.cards import ApprovalCard
from rich_agent.domain.origins import PromptProvenance
from rich_agent.domain.text import shorten, whole_number
from rich_agent.domain.tools import ToolCall
from rich_agent.domain.value_texts import values_in
from rich_agent.domain.words import Words
from rich_agent.phrases import say, without_isolates

_MOST_NAMED, _NAME_CHARS = 3, 40


def with_sources(
    card: ApprovalCard, call: ToolCall, provenance: PromptProvenance, locale: str
) -> ApprovalCard:
    """The card with a line of sources for each argument, foreign sources first.

    A value without sources, or by the user alone, has no such line. Neither has a number in the
    card's summary line: it stands for a name, or may occur in any text.
    """
    fields_with_values = zip(card.fields, call.arguments.values(), strict=False)
    return card.with_sources(
        [
            "" if field.in_line and _is_number(value) else _source_line(value, provenance, locale)
            for field, value in fields_with_values
        ]
    )


def _is_number(value: Any) -> bool:  # noqa: ANN401 - JSON
    return whole_number(str(value)) is not None


def _source_line(value: Any, provenance: PromptProvenance, locale: str) -> str:  # noqa: ANN401 - JSON
    """The sources of an argument's value as a sentence, "" if the user alone is its source."""
    distinct_words = {
        words: None for text in values_in(value) for words in provenance.origins(text)
    }
    source_names = [
        _source_name(one, locale)
        for one in sorted(distinct_words, key=lambda one: not one.is_foreign)
    ]
    if all(one.origin == "user" for one in distinct_words):
        return ""
    source_list = " · ".join(source_names[:_MOST_NAMED])
    return without_isolates(say(locale, "card-copied-from", sources=source_list))


def _source_name(words: Words, locale: str) -> str:
    """The kind of a source, with its name if the source is foreign and has one."""
    origin = "page" if words.origin == "private_page" else words.origin
    kind = say(locale, f"copied-{origin}")
    has_shown_name = words.name and words.is_foreign
    return f"{kind} ({shorten(words.name, _NAME_CHARS)})" if has_shown_name else kind
