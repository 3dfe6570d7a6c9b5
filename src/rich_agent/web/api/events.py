"""The named events of a run as programs of one's own read them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rich_agent.domain.runs import Run, RunEvent
from rich_agent.web.link_guard import guard_links
from rich_agent.web.spoken import SpokenRun


@dataclass(slots=True)
class NamedEvents:
    """Writes one run: at most one event for each of its own, under the same number."""

    run: Run
    spoken: SpokenRun

    def connected(self) -> str:
        """What comes first, without a number."""
        told = {"id": self.run.run_id, "thread": self.run.thread, "state": self.run.state}
        return _event("connected", told)

    def take(self, event: RunEvent) -> str:
        """The named event that an event of the run stands for, "" for none."""
        text = self.spoken.take(event)
        data = event.data
        match event.kind:
            case "called":
                call = {key: data[key] for key in ("id", "name", "arguments")}
                return _event("tool_call", call, event.seq)
            case "returned":
                result = {key: data[key] for key in ("id", "status", "content")}
                return _event("tool_response", result, event.seq)
            case "question":
                return _event("awaiting_approval", _asked(data), event.seq)
            case "ended":
                return self._end(event.seq)
            case _:
                return _event("text_chunk", {"text": text}, event.seq) if text else ""

    def _end(self, number: int) -> str:
        spoken = self.spoken
        if failure := spoken.failure:
            told = {"code": failure.code, "message": failure.message}
            return _event("error", told, number)
        whole = {
            "outcome": spoken.outcome,
            "text": spoken.said,
            "citations": [citation.to_state() for citation in spoken.citations],
            "usage": spoken.used.to_json(),
        }
        return _event("complete", whole, number)


def _asked(data: Mapping[str, Any]) -> dict[str, Any]:
    """What a run waits for; without `calls` it is a question to be answered in words."""
    calls = [{key: call[key] for key in ("id", "name", "arguments")} for call in data["calls"]]
    return {
        "question": guard_links(data["question"]),
        "choices": data["choices"],
        "calls": calls,
        "expires_at": data.get("expires_at"),
    }


def _event(name: str, data: Mapping[str, Any], number: int = 0) -> str:
    told = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    numbered = f"id: {number}\n" if number else ""
    return f"{numbered}event: {name}\ndata: {told}\n\n"
