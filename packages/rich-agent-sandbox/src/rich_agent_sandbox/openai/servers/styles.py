"""Output styles of a model: thoughts before the text, or sloppy JSON."""

import json
import re
import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rich_agent_sandbox.model.completion import Completion, pieces_of
from rich_agent_sandbox.model.language.text import clip
from rich_agent_sandbox.model.prompt import Prompt
from rich_agent_sandbox.openai.servers.personality import Personality, Thinking

OPENING, CLOSING = "<think>", "</think>"
THOUGHT = "Okay, let me think about this step by step."
_QUOTED = 80  # characters of the question in a thought
_STRING = re.compile(r'"((?:[^"\\]|\\.)*+)"')
_LAST_BRACE = re.compile(r"\}(?=[^}]*$)")

Json = dict[str, Any]


def thought_about(prompt: Prompt) -> str:
    """The thoughts of a model before it answers."""
    asked = clip(" ".join(prompt.question.split()), _QUOTED)
    return f"{THOUGHT} The user wrote: “{asked}”. I should answer that and nothing else."


def styled(said: Completion, prompt: Prompt, personality: Personality) -> Completion:
    """The completion with the model's thoughts, and with JSON in the model's style."""
    if personality.sloppy and not said.calls and said.text.startswith("{"):
        said = replace(said, text=sloppily(said.text, zlib.crc32(repr(prompt).encode())))
    thinking = personality.thinking
    return replace(said, thought=thought_about(prompt)) if thinking else said


def whole_content(said: Completion, thinking: Thinking | None) -> str | list[Json]:
    """The content of a message that is not streamed."""
    shown = thinking.shown if thinking and said.thought else ""
    if shown == "parts":
        text = [{"type": "text", "text": said.text}] if said.text else []
        return [_thinking_part(said.thought), *text]
    if shown in ("tags", "closing_tag"):
        opening = f"{OPENING}\n" if shown == "tags" else ""
        return f"{opening}{said.thought}\n{CLOSING}\n\n{said.text}"
    return said.text


def content_pieces(said: Completion, thinking: Thinking | None) -> list[str | list[Json]]:
    """The same as pieces of a stream; tags are split across pieces."""
    shown = thinking.shown if thinking and said.thought else ""
    thoughts = pieces_of(said.thought)
    if shown == "parts":
        parts: list[list[Json]] = [[_thinking_part(piece)] for piece in thoughts]
        return [*parts, *said.pieces()]
    if shown not in ("tags", "closing_tag"):
        return [*said.pieces()]
    opening = ["<th", "ink", ">", "\n"] if shown == "tags" else []
    return [*opening, *thoughts, "\n</", "thi", "nk>\n\n", *said.pieces()]


def _thinking_part(text: str) -> Json:
    """Source: https://docs.mistral.ai/capabilities/reasoning/."""
    return {"type": "thinking", "thinking": [{"type": "text", "text": text}]}


def sloppily(text: str, seed: int) -> str:
    """A JSON object as small models write it; the same text and seed give the same result."""
    return _WAYS[seed % len(_WAYS)](text)


def _fenced(text: str) -> str:
    return f"```json\n{json.dumps(json.loads(text), ensure_ascii=False, indent=2)}\n```"


def _with_prose(text: str) -> str:
    return f"Sure! Here is the JSON object:\n\n{text}\n\nLet me know if you need anything else."


def _with_last_comma(text: str) -> str:
    return _LAST_BRACE.sub(",}", text)


def _in_single_quotes(text: str) -> str:
    def quoted(found: re.Match[str]) -> str:
        inner = json.loads(found[0])
        return (
            "'"
            + json.dumps(inner, ensure_ascii=False)[1:-1].replace('\\"', '"').replace("'", "\\'")
            + "'"
        )

    return _STRING.sub(quoted, text)


def _with_nulls_and_more(text: str) -> str:
    told: Json = json.loads(text)
    told = {name: None if value in ([], "", {}) else value for name, value in told.items()}
    return json.dumps({**told, "confidence": 0.9, "notes": ["as asked"]}, ensure_ascii=False)


def _in_capitals(text: str) -> str:
    """Single words, which are mostly enum values, in capitals."""

    def raised(value: object) -> object:
        is_word = isinstance(value, str) and re.fullmatch(r"[a-z]{2,12}(?:[_+][a-z]{2,12})*", value)
        return str(value).upper() if is_word else value

    told: Json = json.loads(text)
    return json.dumps({name: raised(value) for name, value in told.items()}, ensure_ascii=False)


_WAYS: tuple[Callable[[str], str], ...] = (
    _fenced,
    _with_prose,
    _with_last_comma,
    _in_single_quotes,
    _with_nulls_and_more,
    _in_capitals,
)
