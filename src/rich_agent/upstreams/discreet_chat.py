"""A chat model that keeps its instructions to itself, whatever a text orders it to say."""

from collections.abc import AsyncIterator

import structlog

from rich_agent.domain.disclosure import Instructions
from rich_agent.domain.text import choose_locale
from rich_agent.phrases import say
from rich_agent.ports import ChatModel, Prompt
from rich_agent.prompts import instructions_in

_CONTEXT_CHARS = 400
log = structlog.get_logger()


class DiscreetChatModel:
    """Implements `ports.ChatModel` with another one, whose answer ends where it begins to repeat.

    Only what is repeated word for word is held back: not a translation, and nothing encoded.
    """

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    async def stream(self, prompt: Prompt) -> AsyncIterator[str]:
        """See `ports.ChatModel.stream`."""
        instructions = Instructions(instructions_in(prompt.system))
        said = waiting = ""
        async for piece in self._model.stream(prompt):
            waiting += piece
            text = said + waiting
            if instructions.are_repeated_in(text):
                log.warning("instructions_withheld")
                refusal = say(choose_locale(prompt.user, None), "instructions-withheld")
                yield f" …\n\n{refusal}" if said else refusal
                return
            shown = max(len(said), instructions.safe_length(text))
            if shown > len(said):
                yield text[len(said) : shown]
            kept = max(0, shown - _CONTEXT_CHARS)
            said, waiting = text[kept:shown], text[shown:]
        if waiting:
            yield waiting
