"""Services that are reached over the internet by their OpenAI-compatible addresses."""

from dataclasses import replace

from rich_agent_sandbox.openai.servers.personality import (
    Embeddings,
    Personality,
    Streams,
    Thinking,
    Tools,
    Window,
)
from rich_agent_sandbox.openai.servers.refusing import (
    Refused,
    anthropic_form,
    fastapi_form,
    gemini_form,
    openrouter_form,
    refuses,
    refuses_format,
    refuses_images,
    refuses_in_schemas,
    refuses_other_than,
    refuses_tool_choice_object,
    refuses_unknown,
)

_COMMON_FIELDS = """
model messages stream temperature top_p max_tokens stop tools tool_choice response_format n
presence_penalty frequency_penalty parallel_tool_calls
"""
_OPENAI_FIELDS = """
audio functions function_call logit_bias logprobs max_completion_tokens metadata modalities
prediction prompt_cache_key reasoning_effort safety_identifier seed service_tier store
stream_options top_logprobs user verbosity web_search_options
"""
_GEMINI_FIELDS = "stream_options max_completion_tokens reasoning_effort extra_body user seed"
_COMMON = frozenset(_COMMON_FIELDS.split())
_OPENAI = _COMMON | frozenset(_OPENAI_FIELDS.split())
_MISTRAL = _COMMON | {"random_seed", "safe_prompt", "prediction", "prompt_mode", "metadata"}
_GEMINI = _COMMON | frozenset(_GEMINI_FIELDS.split())

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
    traits="Begins a stream with the result of its content filter; takes the key as `api-key` too.",
    sources=(
        "https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle",
        "https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter",
    ),
    models=("my-deployment",),
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

GROQ = Personality(
    name="groq",
    traits="Refuses JSON schemas; says when to come back in `x-ratelimit-reset-*`; has "
    "no embeddings.",
    sources=(
        "https://console.groq.com/docs/openai",
        "https://console.groq.com/docs/rate-limits",
        "https://console.groq.com/docs/structured-outputs",
    ),
    models=("llama-3.3-70b-versatile",),
    rules=(
        *(
            refuses(name, Refused(400, f"property '{name}' is unsupported", param=name))
            for name in ("logprobs", "logit_bias", "top_logprobs")
        ),
        refuses_other_than("n", Refused(400, "'n' : number must be at most 1"), 1),
        refuses_format(
            "json_schema",
            Refused(
                400,
                "This model does not support response format `json_schema`. See supported models "
                "at https://console.groq.com/docs/structured-outputs#supported-models",
                param="response_format",
            ),
        ),
    ),
    streams=Streams(usage="asked", usage_beside="x_groq"),
    embeddings=None,
    told={"context_window": 131_072, "max_completion_tokens": 32_768},
    headers={
        "x-ratelimit-limit-requests": "14400",
        "x-ratelimit-limit-tokens": "18000",
        "x-ratelimit-remaining-requests": "14370",
        "x-ratelimit-remaining-tokens": "17997",
        "x-ratelimit-reset-requests": "2m59.56s",
        "x-ratelimit-reset-tokens": "7.66s",
    },
    waits="reset-headers",
    missing="Unknown request URL: POST /openai/v1/embeddings. Please check the URL for typos, or "
    "see the docs at https://console.groq.com/docs/",
)

_EXTRA = Refused(422, "Extra inputs are not permitted", code="extra_forbidden")
MISTRAL = Personality(
    name="mistral",
    traits="Refuses unknown fields with 422 and their place, `stream_options` among "
    "them; always tells the usage of a stream.",
    sources=(
        "https://docs.mistral.ai/api/",
        "https://docs.mistral.ai/capabilities/function_calling/",
    ),
    models=("mistral-small-latest",),
    embedding_models=("mistral-embed",),
    form=fastapi_form,
    rules=(
        refuses_unknown(_MISTRAL, _EXTRA),
        refuses_tool_choice_object(
            Refused(
                422,
                "Input should be 'auto', 'none', 'any' or 'required'",
                param="tool_choice",
                code="enum",
            )
        ),
    ),
    streams=Streams(usage="always"),
    embeddings=Embeddings(rules=(refuses("dimensions", _EXTRA),)),
    told={"max_context_length": 131_072, "capabilities": {"vision": True}},
)

OPENROUTER = Personality(
    name="openrouter",
    traits="Has no endpoint with tools (404); ignores JSON schemas; sends comments in "
    "the stream; writes sloppy JSON.",
    sources=(
        "https://openrouter.ai/docs/api/reference/streaming",
        "https://openrouter.ai/docs/api/reference/errors-and-debugging",
        "https://openrouter.ai/docs/features/provider-routing",
    ),
    models=("deepseek/deepseek-r1:free",),
    embedding_models=("qwen/qwen3-embedding-8b",),
    form=openrouter_form,
    rules=(
        refuses(
            "tools",
            Refused(
                404,
                "No endpoints found that support tool use. To learn more about provider routing, "
                "visit: https://openrouter.ai/docs/provider-routing",
            ),
        ),
    ),
    formats=frozenset({"json_object"}),
    sloppy=True,
    thinking=Thinking("reasoning"),
    streams=Streams(comment=": OPENROUTER PROCESSING", usage="always"),
    told={
        "context_length": 163_840,
        "top_provider": {"context_length": 32_768, "max_completion_tokens": 8_192},
    },
)

DEEPSEEK = Personality(
    name="deepseek",
    traits="Refuses JSON schemas, named tools and images; thinks in "
    "`reasoning_content`; has no embeddings.",
    sources=(
        "https://api-docs.deepseek.com/guides/reasoning_model",
        "https://api-docs.deepseek.com/quick_start/error_codes",
        "https://api-docs.deepseek.com/quick_start/rate_limit",
    ),
    models=("deepseek-chat", "deepseek-reasoner"),
    rules=(
        refuses_images(
            Refused(
                400,
                "Failed to deserialize the JSON body into the target type: messages[1]: unknown "
                "variant `image_url`, expected `text` at line 1 column 934",
                code="invalid_request_error",
            )
        ),
        refuses_format(
            "json_schema",
            Refused(
                400,
                "This response_format type is unavailable now",
                code="invalid_request_error",
            ),
        ),
        refuses_tool_choice_object(
            Refused(
                400,
                "deepseek-reasoner does not support this tool_choice",
                code="invalid_request_error",
            )
        ),
    ),
    thinking=Thinking("reasoning_content", silence_s=10.0),
    streams=Streams(comment=": keep-alive"),
    embeddings=None,
    sees=False,
)

GEMINI = Personality(
    name="gemini",
    traits="Sends errors as a list; refuses unknown fields, also within schemas; says "
    "when to come back in the body.",
    sources=(
        "https://ai.google.dev/gemini-api/docs/openai",
        "https://ai.google.dev/gemini-api/docs/troubleshooting",
    ),
    models=("models/gemini-2.5-flash", "gemini-2.5-flash"),
    embedding_models=("gemini-embedding-001",),
    form=gemini_form,
    rules=(
        refuses_unknown(
            _GEMINI,
            Refused(
                400, 'Invalid JSON payload received. Unknown name "{name}": Cannot find field.'
            ),
        ),
        refuses_in_schemas(
            "additionalProperties",
            Refused(
                400,
                'Invalid JSON payload received. Unknown name "additionalProperties" at '
                "'tools[0].function_declarations[0].parameters': Cannot find field.",
            ),
        ),
    ),
    window=Window(1_048_576, "refused"),
    streams=Streams(usage="always"),
    tools=Tools(without_id=True),
    ends={"tool_calls": "stop"},
    embeddings=Embeddings(always_floats=True),
    waits="body",
)

ANTHROPIC = Personality(
    name="anthropic",
    traits="Ignores `response_format`; has no embeddings.",
    sources=("https://docs.anthropic.com/en/api/openai-sdk",),
    models=("claude-sonnet-4-5",),
    form=anthropic_form,
    rules=(refuses_other_than("n", Refused(400, "n: must be exactly 1"), 1),),
    formats=frozenset(),
    window=Window(200_000, "refused"),
    embeddings=None,
)
