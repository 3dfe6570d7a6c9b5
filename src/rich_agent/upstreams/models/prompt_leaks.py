"""Ends an answer that begins to repeat the model's instructions."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from itertools import count

import structlog

from rich_agent.domain.answer.disclosure import Instructions
from rich_agent.domain.languages import choose_locale
from rich_agent.domain.routing.plan import Routing
from rich_agent.domain.tools import ToolCall
from rich_agent.phrases import say
from rich_agent.ports.models import ChatModel, GrowingCall, ModelPiece, Planner, Prompt
from rich_agent.prompts import instructions_in

_CONTEXT_CHARS = 400
log = structlog.get_logger()


class LeakProofChatModel:
    """Wraps a `ChatModel`; ends its answer where it begins to repeat the instructions.

    Only literal repetition is recognised, not a translation or an encoding.
    """

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    async def stream(self, prompt: Prompt) -> AsyncIterator[ModelPiece]:
        instructions = Instructions(instructions_in(prompt.system))
        calls: dict[int, _SafeCall] = {}
        places = count()
        said = waiting = ""
        async for piece in self._model.stream(prompt):
            if isinstance(piece, ToolCall):
                call, known = _kept_in(piece, instructions), calls.get(next(places))
                if known and call is piece:
                    yield known.whole
                yield call
                continue
            if isinstance(piece, GrowingCall):
                if waiting:
                    yield waiting
                    said, waiting = said + waiting, ""
                yield calls.setdefault(piece.place, _SafeCall(instructions, piece)).grow(piece)
                continue
            waiting += piece
            text = said + waiting
            if instructions.are_repeated_in(text):
                log.warning("instructions_withheld")
                refusal = say(choose_locale(prompt.user, None), "instructions-withheld")
                gap = " " if said and not said[-1].isspace() else ""
                yield f"{gap}…\n\n{refusal}" if said else refusal
                return
            shown = max(len(said), instructions.safe_length(text))
            if shown > len(said):
                yield text[len(said) : shown]
            kept = max(0, shown - _CONTEXT_CHARS)
            said, waiting = text[kept:shown], text[shown:]
        if waiting:
            yield waiting


@dataclass(slots=True)
class _SafeCall:
    """What of a growing call can be shown: nothing more, once it repeats the instructions."""

    instructions: Instructions
    whole: GrowingCall
    _shown: int = 0
    _is_closed: bool = False

    def grow(self, call: GrowingCall) -> GrowingCall:
        """What of the call can be shown."""
        self.whole = call
        kept = max(0, self._shown - _CONTEXT_CHARS)
        recent = call.arguments[kept:]
        self._is_closed = self._is_closed or self.instructions.are_repeated_in(recent)
        if not self._is_closed:
            self._shown = max(self._shown, kept + self.instructions.safe_length(recent))
        return replace(call, arguments=call.arguments[: self._shown])


def _kept_in(call: ToolCall, instructions: Instructions) -> ToolCall:
    """The call, without its arguments where these repeat the instructions."""
    if instructions.are_repeated_in(json.dumps(call.arguments, ensure_ascii=False)):
        log.warning("instructions_withheld", tool=call.name)
        return replace(call, arguments={}, problem="they repeat the instructions")
    return call


class LeakProofPlanner:
    """Wraps a `Planner`; leaves out texts of a plan that repeat the prompt.

    Users read the reason and the question, and the web search gets the queries.
    """

    def __init__(self, planner: Planner) -> None:
        self._planner = planner

    async def plan(self, prompt: Prompt) -> Routing:
        routing = await self._planner.plan(prompt)
        instructions = Instructions(instructions_in(prompt.system))

        def kept(text: str) -> str:
            return "" if instructions.are_repeated_in(text) else text

        asked = routing.clarification
        return replace(
            routing,
            reason=kept(routing.reason),
            query=kept(routing.query),
            queries=tuple(filter(None, map(kept, routing.queries))),
            clarification=asked
            if asked and kept(" ".join([asked.question, *asked.choices]))
            else None,
        )
