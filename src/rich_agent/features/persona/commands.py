"""The commands of `rich-agent persona`; each is loaded when it is run."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rich_agent.feature.terminal import JsonOption, working

if TYPE_CHECKING:
    from rich_agent.feature import Shell

PersonaFileArgument = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="Personas in TOML.", exists=True, dir_okay=False, readable=True
    ),
]
SpaceOption = Annotated[
    str, typer.Option("--space", metavar="NAME", help="The persona of a space, not the bot's own.")
]
QuestionOption = Annotated[
    list[str] | None,
    typer.Option("--question", help="A question to ask; can be repeated, three count."),
]


def make_group(shell: "Shell") -> typer.Typer:
    """Make the group of commands."""
    group = typer.Typer(
        help="Show or change how the bot speaks: name, tone, rules, greeting.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )

    @group.command("show")
    def show_personas(as_json: JsonOption = False) -> None:
        """Show the personas in effect, and the newest drafts."""
        from rich_agent.features.persona import terminal

        terminal.show_personas(shell, as_json=as_json)

    @group.command("set")
    def set_drafts(file: PersonaFileArgument, as_json: JsonOption = False) -> None:
        """Store the personas in FILE as drafts.

        It may have the bot's own and those of spaces. Nothing changes for users before `apply`.
        """
        from rich_agent.features.persona import terminal

        terminal.set_drafts(shell, file, as_json=as_json)

    @group.command("preview")
    def preview_draft(
        question: QuestionOption = None, space: SpaceOption = "", as_json: JsonOption = False
    ) -> None:
        """Answer three questions as the newest draft, and as the bot is now.

        The models are called, and nothing is stored but the answers.
        """
        with working("Loading…"):
            from rich_agent.features.persona import terminal

        terminal.preview_draft(shell, space, question or [], as_json=as_json)

    _add_changes(group, shell)
    return group


def _add_changes(group: typer.Typer, shell: "Shell") -> None:
    """Add the commands that change what is in effect."""

    @group.command("apply")
    def apply_draft(space: SpaceOption = "", as_json: JsonOption = False) -> None:
        """Put the newest draft into effect, once it was previewed."""
        from rich_agent.features.persona import terminal

        terminal.change(shell, "apply", space, as_json=as_json)

    @group.command("back")
    def go_back(space: SpaceOption = "", as_json: JsonOption = False) -> None:
        """Put the persona before this one into effect again."""
        from rich_agent.features.persona import terminal

        terminal.change(shell, "back", space, as_json=as_json)

    @group.command("clear")
    def clear_persona(space: SpaceOption = "", as_json: JsonOption = False) -> None:
        """Have no stored persona in effect; that of PERSONA_FILE counts then."""
        from rich_agent.features.persona import terminal

        terminal.change(shell, "clear", space, as_json=as_json)
