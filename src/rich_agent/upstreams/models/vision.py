"""The vision model, which summarizes an image or answers a question about it."""

import base64
from typing import Annotated, ClassVar

import openai
from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import Field, StringConstraints

from rich_agent.domain.vision import Image, ImageSummary
from rich_agent.errors import UpstreamRefusedError
from rich_agent.ports.models import Prompt
from rich_agent.upstreams.servers.capabilities import ModelAccess
from rich_agent.upstreams.servers.output_shapes import (
    ModelOutput,
    MostChars,
    MostItems,
    Written,
)
from rich_agent.upstreams.servers.refusals import is_about_content
from rich_agent.upstreams.servers.structured import Output, StructuredModel

_NO_VISION_HINT = (
    "Set VISION_MODEL to a model that takes images; until then photos are answered with an apology."
)


class ImageDescription(ModelOutput):
    """A description of what the image shows."""

    most_tokens: ClassVar[int] = 4_000

    summary: Annotated[
        str, StringConstraints(min_length=1, strip_whitespace=True), MostChars(2_000)
    ]
    entities: Annotated[list[Annotated[Written, MostChars(200)]], MostItems(40)] = Field(
        default_factory=list
    )
    tables: Annotated[list[Annotated[Written, MostChars(8_000)]], MostItems(8)] = Field(
        default_factory=list
    )
    warnings: Annotated[list[Annotated[Written, MostChars(300)]], MostItems(8)] = Field(
        default_factory=list
    )


class AnswerFromImage(ModelOutput):
    """The answer that the image gives to the question."""

    answer: Annotated[str, StringConstraints(min_length=1, strip_whitespace=True), MostChars(6_000)]


class PageTranscription(ModelOutput):
    """The text of a scanned page, "" for an empty page."""

    most_tokens: ClassVar[int] = 8_000

    answer: Annotated[str, StringConstraints(strip_whitespace=True), MostChars(20_000)]


class OpenAIVisionModel(StructuredModel):
    """Implements `VisionModel`."""

    service = "vision model"

    def __init__(self, access: ModelAccess) -> None:
        super().__init__(access)
        self.name = access.role.model

    async def summarize(self, image: Image, prompt: Prompt) -> ImageSummary:
        description = await self._ask(image, prompt, ImageDescription)
        return ImageSummary.from_json(description.model_dump())

    async def look(self, image: Image, prompt: Prompt) -> str:
        return (await self._ask(image, prompt, AnswerFromImage)).answer

    async def transcribe(self, image: Image, prompt: Prompt) -> str:
        return (await self._ask(image, prompt, PageTranscription)).answer

    async def _ask(self, image: Image, prompt: Prompt, shape: type[Output]) -> Output:
        url = f"data:{image.mime};base64,{base64.b64encode(image.data).decode('ascii')}"
        message = HumanMessage(
            [
                {"type": "text", "text": prompt.user},
                {"type": "image_url", "image_url": {"url": url}},
            ]
        )
        try:
            return await self.ask([SystemMessage(prompt.system), message], shape)
        except UpstreamRefusedError as error:
            cause = error.__cause__
            if isinstance(cause, openai.APIStatusError) and is_about_content(cause):
                error.hint = _NO_VISION_HINT
            raise
