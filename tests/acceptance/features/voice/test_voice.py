"""Recordings as questions, and answers that are spoken: seen in the chat and at the servers."""

import base64
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.by import By

from tests.acceptance.browsing import FAKE_CONSENT, FAKE_DEVICE, fresh_browser, needs_browser
from tests.acceptance.pictures import picture
from tests.acceptance.test_agui import program, wanted
from tests.acceptance.test_busy_model import held, let_time_pass
from tests.acceptance.test_commands import command, press
from tests.acceptance.test_my_data import rows_naming
from tests.acceptance.test_page import Page
from tests.acceptance.world import (
    World,
    environment,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.acceptance.world import command as run_command
from tests.database import PostgresServer

Json = dict[str, Any]
SOUNDS = Path(__file__).parent / "sounds"
QUESTION = "What is proof of history?"
VOICE = {
    "TRANSCRIPTION_MODEL": "sandbox-transcription",
    "SPEECH_MODEL": "sandbox-speech",
    "SPEECH_CHARACTERS": "100",
    "DAILY_AUDIO_SECONDS": "60",
}


@pytest.fixture(scope="module")
def world(database_server: PostgresServer, with_samples: str) -> Iterator[World]:
    """A running bot that hears and speaks, with a sandbox of its own."""
    with running_sandbox() as sandbox, database_server.database(with_samples) as url:
        made = World(sandbox, environment(sandbox.url, url, **VOICE), url)
        with running_bot(made.environment):
            yield made


@pytest.fixture(autouse=True)
def at_rest(world: World) -> Iterator[None]:
    """A turn that a test began meets no fault of the next one."""
    yield
    world.sandbox.recover()
    world.await_idle()


def sound(name: str) -> str:
    """A recording as base64."""
    return base64.b64encode((SOUNDS / name).read_bytes()).decode()


def say(world: World, user: int, words: str, **more: Any) -> list[Json]:
    """The user sends a voice message with these words; what the bot says to it."""
    sent = world.sandbox.say(user, attachment="voice", spoken=words, **more)
    world.answer(user, sent)
    return world.sandbox.replies(user, sent.message_id)


@pytest.mark.costs("it hears and speaks, in several turns")
def test_client_is_told_which_messages_were_spoken(world: World, user: int) -> None:
    """Messages of Telegram, and of a client that says so; words that came along are theirs."""
    say(world, user, QUESTION)
    with program(world, user) as client:
        spoken = wanted("Who trades on it?", forwardedProps={"spoken": True})
        assert client.post("/agui", json=spoken).status_code == 200
        assert client.post("/agui", json=wanted("And why?", "r2")).status_code == 200
        told = client.get("/agui/threads/t1").json()["messages"]
    asked = [(one["content"], one.get("spoken")) for one in told if one["role"] == "user"]
    assert asked == [(QUESTION, True), ("Who trades on it?", True), ("And why?", None)]


def quote_in(message: Json) -> str:
    """The quote at the beginning of a message."""
    kinds = {"blockquote", "expandable_blockquote"}
    quotes = [one for one in message["entities"] if one["type"] in kinds and not one["offset"]]
    return message["text"][: quotes[0]["length"]] if quotes else ""


def voices(messages: list[Json]) -> list[Json]:
    """The messages that are voice messages."""
    return [one for one in messages if (one["attachment"] or {}).get("kind") == "voice"]


def calls(world: World, method: str, since: int = 0) -> list[Json]:
    """The calls of a model server's method."""
    return [one for one in world.sandbox.calls("openai", since) if one["method"] == method]


@pytest.mark.parametrize(
    ("kind", "file", "name"),
    [
        ("voice", "question.ogg", "voice.ogg"),
        ("video_note", "question.mp4", "video_note.mp4"),
        ("audio", "question.m4a", "audio.m4a"),
    ],
)
def test_a_recording_is_heard_and_answered_below_its_words(
    world: World, user: int, kind: str, file: str, name: str
) -> None:
    """It goes to the server as it came; the words stand as a quote above a cited answer."""
    since = world.sandbox.mark()
    answer = world.ask(user, attachment=kind, sound_base64=sound(file))
    first, *_ = world.sandbox.replies(user)
    assert quote_in(first) == QUESTION
    assert "[1]" in first["text"], answer
    (call,) = calls(world, "audio.transcriptions", since)
    content = (SOUNDS / file).read_bytes()
    sent = {"name": name, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    assert call["body"]["file"] == sent
    assert world.decisions(user)[-1]["query"] == QUESTION


def test_an_answer_to_a_voice_message_is_spoken_below_its_text(world: World, user: int) -> None:
    """Without markers, addresses and sources; the sound is Opus, and comes once."""
    since = world.sandbox.mark()
    text, *_, spoken = say(world, user, QUESTION)
    (voice,) = voices(world.sandbox.replies(user))
    assert voice == spoken
    (call,) = calls(world, "audio.speech", since)
    said = call["body"]["input"]
    assert call["body"]["response_format"] == "opus"
    assert said.split()[:4] == text["text"].removeprefix(QUESTION).split()[:4]
    assert not any(mark in said for mark in ("[1]", "http", "Sources"))
    file = world.sandbox.http.get(world.sandbox.url + voice["attachment"]["url"]).content
    assert file.startswith(b"OggS")
    assert (
        len([one for one in world.sandbox.calls("telegram", since) if one["method"] == "sendVoice"])
        == 1
    )


def test_a_written_question_gets_a_written_answer(world: World, user: int) -> None:
    """In kind: nothing is spoken to somebody who writes."""
    world.ask(user, QUESTION)
    assert voices(world.sandbox.replies(user)) == []


def test_a_long_answer_is_spoken_in_its_first_sentences(world: World, user: int) -> None:
    """The rest is said to be in the text."""
    since = world.sandbox.mark()
    text, *_ = say(world, user, QUESTION)
    (call,) = calls(world, "audio.speech", since)
    said, more = call["body"]["input"].split(" The rest is in the text.")
    assert not more
    assert len(said) <= 100
    assert said.split()[-1] in text["text"]


def test_what_is_heard_once_is_not_heard_again(world: World, user: int) -> None:
    """The same sound of the same user costs one call; another user's is heard for them."""
    since = world.sandbox.mark()
    say(world, user, f"hello from {user}")
    say(world, user, f"hello from {user}")
    assert len(calls(world, "audio.transcriptions", since)) == 1
    say(world, user + 50_000, f"hello from {user}")
    assert len(calls(world, "audio.transcriptions", since)) == 2


def test_a_spoken_command_is_words(world: World, user: int) -> None:
    """Spoken words are never run as a command."""
    text, *_ = say(world, user, f"/forget {user}")
    assert quote_in(text) == f"/forget {user}"
    assert text["buttons"] == [] or "delete" not in str(text["buttons"])
    assert len(world.decisions(user)) == 1


def test_a_forwarded_recording_is_not_the_users_own_words(world: World, user: int) -> None:
    """Its words are material between tags, like those of a forwarded text; nobody is spoken to."""
    words = f"My name is Zebedee and I live in Uppsala, {user}."
    since = world.sandbox.mark()
    messages = say(world, user, words, forward_from="Bob")
    assert quote_in(messages[0]) == words
    assert voices(messages) == []
    prompts = [one["body"] for one in calls(world, "chat.completions", since)]
    texts = [str(message["content"]) for body in prompts for message in body["messages"]]
    holding = [text for text in texts if words in text]
    assert holding
    assert all("<forwarded" in text for text in holding)
    memory = world.rows("SELECT value FROM store WHERE prefix = %s", f"users.{user}")
    assert "Zebedee" not in str(memory)


def test_a_question_back_is_answered_by_voice(world: World, user: int) -> None:
    """The answer continues the turn, as if it were written."""
    asked = world.ask(user, photo=picture("teal", "orange", seed=user))
    assert asked["buttons"]
    text, *_ = say(world, user, "What colours does it have?")
    assert quote_in(text) == "What colours does it have?"
    assert "teal" in text["text"]
    assert len(world.rows("SELECT 1 FROM messages WHERE user_id = %s AND role = 'user'", user)) == 1


@pytest.mark.feature("reminder")
def test_a_reminder_is_set_by_voice(world: World, user: int) -> None:
    """Tools act on what is said."""
    say(world, user, "Remind me in 3 hours to call Ada")
    rows = world.rows("SELECT text FROM schedules WHERE user_id = %s", user)
    assert [row["text"] for row in rows] == ["Call Ada"]


@pytest.mark.costs("it hears and speaks, in several turns")
def test_a_reply_to_a_recording_knows_its_words(world: World, user: int) -> None:
    """A question about an earlier recording finds what was said in it."""
    sent = world.sandbox.say(user, attachment="voice", spoken=f"The vault opens at dawn, {user}.")
    world.answer(user, sent)
    since = world.sandbox.mark()
    world.ask(user, "What does this mean?", reply_to_message_id=sent.message_id)
    texts = str([one["body"] for one in calls(world, "chat.completions", since)])
    assert f"The vault opens at dawn, {user}." in texts
    assert calls(world, "audio.transcriptions", since) == []


def test_only_words_are_kept_and_they_are_the_users(world: World, user: int) -> None:
    """No sound is in the database; /export has the words, and /forget deletes them."""
    # A registered document may have the number, too.
    before = rows_naming(world, str(user))
    say(world, user, f"I like the colour teal, {user}.")
    (row,) = world.rows("SELECT words FROM heard_recordings WHERE user_id = %s", user)
    assert row["words"] == f"I like the colour teal, {user}."
    assert "heard_recordings" in rows_naming(world, str(user))
    press(world, user, command(world, user, "/forget"), "Yes, delete everything")
    assert rows_naming(world, str(user)) == before


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ({"kind": "500"}, "could not listen"),
        ({"kind": "401"}, "does not accept my operator's key"),
        ({"kind": "empty"}, "heard no words"),
        ({"kind": "malformed"}, "could not listen"),
    ],
)
def test_a_failure_to_hear_is_said_and_no_model_is_asked(
    world: World, user: int, fault: Json, told: str
) -> None:
    """Never does a placeholder take the place of words."""
    since = world.sandbox.mark()
    world.sandbox.fail("openai", method="audio.transcriptions", times=5, **fault)
    messages = say(world, user, f"unheard {user}")
    assert told in messages[-1]["text"]
    assert calls(world, "chat.completions", since) == []


def test_a_damaged_recording_is_refused_in_words(world: World, user: int) -> None:
    """The server does not take it; the user learns what to do instead."""
    broken = base64.b64encode(b"no sound at all").decode()
    answer = world.ask(user, attachment="voice", sound_base64=broken)
    assert "did not accept this one" in answer["text"]


@pytest.mark.costs("it hears and speaks, in several turns")
def test_a_busy_server_is_waited_for(world: World, user: int) -> None:
    """A 429 with Retry-After holds the message, as one of the chat model does."""
    world.sandbox.fail("openai", "429", method="audio.transcriptions", retry_after=1)
    sent = world.sandbox.say(user, attachment="voice", spoken=f"wait for me {user}")
    held(world, user)
    let_time_pass(world, user)
    world.answer(user, sent)
    text, *_ = world.sandbox.replies(user, sent.message_id)
    assert quote_in(text) == f"wait for me {user}"


@pytest.mark.parametrize("kind", ["500", "misnamed"])
def test_an_answer_that_cannot_be_spoken_is_written(world: World, user: int, kind: str) -> None:
    """The text is there, and the turn is done; sound of another format is not sent."""
    world.sandbox.fail("openai", kind, method="audio.speech", times=5)
    messages = say(world, user, QUESTION)
    assert "[1]" in messages[0]["text"]
    assert voices(messages) == []


def test_seconds_of_sound_are_counted_and_limited(world: World, user: int) -> None:
    """The server's count is taken; beyond the limit nothing is sent to it."""
    say(world, user, f"count me {user}")
    found = world.rows(
        "SELECT kind, audio_seconds FROM usage_days WHERE user_id = %s AND audio_seconds > 0", user
    )
    assert {row["kind"]: row["audio_seconds"] for row in found}["hearing"] == 4
    world.rows(
        "UPDATE usage_days SET audio_seconds = 58 WHERE user_id = %s AND kind = 'hearing' "
        "RETURNING kind",
        user,
    )
    since = world.sandbox.mark()
    (told,) = say(world, user, f"and me too {user}")
    assert "limit for today (60 seconds of sound)" in told["text"]
    assert calls(world, "audio.transcriptions", since) == []


@pytest.mark.costs("it hears and speaks, in several turns")
def test_what_is_not_configured_is_named(
    world: World, database_server: PostgresServer, database_template: str, user: int
) -> None:
    """Without a model that hears, the message says which setting is missing."""
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        deaf = World(sandbox, environment(sandbox.url, url), url)
        with running_bot(deaf.environment):
            answer = deaf.ask(user, attachment="voice", spoken="hello")
            assert "TRANSCRIPTION_MODEL" in answer["text"]
            both = deaf.ask(user, "What is staking?", attachment="voice", spoken="hello")
            assert "I could not look at: the voice message" in both["text"]
    del world


def test_a_reply_to_the_bots_speech_is_not_transcribed(world: World, user: int) -> None:
    """Its words stand in the conversation."""
    (voice,) = voices(say(world, user, QUESTION))
    since = world.sandbox.mark()
    world.ask(user, "What did you say?", reply_to_message_id=voice["message_id"])
    assert calls(world, "audio.transcriptions", since) == []


def test_voice_turns_speech_on_and_off(world: World, user: int) -> None:
    """By word and by button: always, in kind, never."""
    offered = command(world, user, "/voice")
    press(world, user, offered, "Always")
    world.ask(user, QUESTION)
    assert len(voices(world.sandbox.replies(user))) == 1
    assert "only write" in command(world, user, "/voice off")["text"]
    assert voices(say(world, user, QUESTION)) == []
    assert "/voice" in command(world, user, "/voice loud")["text"]


@pytest.mark.costs("it hears and speaks, in several turns")
def test_doctor_tries_to_hear_and_to_speak(world: World) -> None:
    """With a recording of its own; a wrong model is named with its setting."""
    found = run_command(["rich_agent.cli", "doctor"], world.environment).stdout
    assert "sandbox-transcription heard “Hello.” in a “hello”" in found
    assert "bytes of Opus" in found
    wrong = {**world.environment, "TRANSCRIPTION_MODEL": "whisper-9"}
    ended = run_command(["rich_agent.cli", "doctor"], wrong, expect=1)
    assert "Check TRANSCRIPTION_MODEL" in ended.stdout + ended.stderr


@needs_browser[0]
@needs_browser[1]
def test_page_sends_what_is_written_as_a_voice_message_and_plays_the_bots(
    world: World, user: int
) -> None:
    """Both can be played; the page has no ears, and says so if nothing is written."""
    with fresh_browser() as browser:
        page = Page(browser, world, user)

        def choose_voice() -> None:
            browser.find_element(By.ID, "attach-other").click()
            browser.find_element(By.CSS_SELECTOR, '[data-attachment="voice"]').click()

        browser.find_element(By.ID, "composer").send_keys(QUESTION)
        choose_voice()
        ready = "return [...document.querySelectorAll('audio')].map((one) => one.readyState)"

        def can_play() -> bool:
            """Source: HTML, HAVE_ENOUGH_DATA."""
            return bool(browser.execute_script(ready) == [4, 4])

        wait_until(can_play, "two recordings can be played")
        sounds = browser.find_elements(By.TAG_NAME, "audio")
        assert all(one.is_displayed() and one.size["height"] > 20 for one in sounds)
        page.screenshot("voice")
        browser.set_window_size(390, 844)
        page.screenshot("voice-phone")
        choose_voice()
        assert "no ears" in browser.find_element(By.TAG_NAME, "body").text


@needs_browser[0]
@needs_browser[1]
def test_page_records_a_voice_message(world: World, user: int) -> None:
    """One is thrown away, one sent: OGG, as from Telegram, in which the page can seek."""
    with fresh_browser(FAKE_DEVICE, FAKE_CONSENT) as browser:
        page = Page(browser, world, user)

        def record(then: str) -> None:
            browser.find_element(By.ID, "record").click()
            time = browser.find_element(By.ID, "recorded")
            wait_until(lambda: time.text not in {"", "0:00"} or None, "the time runs")
            page.screenshot(f"voice-{then}")
            browser.find_element(By.ID, then).click()
            writing = browser.find_element(By.ID, "writing")
            wait_until(lambda: writing.is_displayed() or None, "the field is back")

        since = world.sandbox.mark()
        record("discard")
        record("send-recording")
        page.answer(1, "no ears")
        (call,) = calls(world, "audio.transcriptions", since)
        assert call["body"]["file"]["name"] == "voice.ogg"
        browser.execute_script("document.querySelector('audio').currentTime = 0.5")
        place = "return document.querySelector('audio').currentTime"
        wait_until(lambda: browser.execute_script(place) == 0.5 or None, "the page seeks")
