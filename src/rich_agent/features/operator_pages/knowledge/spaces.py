"""Spaces and lists of people: who may read which sources."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from starlette.responses import Response

from rich_agent.feature.accounts import Accounts
from rich_agent.feature.pages import PageGoneError, PageRefusedError, PageRoute, Visit
from rich_agent.feature.registry import PostgresSpaceRegistry
from rich_agent.feature.text import whole_number
from rich_agent.features.operator_pages.knowledge.visiting import PATH, refusals
from rich_agent.features.operator_pages.knowledge.wording import say_readers
from rich_agent.features.operator_pages.roles import CHANGERS, KNOWLEDGE_READERS

_PATH = f"{PATH}/spaces"
_LIST = "list:"
_MOST_SHOWN = 200
"""Most members of a list on a page."""
_SAVED = "operator_pages-knowledge-said-saved"


@dataclass(frozen=True, slots=True)
class SpacesPage:
    """Shows the spaces with their readers and sources, and changes who may read."""

    spaces: PostgresSpaceRegistry
    accounts: Accounts

    def routes(self) -> Sequence[PageRoute]:
        """The routes of the list and of its forms."""
        return (
            PageRoute(_PATH, self.show, roles=KNOWLEDGE_READERS),
            _change("grant", self.grant, "space", "reader"),
            _change("revoke", self.revoke, "space", "reader"),
            _change("remove", self.remove, "space"),
            _change("member", self.change_member, "list", "user"),
        )

    async def show(self, visit: Visit) -> Response:
        """All spaces."""
        spaces = await self.spaces.all()
        readers = sorted({reader for space in spaces for reader in space.readers})
        return visit.page(
            "knowledge_spaces.html",
            title=visit.say("operator_pages-knowledge-spaces"),
            spaces=spaces,
            words=await say_readers(readers, visit, self.accounts),
            lists=await self._lists(readers, visit),
            may_change=visit.role in CHANGERS,
        )

    async def grant(self, visit: Visit) -> Response:
        """Make a space, or let somebody read it."""
        readers = [visit.text("reader", 400)] if visit.text("reader") else []
        with refusals(visit):
            change = await self.spaces.add(visit.text("space", 100), grant=readers)
        visit.note(readers=list(change.readers))
        return visit.done(_PATH, _SAVED)

    async def revoke(self, visit: Visit) -> Response:
        """Let somebody read a space no more."""
        with refusals(visit):
            name, reader = visit.text("space", 100), visit.text("reader", 400)
            if name not in {space.name for space in await self.spaces.all()}:
                raise PageGoneError
            change = await self.spaces.add(name, revoke=[reader])
        visit.note(readers=list(change.readers))
        return visit.done(_PATH, _SAVED)

    async def remove(self, visit: Visit) -> Response:
        """Remove a space without sources."""
        with refusals(visit):
            await self.spaces.remove(visit.text("space", 100))
        return visit.done(_PATH, "operator_pages-knowledge-said-removed")

    async def change_member(self, visit: Visit) -> Response:
        """Add a user to a list of people, or remove one."""
        user_id = whole_number(visit.text("user", 30))
        if user_id is None:
            raise PageRefusedError(visit.say("operator_pages-number-wrong"))
        is_removal = visit.text("remove") == "yes"
        add, remove = ((), (user_id,)) if is_removal else ((user_id,), ())
        with refusals(visit):
            await self.spaces.change_members(visit.text("list", 100), add, remove)
        return visit.done(_PATH, _SAVED)

    async def _lists(self, readers: Sequence[str], visit: Visit) -> Sequence["MemberPage"]:
        """The lists of people among the readers, with the members on their pages."""
        turned, after = _LIST + visit.query.get("list", ""), visit.query.get("after", "")
        begins = {
            reader: (whole_number(after) or 0) if reader == turned else 0
            for reader in readers
            if reader.startswith(_LIST)
        }
        members = await self.spaces.members(begins, _MOST_SHOWN + 1)
        ids = {user_id for group in members.values() for user_id in group[:_MOST_SHOWN]}
        names = await self.accounts.names(ids) if ids else {}
        return [
            MemberPage(
                principal.removeprefix(_LIST),
                [(user_id, names.get(user_id, "")) for user_id in group[:_MOST_SHOWN]],
                group[_MOST_SHOWN - 1] if len(group) > _MOST_SHOWN else None,
                is_first=begins[principal] == 0,
            )
            for principal, group in members.items()
        ]


@dataclass(frozen=True, slots=True)
class MemberPage:
    """Members of a list of people with their names; `next` is the last of them if more follow."""

    name: str
    members: Sequence[tuple[int, str]]
    next: int | None
    is_first: bool


def _change(
    name: str, answer: Callable[[Visit], Awaitable[Response]], *subject_fields: str
) -> PageRoute:
    return PageRoute(
        f"{_PATH}/{name}",
        answer,
        ("POST",),
        CHANGERS,
        f"space.{name}",
        subject_fields=subject_fields,
    )
