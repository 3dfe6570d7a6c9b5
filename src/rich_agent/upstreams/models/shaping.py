"""Puts an answer into the form that a program asks for, by structured output."""

from collections.abc import Mapping
from typing import Any

from rich_agent.ports.models import Prompt
from rich_agent.upstreams.models.chat import to_messages
from rich_agent.upstreams.servers.reasoning import ShapedOutput
from rich_agent.upstreams.servers.structured import StructuredModel


class OpenAIShaper(StructuredModel):
    """Implements `Shaper`."""

    async def shape(self, prompt: Prompt, wanted: Mapping[str, Any]) -> Mapping[str, Any]:
        """See `Shaper.shape`."""
        own = {"wanted": wanted, "__doc__": ShapedOutput.__doc__}
        form: type[ShapedOutput] = type("Answer", (ShapedOutput,), own)
        found = await self.ask(to_messages(prompt), form)
        return found.model_extra or {}
