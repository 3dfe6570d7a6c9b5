"""Refusals by servers: the forms of their errors, and rules for the content of a request."""

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
    """The error in a server's form."""
    return RefusalError(refused.status, form(refused))


def openai_form(refused: Refused) -> Json:
    """OpenAI's form, which most other servers copy."""
    return {
        "error": {
            "message": refused.message,
            "type": refused.kind,
            "param": refused.param,
            "code": refused.code,
        }
    }


def plain_form(refused: Refused) -> Json:
    """Only a text, as in LM Studio's errors."""
    return {"error": refused.message}


def ollama_form(refused: Refused) -> Json:
    """OpenAI's form, always with the type `api_error`."""
    return {"error": {"message": refused.message, "type": "api_error", "param": None, "code": None}}


def llamacpp_form(refused: Refused) -> Json:
    """OpenAI's form with the status as a number in `code`."""
    return {"error": {"code": refused.status, "message": refused.message, "type": refused.kind}}


def vllm_form(refused: Refused) -> Json:
    """The HTTP reason as the type, and the status in `code`."""
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
    """Only a message, with a number as its code."""
    return {"error": {"message": refused.message, "code": refused.status}}


def gemini_form(refused: Refused) -> list[Json]:
    """A list with one error in Google's form."""
    kinds = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 404: "NOT_FOUND"}
    kinds |= {429: "RESOURCE_EXHAUSTED", 503: "UNAVAILABLE"}
    status = kinds.get(refused.status, "INTERNAL")
    error: Json = {"code": refused.status, "message": refused.message, "status": status}
    return [{"error": error}]


def anthropic_form(refused: Refused) -> Json:
    """Anthropic's error types in OpenAI's form."""
    kinds = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error"}
    kinds |= {500: "api_error", 529: "overloaded_error"}
    kind = kinds.get(refused.status, "invalid_request_error")
    error = {"code": kind, "message": refused.message, "type": kind, "param": None}
    return {"error": error}


def fastapi_form(refused: Refused) -> Json:
    """FastAPI's `detail` for an invalid request, else only a message."""
    if refused.status != 422:
        return {"object": "error", "message": refused.message, "type": refused.kind}
    problem = {
        "type": refused.code or "value_error",
        "loc": ["body", *(refused.param or "").split(".")],
        "msg": refused.message,
        "input": refused.given,
    }
    return {"detail": [problem]}


def flat_form(refused: Refused) -> Json:
    """OpenAI's fields without an `error` object around them, as in Cerebras's errors."""
    return {
        "message": refused.message,
        "type": refused.kind,
        "param": refused.param,
        "code": refused.code or "wrong_api_format",
    }


def coded_text_form(refused: Refused) -> Json:
    """A text, and a code that is a sentence, as in xAI's errors."""
    return {"code": "Client specified an invalid argument", "error": refused.message}


def message_form(refused: Refused) -> Json:
    """A message and an id, as in Cohere's errors."""
    return {"id": "00000000-0000-0000-0000-000000000000", "message": refused.message}


def litellm_form(refused: Refused) -> Json:
    """The proxy's own words around the server's message, and `None` as text."""
    message = f"litellm.BadRequestError: OpenAIException - {refused.message}"
    error = {"message": message, "type": "None", "param": "None", "code": str(refused.status)}
    return {"error": error}


def cloudflare_form(refused: Refused) -> Json:
    """A list of errors and an empty result."""
    errors = [{"message": f"AiError: {refused.message}", "code": 5006}]
    return {"errors": errors, "success": False, "result": {}, "messages": []}


def tgi_form(refused: Refused) -> Json:
    """A text and the type of the error."""
    return {"error": refused.message, "error_type": "validation"}


def detail_form(refused: Refused) -> Json:
    """Only a `detail`."""
    return {"detail": refused.message}


def refuses(name: str, refused: Refused, *values: object) -> Rule:
    """Refuse a field that is not null or, if `values` are given, that has one of them.

    `{given}` in the message is replaced by the value.
    """

    def rule(body: Mapping[str, Any], form: ErrorForm) -> RefusalError | None:
        given = body.get(name)
        if given is None or (values and given not in values):
            return None
        message = refused.message.replace("{given}", str(given))
        filled_refusal = Refused(
            refused.status, message, refused.kind, refused.param or name, refused.code, given
        )
        return refusal(form, filled_refusal)

    return rule


def refuses_other_than(name: str, refused: Refused, *values: object) -> Rule:
    """Refuse a field with a value other than `values`."""

    def rule(body: Mapping[str, Any], form: ErrorForm) -> RefusalError | None:
        given = body.get(name)
        if given is None or given in values:
            return None
        message = refused.message.replace("{given}", str(given))
        filled_refusal = Refused(refused.status, message, refused.kind, name, refused.code, given)
        return refusal(form, filled_refusal)

    return rule


def refuses_unknown(known: frozenset[str], refused: Refused) -> Rule:
    """Refuse fields that are not in `known`; `{name}` in the message is the first such field."""

    def rule(body: Mapping[str, Any], form: ErrorForm) -> RefusalError | None:
        name = next((name for name in body if name not in known), None)
        if name is None:
            return None
        message = refused.message.replace("{name}", name)
        filled_refusal = Refused(
            refused.status, message, refused.kind, name, refused.code, body[name]
        )
        return refusal(form, filled_refusal)

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
    """Refuse a call in the history whose id does not have the server's form."""

    def rule(body: Mapping[str, Any], form: ErrorForm) -> RefusalError | None:
        messages = [message for message in body.get("messages") or () if isinstance(message, dict)]
        ids = [call.get("id") for message in messages for call in message.get("tool_calls") or ()]
        wrong_id = next(
            (call_id for call_id in ids if not re.fullmatch(pattern, str(call_id))), None
        )
        if wrong_id is None:
            return None
        return refusal(form, replace(refused, message=refused.message.replace("{given}", wrong_id)))

    return rule


def refuses_format(kind: str, refused: Refused) -> Rule:
    """Refuse a type of `response_format`."""

    def rule(body: Mapping[str, Any], form: ErrorForm) -> RefusalError | None:
        response_format = body.get("response_format")
        is_refused = isinstance(response_format, dict) and response_format.get("type") == kind
        return refusal(form, refused) if is_refused else None

    return rule


def refuses_images(refused: Refused) -> Rule:
    """Refuse messages with an image part."""

    def rule(body: Mapping[str, Any], form: ErrorForm) -> RefusalError | None:
        messages = body.get("messages") or ()
        contents = (message.get("content") for message in messages if isinstance(message, dict))
        has_image = any(
            isinstance(part, dict) and part.get("type") == "image_url"
            for content in contents
            if isinstance(content, list)
            for part in content
        )
        return refusal(form, refused) if has_image else None

    return rule


def refuses_whole_unless_off(switch: str, refused: Refused) -> Rule:
    """Refuse requests for a whole answer unless the field `switch` is false."""

    def rule(body: Mapping[str, Any], form: ErrorForm) -> RefusalError | None:
        is_accepted = body.get("stream") or body.get(switch) is False
        return None if is_accepted else refusal(form, refused)

    return rule


def refuses_in_schemas(key: str, refused: Refused) -> Rule:
    """Refuse a key anywhere in the parameters of tools or in a JSON schema."""

    def rule(body: Mapping[str, Any], form: ErrorForm) -> RefusalError | None:
        schema_fields = [body.get("tools"), body.get("response_format")]
        return refusal(form, refused) if _contains_key(schema_fields, key) else None

    return rule


def _contains_key(value: object, key: str) -> bool:
    if isinstance(value, dict):
        return key in value or any(
            _contains_key(inner_value, key) for inner_value in value.values()
        )
    return isinstance(value, list) and any(_contains_key(inner_value, key) for inner_value in value)
