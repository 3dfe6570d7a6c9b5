"""How the parts of a prompt share its budget: what the user asks comes first, history last."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from rich_agent.domain.budget import Room
from rich_agent.domain.tokens import MESSAGE_TOKENS
from rich_agent.graph.services import Services
from rich_agent.prompts import render_prompt

# The most wanted first; what is not named here comes last.
_SHARES: Mapping[str, float] = MappingProxyType(
    {
        "question": 0.5,
        "forwarded": 0.4,
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
_TAGS_AND_HEADINGS = 250
"""Tokens of what a prompt's template adds around the slots that are filled."""


def fit_slots(
    name: str, slots: Mapping[str, Any], services: Services
) -> tuple[dict[str, Any], Room]:
    """The slots of a prompt, cut to their shares of the budget, and the room that they leave.

    The whole prompt stays within MAX_CONTEXT_TOKENS: what the template takes by itself counts too.
    """
    budget, count = services.limits.max_context_tokens, services.count_tokens
    fixed = {
        key: value
        for key, value in slots.items()
        if key == "plan" or not isinstance(value, (str, list, dict))
    }
    bare = render_prompt(
        name, **fixed, **{key: type(slots[key])() for key in slots if key not in fixed}
    )
    own = count(bare.system) + count(bare.user) + 2 * MESSAGE_TOKENS + _TAGS_AND_HEADINGS
    room = Room(budget, count, budget - own)
    wanted = sorted(
        (key for key in slots if key not in fixed),
        key=lambda key: list(_SHARES).index(key) if key in _SHARES else len(_SHARES),
    )
    fitted = {key: room.fit(slots[key], _SHARES.get(key, _OTHER_SHARE)) for key in wanted}
    return {**fixed, **fitted}, room
