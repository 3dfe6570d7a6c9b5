"""All personalities by name, and the well-behaved server at `/v1`."""

from rich_agent_sandbox.servers import hosted, local, others
from rich_agent_sandbox.servers.personality import Personality

WELL_BEHAVED = Personality(name="", sources=("https://platform.openai.com/docs/api-reference",))
"""Takes everything, tells everything, and obeys each format and tool choice."""

SERVERS: tuple[Personality, ...] = (
    hosted.OPENAI,
    hosted.OPENAI_O,
    hosted.OPENAI_REASONING,
    hosted.AZURE,
    local.OLLAMA,
    local.OLLAMA_OLD,
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
OTHERS: tuple[Personality, ...] = (
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
)
