"""The file of personas, in TOML: the bot's own, and those of spaces in tables `[spaces.NAME]`.

All problems of the file are found before the bot starts, each with its line.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from rich_agent.feature import SettingsError
from rich_agent.feature.errors import ImageRefusedError
from rich_agent.feature.personas import Persona, Personas
from rich_agent.features.persona.content import PersonaRefusedError, read_content

SETTING: Final = "PERSONA_FILE"
_HINT = (
    'Write name = "Ada", tone = "…", rules = ["…"], greeting = "…", starters = ["…"]; '
    "docs/how-to/give-it-a-persona.md has a whole file."
)
_MOST_BYTES = 65_536
_SPACES, _PICTURE = "spaces", "picture"
Place = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class PersonaFile:
    """The personas of a file by space, "" for the bot's own, and the file's problems."""

    by_space: Mapping[str, Persona] = field(default_factory=dict)
    problems: tuple[SettingsError, ...] = ()

    @property
    def personas(self) -> Personas:
        """The personas as the bot uses them."""
        by_space = {name.lower(): one for name, one in self.by_space.items() if name}
        return Personas(self.by_space.get(""), by_space)


def read_persona_file(path: Path | None) -> PersonaFile:
    """The personas in a file, none without a file."""
    if path is None:
        return PersonaFile()
    try:
        text = _text_of(path)
        values = tomllib.loads(text)
    except SettingsError as error:
        return PersonaFile(problems=(error,))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        broken_file = SettingsError(SETTING, f"{path} is not TOML: {error}", hint=_HINT)
        return PersonaFile(problems=(broken_file,))
    by_space, problems = dict[str, Persona](), list[tuple[Place, str]]()
    for place, name, persona_values in _entries(values, problems):
        try:
            by_space[name] = _persona(persona_values, path.parent)
        except PersonaRefusedError as error:
            problems += [((*place, *inner), problem) for inner, problem in error.problems]
    lines = _Lines(text)
    return PersonaFile(
        by_space, tuple(_problem(path, lines, place, what) for place, what in problems)
    )


def _text_of(path: Path) -> str:
    """The text of the file. Raises: SettingsError."""
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise SettingsError(SETTING, f"{path} is larger than 64 kB", hint=_HINT)
        return content.decode("utf-8-sig")
    except OSError as error:
        raise SettingsError(
            SETTING,
            f"{path} cannot be read: {error.strerror}",
            hint="Write the path of a file that this program may read, or leave it out.",
        ) from error
    except UnicodeDecodeError as error:
        raise SettingsError(SETTING, f"{path} is not in UTF-8", hint=_HINT) from error


def _entries(
    values: Mapping[str, Any], problems: list[tuple[Place, str]]
) -> Iterator[tuple[Place, str, Mapping[str, Any]]]:
    """The place, the space and the values of each persona in the file."""
    own = {name: value for name, value in values.items() if name != _SPACES}
    if own:
        yield (), "", own
    spaces = values.get(_SPACES, {})
    if not isinstance(spaces, dict):
        problems.append(((_SPACES,), "has to be a table for each space: [spaces.NAME]"))
        return
    for name, space_values in spaces.items():
        if isinstance(space_values, dict):
            yield (_SPACES, name), name, space_values
        else:
            problems.append(((_SPACES, name), "has to be a table: [spaces.NAME]"))


def _persona(values: Mapping[str, Any], folder: Path) -> Persona:
    """The persona with these values; its picture is a path that counts from `folder`.

    Raises: PersonaRefusedError.
    """
    content = read_content({name: value for name, value in values.items() if name != _PICTURE})
    picture_path = values.get(_PICTURE)
    if picture_path is None:
        return content.to_persona()
    if not isinstance(picture_path, str):
        raise PersonaRefusedError([((_PICTURE,), "has to be the path of a picture")])
    try:
        data = (folder / picture_path).read_bytes()
        # Most files name no picture, and decoding one loads a library.
        from rich_agent.features.persona.picture import read_picture  # noqa: PLC0415 - see above

        return content.to_persona(read_picture(data))
    except OSError as error:
        problem = f"{picture_path} cannot be read: {error.strerror}"
        raise PersonaRefusedError([((_PICTURE,), problem)]) from error
    except (ImageRefusedError, ValueError) as error:
        raise PersonaRefusedError([((_PICTURE,), str(error))]) from error


def _problem(path: Path, lines: "_Lines", place: Place, problem: str) -> SettingsError:
    names = [f"entry {one + 1}" if isinstance(one, int) else one for one in place]
    where = f"{path}, line {lines.of(place)}"
    return SettingsError(SETTING, f"{where}: {', '.join(names)}: {problem}", hint=_HINT)


class _Lines:
    """The lines of a text in TOML on which values stand."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines()

    def of(self, place: Sequence[str | int]) -> int:
        """The number of the line on which the statement with the value begins, from 1."""
        names = [name for name in place if isinstance(name, str)]
        begin = 0
        for end in range(1, len(self._lines) + 1):
            # A text in TOML is whole only where a statement ends.
            try:
                values = tomllib.loads("\n".join(self._lines[:end]))
            except tomllib.TOMLDecodeError:
                continue
            if _has(values, names):
                return 1 + next(
                    number for number in range(begin, end) if self._lines[number].strip()
                )
            begin = end
        return 1


def _has(values: Any, names: Sequence[str]) -> bool:  # noqa: ANN401 - TOML
    for name in names:
        if not isinstance(values, dict) or name not in values:
            return False
        values = values[name]
    return True
