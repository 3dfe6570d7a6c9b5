"""Buttons that ask a question or give a command; a press works like a written message."""

from collections.abc import Iterable

from rich_agent.phrases import say
from rich_agent.ports.bot_api import Button, Keyboard

ASK_VERB = "ask1"
"""Prefix of a button's data if a press asks a suggested question."""
COMMAND_VERB = "command1"
"""Prefix of a button's data if a press gives a command."""
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


def leave_buttons(locale: str, session: int) -> Keyboard:
    """A button that gives up the guided session with this number; () for 0."""
    button = Button(say(locale, "tool-complete_ceremony"), f"{COMMAND_VERB}:cancel {session}")
    return ((button,),) if session else ()
