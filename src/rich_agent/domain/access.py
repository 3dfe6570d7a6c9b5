"""Access to the bot, decided by ids, never by names: a name can be taken by anyone."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Access:
    """The access rules of the settings. No `allowed` at all means everybody; admins always pass."""

    allowed: frozenset[int] | None = None
    admins: AbstractSet[int] = frozenset()

    def is_admin(self, user_id: int) -> bool:
        """Whether the user may use the admin commands."""
        return user_id in self.admins

    def permits(self, user_id: int, listed: bool | None = None) -> bool:  # noqa: FBT001 - three-valued
        """Whether the user may use the bot; `listed` is their entry in the database's access list.

        The entry overrides ALLOWED_USERS, because it is newer and the same in all processes. It
        does not override ADMIN_USERS, so that no admin can be locked out from inside the chat.
        """
        if self.is_admin(user_id):
            return True
        if listed is not None:
            return listed
        return self.allowed is None or user_id in self.allowed
