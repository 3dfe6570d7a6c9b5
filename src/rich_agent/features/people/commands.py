"""/users, /allow and /deny for admins: the users who have written to the bot, and their access."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace

from rich_agent.feature import Clocks, CommandRequest, PressReply, PressRequest, Reply, say
from rich_agent.feature.accounts import LARGEST_ID, Access, Accounts, KnownUser
from rich_agent.feature.audit import Audit, AuditedChange
from rich_agent.feature.lists import ListPage, ListPlace, PagedList
from rich_agent.feature.telegram import RenderedMessage, section
from rich_agent.feature.text import shorten, whole_number

VERB = "users1"
PER_PAGE = 10
_NAME_LENGTH = 40


@dataclass(frozen=True, slots=True)
class People:
    """The operator's view of the users.

    `interrupt` ends the answer that is being written to a user.
    """

    accounts: Accounts
    access: Access
    audit: Audit
    interrupt: Callable[[int], Awaitable[None]]

    @property
    def pages(self) -> PagedList[KnownUser]:
        """The list of users."""
        return PagedList(VERB, PER_PAGE, self._load, self._render)

    async def turn_page(self, press: PressRequest) -> PressReply:
        """Another page of the list, if the user is still an admin."""
        if not self.access.is_admin(press.user_id):
            return PressReply(say(press.locale, "admins-only"))
        return await self.pages.turn(press)

    async def allow(self, request: CommandRequest) -> Reply:
        """Give a user access from the next message on."""
        user_id = _id_in(request)
        if user_id is None:
            return Reply.of(say(request.locale, "people-usage", command="/allow"))
        async with self._audited(request, "access.allow", user_id):
            await self.accounts.set_access(user_id, is_allowed=True, by=request.user_id)
        key = "people-let-in-anyway" if self.access.allowed is None else "people-let-in"
        return Reply.of(say(request.locale, key, user_id=str(user_id)))

    async def deny(self, request: CommandRequest) -> Reply:
        """Take a user's access away, and stop the answer to the user. Admins cannot be denied."""
        user_id = _id_in(request)
        if user_id is None:
            return Reply.of(say(request.locale, "people-usage", command="/deny"))
        if self.access.is_admin(user_id):
            return Reply.of(say(request.locale, "people-is-admin", user_id=str(user_id)))
        async with self._audited(request, "access.block", user_id):
            await self.accounts.set_access(user_id, is_allowed=False, by=request.user_id)
            await self.interrupt(user_id)
        return Reply.of(say(request.locale, "people-kept-out", user_id=str(user_id)))

    def _audited(
        self, request: CommandRequest, action: str, user_id: int
    ) -> AbstractAsyncContextManager[None]:
        return self.audit.change(
            AuditedChange(request.user_id, action, str(user_id), origin="telegram")
        )

    async def _load(self, place: ListPlace) -> tuple[Sequence[KnownUser], int]:
        return await self.accounts.page(place.offset, PER_PAGE)

    async def _render(self, page: ListPage[KnownUser]) -> RenderedMessage:
        heading = say(page.place.locale, "people-known", count=page.total)
        lines = [self._line(user, page.place.clocks) for user in page.items]
        return replace(section(heading, *lines), buttons=page.turning)

    def _line(self, user: KnownUser, clocks: Clocks) -> str:
        locale = clocks.locale
        if self.access.is_admin(user.telegram_user_id):
            state = "admin"
        elif not self.access.permits(user.telegram_user_id, user.is_allowed):
            state = "denied"
        else:
            state = "blocking" if user.is_blocking else "allowed"
        return say(
            locale,
            "people-line",
            user_id=str(user.telegram_user_id),
            name=shorten(user.first_name, _NAME_LENGTH) or "–",
            seen=clocks.last(user.last_seen_at),
            state=say(locale, f"people-state-{state}"),
        )


def _id_in(request: CommandRequest) -> int | None:
    """The user id in the command. Names are not accepted, because anyone can take any name."""
    user_id = whole_number(request.args)
    return user_id if user_id is not None and 0 < user_id <= LARGEST_ID else None
