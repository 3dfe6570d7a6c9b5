"""Further servers and proxies with their peculiarities."""

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
    cloudflare_form,
    coded_text_form,
    detail_form,
    flat_form,
    litellm_form,
    message_form,
    refuses,
    refuses_format,
    refuses_other_than,
    refuses_tool_choice_object,
    tgi_form,
)
from tests.stand_ins.model_servers.hosted import MISTRAL
from tests.stand_ins.model_servers.local import VLLM
from tests.stand_ins.model_servers.reranking import COHERE_RERANK

_NO_BASE64 = Refused(400, "encoding_format must be 'float'", param="encoding_format")

TOGETHER = Personality(
    name="together",
    traits="Lists models without an object around them; thinks in `<think>` tags; "
    "refuses base64 vectors.",
    sources=(
        "https://docs.together.ai/docs/openai-api-compatibility",
        "https://docs.together.ai/reference/models-1",
    ),
    models=("deepseek-ai/DeepSeek-R1",),
    thinking=Thinking("tags"),
    streams=Streams(usage="always"),
    embeddings=Embeddings(rules=(refuses("encoding_format", _NO_BASE64, "base64"),)),
    told={"context_length": 131_072},
    lists_bare=True,
)

CEREBRAS = Personality(
    name="cerebras",
    traits="Sends errors without an `error` around them; refuses JSON schemas; has no embeddings.",
    sources=("https://inference-docs.cerebras.ai/resources/openai",),
    models=("llama3.1-8b",),
    form=flat_form,
    rules=(
        *(
            refuses(name, Refused(400, f"{name} is not supported", param=name))
            for name in ("frequency_penalty", "logit_bias", "presence_penalty")
        ),
        refuses_format(
            "json_schema", Refused(400, "response_format is not supported", param="response_format")
        ),
    ),
    embeddings=None,
)

XAI = Personality(
    name="xai",
    traits="Sends errors as text next to a code; thinks in `reasoning_content`; has no embeddings.",
    sources=("https://docs.x.ai/docs/guides/reasoning", "https://docs.x.ai/docs/api-reference"),
    models=("grok-4",),
    form=coded_text_form,
    rules=tuple(
        refuses(name, Refused(400, f"Argument not supported on this model: {argument}"))
        for name, argument in (
            ("presence_penalty", "presencePenalty"),
            ("stop", "stop"),
            ("reasoning_effort", "reasoningEffort"),
        )
    ),
    thinking=Thinking("reasoning_content", silence_s=20.0),
    embeddings=None,
)

COHERE = Personality(
    name="cohere",
    traits="Sends errors as a message and an id; refuses a tool choice that names a function.",
    sources=(
        "https://docs.cohere.com/docs/compatibility-api",
        "https://docs.cohere.com/reference/rerank",
    ),
    models=("command-a-03-2025",),
    embedding_models=("embed-v4.0",),
    form=message_form,
    rules=(
        refuses_tool_choice_object(
            Refused(400, "invalid request: tool_choice must be one of 'REQUIRED' or 'NONE'")
        ),
    ),
    embeddings=Embeddings(always_floats=True),
    rerank=COHERE_RERANK,
)

LITELLM = Personality(
    name="litellm",
    traits="Wraps errors of others, codes as texts; refuses `response_format` for a "
    "model behind it.",
    sources=(
        "https://docs.litellm.ai/docs/completion/drop_params",
        "https://docs.litellm.ai/docs/exception_mapping",
    ),
    models=("bedrock-claude",),
    form=litellm_form,
    rules=(
        refuses(
            "response_format",
            Refused(
                400,
                "bedrock does not support parameters: ['response_format'], for "
                "model=bedrock-claude. To drop these, set `litellm.drop_params=True`.",
            ),
        ),
        refuses_other_than(
            "temperature",
            Refused(400, "bedrock does not support parameters: {'temperature': {given}}"),
            1,
        ),
    ),
)

KOBOLDCPP = Personality(
    name="koboldcpp",
    traits="Ignores tools and JSON mode; stops after 180 tokens; tells no usage; "
    "writes sloppy JSON.",
    sources=("https://github.com/LostRuins/koboldcpp/wiki",),
    models=("koboldcpp/mistral-nemo",),
    form=detail_form,
    key="any",
    formats=frozenset(),
    sloppy=True,
    window=Window(8_192, "cut"),
    streams=Streams(usage="never", done=True),
    tools=Tools(obeyed="never"),
    embeddings=None,
    most_output=180,
)

TEXTGEN_WEBUI = Personality(
    name="textgen-webui",
    traits="Ignores tools and JSON mode; stops after 180 tokens; writes sloppy JSON.",
    sources=("https://github.com/oobabooga/text-generation-webui/wiki/12-%E2%80%90-OpenAI-API",),
    models=("TheBloke_Mistral-7B",),
    form=detail_form,
    key="any",
    formats=frozenset(),
    sloppy=True,
    streams=Streams(comment=": ping - 2025-01-01 00:00:00.000000"),
    tools=Tools(obeyed="never"),
    embeddings=Embeddings(always_floats=True),
    most_output=180,
)

CLOUDFLARE = Personality(
    name="cloudflare",
    traits="Ignores tools and JSON mode; stops after 256 tokens; sends a list of errors.",
    sources=("https://developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility/",),
    models=("@cf/meta/llama-3.1-8b-instruct",),
    embedding_models=("@cf/baai/bge-m3",),
    form=cloudflare_form,
    formats=frozenset(),
    window=Window(24_000, "refused"),
    streams=Streams(usage="always"),
    tools=Tools(obeyed="never"),
    embeddings=Embeddings(always_floats=True),
    most_output=256,
)

TGI = Personality(
    name="tgi",
    traits="Calls the end `eos_token`; sends arguments as objects; stops after 200 "
    "tokens; ends streams without [DONE].",
    sources=("https://huggingface.co/docs/text-generation-inference/messages_api",),
    models=("tgi",),
    form=tgi_form,
    key="any",
    rules=(
        refuses_format(
            "json_schema",
            Refused(422, "response_format: unknown variant `json_schema`, expected `json_object`"),
        ),
    ),
    streams=Streams(done=False),
    tools=Tools(arguments_as_object=True),
    embeddings=None,
    ends={"stop": "eos_token", "tool_calls": "eos_token"},
    most_output=200,
)

VLLM_R1 = replace(
    VLLM,
    name="vllm-r1",
    traits="As vLLM, and thinks in the content up to a closing `</think>` that nothing opened.",
    sources=("https://docs.vllm.ai/en/latest/features/reasoning_outputs.html",),
    models=("deepseek-ai/DeepSeek-R1-Distill-Qwen-7B",),
    thinking=Thinking("closing_tag"),
)
"""Without a reasoning parser; the opening tag stands in the chat template."""

MAGISTRAL = replace(
    MISTRAL,
    name="magistral",
    traits="As Mistral, and sends its thoughts as parts of a content that is a list.",
    sources=("https://docs.mistral.ai/capabilities/reasoning/",),
    models=("magistral-medium-latest",),
    thinking=Thinking("parts"),
)

WHOLE = Personality(
    name="whole",
    traits="Ignores `stream` and sends one JSON object, as a proxy that reads answers whole does.",
    sources=("https://platform.openai.com/docs/api-reference/chat/object",),
    models=("gateway-chat",),
    streams=Streams(ignored=True),
)

UNMARKED = Personality(
    name="unmarked",
    traits="Ends streams by closing them, without a finish reason and without [DONE]; begins them "
    "with an event without choices.",
    sources=("https://html.spec.whatwg.org/multipage/server-sent-events.html",),
    models=("home-made",),
    streams=Streams(first={"id": "0", "object": "chat.completion.chunk"}, done=False, finish=False),
)
"""An adapter in front of a model that speaks another protocol."""
