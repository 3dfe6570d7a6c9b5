"""Messages of a group that one member sees: who gets them, when, and how they are changed."""

from typing import Any

import pytest

from tests.integration.sandbox_telegram.client import Client

MEMBER, OTHER, GROUP = 42, 43, -42
COMMANDS = [
    {"command": "tasks", "description": "Your tasks", "is_ephemeral": True},
    {"command": "help", "description": "Help"},
]
IN_GROUPS = {"type": "all_group_chats"}


def ephemeral(text: str = "psst", to: int = MEMBER, **more: Any) -> dict[str, Any]:
    """The parameters of sendMessage for one member of the group."""
    parameters = {"receiver_user_id": to, **more.pop("parameters", {})}
    return {"chat_id": GROUP, "text": text, "ephemeral_message_parameters": parameters, **more}


def seen(client: Client, viewer: int = MEMBER) -> list[str]:
    """The texts for nobody but this user."""
    view = client.sim("GET", f"/chats/{GROUP}?viewer={viewer}").json()
    return [message["text"] for message in view["ephemeral"]]


def open_group(client: Client, *, is_admin: bool = True) -> None:
    """A group with two members and the bot, which is an administrator unless made a member."""
    client.send(MEMBER, text="hello", chat_type="group")
    for user in [OTHER] if is_admin else [OTHER, bot_of(client)]:
        body = {"user_id": user, "status": "member"}
        assert client.sim("POST", f"/groups/{GROUP}/members", body).status_code == 200


def bot_of(client: Client) -> int:
    """The id of the bot."""
    return int(client.call("getMe")["id"])


def test_ephemeral_message_is_seen_by_its_receiver_alone(client: Client) -> None:
    """It comes back with the number 0, and is neither in the chat nor in another's view."""
    open_group(client)
    sent = client.call("sendMessage", **ephemeral())
    assert (sent["message_id"], sent["ephemeral_message_id"]) == (0, 1)
    assert sent["receiver_user"]["id"] == MEMBER
    assert seen(client) == ["psst"]
    assert seen(client, OTHER) == []
    assert [message["text"] for message in client.chat(GROUP)["messages"]] == ["hello"]


def test_ephemeral_message_is_edited_and_deleted_by_its_own_methods(client: Client) -> None:
    """Each needs chat, receiver and id; the methods for messages do not reach it."""
    open_group(client)
    client.call("sendMessage", **ephemeral())
    place = {"chat_id": GROUP, "receiver_user_id": MEMBER, "ephemeral_message_id": 1}
    assert client.call("editEphemeralMessageText", **place, text="new") is True
    assert seen(client) == ["new"]
    client.refused("editEphemeralMessageText", **place, text="new")
    client.refused("editEphemeralMessageText", **{**place, "receiver_user_id": OTHER}, text="x")
    client.refused("editMessageText", chat_id=GROUP, message_id=0, text="x")
    assert client.call("deleteEphemeralMessage", **place) is True
    assert seen(client) == []
    client.refused("deleteEphemeralMessage", **place)


@pytest.mark.parametrize(
    "refused",
    [
        {"to": 99},
        {"to": 0},
        {"parameters": {"receiver_user_id": "42"}},
        {"chat_id": MEMBER},
    ],
    ids=["stranger", "nobody", "no number", "private chat"],
)
def test_ephemeral_message_needs_a_member_of_a_group(
    client: Client, refused: dict[str, Any]
) -> None:
    """Anything else is refused, and nothing is shown to anybody."""
    open_group(client)
    client.send(MEMBER)
    client.refused("sendMessage", **ephemeral(**refused))
    assert seen(client) == []
    assert len(client.chat(GROUP)["messages"]) == 1


def test_bot_that_is_no_administrator_has_to_be_asked(client: Client) -> None:
    """It may answer an ephemeral command of this user, or a press; not another's, nor unasked."""
    open_group(client, is_admin=False)
    client.call("setMyCommands", commands=COMMANDS, scope=IN_GROUPS)
    client.refused("sendMessage", **ephemeral())
    assert client.send(MEMBER, text="/tasks", chat_type="group") == 0
    asked = client.updates()[-1]["message"]
    assert asked["ephemeral_message_id"] == 1
    assert asked["receiver_user"]["id"] == bot_of(client)
    reply: dict[str, Any] = {"reply_parameters": {"ephemeral_message_id": 1}}
    client.refused("sendMessage", **ephemeral(to=OTHER, **reply))
    client.call("sendMessage", **ephemeral("yours", **reply))
    assert seen(client) == ["/tasks", "yours"]
    assert client.send(MEMBER, text="/help", chat_type="group") > 0


def test_press_permits_an_answer_to_its_user(client: Client) -> None:
    """A callback query's id does, once it exists; an invented one does not."""
    open_group(client, is_admin=False)
    keyboard = {"inline_keyboard": [[{"text": "Show", "callback_data": "show1"}]]}
    sent = client.call("sendMessage", chat_id=GROUP, text="Here", reply_markup=keyboard)
    press = {"message_id": sent["message_id"], "callback_data": "show1"}
    query = client.sim("POST", f"/chats/{GROUP}/press", press).json()["callback_query_id"]
    client.refused("sendMessage", **ephemeral(parameters={"callback_query_id": "1"}))
    client.call("sendMessage", **ephemeral(parameters={"callback_query_id": query}))
    assert seen(client) == ["psst"]


@pytest.mark.parametrize("age", ["old", "ignoring"])
def test_server_that_does_not_know_the_parameter_shows_all(client: Client, age: str) -> None:
    """As every Bot API server, it ignores what it does not know; an old one has no methods."""
    open_group(client)
    assert client.sim("POST", "/server", {"age": age}).status_code == 200
    sent = client.call("sendMessage", **ephemeral("oh no"))
    assert "ephemeral_message_id" not in sent
    assert client.last_message(GROUP)["text"] == "oh no"
    status = client.refused("deleteEphemeralMessage")["error_code"]
    assert status == (404 if age == "old" else 400)
