"""Decodes images in processes that can be ended, so that no image takes the bot with it."""

import os
import resource
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final, cast

from anyio import BrokenWorkerProcess, CapacityLimiter, fail_after
from anyio.to_process import current_default_process_limiter, run_sync

from rich_agent.domain.vision import ImageLimits, ImageRefusal
from rich_agent.errors import ImageRefusedError, UpstreamTimeoutError
from rich_agent.ports.models import Image
from rich_agent.runtime.imaging import prepare_image

MEMORY_BYTES: Final = 1024 * 1024 * 1024
"""40 megapixels take 160 MB decoded, and a copy of them while they are turned."""
_NICENESS: Final = 10


@dataclass(frozen=True, slots=True)
class ImageDeadlines:
    """Seconds for one image: of a processor, by the clock if the reader hangs, for a free reader.

    40 megapixels take under 2 seconds of a processor; a small file with hundreds of scans any time.
    """

    cpu_s: int = 5
    deadline_s: float = 20.0
    queue_s: float = 30.0


async def prepare_isolated(
    data: bytes, limits: ImageLimits, deadlines: ImageDeadlines | None = None
) -> Image:
    """What `prepare_image` makes of an image, in a process of its own.

    As many processes as there are processors serve, behind everything else that runs there.
    Raises: ImageRefusedError; "unreadable" also for an image that asks too much;
        UpstreamTimeoutError when no process came free.
    """
    deadlines = deadlines or ImageDeadlines()
    # The wait for a process is not the image's fault, so it has a deadline of its own.
    async with _free_reader(deadlines.queue_s):
        try:
            with fail_after(deadlines.deadline_s):
                prepared = await run_sync(
                    _prepare_within_limits,
                    data,
                    limits,
                    deadlines.cpu_s,
                    cancellable=True,
                    limiter=CapacityLimiter(1),
                )
        except TimeoutError as error:
            reason = f"over {deadlines.deadline_s:g} s to read"
            raise ImageRefusedError("unreadable", reason) from error
        except BrokenWorkerProcess as error:
            raise ImageRefusedError("unreadable", "its reader crashed or took too long") from error
    if isinstance(prepared, Image):
        return prepared
    raise ImageRefusedError(*prepared)


@asynccontextmanager
async def _free_reader(queue_s: float) -> AsyncIterator[None]:
    limiter = current_default_process_limiter()
    try:
        with fail_after(queue_s):
            await limiter.acquire()
    except TimeoutError as error:
        raise UpstreamTimeoutError("image reader", queue_s) from error
    try:
        yield
    finally:
        limiter.release()


def _prepare_within_limits(
    data: bytes, limits: ImageLimits, cpu_s: int
) -> Image | tuple[ImageRefusal, str]:
    """The image, or why it is refused: an error of ours does not survive the way back."""
    os.setpriority(os.PRIO_PROCESS, 0, _NICENESS)
    _limit_memory()
    _limit_cpu(cpu_s)
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


def _limit_cpu(seconds: int) -> None:
    """Have the kernel end the process when it has worked for so long from here on."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(
        resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + 1 + seconds, hard)
    )
