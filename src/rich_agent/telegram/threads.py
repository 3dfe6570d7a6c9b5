"""Which conversation a message belongs to: the user's main one, or that of its topic."""

from dataclasses import dataclass

from rich_agent.domain.message import thread_of


@dataclass(frozen=True, slots=True)
class Threads:
    """Chooses the thread of a conversation; `per_topic` gives each topic one of its own."""

    per_topic: bool = False

    def of(self, user_id: int, topic_id: int | None) -> str:
        """The thread of what a user says in a topic, or outside of any."""
        return thread_of(user_id, topic_id if self.per_topic else None)
