"""Services that are reached over the internet by their OpenAI-compatible addresses."""

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
    refuses_calls_with_other_ids,
    refuses_format,
    refuses_images,
    refuses_in_schemas,
    refuses_other_than,
    refuses_tool_choice_object,
    refuses_unknown,
    refuses_whole_unless_off,
)
from tests.stand_ins.model_servers.openai import COMMON_FIELDS

_GEMINI_FIELDS = "stream_options max_completion_tokens reasoning_effort extra_body user seed"
_MISTRAL = COMMON_FIELDS | {"random_seed", "safe_prompt", "prediction", "prompt_mode", "metadata"}
_GEMINI = COMMON_FIELDS | frozenset(_GEMINI_FIELDS.split())

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
        refuses_calls_with_other_ids(
            "[a-zA-Z0-9]{9}",
            Refused(
                400,
                "Tool call id was {given} but must be a-z, A-Z, 0-9, with a length of 9.",
                "invalid_request_message_order",
            ),
        ),
    ),
    streams=Streams(usage="always"),
    tools=Tools(id_length=9),
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

DASHSCOPE = Personality(
    name="dashscope",
    traits="Refuses answers that are not streamed unless `enable_thinking` is false; refuses JSON "
    "schemas; thinks in `reasoning_content`.",
    sources=(
        "https://www.alibabacloud.com/help/en/model-studio/deep-thinking",
        "https://www.alibabacloud.com/help/en/model-studio/error-code",
    ),
    models=("qwen3-8b",),
    embedding_models=("text-embedding-v4",),
    rules=(
        refuses_whole_unless_off(
            "enable_thinking",
            Refused(
                400,
                "parameter.enable_thinking must be set to false for non-streaming calls",
                code="invalid_parameter_error",
            ),
        ),
        refuses_format(
            "json_schema",
            Refused(
                400,
                "'response_format.type' must be one of ['text', 'json_object']",
                code="invalid_parameter_error",
            ),
        ),
    ),
    thinking=Thinking("reasoning_content", switch="enable_thinking"),
)
