"""Usage of models, searches and servers' tools, its price, and users' daily limits."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, fields
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any, Literal, Protocol, Self, TypeVar

from rich_agent.errors import DailyLimitError

Kind = Literal["text", "vision", "embedding", "reranking", "search", "tool", "hearing", "speech"]
CHAT_KINDS: frozenset[Kind] = frozenset({"text", "vision"})
"""The calls to models that read a prompt and write."""
Resource = Literal["tokens", "images", "searches", "tool_calls", "audio_seconds"]


@dataclass(frozen=True, slots=True)
class Usage:
    """The usage of one call, or the sum of several calls."""

    calls: int = 0
    estimated: int = 0
    """Number of the calls whose usage is estimated."""
    input_tokens: int = 0
    cached_tokens: int = 0
    """Tokens among the `input_tokens` that the server had read before."""
    output_tokens: int = 0
    images: int = 0
    searches: int = 0
    tool_calls: int = 0
    audio_seconds: int = 0
    cache_write_tokens: int = 0
    """Tokens among the `input_tokens` that the server counts as written to its cache."""

    @property
    def tokens(self) -> int:
        """The number of tokens, input and output."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: "Usage") -> "Usage":
        """The sum of two usages."""
        field_names = (usage_field.name for usage_field in fields(self))
        return Usage(*(getattr(self, name) + getattr(other, name) for name in field_names))

    def to_json(self) -> dict[str, int]:
        """The values that are not 0, by name."""
        values = {usage_field.name: getattr(self, usage_field.name) for usage_field in fields(self)}
        return {name: value for name, value in values.items() if value}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """The usage that `to_json` wrote. Fields of later versions are ignored."""
        names = [usage_field.name for usage_field in fields(cls) if usage_field.name in record]
        return cls(**{name: int(record[name]) for name in names})


NOTHING = Usage()


def total(usages: Iterable[Usage]) -> Usage:
    """The sum of usages."""
    return sum(usages, NOTHING)


_LIKELY_WINDOWS = frozenset(2**power for power in range(11, 17))
_FAR_BELOW, _BELOW = 0.5, 0.85
_NEAR_WINDOW, _FEWEST_CUT = 64, 1_500


@dataclass(frozen=True, slots=True)
class Call:
    """A call that is about to be made."""

    kind: Kind
    model: str
    tokens: int = 0
    """Tokens of the prompt, estimated."""
    images: int = 0
    searches: int = 0
    tool_calls: int = 0
    form_tokens: int = 0
    """Tokens among `tokens` for tools and schemas. Servers write these in a shorter form."""
    audio_seconds: int = 0

    def was_cut(self, usage: Usage) -> bool:
        """Whether the server silently cut the prompt, judged by the tokens that it read.

        Servers with a small window do so; Ollama's default window is 4,096 tokens. A count that is
        only a little too low comes from another tokenizer, unless it fills a common window.
        """
        expected_tokens, read_tokens = self.tokens - self.form_tokens, usage.input_tokens
        if self.kind != "text" or usage.estimated or expected_tokens < _FEWEST_CUT:
            return False
        fills_window = any(0 <= window - read_tokens < _NEAR_WINDOW for window in _LIKELY_WINDOWS)
        return 0 < read_tokens < expected_tokens * (_BELOW if fills_window else _FAR_BELOW)

    @property
    def is_to_chat_model(self) -> bool:
        """Whether a model reads a prompt and writes."""
        return self.kind in CHAT_KINDS

    @property
    def takes_tokens_only(self) -> bool:
        """Whether the call uses tokens only, and nothing else that has a limit, such as images."""
        return not (self.images or self.searches or self.tool_calls or self.audio_seconds)

    @property
    def estimate(self) -> Usage:
        """The part of the call's usage that is known beforehand."""
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
    """The limits of one user for a day of UTC; None means no limit."""

    tokens: int | None = None
    images: int | None = None
    searches: int | None = None
    tool_calls: int | None = None
    audio_seconds: int | None = None


UNLIMITED = DailyLimits()


class DailyAllowance(Protocol):
    """The daily limits of each user, which may change from call to call."""

    def of(self, user_id: int) -> DailyLimits:
        """The limits of one user now."""
        ...


@dataclass(frozen=True, slots=True)
class Allowance:
    """The daily limits of each user, and the users who are `exempt` from limits."""

    limits: DailyLimits = UNLIMITED
    exempt: AbstractSet[int] = frozenset()

    def of(self, user_id: int) -> DailyLimits:
        """The limits of one user."""
        return UNLIMITED if user_id in self.exempt else self.limits


@dataclass(frozen=True, slots=True)
class DailyUsage:
    """A user's usage today, by the database's clock."""

    now: datetime
    used: Usage = NOTHING
    held: Usage = NOTHING
    """Usage that is reserved, but not used yet."""
    is_admitted: bool = False
    """Whether the turn has reserved its tokens already."""

    @property
    def day(self) -> date:
        """The day of UTC."""
        return self.now.astimezone(UTC).date()

    @property
    def resets_at(self) -> datetime:
        """The midnight of UTC that ends the day."""
        return datetime.combine(self.day, datetime.min.time(), UTC) + timedelta(days=1)

    def lacks(self, call: Call, turn_tokens: int, limits: DailyLimits) -> Resource | None:
        """Return the resource of which too little is left for this call, None if enough is left.

        A turn needs `turn_tokens` once, before its first call, but never more than the limit of a
        day. A turn that has begun may finish.
        """
        needs: Mapping[Resource, int] = {
            "tokens": 0 if self.is_admitted else min(turn_tokens, limits.tokens or 0),
            "images": call.images,
            "searches": call.searches,
            "tool_calls": call.tool_calls,
            "audio_seconds": call.audio_seconds,
        }
        for resource, amount in needs.items():
            limit = getattr(limits, resource)
            in_use = getattr(self.used + self.held, resource)
            if amount and limit is not None and in_use + amount > limit:
                return resource
        return None

    def admit(self, call: Call, turn_tokens: int, limits: DailyLimits) -> None:
        """Check that the user has enough left for a call. Raises: DailyLimitError."""
        if resource := self.lacks(call, turn_tokens, limits):
            left_s = (self.resets_at - self.now).total_seconds()
            raise DailyLimitError(resource, getattr(limits, resource), self.resets_at, left_s)


@dataclass(frozen=True, slots=True)
class ModelUse:
    """Usage of one model. `model` is "" for a search, and the server's name for its tool."""

    model: str
    usage: Usage


@dataclass(frozen=True, slots=True)
class UsageLine(ModelUse):
    """Usage of one model by one user on one day."""

    user_id: int
    day: date
    kind: Kind


Key = TypeVar("Key", bound=Hashable)
_PER = 1_000_000
_SMALLEST_SHOWN = Decimal("0.0001")


@dataclass(frozen=True, slots=True)
class Price:
    """USD per million tokens: input, output, and input read from or written to a cache."""

    read: Decimal
    written: Decimal
    cached: Decimal
    cache_write: Decimal

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse `IN`, `IN/OUT`, `IN/OUT/CACHED` or `IN/OUT/CACHED/WRITE`.

        A missing OUT is 0; tokens read from a cache or written to it cost IN without a price of
        their own.

        Raises: ValueError.
        """
        amounts = [_amount(part) for part in text.split("/")]
        match amounts:
            case [read]:
                return cls(read, Decimal(0), read, read)
            case [read, written]:
                return cls(read, written, read, read)
            case [read, written, cached]:
                return cls(read, written, cached, read)
            case [read, written, cached, cache_write]:
                return cls(read, written, cached, cache_write)
        raise ValueError(f"{text!r} has more than four prices")

    def of(self, usage: Usage) -> Decimal:
        """The price of a usage, in USD."""
        other_tokens = usage.input_tokens - usage.cached_tokens - usage.cache_write_tokens
        parts = (
            other_tokens * self.read,
            usage.cached_tokens * self.cached,
            usage.cache_write_tokens * self.cache_write,
            usage.output_tokens * self.written,
        )
        return sum(parts, Decimal(0)) / _PER


class PriceTable(Protocol):
    """A published table of prices."""

    @property
    def edition(self) -> str:
        """Its name, version and date, "" if there is no table."""

    def find(self, model: str) -> Price | None:
        """The price of a model, None if the table has none."""


@dataclass(frozen=True, slots=True)
class NoPriceTable:
    """No table: only prices that the operator set are known."""

    edition: str = ""

    def find(self, model: str) -> Price | None:  # noqa: ARG002 - see `PriceTable`
        """None."""
        return None


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of models, by the model's name, and of one search.

    `table` has the prices of models that are not in `models`.
    """

    models: Mapping[str, Price] = field(default_factory=dict)
    search: Decimal | None = None
    table: PriceTable = NoPriceTable()

    @classmethod
    def parse(cls, entries: Iterable[str], search: str | None = None) -> Self:
        """Parse `MODEL=IN/OUT` entries. The last `=` separates, since names may contain one.

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
        """The cost in USD, None if the price of the model or of a search is not known."""
        if usage.searches:
            return None if self.search is None else self.search * usage.searches
        if usage.tool_calls:
            return Decimal(0)  # whoever runs the server pays for it
        price = self.models.get(model) or self.table.find(model)
        return None if price is None else price.of(usage)

    def sum(self, uses: Iterable[ModelUse]) -> Decimal | None:
        """The cost in USD of the uses whose price is known, None if no price is known."""
        costs = [self.cost(use.model, use.usage) for use in uses]
        known_costs = [cost for cost in costs if cost is not None]
        return sum(known_costs, Decimal(0)) if known_costs else None

    def models_without_price(self, uses: Iterable[ModelUse]) -> list[str]:
        """The names of the models whose price is not known, sorted."""
        return sorted({use.model for use in uses if self.cost(use.model, use.usage) is None})

    def edition_for(self, uses: Iterable[ModelUse]) -> str:
        """The edition of the table if one of the uses has its price from there, else ""."""
        models = {use.model for use in uses if not (use.usage.searches or use.usage.tool_calls)}
        is_used = any(self.table.find(model) for model in models - self.models.keys())
        return self.table.edition if is_used else ""


@dataclass(frozen=True, slots=True)
class Spent:
    """A usage, and its cost in USD without the `unpriced` models; None if no price is known."""

    usage: Usage
    cost: Decimal | None
    unpriced: tuple[str, ...] = ()


def spending_of(uses: Sequence[ModelUse], prices: Prices) -> Spent:
    """The sum of the uses, and its cost."""
    usage = total(use.usage for use in uses)
    return Spent(usage, prices.sum(uses), tuple(prices.models_without_price(uses)))


def spending_by(
    lines: Iterable[UsageLine], prices: Prices, key: Callable[[UsageLine], Key]
) -> dict[Key, Spent]:
    """The sum and its cost for each key, the key with most tokens first."""
    lines_by_key: dict[Key, list[UsageLine]] = {}
    for line in lines:
        lines_by_key.setdefault(key(line), []).append(line)
    spending_by_group = {group: spending_of(uses, prices) for group, uses in lines_by_key.items()}
    return dict(sorted(spending_by_group.items(), key=lambda item: -item[1].usage.tokens))


def show_usd(cost: Decimal) -> str:
    """An amount with two decimals; below one dollar, with four decimals."""
    if 0 < cost < _SMALLEST_SHOWN:
        return f"<${_SMALLEST_SHOWN}"
    return f"${cost:,.2f}" if cost >= 1 else f"${cost:.4f}"


def show_cost(spent: Spent | None) -> str:
    """The cost in USD; "–" without any price, and "*" if some prices are missing."""
    if spent is None or spent.cost is None:
        return "–"
    return show_usd(spent.cost) + ("*" if spent.unpriced else "")


def _amount(text: str) -> Decimal:
    """The amount in USD. Raises: ValueError."""
    try:
        amount = Decimal(text.strip())
    except InvalidOperation:
        raise ValueError(f"{text!r} is not an amount of USD") from None
    if not amount.is_finite() or amount < 0:
        raise ValueError(f"{text!r} is not an amount of USD")
    return amount
