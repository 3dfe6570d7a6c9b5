"""What a model server's refusal is about: its codes, fields and names, never its words alone."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import openai

from rich_agent.domain.model_role import ModelRole
from rich_agent.upstreams.servers.json_bodies import read_json, walk

_REFUSED: Final = frozenset({400, 404, 422, 501})
_ESSENTIAL: Final = frozenset(
    {"model", "messages", "input", "stream", "tools", "response_format", "text", "prompt"}
)
"""Fields that no request can do without; those of structured output have other ways."""
_CONTENT: Final = frozenset({"model", "messages", "input", "prompt"})
_COMMON_WORDS: Final = _CONTENT | {"stream", "text", "n", "stop", "user"}
"""Names that a message may hold without meaning a field."""
_OWN: Final = frozenset({"stream_options", "encoding_format", "dimensions"})
"""What the product asks for by itself: the first suspects where a refusal names nothing."""
_FINAL_CODES: Final = frozenset(
    {"model_not_found", "context_length_exceeded", "content_filter", "content_policy_violation"}
    | {"invalid_image", "invalid_image_url", "image_parse_error", "invalid_api_key"}
    | {"exceed_context_size_error", "DeploymentNotFound", "insufficient_quota"}
)
"""Codes of OpenAI, Azure and llama.cpp for what no other form of the request would change."""
_MESSAGE_CHARS = 4_000
_NAME = re.compile(r"[A-Za-z_]\w*+")


def names_in(error: openai.APIStatusError) -> frozenset[str]:
    """The fields of the request that the refusal names.

    By `param` (OpenAI) or `loc` (pydantic, so Mistral, vLLM); only without these by a mention in
    its message (LM Studio, Ollama, llama.cpp).
    """
    sent = _fields(error.request.content)
    if named := sent & set(_named_by(error.body)):
        return named
    # pydantic quotes what it was given as `input`
    texts = (value for _, value in walk([error.body], without="input") if isinstance(value, str))
    message = " ".join(texts)[:_MESSAGE_CHARS]
    return (sent - _COMMON_WORDS) & set(_NAME.findall(message))


def is_about_form(error: openai.APIStatusError) -> bool:
    """Whether the same question in another form may be taken: when in doubt, yes.

    Not so where a code or a field says that model, length or content are refused, or where no
    JSON came. llama.cpp refuses tools with 500; there only the name tells.
    """
    # Gemini sends a list of errors.
    if not isinstance(read_json(error.response.content), dict | list) or _CONTENT & set(
        _named_by(error.body)
    ):
        return False
    if error.status_code not in _REFUSED:
        return error.status_code == 500 and bool(names_in(error))
    return not {error.code, error.type} & _FINAL_CODES


def is_about_roles(refusal: openai.APIStatusError) -> bool:
    """Whether the chat template has no place for a system message, or wants roles to alternate.

    Sources: the chat templates of Gemma and Mistral, whose exceptions vLLM and llama.cpp pass on;
    OpenAI's o1-mini, by `param`.
    """
    told = str(refusal).lower()
    by_template = "system role" in told or "roles must alternate" in told
    return by_template or bool(re.fullmatch(r"messages\[\d{1,4}\]\.role", refusal.param or ""))


@dataclass(slots=True)
class OmittedParameters:
    """The parameters that one question is asked without; each refusal may add some."""

    role: ModelRole
    names: frozenset[str]
    _first: openai.APIStatusError | None = None

    def add(self, error: openai.APIStatusError) -> None:
        """Leave out what the refusal names; where it names nothing, what can be done without.

        Raises: the first refusal, if there is nothing to leave out.
        """
        self._first = self._first or error
        if not is_about_form(error):
            raise error
        sent = _fields(error.request.content)
        named = names_in(error)
        has_other_ways = bool(sent & {"tools", "response_format", "text"})
        doubtful = frozenset() if named or has_other_ways else sent
        more = (named - _ESSENTIAL) or (doubtful & _OWN) or (doubtful & self._users)
        if not more:
            raise self._first
        self.names |= more

    @property
    def _users(self) -> frozenset[str]:
        return frozenset({*self.role.parameters, "max_tokens", "max_completion_tokens"})


def _fields(body: bytes) -> frozenset[str]:
    """The names of a JSON object's fields, none of anything else."""
    read = read_json(body)
    return frozenset(read) if isinstance(read, dict) else frozenset()


def _named_by(body: object) -> Iterator[str]:
    """Heads of each `param` and parts of each `loc`: `tools[0].function` tells `tools`."""
    for name, value in walk(body):
        if name == "param" and isinstance(value, str):
            yield re.split(r"[.\[]", value, maxsplit=1)[0]
        if name == "loc" and isinstance(value, list | tuple):
            yield from (part for part in value if isinstance(part, str))
