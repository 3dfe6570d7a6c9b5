"""Usage of models, searches and servers' tools, its price, and how much a user has for a day."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, fields
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any, Literal, Self, TypeVar

from rich_agent.errors import DailyLimitError

Kind = Literal["text", "vision", "embedding", "reranking", "search", "tool", "hearing", "speech"]
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
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """Restore what `to_json` gave; names of later versions are left out."""
        return cls(**{e.name: int(record[e.name]) for e in fields(cls) if e.name in record})


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
        expected_tokens, read = self.tokens - self.form_tokens, usage.input_tokens
        if self.kind != "text" or usage.estimated or expected_tokens < _FEWEST_CUT:
            return False
        fills = any(0 <= window - read < _NEAR_WINDOW for window in _LIKELY_WINDOWS)
        return 0 < read < expected_tokens * (_BELOW if fills else _FAR_BELOW)

    @property
    def takes_tokens_only(self) -> bool:
        """Whether it asks for nothing that is counted for itself, such as images."""
        return not (self.images or self.searches or self.tool_calls or self.audio_seconds)

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
        needs: Mapping[Resource, int] = {
            "tokens": 0 if self.is_admitted else min(turn_tokens, limits.tokens or 0),
            "images": call.images,
            "searches": call.searches,
            "tool_calls": call.tool_calls,
            "audio_seconds": call.audio_seconds,
        }
        for resource, more in needs.items():
            limit = getattr(limits, resource)
            in_use = getattr(self.used + self.held, resource)
            if more and limit is not None and in_use + more > limit:
                return resource
        return None

    def admit(self, call: Call, turn_tokens: int, limits: DailyLimits) -> None:
        """Let a call pass that the user has enough left for. Raises: DailyLimitError."""
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


Key = TypeVar("Key", bound=Hashable)
_PER = 1_000_000
_SMALLEST_SHOWN = Decimal("0.0001")


@dataclass(frozen=True, slots=True)
class Price:
    """USD per million tokens: read, written, and read when the server had read them before."""

    read: Decimal
    written: Decimal
    cached: Decimal

    @classmethod
    def parse(cls, text: str) -> Self:
        """`IN`, `IN/OUT` or `IN/OUT/CACHED`; cached tokens cost as much as others by default.

        Raises: ValueError.
        """
        amounts = [_amount(part) for part in text.split("/")]
        match amounts:
            case [read]:
                return cls(read, Decimal(0), read)
            case [read, written]:
                return cls(read, written, read)
            case [read, written, cached]:
                return cls(read, written, cached)
        raise ValueError(f"{text!r} has more than three prices")

    def of(self, usage: Usage) -> Decimal:
        """USD."""
        fresh = usage.input_tokens - usage.cached_tokens
        parts = (
            fresh * self.read,
            usage.cached_tokens * self.cached,
            usage.output_tokens * self.written,
        )
        return sum(parts, Decimal(0)) / _PER


@dataclass(frozen=True, slots=True)
class Prices:
    """The price of each model by its name, and of one search."""

    models: Mapping[str, Price] = field(default_factory=dict)
    search: Decimal | None = None

    @classmethod
    def parse(cls, entries: Iterable[str], search: str | None = None) -> Self:
        """Prices from `MODEL=IN/OUT` entries; the last `=` parts, as names may hold others.

        Raises: ValueError naming the entry that is malformed.
        """
        models: dict[str, Price] = {}
        for entry in entries:
            name, sign, price = entry.rpartition("=")
            if not (name.strip() and sign):
                raise ValueError(f"{entry!r} is not MODEL=IN/OUT")
            models[name.strip()] = Price.parse(price)
        return cls(models, _amount(search) if search else None)

    def cost(self, model: str, usage: Usage) -> Decimal | None:
        """USD, None if the price of the model, or of the searches, is not known."""
        if usage.searches:
            return None if self.search is None else self.search * usage.searches
        if usage.tool_calls:
            return Decimal(0)  # whoever runs the server pays for it
        price = self.models.get(model)
        return None if price is None else price.of(usage)

    def sum(self, uses: Iterable[ModelUse]) -> Decimal | None:
        """USD of what has a price, None if nothing has one."""
        costs = [self.cost(use.model, use.usage) for use in uses]
        known_costs = [cost for cost in costs if cost is not None]
        return sum(known_costs, Decimal(0)) if known_costs else None

    def models_without_price(self, uses: Iterable[ModelUse]) -> list[str]:
        """The models of which the cost is not known, by name."""
        return sorted({use.model for use in uses if self.cost(use.model, use.usage) is None})


@dataclass(frozen=True, slots=True)
class Spent:
    """A use and its cost in USD: None without a price; `unpriced` models are left out of it."""

    usage: Usage
    cost: Decimal | None
    unpriced: tuple[str, ...] = ()


def spending_of(uses: Sequence[ModelUse], prices: Prices) -> Spent:
    """The sum of the uses, with its cost."""
    usage = total(use.usage for use in uses)
    return Spent(usage, prices.sum(uses), tuple(prices.models_without_price(uses)))


def spending_by(
    lines: Iterable[UsageLine], prices: Prices, key: Callable[[UsageLine], Key]
) -> dict[Key, Spent]:
    """The sum for each key, most tokens first."""
    parts: dict[Key, list[UsageLine]] = {}
    for line in lines:
        parts.setdefault(key(line), []).append(line)
    sums = {name: spending_of(part, prices) for name, part in parts.items()}
    return dict(sorted(sums.items(), key=lambda item: -item[1].usage.tokens))


def show_usd(cost: Decimal) -> str:
    """An amount to the cent; below a dollar, to a hundredth of a cent."""
    if 0 < cost < _SMALLEST_SHOWN:
        return f"<${_SMALLEST_SHOWN}"
    return f"${cost:,.2f}" if cost >= 1 else f"${cost:.4f}"


def _amount(text: str) -> Decimal:
    try:
        amount = Decimal(text.strip())
    except InvalidOperation:
        raise ValueError(f"{text!r} is not an amount of USD") from None
    if not amount.is_finite() or amount < 0:
        raise ValueError(f"{text!r} is not an amount of USD")
    return amount
