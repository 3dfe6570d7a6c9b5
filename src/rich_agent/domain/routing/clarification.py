"""Questions that the bot asks back: their form, and what certainly does (not) answer them.

Nothing here reads a meaning out of words; what is not certain is left to the planner.
"""

from rich_agent.domain.answer.links import web_links
from rich_agent.domain.message import IncomingMessage
from rich_agent.domain.routing.plan import Clarification
from rich_agent.domain.routing.small_talk import SmallTalk, small_talk
from rich_agent.domain.text import bare_words, shorten
from rich_agent.domain.vision import ImageSummary

MOST_CHOICES = 6
_QUESTION_LENGTH = 300
_CHOICE_LENGTH = 40
_NO_ANSWER: frozenset[SmallTalk] = frozenset({"greeting", "farewell", "thanks"})


def in_bounds(proposed: Clarification) -> Clarification | None:
    """A model's question as it may be asked: short, with 2 to 6 different choices or none.

    None when it asks nothing.
    """
    question = shorten(proposed.question, _QUESTION_LENGTH)
    short = (shorten(choice, _CHOICE_LENGTH) for choice in proposed.choices)
    choices = tuple(dict.fromkeys(choice for choice in short if choice))
    if not question:
        return None
    return Clarification(question, choices[:MOST_CHOICES] if len(choices) > 1 else ())


def image_topics(summary: ImageSummary) -> tuple[str, ...]:
    """Return the likely wishes for an image, likeliest first: describe, text, table, search."""
    topics = {
        "describe": True,
        "text": True,
        "table": bool(summary.tables),
        "search": bool(summary.entities),
    }
    return tuple(topic for topic, holds in topics.items() if holds)


def is_another_request(
    message: IncomingMessage, asked: Clarification, *, wants_words: bool = False
) -> bool:
    """Whether a message surely is no answer to the question; False leaves it to the planner.

    Surely none is what is forwarded, a greeting, a file with words of its own, a reply to some
    other message, and what is no choice where only choices count. Nor is anything new a user sends
    an answer that `wants_words`: it says nothing of what came before.
    """
    if asked.only_choices or answers_by_choice(message.text, asked):
        return not answers_by_choice(message.text, asked)
    brings_question = bool(message.files and bare_words(message.text))
    if wants_words and _brings_material(message):
        return True
    if brings_question or message.forwarded or small_talk(message.text) in _NO_ANSWER:
        return True
    return bool(message.reply and asked.question not in message.reply.text)


def _brings_material(message: IncomingMessage) -> bool:
    links = web_links(message.text) if message.links is None else None
    is_only_links = links[1] if links else message.is_only_links
    return bool(message.photos or message.files or message.unread) or is_only_links


def answers_by_choice(text: str, asked: Clarification) -> bool:
    """Whether the text is one of the choices."""
    return choice_index(text, asked) is not None


def choice_index(text: str, asked: Clarification) -> int | None:
    """Which of the choices the text is, from 0; None for something else."""
    choices = [bare_words(choice) or choice for choice in asked.choices]
    said = bare_words(text) or text.strip()
    return choices.index(said) if said in choices else None


def completed_by(asked_text: str, answer: str) -> str:
    """Join the question's first words with the user's answer; the answer alone without them."""
    return f"{asked_text}\n{answer}".strip() if bare_words(asked_text) else answer
