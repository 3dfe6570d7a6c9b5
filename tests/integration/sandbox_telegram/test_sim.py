"""`/sim`: what a user does and sees, and its refusals."""

import json
from pathlib import Path

import httpx
import pytest

from rich_agent_sandbox.telegram.attachments import ATTACHMENT_KINDS
from tests.integration.sandbox_telegram.client import Client, encoded, picture
from tests.sandbox_server import start_sandbox


@pytest.mark.parametrize(
    ("path", "body", "reason"),
    [
        ("/chats/42/messages", b"{", "the body is not JSON"),
        ("/chats/42/messages", b"[]", "body: Input should be"),
        ("/chats/42/messages", b"{}", "send text, photo_base64 or document_base64"),
        ("/chats/42/messages", b'{"text": 5}', "text: Value error, must be a string"),
        ("/chats/42/messages", b'{"txt": "a"}', "txt: Extra inputs are not permitted"),
        ("/chats/42/messages", b'{"photo_base64": "%%%"}', "must be base64"),
        ("/chats/42/messages", b'{"text": "a", "reply_to_message_id": 1}', "no message 1"),
        ("/chats/42/messages", b'{"text": "a", "edit_message_id": 1}', "has no message 1"),
        ("/chats/42/messages", b'{"text": "a", "chat_type": "club"}', "chat_type"),
        ("/chats/42/messages", b'{"text": "a", "file_name": "b"}', "file_name goes with"),
        ("/chats/-1/messages", b'{"text": "a"}', "a positive number"),
        ("/chats/me/messages", b'{"text": "a"}', "must be a number"),
        ("/chats/999/press", b'{"message_id": 1, "callback_data": "a"}', "has not begun"),
        ("/chats/999/age", b'{"seconds": 3}', "no such chat"),
        ("/chats/999/pause", b'{"seconds": 3}', "no such chat"),
        ("/chats/999/pause", b'{"seconds": 0}', "seconds"),
        ("/faults", b'{"upstream": "telegram", "kind": "earthquake"}', "telegram knows"),
        ("/faults", b'{"upstream": "fax", "kind": "429"}', "upstream"),
        ("/faults", b'{"upstream": "telegram", "kind": "429", "times": 0}', "times"),
    ],
)
def test_sim_refuses_what_cannot_be_meant(
    client: Client, path: str, body: bytes, reason: str
) -> None:
    """Every refusal is a 400 that says what is wrong."""
    answer = client.http.post(
        f"{client.sandbox.url}/sim{path}",
        content=body,
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code == 400
    assert reason in answer.json()["error"]


def test_sim_dates_what_is_sent_after_a_pause_later(client: Client) -> None:
    """Nobody waits; each pause adds to the one before, in its own chat."""
    client.send(42)
    for seconds in (100, 200):
        assert client.sim("POST", "/chats/42/pause", {"seconds": seconds}).status_code == 200
    client.send(42)
    client.send(43)
    before, after, other = [one["message"]["date"] for one in client.updates()]
    assert 300 <= after - before < 330
    assert other < after


def test_text_over_4096_units_is_refused(client: Client) -> None:
    """A client splits such a text before it sends it."""
    answer = client.sim("POST", "/chats/42/messages", {"text": "a" * 4097})
    assert answer.status_code == 400
    assert "4096" in answer.json()["error"]


def test_command_of_a_user_is_marked(client: Client) -> None:
    """Commands and links in a user's text become entities, as clients make them."""
    client.send(text="/start see https://example.com.")
    entities = client.updates()[0]["message"]["entities"]
    assert entities == [
        {"type": "bot_command", "offset": 0, "length": 6},
        {"type": "url", "offset": 11, "length": 19},
    ]


def test_edit_of_a_user_is_an_edited_message(client: Client) -> None:
    """The same message comes again, with the time of the edit."""
    message_id = client.send(text="helo")
    assert client.send(text="hello", edit_message_id=message_id) == message_id
    edited = client.updates()[-1]["edited_message"]
    assert (edited["message_id"], edited["text"]) == (message_id, "hello")
    assert edited["edit_date"] >= edited["date"]
    assert client.last_message()["edits"] == 1


@pytest.mark.parametrize(
    ("chat_type", "kind", "chat_id"),
    [("group", "message", -42), ("channel", "channel_post", -1_000_000_000_042)],
)
def test_group_and_channel_have_chats_of_their_own(
    client: Client, chat_type: str, kind: str, chat_id: int
) -> None:
    """A message in a group or channel does not touch the private chat."""
    client.send(text="hello all", chat_type=chat_type)
    message = client.updates()[0][kind]
    assert (message["chat"]["id"], message["chat"]["type"]) == (chat_id, chat_type)
    assert client.chat(chat_id)["messages"][0]["text"] == "hello all"
    assert client.chat(42)["messages"] == []


@pytest.mark.parametrize(("forward_from", "kind"), [("Somebody", "hidden_user"), (7, "user")])
def test_forwarded_message_tells_its_origin(
    client: Client, forward_from: str | int, kind: str
) -> None:
    """A forward names a user or somebody hidden."""
    client.send(text="read this", forward_from=forward_from)
    assert client.updates()[0]["message"]["forward_origin"]["type"] == kind


def test_quote_is_a_part_of_the_replied_text(client: Client) -> None:
    """A quote carries its place; words that are not there are refused."""
    message_id = client.send(text="👋 one two")
    client.send(text="why?", reply_to_message_id=message_id, quote="two")
    quote = client.updates()[-1]["message"]["quote"]
    assert quote == {"text": "two", "position": 7, "is_manual": True}
    body = {"text": "why?", "reply_to_message_id": message_id, "quote": "three"}
    assert client.sim("POST", "/chats/42/messages", body).status_code == 400


@pytest.mark.parametrize("kind", ATTACHMENT_KINDS)
def test_attachment_is_told_as_telegram_tells_it(client: Client, kind: str) -> None:
    """Every kind validates against the models, and the page has a word for it."""
    client.send(attachment=kind)
    message = client.updates()[0]["message"]
    assert kind in message
    assert "text" not in message
    shown = client.last_message()["attachment"]
    assert shown["kind"] == kind
    assert shown["label"]


def test_attachment_has_a_caption_where_telegram_has_one(client: Client) -> None:
    """A video has one, a sticker has not."""
    client.send(attachment="video", text="what is this?")
    assert client.updates()[0]["message"]["caption"] == "what is this?"
    body = {"attachment": "sticker", "text": "what is this?"}
    assert client.sim("POST", "/chats/42/messages", body).status_code == 400


def test_file_may_be_announced_larger_than_it_is(client: Client) -> None:
    """GetFile goes by what was announced, so that nobody has to send 21 MB."""
    client.send(document_base64=encoded(b"x"), file_name="a.png", size_bytes=21_000_000)
    file = client.updates()[0]["message"]["document"]
    assert file["file_size"] == 21_000_000
    body = client.refused("getFile", file_id=file["file_id"])
    assert body["description"] == "Bad Request: file is too big"


def test_file_may_come_without_a_type(client: Client) -> None:
    """Some clients tell none."""
    client.send(document_base64=encoded(b"x"), file_name="a.png", mime_type="")
    assert "mime_type" not in client.updates()[0]["message"]["document"]


def test_quote_may_be_of_a_message_elsewhere(client: Client) -> None:
    """The bot is told where it is from, and of its text only the quote."""
    client.send(text="true?", quote="a claim", quoted_from="Eve")
    message = client.updates()[0]["message"]
    assert message["external_reply"]["origin"]["sender_user_name"] == "Eve"
    assert message["quote"]["text"] == "a claim"


def test_text_may_be_made_by_an_inline_bot(client: Client) -> None:
    """The message names the bot that it came through."""
    client.send(text="Staking is ...", via_bot="wiki")
    assert client.updates()[0]["message"]["via_bot"]["username"] == "wiki"


def test_user_has_a_name_and_a_language(client: Client) -> None:
    """Both are told to the bot, remembered, and listed."""
    client.send(text="hei", first_name="Kari", language_code="nb")
    client.send(text="hei igjen")
    for update in client.updates():
        sender = update["message"]["from"]
        assert (sender["first_name"], sender["language_code"]) == ("Kari", "nb")
    (chat,) = client.sim("GET", "/chats").json()["chats"]
    assert (chat["chat_id"], chat["first_name"], chat["messages"]) == (42, "Kari", 2)


def test_commands_menu_is_of_the_narrowest_scope(client: Client) -> None:
    """A user sees the commands that Telegram would show."""
    commands = [{"command": "start", "description": "Begin"}]
    client.call("setMyCommands", commands=commands)
    private = [{"command": "why", "description": "Why"}]
    client.call("setMyCommands", commands=private, scope={"type": "all_private_chats"})
    assert client.chat()["commands"] == private
    client.call("deleteMyCommands", scope={"type": "all_private_chats"})
    assert client.chat()["commands"] == client.call("getMyCommands") == commands
    client.call("deleteMyCommands")
    bad = [{"command": "Start!", "description": "Begin"}]
    body = client.refused("setMyCommands", commands=bad)
    assert body["description"] == "Bad Request: BOT_COMMAND_INVALID"


def test_bot_describes_itself(client: Client) -> None:
    """Descriptions are shown to the user."""
    client.call("setMyDescription", description="I answer.")
    client.call("setMyShortDescription", short_description="Answers")
    bot = client.sim("GET", "/bot").json()
    assert (bot["description"], bot["short_description"]) == ("I answer.", "Answers")


def test_get_chat_knows_who_wrote(client: Client) -> None:
    """GetChat tells a user's name, and nothing of strangers."""
    client.send(first_name="Ada", text="hi")
    assert client.call("getChat", chat_id=42)["first_name"] == "Ada"
    assert client.refused("getChat", chat_id=1)["description"] == "Bad Request: chat not found"


def test_forget_drops_all_but_what_the_bot_registered(client: Client) -> None:
    """Chats, calls and updates go; the bot's commands stay and ids go on."""
    commands = [{"command": "start", "description": "Begin"}]
    client.call("setMyCommands", commands=commands)
    before = client.send(photo_base64=encoded(picture()))
    client.fault("500", method="getChat")
    client.forget()
    assert client.chat()["messages"] == []
    assert client.sim("GET", "/calls").json() == {"calls": [], "newest": 0}
    assert client.updates() == []
    assert client.call("getMyCommands") == commands
    assert client.send() > before
    assert client.call("getChat", chat_id=42)["id"] == 42


def test_events_tell_which_chat_changed(client: Client) -> None:
    """An open page learns of a change at once."""
    with client.http.stream("GET", f"{client.sandbox.url}/sim/events") as events:
        lines = events.iter_lines()
        assert next(lines) == ": open"
        client.sim("POST", "/chats/42/messages", {"text": "hi"})
        data = next(line for line in lines if line.startswith("data: "))
        assert 42 in json.loads(data.removeprefix("data: "))["topics"]


def test_page_is_served_and_may_load_nothing_from_elsewhere(client: Client) -> None:
    """The page has its hooks and a policy that allows its own files alone."""
    page = client.http.get(f"{client.sandbox.url}/")
    for hook in ("composer", "send", "photo-input", "typing", "calls", "users"):
        assert f'id="{hook}"' in page.text
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    for name in ("app.js", "app.css", "entities.js"):
        source = client.http.get(f"{client.sandbox.url}/static/{name}")
        assert source.status_code == 200
        assert "innerHTML" not in source.text


def test_library_serves_markdown_as_pages(tmp_path: Path) -> None:
    """Files below the folder become pages with ids at their headings; nothing else is served."""
    (tmp_path / "deep").mkdir()
    text = "# Proof of `history`\n\n## What's it?\n\n<script>a</script>\n\n## What's it?\n"
    (tmp_path / "deep" / "poh.md").write_text(text, "utf-8")
    (tmp_path / "deep" / "secret.txt").write_text("secret", "utf-8")
    (tmp_path / "deep" / "link.md").symlink_to("/etc/hostname")
    with start_sandbox(libraries=(tmp_path / "deep",), journal=None) as sandbox:
        index = httpx.get(f"{sandbox.url}/library/", trust_env=False).text
        page = httpx.get(f"{sandbox.url}/library/deep/poh", trust_env=False).text
        linked = httpx.get(f"{sandbox.url}/library/deep/poh.md", trust_env=False)
        missing = [
            httpx.get(f"{sandbox.url}/library/{path}", trust_env=False).status_code
            for path in ("deep/secret.txt", "deep/link", "deep/%2e%2e/etc/hostname", "poh")
        ]
    assert 'href="/library/deep/poh">Proof of history</a>' in index
    assert "<title>Proof of history</title>" in page
    assert '<h1 id="proof-of-history">' in page
    assert '<h2 id="whats-it">' in page
    assert '<h2 id="whats-it-1">' in page
    assert "<script>" not in page
    assert linked.headers["location"] == "/library/deep/poh"
    assert missing == [404, 404, 404, 404]
