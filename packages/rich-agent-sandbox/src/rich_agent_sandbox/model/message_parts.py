"""The parts of a message in a chat completion request: its text and its images."""

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Any

_DATA_URI = re.compile(r"data:[\w.+/-]*(?:;[\w=.-]+)*;base64,(.*)", re.DOTALL)


class ImageUnreadableError(ValueError):
    """An image part is not a base64 data URI; the text says what it is."""


def text_of(message: Mapping[str, Any]) -> str:
    """The text parts of a message, one per line; other parts are ignored."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(part.get("text") or "" for part in parts if part.get("type") == "text")


def images_of(message: Mapping[str, Any]) -> list[bytes]:
    """The bytes of the image parts of a message, in order.

    Raises: ImageUnreadableError.
    """
    return [image_bytes(part) for part in image_parts(message)]


def image_parts(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The `image_url` parts of a message, in order."""
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    return [part for part in parts if part.get("type") == "image_url"]


def image_bytes(part: Mapping[str, Any]) -> bytes:
    """The bytes of one `image_url` part.

    Raises: ImageUnreadableError.
    """
    link = part.get("image_url")
    url = link.get("url") if isinstance(link, Mapping) else link
    match = _DATA_URI.fullmatch(url) if isinstance(url, str) else None
    if not match:
        raise ImageUnreadableError("an image must be a base64 data URI: no address is fetched here")
    try:
        return base64.b64decode(match[1], validate=True)
    except binascii.Error as error:
        raise ImageUnreadableError("the data URI of an image is not valid base64") from error
