"""Windows of models: what happens to a prompt that is longer."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich_agent_sandbox.model.language.text import count_tokens, last_tokens
from rich_agent_sandbox.model.message_parts import image_parts, text_of
from rich_agent_sandbox.model.request import ChatRequest
from rich_agent_sandbox.openai.servers.personality import Personality
from rich_agent_sandbox.openai.servers.refusing import Refused, refusal

TOKENS_OF_IMAGE = 85  # of an image in low detail, by OpenAI's Images guide

Json = dict[str, Any]


def prompt_tokens(messages: Sequence[Mapping[str, Any]], request: ChatRequest) -> int:
    """The estimated tokens of messages, with the tools of their request."""
    tools = "".join(tool.model_dump_json(exclude_unset=True) for tool in request.tools or ())
    return sum(map(_tokens, messages)) + count_tokens(tools)


def fit(messages: list[Json], request: ChatRequest, personality: Personality) -> list[Json]:
    """The messages that fit into the window.

    It removes the oldest messages except the system's, then the beginning of the rest, like Ollama
    (server/prompt.go, and the runner's `inputs` beyond `numKeep`).

    Raises: RefusalError of a server that refuses a longer prompt.
    """
    window, tokens = personality.window, prompt_tokens(messages, request)
    if window is None or tokens <= window.tokens:
        return messages
    if window.overflow == "refused":
        told = (
            f"This model's maximum context length is {window.tokens} tokens. "
            f"However, your messages resulted in {tokens} tokens."
        )
        code = "context_length_exceeded"
        raise refusal(personality.form, Refused(400, told, param="messages", code=code))
    kept = list(messages)
    while prompt_tokens(kept, request) > window.tokens:
        oldest = next((m for m in kept[:-1] if m["role"] not in ("system", "developer")), None)
        if oldest is None:
            break
        kept.remove(oldest)
    over = prompt_tokens(kept, request) - window.tokens
    if over > 0:
        first = kept[0]
        left = max(0, _tokens(first) - over)
        kept[0] = {**first, "content": last_tokens(text_of(first), left)}
    return kept


def _tokens(message: Mapping[str, Any]) -> int:
    return count_tokens(text_of(message)) + len(image_parts(message)) * TOKENS_OF_IMAGE
