"""A chat completion: text, JSON or tool calls, which a fault may change."""

import contextlib
import json
import math
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from rich_agent_sandbox.model.answering.answer import answer, cited_beyond
from rich_agent_sandbox.model.answering.checking import (
    INVENTED_NAME,
    NOTHING_FOUND,
    invented_claim,
    without_markers,
)
from rich_agent_sandbox.model.language.text import count_tokens, first_tokens
from rich_agent_sandbox.model.last_answer import resolved
from rich_agent_sandbox.model.prompt import Prompt
from rich_agent_sandbox.model.request import ChatRequest, FunctionSpec, NamedToolChoice
from rich_agent_sandbox.model.session import is_led, next_step
from rich_agent_sandbox.model.structured import fill_for_prompt, is_known
from rich_agent_sandbox.model.turns import Intended, next_call

FinishReason = Literal["stop", "length", "tool_calls", "content_filter"]
_AT_LENGTH = 12_000  # characters
_ONCE_MORE = "\n\n### Once more: number {}\n\n"
_BABBLE = 120_000  # characters
_LOOP = "\nI have to check this once more before I answer."
_PIECE = re.compile(r"\s*(?:\S{1,12}\s*){1,3}|\s+")


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A function that the model decides to call; `arguments` is JSON or malformed JSON.

    `id` is "" if the server assigns one, None for a call without an id. `as_object`: the arguments
    are sent as an object instead of a string.
    """

    name: str
    arguments: str
    id: str | None = ""
    as_object: bool = False

    def as_sent(self) -> "str | dict[str, Any]":
        """The arguments as sent; text that is not JSON is sent as a string."""
        with contextlib.suppress(ValueError):
            return dict(json.loads(self.arguments)) if self.as_object else self.arguments
        return self.arguments


@dataclass(frozen=True, slots=True)
class Completion:
    """The model's output: `text`, function calls, or both.

    `thought` is the thinking before it, `refusal` is a text instead of an answer.
    """

    text: str
    finish_reason: FinishReason = "stop"
    calls: tuple[FunctionCall, ...] = ()
    thought: str = ""
    refusal: str = ""

    def pieces(self) -> list[str]:
        """The text in pieces of a few words each, which can be joined again."""
        return pieces_of(self.text)

    @property
    def length(self) -> int:
        """The number of pieces in a stream."""
        return len(self.pieces()) + sum(len(pieces_of(call.arguments)) for call in self.calls)

    @property
    def tokens(self) -> int:
        """The estimated tokens of the text and of the arguments of all calls."""
        return sum(map(count_tokens, [self.text, *(call.arguments for call in self.calls)]))

    def within(self, token_limit: int | None) -> "Completion":
        """The completion truncated at a token limit; thoughts count as well."""
        tokens_left = (
            None if token_limit is None else max(0, token_limit - count_tokens(self.thought))
        )
        if tokens_left is None or self.tokens <= tokens_left:
            return self
        text, calls = first_tokens(self.text, tokens_left), []
        tokens_left -= count_tokens(text)
        for call in self.calls:
            calls.append(replace(call, arguments=first_tokens(call.arguments, tokens_left)))
            tokens_left -= count_tokens(calls[-1].arguments)
        return replace(self, text=text, calls=tuple(calls), finish_reason="length")

    def spoiled(self, kind: str | None, prompt: Prompt) -> "Completion":
        """The completion with a fault."""
        if kind == "malformed":
            is_bare = not self.calls and not self._is_json
            whole_completion = (
                replace(self, text=json.dumps({"answer": self.text})) if is_bare else self
            )
            return _halved(whole_completion)
        if kind in ("empty", "babble"):
            return Completion("" if kind == "empty" else babble())
        if kind == "length":
            return replace(_halved(self), finish_reason="length")
        if kind == "content_filter":
            beginning = "".join(self.pieces()[:2])
            return Completion(beginning, finish_reason="content_filter")
        if kind == "refusal":
            return Completion("", refusal="I'm sorry, but I can't help with that.")
        worsened_text = NOTHING_FOUND if kind == "unfound" else _worsened(self.text, kind, prompt)
        return self if self.calls or self._is_json else replace(self, text=worsened_text)

    @property
    def _is_json(self) -> bool:
        return self.text.startswith("{")


def pieces_of(text: str) -> list[str]:
    """A text in pieces of a few words each, which can be joined again."""
    return _PIECE.findall(text)


def scripted(text: str, calls: Sequence[Mapping[str, Any]]) -> Completion:
    """A completion that a test defines; each call has `name`, `arguments` and optionally `id`."""
    return Completion(text, "tool_calls" if calls else "stop", tuple(map(_scripted_call, calls)))


def _scripted_call(call: Mapping[str, Any]) -> FunctionCall:
    call_arguments = call.get("arguments", {})
    arguments = (
        call_arguments
        if isinstance(call_arguments, str)
        else json.dumps(call_arguments, ensure_ascii=False)
    )
    return FunctionCall(call["name"], arguments, call.get("id", ""), call.get("as_object", False))


def babble() -> str:
    """The output of a model with random weights: endless letters and spaces."""
    letters = random.Random(1)  # noqa: S311 - keeps no secret
    return "".join(letters.choices("abcdefghijklmnopqrstuvwxyz   ", k=_BABBLE))


def _halved(completion: Completion) -> Completion:
    """The first half of the text, and of the arguments of each call."""

    def half(text: str) -> str:
        return text[: max(1, len(text) // 2)]

    calls = tuple(replace(call, arguments=half(call.arguments)) for call in completion.calls)
    return replace(completion, text=half(completion.text), calls=calls)


def _worsened(text: str, kind: str | None, prompt: Prompt) -> str:
    """The text with invented, missing or wrong citations or numbers, or much too long."""
    match kind:
        case "invented":
            return f"{text}\n\n- The documents confirm this. [{cited_beyond(prompt)}]"
        case "uncited":
            return without_markers(text)
        case "fabricated":
            return f"{text}\n\n{invented_claim(prompt.passages)}"
        case "misnamed":
            return f"{text}\n\n{INVENTED_NAME}"
        case "lengthy" | "looped":
            heading, repeated_text = ("", _LOOP) if kind == "looped" else (_ONCE_MORE, text)
            repetitions = math.ceil((_AT_LENGTH - len(text)) / len(heading + repeated_text))
            return text + "".join(
                heading.format(index) + repeated_text for index in range(2, repetitions + 2)
            )
        case _:
            return text


def complete(request: ChatRequest, prompt: Prompt) -> Completion:
    """The answer to a request with this `prompt`, or the rest of an unfinished answer.

    Raises: ImageUnreadableError.
    """
    prompt = resolved(prompt)
    if prompt.tools and not request.tools:
        return _in_words(prompt) or Completion(_content(request, prompt))
    offered_functions = [tool.function for tool in request.tools or ()]
    choice = request.tool_choice
    if isinstance(choice, NamedToolChoice):
        named_functions = [spec for spec in offered_functions if spec.name == choice.function.name]
        # OpenAI reports a forced call of a named function as a plain stop.
        return Completion("", "stop", (_forced_call(prompt, named_functions),))
    if is_led(offered_functions) and choice != "none":
        return _step(next_step(prompt, offered_functions))
    call = next_call(prompt, offered_functions) if offered_functions and choice != "none" else None
    if call is not None:
        return Completion("", "tool_calls", (_call(call),))
    if choice in ("required", "any"):
        return Completion("", "tool_calls", (_forced_call(prompt, offered_functions),))
    return Completion(_content(request, prompt))


def _step(step: Sequence[Intended] | str) -> Completion:
    """The text or the calls of a step of a session."""
    if isinstance(step, str):
        return Completion(step)
    return Completion("", "tool_calls", tuple(map(_call, step)))


def _in_words(prompt: Prompt) -> Completion | None:
    """The call of a tool that a prompt describes, as JSON; None without one."""
    call = next_call(prompt, [FunctionSpec.model_validate(tool) for tool in prompt.tools])
    return Completion(json.dumps([asdict(call)], ensure_ascii=False)) if call else None


def _forced_call(prompt: Prompt, offered: Sequence[FunctionSpec]) -> FunctionCall:
    """A call of a tool with a known form, else of the first tool with simple values."""
    known_specs = (spec for spec in offered if is_known(spec.parameters, prompt))
    spec = next(known_specs, offered[0])
    return _call(Intended(spec.name, fill_for_prompt(spec.parameters, prompt)))


def _call(intended: Intended) -> FunctionCall:
    return FunctionCall(intended.name, json.dumps(intended.arguments, ensure_ascii=False))


def _content(request: ChatRequest, prompt: Prompt) -> str:
    response_format = request.response_format
    schema = (
        response_format.json_schema.schema_
        if response_format and response_format.json_schema
        else prompt.schema
    )
    if schema:
        return json.dumps(fill_for_prompt(schema, prompt), ensure_ascii=False)
    if response_format and response_format.type == "json_object":
        return json.dumps({"answer": answer(prompt)}, ensure_ascii=False)
    return answer(prompt).removeprefix(prompt.begun)
