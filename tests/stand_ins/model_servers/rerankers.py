"""Servers that rank texts and do nothing else."""

from rich_agent_sandbox.openai.servers.personality import Personality
from rich_agent_sandbox.openai.servers.refusing import (
    detail_form,
    llamacpp_form,
    tgi_form,
    vllm_form,
)
from tests.stand_ins.model_servers.reranking import (
    INFINITY_RERANK,
    JINA_RERANK,
    LLAMA_CPP_RERANK,
    TEI_RERANK,
    VLLM_RERANK,
    VOYAGE_RERANK,
)

RERANKERS: tuple[Personality, ...] = (
    Personality(
        name="jina",
        traits="Sends the texts back unless they are declined.",
        sources=("https://jina.ai/reranker/", "https://api.jina.ai/redoc"),
        form=detail_form,
        rerank=JINA_RERANK,
    ),
    Personality(
        name="vllm-rerank",
        traits="Has three addresses; sends the texts back.",
        sources=("https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html",),
        form=vllm_form,
        key="any",
        rerank=VLLM_RERANK,
    ),
    Personality(
        name="llamacpp-rerank",
        traits="Scores are raw numbers, below and above 0.",
        sources=("https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md",),
        form=llamacpp_form,
        key="any",
        rerank=LLAMA_CPP_RERANK,
    ),
    Personality(
        name="tei",
        traits="Reads `texts`, 32 at most, and answers with a list.",
        sources=(
            "https://huggingface.co/docs/text-embeddings-inference/quick_tour",
            "https://github.com/huggingface/text-embeddings-inference/blob/main/docs/openapi.json",
        ),
        form=tgi_form,
        key="any",
        rerank=TEI_RERANK,
    ),
    Personality(
        name="voyage",
        traits="Answers with `data`; refuses unknown fields, `top_n` among them.",
        sources=("https://docs.voyageai.com/reference/reranker-api",),
        form=detail_form,
        rerank=VOYAGE_RERANK,
    ),
    Personality(
        name="infinity",
        traits="Takes 2,048 texts; its answer is a `rerank` object.",
        sources=("https://github.com/michaelfeil/infinity",),
        form=detail_form,
        key="any",
        rerank=INFINITY_RERANK,
    ),
)
