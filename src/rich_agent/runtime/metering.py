"""Charges every call to a model or a search to the turn that makes the call.

The turn's meter is kept in the task's context instead of being passed from call to call, so that no
adapter has to handle it. Outside a turn nothing is charged.
"""

import math
from asyncio import CancelledError
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from rich_agent.domain.text import estimate_tokens
from rich_agent.domain.usage_limits import (
    NOBODY,
    NOTHING,
    UNLIMITED,
    Allowance,
    Call,
    DailyAllowance,
    DailyLimits,
    Payer,
    Usage,
)
from rich_agent.errors import DailyLimitError, RichAgentError, TurnDrainedError
from rich_agent.ports.usage import UsageLedger
from rich_agent.runtime.tracing import trace_call

TURN_TOKENS = 4_000
"""Tokens reserved for a turn besides the conversation, for instructions, passages and answer."""


class UseObserver(Protocol):
    """Observes the usage of all turns."""

    def observe(self, call: Call, usage: Usage) -> None:
        """Observe a call that was made."""
        ...

    def observe_refusal(self, resource: str) -> None:
        """Observe that a turn reached a daily limit; called once for each resource of a turn."""
        ...

    def observe_turn(self, calls: int, calls_before_answer: int) -> None:
        """Observe the calls of a turn that answered: all, and those in a row before its answer."""
        ...


@dataclass(slots=True)
class LateObserver:
    """Forwards to an observer that is created later than the meters."""

    observer: UseObserver | None = None

    def observe(self, call: Call, usage: Usage) -> None:
        """See `UseObserver.observe`."""
        if self.observer:
            self.observer.observe(call, usage)

    def observe_refusal(self, resource: str) -> None:
        """See `UseObserver.observe_refusal`."""
        if self.observer:
            self.observer.observe_refusal(resource)

    def observe_turn(self, calls: int, calls_before_answer: int) -> None:
        """See `UseObserver.observe_turn`."""
        if self.observer:
            self.observer.observe_turn(calls, calls_before_answer)


@dataclass(slots=True, eq=False)
class Receipt:
    """The usage of one call: an estimate until the server reports its own count."""

    call: Call
    node: str = ""
    reservation: int = 0
    in_a_row: int = 0
    """The number of calls of chat models that were made one after the other, up to this one."""
    usage: Usage = NOTHING

    def __post_init__(self) -> None:
        self.usage = self.call.estimate

    def wrote(self, piece: str) -> None:
        """Add the estimated tokens of a piece that the model has written."""
        self.usage += Usage(output_tokens=estimate_tokens(piece))

    def report(self, *, read: int, output: int = 0, from_cache: int = 0, to_cache: int = 0) -> None:
        """Set the tokens that the server counted; if it counted none, the estimate stays."""
        if read or output:
            exact_usage = replace(self.call.estimate, estimated=0)
            self.usage = replace(
                exact_usage,
                input_tokens=read,
                cached_tokens=from_cache,
                cache_write_tokens=to_cache,
                output_tokens=output,
            )

    def note_audio(self, seconds: float) -> None:
        """Set the length of the audio that was heard or spoken, in seconds."""
        self.usage = replace(self.usage, audio_seconds=math.ceil(seconds))

    def note_silence(self) -> None:
        """Remove the images, because no reply came: the server may have read only the prompt."""
        self.usage = replace(self.usage, images=0)

    def count_images(self) -> None:
        """Count only the images of a call that was not made, because preparing them costs work."""
        self.usage = Usage(images=self.call.images)

    def refuse(self) -> None:
        """Set the usage to nothing, because the server refused the call."""
        self.usage = NOTHING


@dataclass(slots=True)
class Meter:
    """The usage of one turn, by node; without a ledger, nothing is reserved or recorded."""

    ledger: UsageLedger | None = None
    payer: Payer = NOBODY
    limits: DailyLimits = UNLIMITED
    turn_tokens: int = TURN_TOKENS
    observer: UseObserver | None = None
    calls_before_answer: int | None = None
    """Calls of chat models in a row up to the answer's first word; None before it."""
    _calls_in_a_row: int = 0
    _settled: list[Receipt] = field(default_factory=list)
    _open: list[Receipt] = field(default_factory=list)
    _unrecorded: dict[int, Usage] = field(default_factory=dict)
    _refused: set[str] = field(default_factory=set)
    _is_admitted: bool = False

    async def open(self, call: Call, node: str) -> Receipt:
        """Reserve a call. Raises: DailyLimitError, LaneLostError, DatabaseUnavailableError."""
        receipt = Receipt(call, node, in_a_row=self._calls_in_a_row + call.is_to_chat_model)
        if self.ledger:
            try:
                tokens = 0 if self._is_admitted else self.turn_tokens
                reservation = await self.ledger.reserve(self.payer, call, tokens, self.limits)
                receipt.reservation, self._is_admitted = reservation, True
            except DailyLimitError as error:
                self._refuse(error.resource)
                raise
        self._open.append(receipt)
        return receipt

    def begin_answer(self) -> None:
        """Note that the answer's first word is there; what follows is not waited for."""
        if self.calls_before_answer is None:
            open_calls = (receipt.in_a_row for receipt in self._open)
            self.calls_before_answer = max(self._calls_in_a_row, *open_calls, 0)

    async def has_room(self) -> bool:
        """Whether the user has tokens left for two turns. Raises: DatabaseUnavailableError."""
        if self.ledger is None or self.limits.tokens is None:
            return True
        today = await self.ledger.standing(self.payer.user_id)
        tokens_in_use = (today.used + today.held).tokens
        return tokens_in_use + 2 * self.turn_tokens <= self.limits.tokens

    async def settle(self, receipt: Receipt) -> None:
        """Close a call with its present usage; record it now unless the call takes only tokens.

        Raises: LaneLostError, DatabaseUnavailableError.
        """
        self._open.remove(receipt)
        self._settled.append(receipt)
        if receipt.usage.calls:
            self._calls_in_a_row = max(self._calls_in_a_row, receipt.in_a_row)
        self._unrecorded[receipt.reservation] = receipt.usage
        if self.observer and receipt.usage.calls:
            self.observer.observe(receipt.call, receipt.usage)
        if not receipt.call.takes_tokens_only:
            await self._record(is_over=False)

    async def close(self, *, is_over: bool = True) -> None:
        """Record the usage of the calls, and release the rest of the reservation.

        With `is_over` false, another process goes on with the turn: open calls and the rest of the
        reservation are kept.

        Raises: LaneLostError, DatabaseUnavailableError.
        """
        for receipt in tuple(self._open) if is_over else ():
            await self.settle(receipt)
        if is_over and self.observer and self.calls_before_answer is not None:
            calls = (one.usage.calls for one in self._settled if one.call.is_to_chat_model)
            self.observer.observe_turn(sum(calls), self.calls_before_answer)
        await self._record(is_over=is_over)

    async def _record(self, *, is_over: bool) -> None:
        """Store the usage of the settled calls in the ledger."""
        if self.ledger:
            usage_by_reservation, self._unrecorded = self._unrecorded, {}
            await self.ledger.settle(self.payer, usage_by_reservation, is_over=is_over)

    def _refuse(self, resource: str) -> None:
        """Report a daily limit to the observer, once for each resource."""
        if self.observer and resource not in self._refused:
            self._refused.add(resource)
            self.observer.observe_refusal(resource)

    def cut_calls(self) -> Iterator[Usage]:
        """The usage of the calls whose prompt a server cut without an error."""
        return (receipt.usage for receipt in self._settled if receipt.call.was_cut(receipt.usage))

    def used_in(self, node: str | None = None) -> list[dict[str, Any]]:
        """The usage so far as JSON, by kind and model; `node` limits it to one node."""
        sums: dict[tuple[str, str], Usage] = {}
        for receipt in (*self._settled, *self._open):
            if node in {None, receipt.node} and receipt.usage.calls:
                key = (receipt.call.kind, receipt.call.model)
                sums[key] = sums.get(key, NOTHING) + receipt.usage
        return [
            {"kind": kind, "model": model, **usage.to_json()}
            for (kind, model), usage in sums.items()
        ]


@dataclass(frozen=True, slots=True)
class Billing:
    """Makes the meter of each turn; `turn_tokens` are reserved besides those of its texts."""

    ledger: UsageLedger | None = None
    allowance: DailyAllowance = field(default_factory=Allowance)
    observer: UseObserver | None = None
    turn_tokens: int = TURN_TOKENS

    @asynccontextmanager
    async def of_turn(self, payer: Payer, text: str) -> AsyncIterator[Meter]:
        """The meter of one turn, which is closed at the end of the block.

        Twice the tokens of `text` are reserved, because the model is going to read it twice. If
        another process goes on with the turn, or the turn is cancelled, the rest of the reservation
        is kept until the turn goes on or the reservation expires.

        Raises: LaneLostError, DatabaseUnavailableError.
        """
        meter = Meter(
            self.ledger,
            payer,
            self.allowance.of(payer.user_id),
            self.turn_tokens + 2 * estimate_tokens(text),
            self.observer,
        )
        try:
            yield meter
        except (Exception, CancelledError) as error:
            with suppress(RichAgentError):  # what ended the turn matters more
                await meter.close(is_over=not isinstance(error, TurnDrainedError | CancelledError))
            raise
        await meter.close()


_billed: ContextVar[tuple[Meter, str] | None] = ContextVar("billed", default=None)


@contextmanager
def bill_to(meter: Meter, node: str) -> Iterator[None]:
    """Charge the calls of this block, and of tasks that it starts, to a node of the meter."""
    token = _billed.set((meter, node))
    try:
        yield
    finally:
        _billed.reset(token)


def paying_user() -> int:
    """The id of the user whose turn is charged with calls now, 0 for nobody."""
    meter, _ = _billed.get() or (Meter(), "")
    return meter.payer.user_id


@asynccontextmanager
async def charge(call: Call, *, is_made: bool = True) -> AsyncIterator[Receipt]:
    """Reserve a call, which the block then makes; at its end, charge the usage in the receipt.

    With `is_made` false, the call is only counted, and not traced. A call that is cancelled stays
    open until its turn is closed or goes on.

    Raises: DailyLimitError, LaneLostError, DatabaseUnavailableError.
    """
    meter, node = _billed.get() or (None, "")
    receipt = await meter.open(call, node) if meter else Receipt(call)
    try:
        with trace_call(call, node, lambda: receipt.usage) if is_made else nullcontext():
            yield receipt
    except Exception:
        if meter:
            await meter.settle(receipt)
        raise
    if meter:
        await meter.settle(receipt)
