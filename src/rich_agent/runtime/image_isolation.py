"""Decodes images in processes that can be ended, so that no image takes the bot with it."""

from dataclasses import dataclass
from functools import partial

from rich_agent.domain.vision import ImageLimits
from rich_agent.errors import ImageRefusedError, UpstreamTimeoutError
from rich_agent.ports.models import Image
from rich_agent.runtime.imaging import prepare_image
from rich_agent.runtime.readers import Effort, ReaderFailedError, ReaderRefusedError, read_apart


@dataclass(frozen=True, slots=True)
class ImageDeadlines:
    """Seconds for one image: of a processor, by the clock if the reader hangs, for a free reader.

    40 megapixels take under 2 seconds of a processor; a small file with hundreds of scans any time.
    """

    cpu_s: int = 5
    deadline_s: float = 20.0
    queue_s: float = 30.0


async def prepare_isolated(
    data: bytes, limits: ImageLimits, owner: str, deadlines: ImageDeadlines | None = None
) -> Image:
    """Run `prepare_image` on an image, in a process of its owner's own.

    Raises: ImageRefusedError; "unreadable" also for an image that asks too much;
        UpstreamTimeoutError when no process came free.
    """
    allowed = deadlines or ImageDeadlines()
    effort = Effort(allowed.deadline_s, allowed.cpu_s, allowed.queue_s)
    try:
        return await read_apart(partial(prepare_image, limits=limits), data, Image, owner, effort)
    except ReaderRefusedError as error:
        raise ImageRefusedError(error.reason, str(error)) from error
    except ReaderFailedError as error:
        if error.cause == "busy":
            raise UpstreamTimeoutError("image reader", allowed.queue_s) from error
        raise ImageRefusedError("unreadable", str(error)) from error
