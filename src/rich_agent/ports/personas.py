"""Interface of the personas in effect."""

from collections.abc import Awaitable, Callable

from rich_agent.domain.persona import Persona, Personas
from rich_agent.domain.rights import Reader

FindPersonas = Callable[[], Awaitable[Personas]]
"""Returns the personas in effect. It is called in every turn, so it has to be quick."""

PersonaOf = Callable[[Reader], Awaitable[Persona | None]]
"""Returns the persona with which the bot speaks to a reader, None without one."""


async def no_personas() -> Personas:
    """No personas: the bot speaks as its prompts have it."""
    return Personas()


async def no_persona(_reader: Reader) -> Persona | None:
    """No persona, for any reader."""
    return None
