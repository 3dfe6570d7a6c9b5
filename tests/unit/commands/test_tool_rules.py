"""The words in which a decision on a call is explained."""

from typing import get_args

from rich_agent.commands.tool_rules import REASONS
from rich_agent.domain.rules import Why


def test_every_reason_has_words() -> None:
    """A decision that cannot be explained would end the command."""
    assert REASONS.keys() == set(get_args(Why))
