"""Says whether a stream is shown in colours."""

import os
from typing import TextIO


def is_coloured(stream: TextIO) -> bool:
    """Whether a stream is a terminal, and NO_COLOR is missing or empty. Source: no-color.org."""
    return stream.isatty() and not os.environ.get("NO_COLOR")
