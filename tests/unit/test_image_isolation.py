"""Images are decoded in a process that may be ended."""

import pytest
from PIL import Image as Pillow

from rich_agent.domain.vision import ImageLimits
from rich_agent.errors import ImageRefusedError
from rich_agent.image_isolation import prepare_isolated
from tests.unit.test_imaging import _encode, solid_png


async def test_prepare_isolated_gives_the_image() -> None:
    """What comes back is what the process made."""
    data = _encode(Pillow.new("RGB", (200, 100), "red"), "PNG")
    prepared = await prepare_isolated(data, ImageLimits(model_side_px=64))
    assert prepared.mime == "image/jpeg"
    assert 0 < len(prepared.data) < len(data) * 10


@pytest.mark.parametrize(("data", "reason"), [(b"", "empty"), (b"x" * 200, "format")])
async def test_prepare_isolated_gives_the_reason(data: bytes, reason: str) -> None:
    """A refusal keeps its reason on its way back."""
    with pytest.raises(ImageRefusedError) as caught:
        await prepare_isolated(data, ImageLimits())
    assert caught.value.reason == reason


async def test_prepare_isolated_bounds_memory() -> None:
    """Pixels that the limit lets through and the memory does not are refused, and we live on."""
    greedy = ImageLimits(max_pixels=2_000_000_000)
    with pytest.raises(ImageRefusedError) as caught:
        await prepare_isolated(solid_png(24_000), greedy)
    assert caught.value.reason in {"too_many_pixels", "unreadable"}
    small = _encode(Pillow.new("RGB", (8, 8), "red"), "PNG")
    assert (await prepare_isolated(small, ImageLimits())).mime == "image/jpeg"


async def test_prepare_isolated_bounds_time() -> None:
    """A process that takes too long is ended; the next image has another."""
    data = _encode(Pillow.new("RGB", (8, 8)), "PNG")
    with pytest.raises(ImageRefusedError) as caught:
        await prepare_isolated(data, ImageLimits(), deadline_s=0.0)
    assert caught.value.reason == "unreadable"
    assert (await prepare_isolated(data, ImageLimits())).mime == "image/jpeg"
