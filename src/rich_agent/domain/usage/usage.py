"""Usage of models, searches and servers' tools, and how much a user has for a day."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal, Self

from rich_agent.errors import DailyLimitError

Kind = Literal["text", "vision", "embedding", "search", "tool", "hearing", "speech"]
Resource = Literal["tokens", "images", "searches", "tool_calls", "audio_seconds"]


@dataclass(frozen=True, slots=True)
class Usage:
    """The use of one call, or the sum of several; of `calls`, so many are `estimated`.

    `cached_tokens` are part of `input_tokens`: the server had read them before.
    """

    calls: int = 0
    estimated: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    images: int = 0
    searches: int = 0
    tool_calls: int = 0
    audio_seconds: int = 0

    @property
    def tokens(self) -> int:
        """The tokens read and written."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: "Usage") -> "Usage":
        """Both together."""
        names = (each.name for each in fields(self))
        return Usage(*(getattr(self, name) + getattr(other, name) for name in names))

    def to_json(self) -> dict[str, int]:
        """The values that are not 0, by name."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: value for name, value in values.items() if value}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Restore what `to_json` gave; names of later versions are left out."""
        return cls(**{e.name: int(stored[e.name]) for e in fields(cls) if e.name in stored})


NOTHING = Usage()


def total(usages: Iterable[Usage]) -> Usage:
    """The sum."""
    return sum(usages, NOTHING)


_LIKELY_WINDOWS = frozenset(2**power for power in range(11, 17))
_FAR_BELOW, _BELOW = 0.5, 0.85
_NEAR_WINDOW, _FEWEST_CUT = 64, 1_500


@dataclass(frozen=True, slots=True)
class Call:
    """A call that is about to be made; `tokens` are those of its prompt, estimated.

    `form_tokens` of them are tools and schemas, which servers write in a shorter form of their own.
    """

    kind: Kind
    model: str
    tokens: int = 0
    images: int = 0
    searches: int = 0
    tool_calls: int = 0
    form_tokens: int = 0
    audio_seconds: int = 0

    def was_cut(self, usage: Usage) -> bool:
        """Whether the server read far less than it was sent, and said nothing.

        So do servers with a small window (Ollama's is 4,096 tokens by default). Counts that are
        only a little lower tell of another tokenizer, unless they fill a common window.
        """
        sent, read = self.tokens - self.form_tokens, usage.input_tokens
        if self.kind != "text" or usage.estimated or sent < _FEWEST_CUT:
            return False
        fills = any(0 <= window - read < _NEAR_WINDOW for window in _LIKELY_WINDOWS)
        return 0 < read < sent * (_BELOW if fills else _FAR_BELOW)

    @property
    def estimate(self) -> Usage:
        """Its use as far as it is known beforehand."""
        return Usage(
            calls=1,
            estimated=1 if self.tokens else 0,
            input_tokens=self.tokens,
            images=self.images,
            searches=self.searches,
            tool_calls=self.tool_calls,
            audio_seconds=self.audio_seconds,
        )


@dataclass(frozen=True, slots=True)
class Payer:
    """The turn that pays for a call."""

    user_id: int
    request_id: str


NOBODY = Payer(0, "")


@dataclass(frozen=True, slots=True)
class DailyLimits:
    """The daily limits of one user (a day of UTC); None: as much as they like."""

    tokens: int | None = None
    images: int | None = None
    searches: int | None = None
    tool_calls: int | None = None
    audio_seconds: int | None = None


UNLIMITED = DailyLimits()


@dataclass(frozen=True, slots=True)
class Allowance:
    """The daily limits of all users, and the users who are `exempt` from them."""

    limits: DailyLimits = UNLIMITED
    exempt: AbstractSet[int] = frozenset()

    def of(self, user_id: int) -> DailyLimits:
        """The limits of one user."""
        return UNLIMITED if user_id in self.exempt else self.limits


@dataclass(frozen=True, slots=True)
class DailyUsage:
    """A user's day so far, by the database's clock; `held` is reserved and not used yet.

    `is_admitted`: the turn that asks goes on.
    """

    now: datetime
    used: Usage = NOTHING
    held: Usage = NOTHING
    is_admitted: bool = False

    @property
    def day(self) -> date:
        """The day of UTC."""
        return self.now.astimezone(UTC).date()

    @property
    def resets_at(self) -> datetime:
        """The midnight of UTC that ends the day."""
        return datetime.combine(self.day, datetime.min.time(), UTC) + timedelta(days=1)

    def lacks(self, call: Call, turn_tokens: int, limits: DailyLimits) -> Resource | None:
        """Return the resource that does not suffice for this call, None if it can be made.

        A turn asks for its tokens once, before its first call, and for at most a whole day's: what
        has begun is finished.
        """
        wanted: Mapping[Resource, int] = {
            "tokens": 0 if self.is_admitted else min(turn_tokens, limits.tokens or 0),
            "images": call.images,
            "searches": call.searches,
            "tool_calls": call.tool_calls,
            "audio_seconds": call.audio_seconds,
        }
        for resource, more in wanted.items():
            limit = getattr(limits, resource)
            taken = getattr(self.used + self.held, resource)
            if more and limit is not None and taken + more > limit:
                return resource
        return None

    def admit(self, call: Call, turn_tokens: int, limits: DailyLimits) -> None:
        """Let a call pass that the user has enough left for.

        Raises: DailyLimitError.
        """
        if resource := self.lacks(call, turn_tokens, limits):
            left_s = (self.resets_at - self.now).total_seconds()
            raise DailyLimitError(resource, getattr(limits, resource), self.resets_at, left_s)


@dataclass(frozen=True, slots=True)
class ModelUse:
    """Usage of one model; "" is the model of a search, and the server that of a tool."""

    model: str
    usage: Usage


@dataclass(frozen=True, slots=True)
class UsageLine(ModelUse):
    """Usage of one model by one user in one day."""

    user_id: int
    day: date
    kind: Kind
