"""Asks the operator's questions, marks the answers, and shows how they change."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich_agent.feature import Feature

if TYPE_CHECKING:
    from sqlalchemy import MetaData
    from typer import Typer

    from rich_agent.feature import Core, Parts, Shell

HERE = Path(__file__).parent


def load_tables() -> "MetaData":
    """The declarations of the tables."""
    from rich_agent.features.evaluation.tables import metadata

    return metadata


def add_commands(program: "Typer", shell: "Shell") -> None:
    """Add `rich-agent eval`."""
    from rich_agent.features.evaluation.commands import make_group

    program.add_typer(make_group(shell), name="eval")


@asynccontextmanager
async def open_evaluation(core: "Core") -> "AsyncIterator[Parts]":
    """Make the page among the operator's, where these are."""
    from rich_agent.features.evaluation.opening import make_parts

    yield make_parts(core)


feature = Feature(
    name="evaluation",
    open=open_evaluation,
    locales=HERE / "locales",
    migrations=HERE / "migrations",
    tables=load_tables,
    prompts=HERE / "prompts",
    cli=add_commands,
    after=("operator_pages",),
)
