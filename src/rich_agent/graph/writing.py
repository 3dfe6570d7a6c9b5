"""Has the chat model write a text: within its time, and until the user stops it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from rich_agent.concurrency import ended_by
from rich_agent.domain.text import clean_text
from rich_agent.errors import UpstreamTimeoutError
from rich_agent.graph.services import Services
from rich_agent.ports.upstreams import Prompt


@dataclass(frozen=True, slots=True)
class Patience:
    """How long is waited for the first word, and from there on for the last."""

    first_word_s: float
    rest_s: float


@dataclass(frozen=True, slots=True)
class Written:
    """What the model wrote, as far as it came before the user stopped it."""

    text: str
    was_stopped: bool


def show_nothing(text: str) -> None:
    """Keep the growing text from the user."""


async def write(
    prompt: Prompt,
    services: Services,
    patience: Patience,
    show: Callable[[str], None] = show_nothing,
) -> Written:
    """The model's text; `show` gets what there is of it, from its first character each time.

    Raises: UpstreamTimeoutError, other UpstreamErrors, DailyLimitError.
    """
    text, left_s = "", patience.first_word_s
    try:
        async with asyncio.timeout(left_s) as deadline, ended_by(services.stop) as was_stopped:
            async for piece in services.chat.stream(prompt):
                if not text:
                    left_s = patience.rest_s
                    deadline.reschedule(asyncio.get_running_loop().time() + left_s)
                text += clean_text(piece)
                show(text)
    except TimeoutError as error:
        raise UpstreamTimeoutError("model", left_s) from error
    return Written(text, was_stopped())
