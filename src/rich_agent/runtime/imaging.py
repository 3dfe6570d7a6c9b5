"""Checks and scales images for a model, in separate processes; removes all metadata."""

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
"""Errors that Pillow raises for damaged images, in addition to struct.error."""
_JPEG_QUALITY = 88


def prepare_image(data: bytes, limits: ImageLimits) -> Image:
    """The image upright, at most `limits.model_side_px` a side, as JPEG; PNG if transparent.

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
    """Refuse an empty, a too large, or a HEIF file."""
    if not data:
        raise ImageRefusedError("empty", "the file is empty")
    if len(data) > limits.max_bytes:
        raise ImageRefusedError("too_large", f"{len(data)} bytes are over {limits.max_bytes}")
    if data[4:8] == b"ftyp" and data[8:12] in _HEIF_BRANDS:
        raise ImageRefusedError("heif", "HEIC and AVIF are not supported")


def _check_header(image: Pillow.Image, limits: ImageLimits) -> None:
    """Refuse an image with too many pixels, or an animated one."""
    width, height = image.size
    if width * height > limits.max_pixels:
        raise ImageRefusedError("too_many_pixels", f"{width} x {height} pixels")
    if image.format in _MOVING and getattr(image, "is_animated", False):
        raise ImageRefusedError("animated", "the image is animated")


def _encode(image: Pillow.Image, limits: ImageLimits) -> Image:
    """The scaled image as JPEG, as PNG if it is transparent."""
    side = limits.model_side_px
    # A JPEG can be decoded at a half, a quarter or an eighth of its size, which saves memory.
    image.draft("RGB", (side, side))
    scaled_image = _upright(image)
    scaled_image.thumbnail((side, side), Pillow.Resampling.LANCZOS)
    buffer = io.BytesIO()
    if scaled_image.has_transparency_data:
        scaled_image.convert("RGBA").save(buffer, "PNG")
        return Image(buffer.getvalue(), "image/png")
    scaled_image.convert("RGB").save(buffer, "JPEG", quality=_JPEG_QUALITY)
    return Image(buffer.getvalue(), "image/jpeg")


def _upright(image: Pillow.Image) -> Pillow.Image:
    """The image, rotated by its EXIF orientation if that can be read."""
    image.load()
    try:
        return ImageOps.exif_transpose(image)
    except (*_DAMAGED, struct.error):
        return image.copy()


@dataclass(frozen=True, slots=True)
class ImageDeadlines:
    """The deadlines for one image, in seconds.

    - `cpu_s`: of a processor. 40 megapixels take less than 2 s; a small file with hundreds of scans
      may take any time.
    - `deadline_s`: by the clock, in case the reader hangs.
    - `queue_s`: to wait for a free reader.
    """

    cpu_s: int = 5
    deadline_s: float = 20.0
    queue_s: float = 30.0


async def prepare_in_process(
    data: bytes, limits: ImageLimits, owner: str, deadlines: ImageDeadlines | None = None
) -> Image:
    """Run `prepare_image` in a process that no other owner's images share.

    Raises: ImageRefusedError, with "unreadable" also for an image that takes too long or too much
        memory; UpstreamTimeoutError when no process became free.
    """
    time_limits = deadlines or ImageDeadlines()
    effort = Effort(time_limits.deadline_s, time_limits.cpu_s, time_limits.queue_s)
    try:
        return await read_apart(partial(prepare_image, limits=limits), data, Image, owner, effort)
    except ReaderRefusedError as error:
        raise ImageRefusedError(error.reason, str(error)) from error
    except ReaderFailedError as error:
        if error.cause == "busy":
            raise UpstreamTimeoutError("image reader", time_limits.queue_s) from error
        raise ImageRefusedError("unreadable", str(error)) from error
