"""Asks the operator's questions, marks the answers, and reports changes."""

from pathlib import Path
from typing import TYPE_CHECKING

from rich_agent.feature import Feature

if TYPE_CHECKING:
    from typer import Typer

    from rich_agent.feature import Shell


def add_commands(program: "Typer", shell: "Shell") -> None:
    """Add `rich-agent eval`."""
    from rich_agent.features.evaluation.commands import make_group

    program.add_typer(make_group(shell), name="eval")


feature = Feature(name="evaluation", cli=add_commands, prompts=Path(__file__).parent / "prompts")
