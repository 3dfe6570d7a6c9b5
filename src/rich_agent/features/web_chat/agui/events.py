"""Translates the events of a run into events of AG-UI.

The same run gives the same events to every client. So an event is identified by its number, also
for a client that comes back.
"""

import json
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich_agent.feature.conversation import button_message
from rich_agent.feature.runs import Run, RunEvent, RunEventKind, answer_markdown, verbatim_markdown
from rich_agent.feature.surface import (
    AllowedLinks,
    Answer,
    Attachment,
    Citation,
    CitationState,
    LinkGuard,
    TextBehind,
    attachments_in,
    is_web,
    links_in,
)
from rich_agent.features.web_chat.agui.interrupts import Wire, interrupts_of
from rich_agent.features.web_chat.agui.places import Places


@dataclass(slots=True)
class CallsInProgress:
    """The calls that have begun and not ended. Each is part of a message, and grows there, too."""

    _open: dict[str, Wire] = field(default_factory=dict)

    def __contains__(self, call_id: str) -> bool:
        return call_id in self._open

    def __len__(self) -> int:
        return len(self._open)

    def begin(self, call_id: str, name: str, message: Wire) -> Iterator[Wire]:
        """Begin a call of a tool, which belongs to a message."""
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
        """Append to the arguments of a call."""
        if delta:
            self._open[call_id]["arguments"] += delta
            yield {"type": "TOOL_CALL_ARGS", "toolCallId": call_id, "delta": delta}

    def end(self, call_id: str, arguments: Mapping[str, Any]) -> Generator[Wire, None, bool]:
        """End a call; return False if its streamed arguments differ from the final ones.

        Its message then has the final arguments, and has to be sent again.
        """
        text_so_far = self._open[call_id]["arguments"]
        arguments_json = json.dumps(arguments, ensure_ascii=False)
        if is_begun := arguments_json.startswith(text_so_far):
            yield from self.grow(call_id, arguments_json[len(text_so_far) :])
        is_same = is_begun or _object_in(text_so_far) == arguments
        if not is_same:
            self._open[call_id]["arguments"] = arguments_json
        del self._open[call_id]
        yield {"type": "TOOL_CALL_END", "toolCallId": call_id}
        return is_same

    def drop(self, messages: Sequence[Wire]) -> Iterator[Wire]:
        """End all calls, and remove them from the messages."""
        for message in messages:
            ended_calls = [
                call for call in message.pop("toolCalls", ()) if call["id"] not in self._open
            ]
            if ended_calls:
                message["toolCalls"] = ended_calls
        for call_id in self._open:
            yield {"type": "TOOL_CALL_END", "toolCallId": call_id}
        self._open.clear()


def _object_in(text: str) -> object:
    """The JSON value in a text, None if the text is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


PROTOCOL_VERSION = "1.0"
_GAVE_UP = "The answer could not be completed. Please ask again."


@dataclass(slots=True)
class EventWriter:
    """Translates one run. `before` has the earlier messages of the conversation."""

    run: Run
    places: Places
    before: Sequence[Wire] = ()
    _own: list[Wire] = field(default_factory=list)
    _open: Wire | None = None
    _growing: Wire | None = None
    _text: TextBehind = field(init=False)
    _parts: list[str] = field(default_factory=list)
    _step: str = ""
    _result: Wire = field(default_factory=dict)
    _attachments: Sequence[Attachment] = ()
    _calls: CallsInProgress = field(default_factory=CallsInProgress)
    _question: Mapping[str, Any] | None = None
    _earlier_turn: str = ""
    _offers_value: Wire | None = None

    def __post_init__(self) -> None:
        self._text = self._behind("")

    def _behind(self, text: str) -> TextBehind:
        return TextBehind(LinkGuard(AllowedLinks.of(self._user_links)), text)

    def opening(self) -> Iterator[Wire]:
        """The first events of the run. The run may still wait for other runs."""
        yield {"type": "RUN_STARTED", **self._ids, "protocolVersion": PROTOCOL_VERSION}
        request = self.run.asked
        if not (request.is_command or request.is_errand or request.press):
            replacement = {"replaces": request.replaces} if request.replaces else {}
            yield {"type": "CUSTOM", "name": "turn", "value": {"id": self._turn, **replacement}}
        yield from self._to_step("queued")

    def take(self, event: RunEvent) -> Iterator[Wire]:
        """The events of AG-UI for an event of the run."""
        yield from self._writers[event.kind](event.data)

    @property
    def _writers(self) -> Mapping[RunEventKind, Callable[[Mapping[str, Any]], Iterator[Wire]]]:
        return {
            "started": lambda _: self._to_step(""),
            "planned": lambda data: iter([{"type": "CUSTOM", "name": "plan", "value": data}]),
            "stage": lambda data: self._to_step(data["stage"], data),
            "text": self._append,
            # The answer, which follows, has this text.
            "rewritten": lambda _: iter(()),
            "calling": self._grow_call,
            "called": self._call,
            "returned": self._return,
            "answer": self._answer,
            "question": self._ask,
            "ended": self._end,
        }

    @property
    def _user_links(self) -> frozenset[str]:
        return links_in(self.run.asked.text)

    @property
    def _ids(self) -> Wire:
        return {"threadId": self.run.thread, "runId": self.run.run_id}

    @property
    def messages(self) -> Sequence[Wire]:
        """The messages of the run so far, and the results of its calls."""
        self._keep_parts()
        return self._own

    @property
    def _turn(self) -> str:
        """The request id of the turn. A resumed run continues the turn of the run before it."""
        return self._earlier_turn or self.run.asked.answers or self.run.request_id

    @property
    def _call_base(self) -> str:
        """The prefix of the ids of calls, which are unique within a turn.

        With it, the result of a call that waited for approval has the id of its call.
        """
        return f"{self._turn}:"

    def _message_id(self, position: int) -> str:
        return f"{self.run.run_id}:{position}"

    def _to_step(self, name: str, stage_data: Mapping[str, Any] | None = None) -> Iterator[Wire]:
        if self._step:
            yield {"type": "STEP_FINISHED", "stepName": self._step}
        self._step = name
        if name:
            metadata = {key: value for key, value in (stage_data or {}).items() if key != "stage"}
            step = {"type": "STEP_STARTED", "stepName": name}
            yield {**step, "metadata": metadata} if metadata else step

    def _append(self, data: Mapping[str, Any]) -> Iterator[Wire]:
        if self._calls:
            return  # the answer, which follows, has this text
        message = self._assistant(data["message"])
        if message is not self._growing:
            self._growing, self._text = message, self._behind(message.get("content", ""))
        yield from self._write(message, self._text.feed(data["delta"]))

    def _write(self, message: Wire, text_delta: str) -> Iterator[Wire]:
        if not text_delta:
            return
        if self._open is not message:
            yield from self._close_text()
            self._open = message
            yield {"type": "TEXT_MESSAGE_START", "messageId": message["id"], "role": "assistant"}
        self._parts.append(text_delta)
        yield {"type": "TEXT_MESSAGE_CONTENT", "messageId": message["id"], "delta": text_delta}

    def _close_text(self) -> Iterator[Wire]:
        self._keep_parts()
        if self._open is not None:
            yield {"type": "TEXT_MESSAGE_END", "messageId": self._open["id"]}
            self._open = None

    def _keep_parts(self) -> None:
        """Append the written text to its message."""
        if self._open is not None and self._parts:
            text = "".join(self._parts)
            self._open["content"] = self._open.get("content", "") + text
            self._parts.clear()

    def _begin_call(self, data: Mapping[str, Any]) -> Iterator[Wire]:
        call_id = self._call_base + data["id"]
        if call_id in self._calls:
            return
        if self._open is not None:
            yield from self._write(self._open, self._text.end())
        yield from self._close_text()
        yield from self._calls.begin(call_id, data["name"], self._assistant(data["message"]))

    def _grow_call(self, data: Mapping[str, Any]) -> Iterator[Wire]:
        yield from self._begin_call(data)
        yield from self._calls.grow(self._call_base + data["id"], data["delta"])

    def _call(self, data: Mapping[str, Any]) -> Iterator[Wire]:
        yield from self._begin_call(data)
        call_id = self._call_base + data["id"]
        is_same = yield from self._calls.end(call_id, data["arguments"])
        if card := data.get("card"):
            call_value = {"toolCallId": call_id, "title": card["title"], "fields": card["fields"]}
            yield {"type": "CUSTOM", "name": "call", "value": call_value}
        if not is_same:
            yield self._snapshot()

    def _drop_calls(self) -> Iterator[Wire]:
        """End the calls that the model began and did not make."""
        if self._calls:
            yield from self._calls.drop(self._own)
            yield self._snapshot()

    def _return(self, data: Mapping[str, Any]) -> Iterator[Wire]:
        yield from self._close_text()
        yield from self._drop_calls()
        call_id = self._call_base + data["id"]
        message = {
            "id": f"{self.run.run_id}:{data['id']}",
            "role": "tool",
            "toolCallId": call_id,
            "content": data["content"],
        }
        self._own.append(message)
        yield {
            "type": "TOOL_CALL_RESULT",
            "messageId": message["id"],
            "toolCallId": call_id,
            "content": data["content"],
            "metadata": {"status": data["status"]},
        }

    def _answer(self, data: Mapping[str, Any]) -> Iterator[Wire]:
        """The whole text with its sources.

        If it continues the streamed text, the remainder is sent, else all messages.
        """
        yield from self._drop_calls()
        self._keep_parts()
        message = self._assistant(data["message"])
        text, previous = self._whole(data, message), message.get("content", "")
        # A client that returns to a verbatim text has another text of the answer.
        if text.startswith(previous) and not data.get("verbatim"):
            yield from self._write(message, text[len(previous) :])
            yield from self._close_text()
        else:
            yield from self._close_text()
            message["content"] = text
            yield self._snapshot()
        sources = self.places.sources(data["citations"])
        self._attachments = attachments_in(data)
        self._result = {"messageId": message["id"], "text": text, "sources": sources}
        if data.get("is_turn"):
            yield self._offers(data, messageId=message["id"])
        if block := data.get("living"):
            value = {"messageId": message["id"], "block": with_words(block)}
            yield {"type": "CUSTOM", "name": "living", "value": value}
        if data.get("notice"):
            yield {"type": "CUSTOM", "name": "notice", "value": {"text": data["notice"]}}
        if data.get("undo_until"):
            undo = {"id": data["undo"], "until": data["undo_until"]}
            value = {"messageId": message["id"], **undo}
            yield {"type": "CUSTOM", "name": "undo", "value": value}
        if sources:
            value = {"messageId": message["id"], "sources": sources}
            yield {"type": "CUSTOM", "name": "sources", "value": value}

    def _offers(self, data: Mapping[str, Any], **place: str) -> Wire:
        """The event with the actions that are offered for an answer or a question about files."""
        rateable, files = data.get("worth_rating", False), list(data.get("files", ()))
        offers_value = {**place, "turn": self._turn, "rateable": rateable, "keepable": files}
        self._offers_value = offers_value
        return {"type": "CUSTOM", "name": "offers", "value": offers_value}

    def _settle(self, turn: str) -> Iterator[Wire]:
        """The turn that the user's words continued, if the run began with another turn."""
        if turn in {"", self._turn}:
            return
        self._earlier_turn = turn
        yield {"type": "CUSTOM", "name": "turn", "value": {"id": turn}}
        if self._offers_value:
            offers_value = {**self._offers_value, "turn": turn}
            yield {"type": "CUSTOM", "name": "offers", "value": offers_value}

    def _whole(self, data: Mapping[str, Any], message: Wire) -> str:
        if data.get("verbatim"):
            return verbatim_markdown(data["text"], data["locale"])
        text, citations = data["text"], data["citations"]
        if message is self._growing and not any(is_web(citation["link"]) for citation in citations):
            remaining_text = self._text.rest_of(text)
            if remaining_text is not None:
                return str(message.get("content", "")) + remaining_text
        return whole_text(text, citations, self._user_links)

    def _ask(self, data: Mapping[str, Any]) -> Iterator[Wire]:
        self._question = data
        yield from self._close_text()
        yield from self._drop_calls()
        if data.get("files"):
            yield self._offers(data)

    def _end(self, data: Mapping[str, Any]) -> Iterator[Wire]:
        yield from self._close_text()
        yield from self._drop_calls()
        yield from self._to_step("")
        usage_field = {"usage": list(map(_usage_of, data["usage"]))} if data.get("usage") else {}
        if data["outcome"] == "error":
            message, code = data.get("message") or _GAVE_UP, data.get("code") or "internal"
            yield {"type": "RUN_ERROR", "message": message, "code": code, **usage_field}
            return
        yield from self._settle(data.get("turn", ""))
        if pictures := self.places.pictures.drawings(self._turn, self._attachments):
            # Only now the transcript has the attachments, from which pictures are drawn.
            value = {"messageId": self._result["messageId"], "pictures": pictures}
            yield {"type": "CUSTOM", "name": "pictures", "value": value}
        outcome: Wire = {"type": data["outcome"]}
        if data["outcome"] == "question" and self._question is not None:
            interrupts = interrupts_of(self.run.run_id, self._question, self._call_base)
            outcome = {"type": "interrupt", "interrupts": interrupts}
            yield self._snapshot()
        end_event: Wire = {"type": "RUN_FINISHED", **self._ids, "outcome": outcome, **usage_field}
        yield {**end_event, "result": self._result} if self._result else end_event

    def _snapshot(self) -> Wire:
        messages_of_run = {message["id"]: message for message in self.messages}
        earlier_messages = [
            message for message in self.before if message.get("id") not in messages_of_run
        ]
        # Copied, because messages grow while the stream is written.
        messages = json.loads(json.dumps([*earlier_messages, *self._own]))
        return {"type": "MESSAGES_SNAPSHOT", "messages": messages}

    def _assistant(self, position: int) -> Wire:
        """The answer's message with this number, a new message if there is none yet."""
        message_id = self._message_id(position)
        for message in reversed(self._own):
            if message["id"] == message_id:
                return message
        message = {"id": message_id, "role": "assistant"}
        self._own.append(message)
        return message


def whole_text(
    text: str, citations: Sequence[CitationState], user_links: Collection[str] = ()
) -> str:
    """A complete answer for clients, with safe links and links to its web sources.

    Files of the operator have no link. Clients get all sources in a separate event.
    """
    all_citations = [Citation.from_state(citation) for citation in citations]
    return answer_markdown(
        Answer(text, tuple(c for c in all_citations if is_web(c.link))), user_links
    )


def _usage_of(usage: Mapping[str, Any]) -> Wire:
    """The usage of one model. Source: AG-UI 1.0, TokenUsage."""
    input_tokens, output_tokens = usage.get("input_tokens", 0), usage.get("output_tokens", 0)
    return {
        "model": usage["model"],
        "inputTokens": input_tokens,
        "outputTokens": output_tokens,
        "totalTokens": input_tokens + output_tokens,
        "cachedInputTokens": usage.get("cached_tokens", 0),
    }


def with_words(block: Mapping[str, Any]) -> Wire:
    """The block; buttons that stand for a message have it as `message`, for the client to send."""
    places = [block, *block["rows"]]
    actions = [
        [{**action, "message": button_message(action["data"])} for action in place["actions"]]
        for place in places
    ]
    rows = [
        {**row, "actions": with_words}
        for row, with_words in zip(block["rows"], actions[1:], strict=True)
    ]
    return {**block, "rows": rows, "actions": actions[0]}
