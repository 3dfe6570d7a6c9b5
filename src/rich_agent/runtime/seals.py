"""Encrypts the credentials of other services, with keys from the settings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from rich_agent.errors import RichAgentError

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet


class SealError(RichAgentError):
    """A sealed secret cannot be opened."""


@dataclass(frozen=True, slots=True)
class Seal:
    """Encrypts secrets with the first of several keys, and decrypts them with any of the keys.

    A sealed secret names its owner; it cannot be opened as the secret of another owner.
    """

    fernet: "MultiFernet"

    @classmethod
    def of(cls, keys: Sequence[str]) -> Self:
        """The seal with these keys of `Fernet.generate_key`, at least one."""
        from cryptography.fernet import Fernet, MultiFernet  # noqa: PLC0415 - optional

        return cls(MultiFernet([Fernet(key) for key in keys]))

    def close(self, owner: int | str, secret: str) -> bytes:
        """Seal a secret for its owner, whose name must not contain a colon."""
        return self.fernet.encrypt(f"{owner}:{secret}".encode())

    def open(self, owner: int | str, data: bytes) -> str:
        """Open a sealed secret. Raises: SealError if no key fits, or it has another owner."""
        from cryptography.fernet import InvalidToken  # noqa: PLC0415 - optional

        try:
            owner_inside, _, secret = self.fernet.decrypt(data).decode().partition(":")
        except InvalidToken as error:
            hint = "Set CREDENTIALS_KEY to the key that it was encrypted with."
            raise SealError("CREDENTIALS_KEY does not open the secret", hint=hint) from error
        if owner_inside != str(owner):
            raise SealError("the secret is that of another owner")
        return secret
