"""The checker itself can fail; the bot knows what the models know."""

from importlib import import_module

import pytest

from rich_agent.telegram.receive.wire import QUIET_KINDS, UNREADABLE_KINDS
from tests.contract.telegram_models import check_call, check_result, check_update

CHAT = {"id": 1, "type": "private", "first_name": "Ada"}
MESSAGE = {"message_id": 1, "date": 1, "chat": CHAT, "text": "hi"}


@pytest.mark.costs("the models of the Bot API take long to load")
def test_check_call_accepts_what_the_bot_api_knows() -> None:
    """A call with files and nested objects passes."""
    check_call("sendMessage", {"chat_id": 1, "text": "hi", "reply_parameters": {"message_id": 2}})
    check_call("sendPhoto", {"chat_id": 1, "photo": {"file_name": "a.png", "size_bytes": 3}})


@pytest.mark.parametrize(
    ("method", "body"),
    [
        ("sendMessage", {"chat_id": 1}),
        ("sendMessage", {"chat_id": 1, "text": "hi", "txt": "hi"}),
        ("sendMessage", {"chat_id": 1, "text": ["hi"]}),
        ("sendMessage", {"chat_id": 1, "text": "a", "reply_parameters": {"message": 2}}),
        ("sendMessages", {"chat_id": 1, "text": "hi"}),
        ("sendWidget", {"chat_id": 1}),
        ("sendWidget", {"chat_id": 1, "html": "a", "data": "b"}),
        ("sendWidget", {"chat_id": 1, "html": "é" * 16_385}),
        ("editMessageWidgetData", {"chat_id": 1, "chat_data": "a"}),
        ("editMessageWidgetData", {"chat_id": 1, "message_id": 2, "chat_data": "é" * 513}),
        ("answerWidgetQuery", {"data": "a"}),
    ],
)
def test_check_call_refuses_what_the_bot_api_does_not_know(
    method: str, body: dict[str, object]
) -> None:
    """A missing, misspelt, wrongly typed or nested unknown field fails, and so does the method."""
    with pytest.raises(AssertionError):
        check_call(method, body)


def test_check_result_refuses_an_unknown_field() -> None:
    """A result that no Bot API gives fails."""
    check_result("sendMessage", MESSAGE)
    with pytest.raises(AssertionError, match="colour"):
        check_result("sendMessage", {**MESSAGE, "chat": {**CHAT, "colour": "red"}})


def test_widgets_are_checked_where_they_are_told() -> None:
    """In a result, in a message of an update, and as a query; their own fields, too."""
    query: dict[str, object]
    query = {"id": "1", "from": {"id": 1, "is_bot": False, "first_name": "Ada"}, "data": "a"}
    query |= {"chat_instance": "1", "type": {"type": "data"}, "chat": CHAT, "message_id": 1}
    check_result("sendWidget", {**MESSAGE, "widget": {"html": "a"}})
    check_update({"update_id": 1, "message": {**MESSAGE, "widget": {"html": "a"}}})
    check_update({"update_id": 1, "widget_query": query})
    with pytest.raises(AssertionError, match="colour"):
        check_result("sendWidget", {**MESSAGE, "widget": {"html": "a", "colour": "red"}})
    with pytest.raises(AssertionError, match="bytes"):
        check_update({"update_id": 1, "widget_query": {**query, "data": "é" * 33}})
    with pytest.raises(AssertionError):
        check_result("editMessageWidgetData", MESSAGE)


def test_check_update_refuses_two_things_at_once() -> None:
    """An update tells one thing."""
    check_update({"update_id": 1, "message": MESSAGE})
    with pytest.raises(AssertionError, match="one thing"):
        check_update({"update_id": 1, "message": MESSAGE, "edited_message": MESSAGE})


def test_read_updates_knows_every_kind_of_message() -> None:
    """Each content type of the Bot API is read, named or passed over in silence."""
    read_here = {"text", "photo", "document", "any", "unknown"}
    known = read_here | set(UNREADABLE_KINDS) | QUIET_KINDS
    assert {kind.value for kind in import_module("aiogram.enums").ContentType} - known == set()
