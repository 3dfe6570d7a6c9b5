"""The command line of rights: `ingest space …`, `ingest accounts` and `ingest rights`."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from rich_agent.terminal.console import JsonOption, out, out_json, show_result

if TYPE_CHECKING:
    from rich_agent.documents.registry.document_rights import ExplainedDocument
    from rich_agent.documents.registry.spaces import PostgresSpaceRegistry

T = TypeVar("T")

app = typer.Typer(
    help="Spaces: collections of sources that only some may read.\n\n"
    'A source is in a space if it was registered with `ingest add-source … --space "Name"`.',
    no_args_is_help=True,
)

SpaceArgument = Annotated[str, typer.Argument(metavar="SPACE", help="The name of a space.")]


@app.command("list")
def list_spaces(as_json: JsonOption = False) -> None:
    """Show the spaces, who may read each, and its sources."""
    from ingest import display

    overviews = _run(lambda spaces: spaces.all())
    if as_json:
        out_json([overview.to_json() for overview in overviews])
    else:
        display.show_spaces(overviews)


@app.command("add")
def add_space(
    space: SpaceArgument,
    grant: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHO",
            help="Who may read it: everybody, user:ID, list:NAME, telegram_group:ID, or "
            "external:SOURCE:NAME for a person or a group of a connected service.",
        ),
    ] = None,
    revoke: Annotated[
        list[str] | None, typer.Option(metavar="WHO", help="Who may not read it any more.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Make a space, or change who may read it.

    Both options can be repeated. The members of a Telegram group may read what the group may, if
    the bot is in it; a user who leaves it may not from then on if the bot is an administrator
    there, else after at most ten minutes.
    """
    show_result(_run(lambda spaces: spaces.add(space, grant or [], revoke or [])), as_json=as_json)


@app.command("remove")
def remove_space(space: SpaceArgument, as_json: JsonOption = False) -> None:
    """Remove a space that has no sources."""
    show_result(_run(lambda spaces: spaces.remove(space)), as_json=as_json)


@app.command()
def members(
    name: Annotated[str, typer.Argument(metavar="LIST", help="The NAME of list:NAME.")],
    add: Annotated[list[int] | None, typer.Option(metavar="ID", help="A user to add.")] = None,
    remove: Annotated[
        list[int] | None, typer.Option(metavar="ID", help="A user to remove.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show and change who is in a list of people."""
    ids = _run(lambda spaces: spaces.change_members(name, add or [], remove or []))
    if as_json:
        out_json({"list": name, "members": ids})
    else:
        out(f"list:{name}: {', '.join(map(str, ids)) or 'nobody'}")


def accounts(
    user: Annotated[int, typer.Argument(metavar="USER_ID", help="A user of Telegram.")],
    add: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="external:SOURCE:NAME, as the service calls them."),
    ] = None,
    remove: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A name that is theirs no more.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show and change what connected services call a user.

    A user may read what a service lets these names read, and the groups that they are in.
    """
    names = _run(lambda spaces: spaces.change_accounts(user, add or [], remove or []))
    if as_json:
        out_json({"user_id": user, "accounts": names})
    else:
        out(f"user:{user}: {', '.join(names) or 'no account at a service'}")


def rights(
    subject: Annotated[
        str | None,
        typer.Argument(
            metavar="USER_ID|DOCUMENT",
            help="A user of Telegram, or the address or title of a document; anybody if omitted.",
        ),
    ] = None,
    source: Annotated[
        str | None, typer.Option(metavar="SOURCE", help="Only this source; all if omitted.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show what somebody may read, or who may read it."""
    from ingest import display

    if subject is not None and not subject.isdecimal():
        _explain_document(subject, as_json=as_json)
        return
    user = None if subject is None else int(subject)
    explanations = _run(lambda spaces: spaces.explain(user, source))
    if as_json:
        out_json([explanation.to_json() for explanation in explanations])
    else:
        display.show_rights(explanations)


def _explain_document(words: str, *, as_json: bool) -> None:
    from ingest import display
    from ingest.app import open_ingest
    from rich_agent.documents.registry.document_rights import PostgresDocumentRights

    async def explain() -> "list[ExplainedDocument]":
        async with open_ingest() as ingest:
            return await PostgresDocumentRights(ingest.pool).explain(words)

    documents = asyncio.run(explain())
    if as_json:
        out_json([document.to_json() for document in documents])
    else:
        display.show_document_rights(documents)


def _run(act: "Callable[[PostgresSpaceRegistry], Awaitable[T]]") -> T:
    from ingest.app import open_ingest
    from rich_agent.documents.registry.spaces import PostgresSpaceRegistry

    async def run() -> T:
        async with open_ingest() as ingest:
            return await act(PostgresSpaceRegistry(ingest.pool))

    return asyncio.run(run())
