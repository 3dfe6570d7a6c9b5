"""Reads text in a certain bitmap font by comparing dots; any other text stays unread.

The font is the one that comes with Pillow (`ImageFont.load_default_imagefont`), each character in a
cell of its own, each dot drawn as a square of 2 to 12 pixels, dark on light.
"""

import math
import string
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 6, 11
_DOTS = range(2, 13)
_DARK = 110  # of 255
_CHARACTERS = string.ascii_letters + string.digits + string.punctuation

_Bits = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ReadText:
    """The lines of an image, top to bottom; `dot` is the side of a dot in pixels."""

    lines: tuple[str, ...] = ()
    dot: int = 0


def read_text(image: Image.Image) -> ReadText:
    """The text of an image, empty unless every dot of at least one line fits the font."""
    ink: _Bits = np.asarray(image.convert("L")) < _DARK
    dot = _dot_of(ink)
    if dot not in _DOTS:
        return ReadText()
    lines = [line for rows in _bands(ink) if (line := _read_line(ink[rows], dot))]
    return ReadText(tuple(lines), dot) if lines else ReadText()


def _dot_of(ink: _Bits) -> int:
    """The side of a dot: nearly all horizontal runs of ink are multiples of it."""
    edges = np.diff(np.pad(ink, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    starts, ends = np.nonzero(edges == 1)[1], np.nonzero(edges == -1)[1]
    lengths = Counter((ends - starts).tolist())
    total = sum(lengths.values())
    fitting = [
        dot
        for dot in _DOTS
        if total and sum(n for run, n in lengths.items() if run % dot == 0) >= 0.98 * total
    ]
    return max(fitting, default=0)


def _bands(ink: _Bits) -> list[slice]:
    """The rows of each line: rows with ink between rows without ink."""
    inked = np.pad(ink.any(axis=1), 1)
    edges = np.flatnonzero(np.diff(inked.astype(np.int8)))
    return [
        slice(int(top), int(bottom)) for top, bottom in zip(edges[::2], edges[1::2], strict=True)
    ]


def _read_line(band: _Bits, dot: int) -> str:
    columns = np.flatnonzero(band.any(axis=0))
    inked = band[:, columns[0] : columns[-1] + 1]
    dots = inked[dot // 2 :: dot, dot // 2 :: dot]
    if dots.shape[0] > HEIGHT:
        return ""
    readings = (
        _read_cells(dots, top, shift)
        for top in range(HEIGHT - dots.shape[0] + 1)
        for shift in range(WIDTH)
    )
    return next((text for text in readings if text), "")


def _read_cells(dots: _Bits, top: int, shift: int) -> str:
    """The line if its first cell begins `shift` dots earlier; "" if a cell is not a character."""
    height, width = dots.shape
    cells = math.ceil((width + shift) / WIDTH)
    grid = np.zeros((HEIGHT, cells * WIDTH), dtype=bool)
    grid[top : top + height, shift : shift + width] = dots
    known, text = _glyphs(), ""
    for start, end in pairwise(range(0, cells * WIDTH + 1, WIDTH)):
        character = known.get(grid[:, start:end].tobytes())
        if character is None:
            return ""
        text += character
    return text.strip()


@cache
def _glyphs() -> dict[bytes, str]:
    font = ImageFont.load_default_imagefont()
    known = {np.zeros((HEIGHT, WIDTH), dtype=bool).tobytes(): " "}
    for character in _CHARACTERS:
        cell = Image.new("1", (WIDTH, HEIGHT), 1)
        ImageDraw.Draw(cell).text((0, 0), character, fill=0, font=font)
        known.setdefault((~np.asarray(cell)).tobytes(), character)
    return known
