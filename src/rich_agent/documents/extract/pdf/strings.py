"""Reads the texts that PDFium writes to buffers of its callers."""

import ctypes
from collections.abc import Callable


def pdfium_text(write: Callable[[object, int], int]) -> str:
    """The text that a function of PDFium writes to a buffer of a size in bytes."""
    size = write(None, 0)
    if size <= 2:
        return ""
    units = (ctypes.c_ushort * (size // 2 + 1))()
    write(units, size)
    return bytes(units)[: size - 2].decode("utf-16-le", "replace").replace("\0", "")
