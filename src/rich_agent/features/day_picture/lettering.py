"""Measures and draws text in the fonts of this package: Latin, Greek, Cyrillic, Japanese.

Fonts for all scripts would be far larger than the product. Of other scripts nothing is drawn.
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
"""Of several that have a character, the first draws it."""
_ELLIPSIS = "…"
_MISSING = "\uffff"
"""No font has it, so it looks as everything that a font does not have."""
_LEAST_SHARE = 2 / 3
_MEASURED_SIZE = 32
_NO_LINE_START = frozenset(
    "、。，．・：；？！」』）】〕〉》ゝゞ々ーぁぃぅぇぉっゃゅょァィゥェォッャュョ,.;:!?)]}…"
)

Colour = tuple[int, int, int]
Face = ImageFont.FreeTypeFont


@dataclass(frozen=True, slots=True)
class Pen:
    """The style of a text; `ends_there` when its place is its end."""

    size: int
    colour: Colour
    ends_there: bool = False


class Lettering:
    """The fonts in the sizes of one picture; not to be shared between threads.

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
        """The text as far as the fonts have it; "" if that is less than two thirds of its letters.

        Letters that are missing become an ellipsis. Emoji and other marks just go.
        """
        marks = [self._mark_of(character) for character in text]
        letters = [one for character, one in zip(text, marks, strict=True) if character.isalnum()]
        if letters.count(_ELLIPSIS) > len(letters) * (1 - _LEAST_SHARE):
            return ""
        runs = (mark if mark == _ELLIPSIS else "".join(run) for mark, run in groupby(marks))
        return " ".join("".join(runs).split())

    def has_letters(self, text: str) -> bool:
        """Whether the fonts have every letter of a text, or a simpler form of it."""
        return all(
            self._mark_of(character) != _ELLIPSIS for character in text if character.isalnum()
        )

    def width(self, text: str, size: int) -> float:
        """Pixels that a text takes, without its line ends."""
        return sum(self._face(font, size).getlength(run) for font, run in self._runs(text))

    def cut(self, text: str, size: int, most_px: float) -> str:
        """The text as far as it fits, with an ellipsis when it was cut."""
        if self.width(text, size) <= most_px:
            return text
        fitting = self._fitting(text, size, most_px - self.width(_ELLIPSIS, size))
        return f"{text[:fitting].rstrip()}{_ELLIPSIS}"

    def wrap(self, text: str, size: int, most_px: float, most_lines: int) -> list[str]:
        """The text in lines that fit, broken at spaces where there are any; the last one is cut."""
        lines: list[str] = []
        rest = text.strip()
        while rest and len(lines) < most_lines - 1:
            fitting = max(1, self._fitting(rest, size, most_px))
            end = _line_end(rest, fitting)
            lines.append(rest[:end].rstrip())
            rest = rest[end:].lstrip()
        return [*lines, self.cut(rest, size, most_px)] if rest else lines

    def write(
        self,
        canvas: ImageDraw.ImageDraw,
        at: tuple[float, float],
        text: str,
        pen: Pen,
    ) -> None:
        """Draw a text on one line; `at` is where it begins or ends, on the baseline."""
        x, y = at
        if pen.ends_there:
            x -= self.width(text, pen.size)
        for font, run in self._runs(text):
            face = self._face(font, pen.size)
            canvas.text((x, y), run, fill=pen.colour, font=face, anchor="ls")
            x += face.getlength(run)

    def _mark_of(self, character: str) -> str:
        """Return what is drawn for a character: itself, a simpler form, an ellipsis, or nothing."""
        if character.isspace() or self._font_of(character):
            return character
        simpler = unicodedata.normalize("NFKC", character)
        if all(map(self._font_of, simpler)):
            return simpler
        return _ELLIPSIS if character.isalnum() else ""

    def _fitting(self, text: str, size: int, most_px: float) -> int:
        """Count the first characters that fit."""
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            if self.width(text[:middle], size) <= most_px:
                low = middle
            else:
                high = middle - 1
        return low

    def _runs(self, text: str) -> Iterator[tuple[str, str]]:
        """Parts of the text, each with its font."""
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
        missing, glyph = face.getmask(_MISSING), face.getmask(character)
        return glyph.size != missing.size or bytes(glyph) != bytes(missing)

    def _face(self, font: str, size: int) -> Face:
        if (font, size) not in self._faces:
            self._faces[font, size] = ImageFont.truetype(BytesIO(self._bytes[font]), size)
        return self._faces[font, size]


def _line_end(text: str, fitting: int) -> int:
    """Return the end of a line of which `fitting` characters fit."""
    if fitting >= len(text):
        return len(text)
    at_space = text.rfind(" ", 1, fitting + 1)
    if at_space > fitting // 2:
        return at_space
    if text[fitting] in _NO_LINE_START and fitting > 1:
        return fitting - 1
    return fitting
