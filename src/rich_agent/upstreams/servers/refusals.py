"""Classifies refusals of a model server by their codes, fields, names and wording."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final

import httpx2
import openai

from rich_agent.domain.json_values import read_json
from rich_agent.domain.model_role import Capabilities, ModelRole
from rich_agent.errors import (
    BrokenAnswerError,
    EarlyEndError,
    PassingUpstreamError,
    Target,
    UpstreamError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.ports.models import AccountTrouble, ModelAccountError, ModelBusyError
from rich_agent.runtime.reach import in_reach, out_of_reach
from rich_agent.upstreams.connection_failures import explain_failure, explain_proxy, proxy_of
from rich_agent.upstreams.servers.prompt_caches import BREAKPOINTS, CACHE_KEY, have_breakpoints
from rich_agent.upstreams.servers.retry_after import requested_wait_s, walk

_REFUSED: Final = frozenset({400, 404, 422, 501})
_ESSENTIAL: Final = frozenset(
    {"model", "messages", "input", "stream", "tools", "response_format", "text", "prompt"}
)
"""Fields that are never left out; those of structured output have their own fallbacks."""
_CONTENT: Final = frozenset({"model", "messages", "input", "prompt"})
_COMMON_WORDS: Final = _CONTENT | {"stream", "text", "n", "stop", "user"}
"""Field names that are also ordinary words in a message."""
_OWN: Final = frozenset({"stream_options", "encoding_format", "dimensions", CACHE_KEY})
"""Parameters that the product adds; if a refusal names no field, these are left out first."""
_FINAL_CODES: Final = frozenset(
    {"model_not_found", "context_length_exceeded", "content_filter", "content_policy_violation"}
    | {"invalid_image", "invalid_image_url", "image_parse_error", "invalid_api_key"}
    | {"exceed_context_size_error", "DeploymentNotFound", "insufficient_quota"}
)
"""Codes of OpenAI, Azure and llama.cpp that every form of the request would get."""
OUTPUT_LIMITS: Final = frozenset({"max_tokens", "max_completion_tokens", "max_output_tokens"})
"""The names of the parameter that limits the tokens of an output."""
BOUNDS: Final = frozenset({"maxLength", "maxItems"})
"""Keywords that bound a text and a list.

llama.cpp, vLLM and Ollama write no more than that. Azure, fine-tuned models of OpenAI and Anthropic
refuse some or all of them. Source: their pages on structured outputs.
"""
_TOO_LONG: Final = frozenset({"context_length_exceeded", "exceed_context_size_error"})
_LEAST_TOKENS = 256
"""A smaller number in a refusal is not read as the limit of an output."""
_MESSAGE_CHARS = 4_000
_NAME = re.compile(r"[A-Za-z_]\w*+")
_DEMAND = re.compile(
    r"([a-z]\w{1,60}+)['\"`]?\s?"
    r"(?:(?:must|should|has to|needs to) be (?:set to )?|必须设置为)['\"`]?(true|false)",
    re.IGNORECASE | re.ASCII,
)
"""A parameter with its required value: "enable_thinking must be set to false"."""
_STREAM = re.compile(r"stream|流式", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.])\d{3,7}+(?![\w.])")
_CONTENT_WORDS = re.compile(r"\b(?:images?|image_url|vision|multimodal|content)\b", re.IGNORECASE)
_VALIDATION = re.compile(r"validation errors?\b|json_schema|json_object", re.IGNORECASE)


def names_in(error: openai.APIStatusError) -> frozenset[str]:
    """The fields of the request that the refusal names.

    They are read from `param` (OpenAI) or `loc` (pydantic: Mistral, vLLM). If both are missing,
    they are read from the message (LM Studio, Ollama, llama.cpp).
    """
    fields = frozenset(_request_fields(error))
    if mentions := fields & set(_fields_in(error.body)):
        return mentions
    return (fields - _COMMON_WORDS) & set(_NAME.findall(_message_of(error)))


def is_about_form(error: openai.APIStatusError) -> bool:
    """Whether the server may accept the same question in another form; true if in doubt.

    False if a code or a field says that the model, the length or the content is refused, or if the
    body is not JSON. False also for a status other than 400, 404, 422 and 501, except for a 500
    that names a field or a failed validation: llama.cpp refuses tools with a 500, and
    llama-cpp-python refuses all invalid requests with a 500.
    """
    # Gemini sends a list of errors.
    if not isinstance(read_json(error.response.content), dict | list) or _CONTENT & set(
        _fields_in(error.body)
    ):
        return False
    if error.status_code not in _REFUSED:
        reason = names_in(error) or _VALIDATION.search(_message_of(error))
        return error.status_code == 500 and bool(reason)
    return not codes_in(error.body) & _FINAL_CODES


def names_bounds(error: openai.APIStatusError) -> bool:
    """Whether the refusal names a keyword that bounds texts or lists in a schema.

    OpenAI writes "'maxLength' is not permitted", and others name it as plainly.
    """
    return bool(BOUNDS & set(_NAME.findall(_message_of(error))))


def codes_in(body: object) -> frozenset[str | int]:
    """The `code` and `type` in an error's body, if they are words or numbers."""
    codes = (body.get("code"), body.get("type")) if isinstance(body, Mapping) else ()
    return frozenset(code for code in codes if isinstance(code, str | int))


def is_about_content(error: openai.APIStatusError) -> bool:
    """Whether a field or the wording of the refusal concerns the content, such as an image."""
    fields = {"messages", "input"} & set(_fields_in(error.body))
    return bool(fields or _CONTENT_WORDS.search(_message_of(error)))


def is_about_roles(refusal: openai.APIStatusError) -> bool:
    """Whether the chat template rejects system messages, or requires alternating roles.

    Sources: the chat templates of Gemma and Mistral, whose exceptions vLLM and llama.cpp pass on;
    OpenAI's o1-mini, by `param`.
    """
    message = str(refusal).lower()
    by_template = "system role" in message or "roles must alternate" in message
    return by_template or bool(re.fullmatch(r"messages\[\d{1,4}\]\.role", str(refusal.param)))


def demands_of(error: openai.APIStatusError) -> dict[str, bool]:
    """The parameters that a refusal requires, with their values: {"enable_thinking": False}.

    Only switches are read. Fields with the question are left out, because a refusal may repeat
    words of the prompt. Source: Alibaba Cloud, "Deep thinking" (Qwen3 on DashScope).
    """
    matches = _DEMAND.findall(_message_of(error))
    return {name: value.lower() == "true" for name, value in matches if name not in _ESSENTIAL}


@dataclass(slots=True)
class RequestForm:
    """The changes to a request that make its server accept it.

    Each refusal may leave out another parameter, set one, or lower the limit of the output. If the
    prompt and the limit together exceed the window, the limit is dropped.
    `omitted`: the parameters that are left out.
    """

    role: ModelRole
    known: Capabilities
    is_whole: bool = False
    omitted: frozenset[str] = field(init=False)
    _is_unlimited: bool = False
    _demanded: Mapping[str, bool] = field(default_factory=dict)
    _most_tokens: int | None = None
    _first: openai.APIStatusError | None = None

    def __post_init__(self) -> None:
        self.omitted, self._most_tokens = self.known.refused, self.known.most_tokens
        self._demanded = self.known.demanded if self.is_whole else {}

    @property
    def demanded(self) -> dict[str, bool]:
        """The parameters that the server requires, with their values."""
        return {name: value for name, value in self._demanded.items() if name != "stream"}

    def wants_stream(self) -> bool:
        """Whether the server requires a stream where a whole answer was asked for."""
        return self._demanded.get("stream", False)

    def limit(self, tokens: int) -> int | None:
        """The limit of tokens to send; None to send none."""
        return None if self._is_unlimited else min(tokens, self._most_tokens or tokens)

    def merged_into(self, capabilities: Capabilities) -> Capabilities:
        """Return the capabilities extended by this form, once a request in it was accepted."""
        return replace(
            capabilities,
            refused=capabilities.refused | self.omitted,
            demanded={**capabilities.demanded, **self._demanded},
            most_tokens=self._most_tokens or capabilities.most_tokens,
        )

    def adapt(self, error: openai.APIStatusError) -> None:
        """Change the part of the request that the refusal names, else leave out a dispensable part.

        Raises: openai.APIStatusError, the first refusal if there is nothing to change.
        """
        self._first = self._first or error
        fields = _request_fields(error)
        if self._fits_window(error, fields):
            self._is_unlimited = True
            return
        if _may_be_about_breakpoints(error, fields):
            self.omitted |= {BREAKPOINTS}
            return
        if not is_about_form(error):
            raise error
        if self.is_whole and self._demands(error):
            return
        if lower_limit := _lower_limit(error, fields):
            self._most_tokens = lower_limit
            return
        refused_names = names_in(error)
        has_other_ways = bool(fields.keys() & {"tools", "response_format", "text"})
        suspect_names = frozenset() if refused_names or has_other_ways else frozenset(fields)
        omissions = (
            (refused_names - _ESSENTIAL)
            or (suspect_names & _OWN)
            or (suspect_names & self._user_parameters)
        )
        if not omissions:
            raise self._first
        self.omitted |= omissions

    def _fits_window(self, error: openai.APIStatusError, fields: Mapping[str, object]) -> bool:
        """Whether the prompt may fit the window if no output limit is sent."""
        is_limited = bool(OUTPUT_LIMITS & fields.keys()) and not self._is_unlimited
        reason = codes_in(error.body) & _TOO_LONG or "context length" in _message_of(error)
        return is_limited and error.status_code in _REFUSED and bool(reason)

    def _demands(self, error: openai.APIStatusError) -> bool:
        demands = demands_of(error)
        if not demands.keys() - self._demanded.keys():
            stream_mention = _STREAM.search(_message_of(error))
            demands = {"stream": True} if stream_mention and "stream" not in self._demanded else {}
        self._demanded = {**self._demanded, **demands}
        return bool(demands)

    @property
    def _user_parameters(self) -> frozenset[str]:
        parameter_names = frozenset(self.role.parameters)
        return (
            parameter_names | OUTPUT_LIMITS if parameter_names & OUTPUT_LIMITS else parameter_names
        )


def _may_be_about_breakpoints(error: openai.APIStatusError, fields: Mapping[str, object]) -> bool:
    """Whether the server may refuse the breakpoints in the messages, or texts that are parts."""
    is_refusal = error.status_code in _REFUSED or error.status_code == 500
    is_named = BREAKPOINTS in _message_of(error) or is_about_content(error)
    return is_refusal and is_named and have_breakpoints(fields.get("messages"))


def _lower_limit(error: openai.APIStatusError, fields: Mapping[str, object]) -> int | None:
    """The highest number in a refusal that is below the output limit sent; None without one."""
    names = OUTPUT_LIMITS & names_in(error)
    limits = [value for name in names if isinstance(value := fields[name], int)]
    numbers = map(int, _NUMBER.findall(_message_of(error)))
    lower_limits = [
        number for number in numbers if limits and _LEAST_TOKENS <= number < min(limits)
    ]
    return max(lower_limits, default=None)


def _message_of(error: openai.APIStatusError) -> str:
    """All texts in a refusal's body, up to 4,000 characters."""
    # pydantic quotes the given value as `input`
    texts = (value for _, value in walk([error.body], without="input") if isinstance(value, str))
    return " ".join(texts)[:_MESSAGE_CHARS]


def _request_fields(error: openai.APIStatusError) -> Mapping[str, object]:
    """The fields of the request's JSON object; none for an upload, whose body is not stored."""
    try:
        content = read_json(error.request.content)
    except httpx2.RequestNotRead:
        return {}
    return content if isinstance(content, dict) else {}


def _fields_in(body: object) -> Iterator[str]:
    """The first name of each `param` (`tools` of `tools[0].function`), and all parts of a `loc`."""
    for name, value in walk(body):
        if name == "param" and isinstance(value, str):
            yield re.split(r"[.\[]", value, maxsplit=1)[0]
        if name == "loc" and isinstance(value, list | tuple):
            yield from (part for part in value if isinstance(part, str))


_BUSY = frozenset({429, 503, 529})
"""Anthropic sends 529 if it is overloaded; Ollama and llama.cpp send 503 if their queue is full."""
_NO_CREDIT = frozenset({"insufficient_quota", "billing_not_active", "billing_hard_limit_reached"})
_MOST_CHARACTERS = 4_000

_FILTERED = frozenset(
    {"content_filter", "content_policy_violation", "data_inspection_failed", "invalid_prompt"}
)
"""Codes for prompts that a filter stopped. Sources: Azure OpenAI, OpenAI, DashScope."""


@contextmanager
def translate_openai_errors(service: str, role: ModelRole) -> Iterator[None]:
    """Raise the product's own errors instead of the client's; hints name the role's settings.

    What the server of the role, or the proxy before it, does not answer is reported as an outage.
    """
    try:
        with _translated(service, role):
            yield
    except PassingUpstreamError as error:
        if error.target is None and not isinstance(error, UpstreamTimeoutError):
            in_reach(*_targets(role))
        raise
    except UpstreamError:
        in_reach(*_targets(role))
        raise
    in_reach(*_targets(role))


def _targets(role: ModelRole) -> tuple[Target, ...]:
    """The server of a role, and the proxy before it, if there is one."""
    server, proxy = Target.at("model server", role.base_url), proxy_of(role.base_url)
    return (server, proxy) if proxy else (server,)


@contextmanager
def _translated(service: str, role: ModelRole) -> Iterator[None]:
    try:
        yield
    except (openai.APITimeoutError, TimeoutError) as error:
        if isinstance(error.__cause__, httpx2.ConnectTimeout):
            raise _unreachable(service, role, error.__cause__) from error
        raise UpstreamTimeoutError(service, role.timeout_s) from error
    except openai.APIStatusError as error:
        raise _refusal(service, error, role) from error
    except openai.APIConnectionError as error:
        raise _unreachable(service, role, error.__cause__ or error) from error
    except (openai.APIError, httpx2.HTTPError) as error:
        # OpenRouter and others report an error inside a response with status 200.
        body = error.body if isinstance(error, openai.APIError) else None
        codes = codes_in(body)
        if codes & _BUSY:
            raise ModelBusyError(service, requested_wait_s({}, {"error": body})) from error
        if codes & _FILTERED:
            raise EarlyEndError(service, "filtered") from error
        raise UpstreamUnavailableError(service, f"the answer broke off ({error})") from error
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        # The client raises these for a 200 that is a web page or other JSON.
        raise BrokenAnswerError(
            service,
            "it does not answer like an OpenAI-compatible API",
            hint=f"Check {role.url_setting}: it usually ends in /v1.",
        ) from error


_WANTS_PASSWORD = 407
_GATEWAY_STATUSES = frozenset({502, 504, 521, 522, 523})
"""A gateway cannot reach the server behind it. Source: Cloudflare, "5xx errors"."""


def _unreachable(service: str, role: ModelRole, error: BaseException) -> UpstreamError:
    server, *proxies = _targets(role)
    hint = f"Check {role.url_setting}, and that the server is running."
    explanation = explain_failure(error, server, hint, *proxies)
    return out_of_reach(explanation.target, explanation.of_service(service))


def _unreachable_by_gateway(
    service: str, role: ModelRole, error: openai.APIStatusError
) -> UpstreamError:
    """A failure for the answer of a proxy, or of the gateway before the server."""
    server, *proxies = _targets(role)
    if error.status_code == _WANTS_PASSWORD and proxies:
        explanation = explain_proxy(proxies[0], str(error.status_code))
        return out_of_reach(explanation.target, explanation.of_service(service))
    hint = f"Check {role.url_setting}, and that the server behind it is running."
    message = f"{server.address} answered {error.status_code}"
    return out_of_reach(server, UpstreamUnavailableError(service, message, hint=hint))


def _refusal(service: str, error: openai.APIStatusError, role: ModelRole) -> UpstreamError:
    status = error.status_code
    if codes_in(error.body) & _FILTERED:
        return EarlyEndError(service, "filtered")
    body = error.body if isinstance(error.body, dict) else {}
    if trouble := _account_trouble(error):
        hint = {
            "credit": f"Add credit to the account of {role.key_setting}, or raise its limit.",
            "key": f"Check {role.key_setting} (and {role.url_setting}); it must be allowed to use "
            f"{role.model_setting}.",
        }[trouble]
        problem = "has no credit left" if trouble == "credit" else "is not accepted"
        message = f"the account {problem} ({status}: {_message(error)})"
        return ModelAccountError(service, trouble, message, hint=hint)
    if status in _BUSY:
        body_json = read_json(error.response.content)
        return ModelBusyError(service, requested_wait_s(error.response.headers, body_json))
    if status in _GATEWAY_STATUSES or status == _WANTS_PASSWORD:
        return _unreachable_by_gateway(service, role, error)
    if status >= 500 or status in {408, 409}:
        return UpstreamUnavailableError(service, f"answered {status}")
    hint, message = "", _message(error)
    if status == 404 and "message" not in body:  # not a model server's answer
        hint = f"Check {role.url_setting}: it usually ends in /v1."
        message = "there is no such address"
    elif status == 404:
        hint = f"Check {role.model_setting}: the server does not know it (and {role.url_setting})."
    elif demands := demands_of(error):
        hint = f"Set {role.parameters_setting}={json.dumps(demands)}."
    elif OUTPUT_LIMITS & names_in(error):
        hint = f'Set {role.parameters_setting}={{"max_tokens": …}} to what it takes.'
    return UpstreamRefusedError(service, f"refused with {status}: {message}", hint=hint)


def _account_trouble(error: openai.APIStatusError) -> AccountTrouble | None:
    """The problem with the account, None if the refusal is about something else.

    Sources: OpenAI, "Error codes" (429 insufficient_quota); DeepSeek and OpenRouter (402);
    Anthropic ("Your credit balance is too low", a 400); Gemini (API_KEY_INVALID, a 400);
    OpenRouter (403 with `flagged_input` for a prompt that its moderation refuses).
    """
    status, body_text = error.status_code, json.dumps(error.body)[:_MOST_CHARACTERS]
    if (
        status == 402
        or codes_in(error.body) & _NO_CREDIT
        or (status == 400 and "credit balance" in body_text)
    ):
        return "credit"
    if status == 401 or (status == 403 and "flagged_input" not in body_text):
        return "key"
    return "key" if status == 400 and "API_KEY_INVALID" in body_text else None


def _message(error: openai.APIStatusError) -> str:
    message = error.body.get("message") if isinstance(error.body, dict) else None
    return str(message or error.message)
