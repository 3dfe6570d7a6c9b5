"""The command `rich-agent-sandbox`: serve the sandbox until it is stopped."""

import os
import pkgutil
import re
import sys
import threading
from pathlib import Path
from typing import Annotated

import typer

from rich_agent_sandbox.app import create_server
from rich_agent_sandbox.page.model_control import ModelControl
from rich_agent_sandbox.server import SandboxServer, address_of, listen
from rich_agent_sandbox.telegram.sandbox import DEFAULT_BOT_TOKEN, SandboxConfig, no_services

app = typer.Typer(add_completion=False)


def _token(value: str) -> str:
    if not re.fullmatch(r"\d+:[A-Za-z0-9_-]+", value):
        raise typer.BadParameter("a bot token looks like 123456789:AAabc_DEF-123")
    return value


Libraries = Annotated[
    list[Path] | None,
    typer.Option(
        help="Folder of Markdown files to serve at /library/NAME/; may be repeated.",
        exists=True,
        file_okay=False,
    ),
]
Journal = Annotated[
    Path | None,
    typer.Option(
        help="File to which every call is appended as a line of JSON.",
        envvar="SANDBOX_JOURNAL",
        dir_okay=False,
    ),
]
HostNames = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="Name by which other machines reach it; may be repeated. This machine always may.",
    ),
]
Questions = Annotated[
    list[str] | None,
    typer.Option(
        metavar="QUESTION",
        help='Question that the page offers; may be repeated; "ja:…" is for Japanese users.',
    ),
]
Notices = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TEXT",
        help='What the page says in an empty chat; may be repeated; "ja:…" is for Japanese users.',
    ),
]
Services = Annotated[
    str | None,
    typer.Option(
        metavar="MODULE:FUNCTION",
        help="Function that returns further routes to serve; it is given the ledger of calls.",
    ),
]
StateFolder = Annotated[
    Path | None,
    typer.Option(help="Folder in which chats and files outlast the process.", file_okay=False),
]
ByProgram = Annotated[
    bool,
    typer.Option(
        "--model-control",
        help="The page can connect a model: wishes are lines of JSON on standard output, answers "
        "on standard input. Ends when the input closes.",
    ),
]


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.")] = 8080,
    bot_token: Annotated[
        str, typer.Option(help="The one token that is accepted.", callback=_token)
    ] = DEFAULT_BOT_TOKEN,
    library: Libraries = None,
    flood: Annotated[
        bool, typer.Option("--flood", help="Enforce about one message a second per chat.")
    ] = False,
    journal: Journal = None,
    state: StateFolder = None,
    allow_host: HostNames = None,
    services: Services = None,
    about: Notices = None,
    suggest: Questions = None,
    model_control: ByProgram = False,
) -> None:
    """Stand-ins for Telegram (with a chat page), an OpenAI-compatible API and Tavily."""
    config = SandboxConfig(
        bot_token=bot_token,
        libraries=tuple(library or ()),
        flood=flood,
        journal=journal,
        state=state,
        hosts=(host, *(allow_host or ())),
        about=tuple(about or ()),
        suggestions=tuple(suggest or ()),
        services=pkgutil.resolve_name(services) if services else no_services,
    )
    _serve(config, host, port, ModelControl(typer.echo, config.about) if model_control else None)


def _serve(config: SandboxConfig, host: str, port: int, control: ModelControl | None) -> None:
    try:
        listener = listen(host, port)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        typer.echo(f"Cannot listen on {host}:{port}: {reason}. Choose another --port.", err=True)
        raise typer.Exit(1) from error
    url = address_of(listener)
    server = create_server(
        config, on_listening=lambda: typer.echo(f"sandbox at {url}"), control=control
    )
    if control:
        threading.Thread(target=_hear, args=(server, control), daemon=True).start()
    server.run(sockets=[listener])


def _hear(server: SandboxServer, control: ModelControl) -> None:
    for line in sys.stdin.buffer:
        control.receive(line)
    server.should_exit = True


def main() -> None:
    """Run the command."""
    sys.exit(app())


if __name__ == "__main__":
    main()
