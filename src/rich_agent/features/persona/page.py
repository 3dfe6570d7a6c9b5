"""The operator's page of personas: a form, a preview with three questions, and versions."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.datastructures import UploadFile
from starlette.responses import Response

from rich_agent.feature import UpstreamError
from rich_agent.feature.accounts import Accounts
from rich_agent.feature.errors import ImageRefusedError
from rich_agent.feature.pages import PageRefusedError, PageRoute, Visit
from rich_agent.feature.personas import LANGUAGES, Persona
from rich_agent.feature.text import whole_number
from rich_agent.feature.web import RequestRefusedError
from rich_agent.features.persona.content import (
    MOST_NAME,
    MOST_TOKENS,
    PersonaContent,
    PersonaRefusedError,
    read_content,
)
from rich_agent.features.persona.picture import MOST_BYTES, Picture, read_sent_picture
from rich_agent.features.persona.previewing import questions_for
from rich_agent.features.persona.repository import PersonaVersions
from rich_agent.features.persona.versions import PREVIEWED, NewVersion, PersonaVersion

PATH = "/operator/persona"
TEMPLATES = Path(__file__).parent / "templates"
CHANGERS = frozenset({"owner", "operator"})
READERS = CHANGERS | {"viewer"}
_MOST_CHARS = 20_000
"""Most characters of a field that is checked; more are cut, and refused by their number."""
_REFRESH_S = 3.0
_LINE_FIELDS = ("rules", "starters")


@dataclass(frozen=True, slots=True)
class PersonaPage:
    """Shows and changes the personas of the bot and of its spaces.

    `of_file` are those of PERSONA_FILE by space, in small letters. `space_names` returns the names
    of all spaces.
    """

    versions: PersonaVersions
    of_file: Mapping[str, Persona]
    space_names: Callable[[], Awaitable[Sequence[str]]]
    accounts: Accounts

    def routes(self) -> Sequence[PageRoute]:
        """The page, a picture, and what the forms do."""
        return (
            PageRoute(PATH, self.show, roles=READERS),
            PageRoute(f"{PATH}/picture/{{version:int}}", self.show_picture, roles=READERS),
            self._change("", self.save, "persona.draft"),
            self._change("/preview", self.preview, "persona.preview"),
            self._change("/apply", self.apply, "persona.apply"),
            self._change("/back", self.go_back, "persona.back"),
            self._change("/clear", self.clear, "persona.clear"),
        )

    def _change(
        self, path: str, answer: Callable[[Visit], Awaitable[Response]], action: str
    ) -> PageRoute:
        return PageRoute(
            PATH + path, answer, ("POST",), CHANGERS, action, body_bytes=MOST_BYTES + 500_000
        )

    async def show(self, visit: Visit) -> Response:
        """The persona of the bot, or of the space in the address."""
        spaces = await self.space_names()
        space = _space_among(spaces, visit.query.get("space", ""))
        newest = await self.versions.newest(space)
        current = next(
            (one for one in await self.versions.in_effect() if one.space == space.lower()), None
        )
        draft = newest[0] if newest and (not current or newest[0].id > current.id) else None
        file_persona = self.of_file.get(space.lower())
        base = draft or current
        persona = base.persona if base else file_persona or Persona()
        names = await self.accounts.names({one.made_by for one in newest if one.made_by})
        questions = list(draft.questions) if draft and draft.questions else []
        return visit.page(
            "persona.html",
            title=visit.say("persona-title"),
            refresh_s=_REFRESH_S if draft and draft.is_being_previewed else None,
            may_change=visit.role in CHANGERS,
            most_name=MOST_NAME,
            places=[("", visit.say("persona-bot")), *((name, name) for name in spaces)],
            space=space,
            present=_row_of(current, names, visit) if current else None,
            in_effect=current.content if current else _content_of(file_persona),
            draft=_row_of(draft, names, visit) if draft else None,
            form=_form_values(persona),
            base_id=base.id if base else "",
            has_picture=persona.picture is not None,
            picture_id=base.id if base and base.picture else "",
            questions=[*questions, *[""] * (PREVIEWED - len(questions))],
            languages=[(code, name) for code, name in LANGUAGES.items()],
            versions=[_row_of(one, names, visit) for one in newest],
        )

    async def show_picture(self, visit: Visit) -> Response:
        """The picture of a version."""
        version = await self.versions.find(visit.request.path_params["version"])
        if version is None or version.picture is None:
            raise RequestRefusedError(404, "unknown_picture", "There is no such picture.")
        media_type, data = version.picture
        headers = {**visit.frame.headers, "Cache-Control": "private, max-age=86400"}
        return Response(data, headers=headers, media_type=media_type)

    async def save(self, visit: Visit) -> Response:
        """Store what the form has as a draft, and have it previewed."""
        space = await self._space(visit)
        content = _content(visit)
        base = await self._version(visit, "base")
        picture = await self._picture(visit, base, space)
        version_id = await self.versions.add(NewVersion(space, content, picture, visit.user_id))
        visit.note(version=version_id)
        await self._want_preview(visit, version_id, content.to_persona())
        return visit.done(PATH, "persona-said-saved", **_address(space))

    async def preview(self, visit: Visit) -> Response:
        """Have the questions of the form answered by a draft."""
        version = await self._version(visit, "version")
        if version is None:
            raise PageRefusedError(visit.say("persona-outdated"))
        await self._want_preview(visit, version.id, version.persona)
        return visit.done(PATH, **_address(version.space))

    async def apply(self, visit: Visit) -> Response:
        """Put a version into effect that was previewed."""
        version = await self._version(visit, "version")
        if version is None:
            raise PageRefusedError(visit.say("persona-outdated"))
        if not await self.versions.put_into_effect(version.id, visit.user_id):
            raise PageRefusedError(visit.say("persona-not-previewed"))
        return visit.done(PATH, "persona-said-applied", **_address(version.space))

    async def go_back(self, visit: Visit) -> Response:
        """Put into effect what was in effect before."""
        space = await self._space(visit)
        if not await self.versions.go_back(space, visit.user_id):
            raise PageRefusedError(visit.say("persona-nothing-before"))
        return visit.done(PATH, "persona-said-applied", **_address(space))

    async def clear(self, visit: Visit) -> Response:
        """Have no stored persona in effect."""
        space = await self._space(visit)
        await self.versions.put_out(space, visit.user_id)
        return visit.done(PATH, "persona-said-applied", **_address(space))

    async def _space(self, visit: Visit) -> str:
        """The space of the form, "" for the bot. Raises: PageRefusedError if there is none."""
        name = visit.text("space")
        space = _space_among(await self.space_names(), name)
        if name and not space:
            raise PageRefusedError(visit.say("persona-outdated"))
        return space

    async def _version(self, visit: Visit, field: str) -> PersonaVersion | None:
        version_id = whole_number(visit.text(field))
        return await self.versions.find(version_id) if version_id else None

    async def _want_preview(self, visit: Visit, version_id: int, persona: Persona) -> None:
        own_questions = [visit.text(f"question{n}", 500) for n in range(1, PREVIEWED + 1)]
        questions = questions_for(persona, own_questions, visit.locale)
        await self.versions.want_preview(version_id, questions)

    async def _picture(
        self, visit: Visit, base: PersonaVersion | None, space: str
    ) -> Picture | None:
        """The picture of the form, else the one that the form was made with."""
        picture_file = visit.form.get("picture")
        if isinstance(picture_file, UploadFile) and picture_file.filename:
            try:
                return await read_sent_picture(await picture_file.read())
            except (ImageRefusedError, UpstreamError) as error:
                raise PageRefusedError(visit.say("persona-picture-refused")) from error
        if visit.text("no_picture"):
            return None
        if base is not None:
            return base.picture
        persona = self.of_file.get(space.lower())
        return persona.picture if persona else None


def _address(space: str) -> dict[str, str]:
    return {"space": space} if space else {}


def _space_among(spaces: Sequence[str], name: str) -> str:
    """The space with this name as its operator writes it, "" if there is none."""
    return next((one for one in spaces if one.lower() == name.strip().lower()), "")


def _content(visit: Visit) -> PersonaContent:
    """The persona in the form. Raises: PageRefusedError."""
    try:
        return read_content(_values(visit))
    except PersonaRefusedError as error:
        place, _ = error.problems[0]
        field = "languages" if place[0] == "languages" else str(place[0])
        label = visit.say(f"persona-{field}")
        raise PageRefusedError(
            visit.say("persona-too-long", field=label, tokens=MOST_TOKENS)
        ) from error


def _values(visit: Visit) -> dict[str, Any]:
    """The fields of the form as a file would have them."""
    languages = {
        locale: words for locale in LANGUAGES if (words := dict(_words(visit, f"-{locale}")))
    }
    return {
        "name": visit.text("name", _MOST_CHARS),
        "tone": visit.text("tone", _MOST_CHARS).replace("\r\n", "\n"),
        "rules": _lines(visit.text("rules", _MOST_CHARS)),
        **dict(_words(visit, "")),
        "languages": languages,
    }


def _words(visit: Visit, ending: str) -> Iterator[tuple[str, Any]]:
    if greeting := visit.text(f"greeting{ending}", _MOST_CHARS).replace("\r\n", "\n"):
        yield "greeting", greeting
    if starters := _lines(visit.text(f"starters{ending}", _MOST_CHARS)):
        yield "starters", starters


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _content_of(persona: Persona | None) -> PersonaContent | None:
    return PersonaContent.of(persona) if persona else None


def _form_values(persona: Persona) -> dict[str, str]:
    """The texts of the form's fields."""
    values = {
        "name": persona.name,
        "tone": persona.tone,
        "rules": "\n".join(persona.rules),
        "greeting": persona.opening.greeting,
        "starters": "\n".join(persona.opening.starters),
    }
    for locale, words in persona.languages.items():
        values[f"greeting-{locale}"] = words.greeting
        values[f"starters-{locale}"] = "\n".join(words.starters)
    return values


def _row_of(version: PersonaVersion, names: Mapping[int, str], visit: Visit) -> dict[str, Any]:
    by = version.made_by
    return {
        "id": version.id,
        "by": visit.say("persona-by-command") if by is None else names.get(by) or str(by),
        "at": visit.clocks.moment(version.made_at),
        "name": version.content.name,
        "is_previewed": version.previewed_at is not None,
        "is_being_previewed": version.is_being_previewed,
        "answers": version.preview,
    }
