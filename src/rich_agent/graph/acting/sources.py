"""Cards that tell whose words each argument of a call holds."""

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
    """The card with the authors of each argument, strangers first.

    Nobody is named for a value that is nobody's, or the user's alone, nor for a number in the
    card's line: it stands for a name, or in any text.
    """
    pairs = zip(card.fields, call.arguments.values(), strict=False)
    return card.with_sources(
        [
            "" if field.in_line and _is_number(value) else _source_line(value, provenance, locale)
            for field, value in pairs
        ]
    )


def _is_number(value: Any) -> bool:  # noqa: ANN401 - JSON
    return whole_number(str(value)) is not None


def _source_line(value: Any, provenance: PromptProvenance, locale: str) -> str:  # noqa: ANN401 - JSON
    origins = {one: None for text in values_in(value) for one in provenance.origins(text)}
    source_names = [
        _source_name(one, locale) for one in sorted(origins, key=lambda one: not one.is_foreign)
    ]
    if all(one.origin == "user" for one in origins):
        return ""
    sources = " · ".join(source_names[:_MOST_NAMED])
    return without_isolates(say(locale, "card-copied-from", sources=sources))


def _source_name(words: Words, locale: str) -> str:
    origin = "page" if words.origin == "private_page" else words.origin
    kind = say(locale, f"copied-{origin}")
    is_told = words.name and words.is_foreign
    return f"{kind} ({shorten(words.name, _NAME_CHARS)})" if is_told else kind
