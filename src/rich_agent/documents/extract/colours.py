"""Colours of text and of what it stands on, for all formats.

A colour is red, green and blue up to 255; None stands for one that cannot be told.
"""

from typing import Final

from PIL import ImageColor

Colour = tuple[int, int, int] | None
WHITE: Final = (255, 255, 255)
_NEAR: Final = 24  # in each channel, of 255; text with less contrast is unreadable


def named_colour(name: str) -> Colour:
    """A colour by its name or digits, such as "white" or "#FF0000"."""
    try:
        red, green, blue, *_ = ImageColor.getrgb(name)
    except ValueError:
        return None
    return red, green, blue


def is_unreadable(ink: Colour, paper: Colour) -> bool:
    """Whether text of a colour cannot be told from what is under it."""
    if ink is None or paper is None:
        return False
    return all(abs(one - other) <= _NEAR for one, other in zip(ink, paper, strict=True))
