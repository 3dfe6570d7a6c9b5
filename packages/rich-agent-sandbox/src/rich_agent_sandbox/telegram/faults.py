"""Failures of Telegram that a test can ask for (`POST /sim/faults` with upstream "telegram").

Refused instead of done: `429` (after `retry_after` s), `500`, `502`, `403_blocked` (methods with a
chat), `400_entities` (methods with a text), `404_widgets` (methods of widgets, as on a server
without them), `400_widgets` (sendWidget, as where widgets are not allowed). Done, but: `timeout`
answers after `delay_s`, `reset` drops the connection without an answer, `502_done` is answered as
502. `delay` waits `delay_s` and then continues normally. With `chat_id`, a fault applies to one
chat only, and a `429` closes it for messages until `retry_after` is over, as in Telegram. Without a
method, a fault does not apply to getUpdates, which a polling bot calls all the time.
"""

from collections.abc import Mapping
from types import MappingProxyType

from rich_agent_sandbox.ledger import Fault
from rich_agent_sandbox.telegram.params import Params
from rich_agent_sandbox.telegram.refusals import BotApiError, bad_request, too_many_requests
from rich_agent_sandbox.telegram.widgets import METHODS as WIDGET_METHODS
from rich_agent_sandbox.telegram.widgets import NOT_ALLOWED

KINDS = frozenset(
    {
        *("429", "500", "502", "403_blocked", "400_entities", "404_widgets", "400_widgets"),
        *("timeout", "reset", "502_done", "delay"),
    }
)
_FORMATTED_METHODS = frozenset(
    {
        "sendMessage",
        "sendRichMessage",
        "editMessageText",
        "sendPhoto",
        "sendDocument",
        "sendMessageDraft",
    }
)
_PLAIN_REFUSALS: Mapping[str, tuple[int, str]] = MappingProxyType(
    {
        "500": (500, "Internal Server Error"),
        "502": (502, "Bad Gateway"),
        "403_blocked": (403, "Forbidden: bot was blocked by the user"),
        "404_widgets": (404, "Not Found"),
        "400_widgets": (400, f"Bad Request: {NOT_ALLOWED}"),
    }
)


def concerns(fault: Fault, method: str, params: Params) -> bool:
    """Whether this fault applies to this call."""
    if fault.method is None and method == "getUpdates":
        return False
    if fault.chat_id is not None and params.values.get("chat_id") != fault.chat_id:
        return False
    if fault.kind == "403_blocked":
        return "chat_id" in params.values
    if fault.kind == "400_entities":
        has_caption = method == "sendWidget" and "caption" in params.values
        return has_caption or method in _FORMATTED_METHODS
    if fault.kind == "404_widgets":
        return method in WIDGET_METHODS
    return fault.kind != "400_widgets" or method == "sendWidget"


def refusal_of(fault: Fault | None) -> BotApiError | None:
    """The refusal of a fault, None if it does not refuse."""
    if fault is None:
        return None
    if fault.kind == "429":
        return too_many_requests(1 if fault.retry_after is None else fault.retry_after)
    if fault.kind == "400_entities":
        return bad_request(
            "can't parse entities: Can't find end of the entity starting at byte offset 0"
        )
    if fault.kind in _PLAIN_REFUSALS:
        code, description = _PLAIN_REFUSALS[fault.kind]
        return BotApiError(code, description)
    return None
