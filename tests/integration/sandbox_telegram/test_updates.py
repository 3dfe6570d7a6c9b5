"""Updates on their way to the bot: getUpdates and webhook."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.contract.telegram_models import check_update
from tests.integration.sandbox_telegram.client import Client, eventually
from tests.integration.sandbox_telegram.receiver import Receiver


def test_get_updates_gives_again_what_is_not_confirmed(client: Client) -> None:
    """An update stays until a higher offset confirms it."""
    client.send(text="one")
    client.send(text="two")
    first, second = client.updates()
    assert second["update_id"] == first["update_id"] + 1
    assert client.updates() == [first, second]
    assert client.updates(offset=second["update_id"]) == [second]
    assert client.updates() == [second]
    assert client.updates(offset=second["update_id"] + 1) == []


def test_get_updates_with_a_negative_offset_forgets_the_older(client: Client) -> None:
    """-1 keeps the newest alone."""
    client.send(text="one")
    client.send(text="two")
    newest = client.updates(offset=-1)
    assert [update["message"]["text"] for update in newest] == ["two"]
    assert client.updates() == newest


def test_get_updates_limits_how_many(client: Client) -> None:
    """At most `limit`, oldest first."""
    client.send(text="one")
    client.send(text="two")
    assert [update["message"]["text"] for update in client.updates(limit=1)] == ["one"]


def test_get_updates_waits_for_a_message(client: Client) -> None:
    """A long poll ends as soon as something comes."""
    with ThreadPoolExecutor(1) as pool:
        poll = pool.submit(client.updates, timeout=8)
        client.send(text="now")
        assert [update["message"]["text"] for update in poll.result(5)] == ["now"]


def test_get_updates_ends_an_older_one_with_409(client: Client) -> None:
    """Of two readers the older is told that another runs."""
    with ThreadPoolExecutor(2) as pool:
        polls = [pool.submit(client.refused, "getUpdates", timeout=8)]

        def is_ended() -> bool:
            client.updates()
            return polls[0].done()

        eventually(is_ended)
    body = polls[0].result()
    assert body["error_code"] == 409
    assert body["description"].startswith("Conflict: terminated by other getUpdates request")


def test_get_updates_is_refused_while_a_webhook_is_set(client: Client, receiver: Receiver) -> None:
    """One way or the other, as with Telegram."""
    client.call("setWebhook", url=receiver.url)
    body = client.refused("getUpdates")
    assert body["error_code"] == 409
    assert "webhook is active" in body["description"]
    client.call("deleteWebhook")
    assert client.updates() == []


def test_allowed_updates_are_all_that_comes(client: Client) -> None:
    """Updates that the bot did not ask for are not made; an empty list asks for the usual kinds."""
    client.updates(allowed_updates=["callback_query"])
    assert client.sim("POST", "/chats/42/messages", {"text": "hi"}).json()["update_id"] is None
    assert client.updates() == []
    client.updates(allowed_updates=[])
    client.send(text="again")
    assert [update["message"]["text"] for update in client.updates()] == ["again"]


def test_webhook_gets_each_chat_in_order_with_the_secret(
    client: Client, receiver: Receiver
) -> None:
    """Updates arrive once, in order per chat, with the secret header."""
    client.call("setWebhook", url=receiver.url, secret_token="s3cret")
    for number in range(10):
        for user_id in (42, 43):
            client.send(user_id, text=str(number))
    updates = receiver.wait_for(lambda found: len(found) == 20)
    for update in updates:
        check_update(update)
    for user_id in (42, 43):
        texts = [u["message"]["text"] for u in updates if u["message"]["from"]["id"] == user_id]
        assert texts == [str(number) for number in range(10)]
    assert set(receiver.secrets) == {"s3cret"}


def test_webhook_is_tried_again_until_2xx_and_the_next_waits(
    client: Client, receiver: Receiver
) -> None:
    """A refused update comes again before the chat's next one."""
    receiver.statuses = [503]
    client.call("setWebhook", url=receiver.url)
    client.send(text="one")
    client.send(text="two")
    updates = receiver.wait_for(lambda found: len(found) == 3)
    assert [update["message"]["text"] for update in updates] == ["one", "one", "two"]

    def outcome() -> list[tuple[int, int | None, bool]]:
        found = client.sim("GET", "/deliveries").json()["deliveries"]
        return [(item["attempts"], item["status"], item["ok"]) for item in found]

    eventually(lambda: outcome() == [(2, 200, True), (1, 200, True)])
    info = client.call("getWebhookInfo")
    assert info["last_error_message"] == (
        "Wrong response from the webhook: 503 Service Unavailable"
    )
    assert info["pending_update_count"] == 0


def test_webhook_gets_presses_while_a_message_waits(client: Client, receiver: Receiver) -> None:
    """A press has a lane of its own; the chat's next message has not."""
    client.send()
    sent = client.call("sendMessage", chat_id=42, text="Sure?")
    client.updates(offset=-1)
    client.call("setWebhook", url=receiver.url, drop_pending_updates=True)
    receiver.gate.clear()
    client.send(text="slow")
    client.send(text="next")
    press = {"message_id": sent["message_id"], "callback_data": "y"}
    client.sim("POST", "/chats/42/press", press)
    early = receiver.wait_for(lambda found: len(found) == 2)
    assert {next(key for key in update if key != "update_id") for update in early} == {
        "message",
        "callback_query",
    }
    receiver.gate.set()
    assert receiver.wait_for(lambda found: len(found) == 3)[-1]["message"]["text"] == "next"


def test_webhook_set_again_is_tried_at_once(client: Client, receiver: Receiver) -> None:
    """Updates that waited for a bot that was away are delivered when the bot comes back."""
    client.call("setWebhook", url="http://127.0.0.1:9/gone")
    client.send(text="waiting")
    eventually(lambda: "last_error_message" in client.call("getWebhookInfo"))
    client.call("setWebhook", url=receiver.url)
    assert receiver.wait_for(bool)[0]["message"]["text"] == "waiting"


def test_webhook_carries_text_that_utf8_cannot(client: Client, receiver: Receiver) -> None:
    """NUL and a lone surrogate arrive as they were sent."""
    client.call("setWebhook", url=receiver.url)
    text = "a\x00b\ud83dc"
    client.send(text=text)
    assert receiver.wait_for(bool)[0]["message"]["text"] == text
    assert client.last_message()["text"] == text


@pytest.mark.parametrize(
    ("params", "description"),
    [
        ({"url": "ftp://x"}, "Bad Request: bad webhook: invalid webhook URL specified"),
        (
            {"url": "http://127.0.0.1/", "secret_token": "a b"},
            "Bad Request: secret token contains unallowed characters",
        ),
        (
            {"url": "http://127.0.0.1/", "max_connections": 101},
            "Bad Request: invalid max_connections specified",
        ),
    ],
)
def test_set_webhook_refuses(client: Client, params: dict[str, str], description: str) -> None:
    """A bad address, secret or number leaves no webhook."""
    assert client.refused("setWebhook", **params)["description"] == description
    assert client.call("getWebhookInfo")["url"] == ""
