"""All personalities by name, and the well-behaved server at `/v1`."""

from rich_agent_sandbox.openai.servers import hosted, local, openai, others
from rich_agent_sandbox.openai.servers.personality import Personality

WELL_BEHAVED = Personality(name="", sources=("https://platform.openai.com/docs/api-reference",))
"""Accepts every parameter, reports everything, and obeys each format and tool choice."""

# The most common ones; each has ten conversations in the tests.
SERVERS: tuple[Personality, ...] = (
    openai.OPENAI,
    openai.OPENAI_REASONING,
    openai.AZURE,
    local.OLLAMA,
    local.LM_STUDIO,
    local.VLLM,
    local.LLAMA_CPP,
    hosted.GROQ,
    hosted.MISTRAL,
    hosted.OPENROUTER,
    hosted.DEEPSEEK,
    hosted.GEMINI,
    hosted.ANTHROPIC,
)
# Variants and further servers; `bench.servers` has the conversations with them too.
OTHERS: tuple[Personality, ...] = (
    openai.OPENAI_O,
    local.OLLAMA_OLD,
    others.TOGETHER,
    others.CEREBRAS,
    others.XAI,
    others.COHERE,
    others.LITELLM,
    others.KOBOLDCPP,
    others.TEXTGEN_WEBUI,
    others.CLOUDFLARE,
    others.TGI,
    others.VLLM_R1,
    others.MAGISTRAL,
    hosted.DASHSCOPE,
    local.LLAMA_CPP_PYTHON,
    others.WHOLE,
    others.UNMARKED,
)
