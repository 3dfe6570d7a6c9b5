"""Rights to read: the principals to whom a space is open, and the reader who asks."""

import re
from dataclasses import dataclass

from rich_agent.errors import RichAgentError

EVERYBODY = "everybody"
GROUP_KIND, LIST_KIND, USER_KIND = "telegram_group", "list", "user"
ACCOUNT_KIND = "external"
_NAMES = {
    USER_KIND: re.compile(r"[1-9][0-9]{0,18}"),
    GROUP_KIND: re.compile(r"-[1-9][0-9]{0,18}"),
    LIST_KIND: re.compile(r"[^\s:][^\n\x00\ud800-\udfff:]{0,59}"),
}
_ACCOUNT = re.compile(
    r"[^\s:][^\x00-\x1f:\ud800-\udfff]{0,99}:[^\x00-\x1f\x7f\ud800-\udfff]{1,300}"
)
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
    """A principal in its one form: everybody, user:7, list:legal, external:wiki:staff, ….

    Raises: PrincipalError.
    """
    name = words.strip()
    if is_account(name):
        return name
    name = name[:_MOST_CHARS]
    if is_principal(name):
        return name
    raise PrincipalError(
        f"{name}: this names nobody",
        hint="Write everybody, user:ID, list:NAME, telegram_group:ID or external:SOURCE:NAME; ids "
        "are those of Telegram, and that of a group begins with a minus sign.",
    )


def space_guard(space_id: int) -> str:
    """A space, as what an answer depends on."""
    return f"space:{space_id}"


def document_guard(document_id: int) -> str:
    """A document that has rights of its own, as what an answer depends on."""
    return f"document:{document_id}"


def is_principal(name: str) -> bool:
    """Whether a name is that of a principal in its one form."""
    kind, _, rest = name.partition(":")
    pattern = _NAMES.get(kind)
    return name == EVERYBODY or bool(pattern and pattern.fullmatch(rest))


def is_account(name: str) -> bool:
    """Whether a name is what a service calls a person or a group: external:SOURCE:NAME."""
    kind, _, rest = name.partition(":")
    return kind == ACCOUNT_KIND and _ACCOUNT.fullmatch(rest) is not None


@dataclass(frozen=True, slots=True)
class PlaceReaders:
    """The readers of the documents of a place, with all that it inherits; nobody if it is empty.

    Readers are principals: user:7, list:legal, telegram_group:-1001234, everybody, or what the
    service calls them, external:SOURCE:NAME, for people and for groups alike.
    """

    place: str
    readers: frozenset[str]


@dataclass(frozen=True, slots=True)
class ServiceGroup:
    """A group of the service, and the people in it, also those of groups within it."""

    principal: str
    members: frozenset[str]


def group_of(principal: str) -> int | None:
    """The id of the Telegram group whose members are meant; None for any other principal."""
    kind, _, name = principal.partition(":")
    return int(name) if kind == GROUP_KIND else None


def group_principal(chat_id: int) -> str:
    """The members of a Telegram group."""
    return f"{GROUP_KIND}:{chat_id}"
