"""Has the chat model write a text, until its time is up or the user stops it."""

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
"""After a silence of this length the user is told that the model thinks."""
TOGETHER_S = 0.1
"""Pieces within this time are shown together: readers see no difference, and each costs work."""
_LONGEST_THOUGHT = 3
"""So many times is the patience for a silence had with a model that thinks aloud."""


@dataclass(frozen=True, slots=True)
class WriteTimeouts:
    """The longest silence of a model before its first word, and the longest time to write the rest.

    One that thinks aloud is not silent.
    """

    first_word_s: float
    rest_s: float


@dataclass(frozen=True, slots=True)
class ModelText:
    """The text a model wrote before it finished, ended early, called, or the user stopped it."""

    text: str
    was_stopped: bool
    early_end: EarlyEndError | None = None
    calls: tuple[ToolCall, ...] = ()


def show_nothing(growing: str | GrowingCall) -> None:
    """Keep what grows from the user."""


@dataclass(slots=True)
class _Wait:
    """The wait for the first word: every sign of life prolongs it, the first tells the user."""

    patience: WriteTimeouts
    timeout: asyncio.Timeout
    think: Callable[[], None]
    began: float
    left_s: float
    is_over: bool = False
    is_told: bool = False

    def sign(self, piece: str) -> None:
        """Something came."""
        now = asyncio.get_running_loop().time()
        if piece and not self.is_over:
            self.is_over, self.left_s = True, self.patience.rest_s
            self.timeout.reschedule(now + self.left_s)
        elif not self.is_over:
            self.tell()
            most_s = _LONGEST_THOUGHT * self.patience.first_word_s
            self.timeout.reschedule(min(now + self.patience.first_word_s, self.began + most_s))

    def tell(self) -> None:
        """Tell the user that the model thinks, unless they know, or read already."""
        if not (self.is_told or self.is_over):
            self.is_told = True
            self.think()


@dataclass(slots=True)
class _Pieces:
    """Passes on the first piece of a text at once, and those of the next moment together."""

    show: Callable[[str], None]
    _waiting: str = ""
    _timer: asyncio.TimerHandle | None = None

    def feed(self, piece: str) -> None:
        """Pass it on, now or soon."""
        self._waiting += piece
        if self._timer is None:
            self._pass_on()

    def _pass_on(self) -> None:
        self._timer = None
        if self.flush():
            self._timer = asyncio.get_running_loop().call_later(TOGETHER_S, self._pass_on)

    def flush(self) -> bool:
        """Pass on what waits; whether anything did."""
        text, self._waiting = self._waiting, ""
        if text:
            self.show(text)
        return bool(text)

    def end(self) -> None:
        """Pass on the rest."""
        if self._timer:
            self._timer.cancel()
        self.flush()


@contextmanager
def _together(show: Callable[[str], None]) -> Iterator[_Pieces]:
    pieces = _Pieces(show)
    try:
        yield pieces
    finally:
        pieces.end()


@contextmanager
def signal_silence(tell: Callable[[], None]) -> Iterator[None]:
    """`tell` is called once if the block takes longer than a short silence."""
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
    """The model's text; `show` gets it piece by piece, and of a call what there is so far.

    `think` is called once if the model thinks before its first word, aloud or silently.

    Raises: UpstreamTimeoutError, other UpstreamErrors, DailyLimitError.
    """
    text, early_end, calls = "", None, list[ToolCall]()
    scope = asyncio.timeout(patience.first_word_s)
    began = asyncio.get_running_loop().time()
    wait = _Wait(patience, scope, think, began, patience.first_word_s)
    reply = await context.turn.speculation.take(prompt) or context.services.chat.stream(prompt)
    try:
        async with scope, end_on(context.turn.stop) as was_stopped, closing_after(reply):
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
