"""Tool calls while their arguments grow, as events of AG-UI."""

import json
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich_agent.web.agui.interrupts import Wire


@dataclass(slots=True)
class CallsInProgress:
    """The calls that have begun and not ended; each is part of a message, and grows there too."""

    _open: dict[str, Wire] = field(default_factory=dict)

    def __contains__(self, call_id: str) -> bool:
        return call_id in self._open

    def __len__(self) -> int:
        return len(self._open)

    def begin(self, call_id: str, name: str, message: Wire) -> Iterator[Wire]:
        """A call of a tool, below a message."""
        self._open[call_id] = {"name": name, "arguments": ""}
        call = {"id": call_id, "type": "function", "function": self._open[call_id]}
        message.setdefault("toolCalls", []).append(call)
        yield {
            "type": "TOOL_CALL_START",
            "toolCallId": call_id,
            "toolCallName": name,
            "parentMessageId": message["id"],
        }

    def grow(self, call_id: str, delta: str) -> Iterator[Wire]:
        """More of its arguments."""
        if delta:
            self._open[call_id]["arguments"] += delta
            yield {"type": "TOOL_CALL_ARGS", "toolCallId": call_id, "delta": delta}

    def end(self, call_id: str, arguments: Mapping[str, Any]) -> Generator[Wire, None, bool]:
        """The call is whole; False if it had grown otherwise: its message has it right now."""
        told = self._open[call_id]["arguments"]
        whole = json.dumps(arguments, ensure_ascii=False)
        if is_begun := whole.startswith(told):
            yield from self.grow(call_id, whole[len(told) :])
        is_same = is_begun or _object_in(told) == arguments
        if not is_same:
            self._open[call_id]["arguments"] = whole
        del self._open[call_id]
        yield {"type": "TOOL_CALL_END", "toolCallId": call_id}
        return is_same

    def drop(self, messages: Sequence[Wire]) -> Iterator[Wire]:
        """End all of them, and take them out of the messages."""
        for message in messages:
            kept = [one for one in message.pop("toolCalls", ()) if one["id"] not in self._open]
            if kept:
                message["toolCalls"] = kept
        for call_id in self._open:
            yield {"type": "TOOL_CALL_END", "toolCallId": call_id}
        self._open.clear()


def _object_in(text: str) -> object:
    """The JSON in a text, None if it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
