"""Images are checked before they are decoded."""

import io
import struct
import subprocess
import sys
import zlib
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from rich_agent.domain.vision import ImageLimits
from rich_agent.errors import ImageRefusedError
from rich_agent.runtime.imaging import prepare_image

LIMITS = ImageLimits(model_side_px=64)
HEIF_BRANDS = (b"heic", b"heix", b"mif1", b"msf1", b"avif", b"avis")


def _encode(image: Image.Image, form: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, form, **options)
    return buffer.getvalue()


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def solid_png(side: int) -> bytes:
    """A whole PNG of side x side white pixels, one bit each, packed as small as it goes."""
    packer = zlib.compressobj(9)
    row = b"\x00" + b"\xff" * (side // 8)
    pixels = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
    header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    chunks = _chunk(b"IHDR", header) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


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
        *((b"\x00\x00\x00\x18ftyp" + brand + b"\x00" * 40, "heif") for brand in HEIF_BRANDS),
        (b"%PDF-1.7 " + b"x" * 200, "format"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "format"),
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


@pytest.mark.parametrize("form", ["GIF", "PNG", "WEBP"])
def test_prepare_image_refuses_animations(form: str) -> None:
    """Which frame would be meant is anyone's guess."""
    data = _frames(form)
    with pytest.raises(ImageRefusedError) as caught:
        prepare_image(data, LIMITS)
    assert caught.value.reason == "animated"


def test_prepare_image_takes_the_photo_of_a_phone_that_adds_a_second_picture() -> None:
    """A JPEG with a preview or depth map behind it (MPO) is no animation."""
    assert prepare_image(_frames("MPO"), LIMITS).mime == "image/jpeg"


def _frames(form: str) -> bytes:
    first, second = (Image.new("RGB", (8, 8), color) for color in ("red", "blue"))
    return _encode(first, form, save_all=True, append_images=[second])


def test_prepare_image_refuses_text_that_unpacks_to_very_much() -> None:
    """A PNG of 100 kB whose comment takes 100 MB is damaged goods; what it says is not read."""
    packed = b"comment\x00\x00" + zlib.compress(b"x" * 100_000_000, 9)
    whole = _encode(Image.new("RGB", (8, 8), "red"), "PNG")
    data = whole[:33] + _chunk(b"zTXt", packed) + whole[33:]
    assert len(data) < 200_000
    with pytest.raises(ImageRefusedError) as caught:
        prepare_image(data, LIMITS)
    assert caught.value.reason == "unreadable"


def test_prepare_image_overlooks_orientation_that_is_damaged() -> None:
    """A photo is not refused for the sake of its metadata."""
    data = _encode(Image.new("RGB", (40, 20), "red"), "JPEG", exif=b"Exif\x00\x00II*\x00\xff\xff")
    assert prepare_image(data, LIMITS).mime == "image/jpeg"


@settings(derandomize=True, max_examples=150)
@given(st.sampled_from(["JPEG", "PNG", "WEBP", "GIF", "BMP"]), st.data())
def test_prepare_image_takes_or_refuses_any_bytes(form: str, data: st.DataObject) -> None:
    """A picture with bytes exchanged or cut off never raises anything else."""
    whole = bytearray(_encode(Image.new("RGB", (16, 16), "red"), form))
    for place in data.draw(st.lists(st.integers(0, len(whole) - 1), max_size=6)):
        whole[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(whole)))
    with suppress(ImageRefusedError):
        prepare_image(bytes(whole[:cut]), LIMITS)


_HUNGER = """
import resource, sys
from rich_agent.domain.vision import ImageLimits
from rich_agent.errors import ImageRefusedError
from rich_agent.runtime.imaging import prepare_image
from tests.unit.runtime.test_imaging import solid_png

data = solid_png(12_000)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    prepare_image(data, ImageLimits())
except ImageRefusedError as error:
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(len(data), error.reason, after - before)
"""


def test_prepare_image_refuses_a_bomb_without_decoding_it() -> None:
    """12,000 x 12,000 pixels in a few kilobytes would take 412 MB; refusing them takes none."""
    done = subprocess.run(
        [sys.executable, "-c", _HUNGER], capture_output=True, text=True, check=True, timeout=60
    )
    size_bytes, reason, grown_kb = done.stdout.split()
    assert int(size_bytes) < 100_000
    assert reason == "too_many_pixels"
    assert int(grown_kb) < 10_000


def test_prepare_image_refuses_by_size_first() -> None:
    """Too many bytes are not even looked at."""
    with pytest.raises(ImageRefusedError) as caught:
        prepare_image(b"x" * 101, ImageLimits(max_bytes=100))
    assert caught.value.reason == "too_large"
