"""Images are decoded in a process that may be ended."""

import io

import psutil
import pytest
from PIL import Image as Pillow

from rich_agent.domain.vision import ImageLimits
from rich_agent.errors import ImageRefusedError, UpstreamTimeoutError
from rich_agent.runtime.imaging import ImageDeadlines, prepare_in_process
from tests.integration.processes.busy_readers import all_readers_busy
from tests.unit.runtime.test_imaging import _encode, solid_png


async def test_prepare_isolated_gives_the_image() -> None:
    """The image that comes back is the one that the process made."""
    data = _encode(Pillow.new("RGB", (200, 100), "red"), "PNG")
    prepared = await prepare_in_process(data, ImageLimits(model_side_px=64), "u")
    assert prepared.mime == "image/jpeg"
    assert 0 < len(prepared.data) < len(data) * 10


@pytest.mark.parametrize(("data", "reason"), [(b"", "empty"), (b"x" * 200, "format")])
async def test_prepare_isolated_gives_the_reason(data: bytes, reason: str) -> None:
    """A refusal keeps its reason on its way back."""
    with pytest.raises(ImageRefusedError) as caught:
        await prepare_in_process(data, ImageLimits(), "u")
    assert caught.value.reason == reason


async def test_prepare_isolated_bounds_memory() -> None:
    """Pixels that the limit lets through and the memory does not are refused, and we live on."""
    greedy = ImageLimits(max_pixels=2_000_000_000)
    with pytest.raises(ImageRefusedError) as caught:
        await prepare_in_process(solid_png(24_000), greedy, "u")
    assert caught.value.reason in {"too_many_pixels", "unreadable"}
    small = _encode(Pillow.new("RGB", (8, 8), "red"), "PNG")
    assert (await prepare_in_process(small, ImageLimits(), "u")).mime == "image/jpeg"


async def test_prepare_isolated_bounds_time() -> None:
    """A process that takes too long is ended; the next image has another."""
    data = _encode(Pillow.new("RGB", (8, 8)), "PNG")
    with pytest.raises(ImageRefusedError) as caught:
        await prepare_in_process(data, ImageLimits(), "u", ImageDeadlines(deadline_s=0.0))
    assert caught.value.reason == "unreadable"
    assert (await prepare_in_process(data, ImageLimits(), "u")).mime == "image/jpeg"


def scanned_again(times: int) -> bytes:
    """A small progressive JPEG of 20 megapixels whose last scan comes so many times."""
    file = io.BytesIO()
    Pillow.new("L", (5000, 4000), "grey").save(file, "JPEG", progressive=True)
    data = file.getvalue()
    last = data.rindex(b"\xff\xda")
    return data[:-2] + data[last:-2] * times + data[-2:]


@pytest.mark.costs("the work that is bounded comes to its bounds")
async def test_prepare_isolated_bounds_work() -> None:
    """Hundreds of scans in a small file; readers run behind everything else."""
    hostile = scanned_again(600)
    assert len(hostile) < 10_000_000
    with pytest.raises(ImageRefusedError) as caught:
        await prepare_in_process(
            hostile, ImageLimits(), "u", ImageDeadlines(cpu_s=1, deadline_s=300.0)
        )
    assert caught.value.reason == "unreadable"
    small = _encode(Pillow.new("RGB", (8, 8), "red"), "PNG")
    assert (await prepare_in_process(small, ImageLimits(), "u")).mime == "image/jpeg"
    assert {reader.nice() for reader in psutil.Process().children()} >= {10}


async def test_prepare_isolated_lets_nobody_wait_for_ever() -> None:
    """A queue before busy readers ends with an error that is tried again."""
    small = _encode(Pillow.new("RGB", (8, 8), "red"), "PNG")
    async with all_readers_busy():
        with pytest.raises(UpstreamTimeoutError):
            await prepare_in_process(small, ImageLimits(), "u", ImageDeadlines(queue_s=0.05))
    assert (await prepare_in_process(small, ImageLimits(), "u")).mime == "image/jpeg"
