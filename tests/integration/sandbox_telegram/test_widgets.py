"""Widgets: sent, changed, asked, answered, refused."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.integration.sandbox_telegram.client import Client
from tests.sandbox_server import start_sandbox

HTML = '<button id="b">Tap</button><script>b.onclick = () => TelegramWidget.request("tap")</script>'
TOO_OLD = "Bad Request: query is too old and response timeout expired or query ID is invalid"
TOO_LARGE = "Bad Request: INPUT_MEDIA_WIDGET_TOO_LARGE"
NOT_ALLOWED = "Bad Request: INPUT_MEDIA_WIDGET_NOT_ALLOWED"


@pytest.fixture(autouse=True)
def _later_tests_get_other_updates(client: Client) -> Iterator[None]:
    """The kinds that a bot asks for outlast an emptied sandbox."""
    yield
    client.updates(allowed_updates=[])


def _send(client: Client, **params: Any) -> int:
    """A widget in the chat of user 42; gives the message id."""
    client.send()
    client.updates(allowed_updates=["message", "callback_query", "widget_query"])
    asked = {"chat_id": 42, "html": HTML, "allow_queries": True, **params}
    return int(client.call("sendWidget", **asked)["message_id"])


def _dense(size_bytes: int) -> str:
    """A text that cannot be compressed to less than three quarters."""
    return random.Random(1).randbytes(size_bytes // 2).hex()  # noqa: S311 -- no secret


def test_widget_is_sent_with_what_other_media_have(client: Client) -> None:
    """Caption, keyboard, reply, sizes and data; it is protected, and the user sees it."""
    question = client.send()
    keys = {"inline_keyboard": [[{"text": "Help", "callback_data": "h"}]]}
    sent = client.call(
        "sendWidget",
        chat_id=42,
        html=HTML,
        width=300,
        height=80,
        public_data="p",
        chat_data="c",
        caption="<b>Today</b>",
        parse_mode="HTML",
        reply_markup=keys,
        reply_parameters={"message_id": question},
    )
    data = {"width": 300, "height": 80, "public_data": "p", "chat_data": "c"}
    assert sent["widget"] == {"html": HTML, **data}
    assert (sent["caption"], sent["caption_entities"][0]["type"]) == ("Today", "bold")
    assert sent["has_protected_content"] is True
    assert (sent["reply_markup"], sent["reply_to_message"]["message_id"]) == (keys, question)
    shown = client.last_message()
    assert shown["widget"] == {"html": HTML, **data, "can_query": False}
    assert (shown["text"], shown["buttons"]) == ("Today", keys["inline_keyboard"])


@pytest.mark.parametrize(
    ("params", "description"),
    [
        ({"html": ""}, "Bad Request: widget HTML must be non-empty"),
        ({"html": "a" * 32_769}, TOO_LARGE),
        ({"html": _dense(9_000)}, TOO_LARGE),
        ({"chat_data": "é" * 513}, "Bad Request: chat_data is too long"),
        ({"public_data": "a" * 1_025}, "Bad Request: public_data is too long"),
        ({"caption": "a" * 1_025}, "Bad Request: message caption is too long"),
        ({"width": "wide"}, "Bad Request: invalid width specified"),
        ({"message_thread_id": 7}, "Bad Request: message thread not found"),
        ({"reply_parameters": {"message_id": 1}}, "Bad Request: message to be replied not found"),
        ({"chat_id": -42}, NOT_ALLOWED),
        (
            {"is_shared": True},
            "Bad Request: this sandbox has no shared widgets: leave out is_shared",
        ),
    ],
)
def test_widget_is_refused_in_telegrams_words(
    client: Client, params: dict[str, Any], description: str
) -> None:
    """Limits of bytes, also compressed; no group; what other messages are refused for."""
    client.send()
    client.send(chat_type="group", text="hi")
    body = client.refused("sendWidget", **{"chat_id": 42, "html": HTML, **params})
    assert (body["error_code"], body["description"]) == (400, description)
    assert len(client.chat()["messages"]) == 1


def test_widget_may_be_as_large_as_is_documented(client: Client) -> None:
    """32,768 bytes of HTML and 1,024 of data pass."""
    client.send()
    data = "é" * 512
    sent = client.call("sendWidget", chat_id=42, html="é" * 16_384, chat_data=data)
    assert sent["widget"]["chat_data"] == data


def test_widget_data_changes_one_by_one(client: Client) -> None:
    """Omitted data stays, "" removes it, equal data is no edit; the HTML stays for good."""
    target = {"chat_id": 42, "message_id": _send(client, public_data="p", chat_data="c")}
    assert client.call("editMessageWidgetData", **target, chat_data="d") is True
    assert client.last_message()["widget"]["public_data"] == "p"
    assert client.last_message()["widget"]["chat_data"] == "d"
    assert client.call("editMessageWidgetData", **target, public_data="") is True
    shown = client.last_message()
    assert (shown["widget"]["public_data"], shown["widget"]["chat_data"]) == ("", "d")
    assert (shown["widget"]["html"], shown["edits"]) == (HTML, 2)
    same = client.refused("editMessageWidgetData", **target, chat_data="d")
    assert same["description"].startswith("Bad Request: message is not modified")
    long = client.refused("editMessageWidgetData", **target, chat_data="a" * 1_025)
    assert long["description"] == "Bad Request: chat_data is too long"


def test_widget_is_edited_and_deleted_as_media(client: Client) -> None:
    """It has a caption and a keyboard, and no text; what is gone or no widget has no data."""
    message_id = _send(client, chat_data="c")
    target = {"chat_id": 42, "message_id": message_id}
    text = client.refused("editMessageText", **target, text="a")
    assert text["description"] == "Bad Request: there is no text in the message to edit"
    assert client.call("editMessageCaption", **target, caption="Done")["widget"]["chat_data"] == "c"
    keys = {"inline_keyboard": [[{"text": "Help", "callback_data": "h"}]]}
    client.call("editMessageReplyMarkup", **target, reply_markup=keys)
    assert client.last_message()["text"] == "Done"
    assert client.last_message()["buttons"] == keys["inline_keyboard"]
    client.call("deleteMessage", **target)
    gone = client.refused("editMessageWidgetData", **target, chat_data="d")
    assert gone["description"] == "Bad Request: message to edit not found"
    plain = client.call("sendMessage", chat_id=42, text="a")["message_id"]
    other = client.refused("editMessageWidgetData", chat_id=42, message_id=plain, chat_data="d")
    assert other["description"] == "Bad Request: there is no widget in the message to edit"


def test_widget_is_neither_forwarded_nor_copied(client: Client) -> None:
    """Its content is protected; an ordinary message goes to another chat."""
    client.send(43)
    elsewhere = {"chat_id": 43, "from_chat_id": 42, "message_id": _send(client, caption="a")}
    forward = client.refused("forwardMessage", **elsewhere)
    copy = client.refused("copyMessage", **elsewhere)
    assert forward["description"] == "Bad Request: the message can't be forwarded"
    assert copy["description"] == "Bad Request: the message can't be copied"
    said = client.call("sendMessage", chat_id=42, text="hello")["message_id"]
    sent = client.call("forwardMessage", **(elsewhere | {"message_id": said}))
    assert (sent["text"], sent["forward_origin"]["sender_user"]["is_bot"]) == ("hello", True)
    copied = client.call("copyMessage", **(elsewhere | {"message_id": said}))
    assert client.last_message(43)["message_id"] == copied["message_id"]
    assert client.last_message(43)["forwarded_from"] is None
    gone = client.refused("copyMessage", **(elsewhere | {"message_id": 1}))
    assert gone["description"] == "Bad Request: message to copy not found"


def test_query_reaches_the_bot_and_is_answered_once(client: Client) -> None:
    """The update is flat; the answer is shown to the widget alone and changes no data."""
    message_id = _send(client, chat_data="c")
    query_id = client.query_widget(message_id, "done:7")
    query = client.updates()[-1]["widget_query"]
    assert (query["id"], query["data"], query["type"]) == (query_id, "done:7", {"type": "data"})
    assert (query["from"]["id"], query["chat"]["id"], query["message_id"]) == (42, 42, message_id)
    assert client.chat()["widget_queries"][0]["answer"] is None
    long = client.refused("answerWidgetQuery", widget_query_id=query_id, data="a" * 1_025)
    assert long["description"] == "Bad Request: data is too long"
    assert client.call("answerWidgetQuery", widget_query_id=query_id, data="ok") is True
    again = client.refused("answerWidgetQuery", widget_query_id=query_id, data="ok")
    assert again["description"] == TOO_OLD
    (shown,) = client.chat()["widget_queries"]
    assert (shown["query_id"], shown["data"], shown["answer"]) == (query_id, "done:7", "ok")
    assert client.last_message()["widget"]["chat_data"] == "c"


def test_query_is_answered_within_15_seconds(client: Client) -> None:
    """Later, or without a query, Telegram refuses; an empty answer is one."""
    message_id = _send(client)
    late = client.query_widget(message_id, "a", age_s=15)
    assert client.refused("answerWidgetQuery", widget_query_id=late)["description"] == TOO_OLD
    assert client.refused("answerWidgetQuery", widget_query_id="1")["description"] == TOO_OLD
    early = client.query_widget(message_id, "a", age_s=14)
    client.call("answerWidgetQuery", widget_query_id=early)
    assert [query["answer"] for query in client.chat()["widget_queries"]] == [None, ""]


def test_queries_are_at_most_five_in_five_seconds(client: Client) -> None:
    """The sixth of a user is not sent, whatever widget it is from; another user's is."""
    client.send(43)
    message_ids = [_send(client), _send(client)]
    for number in range(5):
        client.query_widget(message_ids[number % 2], "a")
    body = {"message_id": message_ids[0], "data": "a"}
    assert client.sim("POST", "/chats/42/widget-queries", body).status_code == 429
    assert len([one for one in client.updates() if "widget_query" in one]) == 5
    client.query_widget(message_ids[0], "a", user_id=43)


@pytest.mark.parametrize(
    ("widget", "body", "reason"),
    [
        ({}, {"data": ""}, "1 to 64 bytes"),
        ({}, {"data": "é" * 33}, "1 to 64 bytes"),
        ({}, {"data": "a", "message_id": 1}, "never a message 1"),
        ({}, {"data": "a", "query_id": "1"}, "no query 1"),
        ({"allow_queries": False}, {"data": "a"}, "allow_queries"),
    ],
)
def test_query_that_no_client_sends_is_refused(
    client: Client, widget: dict[str, Any], body: dict[str, Any], reason: str
) -> None:
    """Data of other lengths, unknown messages and queries, widgets that may not query."""
    message_id = _send(client, **widget)
    answer = client.sim("POST", "/chats/42/widget-queries", {"message_id": message_id, **body})
    assert answer.status_code == 400
    assert reason in answer.json()["error"]


def test_query_of_a_bad_client_is_sent(client: Client) -> None:
    """Another user, another's message, one that is gone, and the same query once more."""
    client.send(43)
    message_id = _send(client)
    query_id = client.query_widget(message_id, "one")
    client.query_widget(message_id, "two", user_id=43)
    client.query_widget(message_id, "three", from_user_id=44)
    client.query_widget(message_id, "four", query_id=query_id)
    client.call("deleteMessage", chat_id=42, message_id=message_id)
    client.query_widget(message_id, "five")
    updates = [update for update in client.updates() if "widget_query" in update]
    queries = [update["widget_query"] for update in updates]
    assert [query["data"] for query in queries] == ["one", "two", "three", "four", "five"]
    assert [query["from"]["id"] for query in queries] == [42, 43, 44, 42, 42]
    assert [query["chat"]["id"] for query in queries] == [42, 43, 42, 42, 42]
    assert {query["message_id"] for query in queries} == {message_id}
    assert [query["id"] == query_id for query in queries] == [True, False, False, True, False]
    assert len({update["update_id"] for update in updates}) == 5


def test_query_reaches_only_a_bot_that_asks_for_it(client: Client) -> None:
    """The kind has to be named in allowed_updates."""
    message_id = _send(client)
    client.updates(allowed_updates=[])
    answer = client.sim("POST", "/chats/42/widget-queries", {"message_id": message_id, "data": "a"})
    assert answer.json()["update_id"] is None


@pytest.mark.parametrize("by_fault", [True, False])
def test_server_may_know_no_widgets(client: Client, *, by_fault: bool) -> None:
    """An older server does not find the methods, and has the others."""
    message_id = _send(client)
    if by_fault:
        client.fault("404_widgets", times=1_000)
    else:
        assert client.sim("POST", "/server", {"age": "old"}).status_code == 200
    target = {"chat_id": 42, "message_id": message_id}
    for method, params in (
        ("sendWidget", {"chat_id": 42, "html": HTML}),
        ("editMessageWidgetData", {**target, "chat_data": "d"}),
        ("answerWidgetQuery", {"widget_query_id": "1"}),
    ):
        body = client.refused(method, **params)
        assert body == {"ok": False, "error_code": 404, "description": "Not Found"}
    client.call("sendMessage", chat_id=42, text="a")


def test_chat_may_be_allowed_no_widgets(client: Client) -> None:
    """One chat refuses them, another takes them."""
    client.send(42)
    client.send(43)
    client.fault("400_widgets", chat_id=42, times=1_000)
    body = client.refused("sendWidget", chat_id=42, html=HTML)
    assert (body["error_code"], body["description"]) == (400, NOT_ALLOWED)
    client.call("sendMessage", chat_id=42, text="a")
    client.call("sendWidget", chat_id=43, html=HTML)


def test_faults_concern_widgets_too(client: Client) -> None:
    """A 429 of an edit, a refused caption, and an answer whose 502 has answered all the same."""
    message_id = _send(client)
    query_id = client.query_widget(message_id, "a")
    client.fault("429", method="editMessageWidgetData", retry_after=7)
    target = {"chat_id": 42, "message_id": message_id}
    body = client.refused("editMessageWidgetData", **target, chat_data="d")
    assert body["parameters"] == {"retry_after": 7}
    client.fault("400_entities")
    client.call("sendWidget", chat_id=42, html=HTML)
    client.refused("sendWidget", chat_id=42, html=HTML, caption="a")
    client.fault("502_done", method="answerWidgetQuery")
    client.refused("answerWidgetQuery", widget_query_id=query_id, data="ok")
    assert client.chat()["widget_queries"][0]["answer"] == "ok"


def test_flood_control_counts_widgets() -> None:
    """They close a chat as messages do."""
    with (
        start_sandbox(flood=True, journal=None) as sandbox,
        httpx.Client(timeout=10, trust_env=False) as http,
    ):
        client = Client(sandbox, http)
        client.send()
        url = f"{sandbox.api_url}/sendWidget"
        codes = [http.post(url, json={"chat_id": 42, "html": HTML}).status_code for _ in range(8)]
        assert 429 in codes


def test_widget_is_kept_with_its_state(tmp_path: Path) -> None:
    """A sandbox that is started again shows the widget as it was, and can change it."""
    with httpx.Client(timeout=10, trust_env=False) as http:
        with start_sandbox(state=tmp_path, journal=None) as sandbox:
            client = Client(sandbox, http)
            message_id = _send(client, chat_data="c", height=90)
            client.call("editMessageWidgetData", chat_id=42, message_id=message_id, chat_data="d")
            before = client.last_message()
        with start_sandbox(state=tmp_path, journal=None) as sandbox:
            client = Client(sandbox, http)
            assert client.last_message() == before
            target = {"chat_id": 42, "message_id": message_id}
            client.call("editMessageWidgetData", **target, chat_data="e")
            client.query_widget(message_id, "a")
            assert client.last_message()["widget"]["chat_data"] == "e"
