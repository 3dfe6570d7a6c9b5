"""The section of the settings: the file of personas."""

from collections.abc import Sequence
from functools import cached_property

from typing_extensions import override

from rich_agent.feature import Group, SettingsError, setting
from rich_agent.feature.settings import FilePath
from rich_agent.features.persona.persona_file import PersonaFile, read_persona_file


class PersonaSettings(Group):
    """The file of personas, which is read once."""

    file: FilePath = setting(
        "TOML file with the bot's name, tone, rules, greeting, first questions and picture, also "
        "for single spaces; unset: none."
    )

    @cached_property
    def content(self) -> PersonaFile:
        """The content of the file."""
        return read_persona_file(self.file)

    @override
    def find_problems(self) -> Sequence[SettingsError]:
        return self.content.problems
