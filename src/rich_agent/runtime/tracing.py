"""Spans and metrics by OpenTelemetry's conventions for generative AI, without texts of users.

None are made until `composition/telemetry.py` has set up where to send them.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Final

from opentelemetry import metrics, trace
from opentelemetry.context import Context
from opentelemetry.trace import Span, SpanKind, Status, StatusCode

from rich_agent.domain.usage_limits import Call, Usage
from rich_agent.runtime.fencing import about_update

# All names of the conventions stand here. They are still in development: this is v0.1.0 of
# https://github.com/open-telemetry/semantic-conventions-genai.
OPERATION: Final = "gen_ai.operation.name"
PROVIDER: Final = "gen_ai.provider.name"
MODEL: Final = "gen_ai.request.model"
AGENT: Final = "gen_ai.agent.name"
CONVERSATION: Final = "gen_ai.conversation.id"
TOOL: Final = "gen_ai.tool.name"
TOOL_TYPE: Final = "gen_ai.tool.type"
TOOL_CALL: Final = "gen_ai.tool.call.id"
DATA_SOURCE: Final = "gen_ai.data_source.id"
TOP_K: Final = "gen_ai.request.top_k"
INPUT_TOKENS: Final = "gen_ai.usage.input_tokens"
CACHED_TOKENS: Final = "gen_ai.usage.cache_read.input_tokens"
OUTPUT_TOKENS: Final = "gen_ai.usage.output_tokens"
TYPE_OF_TOKENS: Final = "gen_ai.token.type"
ERROR_TYPE: Final = "error.type"
REQUEST: Final = "rich_agent.request.id"
NODE: Final = "rich_agent.node"
INVOKE_AGENT: Final = "invoke_agent"
EXECUTE_TOOL: Final = "execute_tool"
RETRIEVAL: Final = "retrieval"

_OPENAI: Final = "openai"
"""The provider by the conventions, because all model servers have OpenAI's API."""
_OPERATIONS: Final[Mapping[str, str]] = {
    "text": "chat",
    "vision": "chat",
    "embedding": "embeddings",
    "reranking": "rerank",
    "hearing": "transcription",
    "speech": "speech",
}
"""The operation for each kind of call; the last three are not in the conventions yet."""
_INBOX: Final[Mapping[str, str]] = {
    "messaging.system": "postgresql",
    "messaging.operation.type": "send",
    "messaging.destination.name": "telegram_inbox",
}

_tracer = trace.get_tracer("rich_agent")
_meter = metrics.get_meter("rich_agent")
_token_usage = _meter.create_histogram(
    "gen_ai.client.token.usage",
    "{token}",
    "Tokens that a call of a model took",
    explicit_bucket_boundaries_advisory=[4**power for power in range(14)],
)
_duration = _meter.create_histogram(
    "gen_ai.client.operation.duration",
    "s",
    "Time that a call of a model took",
    explicit_bucket_boundaries_advisory=[0.01 * 2**power for power in range(14)],
)


@contextmanager
def span_of(
    operation: str,
    subject: str,
    attributes: Mapping[str, str | int],
    kind: SpanKind = SpanKind.CLIENT,
) -> Iterator[Span]:
    """A span around the block. It is not made the current span, so the block may be in a generator.

    Of an error, only the class is recorded, because its message may quote a user.
    """
    all_attributes = {OPERATION: operation, **attributes}
    span = _tracer.start_span(f"{operation} {subject}", kind=kind, attributes=all_attributes)
    try:
        yield span
    except Exception as error:
        fail(span, type(error).__name__)
        raise
    finally:
        span.end()


def within(span: Span) -> AbstractContextManager[Span]:
    """Make `span` the parent of spans that begin in this block; not for generators."""
    return trace.use_span(
        span, end_on_exit=False, record_exception=False, set_status_on_exception=False
    )


def fail(span: Span, kind: str) -> None:
    """Mark a span as failed with an error of a kind."""
    span.set_attribute(ERROR_TYPE, kind)
    span.set_status(Status(StatusCode.ERROR))


@contextmanager
def trace_call(call: Call, node: str, used: Callable[[], Usage]) -> Iterator[None]:
    """Record a span and the metrics of the call to a model or a search that this block makes.

    `used` returns the usage at the end of the block. Calls of tools get no span here, because they
    have one where they are run.
    """
    operation = _OPERATIONS.get(call.kind)
    if call.kind == "tool":
        yield
    elif operation is None:
        with span_of(RETRIEVAL, call.model, {DATA_SOURCE: call.model, NODE: node}):
            yield
    else:
        model_labels: dict[str, str | int] = {PROVIDER: _OPENAI, MODEL: call.model}
        start_s, error_labels = time.monotonic(), dict[str, str]()
        with span_of(operation, call.model, {**model_labels, NODE: node}) as span:
            try:
                yield
            except Exception as error:
                error_labels = {ERROR_TYPE: type(error).__name__}
                raise
            finally:
                labels = {OPERATION: operation, **model_labels}
                _duration.record(time.monotonic() - start_s, {**labels, **error_labels})
                _tell_tokens(span, labels, used())


def _tell_tokens(span: Span, labels: Mapping[str, str | int], usage: Usage) -> None:
    """Record the tokens of a call if its server reported them; estimates are not recorded."""
    if usage.estimated or not usage.tokens:
        return
    span.set_attributes(
        {
            INPUT_TOKENS: usage.input_tokens,
            CACHED_TOKENS: usage.cached_tokens,
            OUTPUT_TOKENS: usage.output_tokens,
        }
    )
    for kind, tokens in (("input", usage.input_tokens), ("output", usage.output_tokens)):
        if tokens:
            _token_usage.record(tokens, {**labels, TYPE_OF_TOKENS: kind})


def trace_storing(update_ids: Iterable[int], began_ns: int) -> None:
    """Record spans for the storing of updates in the inbox, from `began_ns` (Unix time) until now.

    Each span is in the trace of its update, in which the answering turn is recorded, too.
    """
    for update_id in update_ids:
        with about_update(update_id):
            _tracer.start_span(
                "send telegram_inbox",
                context=Context(),
                kind=SpanKind.PRODUCER,
                attributes=_INBOX,
                start_time=began_ns,
            ).end()
