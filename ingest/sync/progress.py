"""What a sync tells while it runs."""

from typing import Protocol


class Progress(Protocol):
    """Is told how a sync goes on."""

    def begin(self, name: str, number: int, noun: str = "document") -> None:
        """A source of this name is looked through now, with so many documents, or what else."""
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
