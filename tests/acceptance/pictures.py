"""Pictures that users send in tests."""

import io

from PIL import Image, ImageDraw


def picture(left: str, right: str, *, side: int = 900, seed: int = 0) -> bytes:
    """A PNG of two colours, large enough for Telegram's three sizes; `seed` makes it unique."""
    image = Image.new("RGB", (side, side * 2 // 3), left)
    draw = ImageDraw.Draw(image)
    draw.rectangle((side // 2, 0, side, side), fill=right)
    draw.point((seed % side, (seed // side) % 100), fill="white")
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()
