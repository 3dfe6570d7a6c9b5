"""What models and searches used and cost, for Prometheus. Labels hold no id and no text."""

from decimal import Decimal

from prometheus_client import CollectorRegistry, Counter

from rich_agent.domain.prices import Prices
from rich_agent.domain.usage import Call, Usage


class UsageMetrics:
    """The counters of one process."""

    def __init__(self, registry: CollectorRegistry, prices: Prices) -> None:
        self._prices = prices
        self.calls = Counter(
            "model_calls", "Calls of models and searches", ("kind", "model"), registry=registry
        )
        self.tokens = Counter(
            "model_tokens",
            "Tokens read (input), of these read before (cached), and written (output)",
            ("kind", "model", "direction"),
            registry=registry,
        )
        self.cost = Counter(
            "model_cost_usd",
            "Cost by MODEL_PRICES and SEARCH_PRICE; what has no price is left out",
            ("kind", "model"),
            registry=registry,
        )
        self.refusals = Counter(
            "turn_refusals",
            "Turns that came to a daily limit of their user",
            ("limit",),
            registry=registry,
        )

    def observe(self, call: Call, usage: Usage) -> None:
        """Note a call that was made."""
        self.calls.labels(call.kind, call.model).inc(usage.calls)
        for direction, tokens in (
            ("input", usage.input_tokens),
            ("cached", usage.cached_tokens),
            ("output", usage.output_tokens),
        ):
            if tokens:
                self.tokens.labels(call.kind, call.model, direction).inc(tokens)
        cost = self._prices.cost(call.model, usage) or Decimal(0)
        if cost:
            self.cost.labels(call.kind, call.model).inc(float(cost))

    def observe_refusal(self, resource: str) -> None:
        """Note that a turn came to a limit of tokens, images or searches."""
        self.refusals.labels(resource).inc()
