"""Questions of users that whoever looks after the bot wants asked again, to see how it answers."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question in its user's words, with the turn that answered it."""

    ask: str
    thread_id: str
    request_id: str
    asked_at: datetime


KeepQuestion = Callable[[AskedQuestion], Awaitable[None]]
"""Keeps a question as a test question; one that is kept already stays as it is."""
