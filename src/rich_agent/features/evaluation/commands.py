"""The commands of `rich-agent eval`; each is loaded when it is given."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rich_agent.feature.terminal import JsonOption, working

if TYPE_CHECKING:
    from rich_agent.feature import Shell

QuestionsFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="FILE", help="Your questions, in TOML.", exists=True, dir_okay=False, readable=True
    ),
]
StoredOption = Annotated[
    bool, typer.Option("--stored", help="Ask the questions of the page Tests, not those of a file.")
]
AgainstOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help="Ask them also with other settings, such as CHAT_MODEL=other; can be repeated. "
        "Several settings of one comparison stand in quotes, separated by spaces.",
    ),
]
AtOnceOption = Annotated[
    int, typer.Option(help="Questions asked at once; more of them lengthen each.", min=1, max=64)
]
RatedDaysOption = Annotated[int, typer.Option(help="Days to look back.", min=1, max=36_500)]


def make_group(shell: "Shell") -> typer.Typer:
    """Make the group of commands."""
    group = typer.Typer(
        help="Ask your own questions, and see whether the answers are right.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )

    @group.command("answers")
    def evaluate_answers(
        file: QuestionsFile = None,
        stored: StoredOption = False,
        against: AgainstOption = None,
        at_once: AtOnceOption = 4,
        as_json: JsonOption = False,
    ) -> None:
        """Ask the questions in FILE, and mark the answers.

        Each goes through the whole bot, from nobody: nothing is known of who asks, nothing is
        stored of it and no tool acts. The models are called. It prints shares and means with their
        95 % intervals, and what got better and worse since the last evaluation, which is kept
        beside FILE. The figures alone are kept in the database, for the page Tests.
        """
        if stored == (file is not None):
            raise typer.BadParameter("name either FILE or --stored", param_hint="FILE")
        with working("Loading…"):
            from rich_agent.features.evaluation import answers

        order = answers.EvaluationOrder(file, against or [], at_once)
        answers.evaluate_answers(shell, order, as_json=as_json)

    _add_sources_of_questions(group, shell)
    return group


def _add_sources_of_questions(group: typer.Typer, shell: "Shell") -> None:
    """Add the commands that print questions."""

    @group.command("export")
    def export_questions(as_json: JsonOption = False) -> None:
        """Print the stored questions, for `eval answers`."""
        with working("Loading…"):
            from rich_agent.features.evaluation import answers

        answers.export_questions(shell, as_json=as_json)

    @group.command("from-ratings")
    def draft_questions(days: RatedDaysOption = 30, as_json: JsonOption = False) -> None:
        """Print the questions rated 👎, as a file to complete.

        It names the turns for `rich-agent trace`, and no users.
        """
        with working("Loading…"):
            from rich_agent.features.evaluation import answers

        answers.draft_questions(shell, days, as_json=as_json)
