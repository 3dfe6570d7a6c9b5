"""Interface of what deletes single things that a user said, wherever they are kept.

Every method may raise DatabaseUnavailableError.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from rich_agent.domain.memory.forgetting import Traces


@dataclass(frozen=True, slots=True)
class KeptTurn:
    """A past turn, from the transcript or the archive.

    `around` is what else is kept of it: the message replied to, forwarded words, what its images
    show.
    """

    request_id: str
    question: str
    answer: str
    around: str = ""

    @property
    def text(self) -> str:
        """All that it says."""
        return f"{self.question}\n{self.answer}\n{self.around}"


@dataclass(frozen=True, slots=True)
class Erased:
    """The turns of a user that are to go, or `everything` that was said.

    `traces` tell what belongs to no turn that stays. The requests `in_hand` are being answered:
    their updates are needed until that is done, without their words.
    """

    user_id: int
    thread_id: str
    requests: frozenset[str] = frozenset()
    traces: Traces = field(default_factory=Traces)
    everything: bool = False
    in_hand: frozenset[str] = frozenset()


class Erasure(Protocol):
    """What was said, in all tables but those of the memory and the running state."""

    async def turns(self, user_id: int, thread_id: str) -> Sequence[KeptTurn]:
        """Every turn that is kept of the user, oldest first."""
        ...

    async def erase(self, erased: Erased) -> None:
        """Delete it; the same again changes nothing.

        Raises: LaneLostError once another worker has taken the user's lane over.
        """
        ...
