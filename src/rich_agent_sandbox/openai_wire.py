"""The forms of an OpenAI-compatible API on the wire: completions, chunks, embeddings, errors.

Source: https://platform.openai.com/docs/api-reference and its error codes guide.
"""

import base64
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from rich_agent_sandbox.exchange import RefusalError
from rich_agent_sandbox.model.completion import Completion

DONE = b"data: [DONE]\n\n"
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Usage:
    """Estimated tokens of a prompt and of what was answered."""

    prompt_tokens: int
    completion_tokens: int

    def to_json(self) -> Json:
        """The `usage` object of a chat completion."""
        return {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "total_tokens": self.prompt_tokens + self.completion_tokens,
        }


@dataclass(frozen=True, slots=True)
class Envelope:
    """What all objects of one completion share: id, time in seconds since the epoch, model."""

    id: str
    created: int
    model: str

    @classmethod
    def new(cls, created: float, model: str) -> "Envelope":
        """An envelope with an id of its own."""
        return cls(f"chatcmpl-{secrets.token_hex(12)}", int(created), model)

    def completion(self, choices: Sequence[Completion], usage: Usage | None) -> Json:
        """The object of an answer that is not streamed."""
        return {
            **self._head("chat.completion"),
            "choices": [_choice(index, choice) for index, choice in enumerate(choices)],
            **({"usage": usage.to_json()} if usage else {}),
        }

    def chunk(self, choices: list[Json], usage: Usage | None, *, tells_usage: bool) -> bytes:
        """One server-sent event of a streamed answer.

        A stream that tells its usage carries `usage: null` until the last event.
        """
        told = {"usage": usage.to_json() if usage else None} if tells_usage else {}
        data = {**self._head("chat.completion.chunk"), "choices": choices, **told}
        return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()

    def _head(self, kind: str) -> Json:
        return {"id": self.id, "object": kind, "created": self.created, "model": self.model}


def deltas(index: int, choice: Completion) -> Iterator[Json]:
    """The choices of a stream for one answer: role, then pieces, then the finish reason."""
    if choice.tool:
        head = _call(choice.tool, "") | {"index": 0}
        yield _delta(index, {"role": "assistant", "content": None, "tool_calls": [head]})
        for piece in choice.pieces():
            part = {"index": 0, "function": {"arguments": piece}}
            yield _delta(index, {"tool_calls": [part]})
    else:
        yield _delta(index, {"role": "assistant", "content": ""})
        for piece in choice.pieces():
            yield _delta(index, {"content": piece})
    yield _delta(index, {}) | {"finish_reason": choice.finish_reason}


def embeddings(
    vectors: Sequence[NDArray[np.float32]],
    model: str,
    tokens: int,
    encoding: Literal["float", "base64"],
) -> Json:
    """The answer of `POST /embeddings`; base64 is of little-endian float32."""
    data = [
        {"object": "embedding", "index": index, "embedding": _encoded(vector, encoding)}
        for index, vector in enumerate(vectors)
    ]
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    return {"object": "list", "data": data, "model": model, "usage": usage}


def model_object(name: str) -> Json:
    """One entry of the models list."""
    return {"id": name, "object": "model", "created": 1735689600, "owned_by": "sandbox"}


def refusal(
    status: int,
    message: str,
    *,
    kind: str = "invalid_request_error",
    param: str | None = None,
    code: str | None = None,
) -> RefusalError:
    """An error in OpenAI's form."""
    error = {"message": message, "type": kind, "param": param, "code": code}
    return RefusalError(status, {"error": error})


def invalid(error: ValidationError) -> RefusalError:
    """A 400 that names the first field that does not fit."""
    first = error.errors(include_url=False, include_context=False)[0]
    param = ".".join(str(step) for step in first["loc"]) or None
    message = first["msg"].removeprefix("Value error, ")
    told = f"Invalid value for '{param}': {message}" if param else message
    return refusal(400, told, param=param)


def _choice(index: int, choice: Completion) -> Json:
    message: Json = {"role": "assistant", "content": choice.text, "refusal": None}
    if choice.tool:
        message |= {"content": None, "tool_calls": [_call(choice.tool, choice.text)]}
    return {
        "index": index,
        "message": message,
        "logprobs": None,
        "finish_reason": choice.finish_reason,
    }


def _call(name: str, arguments: str) -> Json:
    function: Mapping[str, str] = {"name": name, "arguments": arguments}
    return {"id": f"call_{secrets.token_hex(8)}", "type": "function", "function": function}


def _delta(index: int, delta: Json) -> Json:
    return {"index": index, "delta": delta, "logprobs": None, "finish_reason": None}


def _encoded(vector: NDArray[np.float32], encoding: str) -> str | list[float]:
    if encoding == "base64":
        return base64.b64encode(vector.astype("<f4").tobytes()).decode()
    return [float(value) for value in vector]
