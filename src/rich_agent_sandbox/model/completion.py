"""One chat completion: decides between text, JSON and a tool call, and spoils it on demand."""

import json
import math
import re
from dataclasses import dataclass, replace
from typing import Literal

from rich_agent_sandbox.model.answering.answer import answer, cited_beyond
from rich_agent_sandbox.model.answering.checking import (
    INVENTED_NAME,
    NOTHING_FOUND,
    invented_claim,
    without_markers,
)
from rich_agent_sandbox.model.language.text import count_tokens, first_tokens
from rich_agent_sandbox.model.prompt import Prompt
from rich_agent_sandbox.model.request import ChatRequest, FunctionSpec, NamedToolChoice
from rich_agent_sandbox.model.structured import fill_for_prompt, is_known, json_for_prompt

FinishReason = Literal["stop", "length", "tool_calls", "content_filter"]
_AT_LENGTH = 12_000  # characters
_PIECE = re.compile(r"\s*(?:\S{1,12}\s*){1,3}|\s+")


@dataclass(frozen=True, slots=True)
class Completion:
    """What the model says: `text`, or the JSON arguments of the call of function `tool`.

    `thought` is what it thought before, `refusal` what it says instead of an answer.
    """

    text: str
    finish_reason: FinishReason = "stop"
    tool: str | None = None
    thought: str = ""
    refusal: str = ""

    def pieces(self) -> list[str]:
        """The text cut into a few words each; joined they are the text."""
        return _PIECE.findall(self.text)

    def within(self, token_limit: int | None) -> "Completion":
        """The completion as far as a token limit lets it go; thoughts count too."""
        left = None if token_limit is None else max(0, token_limit - count_tokens(self.thought))
        if left is None or count_tokens(self.text) <= left:
            return self
        return replace(self, text=first_tokens(self.text, left), finish_reason="length")

    def spoiled(self, kind: str | None, prompt: Prompt, wording: str = "") -> "Completion":
        """The completion with a fault of its own, or one of its text alone.

        `wording` is the text of kind `worded`.
        """
        if kind == "malformed":
            text = self.text if self._is_json else json.dumps({"answer": self.text})
            return replace(self, text=text[: max(1, len(text) // 2)])
        if kind == "empty":
            return Completion("")
        if kind == "length":
            half = self.text[: max(1, len(self.text) // 2)]
            return replace(self, text=half, finish_reason="length")
        if kind == "content_filter":
            few = "".join(self.pieces()[:2])
            return Completion(few, finish_reason="content_filter")
        if kind == "refusal":
            return Completion("", refusal="I'm sorry, but I can't help with that.")
        said = {"worded": wording, "unfound": NOTHING_FOUND}.get(kind or "")
        worsened = said or _worsened(self.text, kind, prompt)
        return self if self._is_json else replace(self, text=worsened)

    @property
    def _is_json(self) -> bool:
        return self.tool is not None or self.text.startswith("{")


def _worsened(text: str, kind: str | None, prompt: Prompt) -> str:
    """An answer that cites what it was not given, or nothing, or makes up a number, or rambles."""
    match kind:
        case "invented":
            return f"{text}\n\n- The documents confirm this. [{cited_beyond(prompt)}]"
        case "uncited":
            return without_markers(text)
        case "fabricated":
            return f"{text}\n\n{invented_claim(prompt.passages)}"
        case "misnamed":
            return f"{text}\n\n{INVENTED_NAME}"
        case "lengthy":
            again = f"\n\n### Once more\n\n{text}"
            return text + again * math.ceil((_AT_LENGTH - len(text)) / len(again))
        case _:
            return text


def complete(request: ChatRequest, prompt: Prompt) -> Completion:
    """Answer a request whose messages were read as `prompt`; an answer begun is gone on with.

    Raises: ImageUnreadableError.
    """
    if function := _function_to_call(request, prompt):
        arguments = json.dumps(fill_for_prompt(function.parameters, prompt), ensure_ascii=False)
        # OpenAI reports a call that was forced by its name as a plain stop.
        named = isinstance(request.tool_choice, NamedToolChoice)
        return Completion(arguments, "stop" if named else "tool_calls", function.name)
    return Completion(_content(request, prompt))


def _content(request: ChatRequest, prompt: Prompt) -> str:
    wanted = request.response_format
    schema = wanted.json_schema.schema_ if wanted and wanted.json_schema else prompt.schema
    if schema:
        return json.dumps(fill_for_prompt(schema, prompt), ensure_ascii=False)
    if wanted and wanted.type == "json_object":
        return json.dumps(json_for_prompt(prompt), ensure_ascii=False)
    return answer(prompt).removeprefix(prompt.begun)


def _function_to_call(request: ChatRequest, prompt: Prompt) -> FunctionSpec | None:
    functions = [tool.function for tool in request.tools or ()]
    choice = request.tool_choice or "auto"
    choice = "required" if choice == "any" else choice
    if isinstance(choice, NamedToolChoice):
        return next(spec for spec in functions if spec.name == choice.function.name)
    if choice == "none" or not functions:
        return None
    known = [spec for spec in functions if is_known(spec.parameters, prompt)]
    if choice == "required":
        return (known or functions)[0]
    # A tool that answered already is not asked again.
    return known[0] if known and not prompt.tool_results else None
