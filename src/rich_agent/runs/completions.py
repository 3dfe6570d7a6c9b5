"""Writes what a program needs besides a turn: a title, or an answer in the form that it reads.

It costs one call of the planner's model, without memory, tools or documents.
"""

import json
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from typing import Any

from rich_agent.domain.budget import fit_text
from rich_agent.domain.runs import Run
from rich_agent.domain.usage.usage import Payer
from rich_agent.graph.services import Services
from rich_agent.ports.models import Prompt, Shaper
from rich_agent.prompts import render_prompt
from rich_agent.runtime.metering import Billing, billed_to

_NODE = "errand"
Written = tuple[str, tuple[Mapping[str, Any], ...]]
"""A text, and what it used, by kind and model."""


@dataclass(frozen=True, slots=True)
class Completions:
    """Writes errands; they count against the daily limits of their user."""

    services: Services
    billing: Billing
    shaper: Shaper

    async def write(self, run: Run) -> Written:
        """The text.

        Raises: UpstreamError, DailyLimitError, LaneLostError, DatabaseUnavailableError.
        """
        wish = await self._fitting(run.asked.text)
        prompt = render_prompt("client_errand", wish=wish)
        if run.asked.shape:
            return await self._billed(run, wish, self._shaped(prompt, run.asked.shape))
        return await self._billed(run, wish, self.services.summarizer.summarize(prompt))

    async def shape(self, run: Run, answer: str) -> Written:
        """The answer as JSON of the schema that the program sent.

        Raises: MalformedOutputError if the model cannot, and as `write`.
        """
        answer = await self._fitting(answer)
        prompt = render_prompt("client_shape", question=run.asked.text, answer=answer)
        return await self._billed(run, answer, self._shaped(prompt, run.asked.shape))

    async def _shaped(self, prompt: Prompt, wanted: Mapping[str, Any]) -> str:
        found = await self.shaper.shape(prompt, wanted)
        return json.dumps(found, ensure_ascii=False)

    async def _fitting(self, text: str) -> str:
        services = self.services
        budget = services.limits.within(await services.window()).max_context_tokens
        return fit_text(text, budget, services.count_tokens)

    async def _billed(self, run: Run, text: str, writing: Awaitable[str]) -> Written:
        payer = Payer(run.user_id, run.request_id)
        async with self.billing.of_turn(payer, text) as meter:
            with billed_to(meter, _NODE):
                written = await writing
            return written, tuple(meter.used_in(_NODE))
