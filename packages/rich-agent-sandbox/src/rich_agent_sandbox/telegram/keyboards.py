"""Inline keyboards of a call, checked as Telegram checks them."""

from collections.abc import Mapping
from typing import Any

from rich_agent_sandbox.telegram.params import Params
from rich_agent_sandbox.telegram.refusals import bad_request
from rich_agent_sandbox.telegram.text.entities import link_target

Keyboard = tuple[tuple[Mapping[str, Any], ...], ...]
CALLBACK_DATA_LIMIT_BYTES = 64
_OTHER_MARKUP = frozenset({"keyboard", "remove_keyboard", "force_reply"})
# https://core.telegram.org/bots/api#inlinekeyboardbutton: exactly one of these besides the text
_BUTTON_ACTIONS = frozenset(
    (
        "callback_data",
        "callback_game",
        "copy_text",
        "disabled",
        "login_url",
        "pay",
        "switch_inline_query",
        "switch_inline_query_chosen_chat",
        "switch_inline_query_current_chat",
        "url",
        "web_app",
    )
)


def read_keyboard(params: Params) -> Keyboard:
    """The inline keyboard of `reply_markup`, empty without one.

    Reply keyboards are accepted and not shown. Raises: BotApiError for a malformed markup.
    """
    markup = params.fields("reply_markup")
    if not markup or _OTHER_MARKUP & markup.keys():
        return ()
    rows = markup.get("inline_keyboard")
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise bad_request("object expected as reply markup")
    return tuple(tuple(_checked(button) for button in row) for row in rows if row)


def _checked(button: object) -> Mapping[str, Any]:
    if not isinstance(button, dict):
        raise bad_request("can't parse inline keyboard button: expected an Object")
    if not isinstance(button.get("text"), str):
        raise bad_request(
            'can\'t parse inline keyboard button: Field "text" must be of type String'
        )
    actions = _BUTTON_ACTIONS & button.keys()
    if len(actions) != 1:
        raise bad_request(
            "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard"
        )
    if "callback_data" in button:
        _check_callback_data(button["callback_data"])
    if "url" in button:
        _check_url(str(button["url"]))
    return button


def _check_callback_data(data: object) -> None:
    if not isinstance(data, str) or not 1 <= len(data.encode()) <= CALLBACK_DATA_LIMIT_BYTES:
        raise bad_request("BUTTON_DATA_INVALID")


def _check_url(url: str) -> None:
    if link_target(url) is None:
        raise bad_request(f"inline keyboard button URL '{url}' is invalid: Wrong HTTP URL")
