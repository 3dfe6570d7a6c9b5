"""Widgets on the sandbox's page, in a real browser: readable, with the keyboard, in each look."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.acceptance.browsed_pages import LOOKS, look_like, speak
from tests.acceptance.browsing import OVERFLOWS, SCREENSHOTS, axe_problems, needs_browser
from tests.acceptance.test_acting import asked, settled, titles, two_tasks
from tests.acceptance.test_commands import press
from tests.acceptance.test_living_answers import add_documents, ask_by_region
from tests.acceptance.test_web_chat import PRESS_TOGETHER
from tests.acceptance.world import World, environment, running_bot, running_sandbox, wait_until
from tests.database import PostgresServer

Json = dict[str, Any]
pytestmark = list(needs_browser)
LAMP = "# Mellbrook lamp\n\n" + "The Mellbrook tower is lit by a lamp of brass. " * 20
DOORS = "# Mellbrook doors\n\nThe doors of the Mellbrook tower are blue."


@pytest.fixture(scope="module")
def world(
    database_server: PostgresServer,
    database_template: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[World]:
    """A bot that shows widgets, and reads two files."""
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        made = World(sandbox, environment(sandbox.url, url, WIDGETS="auto"), url)
        add_documents(made, tmp_path_factory.mktemp("parts"), LAMP, DOORS)
        with running_bot(made.environment):
            yield made
            made.await_idle()


def approval(world: World, user: int) -> Json:
    """Two changes that wait for approval."""
    return asked(world, user, two_tasks(), "Both are on your list.")


def tasks(world: World, user: int) -> Json:
    """Tasks with dates and without, one of them with a title in the other direction."""
    for title in ("Buy milk and bread for the whole week", "اتصل بالمدرسة", "Call the plumber"):
        add = "INSERT INTO tasks (user_id, title, due_date) VALUES (%s, %s, now()) RETURNING id"
        world.rows(add, user, title)
    return world.ask(user, "/tasks")


def session(world: World, user: int) -> Json:
    """The templates of guided sessions."""
    return world.ask(user, "/session")


def chart(world: World, user: int) -> Json:
    """Units by region."""
    return ask_by_region(world, user, f"How many units did each region sell for {user}?")


def sources(world: World, user: int) -> Json:
    """The passages of an answer, by a press on one of its sources."""
    question = f"What are the lamp and the doors of the Mellbrook tower like, asks {user}?"
    world.sandbox.script(question, "Brass [1], and blue [2].")
    answer = world.ask(user, question)
    return press(world, user, answer, "[1]")


BLOCKS: Mapping[str, Callable[[World, int], Json]] = {
    "approval": approval,
    "tasks": tasks,
    "session": session,
    "chart": chart,
    "sources": sources,
}
"""What leads to a message that is a widget, by the kind of its block."""


def enter_widget(browser: webdriver.Chrome, world: World, user: int) -> None:
    """Open the chat, and go into the frame of its newest widget."""
    browser.get("about:blank")
    browser.get(f"{world.sandbox.url}/#{user}")
    frames = wait_until(
        lambda: browser.find_elements(By.CSS_SELECTOR, "iframe.widget") or None, "a widget"
    )
    browser.switch_to.frame(frames[-1])
    wait_until(lambda: browser.find_elements(By.TAG_NAME, "main") or None, "its document")


@pytest.mark.parametrize("kind", BLOCKS)
def test_widget_can_be_read_by_everybody(
    browser: webdriver.Chrome, world: World, user: int, kind: str
) -> None:
    """Light and dark, wide and narrow, from right to left: no problem that axe finds, all fits."""
    problems = []
    for number, (locale, scheme, width) in enumerate(LOOKS):
        person = user * 10 + number
        world.ask(person, "hi")
        speak(world, person, locale)
        BLOCKS[kind](world, person)
        look_like(browser, scheme, width)
        enter_widget(browser, world, person)
        name = f"widget-{kind}-{locale}-{scheme}-{width}"
        problems += [f"{name}: {one}" for one in axe_problems(browser)]
        if browser.execute_script(OVERFLOWS):
            problems.append(f"{name}: wider than its frame")
        direction = browser.find_element(By.TAG_NAME, "html").get_attribute("dir")
        assert direction == ("rtl" if locale == "ar" else "ltr")
        browser.switch_to.default_content()
        if SCREENSHOTS:
            browser.save_screenshot(str(Path(SCREENSHOTS) / f"{name}.png"))
    assert problems == []


def test_widget_is_used_with_the_keyboard(
    browser: webdriver.Chrome, world: World, user: int
) -> None:
    """Approved by Enter; the widget says so and has no buttons, also after a reload."""
    approval(world, user)
    enter_widget(browser, world, user)
    button = browser.find_element(By.TAG_NAME, "button")
    button.send_keys(Keys.ENTER)
    wait_until(lambda: not browser.find_elements(By.TAG_NAME, "button") or None, "the decision")
    assert browser.find_element(By.ID, "note").text == "✓ Approve"
    settled(world, user)
    assert titles(world, user) == ["Bread", "Salt"]
    browser.switch_to.default_content()
    enter_widget(browser, world, user)
    assert browser.find_element(By.ID, "note").text == "✓ Approve"
    assert not browser.find_elements(By.TAG_NAME, "button")


@pytest.mark.feature("agenda")
def test_presses_of_a_widget_wait_for_each_other(
    browser: webdriver.Chrome, world: World, user: int
) -> None:
    """Marked until they are answered, not too many for Telegram, and none without its button."""
    world.ask(user, "hi")
    for title in ("Bread", "Salt"):
        world.rows("INSERT INTO tasks (user_id, title) VALUES (%s, %s) RETURNING id", user, title)
    world.ask(user, "/tasks")
    enter_widget(browser, world, user)
    for done in (2, 0, 2):
        assert browser.execute_script(PRESS_TOGETHER, "li") == ["true"] * 3
        wait_until(lambda: None if _has(browser, "[aria-disabled]") else True, "all are answered")
        assert _has(browser, "li.done") == done
    assert browser.find_element(By.ID, "note").text.startswith("Done")
    queries = world.sandbox.chat(user)["widget_queries"]
    assert len(queries) == 6


def _has(browser: webdriver.Chrome, selector: str) -> int:
    """The number of such elements."""
    return len(browser.find_elements(By.CSS_SELECTOR, selector))
