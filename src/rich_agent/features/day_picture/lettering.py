"""Measures and draws text in the fonts of this package: Latin, Greek, Cyrillic, Japanese.

Fonts for all scripts would be far larger than the product. Characters of other scripts are not
drawn.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from io import BytesIO
from itertools import groupby

from PIL import ImageDraw, ImageFont

FONTS = (
    "noto-sans-latin",
    "noto-sans-latin-ext",
    "noto-sans-vietnamese",
    "noto-sans-cyrillic",
    "noto-sans-cyrillic-ext",
    "noto-sans-greek",
    "noto-sans-jp-japanese",
)
"""Names of the fonts. A character is drawn in the first font that has it."""
_ELLIPSIS = "…"
_MISSING = "\uffff"
"""A character in no font. It looks like all characters that a font lacks."""
_LEAST_SHARE = 2 / 3
_MEASURED_SIZE = 32
_NO_LINE_START = frozenset(
    "、。，．・：；？！」』）】〕〉》ゝゞ々ーぁぃぅぇぉっゃゅょァィゥェォッャュョ,.;:!?)]}…"
)

Colour = tuple[int, int, int]
Face = ImageFont.FreeTypeFont


@dataclass(frozen=True, slots=True)
class Pen:
    """The style of a text."""

    size: int
    colour: Colour
    ends_there: bool = False
    """Whether the text ends at its place, instead of beginning there."""


class Lettering:
    """The fonts in the sizes of one picture. Threads must not share it.

    Raises: OSError if Pillow cannot read the fonts, because its FreeType has no Brotli.
    """

    def __init__(self) -> None:
        folder = files("rich_agent.features.day_picture").joinpath("fonts")
        self._bytes = {
            name: folder.joinpath(f"{name}-500-normal.woff2").read_bytes() for name in FONTS
        }
        self._faces: dict[tuple[str, int], Face] = {}
        self._fonts: dict[str, str] = {}

    def drawable(self, text: str) -> str:
        """The characters of the text that the fonts have.

        Missing letters become an ellipsis. If they are more than a third, the result is "". Emoji
        and other marks are left out.
        """
        marks = [self._mark_of(character) for character in text]
        letter_marks = [
            character_mark
            for character, character_mark in zip(text, marks, strict=True)
            if character.isalnum()
        ]
        if letter_marks.count(_ELLIPSIS) > len(letter_marks) * (1 - _LEAST_SHARE):
            return ""
        runs = (mark if mark == _ELLIPSIS else "".join(run) for mark, run in groupby(marks))
        return " ".join("".join(runs).split())

    def has_letters(self, text: str) -> bool:
        """Whether the fonts have each letter of a text, or a simpler form of the letter."""
        return all(
            self._mark_of(character) != _ELLIPSIS for character in text if character.isalnum()
        )

    def width(self, text: str, size: int) -> float:
        """The width of a text in pixels; line ends do not count."""
        return sum(self._face(font, size).getlength(run) for font, run in self._runs(text))

    def cut(self, text: str, size: int, most_px: float) -> str:
        """The text, cut to fit into `most_px` and marked with an ellipsis if something was cut."""
        if self.width(text, size) <= most_px:
            return text
        fitting_count = self._fitting(text, size, most_px - self.width(_ELLIPSIS, size))
        return f"{text[:fitting_count].rstrip()}{_ELLIPSIS}"

    def wrap(self, text: str, size: int, most_px: float, most_lines: int) -> list[str]:
        """The text in lines that fit, broken at spaces if there are any; the last line is cut."""
        lines: list[str] = []
        remaining_text = text.strip()
        while remaining_text and len(lines) < most_lines - 1:
            fitting_count = max(1, self._fitting(remaining_text, size, most_px))
            end = _line_end(remaining_text, fitting_count)
            lines.append(remaining_text[:end].rstrip())
            remaining_text = remaining_text[end:].lstrip()
        return [*lines, self.cut(remaining_text, size, most_px)] if remaining_text else lines

    def write(
        self,
        canvas: ImageDraw.ImageDraw,
        at: tuple[float, float],
        text: str,
        pen: Pen,
    ) -> None:
        """Draw a text on one line. `at` is its beginning or end on the baseline, by the pen."""
        x, y = at
        if pen.ends_there:
            x -= self.width(text, pen.size)
        for font, run in self._runs(text):
            face = self._face(font, pen.size)
            canvas.text((x, y), run, fill=pen.colour, font=face, anchor="ls")
            x += face.getlength(run)

    def _mark_of(self, character: str) -> str:
        """The text to draw for a character: itself, a simpler form, an ellipsis, or nothing."""
        if character.isspace() or self._font_of(character):
            return character
        simpler_form = unicodedata.normalize("NFKC", character)
        if all(map(self._font_of, simpler_form)):
            return simpler_form
        return _ELLIPSIS if character.isalnum() else ""

    def _fitting(self, text: str, size: int, most_px: float) -> int:
        """The number of characters from the beginning that fit."""
        least, most = 0, len(text)
        while least < most:
            count = (least + most + 1) // 2
            if self.width(text[:count], size) <= most_px:
                least = count
            else:
                most = count - 1
        return least

    def _runs(self, text: str) -> Iterator[tuple[str, str]]:
        """The parts of the text, each with its font. Characters without a font are left out."""
        for font, run in groupby(text, self._font_of):
            if font:
                yield font, "".join(run)

    def _font_of(self, character: str) -> str:
        """The first font that has a character, "" if none has it."""
        if character not in self._fonts:
            self._fonts[character] = next(
                (name for name in FONTS if self._has(name, character)), ""
            )
        return self._fonts[character]

    def _has(self, font: str, character: str) -> bool:
        if character == " ":
            return True
        if unicodedata.category(character)[0] in "CZ":
            return False
        face = self._face(font, _MEASURED_SIZE)
        missing_mask, character_mask = face.getmask(_MISSING), face.getmask(character)
        return character_mask.size != missing_mask.size or bytes(character_mask) != bytes(
            missing_mask
        )

    def _face(self, font: str, size: int) -> Face:
        if (font, size) not in self._faces:
            self._faces[font, size] = ImageFont.truetype(BytesIO(self._bytes[font]), size)
        return self._faces[font, size]


def _line_end(text: str, fitting: int) -> int:
    """The end of a line, on which `fitting` characters fit."""
    if fitting >= len(text):
        return len(text)
    at_space = text.rfind(" ", 1, fitting + 1)
    if at_space > fitting // 2:
        return at_space
    if text[fitting] in _NO_LINE_START and fitting > 1:
        return fitting - 1
    return fitting
