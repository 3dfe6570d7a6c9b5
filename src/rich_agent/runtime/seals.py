"""Encrypts what the bot is given to reach other services, with keys from the settings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from rich_agent.errors import RichAgentError

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet


class SealError(RichAgentError):
    """A secret that cannot be read."""


@dataclass(frozen=True, slots=True)
class Seal:
    """Encrypts with the first of several keys, and reads what any of them encrypted.

    A sealed secret belongs to its owner: in the row of another one it cannot be read.
    """

    fernet: "MultiFernet"

    @classmethod
    def of(cls, keys: Sequence[str]) -> Self:
        """The seal of these keys, at least one, each as `Fernet.generate_key` makes it."""
        from cryptography.fernet import Fernet, MultiFernet  # noqa: PLC0415 - optional

        return cls(MultiFernet([Fernet(key) for key in keys]))

    def close(self, owner: int | str, secret: str) -> bytes:
        """The sealed secret; a name of an owner has no colon."""
        return self.fernet.encrypt(f"{owner}:{secret}".encode())

    def open(self, owner: int | str, data: bytes) -> str:
        """The secret. Raises: SealError if none of the keys opens it."""
        from cryptography.fernet import InvalidToken  # noqa: PLC0415 - optional

        try:
            owner_inside, _, secret = self.fernet.decrypt(data).decode().partition(":")
        except InvalidToken as error:
            hint = "Set CREDENTIALS_KEY to the key that it was encrypted with."
            raise SealError("CREDENTIALS_KEY does not open the secret", hint=hint) from error
        if owner_inside != str(owner):
            raise SealError("the secret is that of another owner")
        return secret
