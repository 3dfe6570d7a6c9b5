"""The named events of a run as programs of one's own read them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from rich_agent.domain.json_values import on_one_line
from rich_agent.domain.runs import Run, RunEvent
from rich_agent.web.cards import cards_asked, question_markdown
from rich_agent.web.run_text import RunText

Named = tuple[str, Mapping[str, Any], Mapping[str, Any]]
"""An event's name, its data, and the fields next to `data` that older programs read."""
_CALLS: Final = {
    "called": ("tool_call", ("id", "name", "arguments")),
    "returned": ("tool_response", ("id", "status", "content")),
}


@dataclass(slots=True)
class NamedEvents:
    """Writes one run: at most one event for each of its own, under the same number."""

    run: Run
    spoken: RunText
    prefix: str = ""

    def connected(self) -> str:
        """The first event, without a number."""
        told = {"status": "ready", "conversationId": self.run.thread}
        run = {"id": self.run.run_id, "thread": self.run.thread, "state": self.run.state}
        return _event("connected", told, run)

    def take(self, event: RunEvent) -> str:
        """The named event that an event of the run stands for, "" for none."""
        text = self.spoken.take(event)
        named = self._named(event, text)
        return _event(*named, at=event.at, number=f"{self.prefix}{event.seq}") if named else ""

    def _named(self, event: RunEvent, text: str) -> Named | None:
        data = event.data
        match event.kind:
            case "started":
                asked = self.run.asked
                return "user_input", {"content": asked.text, "messageId": asked.message_id}, {}
            case "called" | "returned":
                name, keys = _CALLS[event.kind]
                return _same(name, {key: data[key] for key in keys})
            case "question":
                return _same("awaiting_approval", _asked(data))
            case "ended":
                return self._end()
        if not text:
            return None
        message = f"{self.run.run_id}:{data.get('message', 0)}"
        return "text_chunk", {"content": text, "messageId": message}, {"text": text}

    def _end(self) -> Named:
        spoken = self.spoken
        if failure := spoken.failure:
            code, message = failure.code, failure.message
            return "error", {"error": message, "code": code}, {"code": code, "message": message}
        whole = {
            "outcome": spoken.outcome,
            "text": spoken.said,
            "citations": [citation.to_state() for citation in spoken.citations],
            "usage": spoken.used.to_json(),
        }
        return _same("complete", whole)


def _same(name: str, data: Mapping[str, Any]) -> Named:
    return name, data, data


def _asked(data: Mapping[str, Any]) -> dict[str, Any]:
    """The question that a run waits for; without `calls` it is to be answered in words."""
    calls = [{key: call[key] for key in ("id", "name", "arguments")} for call in data["calls"]]
    cards = cards_asked(data)
    return {
        "question": question_markdown(data, cards),
        "choices": data["choices"],
        "calls": calls,
        "cards": [card.to_state() for card in cards],
        "expires_at": data.get("expires_at"),
    }


def _event(
    name: str,
    data: Mapping[str, Any],
    flat: Mapping[str, Any],
    *,
    at: datetime | None = None,
    number: str = "",
) -> str:
    told = {"type": name, "timestamp": (at or datetime.now(UTC)).isoformat(), "data": data, **flat}
    line = on_one_line(told)
    numbered = f"id: {number}\n" if number else ""
    return f"{numbered}event: {name}\ndata: {line}\n\n"
