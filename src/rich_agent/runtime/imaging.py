"""Checks and scales images for a model, in processes that can be ended; keeps no metadata."""

import io
import struct
import warnings
from dataclasses import dataclass
from functools import partial

from PIL import Image as Pillow
from PIL import ImageOps, UnidentifiedImageError

from rich_agent.domain.vision import Image, ImageLimits
from rich_agent.errors import ImageRefusedError, UpstreamTimeoutError
from rich_agent.runtime.readers import Effort, ReaderFailedError, ReaderRefusedError, read_apart

FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP")
_MOVING = frozenset({"GIF", "PNG", "WEBP"})
"""Formats whose frames are an animation. Two frames in a JPEG are a phone's depth map or preview
(MPO), of which the first is the photo."""
_HEIF_BRANDS = frozenset(
    {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1", b"avif", b"avis"}
)
_DAMAGED = (OSError, ValueError, SyntaxError, EOFError, KeyError, IndexError, TypeError)
"""What Pillow's readers raise for bytes that are not whole; struct.error besides."""
_JPEG_QUALITY = 88


def prepare_image(data: bytes, limits: ImageLimits) -> Image:
    """The image upright, at most `limits.model_side_px` a side, as JPEG (PNG where transparent).

    EXIF rotation is applied and then all metadata, GPS included, is left out.

    Raises: ImageRefusedError("empty" | "too_large" | "format" | "heif" | "too_many_pixels" |
        "animated" | "unreadable"); size, format and frames are known before any pixel is decoded.
    """
    _check_bytes(data, limits)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Pillow.DecompressionBombWarning)
            with Pillow.open(io.BytesIO(data), formats=FORMATS) as image:
                _check_header(image, limits)
                return _encode(image, limits)
    except UnidentifiedImageError as error:
        raise ImageRefusedError("format", "not a JPEG, PNG, WebP, GIF or BMP image") from error
    except (Pillow.DecompressionBombError, Pillow.DecompressionBombWarning) as error:
        raise ImageRefusedError("too_many_pixels", "the image has too many pixels") from error
    except (*_DAMAGED, struct.error) as error:
        raise ImageRefusedError("unreadable", "the image is damaged") from error
    except MemoryError as error:
        reason = "decoding it takes too much memory"
        raise ImageRefusedError("too_many_pixels", reason) from error


def _check_bytes(data: bytes, limits: ImageLimits) -> None:
    if not data:
        raise ImageRefusedError("empty", "the file is empty")
    if len(data) > limits.max_bytes:
        raise ImageRefusedError("too_large", f"{len(data)} bytes are over {limits.max_bytes}")
    if data[4:8] == b"ftyp" and data[8:12] in _HEIF_BRANDS:
        raise ImageRefusedError("heif", "HEIC and AVIF are not supported")


def _check_header(image: Pillow.Image, limits: ImageLimits) -> None:
    width, height = image.size
    if width * height > limits.max_pixels:
        raise ImageRefusedError("too_many_pixels", f"{width} x {height} pixels")
    if image.format in _MOVING and getattr(image, "is_animated", False):
        raise ImageRefusedError("animated", "the image is animated")


def _encode(image: Pillow.Image, limits: ImageLimits) -> Image:
    side = limits.model_side_px
    # A JPEG can be decoded at a half, a quarter or an eighth of its size: a fraction of the memory.
    image.draft("RGB", (side, side))
    small = _upright(image)
    small.thumbnail((side, side), Pillow.Resampling.LANCZOS)
    buffer = io.BytesIO()
    if small.has_transparency_data:
        small.convert("RGBA").save(buffer, "PNG")
        return Image(buffer.getvalue(), "image/png")
    small.convert("RGB").save(buffer, "JPEG", quality=_JPEG_QUALITY)
    return Image(buffer.getvalue(), "image/jpeg")


def _upright(image: Pillow.Image) -> Pillow.Image:
    """The image as it is meant to be seen; orientation that cannot be read is none."""
    image.load()
    try:
        return ImageOps.exif_transpose(image)
    except (*_DAMAGED, struct.error):
        return image.copy()


@dataclass(frozen=True, slots=True)
class ImageDeadlines:
    """Seconds for one image: of a processor, by the clock if the reader hangs, for a free reader.

    40 megapixels take under 2 seconds of a processor; a small file with hundreds of scans any time.
    """

    cpu_s: int = 5
    deadline_s: float = 20.0
    queue_s: float = 30.0


async def prepare_in_process(
    data: bytes, limits: ImageLimits, owner: str, deadlines: ImageDeadlines | None = None
) -> Image:
    """Run `prepare_image` on an image, in a process of its owner's own.

    Raises: ImageRefusedError; "unreadable" also for an image that asks too much;
        UpstreamTimeoutError when no process came free.
    """
    limits_of_time = deadlines or ImageDeadlines()
    effort = Effort(limits_of_time.deadline_s, limits_of_time.cpu_s, limits_of_time.queue_s)
    try:
        return await read_apart(partial(prepare_image, limits=limits), data, Image, owner, effort)
    except ReaderRefusedError as error:
        raise ImageRefusedError(error.reason, str(error)) from error
    except ReaderFailedError as error:
        if error.cause == "busy":
            raise UpstreamTimeoutError("image reader", limits_of_time.queue_s) from error
        raise ImageRefusedError("unreadable", str(error)) from error
