"""Describes an image by measurements of its pixels; it recognises no objects.

It reads only large text in the single font that it knows.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from rich_agent_sandbox.model.language.text import content_words
from rich_agent_sandbox.model.message_parts import ImageUnreadableError
from rich_agent_sandbox.model.vision.colours import NAMES, nearest_names
from rich_agent_sandbox.model.vision.glyphs import ReadText, read_text
from rich_agent_sandbox.model.vision.known_pictures import known_picture
from rich_agent_sandbox.pictures import SamplePicture

MOST_PIXELS = 50_000_000
ONLY_PIXELS_WARNING = (
    "Computed from the pixels by the sandbox's stand-in model: "
    "it recognises no objects or people, and of text only one bitmap font."
)
SMALL_TEXT_WARNING = "There is small text, which was not read."
SIDE = 64
"""Width and height in pixels of the analysed copy."""
_LARGE_DOT = 3  # pixels per dot of text that a description includes
_WORDS_NAMED = 8
_COLOURS_NAMED = 5
_SMALLEST_COLOUR = 0.03
_FORMATS = ("PNG", "JPEG", "WEBP", "GIF")  # the formats in OpenAI's Images guide


@dataclass(frozen=True, slots=True)
class ImageReport:
    """A description in one paragraph, its key words, and its limits. `tables` are Markdown."""

    summary: str
    entities: tuple[str, ...]
    warnings: tuple[str, ...] = (ONLY_PIXELS_WARNING,)
    tables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MeasuredImage:
    """The known facts about an image; `colours` are indices into `NAMES`, `shades` is a number."""

    width: int
    height: int
    colours: NDArray[np.intp]
    brightness: float
    shades: int
    text: ReadText
    known: SamplePicture | None = None


def describe_image(data: bytes) -> ImageReport:
    """The size, colours, layout and brightness of an image; equal bytes give equal words.

    The description of a sample picture is written by a person.

    Raises: ImageUnreadableError unless it is a PNG, JPEG, WebP or GIF of up to 50 megapixels.
    """
    measured = measure_image(data)
    if sample := measured.known:
        return ImageReport(sample.summary, sample.entities, (), (sample.table,))
    colour_shares = _main_colours(measured.colours)
    size = f"{measured.width}×{measured.height}"
    colour_list = ", ".join(f"{name} {share:.0%}" for name, share in colour_shares)
    parts = [
        f"The picture looks like {_kind(measured)}: {_layout(measured.colours)}.",
        f"It is {_brightness(measured.brightness)}, {_orientation(measured)}, {size} pixels.",
        f"Main colours: {colour_list}.",
    ]
    large_lines = measured.text.lines if measured.text.dot >= _LARGE_DOT else ()
    if large_lines:
        parts.append(f"Its text reads: {' / '.join(large_lines)}")
    text_words = content_words(" ".join(large_lines))[:_WORDS_NAMED]
    entities = dict.fromkeys([*text_words, *(name for name, _ in colour_shares)])
    small_text_warning = (SMALL_TEXT_WARNING,) if measured.text.lines and not large_lines else ()
    return ImageReport(
        " ".join(parts),
        tuple(entities),
        (ONLY_PIXELS_WARNING, *small_text_warning),
        _tables(large_lines),
    )


def _tables(lines: Sequence[str]) -> tuple[str, ...]:
    """Consecutive lines with bars, as Markdown tables."""
    tables: list[list[str]] = [[]]
    for line in lines:
        if line.startswith("|") and line.endswith("|"):
            tables[-1].append(line)
        else:
            tables.append([])
    return tuple(_markdown(rows) for rows in tables if len(rows) > 1)


def _markdown(rows: list[str]) -> str:
    header, *body_rows = rows
    separator = "|" + " --- |" * (header.count("|") - 1)
    return "\n".join([header, separator, *body_rows])


def measure_image(data: bytes) -> MeasuredImage:
    """The image's size and text, and the colours and regions of a small copy.

    Raises: ImageUnreadableError.
    """
    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
            width, height = image.size
            if width * height > MOST_PIXELS:
                raise ImageUnreadableError(f"an image of {width}×{height} pixels is too large")
            opaque_image = _on_white(image)
            text = read_text(opaque_image)
    except (UnidentifiedImageError, OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise ImageUnreadableError("the image is no readable PNG, JPEG, WebP or GIF") from error
    small_copy = np.asarray(
        opaque_image.resize((SIDE, SIDE), Image.Resampling.NEAREST), dtype=np.uint8
    )
    colours = nearest_names(small_copy)
    luma = small_copy @ np.array([0.299, 0.587, 0.114])  # ITU-R BT.601
    shades = len(np.unique((small_copy // 16).reshape(-1, 3), axis=0))
    brightness, sample_picture = float(luma.mean()) / 255, known_picture(opaque_image)
    return MeasuredImage(width, height, colours, brightness, shades, text, sample_picture)


def _on_white(image: Image.Image) -> Image.Image:
    rgba = image.convert("RGBA")
    white = Image.new("RGBA", rgba.size, "white")
    return Image.alpha_composite(white, rgba).convert("RGB")


def _main_colours(colours: NDArray[np.intp]) -> list[tuple[str, float]]:
    counts = np.bincount(colours.ravel(), minlength=len(NAMES))
    common_indexes = np.argsort(-counts, kind="stable")[:_COLOURS_NAMED]
    shares = [(NAMES[int(index)], int(counts[index]) / colours.size) for index in common_indexes]
    return [(name, share) for name, share in shares if share >= _SMALLEST_COLOUR] or shares[:1]


def _orientation(measured: MeasuredImage) -> str:
    if measured.width == measured.height:
        return "square"
    return "landscape" if measured.width > measured.height else "portrait"


def _kind(measured: MeasuredImage) -> str:
    background = float(np.bincount(measured.colours.ravel()).max()) / measured.colours.size
    changes = np.count_nonzero(np.diff(measured.colours, axis=1)) / measured.colours.size
    if measured.shades <= 24 and changes < 0.12:
        return "a drawing or flat graphic"
    if background >= 0.5 and changes >= 0.12 and measured.shades <= 200:
        return "a page of text or a table"
    return "a photo"


def _layout(colours: NDArray[np.intp]) -> str:
    half = SIDE // 2
    left, right = _dominant(colours[:, :half]), _dominant(colours[:, half:])
    top, bottom = _dominant(colours[:half]), _dominant(colours[half:])
    quarter = SIDE // 4
    middle = _dominant(colours[quarter:-quarter, quarter:-quarter])
    everywhere = _dominant(colours)
    if left and right and left != right:
        return f"{left} on the left half, {right} on the right half"
    if top and bottom and top != bottom:
        return f"{top} on the upper half, {bottom} on the lower half"
    if middle and middle != everywhere:
        return f"{middle} in the middle, {everywhere or 'other colours'} around it"
    return f"mostly {everywhere}" if everywhere else "several colours mixed over the whole area"


def _dominant(colours: NDArray[np.intp]) -> str | None:
    """The colour that covers three fifths of an area, None if there is none."""
    counts = np.bincount(colours.ravel(), minlength=len(NAMES))
    index = int(np.argmax(counts))
    return NAMES[index] if counts[index] / colours.size >= 0.6 else None


def _brightness(mean: float) -> str:
    if mean < 0.3:
        return "dark"
    return "bright" if mean > 0.7 else "neither bright nor dark"
