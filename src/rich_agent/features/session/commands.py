"""/plan, /review, /brainstorm, /session and /cancel, which begin and cancel guided sessions."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rich_agent.feature import CommandRequest, PressReply, PressRequest, Reply, say
from rich_agent.feature.conversation import (
    AskedBefore,
    CommandAnswer,
    CommandOffer,
    IncomingMessage,
    PressAnswer,
    command_buttons,
)
from rich_agent.feature.living import LivingBlock
from rich_agent.feature.text import whole_number
from rich_agent.features.session.blocks import (
    END_VERB,
    choice_block,
    end_sentence,
    session_block,
)
from rich_agent.features.session.records import SessionRecords, Sessions
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
    records: SessionRecords

    def answers(self) -> Mapping[str, CommandAnswer]:
        """The answers to the commands, by command name."""
        shortcuts = {name: self._beginner(name) for name in SHORTCUTS}
        return {**shortcuts, "session": self.choose, LEAVE_COMMAND: self.cancel}

    def presses(self) -> Mapping[str, PressAnswer]:
        """The answers to presses of its buttons, by verb."""
        return {END_VERB: self.leave}

    async def choose(self, request: CommandRequest) -> Reply:
        """Begin the named session; without a known name, list all sessions."""
        name = request.args.strip().casefold()
        if name in self.templates:
            return await self._begin(name, request)
        lines = [
            f"/session {template_name} – {template.title(request.locale)}"
            for template_name, template in self.templates.items()
        ]
        reply = Reply.of("\n".join([say(request.locale, "session-which"), "", *lines]))
        block = await self._block(request.user_id, None, request.locale)
        offers = [
            CommandOffer(template.title(request.locale), f"session {template_name}")
            for template_name, template in self.templates.items()
        ]
        buttons = [button for row in command_buttons(offers) for button in row]
        return _with_block(reply, block or choice_block(buttons, request.locale))

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
        reply = Reply.of(say(request.locale, "session-cancelled", title=title))
        return _with_block(reply, await self._block(request.user_id, session.id, request.locale))

    async def leave(self, press: PressRequest) -> PressReply:
        """Cancel the session of the button if it is still open; its block says how it ended."""
        session_id, locale = whole_number(press.argument) or 0, press.locale
        open_session = await self.sessions.active(press.user_id)
        is_open = open_session is not None and open_session.id == session_id
        if is_open:
            await self.sessions.end(press.user_id, "cancelled")
        record = await self.records.find(press.user_id, session_id)
        if record is None:
            block = replace(press.block, actions=()) if press.block else None
            none = say(locale, "session-none")
            return PressReply(none, replace(Reply.of(none).message, living=block))
        ending = end_sentence(record, self.title(record.session.template, locale), locale)
        block = await self._block(press.user_id, session_id, locale)
        message = replace(Reply.of(ending).message, living=block)
        return PressReply("" if is_open else ending, message)

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
            block = await self._block(request.user_id, None, request.locale)
            return _with_block(Reply.of(notice, *command_buttons(offers)), block)
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

    async def _block(self, user_id: int, session_id: int | None, locale: str) -> LivingBlock | None:
        """The block of a session, of the open one without a number; None if there is none."""
        record = await self.records.find(user_id, session_id)
        if record is None:
            return None
        return session_block(record, self.title(record.session.template, locale), locale)

    def title(self, name: str, locale: str) -> str:
        """The title of a template, its name if there is none any more."""
        template = self.templates.get(name)
        return template.title(locale) if template else name


def _with_block(reply: Reply, block: LivingBlock | None) -> Reply:
    return replace(reply, message=replace(reply.message, living=block))
