from datetime import date
from decimal import Decimal

import pytest

from rich_agent.domain.usage_limits import Prices, Usage, UsageLine, show_usd

PRICES = Prices.parse(["small=0.40/1.60/0.10", "vectors=0.02", "org/m=v=1/2"], "0.008")


def line(model: str, usage: Usage) -> UsageLine:
    """A user's use of a model."""
    return UsageLine(model, usage, 42, date(2026, 1, 1), "text")


def test_prices_are_exact_decimals() -> None:
    """A third of a cent stays one; cached tokens have their own price."""
    used = Usage(1, 0, input_tokens=1_000_001, cached_tokens=1, output_tokens=3)
    assert PRICES.cost("small", used) == Decimal("0.4000049")
    claude = Prices.parse(["claude=3/15/0.30/3.75"])
    kept = Usage(1, 0, 2_000_000, 1_000_000, 0, cache_write_tokens=1_000_000)
    assert claude.cost("claude", kept) == Decimal("4.05")
    assert PRICES.cost("small", kept) == Decimal("0.50")
    assert PRICES.cost("vectors", Usage(1, 0, 7)) == Decimal("0.00000014")
    assert PRICES.cost("tavily", Usage(3, searches=3)) == Decimal("0.024")
    assert PRICES.cost("org/m=v", Usage(1, 0, 1_000_000, 0, 1_000_000)) == Decimal(3)


def test_prices_of_what_is_not_priced_are_unknown() -> None:
    """Nothing is made up, and the sum says what it leaves out."""
    lines = [line("small", Usage(1, 0, 1_000_000)), line("other", Usage(1, 0, 5))]
    assert PRICES.cost("other", Usage(1, 0, 5)) is None
    assert Prices().cost("tavily", Usage(1, searches=1)) is None
    assert PRICES.sum(lines) == Decimal("0.40")
    assert PRICES.models_without_price(lines) == ["other"]
    assert Prices().sum(lines) is None


@pytest.mark.parametrize(
    "entry", ["small", "=1/2", "small=", "small=a", "small=1/2/3/4/5", "small=-1", "small=NaN"]
)
def test_prices_refuse_what_is_malformed(entry: str) -> None:
    """With the entry, or the amount, in the words."""
    with pytest.raises(ValueError, match=r"MODEL=IN/OUT|amount of USD|more than four"):
        Prices.parse([entry])


@pytest.mark.parametrize(
    ("cost", "shown"),
    [
        ("0", "$0.0000"),
        ("0.00001", "<$0.0001"),
        ("0.00014", "$0.0001"),
        ("0.5", "$0.5000"),
        ("1.005", "$1.00"),
        ("12345.6", "$12,345.60"),
    ],
)
def test_show_usd_is_short_and_tells_small_amounts(cost: str, shown: str) -> None:
    """Cents from a dollar on, hundredths of a cent below."""
    assert show_usd(Decimal(cost)) == shown
