"""Chooses among the models of a provider, of which nothing but names and prices are known."""

from decimal import Decimal
from math import inf, log

from rich_agent.domain.usage_limits import Price
from rich_agent.settings.published_prices import PublishedPrices
from rich_agent.upstreams.servers.offers import Offer, Offers

USUAL_READ, USUAL_WRITTEN = Decimal("0.40"), Decimal("1.60")
"""The price of gpt-4.1-mini, the default CHAT_MODEL, in USD per million tokens."""


def choose_by_price(offers: Offers) -> str:
    """The model whose price is nearest to the default model's; "" if no price is known.

    The cheapest models of a provider plan badly, and the dearest cost fifty times as much. Of two
    models at the same distance, one that sees comes first, then the shorter name: the others are
    its dated editions.
    """
    prices = PublishedPrices(dict.fromkeys((one.name for one in offers.models), offers.base_url))

    def rank(model: Offer) -> tuple[float, bool, int]:
        return _distance(prices.find(model.name)), not model.sees, len(model.name)

    writers = [one for one in offers.models if one.chats and one.uses_tools is not False]
    best = min(writers, key=rank, default=None)
    return best.name if best and rank(best)[0] < inf else ""


def _distance(price: Price | None) -> float:
    """The distance of a price from the default model's; infinite if it is unknown."""
    if price is None or not (price.read and price.written):
        return inf
    return abs(log(price.read / USUAL_READ)) + abs(log(price.written / USUAL_WRITTEN))
