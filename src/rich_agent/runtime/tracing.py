"""Spans and metrics by OpenTelemetry's conventions for generative AI; never what was said.

Until `composition/telemetry.py` has set up a place to send them to, they are not made.
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
"""All model servers speak its API, which is what the convention asks for."""
_OPERATIONS: Final[Mapping[str, str]] = {
    "text": "chat",
    "vision": "chat",
    "embedding": "embeddings",
    "reranking": "rerank",
    "hearing": "transcription",
    "speech": "speech",
}
"""The operation by the kind of a call; the last three have no name in the conventions yet."""
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
    """A span around the block, which is not the current one: the block may be in a generator.

    An error is told by its class, because its words may quote somebody.
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
    """Have the spans that begin in this block be parts of `span`; not for generators."""
    return trace.use_span(
        span, end_on_exit=False, record_exception=False, set_status_on_exception=False
    )


def fail(span: Span, kind: str) -> None:
    """Mark a span as failed, by the kind of the error."""
    span.set_attribute(ERROR_TYPE, kind)
    span.set_status(Status(StatusCode.ERROR))


@contextmanager
def trace_call(call: Call, node: str, used: Callable[[], Usage]) -> Iterator[None]:
    """A span and the metrics of a call of a model or a search in this block.

    `used` is asked at its end. A tool of a server has its span where the model's call is run.
    """
    operation = _OPERATIONS.get(call.kind)
    if call.kind == "tool":
        yield
    elif operation is None:
        with span_of(RETRIEVAL, call.model, {DATA_SOURCE: call.model, NODE: node}):
            yield
    else:
        model_labels: dict[str, str | int] = {PROVIDER: _OPENAI, MODEL: call.model}
        began, error_labels = time.monotonic(), dict[str, str]()
        with span_of(operation, call.model, {**model_labels, NODE: node}) as span:
            try:
                yield
            except Exception as error:
                error_labels = {ERROR_TYPE: type(error).__name__}
                raise
            finally:
                labels = {OPERATION: operation, **model_labels}
                _duration.record(time.monotonic() - began, {**labels, **error_labels})
                _tell_tokens(span, labels, used())


def _tell_tokens(span: Span, labels: Mapping[str, str | int], usage: Usage) -> None:
    """Tell the tokens of a call if its server reported them; an estimate is none."""
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
    """Tell that updates were stored in the inbox, from `began_ns` (Unix time) until now.

    Each is in the trace of its update, which the turn that answers it goes on with.
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
