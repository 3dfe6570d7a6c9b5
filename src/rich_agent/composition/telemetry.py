"""Sends spans and metrics to a collector by OTLP over HTTP, if the standard variables name one.

Source: OpenTelemetry specification, "Environment Variable Specification".
"""

import asyncio
import importlib.util
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

from rich_agent.errors import SettingsError
from rich_agent.runtime.own_package import extra_hint
from rich_agent.settings.settings import Settings

_ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
_OF_SIGNAL = "OTEL_EXPORTER_OTLP_{}_ENDPOINT"


@asynccontextmanager
async def telemetry(settings: Settings) -> AsyncIterator[None]:
    """Send what happens in this block; without an endpoint, nothing is made or loaded.

    Raises: SettingsError if an endpoint is set and the SDK is not installed.
    """
    variables = settings.of_opentelemetry()
    signals = [signal for signal in ("TRACES", "METRICS") if _is_wanted(signal, variables)]
    if not signals:
        yield
        return
    if importlib.util.find_spec("opentelemetry.exporter") is None:
        raise SettingsError(
            _ENDPOINT,
            "is set, but what sends there is not installed",
            hint=f"{extra_hint('otel')}\nOr leave the variable out.",
        )
    ends = _start(signals, variables, settings.telegram.require_bot_id())
    try:
        yield
    finally:
        # They wait for the collector, each in a thread of its own.
        await asyncio.gather(*(asyncio.to_thread(end) for end in ends))


def _is_wanted(signal: str, variables: Mapping[str, str]) -> bool:
    off = variables.get("OTEL_SDK_DISABLED", "").lower() == "true"
    none = variables.get(f"OTEL_{signal}_EXPORTER", "").lower() == "none"
    return not (off or none) and bool(
        variables.get(_ENDPOINT) or variables.get(_OF_SIGNAL.format(signal))
    )


def _start(
    signals: list[str], variables: Mapping[str, str], bot_id: str
) -> list[Callable[[], object]]:
    """Begin to send; what is returned ends it."""
    from rich_agent.composition import opentelemetry_sdk  # noqa: PLC0415 - takes long to load

    # The SDK reads them there, also those of `.env`.
    os.environ.update(variables)
    if "service.name=" not in variables.get("OTEL_RESOURCE_ATTRIBUTES", ""):
        os.environ.setdefault("OTEL_SERVICE_NAME", "rich-agent")
    start = {"TRACES": opentelemetry_sdk.trace_to_collector, "METRICS": opentelemetry_sdk.measure}
    ends = [start[signal](bot_id) for signal in signals]
    # They hold the collector's key, which no process that is started later needs.
    for name in [name for name in variables if name.endswith("_HEADERS")]:
        del os.environ[name]
    return ends
