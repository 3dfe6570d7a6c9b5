"""OpenAI itself, and Azure, which serves its models."""

from dataclasses import replace

from rich_agent_sandbox.openai.servers.personality import (
    Personality,
    Streams,
    Thinking,
)
from rich_agent_sandbox.openai.servers.refusing import (
    Refused,
    refuses,
    refuses_in_schemas,
    refuses_other_than,
    refuses_unknown,
)

_COMMON = """
model messages stream temperature top_p max_tokens stop tools tool_choice response_format n
presence_penalty frequency_penalty parallel_tool_calls
"""
_OPENAI_FIELDS = """
audio functions function_call logit_bias logprobs max_completion_tokens metadata modalities
prediction prompt_cache_key reasoning_effort safety_identifier seed service_tier store
stream_options top_logprobs user verbosity web_search_options
"""
COMMON_FIELDS = frozenset(_COMMON.split())
"""Fields that nearly every server accepts."""
_OPENAI = COMMON_FIELDS | frozenset(_OPENAI_FIELDS.split())

OPENAI = Personality(
    name="openai",
    traits="Refuses unknown parameters.",
    sources=(
        "https://platform.openai.com/docs/api-reference/chat/create",
        "https://platform.openai.com/docs/guides/rate-limits",
    ),
    models=("gpt-4.1-mini",),
    embedding_models=("text-embedding-3-small",),
    rules=(refuses_unknown(_OPENAI, Refused(400, "Unrecognized request argument: {name}")),),
    headers={
        "x-ratelimit-limit-requests": "500",
        "x-ratelimit-remaining-requests": "499",
        "x-ratelimit-reset-requests": "120ms",
        "x-ratelimit-reset-tokens": "6m0s",
    },
)

_NO_TEMPERATURE = Refused(
    400,
    "Unsupported value: 'temperature' does not support {given} with this model. "
    "Only the default (1) value is supported.",
    code="unsupported_value",
)
_NO_MAX_TOKENS = Refused(
    400,
    "Unsupported parameter: 'max_tokens' is not supported with this model. "
    "Use 'max_completion_tokens' instead.",
    code="unsupported_parameter",
)
OPENAI_O = replace(
    OPENAI,
    name="openai-o",
    traits="Refuses `temperature` and `max_tokens`; is silent for 45 s before the first token.",
    sources=("https://platform.openai.com/docs/guides/reasoning",),
    models=("o4-mini", "gpt-5-mini"),
    rules=(
        refuses_other_than("temperature", _NO_TEMPERATURE, 1, 1.0),
        refuses("max_tokens", _NO_MAX_TOKENS),
        *OPENAI.rules,
    ),
    thinking=Thinking("hidden", silence_s=45.0),
)
"""Reasoning models by chat completions."""

OPENAI_REASONING = replace(
    OPENAI_O,
    name="openai-reasoning",
    traits="Serves the Responses API alone; refuses `temperature` and `max_tokens`; is "
    "silent for 45 s.",
    sources=(
        "https://platform.openai.com/docs/api-reference/responses/create",
        "https://platform.openai.com/docs/guides/streaming-responses",
    ),
    models=("gpt-5-pro", "gpt-5.1-codex"),
    api="responses",
    rules=(
        refuses(
            "temperature",
            Refused(
                400,
                "Unsupported parameter: 'temperature' is not supported with this model.",
                code="unsupported_parameter",
            ),
        ),
        refuses(
            "max_tokens",
            Refused(
                400,
                "Unsupported parameter: 'max_tokens'. In the Responses API, this parameter has "
                "moved to 'max_output_tokens'.",
                code="unsupported_parameter",
            ),
        ),
    ),
)
"""Models that are served by the Responses API alone."""

_UNFILTERED = {
    kind: {"filtered": False, "severity": "safe"}
    for kind in ("hate", "self_harm", "sexual", "violence")
}
AZURE = replace(
    OPENAI,
    name="azure",
    traits="Begins a stream with the result of its content filter; takes the key as `api-key` too; "
    "refuses bounds in schemas.",
    sources=(
        "https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle",
        "https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter",
        "https://learn.microsoft.com/azure/ai-foundry/openai/how-to/structured-outputs",
    ),
    models=("my-deployment",),
    rules=(
        *(
            refuses_in_schemas(
                name,
                Refused(
                    400,
                    "Invalid schema for response_format 'form': In context=('properties', "
                    f"'query'), '{name}' is not permitted.",
                    param="response_format",
                ),
            )
            for name in ("maxLength", "maxItems")
        ),
        *OPENAI.rules,
    ),
    key="api-key",
    streams=Streams(
        first={
            "id": "",
            "object": "",
            "created": 0,
            "model": "",
            "choices": [],
            "prompt_filter_results": [{"prompt_index": 0, "content_filter_results": _UNFILTERED}],
        }
    ),
    headers={"x-ratelimit-remaining-requests": "9", "apim-request-id": "0"},
)
