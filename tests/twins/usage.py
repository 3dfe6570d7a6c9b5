"""Usage of users, without a database: the same contract, for one process's lifetime."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta

from rich_agent.domain.usage_limits import (
    NOTHING,
    Call,
    DailyLimits,
    DailyUsage,
    Kind,
    Payer,
    Usage,
    UsageLine,
    total,
)
from rich_agent.ports.usage import HOLD_S
from tests.twins.fences import Fences


@dataclass(frozen=True, slots=True)
class _Reservation:
    """Of a call, or without one of a turn, for its calls to come."""

    payer: Payer
    tokens: int
    reserved_at: datetime
    call: Call | None = None


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True)
class InMemoryUsageLedger:
    """Implements `UsageLedger`; nothing comes between the steps of a method, as none waits."""

    clock: Callable[[], datetime] = _now
    fences: Fences = field(default_factory=Fences)
    reserved: dict[int, _Reservation] = field(default_factory=dict)
    _newest: int = 0
    _used: dict[tuple[int, date, Kind, str], Usage] = field(default_factory=dict)

    async def reserve(self, payer: Payer, call: Call, turn_tokens: int, limits: DailyLimits) -> int:
        self.fences.check()
        turn = self._turn_of(payer)
        standing = replace(self._standing(payer.user_id), is_admitted=turn is not None)
        standing.admit(call, turn_tokens, limits)
        number, left = turn or (self._number(), turn_tokens)
        self.reserved[number] = _Reservation(payer, max(0, left - call.tokens), self.clock())
        made = self._number()
        self.reserved[made] = _Reservation(payer, call.tokens, self.clock(), call)
        return made

    async def settle(self, payer: Payer, used: Mapping[int, Usage], *, is_over: bool) -> None:
        self.fences.check()
        for number, usage in used.items():
            made = self.reserved.pop(number, None)
            if made and made.call:
                self._add(made.payer.user_id, made.call, usage)
        if is_over:
            self._charge(n for n, made in self.reserved.items() if made.payer == payer)

    async def standing(self, user_id: int) -> DailyUsage:
        return self._standing(user_id)

    async def lines(self, days: int) -> Sequence[UsageLine]:
        first = self._today() - timedelta(days=days - 1)
        found = [
            UsageLine(model, usage, user_id, day, kind)
            for (user_id, day, kind, model), usage in self._used.items()
            if day >= first
        ]
        return sorted(found, key=lambda e: (-e.day.toordinal(), e.user_id, e.kind, e.model))

    async def prune(self, days: float) -> int:
        self._charge(n for n, made in self.reserved.items() if not self._counts(made))
        old = [key for key in self._used if (self._today() - key[1]).days > days]
        for key in old:
            del self._used[key]
        return len(old)

    def _standing(self, user_id: int) -> DailyUsage:
        today = self._today()
        used = (use for (who, day, *_), use in self._used.items() if (who, day) == (user_id, today))
        held = [
            made
            for made in self.reserved.values()
            if made.payer.user_id == user_id and self._counts(made)
        ]
        calls = [made.call for made in held if made.call]
        return DailyUsage(
            self.clock(),
            total(used),
            Usage(
                input_tokens=sum(made.tokens for made in held),
                images=sum(call.images for call in calls),
                searches=sum(call.searches for call in calls),
                tool_calls=sum(call.tool_calls for call in calls),
                audio_seconds=sum(call.audio_seconds for call in calls),
            ),
        )

    def _turn_of(self, payer: Payer) -> tuple[int, int] | None:
        """The number of the turn's own reservation, and what is left of it."""
        return next(
            (
                (number, made.tokens)
                for number, made in self.reserved.items()
                if made.payer == payer and made.call is None
            ),
            None,
        )

    def _charge(self, numbers: Iterable[int]) -> None:
        for number in tuple(numbers):
            made = self.reserved.pop(number)
            if made.call:
                self._add(made.payer.user_id, made.call, made.call.estimate)

    def _add(self, user_id: int, call: Call, usage: Usage) -> None:
        if usage.calls or usage.images:
            key = (user_id, self._today(), call.kind, call.model)
            self._used[key] = self._used.get(key, NOTHING) + usage

    def _counts(self, made: _Reservation) -> bool:
        return self.clock() - made.reserved_at < timedelta(seconds=HOLD_S)

    def _number(self) -> int:
        self._newest += 1
        return self._newest

    def _today(self) -> date:
        return self.clock().astimezone(UTC).date()
