"""👍 👎 and "Why?" under answers; the data of a thumb is the rating that a press sets."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich_agent.chat_commands.passages import passage_buttons
from rich_agent.chat_commands.why import WHY_VERB
from rich_agent.domain.answer.answer import Answer
from rich_agent.domain.message import thread_of
from rich_agent.domain.text import whole_number
from rich_agent.errors import UpstreamError
from rich_agent.phrases import say
from rich_agent.ports.accounts import Feedback, Rating
from rich_agent.ports.bot_api import Button, TelegramApi
from rich_agent.runtime.surviving import survived
from rich_agent.telegram.deliver.asking_back import continue_buttons
from rich_agent.telegram.deliver.messenger import Hold, ReplyTarget
from rich_agent.telegram.deliver.outbound import Keyboard
from rich_agent.telegram.receive.inbound import Press

VERB = "rate1"
_SIGNS: dict[Rating, str] = {"up": "👍", "down": "👎"}


def rating_row(update_id: int, locale: str, rating: Rating | None = None) -> tuple[Button, ...]:
    """The row under the answer to an update; the current rating is marked.

    A marked button removes the rating. A press that is handled twice changes nothing.
    """
    row = [
        Button(
            f"{sign} ✓" if rated == rating else sign,
            f"{VERB}:{'none' if rated == rating else rated}:{update_id}",
        )
        for rated, sign in _SIGNS.items()
    ]
    return (*row, Button(say(locale, "why-button"), f"{WHY_VERB}:{update_id}"))


def feedback_buttons(target: ReplyTarget, answer: Answer) -> Keyboard:
    """The rows under a finished, unrated answer: its passages, then the thumbs.

    If the answer was cut off, a button that asks for the rest comes first.
    """
    return (
        *(continue_buttons(target.locale) if answer.is_cut else ()),
        *passage_buttons(target, answer),
        *([rating_row(target.update_id, target.locale)] if answer.worth_rating else []),
    )


def _is_rating(row: Sequence[Button]) -> bool:
    return any(button.data.startswith(f"{VERB}:") for button in row)


@dataclass(frozen=True, slots=True)
class Ratings:
    """Stores the users' ratings of their answers."""

    feedback: Feedback
    api: TelegramApi

    async def press(self, press: Press, locale: str, _hold: Hold) -> str:
        """Store the rating of one of the user's own answers, and mark it in the row of buttons."""
        wanted, _, number = press.argument.partition(":")
        rating: Rating | None = "up" if wanted == "up" else "down" if wanted == "down" else None
        update_id = whole_number(number)
        if update_id is None:
            return say(locale, "button-outdated")
        # The thread belongs to the user who pressed, so nobody can rate another user's answer.
        thread_id = thread_of(press.user.telegram_user_id)
        if not await self.feedback.rate(thread_id, f"tg:{update_id}", rating):
            return say(locale, "button-outdated")
        others = (row for row in press.keyboard if not _is_rating(row))
        rows = (*others, rating_row(update_id, locale, rating))
        with survived("telegram.rating_not_shown", UpstreamError):
            await self.api.edit_buttons(press.chat_id, press.message_id, rows)
        return say(locale, "rated" if rating else "rating-withdrawn")
