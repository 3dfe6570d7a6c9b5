"""The command line of connected sources and of schedules: `ingest connect`, `ingest schedule`."""

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rich_agent.terminal.console import JsonOption, show_result, show_results

if TYPE_CHECKING:
    from rich_agent.documents.registry.connecting import ConnectionRequest

EveryOption = Annotated[
    str | None,
    typer.Option(
        metavar="INTERVAL",
        help='How often workers sync it: 15m, 6h, 1d, or fields of cron ("0 3 * * *"); "" never.',
    ),
]


KindArgument = Annotated[
    str | None, typer.Argument(metavar="KIND", help="Kind of service; all if omitted.")
]
TargetArgument = Annotated[
    str | None, typer.Argument(metavar="TARGET", help="Its first option, often an address.")
]
NameOption = Annotated[
    str | None, typer.Option(help="One word to call it; it is part of names of its users.")
]
KindOptions = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the kind."),
]
RightsEveryOption = Annotated[
    str | None, typer.Option(metavar="INTERVAL", help="How often to ask who may read what.")
]
SpaceOption = Annotated[
    str | None, typer.Option(metavar="SPACE", help="Only its readers may read it.")
]
SecretFileOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Read the password or token from here.", exists=True),
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Only show what is there; store nothing.")
]


def connect(
    kind: KindArgument = None,
    target: TargetArgument = None,
    *,
    name: NameOption = None,
    option: KindOptions = None,
    every: EveryOption = None,
    rights_every: RightsEveryOption = None,
    space: SpaceOption = None,
    secret_file: SecretFileOption = None,
    dry_run: DryRunOption = False,
    as_json: JsonOption = False,
) -> None:
    """Connect a service where documents live.

    Without a kind, shows the kinds and their options. A password or token is asked for, and stored
    encrypted. Nothing is stored if the service refuses it.

    To change options, connect it again under the same name; an empty secret keeps the stored one.
    """
    from rich_agent.documents.connectors.kinds import find_kind
    from rich_agent.documents.registry import connecting
    from rich_agent.settings.chosen_features import choose_features_of_environment

    choose_features_of_environment()
    if kind is None:
        show_results(connecting.all_kinds(), as_json=as_json)
        return
    declaration = find_kind(kind)
    first_option = [f"{next(iter(declaration.config.model_fields))}={target}"] if target else []
    request = connecting.ConnectionRequest(
        kind=declaration,
        name=name,
        options=[*first_option, *(option or [])],
        every=every,
        rights_every=rights_every,
        space=space,
        secret=_secret(declaration.asks_for, secret_file),
    )
    _carry_out(request, dry_run=dry_run, as_json=as_json)


def _carry_out(request: "ConnectionRequest", *, dry_run: bool, as_json: bool) -> None:
    from ingest import connecting

    if dry_run:
        show_result(asyncio.run(connecting.try_out(request)), as_json=as_json)
    else:
        show_result(asyncio.run(connecting.connect(request)), as_json=as_json)


def schedule(
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="Id, name, address or path of a source.")
    ],
    *,
    every: EveryOption = None,
    rights_every: RightsEveryOption = None,
    watch: Annotated[
        bool | None,
        typer.Option("--watch/--no-watch", help="Sync a folder as soon as a file changes."),
    ] = None,
    hook: Annotated[
        bool | None,
        typer.Option("--hook/--no-hook", help="Sync when its service posts an event; new secret."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Let workers sync a source, and show when they do."""
    from ingest import connecting
    from rich_agent.documents.registry.registration import ScheduleChange

    change = ScheduleChange(every, rights_every, watch, hook)
    show_result(asyncio.run(connecting.schedule(source, change)), as_json=as_json)


def _secret(asks_for: str, file: Path | None) -> str:
    if file is not None:
        return file.read_text("utf-8").strip()
    if not asks_for or not sys.stdin.isatty():
        return ""
    return str(typer.prompt(asks_for, default="", hide_input=True, show_default=False))
