"""Encrypts the passwords that users give the bot, with keys from the settings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from rich_agent.ports.task_lists import TaskListError


@dataclass(frozen=True, slots=True)
class Seal:
    """Encrypts with the first of several keys, and reads what any of them encrypted.

    A sealed password belongs to its user: in the row of another one it cannot be read.
    """

    fernet: MultiFernet

    @classmethod
    def of(cls, keys: Sequence[str]) -> Self:
        """The seal of these keys, at least one, each as `Fernet.generate_key` makes it."""
        return cls(MultiFernet([Fernet(key) for key in keys]))

    def close(self, user_id: int, password: str) -> bytes:
        """The sealed password."""
        return self.fernet.encrypt(f"{user_id}:{password}".encode())

    def open(self, user_id: int, sealed: bytes) -> str:
        """The password. Raises: TaskListError if none of the keys opens it."""
        try:
            owner, _, password = self.fernet.decrypt(sealed).decode().partition(":")
        except InvalidToken as error:
            raise TaskListError("key", "CREDENTIALS_KEY does not open the password") from error
        if owner != str(user_id):
            raise TaskListError("key", "the password is that of another user")
        return password
