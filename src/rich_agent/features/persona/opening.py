"""Makes the parts of the feature."""

from collections.abc import Sequence
from dataclasses import replace

from rich_agent.feature import Core, GuardedRoute, Parts
from rich_agent.features.persona.in_effect import PersonasInEffect
from rich_agent.features.persona.previewing import Previewer
from rich_agent.features.persona.repository import PersonaVersions, SpaceNames
from rich_agent.features.persona.settings import PersonaSettings
from rich_agent.features.persona.versions import PREVIEW_WORK

AREA = "operator"
"""The area of pages for those who look after the bot; a feature that has it comes before."""


def make_parts(core: Core) -> Parts:
    """The personas in effect; in a process that serves, also their previews and the page."""
    versions = PersonaVersions(core.databases.app)
    of_file = core.section(PersonaSettings).content.by_space
    in_effect = PersonasInEffect(versions, of_file)
    parts = Parts(personas=[in_effect.find])
    if core.surface is None:
        return parts
    previewer = Previewer(versions, in_effect, core.surface.open_rehearsal)
    return replace(parts, work={PREVIEW_WORK: previewer.kind}, routes=make_routes(core, versions))


def make_routes(core: Core, versions: PersonaVersions) -> Sequence[GuardedRoute]:
    """The routes of the page, and its entry among the operator's pages; none without these."""
    area = core.areas.get(AREA)
    if area is None:
        return ()
    # Pages load a library of templates.
    from rich_agent.feature.pages import PageEntry  # noqa: PLC0415 - see above
    from rich_agent.features.persona import page  # noqa: PLC0415 - see above

    of_file = core.section(PersonaSettings).content.by_space
    personas = page.PersonaPage(
        versions,
        {space.lower(): persona for space, persona in of_file.items()},
        SpaceNames(core.databases.rag).all_of_them,
        core.accounts,
    )
    area.entries.append(PageEntry(page.PATH, "persona-title", page.READERS))
    return area.routes(personas.routes(), page.TEMPLATES)
