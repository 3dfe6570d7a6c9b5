"""Holds the talks with the real bot over HTTP, with a scripted model or the demo's stand-in."""

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from bench.conversation.checks import lacks_nothing, wrong_with
from bench.conversation.talks import Talk, Turn, plan_of
from rich_agent.phrases import say
from tests.acceptance.pictures import picture
from tests.acceptance.scripting import calling
from tests.acceptance.world import World, wait_until
from tests.documents import document

_PLANNER, _CHECK, _STREAMED = '"PlannedTurn"', "no_claim", '"stream":true'
"""Parts of the requests for a plan, for a second look, and for an answer."""
_SUPPORTED = '{"supported": [{"sentence": 1, "passages": [1]}]}'
_OF_THE_PRODUCT = frozenset({"call", "leave", "wait"})
"""Kinds of messages whose answers are the product's own words, whoever the model is."""
_CLOCK = re.compile(r"\b(\d{1,2}):(\d{2})\b")
_MOST_APART_MIN = 2


@dataclass(frozen=True, slots=True)
class Held:
    """A turn, the answers of the bot, and what is wrong with them."""

    turn: Turn
    replies: tuple[str, ...]
    wrong: tuple[str, ...]
    buttons: tuple[str, ...] = ()


@dataclass(slots=True)
class Holder:
    """A user who holds a talk; with `is_scripted` the model plans well and says what it should."""

    world: World
    user: int
    talk: Talk
    is_scripted: bool
    held: list[Held] = field(default_factory=list)

    def hold(self) -> list[Held]:
        """Hold the whole talk."""
        for number, turn in enumerate(self.talk.turns):
            if number and (turn.is_material or self.talk.turns[number - 1].is_material):
                self.world.sandbox.pause(self.user)
            self.held.append(self._take(turn))
        return self.held

    def _take(self, turn: Turn) -> Held:
        if self.is_scripted and turn.kind:
            self._script(turn)
        if turn.comes:
            wait_until(lambda: self._came(turn.comes), f"{turn.comes} comes")
        before = self.world.sandbox.mark()
        code = self.talk.language.partition("-")[0]
        sent = self.world.sandbox.say(self.user, language_code=code, **self._message(turn))
        wait_until(lambda: self.world.is_done(sent), f"{turn.say} is done")
        self.world.sandbox.recover()
        messages = self.world.sandbox.replies(self.user, sent.message_id)
        replies = tuple(
            str(message.get("text") or message.get("caption", "")) for message in messages
        )
        buttons = tuple(
            button["text"]
            for message in messages
            for row in (message.get("reply_markup") or {}).get("inline_keyboard", ())
            for button in row
        )
        return Held(turn, replies, tuple(self._wrong(turn, "\n".join(replies), before)), buttons)

    def _message(self, turn: Turn) -> dict[str, Any]:
        if turn.file:
            data = base64.b64encode(document(turn.file)).decode("ascii")
            return {"document_base64": data, "file_name": turn.file}
        if turn.photo:
            return {"photo": picture(*turn.photo, seed=self.user)}
        if turn.forward:
            return {"text": turn.forward, "forward_from": "Mallory"}
        if turn.spoken:
            return {"attachment": "voice", "spoken": turn.say}
        return {"text": turn.say}

    def _came(self, text: str) -> bool:
        """Whether a reminder came with these words."""
        messages = self.world.sandbox.chat(self.user)["messages"]
        due = say(self.talk.language, "reminder-came", text=text)
        return any(due in str(one.get("text")) for one in messages)

    def _script(self, turn: Turn) -> None:
        """Have the model plan well, and say what the talk tells."""
        said = json.dumps(f">{turn.say}<", ensure_ascii=False)[1:-1]
        self._say([said, _PLANNER], text=plan_of(turn, self.talk))
        if turn.kind == "wait":
            self._say([said, '"PlannedClarification"'], text='{"question": "?", "choices": []}')
        self._say([said, _CHECK], text=_SUPPORTED)
        if turn.kind in {"wait", "leave"}:
            return
        if turn.call:
            self._say([said, _STREAMED], calls=[calling(turn.call, **turn.arguments)])
        if not turn.is_answered_by_results:
            self._say([said, _STREAMED], text=turn.answer or self.talk.answer)

    def _say(self, containing: list[str], **completion: object) -> None:
        """Have the model say this to its next request that contains these parts."""
        fault = {"method": "chat.completions", "containing": containing, **completion}
        self.world.sandbox.fail("openai", "scripted", **fault)

    def _wrong(self, turn: Turn, text: str, before: int) -> Iterator[str]:
        language = self.talk.language
        if not text.strip():
            yield "says nothing"
        if not self.is_scripted or turn.kind in _OF_THE_PRODUCT or turn.answer:
            yield from (f"does not say {part!r}" for part in turn.shows if part not in text)
        yield from (f"says {part!r}" for part in turn.hides if part in text)
        if not turn.is_material:
            yield from wrong_with(text, language)
        if self.is_scripted and not lacks_nothing(text, language):
            yield "says that nothing was found below an answer that lacks nothing"
        if turn.shows_time and not self._knows_time(turn, before):
            yield "was asked the time, and no prompt has it"

    def _knows_time(self, turn: Turn, before: int) -> bool:
        """Whether the request for the answer had the present time."""
        now = datetime.now(ZoneInfo(turn.shows_time))
        bodies = (
            json.dumps(call["body"], ensure_ascii=False)
            for call in self.world.sandbox.calls("openai", before)
            if call["body"].get("stream")
        )
        clocks = (_CLOCK.findall(body) for body in bodies if f">{turn.say}<" in body)
        return any(
            abs(int(hour) * 60 + int(minute) - (now.hour * 60 + now.minute)) <= _MOST_APART_MIN
            for found in clocks
            for hour, minute in found
        )
