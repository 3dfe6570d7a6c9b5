"""Capabilities of a model on its server, beyond what all models can do."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Step = Literal["json_schema", "tool_call", "json_mode", "words"]
"""How structured output is asked for, the surest way first."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """Capabilities that a model has shown on its server.

    `step` is the way in which it gives structured output, None before it gave any; `refused` are
    the parameters of a request that its server does not take. `demanded` are parameters that it
    wants in requests that are not streamed; `stream` among them means that it wants a stream.
    `most_tokens` is the highest limit of an output that it takes, None for any.
    `marks_ends`: whether its streams end with a mark, None before one came to an end.
    `answers_whole`: whether its server sends one JSON object where a stream is asked for.
    `thinks`: whether it has written thoughts, which count as output.
    """

    step: Step | None = None
    refused: frozenset[str] = frozenset()
    demanded: Mapping[str, bool] = field(default_factory=dict)
    most_tokens: int | None = None
    marks_ends: bool | None = None
    answers_whole: bool = False
    thinks: bool = False
