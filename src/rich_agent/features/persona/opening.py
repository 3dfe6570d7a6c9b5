"""Makes the parts of the feature."""

from rich_agent.feature import Core, Parts
from rich_agent.feature.personas import Personas
from rich_agent.features.persona.settings import PersonaSettings


def make_parts(core: Core) -> Parts:
    """The personas of the file."""
    personas = core.section(PersonaSettings).content.personas

    async def find_personas() -> Personas:
        return personas

    return Parts(personas=[find_personas])
