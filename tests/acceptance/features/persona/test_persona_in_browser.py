"""The page of personas in a real browser: what axe finds, and what stays while it changes."""

import json

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.acceptance.browsed_pages import LOOKS, page_problems, speak
from tests.acceptance.browsing import needs_browser
from tests.acceptance.operators import sign_in
from tests.acceptance.world import ADMIN, World, wait_until

pytestmark = [*needs_browser, pytest.mark.feature("operator_pages")]
PATH = "/operator/persona"
STORE = (
    "INSERT INTO persona_versions (space, content, questions, preview, previewed_at) "
    "VALUES ('', %s, %s, %s, now()) RETURNING id"
)
ANSWERS = [
    {"question": "Who are you?", "draft": "I am Zoe. " * 30, "present": "I am the bot.\n\n[1]"},
    {"question": "من أنت؟", "failure": "the model server asks to wait"},
    {"question": "x" * 80, "draft": "No.", "present": "No."},
]


@pytest.fixture
def drafted(world: World) -> None:
    """A draft with its preview, for the bot."""
    content = {"name": "Zoe", "tone": "Calm.", "rules": ["One.", "Two."], "greeting": "Hi"}
    questions = [answer["question"] for answer in ANSWERS]
    world.rows(STORE, *map(json.dumps, (content, questions, ANSWERS)))


@pytest.mark.usefixtures("drafted")
def test_persona_page_can_be_read_by_everybody(browser: webdriver.Chrome, world: World) -> None:
    """With a draft and its answers: light and dark, wide and narrow, in both directions."""
    sign_in(browser, world, ADMIN)
    address = f"{world.environment['PUBLIC_URL']}{PATH}"
    problems: list[str] = []
    try:
        for look in LOOKS:
            speak(world, ADMIN, look[0])
            problems += page_problems(browser, [address], look)
    finally:
        speak(world, ADMIN, "en")
    assert problems == []


@pytest.mark.usefixtures("drafted")
def test_typed_words_stay_while_a_preview_comes(browser: webdriver.Chrome, world: World) -> None:
    """The page follows what another process stores, and a form that is begun is left alone."""
    sign_in(browser, world, ADMIN)
    browser.get(f"{world.environment['PUBLIC_URL']}{PATH}")
    tone = browser.find_element(By.ID, "tone")
    tone.send_keys(" And brief.")
    newer = [{"question": "Who?", "draft": "Newer.", "present": "Older."}]
    world.rows(STORE, '{"name": "Yan"}', '["Who?"]', json.dumps(newer))
    world.rows("SELECT pg_notify('conversations', '0')")
    cells = "return [...document.querySelectorAll('td')].map((cell) => cell.textContent)"
    wait_until(lambda: "Newer." in browser.execute_script(cells) or None, "the answers")
    assert tone.get_attribute("value") == "Calm. And brief."
