"""Models of what is written in the Bot API's messages: marked spans, and rich messages."""

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BaseModel, Field

_RICH_WORDS = ("summary", "text", "expression", "cells", "items", "blocks")


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
        return "\n".join(filter(None, (" ".join(_strings_in(one)) for one in self.blocks)))


def _strings_in(block: object) -> Iterator[str]:
    waiting: list[object] = [block]
    while waiting:
        match waiting.pop():
            case str(text):
                yield text
            case list() as several:
                waiting += reversed(several)
            case dict() as part:
                waiting += reversed([part[name] for name in _RICH_WORDS if name in part])
