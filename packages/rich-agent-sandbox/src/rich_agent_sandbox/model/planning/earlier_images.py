"""Detects whether a message without a picture asks about an earlier one."""

from itertools import takewhile

from rich_agent_sandbox.model.language import phrases
from rich_agent_sandbox.model.language.text import cjk_runs, content_terms
from rich_agent_sandbox.model.planning.search_queries import leans
from rich_agent_sandbox.model.prompt import Prompt, Turn
from rich_agent_sandbox.model.vision.image_summary import asks_of_a_table

_NAMES_OF_ANYTHING = frozenset(
    content_terms(
        "thing object item shape form figure element part piece word letter text colour color"
        " largest biggest greatest smallest tiniest"
    )
)


def asks_closely(question: str) -> bool:
    """Whether it asks for a count, a size, text or an exact place, which descriptions lack."""
    close = (phrases.asks_to_count, phrases.asks_to_read, phrases.asks_where, phrases.asks_for_size)
    return any(asks(question) for asks in close)


def asks_of_image(question: str) -> bool:
    """Whether it names a picture and asks for something visible in it."""
    asks = asks_closely(question) or phrases.asks_what_is_shown(question)
    return phrases.about_image(question) and asks


def is_on_earlier_image(prompt: Prompt) -> bool:
    """Whether the question is about an earlier picture: it names one, or continues with it.

    It continues if nothing else was discussed since, and if it points back or asks for something
    visible.
    """
    question = prompt.question
    if phrases.about_image(question):
        return True
    shown = _since_photo(prompt.turns)
    if not shown:
        return leans(question) and (asks_closely(question) or phrases.asks_what_is_shown(question))
    return leans(question) or _asks_what_is_seen(question, shown)


def _since_photo(turns: tuple[Turn, ...]) -> str:
    """The answer about the last photo, if the user asked about nothing else since, else ""."""
    newest_first = list(takewhile(lambda turn: not turn.photos, reversed(turns)))
    if len(newest_first) == len(turns):
        return ""
    answers = "\n".join(turn.text for turn in newest_first if turn.role == "assistant")
    asked = [turn.text for turn in newest_first if turn.role == "user"]
    is_about_it = all(leans(text) or _asks_what_is_seen(text, answers) for text in asked)
    return answers if is_about_it else ""


def _asks_what_is_seen(question: str, shown: str) -> bool:
    """Whether it asks for something shown, or for a count, text, size, shape or colour."""
    if phrases.asks_to_read(question) or asks_of_a_table(question):
        return True
    if phrases.asks(question) and set(content_terms(question)) & set(content_terms(shown)):
        return True
    asks = (phrases.asks_to_count, phrases.asks_what_is_shown, phrases.asks_for_size)
    if not any(of(question) for of in asks):
        return False
    named = set(content_terms(question))
    return bool(cjk_runs(question)) or named <= _NAMES_OF_ANYTHING | set(content_terms(shown))
