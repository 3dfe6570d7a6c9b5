"""Buttons that ask a question or give a command; a press works like a written message."""

from collections.abc import Iterable

from rich_agent.domain.answer.citation import CommandOffer
from rich_agent.domain.rights import Reader
from rich_agent.domain.routing.plan import Domain
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.phrases import say
from rich_agent.ports.bot_api import Button, Keyboard
from rich_agent.ports.knowledge import SourceCatalogue

ASK_VERB = "ask1"
"""Prefix of a button's data if a press asks a suggested question."""
COMMAND_VERB = "command1"
"""Prefix of a button's data if a press gives a command."""
_DATA_BYTES = 64
_SUBJECTS, _SUBJECTS_READ = 3, 12
"""More are read than are suggested, because long titles do not fit into a button."""


async def subjects_to_try(domain: Domain, catalogue: SourceCatalogue, reader: Reader) -> list[str]:
    """Up to 3 questions that documents answer, else titles of documents, to suggest as questions.

    A `domain` with words of the operator comes before what a model wrote. None while the database
    is unavailable.
    """
    try:
        written = [] if domain.description else await catalogue.typical_questions(reader)
        questions = domain.examples or written
        subjects = await catalogue.subjects(_SUBJECTS_READ, reader)
    except DatabaseUnavailableError:
        return []
    return [one for one in (*questions, *subjects) if _fits_button(one)][:_SUBJECTS]


def question_buttons(questions: Iterable[str]) -> Keyboard:
    """A button for each question that is short enough; a press asks it.

    Source: Bot API, InlineKeyboardButton: `callback_data` has at most 64 bytes.
    """
    return tuple((Button(one, f"{ASK_VERB}:{one}"),) for one in questions if _fits_button(one))


def _fits_button(question: str) -> bool:
    return len(f"{ASK_VERB}:{question}".encode()) <= _DATA_BYTES


def continue_buttons(locale: str) -> Keyboard:
    """A button that asks for the rest of an answer in a new turn."""
    data = f"{ASK_VERB}:{say(locale, 'continue-wish')}"
    return ((Button(say(locale, "continue-button"), data),),)


def button_message(data: str) -> str:
    """The message for which a button stands: a question or a command; "" for other buttons."""
    verb, _, argument = data.partition(":")
    if verb == COMMAND_VERB:
        return f"/{argument}"
    return argument if verb == ASK_VERB else ""


def command_buttons(offers: Iterable[CommandOffer]) -> Keyboard:
    """A row for each command that is offered."""
    return tuple((Button(one.text, f"{COMMAND_VERB}:{one.command}"),) for one in offers)
