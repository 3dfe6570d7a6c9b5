"""What a sync tells while it runs."""

from typing import Protocol

from ingest.sources import Source


class Progress(Protocol):
    """Is told how a sync goes on."""

    def begin(self, source: Source, documents: int) -> None:
        """A source is looked through now; it lists so many documents."""
        ...

    def expect(self, chunks: int) -> None:
        """So many more chunks are to be embedded."""
        ...

    def advance(self, *, documents: int = 0, chunks: int = 0, tokens: int = 0) -> None:
        """So many more documents are done, and so much more was embedded."""
        ...

    def say(self, words: str) -> None:
        """Something takes its time."""
        ...
