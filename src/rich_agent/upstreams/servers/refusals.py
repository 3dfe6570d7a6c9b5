"""Finds out what a refusal is about, from codes, fields and names, not from its wording alone."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import openai

from rich_agent.domain.json_values import read_json
from rich_agent.domain.model_role import ModelRole
from rich_agent.upstreams.servers.json_bodies import walk

_REFUSED: Final = frozenset({400, 404, 422, 501})
_ESSENTIAL: Final = frozenset(
    {"model", "messages", "input", "stream", "tools", "response_format", "text", "prompt"}
)
"""Fields that are never left out; those of structured output have their own fallbacks."""
_CONTENT: Final = frozenset({"model", "messages", "input", "prompt"})
_COMMON_WORDS: Final = _CONTENT | {"stream", "text", "n", "stop", "user"}
"""Field names that are also ordinary words in a message."""
_OWN: Final = frozenset({"stream_options", "encoding_format", "dimensions"})
"""Parameters that the product adds itself; suspected first if a refusal names no field."""
_FINAL_CODES: Final = frozenset(
    {"model_not_found", "context_length_exceeded", "content_filter", "content_policy_violation"}
    | {"invalid_image", "invalid_image_url", "image_parse_error", "invalid_api_key"}
    | {"exceed_context_size_error", "DeploymentNotFound", "insufficient_quota"}
)
"""Codes of OpenAI, Azure and llama.cpp that no other form of the request would avoid."""
_MESSAGE_CHARS = 4_000
_NAME = re.compile(r"[A-Za-z_]\w*+")


def names_in(error: openai.APIStatusError) -> frozenset[str]:
    """The fields of the request that the refusal names.

    From `param` (OpenAI) or `loc` (pydantic: Mistral, vLLM); without these, from a mention in the
    message (LM Studio, Ollama, llama.cpp).
    """
    sent = _fields(error.request.content)
    if named := sent & set(_named_by(error.body)):
        return named
    # pydantic quotes what it was given as `input`
    texts = (value for _, value in walk([error.body], without="input") if isinstance(value, str))
    message = " ".join(texts)[:_MESSAGE_CHARS]
    return (sent - _COMMON_WORDS) & set(_NAME.findall(message))


def is_about_form(error: openai.APIStatusError) -> bool:
    """Whether the same question may be accepted in another form; yes if in doubt.

    No if a code or field says that the model, the length or the content is refused, or if the body
    is not JSON. llama.cpp refuses tools with a 500, where only the field's name counts.
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
    """Whether the chat template rejects system messages, or requires alternating roles.

    Sources: the chat templates of Gemma and Mistral, whose exceptions vLLM and llama.cpp pass on;
    OpenAI's o1-mini, by `param`.
    """
    told = str(refusal).lower()
    by_template = "system role" in told or "roles must alternate" in told
    return by_template or bool(re.fullmatch(r"messages\[\d{1,4}\]\.role", refusal.param or ""))


@dataclass(slots=True)
class OmittedParameters:
    """The parameters left out of a request; each refusal may add some."""

    role: ModelRole
    names: frozenset[str]
    _first: openai.APIStatusError | None = None

    def add(self, error: openai.APIStatusError) -> None:
        """Leave out the parameters that the refusal names, else the ones that are dispensable.

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
    """The field names of a JSON object, empty for anything else."""
    read = read_json(body)
    return frozenset(read) if isinstance(read, dict) else frozenset()


def _named_by(body: object) -> Iterator[str]:
    """First names of each `param` and parts of each `loc`: `tools[0].function` gives `tools`."""
    for name, value in walk(body):
        if name == "param" and isinstance(value, str):
            yield re.split(r"[.\[]", value, maxsplit=1)[0]
        if name == "loc" and isinstance(value, list | tuple):
            yield from (part for part in value if isinstance(part, str))
