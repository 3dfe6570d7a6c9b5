"""Lets a model fill in a form that the caller defines."""

from typing import TypeVar

from rich_agent.ports.models import Prompt
from rich_agent.upstreams.models.chat import to_messages
from rich_agent.upstreams.servers.output_shapes import ModelOutput, RequestedForm
from rich_agent.upstreams.servers.structured import StructuredModel

Form = TypeVar("Form", bound=ModelOutput)


class OpenAIFormModel(StructuredModel):
    """Implements `FormModel`."""

    async def fill(self, prompt: Prompt, form: type[Form]) -> Form:
        """Return the form, filled in; malformed output is repaired once. Raises: UpstreamError."""
        requested_form = RequestedForm(form, prompt.fields, prompt.most_tokens)
        return await self.ask(to_messages(prompt), requested_form)
