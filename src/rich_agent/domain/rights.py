"""Rights to read: principals, who may read a space, and the reader of documents."""

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
    """The text names no principal."""


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader of documents: a user, or anybody, such as the readers of a group.

    Without a user, the reader may read only documents that are open to everybody. `sees_all` is for
    the operator, who uses the commands of `ingest` and `rich-agent doctor`.
    """

    user_id: int | None = None
    sees_all: bool = False

    @property
    def principals(self) -> list[str]:
        """Everybody, and the user if there is one. The database adds lists and groups."""
        return [EVERYBODY] if self.user_id is None else [EVERYBODY, f"{USER_KIND}:{self.user_id}"]


ANYBODY = Reader()
OPERATOR = Reader(sees_all=True)


def principal_of(words: str) -> str:
    """A principal in its normal form: everybody, user:7, list:legal, external:wiki:staff, ….

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
    """The name of a space on which an answer depends."""
    return f"space:{space_id}"


def document_guard(document_id: int) -> str:
    """The name of a document with rights of its own on which an answer depends."""
    return f"document:{document_id}"


def is_principal(name: str) -> bool:
    """Whether the name is a principal in its normal form, other than external:SOURCE:NAME."""
    kind, _, id_text = name.partition(":")
    pattern = _NAMES.get(kind)
    return name == EVERYBODY or bool(pattern and pattern.fullmatch(id_text))


def is_account(name: str) -> bool:
    """Whether the name is a person or a group of a service: external:SOURCE:NAME."""
    kind, _, id_text = name.partition(":")
    return kind == ACCOUNT_KIND and _ACCOUNT.fullmatch(id_text) is not None


@dataclass(frozen=True, slots=True)
class PlaceReaders:
    """The readers of a place's documents, inherited readers included. Without any, nobody may read.

    Readers are principals: user:7, list:legal, telegram_group:-1001234, everybody, or
    external:SOURCE:NAME for a person or a group of the service.
    """

    place: str
    readers: frozenset[str]


@dataclass(frozen=True, slots=True)
class ServiceGroup:
    """A group of the service, and all people in the group and in the groups within it."""

    principal: str
    members: frozenset[str]


def group_of(principal: str) -> int | None:
    """The id of the Telegram group that a principal stands for; None for other principals."""
    kind, _, name = principal.partition(":")
    return int(name) if kind == GROUP_KIND else None


def group_principal(chat_id: int) -> str:
    """The principal for the members of a Telegram group."""
    return f"{GROUP_KIND}:{chat_id}"
