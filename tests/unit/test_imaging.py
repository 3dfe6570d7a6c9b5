"""Images are checked before they are decoded."""

import io
import struct
import zlib

import pytest
from PIL import Image

from rich_agent.domain.vision import ImageLimits
from rich_agent.errors import ImageRefusedError
from rich_agent.imaging import prepare_image

LIMITS = ImageLimits(model_side_px=64)


def _encode(image: Image.Image, form: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, form, **options)
    return buffer.getvalue()


def _png_bomb(side: int) -> bytes:
    """A PNG whose header promises side x side pixels."""
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + header
    return (
        b"\x89PNG\r\n\x1a\n"
        + struct.pack(">I", len(header))
        + chunk
        + struct.pack(">I", zlib.crc32(chunk))
        + b"\x00\x00\x00\x00IDAT"
    )


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "GIF", "BMP"])
def test_prepare_image_scales_every_format(form: str) -> None:
    """Each readable format becomes a small JPEG."""
    prepared = prepare_image(_encode(Image.new("RGB", (200, 100), "red"), form), LIMITS)
    with Image.open(io.BytesIO(prepared.data)) as image:
        assert image.size == (64, 32)
    assert prepared.mime == "image/jpeg"


def test_prepare_image_applies_rotation_and_drops_metadata() -> None:
    """The model sees the photo upright and learns nothing of where it was taken."""
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010E] = "at home"
    data = _encode(Image.new("RGB", (40, 20), "red"), "JPEG", exif=exif)
    with Image.open(io.BytesIO(prepare_image(data, LIMITS).data)) as image:
        assert image.size == (20, 40)
        assert not image.getexif()


def test_prepare_image_keeps_transparency() -> None:
    """A drawing without background stays one."""
    data = _encode(Image.new("RGBA", (10, 10), (0, 0, 0, 0)), "PNG")
    assert prepare_image(data, LIMITS).mime == "image/png"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"x" * 200, "format"),
        (b"\x00\x00\x00\x18ftypheic" + b"\x00" * 40, "format"),
        (_encode(Image.new("RGB", (64, 64), "red"), "PNG")[:60], "unreadable"),
        (_png_bomb(12_000), "too_many_pixels"),
        (b"x" * 300, "format"),
    ],
)
def test_prepare_image_refuses_with_the_reason(data: bytes, reason: str) -> None:
    """Whatever cannot be looked at is refused by name."""
    with pytest.raises(ImageRefusedError) as caught:
        prepare_image(data, LIMITS)
    assert caught.value.reason == reason


def test_prepare_image_refuses_animations() -> None:
    """Which frame would be meant is anyone's guess."""
    frames = [Image.new("RGB", (8, 8), color) for color in ("red", "blue")]
    data = _encode(frames[0], "GIF", save_all=True, append_images=frames[1:])
    with pytest.raises(ImageRefusedError) as caught:
        prepare_image(data, LIMITS)
    assert caught.value.reason == "animated"


def test_prepare_image_refuses_by_size_first() -> None:
    """Too many bytes are not even looked at."""
    with pytest.raises(ImageRefusedError) as caught:
        prepare_image(b"x" * 101, ImageLimits(max_bytes=100))
    assert caught.value.reason == "too_large"
