import io
from collections.abc import Callable

import pytest
from PIL import Image

from rich_agent_sandbox.model.message_parts import ImageUnreadableError
from rich_agent_sandbox.model.vision.describing import ONLY_PIXELS_WARNING, describe_image
from tests.unit.sandbox.model import pictures


def test_describe_image_tells_the_sides_and_their_colours() -> None:
    """Two halves are named with their side, share and size of the image."""
    report = describe_image(pictures.halves())
    assert "orange on the left half, navy on the right half" in report.summary
    assert "orange 50%, navy 50%" in report.summary
    assert "landscape, 80×60 pixels" in report.summary


def test_describe_image_tells_upper_and_lower() -> None:
    """A picture turned by a quarter is described by height, not by side."""
    with Image.open(io.BytesIO(pictures.halves())) as image:
        turned = pictures.png(image.rotate(-90, expand=True))
    assert "orange on the upper half, navy on the lower half" in describe_image(turned).summary


@pytest.mark.parametrize(
    ("picture", "kind"),
    [
        (pictures.halves, "a drawing or flat graphic"),
        (pictures.page, "a page of text or a table"),
        (pictures.noise, "a photo"),
    ],
)
def test_describe_image_tells_drawings_text_and_photos_apart(
    picture: Callable[[], bytes], kind: str
) -> None:
    """The kind follows from shades and changes of colour."""
    assert f"looks like {kind}" in describe_image(picture()).summary


def test_describe_image_is_deterministic_and_warns() -> None:
    """The same bytes give the same words, and nobody is led to believe in recognition."""
    assert describe_image(pictures.noise()) == describe_image(pictures.noise())
    assert describe_image(pictures.noise()).warnings == (ONLY_PIXELS_WARNING,)


def test_describe_image_reads_transparency_as_white() -> None:
    """A clear picture is white, as a chat shows it."""
    clear = pictures.png(Image.new("RGBA", (20, 20), (0, 0, 0, 0)))
    assert describe_image(clear).entities[0] == "white"


@pytest.mark.parametrize("data", [b"", b"no image", pictures.halves()[:60]])
def test_describe_image_refuses_what_is_no_image(data: bytes) -> None:
    """Bytes that cannot be decoded are an error with a reason."""
    with pytest.raises(ImageUnreadableError, match="PNG"):
        describe_image(data)
