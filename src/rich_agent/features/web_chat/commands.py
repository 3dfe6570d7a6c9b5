"""/web: a link to the page, and the list of browsers that are signed in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from rich_agent.feature import (
    Button,
    Clocks,
    CommandRequest,
    PressReply,
    PressRequest,
    Reply,
    say,
)
from rich_agent.feature.conversation import PressAnswer
from rich_agent.feature.pages import PageLink
from rich_agent.feature.telegram import Keyboard, RenderedMessage, section, together, unlinked
from rich_agent.feature.text import whole_number
from rich_agent.features.web_chat.page_files import PAGE_PATH
from rich_agent.features.web_chat.repository import BrowserSessions
from rich_agent.features.web_chat.sessions import CODE_LASTS_S, BrowserSession

LIST_VERB = "web1"
LINK_VERB = "weblink1"
END_VERB = "endweb1"


@dataclass(frozen=True, slots=True)
class WebChatCommand:
    """Shows the way to the web chat at `address`, None if there is no page.

    A link that signs in is shown by editing a message. It is never in a message of the outbox,
    because the outbox is stored. The code is in the link's fragment, which browsers do not send.
    """

    sessions: BrowserSessions
    address: str | None
    links: Sequence[PageLink] = ()
    """Links to other pages of the bot, which buttons open as well."""

    def presses(self) -> Mapping[str, PressAnswer]:
        """The answers to presses of the command's buttons, by verb."""
        return {LIST_VERB: self.show, LINK_VERB: self.link, END_VERB: self.end}

    async def answer(self, request: CommandRequest) -> Reply:
        """Explain how to open the page, and list the sessions."""
        if self.address is None:
            return Reply(unlinked(say(request.locale, "web_chat-command-unreachable")))
        return Reply(await self._list(request.user_id, request.clocks, self.address))

    async def show(self, press: PressRequest) -> PressReply:
        """The list again, instead of a link."""
        return await self._show_list(press, "")

    async def link(self, press: PressRequest) -> PressReply:
        """A link that signs in once."""
        if self.address is None:
            return PressReply(say(press.locale, "web_chat-command-unreachable"))
        code = await self.sessions.offer_code(press.user_id)
        notice = say(press.locale, "web_chat-command-link-made", minutes=CODE_LASTS_S // 60)
        places = await self._places(press.user_id, press.locale)
        places = [(say(press.locale, "web_chat-command-open"), ""), *places]
        buttons = (
            *((Button(words, url=f"{self.address}{way}#login={code}"),) for words, way in places),
            (Button(say(press.locale, "web_chat-command-back"), f"{LIST_VERB}:list"),),
        )
        unlinked_notice = unlinked(notice)
        return PressReply(
            message=RenderedMessage(unlinked_notice.text, unlinked_notice.entities, buttons)
        )

    async def _places(self, user_id: int, locale: str) -> list[tuple[str, str]]:
        """The words of the links, and what the address of the page needs to lead on to them."""
        return [
            (say(locale, link.words_key), f"?{urlencode({'open': link.path})}")
            for link in self.links
            if link.path != PAGE_PATH and await link.is_for(user_id)
        ]

    async def end(self, press: PressRequest) -> PressReply:
        """End a session of the user. It is not an error if it has ended already."""
        session_id = whole_number(press.argument)
        if session_id is None:
            return PressReply(say(press.locale, "button-outdated"))
        await self.sessions.end(session_id, press.user_id)
        return await self._show_list(press, say(press.locale, "web_chat-command-ended"))

    async def _show_list(self, press: PressRequest, notice: str) -> PressReply:
        if self.address is None:
            return PressReply(say(press.locale, "web_chat-command-unreachable"))
        return PressReply(notice, await self._list(press.user_id, press.clocks, self.address))

    async def _list(self, user_id: int, clocks: Clocks, address: str) -> RenderedMessage:
        locale = clocks.locale
        sessions = await self.sessions.all_of(user_id)
        places = await self._places(user_id, locale)
        parts = [unlinked(say(locale, "web_chat-command-about"))]
        if places:
            names = " · ".join(words for words, _ in places)
            parts.append(unlinked(say(locale, "web_chat-command-places", places=names)))
        if sessions:
            lines = (
                f"{number}. {session_line(session, clocks)}"
                for number, session in enumerate(sessions, 1)
            )
            parts.append(section(say(locale, "web_chat-command-sessions"), *lines))
        text = together(*parts)
        buttons = [(Button(say(locale, "web_chat-command-link"), f"{LINK_VERB}:make"),)]
        # Telegram opens Mini Apps over https only. Source: Bot API, WebAppInfo.
        if address.startswith("https://"):
            here = [(say(locale, "web_chat-command-here"), ""), *places]
            buttons = [*((Button(words, app_url=address + way),) for words, way in here), *buttons]
        return RenderedMessage(text.text, text.entities, (*buttons, *_end_buttons(sessions)))


def session_line(session: BrowserSession, clocks: Clocks) -> str:
    """When a session was begun and last used, and when it ends."""
    line = say(
        clocks.locale,
        "web_chat-command-session",
        made=clocks.day_of(session.created_at),
        used=clocks.day_of(session.last_used_at),
        ends=clocks.day_of(session.expires_at),
    )
    provider = urlsplit(session.provider).hostname
    return f"{line} · {provider}" if provider else line


def _end_buttons(sessions: Sequence[BrowserSession]) -> Keyboard:
    buttons = [
        Button(f"✕ {number}", f"{END_VERB}:{session.id}")
        for number, session in enumerate(sessions, 1)
    ]
    return tuple(tuple(buttons[start : start + 5]) for start in range(0, len(buttons), 5))
