"""The picture of a persona: small, without metadata, as JPEG or PNG."""

from rich_agent.feature.images import (
    Image,
    ImageLimits,
    prepare_image,
    prepare_in_process,
)

MOST_BYTES = 5_000_000
_LIMITS = ImageLimits(max_bytes=MOST_BYTES, model_side_px=256)
_OWNER = "persona"
Picture = tuple[str, bytes]
"""The media type, and the bytes."""


def read_picture(data: bytes) -> Picture:
    """The picture in a file of the operator. Raises: ImageRefusedError."""
    return _as_picture(prepare_image(data, _LIMITS))


async def read_sent_picture(data: bytes) -> Picture:
    """The picture in an upload, decoded in a process of its own.

    Raises: ImageRefusedError, UpstreamTimeoutError.
    """
    return _as_picture(await prepare_in_process(data, _LIMITS, _OWNER))


def _as_picture(image: Image) -> Picture:
    return image.mime, image.data
