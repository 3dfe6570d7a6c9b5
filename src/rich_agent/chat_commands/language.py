"""/language: the language of the bot's own phrases; answers use the language of the question."""

from dataclasses import dataclass, replace

from babel import Locale

from rich_agent.chat_commands.replies import (
    CommandRequest,
    Handlers,
    PressReply,
    PressRequest,
    Reply,
)
from rich_agent.domain.languages import ENGLISH, LANGUAGES, choose_locale, locale_of_tag
from rich_agent.phrases import say
from rich_agent.ports.accounts import Accounts
from rich_agent.ports.bot_api import Button, RenderedMessage

VERB = "language1"
AUTOMATIC = "auto"
_IN_A_ROW = 3


@dataclass(frozen=True, slots=True)
class Language:
    """Shows and changes the chosen language."""

    accounts: Accounts

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers({"language": self.answer}, {VERB: self.press})

    async def answer(self, request: CommandRequest) -> Reply:
        """Set the language if one was given, else show the choice."""
        wanted, shown = request.args, _choice(request.locale, request.account.locale)
        if not wanted:
            return Reply(shown)
        chosen = _named(wanted, request.locale)
        if chosen is None:
            return Reply(replace(shown, text=say(request.locale, "language-not-spoken")))
        code = request.user.language_code
        return Reply(await self._choose(request.user_id, chosen, code))

    async def press(self, press: PressRequest) -> PressReply:
        """Set the language, and show the new choice in the same message."""
        chosen = press.argument
        if chosen not in (*LANGUAGES, AUTOMATIC):
            return PressReply(say(press.locale, "button-outdated"))
        shown = await self._choose(press.user_id, chosen, press.user.language_code)
        return PressReply(message=shown)

    async def _choose(self, user_id: int, chosen: str, code: str | None) -> RenderedMessage:
        locale = None if chosen == AUTOMATIC else chosen
        await self.accounts.choose_locale(user_id, locale)
        spoken = locale or choose_locale("", code)
        return replace(_choice(spoken, locale), text=say(spoken, "language-chosen", chosen=chosen))


def _named(wanted: str, locale: str) -> str | None:
    """The language of a tag or a name, in that language, in the user's, or in English."""
    name = wanted.strip().casefold()
    if name in {AUTOMATIC, "automatic", say(locale, "language-auto").casefold()}:
        return AUTOMATIC
    for option, own in LANGUAGES.items():
        known = Locale.parse(option, sep="-")
        shown = (
            known.get_language_name(ENGLISH),
            known.get_language_name(locale.replace("-", "_")),
        )
        if name in {one.casefold() for one in (option, own, *filter(None, shown))}:
            return option
    return locale_of_tag(name)


def _choice(locale: str, chosen: str | None) -> RenderedMessage:
    """The question in the current language, with the current choice marked."""
    options = {AUTOMATIC: say(locale, "language-auto"), **LANGUAGES}
    buttons = [
        Button(("✓ " if option == (chosen or AUTOMATIC) else "") + name, f"{VERB}:{option}")
        for option, name in options.items()
    ]
    rows = (buttons[at : at + _IN_A_ROW] for at in range(0, len(buttons), _IN_A_ROW))
    return RenderedMessage(say(locale, "language"), buttons=tuple(map(tuple, rows)))
