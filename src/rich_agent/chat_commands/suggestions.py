"""Buttons that ask a question; a press works like a written message: it runs a turn."""

from collections.abc import Iterable

from rich_agent.phrases import say
from rich_agent.ports.bot_api import Button, Keyboard

ASK_VERB = "ask1"
"""Prefix of a button's data if a press asks a suggested question."""
_DATA_BYTES = 64


def question_buttons(questions: Iterable[str]) -> Keyboard:
    """A button for each question that is short enough; a press asks it.

    Source: Bot API, InlineKeyboardButton: `callback_data` has at most 64 bytes.
    """
    buttons = (Button(question, f"{ASK_VERB}:{question}") for question in questions)
    return tuple((button,) for button in buttons if len(button.data.encode()) <= _DATA_BYTES)


def continue_buttons(locale: str) -> Keyboard:
    """A button that asks for the rest of an answer in a new turn."""
    data = f"{ASK_VERB}:{say(locale, 'continue-wish')}"
    return ((Button(say(locale, "continue-button"), data),),)
