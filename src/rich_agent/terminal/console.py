"""Output of the commands of both programs: text, facts, tables, and a line while one waits.

A person gets columns that fit the terminal, a program whole lines. Control characters never pass.
"""

import gc
import json
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer
from typer.core import TyperCommand
from typing_extensions import override

from rich_agent.domain.text import printable
from rich_agent.errors import RichAgentError

if TYPE_CHECKING:
    from rich.console import RenderableType

_GAP = 2
_NUMBER = frozenset("0123456789.,~*–-+%$ ")


def out(text: str = "", *, newline: bool = True, colour: str | None = None) -> None:
    """Print what was asked for; the colour, one of click's, is for a terminal only."""
    safe_text = printable(text)
    typer.echo(typer.style(safe_text, fg=colour) if colour else safe_text, nl=newline)


def err(text: str = "", *, newline: bool = True) -> None:
    """Tell the person at the terminal something besides the result: a note, an error, a hint."""
    typer.echo(printable(text), nl=newline, err=True)


def out_json(value: object) -> None:
    """Print what was asked for as JSON; what JSON does not know, as text."""
    out(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def show_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table: aligned and wrapped on a terminal, else a line for each row, separated by tabs."""
    if not sys.stdout.isatty():
        for row in (columns, *rows):
            out("\t".join(" ".join(cell.split()) for cell in row))
        return
    from rich.table import Table  # noqa: PLC0415 - only where a terminal shows it
    from rich.text import Text  # noqa: PLC0415 - the same

    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, _GAP, 0, 0))
    for number, name in enumerate(columns):
        is_number = all(_NUMBER.issuperset(row[number]) for row in rows)
        table.add_column(name, justify="right" if is_number else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    _render(table)


def show_facts(facts: Iterable[tuple[str, str]], *, indent: int = 0) -> None:
    """A line for each name and its value; a long value goes on below itself, never cut."""
    rows = [(name, value) for name, value in facts if value]
    width = max((len(name) for name, _ in rows), default=0) + _GAP
    if not sys.stdout.isatty():
        margin = "\n" + " " * (indent + width)
        for name, value in rows:
            out(" " * indent + name.ljust(width) + value.replace("\n", margin))
        return
    from rich.padding import Padding  # noqa: PLC0415 - only where a terminal shows it
    from rich.table import Table  # noqa: PLC0415 - the same
    from rich.text import Text  # noqa: PLC0415 - the same

    grid = Table.grid(padding=(0, _GAP, 0, 0))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in rows:
        grid.add_row(name, Text(printable(value)))
    _render(Padding(grid, (0, 0, 0, indent)))


class StatusLine:
    """A line on stderr that says what is happening, and then disappears.

    Where stderr is no terminal, there is nothing, or with `in_pipes` a line for each change.
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
        """Put these words in the place of those before."""
        if self._stream.isatty():
            width = shutil.get_terminal_size().columns
            self._write(f"\r\x1b[K{printable(words)[: width - 1]}")
            self._is_shown = True
        elif self._in_pipes and words != self._last:
            self._write(f"{printable(words)}\n")
        self._last = words

    def clear(self) -> None:
        """Leave an empty line."""
        if self._is_shown:
            self._write("\r\x1b[K")
            self._is_shown = False

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


@contextmanager
def working(words: str, *, in_pipes: bool = False) -> Iterator[None]:
    """Say on stderr what takes time, while it does."""
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
