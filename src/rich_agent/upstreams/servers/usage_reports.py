"""Reads the usage that servers report, and writes it as OpenAI does.

Sources: OpenAI, "Prompt caching"; DeepSeek, "Context caching"; Moonshot, "Chat"; LiteLLM, "Prompt
caching"; OpenRouter, "Usage accounting"; llama.cpp, tools/server/README.md (`timings`).
"""

from collections.abc import Mapping
from typing import Any

Json = Mapping[str, Any]
_CACHED = ("cache_read_input_tokens", "prompt_cache_hit_tokens", "cached_tokens")
"""Names in `usage`: LiteLLM and Anthropic, DeepSeek, Moonshot."""
_WRITES, _WRITTEN = "cache_write_tokens", "cache_creation_input_tokens"
"""Names of tokens written to a cache: in OpenAI's details, and by Anthropic and LiteLLM."""


def usage_in(reply: Json) -> dict[str, Any] | None:
    """The usage in an answer or a chunk, with cached tokens in `prompt_tokens_details`.

    None if the reply reports no usage. Tokens read from a cache and written to it are never more
    than the tokens of the prompt.
    """
    timings = _part(reply, "timings")
    usage = dict(_part(reply, "usage")) or _usage_of(timings)
    if not usage:
        return None
    details = _part(usage, "prompt_tokens_details")
    cached_tokens = max(
        _count(details, "cached_tokens"),
        *(_count(usage, name) for name in _CACHED),
        _count(timings, "cache_n"),
    )
    write_tokens = max(_count(details, _WRITES), _count(usage, _WRITTEN))
    prompt_tokens = _count(usage, "prompt_tokens")
    if prompt_tokens < cached_tokens + write_tokens:
        # Like Anthropic, which counts these tokens separately.
        prompt_tokens += cached_tokens + write_tokens
        usage |= {"prompt_tokens": prompt_tokens, "total_tokens": prompt_tokens}
        usage["total_tokens"] += _count(usage, "completion_tokens")
    counts = {"cached_tokens": cached_tokens, _WRITES: write_tokens}
    reported_counts = {name: tokens for name, tokens in counts.items() if tokens}
    return {**usage, "prompt_tokens_details": {**details, **reported_counts}}


def reports_writes(reply: Json) -> bool:
    """Whether a reply counts what was written to a cache, as proxies of Anthropic's models do."""
    return isinstance(_part(reply, "usage").get(_WRITTEN), int)


def writing_s(reply: Json) -> float | None:
    """The seconds that the server says it wrote, None if it does not say."""
    milliseconds = _part(reply, "timings").get("predicted_ms")
    return milliseconds / 1000 if isinstance(milliseconds, int | float) else None


def _usage_of(timings: Json) -> dict[str, Any]:
    """The usage that llama.cpp's timings tell; `prompt_n` has no cached tokens."""
    prompt_tokens = _count(timings, "prompt_n") + _count(timings, "cache_n")
    output_tokens = _count(timings, "predicted_n")
    if not prompt_tokens:
        return {}
    return {
        "prompt_tokens": prompt_tokens,
        "completion_tokens": output_tokens,
        "total_tokens": prompt_tokens + output_tokens,
    }


def _part(reply: Json, name: str) -> Json:
    part = reply.get(name)
    return part if isinstance(part, Mapping) else {}


def _count(part: Json, name: str) -> int:
    """A number of tokens; 0 for anything else."""
    value = part.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
