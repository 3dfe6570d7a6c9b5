"""/language: the language of the bot's own phrases; answers use the language of the question."""

from dataclasses import dataclass, replace

from rich_agent.domain.text import SUPPORTED_LOCALES, choose_locale
from rich_agent.phrases import say
from rich_agent.ports.accounts import Accounts
from rich_agent.ports.bot_api import Button, RenderedMessage, TelegramApi
from rich_agent.telegram.commands.presses import replace_pressed
from rich_agent.telegram.commands.registry import CommandRequest, Reply
from rich_agent.telegram.deliver.messenger import Hold
from rich_agent.telegram.receive.inbound import Press

VERB = "language1"
AUTOMATIC = "auto"
_WORDS = {
    "en": "en",
    "english": "en",
    "英語": "en",
    "ja": "ja",
    "jp": "ja",
    "japanese": "ja",
    "日本語": "ja",
    AUTOMATIC: AUTOMATIC,
    "automatic": AUTOMATIC,
    "自動": AUTOMATIC,
}


@dataclass(frozen=True, slots=True)
class Language:
    """Shows and changes the chosen language."""

    accounts: Accounts
    api: TelegramApi

    async def answer(self, request: CommandRequest) -> Reply:
        """Set the language if one was given, else show the choice."""
        wanted = request.command.args.casefold()
        if not wanted:
            return Reply(_choice(request.locale, request.account.locale))
        chosen = _WORDS.get(wanted)
        if chosen is None:
            return Reply.of(say(request.locale, "language-unknown"))
        code = request.command.user.language_code
        return Reply(await self._choose(request.user_id, chosen, code))

    async def press(self, press: Press, locale: str, _hold: Hold) -> str:
        """Set the language, and show the new choice in the same message."""
        chosen = press.argument
        if chosen not in (*SUPPORTED_LOCALES, AUTOMATIC):
            return say(locale, "button-outdated")
        shown = await self._choose(press.user.telegram_user_id, chosen, press.user.language_code)
        await replace_pressed(self.api, press, shown)
        return ""

    async def _choose(self, user_id: int, chosen: str, code: str | None) -> RenderedMessage:
        locale = None if chosen == AUTOMATIC else chosen
        await self.accounts.choose_locale(user_id, locale)
        spoken = locale or choose_locale("", code)
        return replace(_choice(spoken, locale), text=say(spoken, "language-chosen", chosen=chosen))


def _choice(locale: str, chosen: str | None) -> RenderedMessage:
    """The question in the current language, with the current choice marked."""
    rows: list[tuple[Button, ...]] = []
    for option in (*SUPPORTED_LOCALES, AUTOMATIC):
        mark = "✓ " if option == (chosen or AUTOMATIC) else ""
        rows.append((Button(mark + say(locale, f"language-{option}"), f"{VERB}:{option}"),))
    return RenderedMessage(say(locale, "language"), buttons=tuple(rows))
