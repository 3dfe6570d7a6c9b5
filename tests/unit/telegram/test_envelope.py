import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rich_agent.telegram.receive.envelope import envelope


def raw(**update: Any) -> bytes:
    """An update as Telegram posts it."""
    return json.dumps({"update_id": 7, **update}).encode()


def _command(text: str, **fields: object) -> dict[str, object]:
    mark = {"type": "bot_command", "offset": 0, "length": len(text.split(maxsplit=1)[0])}
    return {"from": {"id": 42}, "text": text, "entities": [mark], **fields}


def test_envelope_reads_who_and_what() -> None:
    """Id, user and album."""
    data = raw(message={"from": {"id": 42}, "media_group_id": "g", "text": "hi"})
    received = envelope(data)
    assert (received.update_id, received.user_id, received.media_group_id) == (7, 42, "g")
    assert (received.urgent, received.raw) == (False, data)


@pytest.mark.parametrize(("kind", "known"), [("private", 5), ("supergroup", None), (7, None)])
def test_envelope_reads_the_id_of_a_private_message(kind: object, known: int | None) -> None:
    """Groups count their messages by themselves, and an edit has no new id."""
    message = {"message_id": 5, "chat": {"id": 42, "type": kind}, "from": {"id": 42}}
    assert envelope(raw(message=message)).user_message_id == known
    assert envelope(raw(edited_message=message)).user_message_id is None


@pytest.mark.parametrize(
    ("update", "urgent"),
    [
        ({"callback_query": {"from": {"id": 42}, "message": {"media_group_id": "g"}}}, True),
        ({"guest_message": {"from": {"id": 42}, "group_command": "status"}}, True),
        ({"guest_message": {"from": {"id": 42}, "group_command": "retry"}}, False),
        ({"guest_message": {"from": {"id": 42}, "text": "hi"}}, False),
        ({"message": _command("/stop")}, True),
        ({"message": _command("/cancel@my_bot ")}, True),
        ({"message": _command("/sources")}, True),
        ({"message": _command("/retry")}, False),
        ({"message": _command("/Retry@my_bot now")}, False),
        ({"message": _command("/retrying")}, True),
        ({"message": _command("/stop", forward_origin={"a": 1})}, False),
        ({"message": _command("/stop", via_bot={"id": 9})}, False),
        ({"edited_message": _command("/stop")}, False),
        ({"message": {"from": {"id": 42}, "text": "stop"}}, False),
        ({"message": {"from": {"id": 42}, "text": "/etc/hosts: what is it?"}}, False),
    ],
)
def test_envelope_knows_what_cannot_wait(update: dict[str, Any], urgent: bool) -> None:  # noqa: FBT001 - a table
    """Presses and commands overtake; /retry, which is a turn, and what is edited do not."""
    received = envelope(raw(**update))
    assert (received.urgent, received.user_id, received.media_group_id) == (urgent, 42, None)


@pytest.mark.parametrize(
    ("update", "units"),
    [
        ({"message": {"from": {"id": 42}, "text": "hi 👋"}}, 5),
        ({"message": {"from": {"id": 42}, "text": "\ud800\x00hi"}}, 2),
        ({"message": _command("/help")}, None),
        ({"message": {"from": {"id": 42}, "text": "hi", "forward_origin": {"a": 1}}}, None),
        # An inline bot's text is a message of its own, never a piece of what the user wrote.
        ({"message": {"from": {"id": 42}, "text": "hi", "via_bot": {"id": 9}}}, None),
        ({"message": {"from": {"id": 42}, "caption": "hi", "photo": []}}, None),
        ({"edited_message": {"from": {"id": 42}, "text": "hi"}}, None),
        ({"callback_query": {"from": {"id": 42}, "message": {"text": "hi"}}}, None),
    ],
)
def test_envelope_measures_what_may_be_a_piece_of_a_long_text(
    update: dict[str, Any], units: int | None
) -> None:
    """Only texts that the user wrote just now, in UTF-16 units."""
    assert envelope(raw(**update)).text_units == units


@pytest.mark.parametrize("group", ["", "a\x00b", "\ud800", "x" * 65, 7, None])
def test_envelope_leaves_out_an_album_id_that_no_column_takes(group: object) -> None:
    """One strange update must not keep those that came with it from being stored."""
    update = raw(message={"from": {"id": 42}, "media_group_id": group})
    assert envelope(update).media_group_id is None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00\xff",
        b"[1, 2]",
        b"null",
        b'{"update_id": true}',
        b'{"update_id": 99999999999999999999999}',
        b'{"update_id": -4}',
        b"[" * 100_000,
    ],
)
def test_envelope_files_what_it_cannot_read(data: bytes) -> None:
    """A negative id of its own, the same for the same bytes; the user is nobody."""
    received = envelope(data)
    assert received.update_id < 0
    assert (received.user_id, received.raw) == (0, data)
    assert envelope(data) == received


def test_envelope_finds_the_id_in_broken_json() -> None:
    """A repeated delivery of something cut short is still known."""
    assert envelope(b'{"update_id": 12, "message": {"te').update_id == 12


@given(st.binary(max_size=300))
def test_envelope_takes_any_bytes(data: bytes) -> None:
    """Ids fit the database's columns, whatever comes."""
    received = envelope(data)
    assert -(2**63) <= received.update_id < 2**63
    assert -(2**63) <= received.user_id < 2**63
