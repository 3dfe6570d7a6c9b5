"""OpenTelemetry's SDK, set up to send; only the extra `otel` has it."""

import hashlib
from collections.abc import Callable
from importlib.metadata import version

from opentelemetry import metrics, trace
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from typing_extensions import override

from rich_agent.runtime.fencing import current_update

_SHUTDOWN_MS = 5_000


class UpdateTraces(RandomIdGenerator):
    """Gives all spans about one update one trace, in the receiver and in every worker.

    So a trace goes through the inbox, and on after a crash, without being stored there.
    """

    def __init__(self, bot_id: str) -> None:
        self._bot_id = bot_id

    @override
    def generate_trace_id(self) -> int:
        """The id of the update's trace; a random one outside of updates."""
        update_id = current_update()
        if update_id is None:
            return super().generate_trace_id()
        digest = hashlib.sha256(f"{self._bot_id}:{update_id}".encode()).digest()
        return int.from_bytes(digest[:16])


def trace_to_collector(bot_id: str) -> Callable[[], object]:
    """Begin to send spans; what is returned sends the last ones and ends it."""
    provider = TracerProvider(resource=_resource(), id_generator=UpdateTraces(bot_id))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    return provider.shutdown


def measure(_bot_id: str) -> Callable[[], object]:
    """Begin to send metrics; return a function that sends the last metrics and stops."""
    reader = PeriodicExportingMetricReader(OTLPMetricExporter())
    provider = MeterProvider([reader], resource=_resource())
    metrics.set_meter_provider(provider)
    return lambda: provider.shutdown(_SHUTDOWN_MS)


def _resource() -> Resource:
    return Resource.create({"service.version": version("rich-agent")})
