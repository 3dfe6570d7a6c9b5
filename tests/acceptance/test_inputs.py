"""Inputs of users, as the bot takes them: photos, replies, forwards, edits, what is refused."""

import base64
import hashlib
import io
import json
from typing import Any

import pytest
from langgraph.checkpoint.postgres import PostgresSaver
from PIL import Image

from tests.acceptance.pictures import picture
from tests.acceptance.world import World, wait_until


def _input(world: World, user: int) -> dict[str, Any]:
    """The input of the user's last turn, as it was checkpointed."""
    with PostgresSaver.from_conn_string(world.database_url) as saver:
        found = saver.get_tuple({"configurable": {"thread_id": f"tg:{user}"}})
    assert found is not None
    return dict(found.checkpoint["channel_values"]["input"])


def _files(world: World, since: int) -> list[str]:
    return [
        call["body"]["file_id"]
        for call in world.sandbox.calls("telegram", since)
        if call["method"] == "getFile"
    ]


def _file_id(world: World, user: int, message_id: int) -> str:
    """The id of the photo in its largest size."""
    messages = world.sandbox.chat(user)["messages"]
    url = next(m["photo_url"] for m in messages if m["message_id"] == message_id)
    return str(url).rpartition("/")[2]


def _encoded(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


@pytest.mark.req("TG-1")
def test_text_of_a_user_makes_checkpoints_under_their_thread_only(world: World, user: int) -> None:
    """Of all threads in the database one is new: the user's own."""
    query = "SELECT DISTINCT thread_id FROM checkpoints"
    before = {row["thread_id"] for row in world.rows(query)}
    world.ask(user, "What is proof of history?")
    assert {row["thread_id"] for row in world.rows(query)} - before == {f"tg:{user}"}


@pytest.mark.req("TG-1")
@pytest.mark.parametrize("kind", ["group", "channel"])
def test_group_or_channel_makes_no_checkpoint_and_no_call(
    world: World, user: int, kind: str
) -> None:
    """No run, no answer, no typing; not even a file is asked for."""
    query = "SELECT DISTINCT thread_id FROM checkpoints"
    before, mark = {row["thread_id"] for row in world.rows(query)}, world.sandbox.mark()
    photo = _encoded(picture("red", "blue", seed=user))
    world.sandbox.say(user, "what is this?", photo_base64=photo, chat_type=kind)
    world.ask(user, "hi")
    after = {row["thread_id"] for row in world.rows(query)}
    assert after - before == {f"tg:{user}"}
    calls = world.sandbox.calls("telegram", mark)
    chats = {call["body"]["chat_id"] for call in calls if "chat_id" in call["body"]}
    assert chats == {user}
    assert _files(world, mark) == []


@pytest.mark.req("TG-2")
def test_photo_is_the_turns_input_in_its_largest_size(world: World, user: int) -> None:
    """Three sizes and a caption: one file is fetched; the input names it, and hashes its bytes."""
    mark = world.sandbox.mark()
    photo = picture("teal", "gold", seed=user)
    sent = world.sandbox.say(user, "what is in this picture?", photo=photo)
    world.answer(user, sent)
    largest = _file_id(world, user, sent.message_id)
    assert set(_files(world, mark)) == {largest}
    received = _input(world, user)
    assert received["text"] == "what is in this picture?"
    assert received["image"]["file_id"] == largest
    assert received["image"]["sha256"] == hashlib.sha256(photo).hexdigest()


@pytest.mark.req("TG-2")
@pytest.mark.parametrize("mime_type", [None, ""])
def test_image_file_is_the_turns_input(world: World, user: int, mime_type: str | None) -> None:
    """A photo sent as a document, whether the client tells its type or only its name."""
    photo = picture("teal", "gold", seed=user)
    world.ask(
        user,
        "what is in this picture?",
        document_base64=_encoded(photo),
        file_name="IMG_1.PNG",
        mime_type=mime_type,
    )
    assert _input(world, user)["image"]["sha256"] == hashlib.sha256(photo).hexdigest()


@pytest.mark.req("TG-2")
def test_mixed_album_is_one_turn_with_its_photos_in_order(world: World, user: int) -> None:
    """Photos and an image file in the order in which they were sent; the video is named below."""
    photos = [picture(colour, "black", seed=user) for colour in ("red", "blue", "lime")]
    group = f"mixed-{user}"
    world.sandbox.say(user, "which colours?", photo=photos[0], media_group_id=group)
    world.sandbox.say(user, attachment="video", media_group_id=group)
    world.sandbox.say(user, photo=photos[1], media_group_id=group)
    last = world.sandbox.say(
        user, document_base64=_encoded(photos[2]), file_name="c.png", media_group_id=group
    )
    answer = world.answer(user, last)
    hashes = [hashlib.sha256(photo).hexdigest() for photo in photos]
    assert [image["sha256"] for image in _input(world, user)["images"]] == hashes
    assert "I could not look at: the video." in answer["text"]
    assert len(world.decisions(user)) == 1


@pytest.mark.req("TG-3")
def test_reply_takes_the_photo_of_the_message_above(world: World, user: int) -> None:
    """The reply context is message, text and photo; the vision node runs on it."""
    photo = picture("olive", "pink", seed=user)
    first = world.sandbox.say(user, "my picture", photo=photo)
    world.answer(user, first)
    world.ask(user, "which colours are in it?", reply_to_message_id=first.message_id)
    reply = _input(world, user)["reply_context"]
    assert (reply["message_id"], reply["text"]) == (first.message_id, "my picture")
    assert reply["image"]["file_id"] == _file_id(world, user, first.message_id)
    assert reply["image"]["sha256"] == hashlib.sha256(photo).hexdigest()
    assert "N3_vision_summarize" in world.decisions(user)[-1]["latency_ms"]


@pytest.mark.req("TG-3")
def test_photos_of_message_and_reply_are_both_in_the_input(world: World, user: int) -> None:
    """Both are hashed, summarised and used."""
    above, below = (picture(colour, "white", seed=user) for colour in ("green", "purple"))
    first = world.sandbox.say(user, "this", photo=above)
    world.answer(user, first)
    answer = world.ask(
        user, "what is in this picture?", photo=below, reply_to_message_id=first.message_id
    )
    received = _input(world, user)
    assert received["image"]["sha256"] == hashlib.sha256(below).hexdigest()
    image = received["reply_context"]["image"]
    assert image["sha256"] == hashlib.sha256(above).hexdigest()
    assert "green" in answer["text"].lower()
    assert "purple" in answer["text"].lower()


@pytest.mark.req("TG-3")
def test_quote_and_answer_reach_the_prompt(world: World, user: int) -> None:
    """The part that the user marked in the bot's own answer is told from the whole of it."""
    answer = world.ask(user, "What is proof of history?")
    quote = answer["text"][:30]
    mark = world.sandbox.mark()
    world.ask(user, "Why is that?", reply_to_message_id=answer["message_id"], quote=quote)
    prompts = json.dumps(world.sandbox.calls("openai", mark), ensure_ascii=False)
    assert '<reply_to author=\\"assistant\\">' in prompts
    assert "<quote>" in prompts


def test_forwarded_words_are_answered_and_teach_nothing(world: World, user: int) -> None:
    """Somebody else's question is answered; what they say of themselves is not the user's."""
    answer = world.ask(user, "What is proof of history?", forward_from="Mallory")
    assert "Sources" in answer["text"]
    world.ask(user, "My name is Mallory and I live in Uppsala", forward_from="Mallory")
    kept = world.rows("SELECT value::text FROM store WHERE prefix = %s", f"users.{user}")
    assert "Uppsala" not in json.dumps(kept)
    said = world.rows(
        "SELECT content FROM messages WHERE user_id = %s AND role = 'user' ORDER BY id", user
    )
    assert [row["content"].splitlines()[0] for row in said] == [
        "[Forwarded message from Mallory]"
    ] * 2


def test_comment_and_the_message_forwarded_with_it_are_one_turn(world: World, user: int) -> None:
    """The client sends two messages; one answer knows both, and the record tells them apart."""
    comment = world.sandbox.say(user, "Is this right about proof of history?")
    passed_on = world.sandbox.say(
        user, "Proof of history is a clock of hashes.", forward_from="Mallory"
    )
    world.answer(user, comment)
    wait_until(lambda: world.is_done(passed_on) or None, "the forwarded message is done")
    received = _input(world, user)
    assert received["text"] == "Is this right about proof of history?"
    assert received["forwarded"] == {
        "text": "Proof of history is a clock of hashes.",
        "author": "Mallory",
    }
    assert len(world.sandbox.replies(user)) == 1
    said = world.rows("SELECT content FROM messages WHERE user_id = %s AND role = 'user'", user)
    passed_on_as = "[Forwarded message from Mallory]\nProof of history is a clock of hashes."
    assert [row["content"] for row in said] == [
        f"Is this right about proof of history?\n\n{passed_on_as}"
    ]


def test_text_and_the_photo_that_follows_it_are_one_turn(world: World, user: int) -> None:
    """Although the text was answered before the photo came, one answer remains, with the photo."""
    photo = picture("olive", "pink", seed=user)
    sent = world.sandbox.say(user, "which colours are in it?")
    followed = world.sandbox.say(user, photo=photo)
    answer = world.answer(user, sent)
    wait_until(lambda: world.is_done(followed) or None, "the photo is done")
    (answer,) = world.sandbox.replies(user)
    assert "olive" in answer["text"].lower()
    received = _input(world, user)
    assert received["text"] == "which colours are in it?"
    assert received["image"]["sha256"] == hashlib.sha256(photo).hexdigest()
    assert len(world.decisions(user)) == 1


def test_photo_with_words_of_its_own_is_a_turn_of_its_own(world: World, user: int) -> None:
    """A caption is a question, whatever was asked just before."""
    world.sandbox.say(user, "What is proof of history?")
    world.ask(user, "which colours are in it?", photo=picture("olive", "pink", seed=user))
    assert len(world.sandbox.replies(user)) == 2
    assert len(world.decisions(user)) == 2


def test_edited_question_is_answered_anew_in_its_place(world: World, user: int) -> None:
    """The same message shows the new answer; record, state and decision have the new pair only."""
    sent = world.sandbox.say(user, "What is proof of history?")
    first = world.answer(user, sent)
    edit = world.sandbox.say(user, "What is impermanent loss?", edit_message_id=sent.message_id)
    second = world.answer(user, edit)
    assert second["message_id"] == first["message_id"]
    assert second["text"] != first["text"]
    said = world.rows("SELECT content FROM messages WHERE user_id = %s ORDER BY id", user)
    assert said[0]["content"] == "What is impermanent loss?"
    assert len(said) == 2
    assert _input(world, user)["text"] == "What is impermanent loss?"
    (decision,) = world.decisions(user)
    assert "impermanent" in decision["query"].lower()


def test_edit_of_an_older_question_gets_a_hint(world: World, user: int) -> None:
    """No second answer."""
    old = world.sandbox.say(user, "hi")
    world.answer(user, old)
    world.ask(user, "What is proof of history?")
    edit = world.sandbox.say(user, "hello there", edit_message_id=old.message_id)
    wait_until(lambda: world.is_done(edit) or None, "the edit is done")
    last = world.sandbox.replies(user)[-1]
    assert "latest question" in last["text"]
    assert last["reply_to_message_id"] == old.message_id
    assert len(world.decisions(user)) == 2


def _animated() -> bytes:
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "blue")]
    buffer = io.BytesIO()
    frames[0].save(buffer, "GIF", save_all=True, append_images=frames[1:])
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content", "name", "words"),
    [
        (b"", "empty.png", "empty"),
        (b"\x89PNG\r\n\x1a\n" + b"x" * 99, "broken.png", "damaged"),
        (b"\x00\x00\x00\x18ftypheic" + b"\x00" * 40, "IMG_1.HEIC", "as a photo, not as a file"),
        (_animated(), "moving.gif", "animated"),
        (b"%PDF-1.7", "not-a-picture.png", "format"),
    ],
)
def test_image_that_cannot_be_read_is_answered_clearly(
    world: World, user: int, content: bytes, name: str, words: str
) -> None:
    """The user is told what is wrong, and what to do; the next message is answered as always."""
    file = _encoded(content)
    answer = world.ask(user, "what is this?", document_base64=file, file_name=name)
    assert words in answer["text"]
    assert world.ask(user, "hi")["text"]


def test_file_over_20_mb_is_refused_before_it_is_asked_for(world: World, user: int) -> None:
    """The size that Telegram announced is enough: no getFile, no model."""
    mark = world.sandbox.mark()
    answer = world.ask(
        user,
        "what is this?",
        document_base64=_encoded(b"x"),
        file_name="huge.png",
        size_bytes=20_000_001,
    )
    assert "20 MB" in answer["text"]
    assert _files(world, mark) == []
    assert world.sandbox.calls("openai", mark) == []


def test_caption_of_a_video_is_answered_and_the_video_named(world: World, user: int) -> None:
    """The question counts; what was not looked at is said."""
    answer = world.ask(user, "What is proof of history?", attachment="video")
    assert "Sources" in answer["text"]
    assert "I could not look at: the video." in answer["text"]


@pytest.mark.parametrize("kind", ["sticker", "voice", "location"])
def test_kind_that_cannot_be_read_costs_no_model_call(world: World, user: int, kind: str) -> None:
    """One sentence, from the phrases."""
    mark = world.sandbox.mark()
    assert world.ask(user, attachment=kind)["text"]
    assert world.sandbox.calls("openai", mark) == []
