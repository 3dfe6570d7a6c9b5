"""/web: a user opens the web chat, sees where they are signed in, and ends it."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich_agent.chat_commands.replies import (
    CommandRequest,
    Handlers,
    PressReply,
    PressRequest,
    Reply,
)
from rich_agent.domain.text import whole_number
from rich_agent.domain.tokens.browser_sessions import CODE_LASTS_S, BrowserSession
from rich_agent.phrases import say
from rich_agent.ports.bot_api import Button, Keyboard, RenderedMessage
from rich_agent.ports.programs.browser_sessions import BrowserSessions
from rich_agent.rendering.notices import section, together, unlinked

LIST_VERB = "web1"
LINK_VERB = "weblink1"
END_VERB = "endweb1"


@dataclass(frozen=True, slots=True)
class WebChatCommand:
    """Leads to the web chat at `address`, None if it is served nowhere.

    A link that signs in is shown in a message that is edited, never in one of the outbox, which is
    kept. The code stands in its fragment, which browsers keep to themselves.
    """

    sessions: BrowserSessions
    address: str | None

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers(
            {"web": self.answer}, {LIST_VERB: self.show, LINK_VERB: self.link, END_VERB: self.end}
        )

    async def answer(self, request: CommandRequest) -> Reply:
        """Tell how to open the page, and list the sessions."""
        if self.address is None:
            return Reply(unlinked(say(request.locale, "web-unreachable")))
        return Reply(await self._list(request.user_id, request.locale, self.address))

    async def show(self, press: PressRequest) -> PressReply:
        """The list again, in place of a link."""
        return await self._show_list(press, "")

    async def link(self, press: PressRequest) -> PressReply:
        """A link that signs in once."""
        if self.address is None:
            return PressReply(say(press.locale, "web-unreachable"))
        code = await self.sessions.offer_code(press.user_id)
        told = say(press.locale, "web-link-made", minutes=CODE_LASTS_S // 60)
        buttons = (
            (Button(say(press.locale, "web-open"), url=f"{self.address}#login={code}"),),
            (Button(say(press.locale, "web-back"), f"{LIST_VERB}:list"),),
        )
        shown = unlinked(told)
        return PressReply(message=RenderedMessage(shown.text, shown.entities, buttons))

    async def end(self, press: PressRequest) -> PressReply:
        """End a session of the user; it is not an error if it has ended already."""
        number = whole_number(press.argument)
        if number is None:
            return PressReply(say(press.locale, "button-outdated"))
        await self.sessions.end(number, press.user_id)
        return await self._show_list(press, say(press.locale, "web-ended"))

    async def _show_list(self, press: PressRequest, notice: str) -> PressReply:
        if self.address is None:
            return PressReply(say(press.locale, "web-unreachable"))
        return PressReply(notice, await self._list(press.user_id, press.locale, self.address))

    async def _list(self, user_id: int, locale: str, address: str) -> RenderedMessage:
        is_open = await self.sessions.listed(user_id)
        told = [unlinked(say(locale, "web-about"))]
        if is_open:
            lines = (f"{n}. {_line(one, locale)}" for n, one in enumerate(is_open, 1))
            told.append(section(say(locale, "web-sessions"), *lines))
        shown = together(*told)
        buttons = [(Button(say(locale, "web-link"), f"{LINK_VERB}:make"),)]
        # Telegram opens Mini Apps over https only. Source: Bot API, WebAppInfo.
        if address.startswith("https://"):
            buttons.insert(0, (Button(say(locale, "web-here"), app_url=address),))
        return RenderedMessage(shown.text, shown.entities, (*buttons, *_end_buttons(is_open)))


def _line(session: BrowserSession, locale: str) -> str:
    return say(
        locale,
        "web-session",
        made=session.created_at.date().isoformat(),
        used=session.last_used_at.date().isoformat(),
        ends=session.expires_at.date().isoformat(),
    )


def _end_buttons(sessions: Sequence[BrowserSession]) -> Keyboard:
    buttons = [Button(f"✕ {n}", f"{END_VERB}:{one.id}") for n, one in enumerate(sessions, 1)]
    return tuple(tuple(buttons[start : start + 5]) for start in range(0, len(buttons), 5))
