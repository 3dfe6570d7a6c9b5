"""Access to the bot by user id, and tags that stand for users without revealing their ids."""

import hashlib
import hmac
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Access:
    """The access rules of the settings. `allowed` None admits everybody. Admins always pass."""

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
    """Makes tags for users with a secret of this installation, such as the bot's token.

    Without the secret, nobody can find the id behind a tag by trying all ids.
    """

    secret: str = field(default="", repr=False)

    def of(self, user_id: int) -> str:
        """The tag of a user: 12 hexadecimal digits, always the same."""
        digest = hmac.digest(self.secret.encode(), f"user:{user_id}".encode(), hashlib.sha256)
        return digest.hex()[:12]
