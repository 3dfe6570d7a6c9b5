"""The tokens that the forms of prompts take in a request."""

import json
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from rich_agent.domain.text import estimate_tokens
from rich_agent.upstreams.models.choosing import CheckedSentences
from rich_agent.upstreams.models.memory_extraction import LearnedAboutUser
from rich_agent.upstreams.models.planning import PlannedCalls, PlannedTurn, ReadReply, WantedSearch
from rich_agent.upstreams.servers.output_shapes import ModelOutput, schema_of

_FORM_BY_PROMPT: Final[Mapping[str, type[ModelOutput]]] = MappingProxyType(
    {
        "N4_build_effective_query": PlannedTurn,
        "N6_check": CheckedSentences,
        "N14_search_further": WantedSearch,
        "N6_plan_calls": PlannedCalls,
        "N10_take_answer": ReadReply,
        "N7_persist": LearnedAboutUser,
        "N7_persist_alone": LearnedAboutUser,
    }
)
_AROUND_TOKENS = 30
"""The tokens of the form's name and description, or of the sentence that asks for it in words."""


@cache
def schema_tokens() -> Mapping[str, int]:
    """The estimated tokens of the schema that goes along with each prompt of a turn, by its name.

    A prompt that asks for some of the fields takes fewer.
    """
    return {
        name: estimate_tokens(json.dumps(schema_of(form))) + _AROUND_TOKENS
        for name, form in _FORM_BY_PROMPT.items()
    }
