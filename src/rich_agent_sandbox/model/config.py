"""How the stand-in model behaves, read from the environment once."""

import os
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class SandboxModelConfig:
    """`stream_delay_s` is waited before each piece of a stream, so that growing text is seen."""

    stream_delay_s: float = 0.015

    @classmethod
    def from_environment(cls) -> Self:
        """The defaults, with SANDBOX_STREAM_DELAY_S (seconds) where it is set."""
        given = os.environ.get("SANDBOX_STREAM_DELAY_S")
        return cls(float(given)) if given else cls()
