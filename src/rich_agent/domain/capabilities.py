"""What is known about a model on its server, beyond what all models can do."""

from dataclasses import dataclass
from typing import Literal

Step = Literal["json_schema", "tool_call", "json_mode", "words"]
"""How structured output is asked for, the surest way first."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a model has shown that it can do on its server.

    `step` is the way in which it gives structured output, None before it gave any; `refused` are
    the parameters of a request that its server does not take.
    """

    step: Step | None = None
    refused: frozenset[str] = frozenset()
