"""/plan, /review, /brainstorm, /session and /cancel: guided sessions begin and are given up."""

from collections.abc import Mapping
from dataclasses import dataclass

from rich_agent.feature import CommandRequest, Reply, say
from rich_agent.feature.conversation import (
    AskedBefore,
    CommandAnswer,
    CommandOffer,
    IncomingMessage,
    command_buttons,
)
from rich_agent.feature.text import whole_number
from rich_agent.features.session.records import Sessions
from rich_agent.features.session.sessions import SessionTemplate
from rich_agent.features.session.tools import END_TOOL

LEAVE_COMMAND = "cancel"
SHORTCUTS = ("plan", "review", "brainstorm")
"""Templates that have a command of their own; the operator may have replaced them."""


@dataclass(frozen=True, slots=True)
class GuidedSessions:
    """Begins sessions and gives them up."""

    sessions: Sessions
    templates: Mapping[str, SessionTemplate]

    def answers(self) -> Mapping[str, CommandAnswer]:
        """The answers to its commands by their names."""
        shortcuts = {name: self._beginner(name) for name in SHORTCUTS}
        return {**shortcuts, "session": self.choose, LEAVE_COMMAND: self.cancel}

    async def choose(self, request: CommandRequest) -> Reply:
        """Begin the session that is named, else list those that there are."""
        name = request.args.strip().casefold()
        if name in self.templates:
            return await self._begin(name, request)
        lines = [
            f"/session {one} – {template.title(request.locale)}"
            for one, template in self.templates.items()
        ]
        return Reply.of("\n".join([say(request.locale, "session-which"), "", *lines]))

    async def cancel(self, request: CommandRequest) -> Reply:
        """Give the open session up; what was approved in it stays.

        With the number of a session, which a button gives, no other one; with words none.
        """
        if word := request.args.strip():
            number, open_one = whole_number(word), await self.sessions.active(request.user_id)
            if number is None:
                return Reply.of(say(request.locale, "command-alone", command=f"/{LEAVE_COMMAND}"))
            if open_one is None or open_one.id != number:
                return Reply.of(say(request.locale, "session-none"))
        session = await self.sessions.end(request.user_id, "cancelled")
        if session is None:
            return Reply.of(say(request.locale, "session-none"))
        title = self._title(session.template, request.locale)
        return Reply.of(say(request.locale, "session-cancelled", title=title))

    def _beginner(self, name: str) -> CommandAnswer:
        async def begin(request: CommandRequest) -> Reply:
            return await self._begin(name, request)

        return begin

    async def _begin(self, name: str, request: CommandRequest) -> Reply:
        """A turn in which the user says the template's opening, or what came with the command."""
        session = await self.sessions.begin(request.user_id, name)
        if session is None and not await self._takes_over(request, name):
            open_one = await self.sessions.active(request.user_id)
            title = self._title(open_one.template if open_one else name, request.locale)
            label = say(request.locale, f"tool-{END_TOOL}")
            offers = [CommandOffer(label, f"{LEAVE_COMMAND} {open_one.id}")] if open_one else []
            notice = say(request.locale, "session-open", title=title)
            return Reply.of(notice, *command_buttons(offers))
        words = request.args if request.name == name else ""
        opening = words.strip() or self.templates[name].opening(request.locale)
        return Reply(again=AskedBefore(IncomingMessage(request.user, opening), ""))

    async def _takes_over(self, request: CommandRequest, name: str) -> bool:
        """Count the command's message in the open session, which it began before a crash if so."""
        active = await self.sessions.active(request.user_id)
        if active is None or active.template != name:
            return False
        session = await self.sessions.count(request.user_id, f"tg:{request.update_id}")
        return session is not None and session.messages <= 1

    def _title(self, name: str, locale: str) -> str:
        template = self.templates.get(name)
        return template.title(locale) if template else name
