"""The page People: who uses the bot, who may, in which role, and invitations."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import get_args

from starlette.responses import Response

from rich_agent.feature import Core
from rich_agent.feature.accounts import LARGEST_ID, Access
from rich_agent.feature.audit import Audit, AuditedChange
from rich_agent.feature.pages import PageGoneError, PageRefusedError, PageRoute, Visit
from rich_agent.feature.text import whole_number
from rich_agent.feature.usage import show_cost, spending_of
from rich_agent.feature.web import is_secret
from rich_agent.features.operator_pages.repositories.people import (
    INVITE,
    InviteUsedError,
    PeopleQuery,
    PeopleRows,
    Person,
    Shown,
)
from rich_agent.features.operator_pages.roles import (
    CHANGERS,
    OWNERS,
    READERS,
    ROLES,
    GivenRoles,
    Role,
)

PATH = "/operator/people"
_PERSON = PATH + "/{user_id:int}"
_PER_PAGE = 50
_LONGEST_SEARCH = 200
_DAYS = (1, 7, 30)
"""Days for which an invitation can be used."""


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """Lists people, lets them in, blocks them, gives roles and makes invitations.

    `bot_name` returns the bot's username, "" while it is unknown.
    """

    core: Core
    rows: PeopleRows
    given: GivenRoles
    username: Callable[[], str]

    def routes(self) -> Sequence[PageRoute]:
        """The list, the page of a person, and what their forms do."""
        return (
            PageRoute(PATH, self.show, roles=READERS),
            PageRoute(_PERSON, self.show_person, roles=READERS),
            self._change("/admit", self.admit_number, "access.allow", "number"),
            self._change("/invite", self.invite, "invite.make", "role"),
            self._change("/invites/{invite_id:int}/withdraw", self.withdraw, "invite.withdraw"),
            self._change("/{user_id:int}/admit", self.admit, "access.allow"),
            self._change("/{user_id:int}/block", self.block, "access.block"),
            PageRoute(f"{_PERSON}/role", self.give_role, ("POST",), OWNERS, "role.give"),
        )

    def _change(
        self,
        path: str,
        answer: Callable[[Visit], Awaitable[Response]],
        action: str,
        *subject_fields: str,
    ) -> PageRoute:
        return PageRoute(
            PATH + path, answer, ("POST",), CHANGERS, action, subject_fields=subject_fields
        )

    async def show(self, visit: Visit) -> Response:
        """The list, with what was sought, and the invitations."""
        query = self._query(visit)
        people = await self.rows.page(query)
        more = people[_PER_PAGE - 1] if len(people) > _PER_PAGE else None
        fields = {"q": query.text, "shown": query.shown}
        invites = await self.rows.open_invites()
        return visit.page(
            "people.html",
            title=visit.say("operator_pages-people"),
            people=[self._row_of(one, visit) for one in people[:_PER_PAGE]],
            query=query,
            fields={name: value for name, value in fields.items() if value not in {"", "all"}},
            next=_cursor(more) if more else "",
            is_first=not visit.query.get("after"),
            shown_names=get_args(Shown),
            invites=invites if visit.role in CHANGERS else (),
            **_rights(visit),
            days=_DAYS,
            roles=ROLES,
            link=None,
        )

    async def show_person(self, visit: Visit) -> Response:
        """The page of a person: access, role, use and limits."""
        user_id = visit.request.path_params["user_id"]
        person = await self.rows.find(user_id)
        if person.seen_at is None and person.is_allowed is None and person.role is None:
            raise PageGoneError
        standing = await self.core.usage.standing(user_id)
        limits = self.core.settings.allowance.of(user_id)
        week = spending_of(await self.rows.use(user_id), self.core.settings.prices)
        by = {person.changed_by} if person.changed_by else set()
        names = await self.core.accounts.names(by)
        return visit.page(
            "person.html",
            title=person.name or str(user_id),
            person=person,
            shown=self._row_of(person, visit),
            changed_by=names.get(person.changed_by or 0, person.changed_by),
            is_admin=self.core.access.is_admin(user_id),
            **_rights(visit),
            use=[
                (name, getattr(standing.used, name), getattr(limits, name))
                for name in ("tokens", "images", "searches", "tool_calls")
            ],
            week=week,
            cost=show_cost(week),
            roles=ROLES,
        )

    async def admit_number(self, visit: Visit) -> Response:
        """Let in whoever has the number of the form."""
        user_id = whole_number(visit.text("number"))
        if user_id is None or not 0 < user_id <= LARGEST_ID:
            raise PageRefusedError(visit.say("operator_pages-number-wrong"))
        await self._set_access(visit, user_id, is_allowed=True)
        return visit.done(f"{PATH}/{user_id}", "operator_pages-said-admitted")

    async def admit(self, visit: Visit) -> Response:
        """Let a person in."""
        user_id = visit.request.path_params["user_id"]
        await self._set_access(visit, user_id, is_allowed=True)
        return visit.done(f"{PATH}/{user_id}", "operator_pages-said-admitted")

    async def block(self, visit: Visit) -> Response:
        """Block a person, and stop the answer to them."""
        user_id = visit.request.path_params["user_id"]
        if self.core.access.is_admin(user_id):
            raise PageRefusedError(visit.say("operator_pages-is-admin"))
        if user_id == visit.user_id:
            raise PageRefusedError(visit.say("operator_pages-not-yourself"))
        if visit.role not in OWNERS and await self.given.find(user_id) == "owner":
            raise PageRefusedError(visit.say("operator_pages-only-owner"))
        await self._set_access(visit, user_id, is_allowed=False)
        await self.core.runs.interrupt(user_id)
        return visit.done(f"{PATH}/{user_id}", "operator_pages-said-blocked")

    async def give_role(self, visit: Visit) -> Response:
        """Give a person a role, or take it back."""
        user_id, role = visit.request.path_params["user_id"], visit.text("role")
        if self.core.access.is_admin(user_id):
            raise PageRefusedError(visit.say("operator_pages-is-admin"))
        visit.note(before=await self.given.find(user_id))
        await self.given.give(user_id, _role_named(role, visit), by=visit.user_id)
        return visit.done(f"{PATH}/{user_id}", "operator_pages-said-role")

    async def invite(self, visit: Visit) -> Response:
        """Make an invitation, and show its link this once."""
        days, role = whole_number(visit.text("days")), _role_named(visit.text("role"), visit)
        if days not in _DAYS:
            raise PageRefusedError(visit.say("operator_pages-days-wrong"))
        if role is not None and visit.role not in OWNERS:
            raise PageRefusedError(visit.say("operator_pages-only-owner"))
        username = self.username()
        if not username:
            raise PageRefusedError(visit.say("operator_pages-no-name"))
        secret = await self.rows.invite(role, days, by=visit.user_id)
        return visit.page(
            "invited.html",
            title=visit.say("operator_pages-invite"),
            link=f"https://t.me/{username}?start={secret}",
            days=days,
        )

    async def withdraw(self, visit: Visit) -> Response:
        """Delete an invitation."""
        await self.rows.withdraw(visit.request.path_params["invite_id"])
        return visit.done(PATH, "operator_pages-said-withdrawn")

    async def _set_access(self, visit: Visit, user_id: int, *, is_allowed: bool) -> None:
        account = await self.core.accounts.find(user_id)
        visit.note(before=account.is_allowed)
        await self.core.accounts.set_access(user_id, is_allowed=is_allowed, by=visit.user_id)

    def _query(self, visit: Visit) -> PeopleQuery:
        seen_at, user_id = _read_cursor(visit.query.get("after", ""))
        filter_name = visit.query.get("shown", "all")
        return PeopleQuery(
            visit.query.get("q", "").strip()[:_LONGEST_SEARCH],
            filter_name if filter_name in get_args(Shown) else "all",  # type: ignore[arg-type]
            seen_at,
            user_id,
            sorted(self.core.access.admins),
            _PER_PAGE + 1,
        )

    def _row_of(self, person: Person, visit: Visit) -> Mapping[str, object]:
        access = self.core.access
        is_admin = access.is_admin(person.user_id)
        is_permitted = access.permits(person.user_id, person.is_allowed)
        state = "allowed" if is_permitted else "blocked"
        return {
            "id": person.user_id,
            "name": person.name or str(person.user_id),
            "username": person.username,
            "since": visit.clocks.day_of(person.since) if person.since else "–",
            "seen": visit.clocks.last(person.seen_at),
            "state": "blocking" if is_permitted and person.is_blocking else state,
            "is_permitted": is_permitted,
            "role": "owner" if is_admin else person.role or "",
        }


@dataclass(frozen=True, slots=True)
class Invitations:
    """Lets in who opens the link of an invitation."""

    rows: PeopleRows
    audit: Audit
    access: Access

    async def take(self, user_id: int, code: str) -> bool:
        """Let a user in by the code of a link; False if the code is none for them."""
        if not is_secret(INVITE, code):
            return False
        admins = sorted(self.access.admins)
        invite_id = await self.rows.invite_for(code, user_id, admins)
        if invite_id is None:
            return False
        change = AuditedChange(user_id, "invite.use", str(invite_id), origin="telegram")
        try:
            async with self.audit.change(change):
                await self.rows.take(invite_id, user_id, admins)
        except InviteUsedError:
            return False
        return True


def _role_named(name: str, visit: Visit) -> Role | None:
    """The role of a form, None for "". Raises: PageRefusedError."""
    role = next((one for one in ROLES if one == name), None)
    if name and role is None:
        raise PageRefusedError(visit.say("operator_pages-role-wrong"))
    return role


def _rights(visit: Visit) -> Mapping[str, bool]:
    """The rights of who visits, for templates."""
    return {"may_change": visit.role in CHANGERS, "may_give_roles": visit.role in OWNERS}


def _cursor(person: Person) -> str:
    return f"{person.seen_at.isoformat() if person.seen_at else ''}~{person.user_id}"


def _read_cursor(text: str) -> tuple[datetime | None, int | None]:
    """The place behind which a list goes on; nonsense is its beginning."""
    seen, _, number = text.partition("~")
    user_id = whole_number(number)
    try:
        return (datetime.fromisoformat(seen) if seen else None), user_id
    except ValueError:
        return None, None
