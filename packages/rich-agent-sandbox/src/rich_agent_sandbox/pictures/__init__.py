"""The pictures that the chat page offers, with descriptions of their content."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class SamplePicture:
    """A PNG file; `label` and `question` are for the page, `table` is Markdown."""

    name: str
    label: str
    question: str
    summary: str
    entities: tuple[str, ...]
    table: str

    @property
    def content(self) -> bytes:
        """The bytes of the file."""
        return files(__package__).joinpath(f"{self.name}.png").read_bytes()


@cache
def sample_pictures() -> tuple[SamplePicture, ...]:
    """All sample pictures."""
    entries = tomllib.loads(files(__package__).joinpath("pictures.toml").read_text("utf-8"))
    return tuple(
        SamplePicture(
            name,
            label=entry["label"],
            question=entry["question"],
            summary=entry["summary"],
            entities=tuple(entry["entities"]),
            table=entry["table"].strip(),
        )
        for name, entry in entries.items()
    )
