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

    `shown`: in `<think>` tags in the content (`closing_tag`: without the opening one, which is in
    the template), as parts of a list, in a field of message and delta, or not at all. `silence_s`
    is how long the real server takes until the first token. `switch` is the field of a request
    that turns it off.
    """

    shown: Literal["tags", "closing_tag", "parts", "reasoning", "reasoning_content", "hidden"]
    silence_s: float = 0.0
    switch: str = ""


@dataclass(frozen=True, slots=True)
class Window:
    """The most tokens of a prompt, and what happens to a longer one.

    `cut` is silent; `prompt_tokens` then counts the remaining tokens.
    """

    tokens: int
    overflow: Literal["cut", "refused"]


@dataclass(frozen=True, slots=True)
class Streams:
    """The parts of a server's stream in addition to the text.

    `comment` is an SSE line that keeps the connection alive, `first` an event before all others.
    `usage` says when usage is reported, `usage_beside` names a field of the last chunk that repeats
    it. `done` is whether a stream ends with [DONE], `finish` whether it has a finish reason.
    `ignored`: every answer is one JSON object, also where a stream is asked for.
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
    """The treatment of tools: always obeyed, without their choice (`offered`), or ignored.

    Some servers send `arguments` as an object instead of JSON text, or calls without an id, or ids
    of `id_length` letters and digits alone.
    """

    obeyed: Literal["always", "offered", "never"] = "always"
    arguments_as_object: bool = False
    without_id: bool = False
    id_length: int = 0


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Requests for vectors: what is refused, and whether the result is always floats."""

    rules: tuple[Rule, ...] = ()
    always_floats: bool = False


@dataclass(frozen=True, slots=True)
class Ranked:
    """The (index, score, text) of the best texts, best first, and what an answer tells with it.

    `wants_texts` is None where the request says nothing of it.
    """

    results: Sequence[tuple[int, float, str]]
    model: str
    tokens: int
    wants_texts: bool | None = None


@dataclass(frozen=True, slots=True)
class Rerank:
    """An endpoint that ranks the texts of `field`, at these `paths`, and its limits.

    `missing` and `too_many` are a status and words; `top` names the field for the number of
    results. Only `known` fields are taken, if there are any. `scale` shows a relevance of 0..1.
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
    """A server.

    `traits` say in a few words what it alone does, `sources` are the pages it is written from,
    `models` its own names of models.
    `formats` are the kinds of `response_format` that it obeys; others are ignored unless a rule
    refuses them. `sloppy` is JSON as small models write it. `told` is what an entry of the models
    list says of the window. `native` are answers beside `/v1`, by method and path: an object, or
    what makes one of the request's body; `headers` come
    with every answer. `missing` is the message of the 404 for an endpoint that it does not have;
    `sees` is whether its models take images. `ends` renames finish reasons, `most_output` is the
    limit of tokens where a request names none. `lists_bare` is a list of models without an object
    around it.
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
        """The names under which the one chat model answers."""
        return (*OUR_CHAT_MODELS, *self.models)

    @property
    def vector_models(self) -> tuple[str, ...]:
        """The names under which the one embedding model answers; none without embeddings."""
        return (*OUR_EMBEDDING_MODELS, *self.embedding_models) if self.embeddings else ()


WELL_BEHAVED = Personality(name="", sources=("https://platform.openai.com/docs/api-reference",))
"""Accepts every parameter, reports everything, and obeys each format and tool choice."""
