"""Pictures that users send in tests."""

import io

from PIL import Image, ImageDraw, ImageFont

CELL = (6, 11)
"""Width and height of a character of Pillow's bitmap font, in dots."""


def picture(left: str, right: str, *, side: int = 900, seed: int = 0) -> bytes:
    """A PNG of two colours, large enough for Telegram's three sizes; `seed` makes it unique."""
    image = Image.new("RGB", (side, side * 2 // 3), left)
    draw = ImageDraw.Draw(image)
    draw.rectangle((side // 2, 0, side, side), fill=right)
    draw.point((3, 3), fill=(seed % 256, seed // 256 % 256, seed // 65_536 % 256))
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def writing(*lines: str, dot: int = 4, seed: int = 0) -> bytes:
    """A PNG of black text on white in Pillow's bitmap font, `dot` pixels a dot."""
    wide, high = CELL
    font = ImageFont.load_default_imagefont()
    page = Image.new("L", ((max(map(len, lines)) + 4) * wide, (len(lines) + 2) * (high + 2)), 255)
    for row, line in enumerate(lines, start=1):
        for column, character in enumerate(line, start=2):
            # Clipped to its cell, out of which some characters hang.
            cell = Image.new("L", CELL, 255)
            ImageDraw.Draw(cell).text((0, 0), character, fill=0, font=font)
            page.paste(cell, (column * wide, row * (high + 2)))
    page = page.resize((page.width * dot, page.height * dot), Image.Resampling.NEAREST)
    page.putpixel((seed % page.width, seed // page.width % 8), 200)
    buffer = io.BytesIO()
    page.save(buffer, "PNG")
    return buffer.getvalue()
