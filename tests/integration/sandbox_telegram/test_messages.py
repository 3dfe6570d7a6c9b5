"""Messages of the bot: accepted, shown, changed, refused."""

from typing import Any

import pytest

from tests.integration.sandbox_telegram.client import Client, encoded, picture

CANNOT_PARSE = "Bad Request: can't parse entities"
RESERVED_DOT = "Character '.' is reserved and must be escaped with the preceding '\\'"
ENTITY_OUTSIDE = (
    "entity beginning at UTF-16 offset 0 ends after the end of the text at UTF-16 offset 1"
)
NO_ACTION = "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard"


def test_send_message_shows_text_and_entities(client: Client) -> None:
    """The user sees what the bot sends."""
    client.send()
    sent = client.call("sendMessage", chat_id=42, text="<b>Hi</b> 👋 you", parse_mode="HTML")
    shown = client.last_message()
    assert (shown["from"], shown["text"]) == ("bot", "Hi 👋 you")
    assert shown["entities"] == sent["entities"] == [{"type": "bold", "offset": 0, "length": 2}]
    assert (shown["edits"], shown["edited_at"]) == (0, None)


@pytest.mark.parametrize(
    ("params", "description"),
    [
        ({"text": "a" * 4097}, "Bad Request: message is too long"),
        ({"text": "👋" * 2049}, "Bad Request: message is too long"),
        ({"text": "  \n "}, "Bad Request: message text is empty"),
        ({}, "Bad Request: message text is empty"),
        ({"text": "\ud800"}, "Bad Request: strings must be encoded in UTF-8"),
        (
            {"text": "<b>a", "parse_mode": "HTML"},
            f'{CANNOT_PARSE}: Can\'t find end tag corresponding to start tag "b"',
        ),
        (
            {"text": "a.", "parse_mode": "MarkdownV2"},
            f"{CANNOT_PARSE}: {RESERVED_DOT}",
        ),
        (
            {"text": "a", "entities": [{"type": "bold", "offset": 0, "length": 5}]},
            f"{CANNOT_PARSE}: {ENTITY_OUTSIDE}",
        ),
        (
            {"text": "a", "reply_parameters": {"message_id": 1}},
            "Bad Request: message to be replied not found",
        ),
        ({"text": "a", "chat_id": 999}, "Bad Request: chat not found"),
        ({"text": "a", "chat_id": "@somebody"}, "Bad Request: chat not found"),
    ],
)
def test_send_message_refuses_in_telegrams_words(
    client: Client, params: dict[str, Any], description: str
) -> None:
    """Each refusal has Telegram's code and text, and leaves nothing in the chat."""
    client.send()
    body = client.refused("sendMessage", **{"chat_id": 42, **params})
    assert (body["error_code"], body["description"]) == (400, description)
    assert len(client.chat()["messages"]) == 1


def test_send_message_takes_4096_units_after_parsing(client: Client) -> None:
    """The limit counts UTF-16 units of the shown text, not of the markup."""
    client.send()
    text = "👋" * 2048
    client.call("sendMessage", chat_id=42, text=f"<b>{text}</b>", parse_mode="HTML")
    assert client.last_message()["text"] == text


def test_send_message_keeps_100_entities(client: Client) -> None:
    """The 101st entity is ignored."""
    client.send()
    entities = [{"type": "bold", "offset": at * 2, "length": 1} for at in range(101)]
    sent = client.call("sendMessage", chat_id=42, text="a " * 101, entities=entities)
    assert len(sent["entities"]) == 100


def test_reply_tells_the_photo_of_the_replied_message_one_level_deep(client: Client) -> None:
    """A reply carries the message it answers, with its photo and without that one's reply."""
    first = client.send(text="look")
    photo = client.send(photo_base64=encoded(picture()), reply_to_message_id=first)
    client.send(text="what is it?", reply_to_message_id=photo)
    replied = client.updates()[-1]["message"]["reply_to_message"]
    assert replied["message_id"] == photo
    assert len(replied["photo"]) == 3
    assert "reply_to_message" not in replied


def test_reply_to_a_missing_message_can_be_allowed(client: Client) -> None:
    """allow_sending_without_reply sends without the reply."""
    client.send()
    reply = {"message_id": 5, "allow_sending_without_reply": True}
    sent = client.call("sendMessage", chat_id=42, text="a", reply_parameters=reply)
    assert "reply_to_message" not in sent


def test_edit_counts_and_refuses_what_is_not_modified(client: Client) -> None:
    """The same text again is refused; another one is counted."""
    client.send()
    sent = client.call("sendMessage", chat_id=42, text="one")
    target = {"chat_id": 42, "message_id": sent["message_id"]}
    edited = client.call("editMessageText", **target, text="one two")
    assert edited["edit_date"]
    refusal = client.refused("editMessageText", **target, text="one two ")
    assert refusal["description"] == (
        "Bad Request: message is not modified: specified new message content and reply markup are "
        "exactly the same as a current content and reply markup of the message"
    )
    shown = client.last_message()
    assert (shown["text"], shown["edits"]) == ("one two", 1)
    assert shown["edited_at"] >= shown["sent_at"]


def test_edit_refuses_what_is_not_the_bots(client: Client) -> None:
    """Neither a message that is gone nor one of the user can be edited."""
    mine = client.send()
    gone = client.call("sendMessage", chat_id=42, text="x")["message_id"]
    client.call("deleteMessage", chat_id=42, message_id=gone)
    missing = client.refused("editMessageText", chat_id=42, message_id=gone, text="y")
    users = client.refused("editMessageText", chat_id=42, message_id=mine, text="y")
    again = client.refused("deleteMessage", chat_id=42, message_id=gone)
    assert missing["description"] == "Bad Request: message to edit not found"
    assert users["description"] == "Bad Request: message can't be edited"
    assert again["description"] == "Bad Request: message to delete not found"


def test_buttons_are_shown_and_leave_with_an_edit_without_them(client: Client) -> None:
    """An edit that does not repeat the keyboard takes it away."""
    client.send()
    row = [{"text": "Yes", "callback_data": "y"}, {"text": "Site", "url": "https://example.com"}]
    markup = {"inline_keyboard": [row]}
    sent = client.call("sendMessage", chat_id=42, text="Sure?", reply_markup=markup)
    assert client.last_message()["buttons"] == [row]
    target = {"chat_id": 42, "message_id": sent["message_id"]}
    client.call("editMessageReplyMarkup", **target, reply_markup={"inline_keyboard": []})
    assert client.last_message()["buttons"] == []


@pytest.mark.parametrize(
    ("button", "description"),
    [
        ({"text": "a", "callback_data": "é" * 33}, "Bad Request: BUTTON_DATA_INVALID"),
        (
            {"text": "a", "url": "not a url"},
            "Bad Request: inline keyboard button URL 'not a url' is invalid: Wrong HTTP URL",
        ),
        (
            {"text": "a"},
            f"Bad Request: {NO_ACTION}",
        ),
    ],
)
def test_buttons_are_checked(client: Client, button: dict[str, str], description: str) -> None:
    """Callback data over 64 bytes, a bad address and a button without an action are refused."""
    client.send()
    markup = {"inline_keyboard": [[button]]}
    body = client.refused("sendMessage", chat_id=42, text="a", reply_markup=markup)
    assert body["description"] == description


def test_press_reaches_the_bot_and_is_answered_once(client: Client) -> None:
    """A press is a callback_query; its answer is shown, a second one is refused."""
    client.send()
    markup = {"inline_keyboard": [[{"text": "Yes", "callback_data": "y"}]]}
    sent = client.call("sendMessage", chat_id=42, text="Sure?", reply_markup=markup)
    press = {"message_id": sent["message_id"], "callback_data": "y"}
    assert client.sim("POST", "/chats/42/press", press).status_code == 200
    query = client.updates()[-1]["callback_query"]
    assert (query["data"], query["message"]["message_id"]) == ("y", sent["message_id"])
    client.call("answerCallbackQuery", callback_query_id=query["id"], text="Noted")
    assert client.chat()["press_answers"][0]["text"] == "Noted"
    again = client.refused("answerCallbackQuery", callback_query_id=query["id"])
    assert again["description"].startswith("Bad Request: query is too old")


def test_press_by_another_user_arrives_without_the_message(client: Client) -> None:
    """A user can forge a press, but not see another's message."""
    client.send()
    client.send(43, text="hi")
    sent = client.call("sendMessage", chat_id=42, text="secret")
    press = {"message_id": sent["message_id"], "callback_data": "y"}
    assert client.sim("POST", "/chats/43/press", press).status_code == 200
    query = client.updates()[-1]["callback_query"]
    assert query["from"]["id"] == 43
    assert query["message"]["date"] == 0
    assert "text" not in query["message"]


def test_typing_is_shown_and_must_be_an_action(client: Client) -> None:
    """A chat action shows; an unknown one is refused."""
    client.send()
    assert client.chat()["typing"] is False
    client.call("sendChatAction", chat_id=42, action="typing")
    assert client.chat()["typing"] is True
    body = client.refused("sendChatAction", chat_id=42, action="dancing")
    assert body["description"] == "Bad Request: wrong parameter action in request"


def test_draft_is_shown_stopped_and_replaced_by_the_message(client: Client) -> None:
    """A draft can be stopped if the bot allows it, and goes when the message comes."""
    client.send()
    assert client.sim("POST", "/chats/42/stop").json()["stopped"] is False
    client.call("sendMessageDraft", chat_id=42, draft_id=7, text="")
    assert client.chat()["draft"]["text"] == ""
    draft = {"chat_id": 42, "draft_id": 7, "can_stop": True, "keep_on_stop": True}
    client.call("sendMessageDraft", **draft, text="Once")
    assert client.sim("POST", "/chats/42/stop").json()["stopped"] is True
    stopped = client.updates()[-1]["stopped_message_generation"]
    assert (stopped["draft_id"], stopped["chat"]["id"]) == (7, 42)
    assert client.chat()["draft"]["text"] == "Once"
    client.call("sendMessage", chat_id=42, text="Once upon")
    assert client.chat()["draft"] is None


def test_reaction_of_the_bot_is_shown(client: Client) -> None:
    """SetMessageReaction marks a message."""
    message_id = client.send()
    reaction = [{"type": "emoji", "emoji": "👍"}]
    client.call("setMessageReaction", chat_id=42, message_id=message_id, reaction=reaction)
    assert client.last_message()["reactions"] == ["👍"]


def test_message_is_deleted_within_two_days(client: Client) -> None:
    """Later it can only be edited; it is the message's age that counts."""
    client.send()
    old = client.call("sendMessage", chat_id=42, text="old")["message_id"]
    assert client.sim("POST", "/chats/42/age", {"seconds": 48 * 3_600}).status_code == 200
    young = client.call("sendMessage", chat_id=42, text="young")["message_id"]
    refused = client.refused("deleteMessage", chat_id=42, message_id=old)
    assert refused["description"] == "Bad Request: message can't be deleted for everyone"
    client.call("editMessageText", chat_id=42, message_id=old, text="edited")
    assert client.call("deleteMessage", chat_id=42, message_id=young) is True
    assert client.last_message()["text"] == "edited"
