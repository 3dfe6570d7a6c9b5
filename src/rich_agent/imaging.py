"""Checks an image before it is decoded and scales it for a model; keeps no metadata."""

import io
import warnings

from PIL import Image as Pillow
from PIL import ImageOps, UnidentifiedImageError

from rich_agent.domain.vision import ImageLimits
from rich_agent.errors import ImageRefusedError
from rich_agent.ports import Image

FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP")
_HEIF_BRANDS = (b"heic", b"heix", b"hevc", b"mif1", b"msf1", b"heim", b"heis", b"avif")
_JPEG_QUALITY = 88


def prepare_image(data: bytes, limits: ImageLimits) -> Image:
    """The image upright, at most `limits.model_side_px` a side, as JPEG (PNG where transparent).

    EXIF rotation is applied and then all metadata, GPS included, is left out.

    Raises: ImageRefusedError("empty" | "too_large" | "format" | "too_many_pixels" | "animated" |
        "unreadable"); size, format and frames are known before any pixel is decoded.
    """
    _check_bytes(data, limits)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Pillow.DecompressionBombWarning)
            with Pillow.open(io.BytesIO(data), formats=FORMATS) as image:
                _check_header(image, limits)
                return _encode(ImageOps.exif_transpose(image), limits)
    except UnidentifiedImageError as error:
        raise ImageRefusedError("format", "not a JPEG, PNG, WebP, GIF or BMP image") from error
    except (Pillow.DecompressionBombError, Pillow.DecompressionBombWarning) as error:
        raise ImageRefusedError("too_many_pixels", "the image has too many pixels") from error
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise ImageRefusedError("unreadable", "the image is damaged") from error


def _check_bytes(data: bytes, limits: ImageLimits) -> None:
    if not data:
        raise ImageRefusedError("empty", "the file is empty")
    if len(data) > limits.max_bytes:
        raise ImageRefusedError("too_large", f"{len(data)} bytes are over {limits.max_bytes}")
    if data[4:8] == b"ftyp" and data[8:12] in _HEIF_BRANDS:
        raise ImageRefusedError("format", "HEIC and AVIF are not read")


def _check_header(image: Pillow.Image, limits: ImageLimits) -> None:
    width, height = image.size
    if width * height > limits.max_pixels:
        raise ImageRefusedError("too_many_pixels", f"{width} x {height} pixels")
    if getattr(image, "n_frames", 1) > 1:
        raise ImageRefusedError("animated", "the image is animated")


def _encode(image: Pillow.Image, limits: ImageLimits) -> Image:
    image.thumbnail((limits.model_side_px, limits.model_side_px), Pillow.Resampling.LANCZOS)
    transparent = image.has_transparency_data
    buffer = io.BytesIO()
    if transparent:
        image.convert("RGBA").save(buffer, "PNG")
    else:
        image.convert("RGB").save(buffer, "JPEG", quality=_JPEG_QUALITY)
    return Image(buffer.getvalue(), "image/png" if transparent else "image/jpeg")
