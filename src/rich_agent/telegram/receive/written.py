"""Models of what is written in the Bot API's messages: marked spans, and rich messages."""

from typing import Annotated, Any

from pydantic import BaseModel, Field

from rich_agent.domain.json_values import strings_in
from rich_agent.ports.bot_api import RICH_WORDS


class Entity(BaseModel):
    """A marked span of a text, in UTF-16 units; `url` is that of words that are a link."""

    type: str = ""
    offset: Annotated[int, Field(ge=0)] = 0
    length: Annotated[int, Field(ge=0)] = 0
    url: str = ""


class RichContent(BaseModel):
    """A rich message, of which only the words are read. Source: Bot API, RichMessage."""

    blocks: list[dict[str, Any]] = []

    def words(self) -> str:
        """The words of its blocks, a line for each."""
        return "\n".join(
            filter(None, (" ".join(strings_in(one, RICH_WORDS)) for one in self.blocks))
        )
