"""Names for users in logs, lists and tables that do not reveal who they are."""

import hashlib
import hmac
from dataclasses import dataclass, field


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
