"""All personalities of real servers."""

from rich_agent_sandbox.openai.servers.personality import Personality
from tests.stand_ins.model_servers import hosted, local, openai, others

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
