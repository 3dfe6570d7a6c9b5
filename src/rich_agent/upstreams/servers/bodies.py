"""Bodies of requests for chat completions and for the Responses API."""

from collections.abc import Mapping
from inspect import signature
from typing import Any, Final

from openai.resources.chat.completions import AsyncCompletions
from openai.resources.responses import AsyncResponses

_COMPLETION_FIELDS: Final = frozenset(signature(AsyncCompletions.create).parameters)
_RESPONSE_FIELDS: Final = frozenset(signature(AsyncResponses.create).parameters)


def completion_body(
    payload: Mapping[str, Any], parameters: Mapping[str, Any], omissions: frozenset[str]
) -> dict[str, Any]:
    """The body for either API, without the parameters that its server refuses.

    Its limit of tokens has the name in `parameters`, or the other one if that is refused.
    """
    body = dict(payload)
    if "input" in body:
        # The Responses API stores conversations unless told not to; chat completions do not.
        return _sendable({"store": False, **body}, omissions, _RESPONSE_FIELDS)
    most = body.pop("max_completion_tokens", None)
    limit_names = sorted(
        ("max_tokens", "max_completion_tokens"), key=lambda name: name not in parameters
    )
    if most and (name := next((one for one in limit_names if one not in omissions), None)):
        body[name] = most
    return _sendable(body, omissions, _COMPLETION_FIELDS)


def _sendable(
    payload: Mapping[str, Any], omissions: frozenset[str], fields: frozenset[str]
) -> dict[str, Any]:
    """The payload for a client that knows `fields`; other fields are sent as extra body.

    So is `response_format`: otherwise the client would parse the answer, and fail if it cannot.
    """
    fields_to_send = {name: value for name, value in payload.items() if name not in omissions}
    others = (fields_to_send.keys() - fields) | (fields_to_send.keys() & {"response_format"})
    extra = {name: fields_to_send.pop(name) for name in others}
    return {**fields_to_send, "extra_body": extra} if extra else fields_to_send
