"""Access to the bot, decided by ids, and tags that name users without revealing them."""

import hashlib
import hmac
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Access:
    """The access rules of the settings. No `allowed` at all means everybody; admins always pass."""

    allowed: frozenset[int] | None = None
    admins: AbstractSet[int] = frozenset()

    def is_admin(self, user_id: int) -> bool:
        """Whether the user may use the admin commands."""
        return user_id in self.admins

    def permits(self, user_id: int, entry: bool | None = None) -> bool:  # noqa: FBT001 - three-valued
        """Whether the user may use the bot; `entry` is their entry in the database's access list.

        The entry overrides ALLOWED_USERS, because it is newer and the same in all processes. It
        does not override ADMIN_USERS, so that no admin can be locked out from inside the chat.
        """
        if self.is_admin(user_id):
            return True
        if entry is not None:
            return entry
        return self.allowed is None or user_id in self.allowed


@dataclass(frozen=True, slots=True)
class UserTags:
    """Tags under a secret of this installation, such as the bot's token.

    Without the secret, the id of a tag cannot be found by trying all ids.
    """

    secret: str = field(default="", repr=False)

    def of(self, user_id: int) -> str:
        """12 hexadecimal digits, the same each time."""
        digest = hmac.digest(self.secret.encode(), f"user:{user_id}".encode(), hashlib.sha256)
        return digest.hex()[:12]
