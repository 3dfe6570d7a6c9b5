"""The persona for a reader: that of a space if it is the only one they chose, else the bot's."""

from rich_agent.domain.persona import Persona
from rich_agent.domain.rights import Reader
from rich_agent.ports.personas import FindPersonas
from rich_agent.ports.spaces import Spaces


async def choose_persona(find: FindPersonas, spaces: Spaces, reader: Reader) -> Persona | None:
    """The persona for what the reader reads unasked; None without one.

    A space counts as chosen if the reader may read it and did not put it away with /spaces.
    """
    personas = await find()
    if not personas.by_space:
        return personas.of_bot
    readable_spaces = await spaces.readable(reader)
    return personas.where_read([space.name for space in readable_spaces if space.is_chosen])
