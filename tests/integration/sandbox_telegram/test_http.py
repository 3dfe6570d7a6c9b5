"""Tokens, ways to pass parameters, the call log, faults and flood control."""

import time

import httpx
import pytest

from tests.integration.sandbox_telegram.client import Client
from tests.sandbox_server import start_sandbox


@pytest.mark.parametrize(
    ("path", "status", "description"),
    [
        ("/bot1:other/getMe", 401, "Unauthorized"),
        ("/botnonsense/getMe", 404, "Not Found"),
    ],
)
def test_token_is_checked(client: Client, path: str, status: int, description: str) -> None:
    """Another token is unauthorized, a malformed one is no address."""
    answer = client.http.get(client.sandbox.url + path)
    assert answer.status_code == status
    expected = {"ok": False, "error_code": status, "description": description}
    assert answer.json() == expected


def test_method_is_known_in_any_case_or_not_found(client: Client) -> None:
    """Telegram does not mind the case of a method's name."""
    assert client.http.get(f"{client.sandbox.api_url}/GETME").json()["result"]["is_bot"] is True
    assert client.refused("getMoney")["description"] == "Not Found"


def test_parameters_come_in_four_ways(client: Client) -> None:
    """Query string, form, multipart and JSON mean the same and are logged the same."""
    client.send()
    url = f"{client.sandbox.api_url}/sendMessage"
    entities = '[{"type": "bold", "offset": 0, "length": 1}]'
    fields = {"chat_id": "42", "text": "a", "entities": entities, "disable_notification": "true"}
    client.http.get(url, params=fields)
    client.http.post(url, data=fields)
    client.http.post(url, data=fields, files={"unused": ("a.txt", b"123")})
    client.http.post(url, json=fields)
    calls = client.sim("GET", "/calls?upstream=telegram").json()["calls"]
    bodies = [call["body"] for call in calls if call["method"] == "sendMessage"]
    assert bodies[2].pop("unused") == {"file_name": "a.txt", "size_bytes": 3}
    assert (
        bodies
        == [
            {
                "chat_id": 42,
                "text": "a",
                "entities": [{"type": "bold", "offset": 0, "length": 1}],
                "disable_notification": True,
            }
        ]
        * 4
    )
    assert [message["text"] for message in client.chat()["messages"]] == ["hi", *"aaaa"]


def test_calls_are_listed_since_a_number(client: Client) -> None:
    """`since` gives what came later, and `newest` is the number for it."""
    client.call("getMe")
    before = client.sim("GET", "/calls?since=1000000").json()
    assert before["calls"] == []
    client.call("getMyCommands")
    later = client.sim("GET", f"/calls?since={before['newest']}").json()["calls"]
    assert [call["method"] for call in later] == ["getMyCommands"]
    assert later[0]["ended_at"] >= later[0]["started_at"]


@pytest.mark.parametrize(
    ("kind", "status", "description"),
    [
        ("429", 429, "Too Many Requests: retry after 30"),
        ("500", 500, "Internal Server Error"),
        ("502", 502, "Bad Gateway"),
        ("403_blocked", 403, "Forbidden: bot was blocked by the user"),
        ("400_entities", 400, None),
    ],
)
def test_fault_refuses_as_often_as_it_was_told(
    client: Client, kind: str, status: int, description: str | None
) -> None:
    """A refusal shows `times` times, then the bot gets through."""
    client.send()
    client.fault(kind, method="sendMessage", times=2, retry_after=30)
    for _ in range(2):
        body = client.refused("sendMessage", chat_id=42, text="a")
        assert body["error_code"] == status
        assert description is None or body["description"] == description
        assert kind != "429" or body["parameters"] == {"retry_after": 30}
    client.call("sendMessage", chat_id=42, text="a")
    assert len(client.chat()["messages"]) == 2


def test_fault_without_a_method_leaves_other_methods_alone(client: Client) -> None:
    """A block shows where there is a chat, bad entities where there is a text; polls go on."""
    client.send()
    client.fault("400_entities")
    client.updates()
    client.call("sendChatAction", chat_id=42, action="typing")
    body = client.refused("sendMessage", chat_id=42, text="a")
    assert body["description"].startswith("Bad Request: can't parse entities")


def test_fault_reset_does_the_work_without_an_answer(client: Client) -> None:
    """The connection is gone, the message is there, the log says that nothing was answered."""
    client.send()
    client.fault("reset", method="sendMessage")
    with pytest.raises(httpx.TransportError):
        client.call("sendMessage", chat_id=42, text="done")
    assert client.last_message()["text"] == "done"
    assert client.sim("GET", "/calls").json()["calls"][-1]["status"] == 0


@pytest.mark.parametrize("kind", ["timeout", "delay"])
def test_fault_makes_an_answer_late(client: Client, kind: str) -> None:
    """The work is done and answered, after the delay."""
    client.send()
    client.fault(kind, method="sendMessage", delay_s=0.2)
    started = time.monotonic()
    client.call("sendMessage", chat_id=42, text="done")
    assert time.monotonic() - started >= 0.2
    assert client.last_message()["text"] == "done"


def test_fault_timeout_does_the_work_before_it_waits(client: Client) -> None:
    """A bot that gives up has sent its message all the same."""
    client.send()
    client.fault("timeout", method="sendMessage", delay_s=1.0)
    with pytest.raises(httpx.ReadTimeout):
        client.http.post(
            f"{client.sandbox.api_url}/sendMessage",
            json={"chat_id": 42, "text": "done"},
            timeout=0.3,
        )
    assert client.last_message()["text"] == "done"


def test_flood_control_closes_one_chat_alone() -> None:
    """After a burst the chat answers 429, and another chat does not."""
    with (
        start_sandbox(flood=True, journal=None) as sandbox,
        httpx.Client(timeout=10, trust_env=False) as http,
    ):
        client = Client(sandbox, http)
        client.send(42)
        client.send(43)
        statuses = [
            http.post(f"{sandbox.api_url}/sendMessage", json={"chat_id": 42, "text": "a"})
            for _ in range(8)
        ]
        refused = [answer.json() for answer in statuses if answer.status_code == 429]
        assert refused[0]["parameters"]["retry_after"] == 3
        client.call("sendMessage", chat_id=43, text="a")
