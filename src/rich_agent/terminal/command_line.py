"""Common parts of the command lines of both programs."""

import gc
import sys
from importlib.metadata import version
from typing import Annotated, Any

import typer
from typer.core import TyperCommand
from typing_extensions import override

from rich_agent.errors import RichAgentError
from rich_agent.terminal.console import err, out


def _show_version(wanted: bool) -> None:  # noqa: FBT001 - as typer calls it
    if wanted:
        out(f"rich-agent {version('rich-agent')}")
        raise typer.Exit


VersionOption = Annotated[
    bool,
    typer.Option(
        "--version", help="Show the version and exit.", is_eager=True, callback=_show_version
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


class _PlainCommand(TyperCommand):
    """A command whose usage line writes `QUESTION` where typer writes `{QUESTION}`."""

    @override
    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The names of options and arguments."""
        pieces = super().collect_usage_pieces(ctx)
        return [piece.replace("{", "").replace("}", "") for piece in pieces]


def with_plain_usage(app: typer.Typer) -> None:
    """Have all commands of a program write their arguments plainly."""
    for command in app.registered_commands:
        command.cls = _PlainCommand
    for group in app.registered_groups:
        if group.typer_instance is not None:
            with_plain_usage(group.typer_instance)


def run_program(app: typer.Typer) -> None:
    """Run a command line and end the process: exit 0 done, 1 failed, 2 wrong usage."""
    try:
        app()
    except RichAgentError as error:
        err(f"{app.info.name}: {error.explain()}")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        # Spares the end a last search for garbage, which takes as long as a command.
        gc.freeze()
