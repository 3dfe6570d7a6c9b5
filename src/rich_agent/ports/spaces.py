"""Interface of the spaces, as their readers see them. May raise DatabaseUnavailableError."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from rich_agent.domain.rights import Reader


@dataclass(frozen=True, slots=True)
class ReadableSpace:
    """A space that the reader may read; it is searched unasked only if it `is_chosen`."""

    id: int
    name: str
    sources: int
    is_chosen: bool


class Spaces(Protocol):
    """The spaces, and the known members of the groups that read them."""

    async def readable(self, reader: Reader, /) -> list[ReadableSpace]:
        """The spaces that the reader may read and that have active sources, by name."""

    async def open_of(self, reader: Reader, guards: Collection[str], /) -> frozenset[str]:
        """The `guards` of spaces, sources and documents that the reader may read now.

        They are named as in `Passage.guards`. Guards of deleted things are left out.
        """

    async def reads_more(self, user_id: int) -> bool:
        """Whether a user may read a registered document that not everybody may read."""

    async def choose(self, user_id: int, space_id: int, *, is_chosen: bool) -> None:
        """Search a space for a user, or only if a question names it."""

    async def groups(self) -> Sequence[int]:
        """The ids of the Telegram groups whose members may read some space."""

    async def stale_groups(self, user_id: int, groups: Sequence[int], /) -> list[int]:
        """The groups for which it has to be checked again whether the user is a member."""

    async def note_members(self, user_id: int, groups: Mapping[int, bool], /) -> None:
        """Record for each group whether the user is a member now."""

    async def note_names(
        self, user_id: int, prefix: str, names: Collection[str], holds_s: float
    ) -> None:
        """Record the principals, all beginning with `prefix`, that a user is known by for a time.

        They replace the earlier ones with the prefix, except those that the operator wrote.
        """
