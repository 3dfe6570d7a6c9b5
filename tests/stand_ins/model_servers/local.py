"""Servers that run models on one's own machines: Ollama, LM Studio, vLLM, llama.cpp.

Their small models write sloppy JSON, think aloud, and have small windows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

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
    llamacpp_form,
    ollama_form,
    plain_form,
    refuses,
    refuses_format,
    refuses_tool_choice_object,
    refuses_tools,
    vllm_form,
)

_OLLAMA_TRAINED = 40_960
_OLLAMA_DEFAULT = 4_096  # tokens, OLLAMA_CONTEXT_LENGTH
_LOADED = 16_384

_OLLAMA_TAGS: Sequence[tuple[str, int, Mapping[str, str], Mapping[str, str]]] = (
    ("qwen3:8b", 5_225_388_164, {"family": "qwen3", "parameter_size": "8.2B"}, {}),
    (
        "nomic-embed-text:latest",
        274_302_450,
        {"family": "nomic-bert", "parameter_size": "137M"},
        {},
    ),
    (
        "gpt-oss:120b-cloud",
        384,
        {"family": "gptoss", "parameter_size": "116.8B"},
        {"remote_model": "gpt-oss:120b", "remote_host": "https://ollama.com:443"},
    ),
)
"""Name, bytes, details, and of a model that runs elsewhere, where."""


def _shown_by_ollama(asked: Mapping[str, Any]) -> Mapping[str, Any]:
    """Details of a model; its window is what it was trained with, not what it is run with."""
    if str(asked.get("model")).startswith("nomic"):
        return {
            "details": {"family": "nomic-bert", "parameter_size": "137M"},
            "model_info": {
                "general.architecture": "nomic-bert",
                "nomic-bert.context_length": 2_048,
                "nomic-bert.embedding_length": 768,
            },
            "capabilities": ["embedding"],
        }
    return {
        "details": {"family": "qwen3", "parameter_size": "8.2B"},
        "model_info": {
            "general.architecture": "qwen3",
            "qwen3.context_length": _OLLAMA_TRAINED,
            "qwen3.embedding_length": 4_096,
        },
        "capabilities": ["completion", "tools", "thinking", "vision"],
    }


OLLAMA = Personality(
    name="ollama",
    traits="Calls tools as it likes; thinks in `<think>` tags; cuts prompts to 4,096 tokens "
    "without a word.",
    sources=(
        "https://docs.ollama.com/api/openai-compatibility",
        "https://docs.ollama.com/context-length",
        "https://github.com/ollama/ollama/issues/8421",
    ),
    models=("qwen3:8b",),
    embedding_models=("nomic-embed-text", "nomic-embed-text:latest"),
    form=ollama_form,
    key="any",
    thinking=Thinking("tags"),
    window=Window(_OLLAMA_DEFAULT, "cut"),
    tools=Tools(obeyed="offered"),
    native={
        "GET /api/version": {"version": "0.12.3"},
        "GET /api/tags": {
            "models": [
                {"name": name, "model": name, "size": size, "details": details, **more}
                for name, size, details, more in _OLLAMA_TAGS
            ]
        },
        "POST /api/show": _shown_by_ollama,
        "GET /api/ps": {
            "models": [
                {"name": name, "model": name, "context_length": _OLLAMA_DEFAULT}
                for name in ("sandbox-chat", "sandbox-vision", "qwen3:8b")
            ]
        },
    },
)

OLLAMA_OLD = replace(
    OLLAMA,
    name="ollama-old",
    traits="Ignores JSON schemas; sends arguments of tools as objects without id; "
    "thinks in `reasoning`; writes sloppy JSON.",
    models=("deepseek-r1:8b",),
    thinking=Thinking("reasoning"),
    formats=frozenset({"json_object"}),
    sloppy=True,
    tools=Tools(arguments_as_object=True, without_id=True),
    embeddings=Embeddings(always_floats=True),
)
"""A version that ignores JSON schemas, and sends arguments as objects in calls without id."""

LM_STUDIO = Personality(
    name="lmstudio",
    traits="Refuses a tool choice that names a function, and JSON mode; its errors are bare texts.",
    sources=(
        "https://lmstudio.ai/docs/app/api/endpoints/rest",
        "https://lmstudio.ai/docs/app/api/structured-output",
        "https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/670",
    ),
    models=("qwen2.5-vl-7b-instruct",),
    embedding_models=("text-embedding-nomic-embed-text-v1.5",),
    form=plain_form,
    key="any",
    rules=(
        refuses_tool_choice_object(
            Refused(
                400,
                "Invalid tool_choice type: 'object'. Supported string values: none, auto, required",
            )
        ),
        refuses_format(
            "json_object",
            Refused(400, "'response_format.type' must be 'json_schema' or 'text'"),
        ),
    ),
    window=Window(_LOADED, "refused"),
    embeddings=Embeddings(always_floats=True),
    native={
        "GET /api/v0/models": {
            "object": "list",
            "data": [
                {
                    "id": name,
                    "object": "model",
                    "type": "vlm",
                    "state": "loaded",
                    "max_context_length": 128_000,
                    "loaded_context_length": _LOADED,
                }
                for name in ("sandbox-chat", "sandbox-vision", "qwen2.5-vl-7b-instruct")
            ]
            + [
                {
                    "id": "text-embedding-nomic-embed-text-v1.5",
                    "object": "model",
                    "type": "embeddings",
                    "state": "not-loaded",
                    "max_context_length": 2_048,
                }
            ],
        }
    },
    missing="Unexpected endpoint or method.",
)

_NO_PARSER = Refused(
    400,
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
)
VLLM = Personality(
    name="vllm",
    traits="Refuses tools without a parser; ignores JSON schemas and JSON mode; writes "
    "sloppy JSON; refuses shorter vectors.",
    sources=(
        "https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html",
        "https://docs.vllm.ai/en/latest/features/tool_calling.html",
        "https://docs.vllm.ai/en/latest/models/pooling_models.html",
    ),
    models=("Qwen/Qwen2.5-3B-Instruct",),
    embedding_models=("intfloat/e5-mistral-7b-instruct",),
    form=vllm_form,
    key="any",
    rules=(refuses_tools(_NO_PARSER),),
    formats=frozenset(),
    sloppy=True,
    window=Window(_LOADED, "refused"),
    embeddings=Embeddings(
        rules=(
            refuses(
                "dimensions",
                Refused(
                    400,
                    'Model "{given}" does not support matryoshka representation, '
                    "changing output dimensions will lead to poor results.",
                ),
            ),
        )
    ),
    told={"max_model_len": _LOADED},
    native={"GET /version": {"version": "0.11.0"}},
)
"""A small model on a server without a parser for tools, whose guided decoding is off."""

LLAMA_CPP = Personality(
    name="llamacpp",
    traits="Refuses tools (status 500) and JSON schemas; thinks in "
    "`reasoning_content`; has no embeddings (501).",
    sources=(
        "https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md",
        "https://github.com/ggml-org/llama.cpp/issues/11847",
    ),
    models=("gemma-3-4b-it.gguf",),
    form=llamacpp_form,
    key="any",
    rules=(
        refuses("tools", Refused(500, "tools param requires --jinja flag", "server_error")),
        refuses_format(
            "json_schema",
            Refused(400, 'Either "json_schema" or "grammar" can be specified, but not both'),
        ),
    ),
    thinking=Thinking("reasoning_content"),
    window=Window(_LOADED, "refused"),
    streams=Streams(usage="asked"),
    embeddings=None,
    told={"meta": {"n_ctx_train": 131_072, "n_params": 4_300_000_000}},
    native={
        "GET /health": {"status": "ok"},
        "GET /props": {
            "default_generation_settings": {"n_ctx": _LOADED},
            "total_slots": 1,
            "model_path": "/models/gemma-3-4b-it.gguf",
            "modalities": {"vision": True, "audio": False},
        },
    },
    missing="This server does not support embeddings. Start it with `--embeddings`",
)
"""Started without `--jinja` and without `--embeddings`."""

LLAMA_CPP_PYTHON = Personality(
    name="llama-cpp-python",
    traits="Answers what does not validate with status 500, JSON schemas among it; ignores tools.",
    sources=(
        "https://github.com/abetlen/llama-cpp-python/blob/main/llama_cpp/server/errors.py",
        "https://llama-cpp-python.readthedocs.io/en/latest/server/",
    ),
    models=("qwen2.5-0.5b-instruct.gguf",),
    key="any",
    rules=(
        refuses_format(
            "json_schema",
            Refused(
                500,
                "[{'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': "
                "\"Input should be 'text' or 'json_object'\", 'input': 'json_schema', "
                "'ctx': {'expected': \"'text' or 'json_object'\"}}]",
                "internal_server_error",
            ),
        ),
    ),
    formats=frozenset({"json_object"}),
    window=Window(_LOADED, "refused"),
    tools=Tools(obeyed="never"),
    embeddings=None,
)
"""The Python package's server with the generic chat format."""
