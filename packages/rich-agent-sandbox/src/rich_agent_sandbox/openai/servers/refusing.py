"""Refusals by servers: shapes of their errors, and rules for what a request may contain."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rich_agent_sandbox.exchange import RefusalError

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Refused:
    """A refusal and its reason, independent of the server's form; `given` is the refused value."""

    status: int
    message: str
    kind: str = "invalid_request_error"
    param: str | None = None
    code: str | None = None
    given: object = None


ErrorForm = Callable[[Refused], object]
Rule = Callable[[Mapping[str, Any], ErrorForm], RefusalError | None]
"""Checks the body of a request; returns the refusal, None if the server accepts it."""


def refusal(form: ErrorForm, refused: Refused) -> RefusalError:
    """The error in the form of a server."""
    return RefusalError(refused.status, form(refused))


def openai_form(refused: Refused) -> Json:
    """OpenAI's, which most others copy."""
    return {
        "error": {
            "message": refused.message,
            "type": refused.kind,
            "param": refused.param,
            "code": refused.code,
        }
    }


def plain_form(refused: Refused) -> Json:
    """Only a text, as LM Studio sends it."""
    return {"error": refused.message}


def ollama_form(refused: Refused) -> Json:
    """OpenAI's with `api_error` as type where nothing else is known."""
    return {"error": {"message": refused.message, "type": "api_error", "param": None, "code": None}}


def llamacpp_form(refused: Refused) -> Json:
    """The status as number in `code`."""
    return {"error": {"code": refused.status, "message": refused.message, "type": refused.kind}}


def vllm_form(refused: Refused) -> Json:
    """The HTTP reason as type, the status in `code`."""
    kinds = {400: "BadRequestError", 404: "NotFoundError"}
    return {
        "error": {
            "message": refused.message,
            "type": kinds.get(refused.status, "InternalServerError"),
            "param": refused.param,
            "code": refused.status,
        }
    }


def openrouter_form(refused: Refused) -> Json:
    """A number as code and nothing but a message."""
    return {"error": {"message": refused.message, "code": refused.status}}


def gemini_form(refused: Refused) -> list[Json]:
    """A list with one error of Google's kind."""
    kinds = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 404: "NOT_FOUND"}
    kinds |= {429: "RESOURCE_EXHAUSTED", 503: "UNAVAILABLE"}
    status = kinds.get(refused.status, "INTERNAL")
    error: Json = {"code": refused.status, "message": refused.message, "status": status}
    return [{"error": error}]


def anthropic_form(refused: Refused) -> Json:
    """Anthropic's kinds in OpenAI's shape."""
    kinds = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error"}
    kinds |= {500: "api_error", 529: "overloaded_error"}
    kind = kinds.get(refused.status, "invalid_request_error")
    error = {"code": kind, "message": refused.message, "type": kind, "param": None}
    return {"error": error}


def fastapi_form(refused: Refused) -> Json:
    """FastAPI's `detail` for a request that does not validate, else a bare message."""
    if refused.status != 422:
        return {"object": "error", "message": refused.message, "type": refused.kind}
    where = {
        "type": refused.code or "value_error",
        "loc": ["body", *(refused.param or "").split(".")],
        "msg": refused.message,
        "input": refused.given,
    }
    return {"detail": [where]}


def flat_form(refused: Refused) -> Json:
    """OpenAI's fields without an `error` around them, as Cerebras sends them."""
    return {
        "message": refused.message,
        "type": refused.kind,
        "param": refused.param,
        "code": refused.code or "wrong_api_format",
    }


def coded_text_form(refused: Refused) -> Json:
    """A text next to a code that is a sentence, as xAI sends them."""
    return {"code": "Client specified an invalid argument", "error": refused.message}


def message_form(refused: Refused) -> Json:
    """A message and an id, as Cohere sends them."""
    return {"id": "00000000-0000-0000-0000-000000000000", "message": refused.message}


def litellm_form(refused: Refused) -> Json:
    """The proxy's own words around those of the server, and `None` as text."""
    message = f"litellm.BadRequestError: OpenAIException - {refused.message}"
    error = {"message": message, "type": "None", "param": "None", "code": str(refused.status)}
    return {"error": error}


def cloudflare_form(refused: Refused) -> Json:
    """A list of errors next to an empty result."""
    errors = [{"message": f"AiError: {refused.message}", "code": 5006}]
    return {"errors": errors, "success": False, "result": {}, "messages": []}


def tgi_form(refused: Refused) -> Json:
    """A text and the kind of the error."""
    return {"error": refused.message, "error_type": "validation"}


def detail_form(refused: Refused) -> Json:
    """A bare `detail`."""
    return {"detail": refused.message}


def refuses(name: str, refused: Refused, *values: object) -> Rule:
    """Refuse a field that is not null or, if there are `values`, has one of these.

    `{given}` in the message is the value.
    """

    def rule(body: Mapping[str, Any], form: ErrorForm) -> RefusalError | None:
        given = body.get(name)
        if given is None or (values and given not in values):
            return None
        told = refused.message.replace("{given}", str(given))
        said = Refused(
            refused.status, told, refused.kind, refused.param or name, refused.code, given
        )
        return refusal(form, said)

    return rule


def refuses_other_than(name: str, refused: Refused, *values: object) -> Rule:
    """Refuse a field with a value other than `values`."""

    def rule(body: Mapping[str, Any], form: ErrorForm) -> RefusalError | None:
        given = body.get(name)
        if given is None or given in values:
            return None
        told = refused.message.replace("{given}", str(given))
        said = Refused(refused.status, told, refused.kind, name, refused.code, given)
        return refusal(form, said)

    return rule


def refuses_unknown(known: frozenset[str], refused: Refused) -> Rule:
    """Refuse fields that are not in `known`; `{name}` in the message is the first one."""

    def rule(body: Mapping[str, Any], form: ErrorForm) -> RefusalError | None:
        name = next((name for name in body if name not in known), None)
        if name is None:
            return None
        told = refused.message.replace("{name}", name)
        said = Refused(refused.status, told, refused.kind, name, refused.code, body[name])
        return refusal(form, said)

    return rule


def refuses_tool_choice_object(refused: Refused) -> Rule:
    """Refuse a tool choice that names a function."""

    def rule(body: Mapping[str, Any], form: ErrorForm) -> RefusalError | None:
        is_object = isinstance(body.get("tool_choice"), dict)
        return refusal(form, refused) if is_object else None

    return rule


def refuses_tools(refused: Refused) -> Rule:
    """Refuse tools that may be called, without naming the parameter."""

    def rule(body: Mapping[str, Any], form: ErrorForm) -> RefusalError | None:
        may_be_called = body.get("tools") and body.get("tool_choice") != "none"
        return refusal(form, refused) if may_be_called else None

    return rule


def refuses_calls_with_other_ids(pattern: str, refused: Refused) -> Rule:
    """Refuse a call in the history whose id is not as the server makes them."""

    def rule(body: Mapping[str, Any], form: ErrorForm) -> RefusalError | None:
        messages = [one for one in body.get("messages") or () if isinstance(one, dict)]
        ids = [call.get("id") for one in messages for call in one.get("tool_calls") or ()]
        wrong = next((one for one in ids if not re.fullmatch(pattern, str(one))), None)
        if wrong is None:
            return None
        return refusal(form, replace(refused, message=refused.message.replace("{given}", wrong)))

    return rule


def refuses_format(kind: str, refused: Refused) -> Rule:
    """Refuse a `response_format` of a type."""

    def rule(body: Mapping[str, Any], form: ErrorForm) -> RefusalError | None:
        asked = body.get("response_format")
        is_refused = isinstance(asked, dict) and asked.get("type") == kind
        return refusal(form, refused) if is_refused else None

    return rule


def refuses_images(refused: Refused) -> Rule:
    """Refuse a part of a message that is an image."""

    def rule(body: Mapping[str, Any], form: ErrorForm) -> RefusalError | None:
        messages = body.get("messages") or ()
        parts = (m.get("content") for m in messages if isinstance(m, dict))
        shown = any(
            isinstance(part, dict) and part.get("type") == "image_url"
            for content in parts
            if isinstance(content, list)
            for part in content
        )
        return refusal(form, refused) if shown else None

    return rule


def refuses_whole_unless_off(switch: str, refused: Refused) -> Rule:
    """Refuse requests that are not streamed, unless this field of them is false."""

    def rule(body: Mapping[str, Any], form: ErrorForm) -> RefusalError | None:
        is_taken = body.get("stream") or body.get(switch) is False
        return None if is_taken else refusal(form, refused)

    return rule


def refuses_in_schemas(key: str, refused: Refused) -> Rule:
    """Refuse a key anywhere in the parameters of tools or in a JSON schema."""

    def rule(body: Mapping[str, Any], form: ErrorForm) -> RefusalError | None:
        asked = [body.get("tools"), body.get("response_format")]
        return refusal(form, refused) if _holds(asked, key) else None

    return rule


def _holds(value: object, key: str) -> bool:
    if isinstance(value, dict):
        return key in value or any(_holds(inner, key) for inner in value.values())
    return isinstance(value, list) and any(_holds(inner, key) for inner in value)
