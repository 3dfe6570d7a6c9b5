"""Rights to read: the principals to whom a space is open, and the reader who asks."""

import re
from dataclasses import dataclass

from rich_agent.errors import RichAgentError

EVERYBODY = "everybody"
GROUP_KIND, LIST_KIND, USER_KIND = "telegram_group", "list", "user"
_NAMES = {
    USER_KIND: re.compile(r"[1-9][0-9]{0,18}"),
    GROUP_KIND: re.compile(r"-[1-9][0-9]{0,18}"),
    LIST_KIND: re.compile(r"[^\s:][^\n:]{0,59}"),
}
_MOST_CHARS = 100


class PrincipalError(RichAgentError):
    """Words that name no principal."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who reads documents: a user, or nobody in particular, as whoever reads a group.

    Nobody in particular may read what is open to everybody; `sees_all` is for the operator, at
    the commands of `ingest` and doctor.
    """

    user_id: int | None = None
    sees_all: bool = False

    @property
    def principals(self) -> list[str]:
        """Everybody, and the user; lists and groups of the user are known to the database."""
        return [EVERYBODY] if self.user_id is None else [EVERYBODY, f"{USER_KIND}:{self.user_id}"]


ANYBODY = Reader()
OPERATOR = Reader(sees_all=True)


def principal_of(words: str) -> str:
    """A principal in its one form: everybody, user:7, list:legal, telegram_group:-1001234.

    Raises: PrincipalError.
    """
    written = words.strip()[:_MOST_CHARS]
    if written == EVERYBODY:
        return written
    kind, _, name = written.partition(":")
    if kind in _NAMES and _NAMES[kind].fullmatch(name):
        return written
    raise PrincipalError(
        f"{written}: this names nobody",
        hint="Write everybody, user:ID, list:NAME or telegram_group:ID; ids are those of Telegram, "
        "and that of a group begins with a minus sign.",
    )


def group_of(principal: str) -> int | None:
    """The id of the Telegram group whose members are meant; None for any other principal."""
    kind, _, name = principal.partition(":")
    return int(name) if kind == GROUP_KIND else None


def group_principal(chat_id: int) -> str:
    """The members of a Telegram group."""
    return f"{GROUP_KIND}:{chat_id}"
