"""Questions of the bot to the user: their form, and their choices."""

from rich_agent.domain.routing.plan import Clarification
from rich_agent.domain.text import bare_words, shorten
from rich_agent.domain.vision import ImageSummary

MOST_CHOICES = 6
_QUESTION_LENGTH = 300
_CHOICE_LENGTH = 40


def in_bounds(proposal: Clarification) -> Clarification | None:
    """A model's question within limits: short, with 2 to 6 different choices or none.

    None if the question is empty.
    """
    question = shorten(proposal.question, _QUESTION_LENGTH)
    short_choices = (shorten(choice, _CHOICE_LENGTH) for choice in proposal.choices)
    choices = tuple(dict.fromkeys(choice for choice in short_choices if choice))
    if not question:
        return None
    return Clarification(question, choices[:MOST_CHOICES] if len(choices) > 1 else ())


def image_topics(summary: ImageSummary) -> tuple[str, ...]:
    """Likely requests about an image, the likeliest first: describe, text, table, search."""
    applies_by_topic = {
        "describe": True,
        "text": True,
        "table": bool(summary.tables),
        "search": bool(summary.entities),
    }
    return tuple(topic for topic, applies in applies_by_topic.items() if applies)


def answers_by_choice(text: str, question: Clarification) -> bool:
    """Whether the text is one of the choices."""
    return choice_index(text, question) is not None


def choice_index(text: str, question: Clarification) -> int | None:
    """The index of the choice that the text is, None if it is none."""
    choices = [bare_words(choice) or choice for choice in question.choices]
    answer = bare_words(text) or text.strip()
    return choices.index(answer) if answer in choices else None


def complete_question(asked_text: str, answer: str) -> str:
    """The first text joined with the answer; the answer alone if the text has no words."""
    return f"{asked_text}\n{answer}".strip() if bare_words(asked_text) else answer
