"""The sample pictures, and questions on them."""

import io

import pytest
from PIL import Image

from rich_agent_sandbox.model.vision.describing import describe_image
from rich_agent_sandbox.model.vision.image_questions import look
from rich_agent_sandbox.pictures import SamplePicture, sample_pictures
from tests.unit.sandbox.model import pictures

CHART, RECEIPT = sample_pictures()


def _packed_again(data: bytes, side: int) -> bytes:
    with Image.open(io.BytesIO(data)) as image:
        small = image.convert("RGB")
    small.thumbnail((side, side))
    buffer = io.BytesIO()
    small.save(buffer, "JPEG", quality=80)
    return buffer.getvalue()


@pytest.mark.parametrize("sample", sample_pictures(), ids=lambda sample: sample.name)
@pytest.mark.parametrize("side", [2000, 400])
def test_sample_picture_is_known_however_it_is_packed(sample: SamplePicture, side: int) -> None:
    """A client scales and compresses what it sends; another picture is not taken for it."""
    assert describe_image(_packed_again(sample.content, side)).summary == sample.summary
    assert describe_image(pictures.noise()).summary != sample.summary


@pytest.mark.parametrize(
    ("content", "question", "told"),
    [
        (CHART.content, CHART.question, "A bar chart"),
        (CHART.content, "How many cups in March?", "March: Cups sold 1,140"),
        (RECEIPT.content, RECEIPT.question, "Cheese 200 g: Price in EUR 4.50"),
    ],
)
def test_questions_on_a_sample_picture_are_answered(
    content: bytes, question: str, told: str
) -> None:
    """From its table, else by its description."""
    assert look(content, question).startswith(told)
