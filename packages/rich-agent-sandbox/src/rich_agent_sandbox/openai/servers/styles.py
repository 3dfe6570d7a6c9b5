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
    """The thoughts of a model before its answer."""
    question_beginning = clip(" ".join(prompt.question.split()), _QUOTED)
    return (
        f"{THOUGHT} The user wrote: “{question_beginning}”. I should answer that and nothing else."
    )


def styled(completion: Completion, prompt: Prompt, personality: Personality) -> Completion:
    """The completion with the model's thoughts, and with JSON in the model's style."""
    if personality.sloppy and not completion.calls and completion.text.startswith("{"):
        completion = replace(
            completion, text=sloppily(completion.text, zlib.crc32(repr(prompt).encode()))
        )
    thinking = personality.thinking
    return replace(completion, thought=thought_about(prompt)) if thinking else completion


def whole_content(completion: Completion, thinking: Thinking | None) -> str | list[Json]:
    """The content of a message that is not streamed."""
    thinking_form = thinking.shown if thinking and completion.thought else ""
    if thinking_form == "parts":
        text = [{"type": "text", "text": completion.text}] if completion.text else []
        return [_thinking_part(completion.thought), *text]
    if thinking_form in ("tags", "closing_tag"):
        opening = f"{OPENING}\n" if thinking_form == "tags" else ""
        return f"{opening}{completion.thought}\n{CLOSING}\n\n{completion.text}"
    return completion.text


def content_pieces(completion: Completion, thinking: Thinking | None) -> list[str | list[Json]]:
    """The content as pieces of a stream; tags are split across pieces."""
    thinking_form = thinking.shown if thinking and completion.thought else ""
    thoughts = pieces_of(completion.thought)
    if thinking_form == "parts":
        parts: list[list[Json]] = [[_thinking_part(piece)] for piece in thoughts]
        return [*parts, *completion.pieces()]
    if thinking_form not in ("tags", "closing_tag"):
        return [*completion.pieces()]
    opening = ["<th", "ink", ">", "\n"] if thinking_form == "tags" else []
    return [*opening, *thoughts, "\n</", "thi", "nk>\n\n", *completion.pieces()]


def _thinking_part(text: str) -> Json:
    """Source: https://docs.mistral.ai/capabilities/reasoning/."""
    return {"type": "thinking", "thinking": [{"type": "text", "text": text}]}


def sloppily(text: str, seed: int) -> str:
    """A JSON object as small models write it; equal texts and seeds give equal results."""
    return _WAYS[seed % len(_WAYS)](text)


def _fenced(text: str) -> str:
    return f"```json\n{json.dumps(json.loads(text), ensure_ascii=False, indent=2)}\n```"


def _with_prose(text: str) -> str:
    return f"Sure! Here is the JSON object:\n\n{text}\n\nLet me know if you need anything else."


def _with_last_comma(text: str) -> str:
    return _LAST_BRACE.sub(",}", text)


def _in_single_quotes(text: str) -> str:
    def quoted(match: re.Match[str]) -> str:
        value = json.loads(match[0])
        return (
            "'"
            + json.dumps(value, ensure_ascii=False)[1:-1].replace('\\"', '"').replace("'", "\\'")
            + "'"
        )

    return _STRING.sub(quoted, text)


def _with_nulls_and_more(text: str) -> str:
    fields: Json = json.loads(text)
    fields = {name: None if value in ([], "", {}) else value for name, value in fields.items()}
    return json.dumps({**fields, "confidence": 0.9, "notes": ["as asked"]}, ensure_ascii=False)


def _in_capitals(text: str) -> str:
    """The object with single words, which are mostly enum values, in capitals."""

    def raised(value: object) -> object:
        is_word = isinstance(value, str) and re.fullmatch(r"[a-z]{2,12}(?:[_+][a-z]{2,12})*", value)
        return str(value).upper() if is_word else value

    fields: Json = json.loads(text)
    return json.dumps({name: raised(value) for name, value in fields.items()}, ensure_ascii=False)


_WAYS: tuple[Callable[[str], str], ...] = (
    _fenced,
    _with_prose,
    _with_last_comma,
    _in_single_quotes,
    _with_nulls_and_more,
    _in_capitals,
)
