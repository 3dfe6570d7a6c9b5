"""Shares of a prompt's parts in its budget: what the user asks comes first, history last."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from rich_agent.domain.budget import PromptBudget
from rich_agent.domain.text import MESSAGE_TOKENS, estimate_tokens
from rich_agent.graph.services import Services
from rich_agent.prompts import render_prompt

# The most wanted first; what is not named here comes last.
_SHARES: Mapping[str, float] = MappingProxyType(
    {
        "question": 0.5,
        "forwarded": 0.4,
        "tables": 0.3,
        "reply_to": 0.2,
        "image_summary": 0.2,
        "image_answers": 0.15,
        "past_turns": 0.25,
        "preferences": 0.1,
        "memory": 0.25,
        "conversation_summary": 0.12,
    }
)
_OTHER_SHARE = 0.15
FORM_TOKENS: Mapping[str, int] = MappingProxyType(
    {"N4_build_effective_query": 1_060, "N6_check": 330, "N7_persist": 1_100}
)
"""Tokens of the schema that goes along with a prompt for structured output."""
_OURS = 1.1
_TAGS_AND_HEADINGS = 250
"""Tokens of what a prompt's template adds around the slots that are filled."""


def fit_slots(
    name: str, slots: Mapping[str, Any], services: Services
) -> tuple[dict[str, Any], PromptBudget]:
    """The slots of a prompt, cut to their shares of the budget, and the room that they leave.

    The whole prompt stays within MAX_CONTEXT_TOKENS: what the template takes by itself counts too.
    """
    limits, count = services.limits, services.count_tokens
    form = FORM_TOKENS.get(name, 0)
    budget = (limits.form_tokens if form else None) or limits.max_context_tokens
    fixed = {
        key: value
        for key, value in slots.items()
        if key == "plan" or not isinstance(value, (str, list, dict))
    }
    bare = render_prompt(
        name, **fixed, **{key: type(slots[key])() for key in slots if key not in fixed}
    )
    written = f"{bare.system}{bare.user}"
    # What we wrote ourselves is English, of which the likely number is known.
    own = min(count(written), round(_OURS * estimate_tokens(written))) + 2 * MESSAGE_TOKENS
    room = PromptBudget(budget, count, budget - own - form - _TAGS_AND_HEADINGS)
    wanted = sorted(
        (key for key in slots if key not in fixed),
        key=lambda key: list(_SHARES).index(key) if key in _SHARES else len(_SHARES),
    )
    fitted = {key: room.fit(slots[key], _SHARES.get(key, _OTHER_SHARE)) for key in wanted}
    return {**fixed, **fitted}, room
