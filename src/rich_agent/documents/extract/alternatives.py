"""Tells which alternative texts of pictures say something: names of files do not."""

from typing import Final

_PICTURES: Final = frozenset(
    {"bmp", "emf", "gif", "heic", "jpeg", "jpg", "png", "svg", "tif", "tiff", "webp", "wmf"}
)
_SUFFIX_LENGTHS: Final = range(2, 6)


def alternative_text(text: str) -> str:
    """The text that stands for a picture in one line, "" if it is only the name of a file.

    Office writes the path of an inserted file there, which may contain spaces.
    """
    words = " ".join(text.split())
    stem, _, suffix = words.rpartition(".")
    if not stem or not suffix.isalnum() or len(suffix) not in _SUFFIX_LENGTHS:
        return words
    is_file = " " not in words or suffix.lower() in _PICTURES
    return "" if is_file else words
