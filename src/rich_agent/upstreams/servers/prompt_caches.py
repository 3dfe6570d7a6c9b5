"""Tells servers which beginning of a prompt they have read before, where they take that.

Sources: OpenAI, "Prompt caching"; Azure, "Prompt caching"; Mistral, "Prompt caching"; Anthropic,
"Prompt caching"; LiteLLM and OpenRouter, "Prompt caching".
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from rich_agent.domain.model_role import ModelRole

CACHE_KEY: Final = "prompt_cache_key"
BREAKPOINTS: Final = "cache_control"
_TAKE_KEYS = ("api.openai.com", "openai.azure.com", "api.mistral.ai")
"""Domains whose documentation has the key; many other servers refuse unknown parameters."""
_OPENROUTER, _ANTHROPIC = "openrouter.ai", "anthropic/"
Json = Mapping[str, Any]


def takes_key(role: ModelRole) -> bool:
    """Whether the role's server is known to take `prompt_cache_key`."""
    return any(_is_below(role, domain) for domain in _TAKE_KEYS)


def takes_breakpoints(role: ModelRole) -> bool:
    """Whether the role's server is known to take breakpoints for this model."""
    return _is_below(role, _OPENROUTER) and role.model.startswith(_ANTHROPIC)


def with_breakpoints(messages: Sequence[Json]) -> list[Json]:
    """The messages with a breakpoint after the instructions, and one after the conversation.

    The conversation ends before the last message of the user.
    """
    last_user = max(
        (index for index, message in enumerate(messages) if message["role"] == "user"), default=0
    )
    instructions = {0} if messages[0]["role"] in {"system", "developer"} else set()
    ends = instructions | {last_user - 1}
    return [
        _with_breakpoint(message) if index in ends else message
        for index, message in enumerate(messages)
    ]


def have_breakpoints(messages: object) -> bool:
    """Whether a part of the messages is marked with a breakpoint."""
    contents = [
        message.get("content")
        for message in (messages if isinstance(messages, list) else ())
        if isinstance(message, Mapping)
    ]
    parts = [part for content in contents if isinstance(content, list) for part in content]
    return any(isinstance(part, Mapping) and BREAKPOINTS in part for part in parts)


def _with_breakpoint(message: Json) -> Json:
    """The message as one part with a breakpoint; unchanged if it is no mere text."""
    text = message.get("content")
    if not isinstance(text, str) or not text:
        return message
    return {
        **message,
        "content": [{"type": "text", "text": text, BREAKPOINTS: {"type": "ephemeral"}}],
    }


def _is_below(role: ModelRole, domain: str) -> bool:
    host = urlsplit(role.base_url).hostname or ""
    return host == domain or host.endswith(f".{domain}")
