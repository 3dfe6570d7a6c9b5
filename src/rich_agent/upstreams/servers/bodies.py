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
    """The body for either API, without the parameters that the server refuses.

    The token limit has the name used in `parameters`, or its other name if the server refuses the
    first.
    """
    body = dict(payload)
    if "input" in body:
        # The Responses API stores conversations unless told not to; chat completions do not.
        return _sendable({"store": False, **body}, omissions, _RESPONSE_FIELDS)
    max_tokens = body.pop("max_completion_tokens", None)
    limit_names = sorted(
        ("max_tokens", "max_completion_tokens"), key=lambda name: name not in parameters
    )
    if max_tokens and (
        name := next(
            (limit_name for limit_name in limit_names if limit_name not in omissions), None
        )
    ):
        body[name] = max_tokens
    return _sendable(body, omissions, _COMPLETION_FIELDS)


def _sendable(
    payload: Mapping[str, Any], omissions: frozenset[str], fields: frozenset[str]
) -> dict[str, Any]:
    """The payload for a client that knows `fields`; all other fields are sent as extra body.

    `response_format` is sent as extra body too: otherwise the client would parse the answer, and
    fail on an answer that it cannot parse.
    """
    fields_to_send = {name: value for name, value in payload.items() if name not in omissions}
    extra_names = (fields_to_send.keys() - fields) | (fields_to_send.keys() & {"response_format"})
    extra = {name: fields_to_send.pop(name) for name in extra_names}
    return {**fields_to_send, "extra_body": extra} if extra else fields_to_send
