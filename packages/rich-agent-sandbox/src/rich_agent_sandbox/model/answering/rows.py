"""Tells rows that a query gave, which stand in a passage as JSON."""

import json
from contextlib import suppress

from rich_agent_sandbox.model.prompt import Passage, Prompt


def from_rows(prompt: Prompt) -> str:
    """Each value with its name, a line for each row, and the number of the passage."""
    return "\n\n".join(filter(None, map(_told, prompt.passages)))


def _told(passage: Passage) -> str:
    with suppress(ValueError, TypeError, KeyError):
        found = json.loads(passage.text)
        lines = [
            ", ".join(f"{name}: {value}" for name, value in zip(found["columns"], row, strict=True))
            for row in found["rows"]
        ]
        marked = [f"{line} [{passage.number}]" for line in lines]
        return marked[0] if len(marked) == 1 else "\n".join(f"- {line}" for line in marked)
    return ""
