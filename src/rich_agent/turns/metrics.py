"""Metrics of the turns of a process, for Prometheus and the log, without any text of users."""

from collections.abc import Callable
from decimal import Decimal
from functools import partial

import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram

from rich_agent.domain.usage_limits import Call, Prices, Usage
from rich_agent.turns.events import NodeEnded

_BUCKETS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)
_BUCKETS_BYTES = tuple(float(4**power) for power in range(5, 13))
"""Bytes, from 1 KB to 16 MB."""
_BUCKETS_CALLS = (0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20)
_log = structlog.get_logger()


class NodeMetrics:
    """Metrics of the nodes of all turns, registered in `registry`."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.checkpoint_bytes = Histogram(
            "turn_checkpoint_bytes",
            "Bytes of the values that a step stored",
            buckets=_BUCKETS_BYTES,
            registry=registry,
        )
        self._seconds = Histogram(
            "turn_node_seconds",
            "Time of a node's last attempt",
            ("node",),
            buckets=_BUCKETS_S,
            registry=registry,
        )
        self._reruns = Counter(
            "turn_node_reruns",
            "Nodes that ran again: after a failure, a crash or a hand-over",
            ("node", "cause"),
            registry=registry,
        )
        self._survived_failures = Counter(
            "turn_survived_failures",
            "Failures that a turn survived",
            ("failure",),
            registry=registry,
        )

    def observe(self, node_end: NodeEnded) -> None:
        """Count a node that ended, and log it."""
        node, report = node_end.node, node_end.report
        self._seconds.labels(node).observe(node_end.latency_ms / 1000)
        if report.attempts > 1:
            self._reruns.labels(node, "retry").inc(report.attempts - 1)
        if report.resumed:
            self._reruns.labels(node, "resumed").inc()
        for failure in report.survived:
            self._survived_failures.labels(failure).inc()
        _log.debug(
            "turn.node",
            request_id=node_end.request_id,
            node=node,
            duration_ms=node_end.latency_ms,
            tries=report.attempts,
            resumed=report.resumed,
        )


class UsageMetrics:
    """Counts the usage and the cost of models and searches. Labels hold no id and no text."""

    def __init__(self, registry: CollectorRegistry, prices: Callable[[], Prices]) -> None:
        self._prices = prices
        self.calls = Counter(
            "model_calls", "Calls to models and searches", ("kind", "model"), registry=registry
        )
        self.tokens = Counter(
            "model_tokens",
            "Tokens: input, of these cached and written to a cache, and output",
            ("kind", "model", "direction"),
            registry=registry,
        )
        self.cost = Counter(
            "model_cost_usd",
            "Cost by the prices of models and SEARCH_PRICE; what has no price is left out",
            ("kind", "model"),
            registry=registry,
        )
        self.refusals = Counter(
            "turn_refusals",
            "Turns that reached a daily limit of their user",
            ("limit",),
            registry=registry,
        )
        calls = partial(Histogram, buckets=_BUCKETS_CALLS, registry=registry)
        self.turn_calls = calls("turn_model_calls", "Calls of chat models in a turn that answered")
        self.calls_before_answer = calls(
            "turn_model_calls_before_answer",
            "Calls of chat models in a row before the first word of the answer",
        )
        self.cut = Counter(
            "model_prompts_cut",
            "Prompts that the server cut without an error",
            ("model",),
            registry=registry,
        )
        self._logged_models = set[str]()

    def observe(self, call: Call, usage: Usage) -> None:
        """Count a call and its usage."""
        if call.was_cut(usage):
            self._tell_of_cut(call, usage)
        self.calls.labels(call.kind, call.model).inc(usage.calls)
        for direction, tokens in (
            ("input", usage.input_tokens),
            ("cached", usage.cached_tokens),
            ("cache_write", usage.cache_write_tokens),
            ("output", usage.output_tokens),
        ):
            if tokens:
                self.tokens.labels(call.kind, call.model, direction).inc(tokens)
        cost_usd = self._prices().cost(call.model, usage) or Decimal(0)
        if cost_usd:
            self.cost.labels(call.kind, call.model).inc(float(cost_usd))

    def _tell_of_cut(self, call: Call, usage: Usage) -> None:
        """Count a prompt that a server cut; log that once for each model."""
        self.cut.labels(call.model).inc()
        if call.model not in self._logged_models:
            self._logged_models.add(call.model)
            _log.warning(
                "model_prompt_cut",
                model=call.model,
                sent_tokens=call.tokens,
                read_tokens=usage.input_tokens,
                hint="Give the model a larger window on its server, or set CONTEXT_WINDOW.",
            )

    def observe_refusal(self, resource: str) -> None:
        """Count a turn that reached a daily limit of tokens, images or searches."""
        self.refusals.labels(resource).inc()

    def observe_turn(self, calls: int, calls_before_answer: int) -> None:
        """Count the calls of a turn."""
        self.turn_calls.observe(calls)
        self.calls_before_answer.observe(calls_before_answer)
