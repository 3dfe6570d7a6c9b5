"""/plan, /review, /brainstorm, /session and /cancel, which begin and cancel guided sessions."""

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
"""Templates with their own command. The operator may have replaced them."""


@dataclass(frozen=True, slots=True)
class GuidedSessions:
    """Begins and cancels sessions."""

    sessions: Sessions
    templates: Mapping[str, SessionTemplate]

    def answers(self) -> Mapping[str, CommandAnswer]:
        """The answers to the commands, by command name."""
        shortcuts = {name: self._beginner(name) for name in SHORTCUTS}
        return {**shortcuts, "session": self.choose, LEAVE_COMMAND: self.cancel}

    async def choose(self, request: CommandRequest) -> Reply:
        """Begin the named session; without a known name, list all sessions."""
        name = request.args.strip().casefold()
        if name in self.templates:
            return await self._begin(name, request)
        lines = [
            f"/session {template_name} – {template.title(request.locale)}"
            for template_name, template in self.templates.items()
        ]
        return Reply.of("\n".join([say(request.locale, "session-which"), "", *lines]))

    async def cancel(self, request: CommandRequest) -> Reply:
        """Cancel the open session; results that were approved in it stay.

        With the number of a session, as a button sends it, only that session is cancelled. With
        other words, no session is cancelled.
        """
        if argument := request.args.strip():
            session_id, open_session = (
                whole_number(argument),
                await self.sessions.active(request.user_id),
            )
            if session_id is None:
                return Reply.of(say(request.locale, "command-alone", command=f"/{LEAVE_COMMAND}"))
            if open_session is None or open_session.id != session_id:
                return Reply.of(say(request.locale, "session-none"))
        session = await self.sessions.end(request.user_id, "cancelled")
        if session is None:
            return Reply.of(say(request.locale, "session-none"))
        title = self.title(session.template, request.locale)
        return Reply.of(say(request.locale, "session-cancelled", title=title))

    def _beginner(self, name: str) -> CommandAnswer:
        async def begin(request: CommandRequest) -> Reply:
            return await self._begin(name, request)

        return begin

    async def _begin(self, name: str, request: CommandRequest) -> Reply:
        """Begin a session, and a turn in which the user says the command's words or the opening."""
        session = await self.sessions.begin(request.user_id, name)
        if session is None and not await self._takes_over(request, name):
            open_session = await self.sessions.active(request.user_id)
            title = self.title(open_session.template if open_session else name, request.locale)
            label = say(request.locale, f"tool-{END_TOOL}")
            offers = (
                [CommandOffer(label, f"{LEAVE_COMMAND} {open_session.id}")] if open_session else []
            )
            notice = say(request.locale, "session-open", title=title)
            return Reply.of(notice, *command_buttons(offers))
        command_words = request.args if request.name == name else ""
        opening = command_words.strip() or self.templates[name].opening(request.locale)
        return Reply(again=AskedBefore(IncomingMessage(request.user, opening), ""))

    async def _takes_over(self, request: CommandRequest, name: str) -> bool:
        """Whether this command began the open session before a crash. Its message is counted."""
        open_session = await self.sessions.active(request.user_id)
        if open_session is None or open_session.template != name:
            return False
        session = await self.sessions.count(request.user_id, f"tg:{request.update_id}")
        return session is not None and session.messages <= 1

    def title(self, name: str, locale: str) -> str:
        """The title of a template, its name if there is none any more."""
        template = self.templates.get(name)
        return template.title(locale) if template else name
