"""Showing, drafting, previewing and changing personas at the terminal, for the operator."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rich_agent.feature import RichAgentError, Settings, configure_logging
from rich_agent.feature.audit import AuditedChange
from rich_agent.feature.personas import Persona
from rich_agent.feature.terminal import StatusLine, out, out_json, show_facts
from rich_agent.feature.text import ENGLISH
from rich_agent.features.persona.content import PersonaContent
from rich_agent.features.persona.in_effect import PersonasInEffect
from rich_agent.features.persona.persona_file import read_persona_file
from rich_agent.features.persona.previewing import preview, questions_for
from rich_agent.features.persona.repository import PersonaVersions
from rich_agent.features.persona.settings import PersonaSettings
from rich_agent.features.persona.versions import NewVersion, PersonaVersion, PreviewedAnswer

if TYPE_CHECKING:
    from rich_agent.feature import Core, Shell

Change = Literal["apply", "back", "clear"]
_SHELL = "shell"


def show_personas(shell: "Shell", *, as_json: bool) -> None:
    """Print the personas in effect with where they come from, and drafts that are newer.

    Raises: SettingsError, DatabaseUnavailableError, SchemaError.
    """
    places = asyncio.run(_places(shell))
    if as_json:
        out_json(places)
    elif not places:
        out("The bot has no persona. `rich-agent persona set FILE` stores a draft.")
    for place in () if as_json else places:
        out(f"The persona of {_name_of(place['space'])}:")
        show_facts(_facts(place), indent=2)


async def _places(shell: "Shell") -> list[dict[str, Any]]:
    async with shell.open_core(Settings.load(), read_only=True) as core:
        versions = PersonaVersions(core.databases.app)
        of_file = core.section(PersonaSettings).content.by_space
        in_effect = {version.space: version for version in await versions.in_effect()}
        spaces = {*in_effect, *await versions.spaces(), *map(str.lower, of_file)}
        file_personas = {space.lower(): persona for space, persona in of_file.items()}
        return [
            _place(
                space, in_effect.get(space), file_personas.get(space), await versions.newest(space)
            )
            for space in sorted(spaces)
        ]


def _place(
    space: str,
    current: PersonaVersion | None,
    of_file: Persona | None,
    newest: Sequence[PersonaVersion],
) -> dict[str, Any]:
    persona = current.persona if current else of_file
    source = f"version {current.id}" if current else "PERSONA_FILE" if of_file else "none"
    draft = next(iter(newest), None)
    is_newer = draft is not None and (current is None or draft.id > current.id)
    return {
        "space": space,
        "from": source,
        "persona": PersonaContent.of(persona).to_json() if persona else None,
        "has_picture": bool(persona and persona.picture),
        "draft": _draft(draft) if draft and is_newer else None,
    }


def _draft(version: PersonaVersion) -> dict[str, Any]:
    return {
        "id": version.id,
        "made_at": version.made_at,
        "previewed_at": version.previewed_at,
        "persona": version.content.to_json(),
    }


def _facts(place: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "from", place["from"]
    for name, value in (place["persona"] or {}).items():
        texts = value if isinstance(value, list) else [value]
        yield name, " / ".join(map(str, texts)) if name != "languages" else ", ".join(value)
    if draft := place["draft"]:
        state = "previewed" if draft["previewed_at"] else "not previewed yet"
        yield "draft", f"version {draft['id']}, {state}"


def _name_of(space: str) -> str:
    return f"the space {space}" if space else "the bot"


def set_drafts(shell: "Shell", file: Path, *, as_json: bool) -> None:
    """Store each persona in a file as a draft. Raises: SettingsError for the first mistake."""
    content = read_persona_file(file)
    if content.problems:
        raise RichAgentError("\n".join(map(str, content.problems)), hint=content.problems[0].hint)
    if not content.by_space:
        raise RichAgentError(f"{file} has no persona", hint='Write name = "Ada" or more into it.')
    version_by_space = asyncio.run(_store(shell, content.by_space))
    if as_json:
        versions = version_by_space.items()
        out_json([{"space": space, "version": number} for space, number in versions])
        return
    for space, number in version_by_space.items():
        option = f' --space "{space}"' if space else ""
        out(f"Stored version {number} for {_name_of(space)} as a draft.")
        out(f"Next: rich-agent persona preview{option}")


async def _store(shell: "Shell", by_space: Mapping[str, Persona]) -> dict[str, int]:
    version_by_space = {}
    async with shell.open_core(Settings.load()) as core:
        versions = PersonaVersions(core.databases.app)
        for space, persona in by_space.items():
            async with core.audit.change(_audited("draft", space)):
                new = NewVersion(space, PersonaContent.of(persona), persona.picture)
                version_by_space[space] = await versions.add(new)
    return version_by_space


def _audited(action: str, space: str, **details: Any) -> AuditedChange:  # noqa: ANN401 - JSON
    return AuditedChange(None, f"persona.{action}", space, details, origin=_SHELL)


def preview_draft(
    shell: "Shell", space: str, own_questions: Sequence[str], *, as_json: bool
) -> None:
    """Print the answers of the newest draft next to those of now; store them with the draft.

    Raises: RichAgentError without a draft, SettingsError without a key.
    """
    settings = Settings.load("OPENAI_API_KEY")
    settings.forget_secrets()
    configure_logging(settings.logs.format, "error", settings.secrets)
    with StatusLine() as status:
        status.show("Answering…")
        preview_run = _preview(shell, settings, space, own_questions, status)
        version, answers = asyncio.run(preview_run)
    if as_json:
        out_json({"version": version.id, "answers": [answer.to_json() for answer in answers]})
        return
    for answer in answers:
        out(f"\n{answer.question}")
        if answer.failure:
            show_facts([("failed", answer.failure)], indent=2)
        else:
            show_facts([("draft", answer.draft), ("now", answer.present)], indent=2)
    failed = any(answer.failure for answer in answers)
    option = f' --space "{space}"' if space else ""
    out(
        "\nNot all questions could be answered: preview again."
        if failed
        else f"\nNext: rich-agent persona apply{option}"
    )


async def _preview(
    shell: "Shell", settings: Settings, space: str, own_questions: Sequence[str], status: StatusLine
) -> tuple[PersonaVersion, list[PreviewedAnswer]]:
    async with shell.open_core(settings) as core, shell.open_rehearsal(settings) as rehearsal:
        versions = PersonaVersions(core.databases.app)
        version = await _newest_draft(versions, space)
        personas = await _in_effect(core).find()
        questions = questions_for(version.persona, own_questions, ENGLISH)
        answers = list[PreviewedAnswer]()
        for question in questions:
            status.show(f"{len(answers)} of {len(questions)} questions…")
            answers.append(await preview(version, question, rehearsal, personas))
        await versions.note_complete_preview(version.id, answers)
        return version, answers


def _in_effect(core: "Core") -> PersonasInEffect:
    of_file = core.section(PersonaSettings).content.by_space
    return PersonasInEffect(PersonaVersions(core.databases.app), of_file)


async def _newest_draft(versions: PersonaVersions, space: str) -> PersonaVersion:
    """The newest version for a place. Raises: RichAgentError if there is none."""
    newest = await versions.newest(space)
    if not newest:
        raise RichAgentError(
            f"there is no draft for {_name_of(space)}",
            hint="`rich-agent persona set FILE` stores one.",
        )
    return newest[0]


def change(shell: "Shell", what: Change, space: str, *, as_json: bool) -> None:
    """Change what is in effect. Raises: RichAgentError if there is nothing to change to."""
    asyncio.run(_change(shell, what, space))
    if as_json:
        out_json({"space": space, "changed": what})
    else:
        out(f"Done: in effect for {_name_of(space)} within a second, in every process.")


async def _change(shell: "Shell", what: Change, space: str) -> None:
    async with shell.open_core(Settings.load()) as core:
        versions = PersonaVersions(core.databases.app)
        audited = _audited(what, space)
        async with core.audit.change(audited):
            if what == "clear":
                await versions.put_out(space, None)
            elif what == "back":
                if not await versions.go_back(space, None):
                    raise RichAgentError(
                        f"nothing was changed for {_name_of(space)} yet",
                        hint="`rich-agent persona show` shows what is in effect.",
                    )
            else:
                version = await _newest_draft(versions, space)
                audited.details["version"] = version.id
                if not await versions.put_into_effect(version.id, None):
                    raise RichAgentError(
                        f"version {version.id} was not previewed yet",
                        hint="`rich-agent persona preview` answers three questions with it.",
                    )
