"""The operator's pages about single things in a real browser, and those that refuse or are gone."""

from collections.abc import Iterator

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.acceptance.browsed_pages import LOOKS, look_like, page_problems, problems_shown, speak
from tests.acceptance.browsing import SCREENSHOTS, needs_browser
from tests.acceptance.features.operator_pages.test_models_page import USE
from tests.acceptance.features.operator_pages.test_work import give_up
from tests.acceptance.operators import await_subject, sign_in
from tests.acceptance.test_commands import press
from tests.acceptance.world import ADMIN, World, wait_until

pytestmark = list(needs_browser)
Look = tuple[str, str, int]
_SHOWN = (*LOOKS, ("de", "light", 390), ("ja", "light", 1280))
_LOOKS = _SHOWN if SCREENSHOTS else (("en", "light", 1280), ("ar", "dark", 390))
_APPROVAL = """
INSERT INTO approvals (user_id, thread_id, request_id, revision, locale, intent, question, answer,
    citations, message_id)
VALUES (%s, %s, 'r1', 1, 'en', 'rag', %s, %s, '[]', 1) RETURNING id
"""
_FAILED_WORK = """
INSERT INTO due_work (kind, key, user_id, last_error, tries, set_aside_at)
VALUES ('operator_pages_ask_again', %s, %s, 'it broke', 12, now()) RETURNING id
"""
LONG = "How long may a book stay with me, and what does it cost afterwards? " * 3


def furnish(world: World, user: int) -> list[str]:
    """Give the pages something of a user to show; return their paths."""
    world.ask(user, "Is there a fee for late library books?")
    press(world, user, world.ask(user, "What is proof of history good for?"), "👎")
    subject = await_subject(world, user)
    (question, *_) = world.rows(
        "SELECT id FROM quality_questions WHERE thread_id = %s AND subject_id = %s",
        *(f"tg:{user}", int(subject.rpartition("/")[2])),
    )
    world.rows(_APPROVAL, user, f"tg:{user}", LONG, LONG)
    world.rows(_FAILED_WORK, str(user), user)
    world.rows(USE, user, "a-model-with-a-long-name-of-" + "x" * 40)
    give_up(world, user, "Write a haiku about lighthouses")
    parts = (f"people/{user}", "work", "models?days=1", f"audit?person={user}", "audit")
    return [*(f"/operator/{part}" for part in parts), subject, f"{subject}/{question['id']}"]


def forget(world: World, user: int) -> None:
    """Take away what other tests would find."""
    for statement in (
        "DELETE FROM approvals WHERE user_id = %s RETURNING id",
        "DELETE FROM due_work WHERE user_id = %s RETURNING id",
        "DELETE FROM telegram_inbox WHERE user_id = %s AND dead_at IS NOT NULL RETURNING user_id",
    ):
        world.rows(statement, user)


def form_problems(browser: webdriver.Chrome, home: str, user: int, look: Look) -> Iterator[str]:
    """The problems of what forms answer: somebody let in, and an invitation, shown once."""
    look_like(browser, *look[1:])
    browser.get(f"{home}/operator/people")
    browser.find_element(By.ID, "number").send_keys(str(user), Keys.ENTER)
    wait_until(lambda: browser.current_url.endswith(f"/people/{user}") or None, "let in")
    yield from problems_shown(browser, "let-in", look)
    browser.find_element(By.CSS_SELECTOR, "button[popovertarget=block]").click()
    yield from problems_shown(browser, "block", look)
    browser.get(f"{home}/operator/people")
    browser.find_element(By.CSS_SELECTOR, "form[action$='/invite'] button").click()
    wait_until(lambda: browser.find_elements(By.ID, "link") or None, "the invitation")
    copy = browser.find_element(By.CSS_SELECTOR, "[data-copies=link]")
    assert copy.is_displayed()
    yield from problems_shown(browser, "invitation", look)


def test_pages_about_single_things_can_be_read_by_everybody(
    browser: webdriver.Chrome, world: World, user: int
) -> None:
    """With what the program stores: light and dark, wide and narrow, in both directions."""
    home = world.environment["PUBLIC_URL"]
    paths = [*furnish(world, user), "/operator/people/9007199254740991"]
    addresses = [home + path for path in paths]
    sign_in(browser, world, ADMIN)
    problems: list[str] = []
    try:
        for look in _LOOKS:
            speak(world, ADMIN, look[0])
            problems += form_problems(browser, home, user, look)
            problems += page_problems(browser, addresses, look)
    finally:
        speak(world, ADMIN, "en")
        forget(world, user)
    assert problems == []


def test_pages_that_refuse_can_be_read_by_everybody(
    browser: webdriver.Chrome, world: World, user: int
) -> None:
    """Somebody without a role, and somebody who is not signed in."""
    address = f"{world.environment['PUBLIC_URL']}/operator"
    sign_in(browser, world, user)
    problems: list[str] = []
    for look in _LOOKS:
        speak(world, user, look[0])
        problems += page_problems(browser, [f"{address}/people"], look)
    browser.delete_all_cookies()
    for look in _LOOKS:
        headers = {"headers": {"Accept-Language": look[0]}}
        browser.execute_cdp_cmd("Network.enable", {})
        browser.execute_cdp_cmd("Network.setExtraHTTPHeaders", headers)
        problems += page_problems(browser, [address], look)
        assert browser.find_element(By.TAG_NAME, "html").get_attribute("lang") == look[0]
    assert problems == []
