"""Photos and documents, both ways."""

import hashlib
from collections.abc import Callable

import pytest

from tests.integration.sandbox_telegram.client import Client, encoded, picture


def download(client: Client, file_id: str) -> bytes:
    """The bytes of a file, as a bot gets them."""
    path = client.call("getFile", file_id=file_id)["file_path"]
    answer = client.http.get(f"{client.sandbox.file_url}/{path}")
    assert answer.status_code == 200
    return answer.content


def test_photo_has_three_sizes_and_the_largest_is_what_was_sent(client: Client) -> None:
    """Sizes grow, have ids of their own, and the largest holds the same bytes."""
    content = picture()
    client.send(photo_base64=encoded(content), text="look")
    message = client.updates()[0]["message"]
    sizes = message["photo"]
    assert message["caption"] == "look"
    assert [size["width"] for size in sizes] == [90, 320, 640]
    assert len({size["file_id"] for size in sizes}) == 3
    assert len({size["file_unique_id"] for size in sizes}) == 3
    received = download(client, sizes[-1]["file_id"])
    assert hashlib.sha256(received).digest() == hashlib.sha256(content).digest()


def test_same_photo_again_gets_a_new_file_id(client: Client) -> None:
    """The unique id tells the content, the file_id the sending."""
    for _ in range(2):
        client.send(photo_base64=encoded(picture()))
    first, second = (update["message"]["photo"][-1] for update in client.updates())
    assert first["file_id"] != second["file_id"]
    assert first["file_unique_id"] == second["file_unique_id"]


@pytest.mark.costs("it makes a huge picture")
@pytest.mark.parametrize(
    "made",
    [lambda: b"", lambda: b"no picture", lambda: picture()[:200], lambda: picture(12000, 12000)],
    ids=["empty", "broken", "truncated", "huge"],
)
def test_photo_that_cannot_be_decoded_is_delivered_all_the_same(
    client: Client, made: Callable[[], bytes]
) -> None:
    """A bot must meet empty, broken, truncated and huge pictures."""
    content = made()
    client.send(photo_base64=encoded(content))
    sizes = client.updates()[0]["message"]["photo"]
    assert len(sizes) == 3
    assert download(client, sizes[-1]["file_id"]) == content


def test_album_shares_its_group(client: Client) -> None:
    """Photos of an album arrive one by one with one media_group_id."""
    for _ in range(3):
        client.send(photo_base64=encoded(picture()), media_group_id="77")
    groups = [update["message"]["media_group_id"] for update in client.updates()]
    assert groups == ["77", "77", "77"]


def test_document_keeps_name_and_type(client: Client) -> None:
    """A picture sent as a file stays a document with an image type."""
    client.send(document_base64=encoded(picture()), file_name="scan.png", text="as a file")
    message = client.updates()[0]["message"]
    assert message["document"]["file_name"] == "scan.png"
    assert message["document"]["mime_type"] == "image/png"
    assert message["caption"] == "as a file"


def test_file_over_20_mb_cannot_be_downloaded(client: Client) -> None:
    """GetFile refuses what Telegram refuses."""
    client.send(document_base64=encoded(bytes(20_000_001)), file_name="big.bin")
    file_id = client.updates()[0]["message"]["document"]["file_id"]
    body = client.refused("getFile", file_id=file_id)
    assert body["description"] == "Bad Request: file is too big"


def test_unknown_files_are_refused(client: Client) -> None:
    """An id or a path that was never given leads nowhere."""
    assert client.refused("getFile", file_id="x")["description"] == "Bad Request: invalid file_id"
    assert client.http.get(f"{client.sandbox.file_url}/photos/nope.jpg").status_code == 404


def test_bot_sends_a_photo_by_upload_and_again_by_its_id(client: Client) -> None:
    """A file_id that the bot knows is as good as the bytes."""
    client.send()
    answer = client.http.post(
        f"{client.sandbox.api_url}/sendPhoto",
        data={"chat_id": "42", "caption": "<b>a</b>", "parse_mode": "HTML"},
        files={"photo": ("a.png", picture(), "image/png")},
    )
    sent = answer.json()["result"]
    assert client.last_message()["text"] == "a"
    again = client.call("sendPhoto", chat_id=42, photo=sent["photo"][-1]["file_id"])
    assert again["photo"][-1]["file_unique_id"] == sent["photo"][-1]["file_unique_id"]
    shown = client.http.get(client.sandbox.url + client.last_message()["photo_url"])
    assert shown.content == picture()


def test_bot_cannot_send_what_is_no_photo(client: Client) -> None:
    """Bytes that are no picture are refused, and so is an unknown id."""
    client.send()
    answer = client.http.post(
        f"{client.sandbox.api_url}/sendPhoto",
        data={"chat_id": "42"},
        files={"photo": ("a.png", b"text", "image/png")},
    )
    assert answer.json()["description"] == "Bad Request: IMAGE_PROCESS_FAILED"
    body = client.refused("sendPhoto", chat_id=42, photo="unknown")
    assert body["description"] == "Bad Request: wrong file identifier/HTTP URL specified"


@pytest.mark.parametrize(
    ("wanted", "status", "place"),
    [
        ("bytes=2-4", 206, slice(2, 5)),
        ("bytes=7-", 206, slice(7, None)),
        ("bytes=-3", 206, slice(-3, None)),
        ("bytes=4-99", 206, slice(4, None)),
        ("bytes=10-", 416, slice(0)),
        ("lines=1-2", 200, slice(None)),
        ("bytes=-", 200, slice(None)),
    ],
)
def test_page_gets_the_part_of_a_file_that_it_asks_for(
    client: Client, wanted: str, status: int, place: slice
) -> None:
    """So that a browser can seek in a recording."""
    content = b"0123456789"
    client.send(document_base64=encoded(content), file_name="a.bin")
    file_id = client.updates()[0]["message"]["document"]["file_id"]
    url = f"{client.sandbox.url}/sim/files/{file_id}"
    answer = client.http.get(url, headers={"Range": wanted})
    assert answer.status_code == status
    assert answer.content == content[place]
    if status == 206:
        first = content.index(answer.content)
        told = f"bytes {first}-{first + len(answer.content) - 1}/10"
        assert answer.headers["Content-Range"] == told
