"""Reads the templates of guided sessions: the product's, then the operator's."""

import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rich_agent.feature import SettingsError
from rich_agent.features.session.sessions import SessionTemplate

_SETTING = "SESSION_TEMPLATES_DIR"
_MOST_CHARS = 20_000


class _Template(BaseModel):
    """The form of a template's TOML file."""

    model_config = ConfigDict(extra="forbid")

    title: dict[str, str] = Field(min_length=1)
    opening: dict[str, str] = Field(min_length=1)
    instructions: str = Field(min_length=1, max_length=_MOST_CHARS)
    tools: list[str] = Field(default_factory=list)

    def to_domain(self, name: str) -> SessionTemplate:
        """Convert to the domain type, with the name of the file."""
        return SessionTemplate(
            name,
            self.instructions.strip(),
            {"en": next(iter(self.title.values())), **self.title},
            {"en": next(iter(self.opening.values())), **self.opening},
            frozenset(self.tools),
        )


def load_templates(directory: Path | None = None) -> Mapping[str, SessionTemplate]:
    """All templates by name. An operator's template replaces the product's with the same name.

    Raises: SettingsError if a file cannot be read, or is not a template.
    """
    product_templates = _templates_in(files(__package__).joinpath("shipped"))
    if directory is None:
        return dict(product_templates)
    if not directory.is_dir():
        raise SettingsError(
            _SETTING, f"{directory} is not a directory", hint="Create it, or leave the setting out."
        )
    return {**dict(product_templates), **dict(_templates_in(directory))}


def _templates_in(directory: Traversable) -> Iterator[tuple[str, SessionTemplate]]:
    for file in sorted(directory.iterdir(), key=lambda entry: entry.name):
        name = file.name.removesuffix(".toml")
        if name == file.name:
            continue
        try:
            template = _Template.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
        except (OSError, ValueError, ValidationError) as error:
            raise SettingsError(
                _SETTING,
                f"{file.name} is not a template ({error})",
                hint="A template has title, opening and instructions; see docs/how-to/sessions.md.",
            ) from error
        yield name, template.to_domain(name)
