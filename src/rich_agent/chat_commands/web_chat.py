"""/web: a user opens the web chat, sees where they are signed in, and ends it."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich_agent.chat_commands.presses import replace_pressed
from rich_agent.chat_commands.registry import CommandRequest, Reply
from rich_agent.domain.text import whole_number
from rich_agent.domain.tokens.browser_sessions import CODE_LASTS_S, BrowserSession
from rich_agent.phrases import say
from rich_agent.ports.bot_api import Button, RenderedMessage, TelegramApi
from rich_agent.ports.programs.browser_sessions import BrowserSessions
from rich_agent.rendering.notices import section, together, unlinked
from rich_agent.telegram.deliver.messenger import Hold
from rich_agent.telegram.receive.inbound import Press

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
    api: TelegramApi
    address: str | None

    async def answer(self, request: CommandRequest) -> Reply:
        """Tell how to open the page, and list the sessions."""
        if self.address is None:
            return Reply(unlinked(say(request.locale, "web-unreachable")))
        return Reply(await self._list(request.user_id, request.locale, self.address))

    async def show(self, press: Press, locale: str, _hold: Hold) -> str:
        """The list again, in place of a link."""
        return await self._show_list(press, locale)

    async def link(self, press: Press, locale: str, _hold: Hold) -> str:
        """A link that signs in once."""
        if self.address is None:
            return say(locale, "web-unreachable")
        code = await self.sessions.offer_code(press.user.telegram_user_id)
        told = say(locale, "web-link-made", minutes=CODE_LASTS_S // 60)
        buttons = (
            (Button(say(locale, "web-open"), url=f"{self.address}#login={code}"),),
            (Button(say(locale, "web-back"), f"{LIST_VERB}:list"),),
        )
        shown = unlinked(told)
        await replace_pressed(self.api, press, RenderedMessage(shown.text, shown.entities, buttons))
        return ""

    async def end(self, press: Press, locale: str, _hold: Hold) -> str:
        """End a session of the user; it is not an error if it has ended already."""
        number = whole_number(press.argument)
        if number is None:
            return say(locale, "button-outdated")
        await self.sessions.end(number, press.user.telegram_user_id)
        return await self._show_list(press, locale) or say(locale, "web-ended")

    async def _show_list(self, press: Press, locale: str) -> str:
        if self.address is None:
            return say(locale, "web-unreachable")
        shown = await self._list(press.user.telegram_user_id, locale, self.address)
        await replace_pressed(self.api, press, shown)
        return ""

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


def _end_buttons(sessions: Sequence[BrowserSession]) -> tuple[tuple[Button, ...], ...]:
    buttons = [Button(f"✕ {n}", f"{END_VERB}:{one.id}") for n, one in enumerate(sessions, 1)]
    return tuple(tuple(buttons[start : start + 5]) for start in range(0, len(buttons), 5))
