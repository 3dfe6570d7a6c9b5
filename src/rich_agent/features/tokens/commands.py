"""The commands of `rich-agent tokens`; each is loaded when it is run."""

from typing import TYPE_CHECKING, Annotated

import typer

from rich_agent.feature import SCOPES
from rich_agent.feature.terminal import JsonOption

if TYPE_CHECKING:
    from rich_agent.feature import Shell


def _known_scopes(scopes: list[str] | None) -> list[str] | None:
    """The scopes of the option. Raises: typer.BadParameter for one that does not exist."""
    if unknown := set(scopes or ()) - set(SCOPES):
        raise typer.BadParameter(f"no scope {', '.join(unknown)}; there are {', '.join(SCOPES)}")
    return scopes


UserOption = Annotated[
    int, typer.Option("--user", help="Telegram user id in whose name the token speaks.")
]
NameOption = Annotated[str, typer.Option("--name", help="What the list calls the token.")]
ScopeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--scope",
        metavar="|".join(SCOPES),
        callback=_known_scopes,
        help="What it opens; can be repeated. All, if omitted.",
    ),
]
DaysOption = Annotated[
    int | None, typer.Option(help="Days until it expires; never, if omitted.", min=1, max=36_500)
]


def make_group(shell: "Shell") -> typer.Typer:
    """Make the group of commands."""
    group = typer.Typer(
        help="Make, list or revoke the tokens of other programs.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )

    @group.command("add")
    def add_token(
        user: UserOption,
        name: NameOption,
        scope: ScopeOption = None,
        days: DaysOption = None,
        as_json: JsonOption = False,
    ) -> None:
        """Make a token and print it, this once."""
        from rich_agent.features.tokens import terminal

        request = terminal.token_request(user, name, scope, days)
        terminal.make_token(shell, request, as_json=as_json)

    @group.command("list")
    def list_tokens(as_json: JsonOption = False) -> None:
        """List the tokens of all users, never the tokens themselves."""
        from rich_agent.features.tokens import terminal

        terminal.show_tokens(shell, as_json=as_json)

    @group.command("revoke")
    def revoke_token(
        token_id: Annotated[int, typer.Argument(metavar="ID", help="An id from the list.")],
        as_json: JsonOption = False,
    ) -> None:
        """Revoke a token; it opens nothing from then on."""
        from rich_agent.features.tokens import terminal

        terminal.end_token(shell, token_id, as_json=as_json)

    return group
