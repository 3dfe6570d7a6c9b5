"""What models and searches used and cost, for Prometheus. Labels hold no id and no text."""

from decimal import Decimal

import structlog
from prometheus_client import CollectorRegistry, Counter

from rich_agent.domain.usage.prices import Prices
from rich_agent.domain.usage.usage import Call, Usage

log = structlog.get_logger()


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

        self.cut = Counter(
            "model_prompts_cut",
            "Prompts of which the server read far less than it was sent",
            ("model",),
            registry=registry,
        )
        self._told_of = set[str]()

    def observe(self, call: Call, usage: Usage) -> None:
        """Note a call that was made."""
        if call.was_cut(usage):
            self._tell_of_cut(call, usage)
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

    def _tell_of_cut(self, call: Call, usage: Usage) -> None:
        """Count it each time, and log it once for each model."""
        self.cut.labels(call.model).inc()
        if call.model not in self._told_of:
            self._told_of.add(call.model)
            log.warning(
                "model_prompt_cut",
                model=call.model,
                sent_tokens=call.tokens,
                read_tokens=usage.input_tokens,
                mend="Give the model a larger window on its server, or set CONTEXT_WINDOW.",
            )

    def observe_refusal(self, resource: str) -> None:
        """Note that a turn came to a limit of tokens, images or searches."""
        self.refusals.labels(resource).inc()
