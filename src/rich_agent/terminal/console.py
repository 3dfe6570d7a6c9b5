"""Output of the commands of both programs: text, facts, tables, and status lines.

A terminal gets columns that fit its width, a pipe gets whole lines. Control characters are never
written.
"""

import gc
import json
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, Any, Protocol, Self

import typer
from typer.core import TyperCommand
from typing_extensions import override

from rich_agent.domain.text import printable
from rich_agent.errors import RichAgentError
from rich_agent.runtime.colours import is_coloured

if TYPE_CHECKING:
    from rich.console import RenderableType

_GAP = 2
_NUMBER = frozenset("0123456789.,~*–-+%$ ")


def out(text: str = "", *, newline: bool = True, colour: str | None = None) -> None:
    """Print a result; a `colour`, one of click's, is only for a terminal."""
    safe_text = printable(text)
    is_styled = colour and is_coloured(sys.stdout)
    typer.echo(typer.style(safe_text, fg=colour) if is_styled else safe_text, nl=newline)


def err(text: str = "", *, newline: bool = True) -> None:
    """Print something besides the result for the person at the terminal: a note or an error."""
    typer.echo(printable(text), nl=newline, err=True)


def out_json(value: object) -> None:
    """Print a result as JSON; values that JSON does not know become text."""
    out(json.dumps(value, ensure_ascii=False, indent=2, default=str))


class CommandResult(Protocol):
    """Something that a command found or did."""

    def to_json(self) -> dict[str, Any]:
        """The result for a program."""
        ...

    def in_words(self) -> str:
        """The result for a person."""
        ...


def show_result(result: CommandResult, *, as_json: bool) -> None:
    """Print a result."""
    if as_json:
        out_json(result.to_json())
    else:
        out(result.in_words())


def show_results(results: Sequence[CommandResult], *, as_json: bool) -> None:
    """Print results; as JSON, an array."""
    if as_json:
        out_json([result.to_json() for result in results])
    else:
        out("\n".join(result.in_words() for result in results))


def show_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table: aligned and wrapped on a terminal, else one line per row, with tabs."""
    if not sys.stdout.isatty():
        for row in (columns, *rows):
            out("\t".join(" ".join(cell.split()) for cell in row))
        return
    from rich.table import Table  # noqa: PLC0415 - only where a terminal shows it
    from rich.text import Text  # noqa: PLC0415 - only where a terminal shows it

    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, _GAP, 0, 0))
    for index, name in enumerate(columns):
        is_number = all(_NUMBER.issuperset(row[index]) for row in rows)
        table.add_column(name, justify="right" if is_number else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    _render(table)


def show_facts(facts: Iterable[tuple[str, str]], *, indent: int = 0) -> None:
    """Print a line for each name and its value; a long value is continued, never cut."""
    rows = [(name, value) for name, value in facts if value]
    width = max((len(name) for name, _ in rows), default=0) + _GAP
    if not sys.stdout.isatty():
        margin = "\n" + " " * (indent + width)
        for name, value in rows:
            out(" " * indent + name.ljust(width) + value.replace("\n", margin))
        return
    from rich.padding import Padding  # noqa: PLC0415 - only where a terminal shows it
    from rich.table import Table  # noqa: PLC0415 - only where a terminal shows it
    from rich.text import Text  # noqa: PLC0415 - only where a terminal shows it

    grid = Table.grid(padding=(0, _GAP, 0, 0))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in rows:
        grid.add_row(name, Text(printable(value)))
    _render(Padding(grid, (0, 0, 0, indent)))


class StatusLine:
    """A line on stderr about the current work, which is erased afterwards.

    If stderr is no terminal, nothing is written or, with `in_pipes`, a line for each change.
    """

    def __init__(self, *, in_pipes: bool = False) -> None:
        self._stream = sys.stderr
        self._is_shown = False
        self._in_pipes = in_pipes
        self._last = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_failure: object) -> None:
        self.clear()

    def show(self, words: str) -> None:
        """Replace the text of the line."""
        if self._stream.isatty():
            width = shutil.get_terminal_size().columns
            self._write(f"\r\x1b[K{printable(words)[: width - 1]}")
            self._is_shown = True
        elif self._in_pipes and words != self._last:
            self._write(f"{printable(words)}\n")
        self._last = words

    def clear(self) -> None:
        """Erase the line."""
        if self._is_shown:
            self._write("\r\x1b[K")
            self._is_shown = False

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


@contextmanager
def working(words: str, *, in_pipes: bool = False) -> Iterator[None]:
    """Show a status line on stderr while the block runs."""
    with StatusLine(in_pipes=in_pipes) as status:
        status.show(words)
        yield


def _render(renderable: "RenderableType") -> None:
    from rich.console import Console  # noqa: PLC0415 - only where a terminal shows it

    Console(highlight=False).print(renderable)


def _show_version(is_requested: bool) -> None:  # noqa: FBT001 - as typer calls it
    if is_requested:
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
    """A command whose usage line has `QUESTION` where typer writes `{QUESTION}`."""

    @override
    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The names of options and arguments."""
        pieces = super().collect_usage_pieces(ctx)
        return [piece.replace("{", "").replace("}", "") for piece in pieces]


def with_plain_usage(app: typer.Typer) -> None:
    """Write the arguments of all commands of a program without braces."""
    for command in app.registered_commands:
        command.cls = _PlainCommand
    for group in app.registered_groups:
        if group.typer_instance is not None:
            with_plain_usage(group.typer_instance)


def run_program(app: typer.Typer) -> None:
    """Run a command line and end the process: exit 0 for success, 1 for failure, 2 for usage."""
    try:
        app()
    except RichAgentError as error:
        err(f"{app.info.name}: {error.explain()}")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        # Avoids a last garbage collection, which takes as long as a command.
        gc.freeze()
