"""The people who may use the bot: /users lists them, /allow lets them in, /deny keeps them out."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich_agent.feature import Feature, MenuEntry

if TYPE_CHECKING:
    from rich_agent.feature import Core, Parts

COMMANDS = ("users", "allow", "deny")


@asynccontextmanager
async def open_people(core: "Core") -> AsyncIterator["Parts"]:
    """Make the commands."""
    from rich_agent.feature import Parts
    from rich_agent.features.people.commands import VERB, People

    people = People(core.accounts, core.access, core.audit, core.runs.interrupt)
    answers = (people.pages.answer, people.allow, people.deny)
    yield Parts(
        commands=dict(zip(COMMANDS, answers, strict=True)), presses={VERB: people.turn_page}
    )


feature = Feature(
    name="people",
    open=open_people,
    menu=tuple(MenuEntry(name, for_admins=True) for name in COMMANDS),
    locales=Path(__file__).parent / "locales",
)
