"""Vision: summaries, further looks, tables; with a stand-in that reads pixels."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.postgres import PostgresSaver

from tests.acceptance.pictures import picture, writing
from tests.acceptance.test_commands import command, press
from tests.acceptance.world import World, ask

MENU = ("| Drink | Price |", "| Tea   | 3.50  |", "| Cocoa | 4.20  |")


def looks(world: World, since: int) -> list[str]:
    """The text of each call that carried an image, without the image."""
    bodies = [json.dumps(call["body"]) for call in world.sandbox.calls("openai", since)]
    return [body for body in bodies if "image_bytes" in body]


def prompts(world: World, since: int) -> str:
    """Everything that any model was told."""
    return json.dumps([call["body"] for call in world.sandbox.calls("openai", since)])


def vision_of(world: World, user: int) -> dict[str, Any]:
    """The vision of the user's last turn, as it was checkpointed."""
    with PostgresSaver.from_conn_string(world.database_url) as saver:
        found = saver.get_tuple({"configurable": {"thread_id": f"tg:{user}"}})
    assert found is not None
    return dict(found.checkpoint["channel_values"]["vision"])


def summaries_of(world: World, photo: bytes) -> list[dict[str, Any]]:
    """The stored summaries of an image."""
    return world.rows(
        "SELECT summary_json FROM vision_summaries JOIN vision_images ON id = image_id "
        "WHERE sha256 = %s",
        hashlib.sha256(photo).hexdigest(),
    )


@pytest.mark.req("VIS-1")
def test_malformed_image_summary_is_mended_by_one_repair(world: World, user: int) -> None:
    """One malformed output: asked again with the error, answered, and only the valid one kept."""
    photo = picture("crimson", "khaki", seed=user)
    world.sandbox.fail("openai", "malformed", method="chat.completions", containing="image_url")
    before = world.sandbox.mark()
    answer = world.ask(user, "what is in this picture?", photo=photo)
    first, second = looks(world, before)
    assert "That was malformed" not in first
    assert "That was malformed" in second
    assert "red" in answer["text"].lower()
    (row,) = summaries_of(world, photo)
    assert set(row["summary_json"]) == {"summary", "entities", "tables", "warnings"}


@pytest.mark.costs("photos are looked at, in several turns")
@pytest.mark.req("VIS-2", "COST-1")
def test_same_image_is_seen_once_under_new_names_and_in_a_new_process(
    world: World, user: int, tmp_path: Path
) -> None:
    """Sent twice to the bot and given to a process that begins: one call, one row, `cached`."""
    photo = picture("sienna", "beige", seed=user)
    before = world.sandbox.mark()
    world.ask(user, "what is in this picture?", photo=photo)
    assert vision_of(world, user)["cached"] is False
    world.ask(user, "and what is in this picture?", photo=photo)
    assert vision_of(world, user)["cached"] is True
    fetched = {
        call["body"]["file_id"]
        for call in world.sandbox.calls("telegram", before)
        if call["method"] == "getFile"
    }
    assert len(fetched) == 2
    file = tmp_path / "again.png"
    file.write_bytes(photo)
    ask("what is in it?", world.environment, "--image", str(file), "--user", str(user))
    assert vision_of(world, user)["cached"] is True
    assert len(looks(world, before)) == 1
    assert len(summaries_of(world, photo)) == 1


@pytest.mark.req("VIS-1", "VIS-2")
def test_shared_summary_call_holds_no_word_of_its_user(world: World, user: int) -> None:
    """Neither caption nor name nor memory: whoever sends the image next gets that summary."""
    world.ask(user, "My name is Quillon.")
    before = world.sandbox.mark()
    world.ask(user, "what is quillon doing in it?", photo=picture("plum", "linen", seed=user))
    (look,) = looks(world, before)
    assert "quillon" not in look.lower()
    assert str(user) not in look


@pytest.mark.req("VIS-3")
def test_word_written_in_the_image_is_searched_for_and_answered_from(
    world: World, user: int
) -> None:
    """The user's text does not name it; the documents on it are found and cited."""
    photo = writing("Proof of history", seed=user)
    before = world.sandbox.mark()
    answer = world.ask(user, "What do the documents say about this picture?", photo=photo)
    (decision,) = world.decisions(user)
    assert "history" in decision["query"]
    assert "<image_summary>" in prompts(world, before)
    assert "Sources" in answer["text"]


@pytest.mark.req("VIS-1")
def test_table_in_the_image_answers_for_a_cell(world: World, user: int) -> None:
    """The prompt shows rows and columns, not JSON, and a later reader finds the cell."""
    before = world.sandbox.mark()
    answer = world.ask(user, "How much is the cocoa in it?", photo=writing(*MENU, seed=user))
    assert "Cocoa: Price 4.20" in answer["text"]
    asked = [json.loads(look) for look in looks(world, before)]
    assert len(asked) == 1
    (body,) = [
        call["body"]
        for call in world.sandbox.calls("openai", before)
        if call["body"].get("stream") is True
    ]
    assert (
        "Table:\n| Drink | Price |\n| --- | --- |\n| Tea   | 3.50  |"
        in (body["messages"][-1]["content"])
    )


@pytest.mark.costs("photos are looked at, in several turns")
def test_question_beyond_the_summary_makes_one_further_look(world: World, user: int) -> None:
    """Small print: the question goes with the image once; asked again it costs no look."""
    photo = writing("Serial 4711-B", dot=2, seed=user)
    before = world.sandbox.mark()
    question = "What does the small text in the picture say?"
    answer = world.ask(user, question, photo=photo)
    assert "4711-B" in answer["text"]
    summary, look = looks(world, before)
    assert question not in summary
    assert question in look
    assert "4711" not in json.dumps(summaries_of(world, photo))
    again = world.sandbox.mark()
    assert "4711-B" in world.ask(user, question, photo=photo)["text"]
    assert looks(world, again) == []
    other = world.sandbox.mark()
    assert "4711-B" in world.ask(user + 50_000, question, photo=photo)["text"]
    assert len(looks(world, other)) == 1, "the summary is shared, the answer is not"


@pytest.mark.costs("photos are looked at, in several turns")
@pytest.mark.req("VIS-3")
def test_photo_of_an_earlier_message_can_be_asked_about_again(world: World, user: int) -> None:
    """A turn between that is about something else carries nothing of it; nobody else reaches it."""
    photo = writing("Serial 8086-K", dot=2, seed=user)
    world.ask(user, "Here is my picture", photo=photo)
    between = world.sandbox.mark()
    world.ask(user, "What is proof of history?")
    assert "<image_summary>" not in prompts(world, between)
    assert vision_of(world, user) == {}
    before = world.sandbox.mark()
    question = "And what does the small text in the picture say?"
    assert "8086-K" in world.ask(user, question)["text"]
    assert len(looks(world, before)) == 1
    assert "N3_vision_summarize" not in world.decisions(user)[-1]["latency_ms"]
    stranger = world.sandbox.mark()
    assert "8086" not in world.ask(user + 50_000, question)["text"]
    assert "8086" not in prompts(world, stranger)
    assert looks(world, stranger) == []
    command(world, user, "/new")
    assert "8086" not in world.ask(user, question)["text"]


@pytest.mark.req("VIS-3")
def test_next_question_after_a_photo_is_about_it(world: World, user: int) -> None:
    """Neither named nor replied to: it is looked at again, until something else is asked."""
    world.ask(user, "What is in this picture?", photo=picture("teal", "gold", seed=user))
    before = world.sandbox.mark()
    assert "I count" in world.ask(user, "How many shapes are there?")["text"]
    assert len(looks(world, before)) == 1
    assert "Sources" in world.ask(user, "How many validators does Solana have?")["text"]
    assert len(looks(world, before)) == 1


def test_one_photo_of_an_album_is_asked_about(world: World, user: int) -> None:
    """Of two photos the second is named, so it alone is looked at again."""
    group, before = f"look-{user}", world.sandbox.mark()
    world.sandbox.say(
        user,
        "What does the small text in the second picture say?",
        photo=writing("Left 1111", dot=2, seed=user),
        media_group_id=group,
    )
    last = world.sandbox.say(
        user, photo=writing("Right 2222", dot=2, seed=user), media_group_id=group
    )
    answer = world.answer(user, last)
    assert "2222" in answer["text"]
    assert "1111" not in answer["text"]
    assert len(looks(world, before)) == 3


@pytest.mark.costs("photos are looked at, in several turns")
def test_answers_to_questions_on_images_are_forgotten(world: World, user: int) -> None:
    """/forget empties them for this user alone."""
    users = (user, user + 50_000)
    for one in users:
        photo = writing("Serial 6502", dot=2, seed=one % 50_000)
        world.ask(one, "What does the small text in the picture say?", photo=photo)
    press(world, user, command(world, user, "/forget"), "Yes, delete everything")
    left = {
        one: world.rows("SELECT 1 FROM vision_answers WHERE thread_id = %s", f"tg:{one}")
        for one in users
    }
    assert [len(left[one]) for one in users] == [0, 1]
