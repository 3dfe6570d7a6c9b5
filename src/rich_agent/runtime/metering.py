"""Charges every call of a model or a search to the turn that makes it.

The turn goes with the task's context rather than from call to call: there are many adapters, and a
new call needs no thought of it. Outside a turn nothing is charged.
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
    DailyLimits,
    Payer,
    Usage,
)
from rich_agent.errors import DailyLimitError, RichAgentError, TurnDrainedError
from rich_agent.ports.usage import UsageLedger
from rich_agent.runtime.tracing import trace_call

TURN_TOKENS = 4_000
"""Reserved for a turn in addition to the conversation: instructions, passages, answer."""


class UseObserver(Protocol):
    """Watches what all turns use."""

    def observe(self, call: Call, usage: Usage) -> None:
        """A call was made."""
        ...

    def observe_refusal(self, resource: str) -> None:
        """A turn came to a daily limit; told once for each resource."""
        ...


@dataclass(slots=True)
class LateObserver:
    """Forwards to an observer that is made later than what it observes."""

    observer: UseObserver | None = None

    def observe(self, call: Call, usage: Usage) -> None:
        """See `UseObserver.observe`."""
        if self.observer:
            self.observer.observe(call, usage)

    def observe_refusal(self, resource: str) -> None:
        """See `UseObserver.observe_refusal`."""
        if self.observer:
            self.observer.observe_refusal(resource)


@dataclass(slots=True, eq=False)
class Receipt:
    """The usage of one call: its estimate until the server reports the truth."""

    call: Call
    node: str = ""
    reservation: int = 0
    usage: Usage = NOTHING

    def __post_init__(self) -> None:
        self.usage = self.call.estimate

    def wrote(self, piece: str) -> None:
        """Count what the model has written, until it is reported."""
        self.usage += Usage(output_tokens=estimate_tokens(piece))

    def report(self, *, read: int, output: int = 0, from_cache: int = 0) -> None:
        """Take the server's count; a server that counts nothing leaves the estimate."""
        if read or output:
            used = replace(self.call.estimate, estimated=0)
            self.usage = replace(
                used, input_tokens=read, cached_tokens=from_cache, output_tokens=output
            )

    def note_audio(self, seconds: float) -> None:
        """Take the length of what was heard or spoken, in seconds."""
        self.usage = replace(self.usage, audio_seconds=math.ceil(seconds))

    def note_silence(self) -> None:
        """Note that nothing came back: the server may have read the prompt, but saw no image."""
        self.usage = replace(self.usage, images=0)

    def count_images(self) -> None:
        """Count the images of a call that was not made: they cost work."""
        self.usage = Usage(images=self.call.images)

    def refuse(self) -> None:
        """Note that the server refused the call, which used nothing."""
        self.usage = NOTHING


@dataclass(slots=True)
class Meter:
    """The usage of one turn, by node; without a ledger it only counts."""

    ledger: UsageLedger | None = None
    payer: Payer = NOBODY
    limits: DailyLimits = UNLIMITED
    turn_tokens: int = TURN_TOKENS
    observer: UseObserver | None = None
    _settled: list[Receipt] = field(default_factory=list)
    _open: list[Receipt] = field(default_factory=list)
    _unrecorded: dict[int, Usage] = field(default_factory=dict)
    _refused: set[str] = field(default_factory=set)
    _is_admitted: bool = False

    async def open(self, call: Call, node: str) -> Receipt:
        """Reserve a call. Raises: DailyLimitError, LaneLostError, DatabaseUnavailableError."""
        receipt = Receipt(call, node)
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

    async def has_room(self) -> bool:
        """Whether the user's day has room for two whole turns. Raises: DatabaseUnavailableError."""
        if self.ledger is None or self.limits.tokens is None:
            return True
        today = await self.ledger.standing(self.payer.user_id)
        tokens_in_use = (today.used + today.held).tokens
        return tokens_in_use + 2 * self.turn_tokens <= self.limits.tokens

    async def settle(self, receipt: Receipt) -> None:
        """Take what the call used as final; what is counted singly is recorded at once.

        Raises: LaneLostError, DatabaseUnavailableError.
        """
        self._open.remove(receipt)
        self._settled.append(receipt)
        self._unrecorded[receipt.reservation] = receipt.usage
        if self.observer and receipt.usage.calls:
            self.observer.observe(receipt.call, receipt.usage)
        if not receipt.call.takes_tokens_only:
            await self._record(is_over=False)

    async def close(self, *, is_over: bool = True) -> None:
        """Record what the calls used, and give back the rest of the reservation.

        With `is_over` false, the turn goes on elsewhere with calls that are open and the rest.

        Raises: LaneLostError, DatabaseUnavailableError.
        """
        for receipt in tuple(self._open) if is_over else ():
            await self.settle(receipt)
        await self._record(is_over=is_over)

    async def _record(self, *, is_over: bool) -> None:
        if self.ledger:
            used, self._unrecorded = self._unrecorded, {}
            await self.ledger.settle(self.payer, used, is_over=is_over)

    def _refuse(self, resource: str) -> None:
        if self.observer and resource not in self._refused:
            self._refused.add(resource)
            self.observer.observe_refusal(resource)

    def cut_calls(self) -> Iterator[Usage]:
        """The use of the calls whose prompt a server cut without saying so."""
        return (one.usage for one in self._settled if one.call.was_cut(one.usage))

    def used_in(self, node: str | None = None) -> list[dict[str, Any]]:
        """Return the usage of a node so far, None for all nodes, by kind and model, as JSON."""
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
    """Makes the meter of each turn; `turn_tokens` are reserved besides what is said in it."""

    ledger: UsageLedger | None = None
    allowance: Allowance = field(default_factory=Allowance)
    observer: UseObserver | None = None
    turn_tokens: int = TURN_TOKENS

    @asynccontextmanager
    async def of_turn(self, payer: Payer, text: str) -> AsyncIterator[Meter]:
        """The meter of one turn, closed with it; `text` is what the model is going to read twice.

        A turn that another process goes on with keeps the rest of its reservation; so does one
        that is cancelled, until it is taken up again or its reservation runs out.

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
    """Charge the calls of this block, and of the tasks that it starts, to this meter."""
    token = _billed.set((meter, node))
    try:
        yield
    finally:
        _billed.reset(token)


@asynccontextmanager
async def charge(call: Call, *, is_made: bool = True) -> AsyncIterator[Receipt]:
    """Make a call inside: reserved before, and charged by what its receipt says after it.

    One that is only counted, and not made, is not traced.

    A call that is cancelled stays open until its turn is closed or taken up again.

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
