"""An OpenAI-compatible embedding API over any function that embeds texts.

For benchmarks on this machine alone: it checks no key, and knows one model. It runs with the
peers' interpreter as well as with the project's.
"""

import base64
import json
from collections.abc import Callable, Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, Field, ValidationError
from typing_extensions import override

Embed = Callable[[Sequence[str]], Sequence[bytes]]
"""The vector of each text, as little-endian floats of 4 bytes."""

_CHARACTERS_PER_TOKEN = 4


class Request(BaseModel):
    """A request for embeddings; other fields, the model's name among them, change nothing."""

    input: str | Annotated[list[str], Field(min_length=1)]
    encoding_format: Literal["float", "base64"] = "float"

    @property
    def texts(self) -> list[str]:
        """The texts to embed, at least one."""
        return [self.input] if isinstance(self.input, str) else self.input


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: str
    embed: Embed  # both of the subclass that `listen` makes

    def do_GET(self) -> None:
        """The one model."""
        if self.path != "/v1/models":
            self._answer(HTTPStatus.NOT_FOUND, _error("no such path"))
            return
        model = {"id": self.model, "object": "model", "created": 0, "owned_by": "bench"}
        self._answer(HTTPStatus.OK, {"object": "list", "data": [model]})

    def do_POST(self) -> None:
        """The vectors of one text or of a list of texts."""
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if self.path != "/v1/embeddings":
            self._answer(HTTPStatus.NOT_FOUND, _error("no such path"))
            return
        try:
            request = Request.model_validate_json(body)
        except ValidationError as error:
            self._answer(HTTPStatus.BAD_REQUEST, _error(str(error)))
            return
        self._answer(HTTPStatus.OK, _answer(request, self.model, self.embed(request.texts)))

    @override
    def log_message(self, format: str, *args: object) -> None:
        """Stay silent."""

    def _answer(self, status: HTTPStatus, value: object) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _error(message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "code": None}}


def _answer(request: Request, model: str, vectors: Sequence[bytes]) -> dict[str, Any]:
    data = [
        {"object": "embedding", "index": index, "embedding": _encoded(vector, request)}
        for index, vector in enumerate(vectors)
    ]
    tokens = sum(map(len, request.texts)) // _CHARACTERS_PER_TOKEN
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    return {"object": "list", "data": data, "model": model, "usage": usage}


def _encoded(vector: bytes, request: Request) -> str | list[float]:
    if request.encoding_format == "base64":
        return base64.b64encode(vector).decode()
    numbers: list[float] = np.frombuffer(vector, "<f4").tolist()
    return numbers


def listen(model: str, embed: Embed, port: int = 0) -> ThreadingHTTPServer:
    """A server that listens on the loopback interface; port 0 takes a free one."""
    handler = type("Handler", (_Handler,), {"model": model, "embed": staticmethod(embed)})
    return ThreadingHTTPServer(("127.0.0.1", port), handler)


def address_of(server: ThreadingHTTPServer) -> str:
    """The value for OPENAI_BASE_URL."""
    return f"http://127.0.0.1:{server.server_port}/v1"
