"""Settings of the stand-in model, read from the environment once."""

import os
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class SandboxModelConfig:
    """The pauses of the stand-in model.

    `stream_delay_s` is the pause before each piece of a stream, so that text visibly grows.
    `time_scale` is the share of a real server's silence that a personality waits: 1 for all of it.
    """

    stream_delay_s: float = 0.015
    time_scale: float = 0.01

    @classmethod
    def from_environment(cls) -> Self:
        """The defaults, with SANDBOX_STREAM_DELAY_S (seconds) and SANDBOX_TIME_SCALE where set."""
        settings = {
            name: float(text)
            for name, variable in _VARIABLES.items()
            if (text := os.environ.get(variable))
        }
        return cls(**settings)


_VARIABLES = {"stream_delay_s": "SANDBOX_STREAM_DELAY_S", "time_scale": "SANDBOX_TIME_SCALE"}
