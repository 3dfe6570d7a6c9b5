"""Who may use the bot. Ids decide, never names: a name can be taken by anyone."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Access:
    """`allowed` empty lets everybody in; admins are always let in."""

    allowed: frozenset[int] = frozenset()
    admins: frozenset[int] = frozenset()

    def permits(self, user_id: int) -> bool:
        """Whether the user may use the bot."""
        return not self.allowed or user_id in self.allowed or user_id in self.admins
