"""Builds a text with entities, block by block."""

from dataclasses import dataclass, field, replace

from rich_agent.domain.text import utf16_length
from rich_agent.ports.bot_api import RenderedMessage, TextEntity
from rich_agent.rendering.spans import nested


@dataclass(slots=True)
class MessageBuilder:
    """The text so far; a bullet is written together with the first words of its item."""

    bullet: str = ""
    _text: list[str] = field(default_factory=list)
    _units: int = 0
    _entities: list[TextEntity] = field(default_factory=list)
    _is_line_over: bool = False

    def place(self) -> int:
        """The offset of the next words, in UTF-16 units."""
        self._write_bullet()
        self._end_line_if_over()
        return self._units

    def write(self, text: str) -> None:
        """Add words; after `end_line` they begin a new line."""
        if not text:
            return
        self._write_bullet()
        if self._is_line_over:
            self._is_line_over = False
            text = "\n" + text.lstrip()
        self._text.append(text)
        self._units += utf16_length(text)

    def mark(
        self, kind: str, place: int, *, url: str | None = None, language: str | None = None
    ) -> None:
        """Make an entity of the text written since `place`."""
        if self._units > place:
            self._entities.append(TextEntity(kind, place, self._units - place, url, language))

    def write_marked(self, text: str, kind: str, language: str | None = None) -> None:
        """Add words as an entity."""
        place = self.place()
        self.write(text)
        self.mark(kind, place, language=language)

    def write_rendered(self, message: RenderedMessage) -> None:
        """Add a text that has entities."""
        place = self.place()
        self.write(message.text)
        self._entities += (replace(e, offset=e.offset + place) for e in message.entities)

    def start_line(self) -> None:
        """Begin a new line unless the current one is empty."""
        self._write_bullet()
        self._end_line_if_over()
        if self._text and not self._text[-1].endswith("\n"):
            self.write("\n")

    def end_line(self) -> None:
        """Let the next words begin a new line."""
        self._is_line_over = True

    def leave_blank_line(self) -> None:
        """Separate the next block by a blank line."""
        self.start_line()
        if self._text and not "".join(self._text[-2:]).endswith("\n\n"):
            self.write("\n")

    def finish(self) -> RenderedMessage:
        """The text without white space at its end."""
        text = "".join(self._text).rstrip()
        units = utf16_length(text)
        inside = (
            replace(entity, length=min(entity.length, units - entity.offset))
            for entity in self._entities
        )
        return RenderedMessage(text, nested(e for e in inside if e.length > 0))

    def _write_bullet(self) -> None:
        bullet, self.bullet = self.bullet, ""
        self.write(bullet)

    def _end_line_if_over(self) -> None:
        if self._is_line_over:
            self._is_line_over = False
            self.write("\n")
