"""The differences between OpenAI-compatible servers, as data."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from rich_agent_sandbox.openai.servers.refusing import ErrorForm, Rule, openai_form

Json = dict[str, Any]
NativeAnswer = Mapping[str, Any] | Callable[[Mapping[str, Any]], Mapping[str, Any]]

OUR_CHAT_MODELS = ("sandbox-chat", "sandbox-vision")
OUR_EMBEDDING_MODELS = ("sandbox-embedding",)


@dataclass(frozen=True, slots=True)
class Thinking:
    """A server's way of showing a model's thinking.

    `shown`: in `<think>` tags in the content (`closing_tag`: without the opening tag, which is in
     the template), as parts of a list, in a field of message and delta, or not at all.
    `silence_s`: the seconds until the first token of the real server.
    `switch`: the field of a request that turns thinking off.
    """

    shown: Literal["tags", "closing_tag", "parts", "reasoning", "reasoning_content", "hidden"]
    silence_s: float = 0.0
    switch: str = ""


@dataclass(frozen=True, slots=True)
class Window:
    """The maximum number of tokens of a prompt, and the treatment of a longer prompt.

    `cut` reports nothing; `prompt_tokens` is then the number of the remaining tokens.
    """

    tokens: int
    overflow: Literal["cut", "refused"]


@dataclass(frozen=True, slots=True)
class Streams:
    """The parts of a server's stream besides the text.

    `comment`: an SSE line that keeps the connection open.
    `first`: an event before all others.
    `usage`: when the usage is reported.
    `usage_beside`: a field of the last chunk that repeats the usage.
    `done`: a stream ends with [DONE].
    `finish`: a stream has a finish reason.
    `ignored`: every answer is one JSON object, even if a stream is requested.
    """

    comment: str = ""
    first: Mapping[str, Any] | None = None
    usage: Literal["asked", "always", "never"] = "asked"
    usage_beside: str = ""
    done: bool = True
    finish: bool = True
    ignored: bool = False


@dataclass(frozen=True, slots=True)
class Tools:
    """The treatment of tools: obeyed, obeyed without the tool choice (`offered`), or ignored.

    Some servers send `arguments` as an object instead of JSON text, or calls without an id, or ids
    of exactly `id_length` letters and digits.
    """

    obeyed: Literal["always", "offered", "never"] = "always"
    arguments_as_object: bool = False
    without_id: bool = False
    id_length: int = 0


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Requests for vectors: the rules for refusals, and whether the result is always floats."""

    rules: tuple[Rule, ...] = ()
    always_floats: bool = False


@dataclass(frozen=True, slots=True)
class Ranked:
    """The (index, score, text) of the best texts, best first, and further parts of the answer.

    `wants_texts` is None if the request does not have this field.
    """

    results: Sequence[tuple[int, float, str]]
    model: str
    tokens: int
    wants_texts: bool | None = None


@dataclass(frozen=True, slots=True)
class Rerank:
    """An endpoint at `paths` that ranks the texts of `field`, and its limits.

    `missing`, `too_many`: a status and a message.
    `top`: the field for the number of results.
    `known`: if not empty, all other fields are refused.
    `scale`: converts a relevance of 0..1 into the shown score.
    """

    paths: tuple[str, ...]
    reply: Callable[[Ranked], object]
    missing: tuple[int, str]
    field: Literal["documents", "texts"] = "documents"
    top: Literal["top_n", "top_k"] = "top_n"
    most: int = 10_000
    too_many: tuple[int, str] = (400, "too many documents: {given} > {most}")
    known: frozenset[str] = frozenset()
    scale: Callable[[float], float] = float


@dataclass(frozen=True, slots=True)
class Personality:
    """A server with its differences from others.

    `traits`: a few words about its peculiarities.
    `sources`: the pages that describe the server.
    `models`: its own names of models.
    `formats`: the kinds of `response_format` that it obeys; others are ignored or refused.
    `sloppy`: JSON as small models write it.
    `told`: the fields about the window in an entry of the models list.
    `native`: answers outside of `/v1` by method and path; an object, or a function of the body.
    `headers`: sent with every answer.
    `missing`: the message of the 404 for an endpoint that does not exist.
    `sees`: its models accept images.
    `ends`: renames finish reasons.
    `most_output`: the token limit if a request has none.
    `lists_bare`: the list of models has no object around it.
    """

    name: str
    sources: tuple[str, ...]
    traits: str = ""
    models: tuple[str, ...] = ()
    embedding_models: tuple[str, ...] = ()
    api: Literal["chat", "responses"] = "chat"
    form: ErrorForm = openai_form
    key: Literal["bearer", "api-key", "any"] = "bearer"
    rules: tuple[Rule, ...] = ()
    formats: frozenset[str] = frozenset({"json_schema", "json_object"})
    sloppy: bool = False
    thinking: Thinking | None = None
    window: Window | None = None
    streams: Streams = field(default_factory=Streams)
    tools: Tools = field(default_factory=Tools)
    embeddings: Embeddings | None = field(default_factory=Embeddings)
    rerank: Rerank | None = None
    told: Mapping[str, Any] = field(default_factory=dict)
    native: Mapping[str, NativeAnswer] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    waits: Literal["retry-after", "reset-headers", "body"] = "retry-after"
    missing: str = "Not Found"
    sees: bool = True
    ends: Mapping[str, str] = field(default_factory=dict)
    most_output: int | None = None
    lists_bare: bool = False

    @property
    def chat_models(self) -> tuple[str, ...]:
        """The names of the one chat model."""
        return (*OUR_CHAT_MODELS, *self.models)

    @property
    def vector_models(self) -> tuple[str, ...]:
        """The names of the one embedding model; none without embeddings."""
        return (*OUR_EMBEDDING_MODELS, *self.embedding_models) if self.embeddings else ()


WELL_BEHAVED = Personality(name="", sources=("https://platform.openai.com/docs/api-reference",))
"""Accepts every parameter, reports everything, and obeys each format and tool choice."""
