"""The objects that a client of the OpenAI API reads: completions, chunks, errors.

Source: https://platform.openai.com/docs/api-reference/chat
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich_agent.domain.answer.links import is_web
from rich_agent.domain.json_values import on_one_line
from rich_agent.domain.runs import Run
from rich_agent.domain.usage.usage import Usage
from rich_agent.web.run_text import RunFailure, RunText

MODEL = "rich-agent"
ERRAND_MODEL = "rich-agent-tasks"
"""For what a client writes for itself: Open WebUI calls these tasks. They are no turns."""
KEEP_ALIVE = ": keep-alive\n\n"
DONE = "data: [DONE]\n\n"
_PIECE = re.compile(r"\S{1,80}\s{0,80}|\s{1,80}")
Wire = dict[str, Any]


def pieces(text: str) -> Iterator[str]:
    """A text that is known at once, a word or so at a time."""
    yield from _PIECE.findall(text)


@dataclass(frozen=True, slots=True)
class CompletionWriter:
    """Writes the completion of one run. `created` is in seconds since 1970."""

    run: Run
    created: int

    def chunk(self, delta: Wire, finish: str | None = None) -> str:
        """An event of the stream."""
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return _line({**self._head("chat.completion.chunk"), "choices": [choice]})

    def usage(self, used: Usage) -> str:
        """The event that tells what was used, after the last chunk."""
        told = {"choices": [], "usage": usage_of(used)}
        return _line({**self._head("chat.completion.chunk"), **told})

    def whole(self, spoken: RunText) -> Wire:
        """The completion in one object."""
        refusal = spoken.refusal or None
        said = None if refusal else spoken.said
        message: Wire = {"role": "assistant", "content": said, "refusal": refusal}
        if found := annotations_of(spoken):
            message["annotations"] = found
        choice = {
            "index": 0,
            "message": message,
            "logprobs": None,
            "finish_reason": finish_of(spoken),
        }
        return {
            **self._head("chat.completion"),
            "choices": [choice],
            "usage": usage_of(spoken.used),
        }

    def _head(self, kind: str) -> Wire:
        return {
            "id": f"chatcmpl-{self.run.run_id}",
            "object": kind,
            "created": self.created,
            "model": ERRAND_MODEL if self.run.asked.is_errand else MODEL,
        }


def failure_line(failure: RunFailure) -> str:
    """The event of a stream that fails after its start."""
    return _line({"error": error_of(failure)})


def error_of(failure: RunFailure) -> Wire:
    """A failure in the shape of OpenAI's errors."""
    return {
        "message": failure.message,
        "type": "server_error",
        "param": None,
        "code": failure.code,
    }


def finish_of(spoken: RunText) -> str:
    """Why the text ends: it is whole, or the model's tokens ran out."""
    return "length" if spoken.is_cut else "stop"


def annotations_of(spoken: RunText) -> Sequence[Wire]:
    """The sources with an address on the web, each with its first marker's place in the text."""
    found = []
    for citation in spoken.citations:
        if is_web(citation.link):
            marker = f"[{citation.number}]"
            start = max(0, spoken.said.find(marker))
            cited = {
                "start_index": start,
                "end_index": start + len(marker),
                "url": citation.link,
                "title": citation.label,
            }
            found.append({"type": "url_citation", "url_citation": cited})
    return found


def usage_of(used: Usage) -> Wire:
    """The tokens that all calls of a turn read and wrote."""
    return {
        "prompt_tokens": used.input_tokens,
        "completion_tokens": used.output_tokens,
        "total_tokens": used.tokens,
        "prompt_tokens_details": {"cached_tokens": used.cached_tokens},
    }


def _line(value: Mapping[str, Any]) -> str:
    return f"data: {on_one_line(value)}\n\n"
