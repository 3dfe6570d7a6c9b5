"""Interface of the wish that an answer end. Every method may raise DatabaseUnavailableError."""

from typing import Protocol


class Stops(Protocol):
    """Answers that their users want no more of; whichever process writes one finds it here."""

    async def ask(self, user_id: int, update_id: int | None = None) -> int | None:
        """Ask that the answer to an update end, without one: the answer that is being written.

        The update whose answer will end; None when none of this user's is in hand.
        """
        ...

    async def is_asked(self, update_id: int) -> bool:
        """Whether the answer to this update is to end."""
        ...

    async def prune(self, days: float) -> int:
        """Forget what was asked more than `days` ago; how many."""
        ...
