"""Small pictures with known content, as PNG bytes."""

import io

import numpy as np
from PIL import Image, ImageDraw


def png(image: Image.Image) -> bytes:
    """The bytes of `image` as PNG."""
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def halves(left: str = "orange", right: str = "navy") -> bytes:
    """Two colours side by side, 80×60."""
    image = Image.new("RGB", (80, 60), left)
    ImageDraw.Draw(image).rectangle((40, 0, 80, 60), fill=right)
    return png(image)


def shapes() -> bytes:
    """A red disc and a blue bar on white, 800×600."""
    image = Image.new("RGB", (800, 600), "white")
    draw = ImageDraw.Draw(image)
    draw.ellipse((100, 100, 300, 300), fill="red")
    draw.rectangle((450, 100, 750, 200), fill="blue")
    return png(image)


def page() -> bytes:
    """Rows of small black text on white."""
    image = Image.new("RGB", (800, 600), "white")
    draw = ImageDraw.Draw(image)
    for y in range(20, 580, 18):
        draw.text((20, y), "the quick brown fox jumps over the lazy dog and rests " * 2, fill=0)
    return png(image)


def noise() -> bytes:
    """Soft changes of many shades, as a photo has."""
    steps = np.random.default_rng(1).normal(0, 1, (90, 120, 3))
    walked = np.cumsum(np.cumsum(steps, axis=0), axis=1)
    scaled = (walked - walked.min()) / (walked.max() - walked.min()) * 255
    return png(Image.fromarray(scaled.astype(np.uint8)))
