"""Pictures as people have them in documents."""

import io

from PIL import Image, ImageDraw, ImageFont


def picture() -> io.BytesIO:
    """A drawing without words, as PNG."""
    image = Image.new("RGB", (480, 320), "white")
    drawing = ImageDraw.Draw(image)
    drawing.ellipse((60, 40, 300, 280), outline="navy", width=8)
    drawing.line((0, 0, 480, 320), fill="darkred", width=6)
    return _png(image)


def scan(lines: list[str]) -> io.BytesIO:
    """A page of text as a scanner gives it, as PNG."""
    image = Image.new("L", (1240, 1754), 250)
    drawing = ImageDraw.Draw(image)
    font = ImageFont.load_default(32)
    for at, line in enumerate(lines):
        drawing.text((120, 140 + 60 * at), line, fill=20, font=font)
    return _png(image)


def _png(image: Image.Image) -> io.BytesIO:
    target = io.BytesIO()
    image.save(target, "PNG")
    target.seek(0)
    return target
