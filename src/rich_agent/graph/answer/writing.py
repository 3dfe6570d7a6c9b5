"""Has the chat model write a text until its time is up or the user stops it."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rich_agent.domain.text import clean_text
from rich_agent.domain.tools import ToolCall
from rich_agent.errors import EarlyEndError, UpstreamTimeoutError
from rich_agent.graph.services import NodeContext
from rich_agent.ports.models import GrowingCall, Prompt
from rich_agent.runtime.concurrency import closing_after, end_on

SILENCE_S = 5.0
"""The length of a silence after which the user is told that the model is thinking."""
TOGETHER_S = 0.1
"""Pieces within this time are shown together: readers see no difference, and each has a cost."""
_LONGEST_THOUGHT = 3
"""The most timeouts for the first word that a model may use up by thinking aloud."""


@dataclass(frozen=True, slots=True)
class WriteTimeouts:
    """The longest silence before a model's first word, and the longest time for the rest.

    A model that thinks aloud is not silent.
    """

    first_word_s: float
    rest_s: float


@dataclass(frozen=True, slots=True)
class ModelText:
    """The text and calls of a model, up to its end, an early end, or a stop by the user."""

    text: str
    was_stopped: bool
    early_end: EarlyEndError | None = None
    calls: tuple[ToolCall, ...] = ()


def show_nothing(growing: str | GrowingCall) -> None:
    """Ignore the growing text: the user does not see it."""


@dataclass(slots=True)
class _Wait:
    """The wait for a model's first word. Every sign of life prolongs it.

    The first sign of life, or a silence, tells the user that the model is thinking.
    """

    patience: WriteTimeouts
    timeout: asyncio.Timeout
    think: Callable[[], None]
    began: float
    left_s: float
    is_over: bool = False
    is_told: bool = False

    def sign(self, piece: str) -> None:
        """Note a piece of text, or an empty one while the model thinks aloud."""
        now_s = asyncio.get_running_loop().time()
        if piece and not self.is_over:
            self.is_over, self.left_s = True, self.patience.rest_s
            self.timeout.reschedule(now_s + self.left_s)
        elif not self.is_over:
            self.tell()
            longest_thought_s = _LONGEST_THOUGHT * self.patience.first_word_s
            self.timeout.reschedule(
                min(now_s + self.patience.first_word_s, self.began + longest_thought_s)
            )

    def tell(self) -> None:
        """Tell the user that the model is thinking, unless they know it or have text to read."""
        if not (self.is_told or self.is_over):
            self.is_told = True
            self.think()


@dataclass(slots=True)
class _Pieces:
    """Passes on the first piece of a text at once, and the pieces of the next moment together."""

    show: Callable[[str], None]
    _waiting: str = ""
    _timer: asyncio.TimerHandle | None = None

    def feed(self, piece: str) -> None:
        """Pass on a piece, at once or together with pieces of the same moment."""
        self._waiting += piece
        if self._timer is None:
            self._pass_on()

    def _pass_on(self) -> None:
        """Show the pieces so far, and wait again if there were any."""
        self._timer = None
        if self.flush():
            self._timer = asyncio.get_running_loop().call_later(TOGETHER_S, self._pass_on)

    def flush(self) -> bool:
        """Show the pieces that wait; return whether there were any."""
        text, self._waiting = self._waiting, ""
        if text:
            self.show(text)
        return bool(text)

    def end(self) -> None:
        """Show the last pieces."""
        if self._timer:
            self._timer.cancel()
        self.flush()


@contextmanager
def _together(show: Callable[[str], None]) -> Iterator[_Pieces]:
    """The pieces of a text; the last are shown when the block ends."""
    pieces = _Pieces(show)
    try:
        yield pieces
    finally:
        pieces.end()


@contextmanager
def signal_silence(tell: Callable[[], None]) -> Iterator[None]:
    """Call `tell` once if the block takes longer than `SILENCE_S`."""
    timer = asyncio.get_running_loop().call_later(SILENCE_S, tell)
    try:
        yield
    finally:
        timer.cancel()


async def write(
    prompt: Prompt,
    context: NodeContext,
    patience: WriteTimeouts,
    show: Callable[[str | GrowingCall], None] = show_nothing,
    think: Callable[[], None] = lambda: None,
) -> ModelText:
    """The model's text and calls; `show` gets each piece of text, and each call while it grows.

    `think` is called once if the model thinks before its first word, aloud or silently.

    Raises: UpstreamTimeoutError, other UpstreamErrors, DailyLimitError.
    """
    text, early_end, calls = "", None, list[ToolCall]()
    deadline = asyncio.timeout(patience.first_word_s)
    start_s = asyncio.get_running_loop().time()
    wait = _Wait(patience, deadline, think, start_s, patience.first_word_s)
    reply = await context.turn.speculation.take(prompt) or context.services.chat.stream(prompt)
    try:
        async with deadline, end_on(context.turn.stop) as was_stopped, closing_after(reply):
            with signal_silence(wait.tell), _together(show) as display:
                async for piece in reply:
                    if isinstance(piece, ToolCall):
                        calls.append(piece)
                        continue
                    if isinstance(piece, GrowingCall):
                        display.flush()
                        show(piece)
                        continue
                    wait.sign(piece)
                    if piece:
                        text += (clean_piece := clean_text(piece))
                        display.feed(clean_piece)
    except EarlyEndError as error:
        early_end, text = error, text[: error.kept]
    except TimeoutError as error:
        raise UpstreamTimeoutError("model", wait.left_s) from error
    return ModelText(text, was_stopped(), early_end, tuple(calls))
