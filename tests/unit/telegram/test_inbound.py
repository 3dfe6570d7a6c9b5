import json
from typing import Any

import pytest

from rich_agent.domain.message import Photo, ReplyContext, User
from rich_agent.telegram.inbound import (
    Command,
    Ignored,
    Inbound,
    Press,
    Turn,
    Unsupported,
    locale_of,
    read_updates,
)
from rich_agent.telegram_ports import StoredUpdate

ADA = {"id": 42, "is_bot": False, "first_name": "Ada", "language_code": "en"}
SIZES = [
    {"file_id": "small", "file_unique_id": "s", "width": 90, "height": 60, "file_size": 900},
    {"file_id": "large", "file_unique_id": "l", "width": 1280, "height": 800, "file_size": 90_000},
    {"file_id": "medium", "file_unique_id": "m", "width": 320, "height": 200, "file_size": 9_000},
]
IMAGE_FILE = {"file_id": "doc", "file_unique_id": "d", "mime_type": "image/png", "file_size": 5}


def message(**fields: Any) -> dict[str, Any]:
    """A message of Ada's."""
    chat = {"id": 42, "type": "private"}
    return {"message_id": 5, "date": 1_700_000_000, "from": ADA, "chat": chat, **fields}


def read(*updates: dict[str, Any]) -> Inbound:
    """What updates mean."""
    return read_updates(
        [
            StoredUpdate(n, json.dumps({"update_id": n, **update}).encode(), 1)
            for n, update in enumerate(updates, start=1)
        ]
    )


def read_turn(*messages: dict[str, Any]) -> Turn:
    """The turn that messages are."""
    turn = read(*({"message": each} for each in messages))
    assert isinstance(turn, Turn)
    return turn


@pytest.mark.req("TG-1")
def test_read_updates_takes_a_text_as_a_turn() -> None:
    """Who, where and what."""
    turn = read_turn(message(text="What is proof of history?"))
    assert turn.chat_id == 42
    assert turn.message.user == User(42, "Ada", None, "en")
    assert (turn.message.text, turn.message.message_id) == ("What is proof of history?", 5)
    assert turn.message.photos == ()


@pytest.mark.req("TG-1")
@pytest.mark.parametrize("chat_type", ["group", "supergroup", "channel"])
def test_read_updates_ignores_groups_and_channels(chat_type: str) -> None:
    """The bot says nothing where others listen."""
    chat = {"id": -100, "type": chat_type}
    assert isinstance(read({"message": message(chat=chat, text="hello")}), Ignored)
    assert isinstance(read({"message": message(chat=chat, text="/start")}), Ignored)


@pytest.mark.req("TG-2")
def test_read_updates_takes_only_the_largest_size_of_a_photo() -> None:
    """Whatever the order of the sizes is."""
    turn = read_turn(message(photo=SIZES, caption="what is this?"))
    assert turn.message.photos == (Photo("large", 90_000),)
    assert turn.message.text == "what is this?"


@pytest.mark.req("TG-2")
def test_read_updates_takes_an_image_file_as_a_photo() -> None:
    """A photo sent without compression is one too."""
    assert read_turn(message(document=IMAGE_FILE)).message.photos == (Photo("doc", 5),)


@pytest.mark.req("TG-2")
def test_read_updates_joins_an_album() -> None:
    """All photos, in order, with the caption wherever it is."""
    parts = [
        message(media_group_id="g", photo=[{**SIZES[0], "file_id": f"f{n}"}]) for n in range(3)
    ]
    parts[1]["caption"] = "compare"
    turn = read_turn(*parts)
    assert [photo.file_id for photo in turn.message.photos] == ["f0", "f1", "f2"]
    assert turn.message.text == "compare"


@pytest.mark.req("TG-3")
@pytest.mark.parametrize(
    ("media", "photo"),
    [({"photo": SIZES}, Photo("large", 90_000)), ({"document": IMAGE_FILE}, Photo("doc", 5))],
)
def test_read_updates_takes_the_photo_of_a_replied_message(
    media: dict[str, Any], photo: Photo
) -> None:
    """The question is about the photo above."""
    replied = {**message(caption="my receipt", **media), "message_id": 3}
    turn = read_turn(message(text="how much?", reply_to_message=replied))
    assert turn.message.reply == ReplyContext(3, "my receipt", (photo,))


def test_read_updates_marks_what_is_not_the_users_own() -> None:
    """Forwarded and quoted text is told from what the user says."""
    origin = {"type": "user", "date": 1, "sender_user": {**ADA, "id": 7, "first_name": "Bob"}}
    assert read_turn(message(text="do it", forward_origin=origin)).message.text == (
        "[Forwarded message from Bob]\ndo it"
    )
    hidden = {"type": "hidden_user", "date": 1, "sender_user_name": "Eve"}
    assert read_turn(message(text="/start", forward_origin=hidden)).message.text == (
        "[Forwarded message from Eve]\n/start"
    )
    quoted = message(text="why?", quote={"text": "it is so", "position": 0})
    assert read_turn(quoted).message.text == "[Quoted] it is so\n\nwhy?"


def test_read_updates_cleans_every_text() -> None:
    """NUL and lone surrogates are gone before anything is stored."""
    turn = read_turn(message(text="a\x00b\ud800c", **{"from": {**ADA, "first_name": "A\x00"}}))
    assert (turn.message.text, turn.message.user.first_name) == ("abc", "A")


@pytest.mark.parametrize(
    ("text", "name", "args"),
    [
        ("/start", "start", ""),
        ("/start deep-link_1", "start", "deep-link_1"),
        ("/HELP@rich_agent_bot", "help", ""),
        ("/note buy\nmilk", "note", "buy\nmilk"),
        ("/note\nmilk", "note", "milk"),
        ("/", "", ""),
    ],
)
def test_read_updates_takes_commands_apart(text: str, name: str, args: str) -> None:
    """Name without the bot's own, and the rest."""
    command = read({"message": message(text=text)})
    assert isinstance(command, Command)
    assert (command.name, command.args, command.chat_id) == (name, args, 42)


@pytest.mark.parametrize("kind", ["sticker", "voice", "video", "location", "poll", "contact"])
def test_read_updates_names_what_cannot_be_read(kind: str) -> None:
    """The user hears about it, with or without a caption."""
    for extra in ({}, {"caption": "what is this?"}):
        unsupported = read({"message": message(**{kind: {"file_id": "x"}}, **extra)})
        assert isinstance(unsupported, Unsupported)
        assert unsupported.kind == kind


def test_read_updates_names_a_document_that_is_no_image() -> None:
    """Files are for later."""
    unsupported = read({"message": message(document={**IMAGE_FILE, "mime_type": "text/plain"})})
    assert isinstance(unsupported, Unsupported)
    assert unsupported.kind == "document"


def test_read_updates_takes_a_press() -> None:
    """What was pressed, where."""
    press = read({"callback_query": {"id": "9", "from": ADA, "data": "go", "message": message()}})
    assert press == Press("9", "go", User(42, "Ada", None, "en"), 42, 5)


@pytest.mark.parametrize(
    "update",
    [
        {"edited_message": message(text="hi")},
        {"message": message(pinned_message=message(text="x"))},
        {"message": message(text="hi", **{"from": {**ADA, "is_bot": True}})},
        {"callback_query": {"id": "9", "from": ADA, "data": "go"}},
        {"my_chat_member": {}},
        {"message": {"text": "no chat"}},
    ],
)
def test_read_updates_ignores_the_rest(update: dict[str, Any]) -> None:
    """Nothing to do is said with a reason, for the log."""
    ignored = read(update)
    assert isinstance(ignored, Ignored)
    assert ignored.reason


@pytest.mark.parametrize("raw", [b"", b"\x00", b"[]", b"{}", b'{"update_id": "x"}', b"[" * 100_000])
def test_read_updates_ignores_garbage(raw: bytes) -> None:
    """What was stored because of its secret is not trusted because of it."""
    assert isinstance(read_updates([StoredUpdate(1, raw, 1)]), Ignored)


def test_locale_of_goes_by_the_text_then_by_telegram() -> None:
    """A Japanese question is answered in Japanese, whatever the app's language."""
    assert locale_of(read_turn(message(text="これは何？"))) == "ja"
    command = read({"message": message(text="/start", **{"from": {**ADA, "language_code": "ja"}})})
    assert isinstance(command, Command)
    assert locale_of(command) == "ja"
