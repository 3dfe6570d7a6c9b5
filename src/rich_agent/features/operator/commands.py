"""The commands `rich-agent usage`, `trace` and `replay`; each is loaded when it is run."""

from typing import TYPE_CHECKING, Annotated

import typer

from rich_agent.feature.terminal import JsonOption

if TYPE_CHECKING:
    from rich_agent.feature import Shell

RequestId = Annotated[
    str | None,
    typer.Argument(
        metavar="REQUEST_ID",
        help="The turn: tg:UPDATE_ID, as /why shows it, or just the number; the newest if omitted.",
    ),
]
OfUserOption = Annotated[
    int | None, typer.Option("--user", help="Only turns of this Telegram user id.")
]
DaysOption = Annotated[int, typer.Option(help="Days to look back, today included (UTC).", min=1)]


def add_to(program: typer.Typer, shell: "Shell") -> None:
    """Add the three commands to the program."""

    @program.command()
    def usage(days: DaysOption = 7, as_json: JsonOption = False) -> None:
        """Show how much models and searches were used, and what they cost.

        The sums are by day, by model and by user.
        """
        from rich_agent.features.operator.usage import show_usage

        show_usage(shell, days, as_json=as_json)

    @program.command()
    def trace(
        request_id: RequestId = None, user: OfUserOption = None, as_json: JsonOption = False
    ) -> None:
        """Show everything that is stored about one turn.

        You see the decision, each node in order, the passages, and the answer.
        """
        from rich_agent.features.operator.trace import show_trace

        show_trace(shell, request_id, user_id=user, as_json=as_json)

    @program.command()
    def replay(
        request_id: RequestId = None, user: OfUserOption = None, as_json: JsonOption = False
    ) -> None:
        """Run a past turn again, and show what has changed.

        The same question is asked after the same conversation, with the present configuration.
        The models are called; nothing is stored and nothing is sent.
        """
        from rich_agent.features.operator.replay import replay_turn

        replay_turn(shell, request_id, user_id=user, as_json=as_json)
