"""Reports for the operator: use and cost of models, the record of a turn, and a repeated turn."""

from typing import TYPE_CHECKING

from rich_agent.feature import Feature

if TYPE_CHECKING:
    from typer import Typer

    from rich_agent.feature import Shell


def add_commands(program: "Typer", shell: "Shell") -> None:
    """Add `rich-agent usage`, `trace` and `replay`."""
    from rich_agent.features.operator.commands import add_to

    add_to(program, shell)


feature = Feature(name="operator", cli=add_commands)
