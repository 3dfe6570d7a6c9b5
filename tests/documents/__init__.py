"""Documents that tests send; see README.md for how they were made."""

from pathlib import Path


def document(name: str) -> bytes:
    """The bytes of a document."""
    return (Path(__file__).parent / name).read_bytes()
