"""Speech into the microphone of the web chat, and recordings that programs send."""

import re
from collections.abc import Iterator

import httpx
import openai
import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from rich_agent.phrases import say
from tests.acceptance.browsing import (
    FAKE_CONSENT,
    FAKE_DEVICE,
    fresh_browser,
    fresh_tab,
    needs_browser,
)
from tests.acceptance.features.voice.test_voice import QUESTION, SOUNDS, VOICE, calls
from tests.acceptance.program_tokens import store_token
from tests.acceptance.programs import client_of
from tests.acceptance.test_web_chat import Chat
from tests.acceptance.world import World, environment, running_bot, running_sandbox, wait_until
from tests.database import PostgresServer

HEARING = "audio.transcriptions"
NO_EARS = "The sandbox has no ears"


@pytest.fixture(scope="module")
def world(database_server: PostgresServer, with_samples: str) -> Iterator[World]:
    """A running bot that hears, with a sandbox of its own."""
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


def post(world: World, user: int, name: str, data: bytes, **fields: str) -> httpx.Response:
    """Send a recording with a new token of a user, who reads Japanese."""
    headers = {
        "Authorization": f"Bearer {store_token(world, user)}",
        "Accept-Language": "ja",
    }
    url = f"{world.environment['PUBLIC_URL']}/v1/{HEARING.replace('.', '/')}"
    return httpx.post(url, headers=headers, files={"file": (name, data)}, data=fields, timeout=60)


def test_transcription_gives_the_words_of_a_recording(world: World, user: int) -> None:
    """With OpenAI's own client; the same recording is heard once, and its user pays for it."""
    since = world.sandbox.mark()
    with client_of(world, user) as client, (SOUNDS / "question.ogg").open("rb") as file:
        told = client.audio.transcriptions.create(model="whisper-1", file=file)
        assert told.text == QUESTION
        file.seek(0)
        plain = client.audio.transcriptions.create(
            model="whisper-1", file=file, response_format="text"
        )
    assert plain == QUESTION
    assert len(calls(world, HEARING, since)) == 1
    (used,) = world.rows(
        "SELECT audio_seconds FROM usage_days WHERE user_id = %s AND kind = 'hearing'", user
    )
    assert used["audio_seconds"] > 0


@pytest.mark.parametrize(
    ("name", "data", "refusal"),
    [
        ("voice.exe", b"MZ", (415, "invalid_value")),
        ("voice.ogg", b"", (413, "invalid_request")),
        ("voice.ogg", b"no sound at all", (502, "recording_refused")),
        ("voice.ogg", bytes(20_200_000), (413, "body_too_large")),
    ],
)
def test_transcription_refuses_what_is_no_recording(
    world: World, user: int, name: str, data: bytes, refusal: tuple[int, str]
) -> None:
    """In words, with a code for programs."""
    answer = post(world, user, name, data)
    assert (answer.status_code, answer.json()["error"]["code"]) == refusal


def test_transcription_refuses_other_formats_of_answers(world: World, user: int) -> None:
    """It has no times of words, and does not make them up; nothing is sent to the server."""
    since = world.sandbox.mark()
    answer = post(world, user, "voice.ogg", b"OggS", response_format="srt")
    assert "json or text" in answer.json()["error"]["message"]
    assert calls(world, HEARING, since) == []


@pytest.mark.parametrize(
    ("kind", "status", "key"),
    [("500", 503, "voice-unheard"), ("empty", 422, "voice-silent")],
)
def test_transcription_that_fails_is_told_in_the_language_of_the_request(
    world: World, user: int, kind: str, status: int, key: str
) -> None:
    """As in Telegram; no placeholder takes the place of words."""
    world.sandbox.fail("openai", kind, method=HEARING, times=5)
    answer = post(world, user, "voice.ogg", (SOUNDS / "question.ogg").read_bytes())
    assert answer.status_code == status
    assert answer.json()["error"]["message"] == say("ja", key)


def test_transcription_stops_at_the_daily_limit(world: World, user: int) -> None:
    """Beyond it nothing is sent to the server."""
    heard = post(world, user, "voice.m4a", (SOUNDS / "question.m4a").read_bytes())
    assert heard.json() == {"text": QUESTION}
    world.rows(
        "UPDATE usage_days SET audio_seconds = 60 WHERE user_id = %s AND kind = 'hearing' "
        "RETURNING kind",
        user,
    )
    since = world.sandbox.mark()
    answer = post(world, user, "voice.ogg", (SOUNDS / "question.ogg").read_bytes())
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "daily_limit")
    assert calls(world, HEARING, since) == []


def test_transcription_needs_a_token(world: World) -> None:
    """Before anything of the recording is read."""
    url = f"{world.environment['PUBLIC_URL']}/v1"
    with (
        openai.OpenAI(api_key="ra_none", base_url=url, max_retries=0) as client,
        pytest.raises(openai.AuthenticationError),
    ):
        client.audio.transcriptions.create(model="whisper-1", file=("voice.ogg", b"OggS"))


@pytest.fixture(scope="module")
def recorder() -> Iterator[webdriver.Chrome]:
    """A browser with a microphone that beeps, for all tests that record."""
    with fresh_browser("--lang=en", FAKE_DEVICE, FAKE_CONSENT) as browser:
        yield browser


def signed_in(world: World, user: int, *arguments: str) -> Iterator[Chat]:
    """The page of a user in a browser with these arguments."""
    with fresh_browser("--lang=en", *arguments) as browser:
        page = Chat(browser, world, user)
        page.open()
        yield page


@pytest.fixture
def chat(recorder: webdriver.Chrome, world: World, user: int) -> Iterator[Chat]:
    """The page in a browser with a microphone that beeps."""
    with fresh_tab(recorder) as browser:
        page = Chat(browser, world, user)
        page.open()
        yield page


def press(chat: Chat, name: str) -> None:
    """Press the button with this id."""
    chat.browser.find_element(By.ID, name).click()


def record(chat: Chat) -> None:
    """Record for a second, or more on a busy machine."""
    press(chat, "record")
    chat.await_shown("#recorded", "0:")
    wait_until(lambda: chat.all("#recorded")[0].text != "0:00", "the time runs")


@needs_browser[0]
@needs_browser[1]
def test_page_asks_what_is_said(chat: Chat, world: World) -> None:
    """The time runs meanwhile; the words stand as the question, below them the answer."""
    since = world.sandbox.mark()
    record(chat)
    assert chat.all("#composer")[0].is_displayed() is False
    assert chat.serious() == []
    chat.screenshot("recording")
    press(chat, "send-recording")
    chat.await_shown(".asked", NO_EARS)
    assert chat.await_shown(".asked small").text == "Voice message"
    chat.await_over()
    (call,) = calls(world, HEARING, since)
    assert call["body"]["file"]["name"] == "recording.webm"
    assert call["body"]["file"]["bytes"] > 1_000
    assert chat.await_shown("#composer").get_attribute("value") == ""
    chat.browser.refresh()
    chat.await_shown(".asked", NO_EARS)
    assert chat.await_shown(".asked small").text == "Voice message"
    chat.screenshot("spoken")


@needs_browser[0]
@needs_browser[1]
def test_page_discards_a_recording(chat: Chat, world: World) -> None:
    """Nothing is sent, the microphone is closed, and what was written is still there."""
    since = world.sandbox.mark()
    chat.browser.find_element(By.ID, "composer").send_keys("half a thought")
    record(chat)
    press(chat, "discard")
    assert chat.await_shown("#composer").get_attribute("value") == "half a thought"
    assert calls(world, HEARING, since) == []
    assert chat.all(".turn") == []


@needs_browser[0]
@needs_browser[1]
def test_page_keeps_a_recording_that_was_not_heard(chat: Chat, world: World) -> None:
    """The page says why, and the same recording is sent again."""
    world.sandbox.fail("openai", "500", method=HEARING, times=5)
    record(chat)
    press(chat, "send-recording")
    chat.await_shown("#problem", say("en", "voice-unheard"))
    assert re.fullmatch(r"\d+:\d\d", chat.await_shown("#recorded").text)
    chat.screenshot("recording-kept")
    world.sandbox.recover()
    since = world.sandbox.mark()
    press(chat, "send-recording")
    chat.await_shown(".asked", NO_EARS)
    chat.await_over()
    assert len(calls(world, HEARING, since)) == 1
    assert len(chat.all(".turn")) == 1


@needs_browser[0]
@needs_browser[1]
def test_page_says_that_the_microphone_is_blocked(world: World, user: int) -> None:
    """And how to change it; the message field stays."""
    for page in signed_in(world, user, FAKE_DEVICE):
        denied = {"permission": {"name": "microphone"}, "setting": "denied"}
        page.browser.execute_cdp_cmd("Browser.setPermission", denied)
        press(page, "record")
        page.await_shown("#problem", "The microphone is blocked.")
        page.await_shown("#composer")


@needs_browser[0]
@needs_browser[1]
def test_page_says_that_there_is_no_microphone(world: World, user: int) -> None:
    """The message field stays."""
    for page in signed_in(world, user, FAKE_CONSENT):
        press(page, "record")
        page.await_shown("#problem", "No microphone can be used.")
        page.await_shown("#composer")
