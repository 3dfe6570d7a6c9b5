"""Versions of personas as they are stored: drafts, previews, and what is in effect."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Self

from rich_agent.feature import RichAgentError
from rich_agent.feature.personas import Persona
from rich_agent.features.persona.content import PersonaContent

PREVIEW_WORK: Final = "persona_preview"
"""The kind of due work that answers the questions of a preview; the key is the version's id."""
PREVIEWED: Final = 3
"""Questions of a preview."""


class PersonaStateError(RichAgentError):
    """A version that cannot be put into effect now; `key` is the phrase that says why."""

    def __init__(self, key: str, message: str, hint: str) -> None:
        super().__init__(message, hint=hint)
        self.key = key


@dataclass(frozen=True, slots=True)
class PreviewedAnswer:
    """An answer of the preview, and the one that the bot gives now; or why there is none."""

    question: str
    draft: str = ""
    present: str = ""
    failure: str = ""

    def to_json(self) -> dict[str, str]:
        """The answer as it is stored."""
        return {
            "question": self.question,
            "draft": self.draft,
            "present": self.present,
            "failure": self.failure,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, str]) -> Self:
        """The answer that `to_json` wrote."""
        return cls(**{name: value[name] for name in cls.__dataclass_fields__ if name in value})


@dataclass(frozen=True, slots=True)
class PersonaVersion:
    """A version of a persona; `space` is "" for the bot's own. `made_by` None is the command."""

    id: int
    space: str
    content: PersonaContent
    picture: tuple[str, bytes] | None
    made_by: int | None
    made_at: datetime
    questions: Sequence[str] = ()
    """The questions of the preview that is wanted."""
    preview: Sequence[PreviewedAnswer] = ()
    previewed_at: datetime | None = None

    @property
    def persona(self) -> Persona:
        """The persona of the version."""
        return self.content.to_persona(self.picture)

    @property
    def is_being_previewed(self) -> bool:
        """Whether questions wait for their answers."""
        return len(self.preview) < len(self.questions)


@dataclass(frozen=True, slots=True)
class NewVersion:
    """A draft to store."""

    space: str
    content: PersonaContent
    picture: tuple[str, bytes] | None = None
    made_by: int | None = None

    def to_values(self) -> dict[str, Any]:
        """The values of the row, but for the content."""
        media_type, data = self.picture or ("", None)
        return {
            "space": self.space.lower(),
            "picture_type": media_type,
            "picture": data,
            "made_by": self.made_by,
        }
