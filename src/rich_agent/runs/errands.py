"""Writes what a chat program needs for itself, such as a title: no turn, and nothing is kept.

It costs one call of the planner's model, without memory, tools or documents.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rich_agent.domain.budget import fit_text
from rich_agent.domain.runs import Run
from rich_agent.domain.usage.usage import Payer
from rich_agent.graph.services import Services
from rich_agent.prompts import render_prompt
from rich_agent.runtime.metering import Billing, billed_to

_NODE = "errand"


@dataclass(frozen=True, slots=True)
class ErrandWriter:
    """Writes errands; they count against the daily limits of their user."""

    services: Services
    billing: Billing

    async def write(self, run: Run) -> tuple[str, tuple[Mapping[str, Any], ...]]:
        """The text, and what it used, by kind and model.

        Raises: UpstreamError, DailyLimitError, LaneLostError, DatabaseUnavailableError.
        """
        services = self.services
        budget = services.limits.within(await services.window()).max_context_tokens
        wish = fit_text(run.asked.text, budget, services.count_tokens)
        payer = Payer(run.user_id, run.request_id)
        async with self.billing.of_turn(payer, wish) as meter:
            with billed_to(meter, _NODE):
                text = await services.summarizer.summarize(
                    render_prompt("client_errand", wish=wish)
                )
            return text, tuple(meter.used_in(_NODE))
