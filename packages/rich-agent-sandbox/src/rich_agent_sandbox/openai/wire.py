"""The forms of an OpenAI-compatible API on the wire: completions, chunks, embeddings.

Source: https://platform.openai.com/docs/api-reference
"""

import base64
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

DONE = b"data: [DONE]\n\n"
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Usage:
    """Estimated tokens of a prompt and of what was answered."""

    prompt_tokens: int
    completion_tokens: int
    reasoning_tokens: int = 0

    def to_json(self) -> Json:
        """The `usage` object of a chat completion."""
        told: Json = {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "total_tokens": self.prompt_tokens + self.completion_tokens,
        }
        if self.reasoning_tokens:
            told["completion_tokens_details"] = {"reasoning_tokens": self.reasoning_tokens}
        return told


@dataclass(frozen=True, slots=True)
class Envelope:
    """The fields that all objects of one completion share: id, epoch time in seconds, model."""

    id: str
    created: int
    model: str

    @classmethod
    def new(cls, created: float, model: str) -> "Envelope":
        """An envelope with an id of its own."""
        return cls(f"chatcmpl-{secrets.token_hex(12)}", int(created), model)

    def completion(self, choices: Sequence[Json], usage: Usage | None) -> Json:
        """The object of an answer that is not streamed."""
        return {
            **self._head("chat.completion"),
            "choices": list(choices),
            **({"usage": usage.to_json()} if usage else {}),
        }

    def chunk(
        self,
        choices: list[Json],
        usage: Usage | None,
        *,
        tells_usage: bool,
        more: Mapping[str, Any] | None = None,
    ) -> bytes:
        """One server-sent event of a streamed answer, with `more` fields of the server's own.

        A stream that tells its usage carries `usage: null` until the last event.
        """
        told = {"usage": usage.to_json() if usage else None} if tells_usage else {}
        told |= more or {}
        data = {**self._head("chat.completion.chunk"), "choices": choices, **told}
        return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()

    def _head(self, kind: str) -> Json:
        return {"id": self.id, "object": kind, "created": self.created, "model": self.model}


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


def tool_call(call_id: str | None, name: str, arguments: str | Mapping[str, Any]) -> Json:
    """A call of a function; without an id if there is none."""
    function = {"name": name, "arguments": arguments}
    told = {} if call_id is None else {"id": call_id}
    return {**told, "type": "function", "function": function}


def _encoded(vector: NDArray[np.float32], encoding: str) -> str | list[float]:
    if encoding == "base64":
        return base64.b64encode(vector.astype("<f4").tobytes()).decode()
    return [float(value) for value in vector]
