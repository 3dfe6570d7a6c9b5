"""The cost of use, in exact decimals; use without a price has no cost."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Self, TypeVar

from rich_agent.domain.usage.usage import ModelUse, Usage, UsageLine, total

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
        known = [cost for cost in costs if cost is not None]
        return sum(known, Decimal(0)) if known else None

    def unpriced(self, uses: Iterable[ModelUse]) -> list[str]:
        """The models of which the cost is not known, by name."""
        return sorted({use.model for use in uses if self.cost(use.model, use.usage) is None})


@dataclass(frozen=True, slots=True)
class Spent:
    """A use and its cost in USD: None without a price; `unpriced` models are left out of it."""

    usage: Usage
    cost: Decimal | None
    unpriced: tuple[str, ...] = ()


def spent(uses: Sequence[ModelUse], prices: Prices) -> Spent:
    """All of it."""
    usage = total(use.usage for use in uses)
    return Spent(usage, prices.sum(uses), tuple(prices.unpriced(uses)))


def spent_by(
    lines: Iterable[UsageLine], prices: Prices, key: Callable[[UsageLine], Key]
) -> dict[Key, Spent]:
    """The sum for each key, most tokens first."""
    parts: dict[Key, list[UsageLine]] = {}
    for line in lines:
        parts.setdefault(key(line), []).append(line)
    sums = {name: spent(part, prices) for name, part in parts.items()}
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
