"""Decodes images in processes that can be ended, so that no image takes the bot with it."""

import resource
from contextlib import suppress
from typing import Final, cast

from anyio import BrokenWorkerProcess, CapacityLimiter, fail_after
from anyio.to_process import current_default_process_limiter, run_sync

from rich_agent.domain.vision import ImageLimits, ImageRefusal
from rich_agent.errors import ImageRefusedError
from rich_agent.imaging import prepare_image
from rich_agent.ports.upstreams import Image

MEMORY_BYTES: Final = 1024 * 1024 * 1024
"""40 megapixels take 160 MB decoded, and a copy of them while they are turned."""


async def prepare_isolated(data: bytes, limits: ImageLimits, *, deadline_s: float = 20.0) -> Image:
    """What `prepare_image` makes of an image, in a process of its own.

    As many processes as there are processors serve, each image for so long at most.
    Raises: ImageRefusedError; "unreadable" also for an image that asks too much.
    """
    # The wait for a process is not the image's fault, so it stands outside of the deadline.
    async with current_default_process_limiter():
        try:
            with fail_after(deadline_s):
                prepared = await run_sync(
                    _prepare_within_limits,
                    data,
                    limits,
                    cancellable=True,
                    limiter=CapacityLimiter(1),
                )
        except TimeoutError as error:
            raise ImageRefusedError("unreadable", f"over {deadline_s:g} s to read") from error
        except BrokenWorkerProcess as error:
            raise ImageRefusedError("unreadable", "its reader broke down") from error
    if isinstance(prepared, Image):
        return prepared
    raise ImageRefusedError(*prepared)


def _prepare_within_limits(data: bytes, limits: ImageLimits) -> Image | tuple[ImageRefusal, str]:
    """The image, or why it is refused: an error of ours does not survive the way back."""
    _limit_memory()
    try:
        return prepare_image(data, limits)
    except ImageRefusedError as error:
        return cast("ImageRefusal", error.reason), str(error)
    except MemoryError:
        return "too_many_pixels", "decoding it takes too much memory"


def _limit_memory() -> None:
    """Let the process take no more than the limit; macOS knows no such limit and refuses it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if soft == resource.RLIM_INFINITY:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, hard))
