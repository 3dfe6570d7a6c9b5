"""Sums of what was used: by day, by model, by user, by one turn."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

from rich_agent.domain.usage.prices import Prices
from rich_agent.domain.usage.usage import ModelUse, Usage, UsageLine, total

Key = TypeVar("Key", bound=Hashable)


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
