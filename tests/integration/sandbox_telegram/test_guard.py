"""Guarding the sandbox: who may use it, and what outlasts it."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from rich_agent_sandbox.guard import MOST_OF_SIM_BYTES
from tests.integration.sandbox_telegram.client import Client, encoded, picture
from tests.sandbox_server import RunningSandbox, start_sandbox

JSON = {"Content-Type": "application/json"}
ACROSS = {"Sec-Fetch-Site": "cross-site"}
FOLLOWED = {**ACROSS, "Sec-Fetch-Mode": "navigate"}


@pytest.fixture(scope="module")
def guarded() -> Iterator[RunningSandbox]:
    """A sandbox that has one more name."""
    with start_sandbox(journal=None, hosts=("bot.example",)) as sandbox:
        yield sandbox


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/sim/chats", {}, 200),
        ("GET", "/sim/chats", {"Host": "localhost"}, 200),
        ("GET", "/sim/chats", {"Host": "[::1]:8080"}, 200),
        ("GET", "/sim/chats", {"Host": "bot.example:8080"}, 200),
        ("GET", "/sim/chats", {"Host": "evil.example"}, 403),
        ("GET", "/sim/chats", {"Host": "localhost.evil.example"}, 403),
        ("GET", "/sim/chats", {"Origin": "http://evil.example"}, 403),
        ("GET", "/sim/chats", {"Origin": "null"}, 403),
        ("GET", "/sim/chats", {"Host": "localhost:8080", "Origin": "http://localhost:8080"}, 200),
        ("GET", "/sim/chats", {"Host": "localhost:8080", "Origin": "http://localhost:81"}, 403),
        ("GET", "/sim/chats", ACROSS, 403),
        ("GET", "/sim/chats", FOLLOWED, 403),
        ("GET", "/sim/chats", {"Sec-Fetch-Site": "same-origin"}, 200),
        ("GET", "/", FOLLOWED, 200),
        ("GET", "/", ACROSS, 403),
        ("DELETE", "/sim", ACROSS, 403),
        ("POST", "/sim/chats/42/messages", JSON, 200),
        ("POST", "/sim/chats/42/messages", {"Content-Type": "text/plain"}, 415),
        ("POST", "/sim/chats/42/messages", {}, 415),
        ("POST", "/sim/chats/42/messages", {**JSON, "Origin": "https://evil.example"}, 403),
        ("POST", "/v1/models", {"Host": "evil.example"}, 403),
    ],
)
def test_sandbox_answers_this_machine_alone(
    guarded: RunningSandbox, method: str, path: str, headers: dict[str, str], status: int
) -> None:
    """Foreign hosts, pages and content types are refused; a link to the page may be followed."""
    content = b'{"text": "a"}' if method == "POST" else b""
    answer = httpx.request(method, f"{guarded.url}{path}", headers=headers, content=content)
    assert answer.status_code == status


def test_sandbox_reads_no_more_of_a_body_than_it_takes(client: Client) -> None:
    """Too much is refused as announced, and as counted when nothing was announced."""
    url = f"{client.sandbox.url}/sim/chats/42/messages"
    piece = b" " * 1_000_000
    pieces = (piece for _ in range(MOST_OF_SIM_BYTES // len(piece) + 2))
    assert client.http.post(url, headers=JSON, content=pieces).status_code == 413


def test_sandbox_runs_no_program_for_a_picture(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostScript as a photo is a picture that cannot be read, and Ghostscript is not asked."""
    called = tmp_path / "called"
    program = tmp_path / "gs"
    program.write_text(f"#!/bin/sh\ntouch {called}\nexit 1\n", "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    page = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n%%EndComments\nshowpage\n%%EOF\n"
    sent = client.http.post(
        f"{client.sandbox.url}/sim/chats/42/messages",
        json={"photo_base64": base64.b64encode(page).decode()},
    )
    assert sent.status_code == 200
    assert not called.exists()


def test_sandbox_keeps_chats_and_files(tmp_path: Path) -> None:
    """A new process shows the messages, photos and files of the last one, and goes on below."""
    shown = []
    for number in range(2):
        with start_sandbox(journal=None, state=tmp_path / "state") as sandbox:
            chat = f"{sandbox.url}/sim/chats/42"
            if number == 0:
                image = picture()
                for body in (
                    {"text": "a lone \ud800 surrogate", "first_name": "Ada"},
                    {"photo_base64": encoded(image), "text": "look"},
                    {"document_base64": encoded(b"bytes"), "file_name": "a.txt"},
                    {"attachment": "poll"},
                ):
                    raw = json.dumps(body)
                    sent = httpx.post(f"{chat}/messages", content=raw, headers=JSON)
                    assert sent.status_code == 200
                first = httpx.get(chat).json()["messages"][0]["message_id"]
                reply = {"text": "so", "reply_to_message_id": first, "quote": "lone"}
                httpx.post(f"{chat}/messages", json=reply).raise_for_status()
                said = {"chat_id": 42, "text": "*yes*", "parse_mode": "MarkdownV2"}
                httpx.post(f"{sandbox.api_url}/sendMessage", json=said).raise_for_status()
            messages = httpx.get(chat).json()["messages"]
            shown.append([{**m, "text": m["text"].replace("\ud800", "?")} for m in messages])
            assert httpx.get(f"{sandbox.url}{messages[1]['photo_url']}").content == image
            assert httpx.get(f"{sandbox.url}{messages[2]['document']['url']}").content == b"bytes"
    assert shown[0] == shown[1]
    assert len(shown[1]) == 6


def test_sandbox_puts_unreadable_chats_aside(tmp_path: Path) -> None:
    """It begins with nothing, and what it could not read is still there."""
    (tmp_path / "state").mkdir()
    for name in ("files.json", "chats.json"):
        (tmp_path / "state" / name).write_text("no JSON", "utf-8")
    with start_sandbox(journal=None, state=tmp_path / "state") as sandbox:
        assert httpx.get(f"{sandbox.url}/sim/chats").json() == {"chats": []}
    assert (tmp_path / "state.unreadable" / "chats.json").read_text("utf-8") == "no JSON"
