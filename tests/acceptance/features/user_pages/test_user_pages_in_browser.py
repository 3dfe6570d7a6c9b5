"""The pages of users in a real browser: seen by all eyes, by keyboard, by dragging, and live."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from tests.acceptance.browsing import OVERFLOWS, SCREENSHOTS, axe_problems, needs_browser
from tests.acceptance.features.user_pages.forms import OpenPage
from tests.acceptance.test_commands import command, press
from tests.acceptance.test_web_chat import sign_in_link
from tests.acceptance.visitors import Visitor, visiting
from tests.acceptance.world import World, wait_until

pytestmark = list(needs_browser)

PAGES = (
    "today",
    "tasks",
    "notes",
    "reminders",
    "files",
    "memory",
    "settings",
    "devices",
    "privacy",
)
SCHEMES = ("light", "dark")
WIDTHS = (1280, 390)


def furnish(world: World, visitor: Visitor, user: int) -> None:
    """Give a user something for each page."""
    OpenPage.at(visitor, "/me/settings").send("Save", place="Berlin")
    day = OpenPage.at(visitor, "/me/today")
    for title, start in (("Write the report", "09:00"), ("Call Anna", "11:30")):
        day = day.send("Add to your schedule", title=title, start_time=start)
    day.send("Add a task", title="Buy the tickets")
    tasks = OpenPage.at(visitor, "/me/tasks")
    tasks.send("Add a task", title="Pay the rent", due_date="2026-01-02", priority="urgent")
    text = "Flour, sugar, butter\nAnd lemons"
    OpenPage.at(visitor, "/me/notes").send("Write a note", title="Cake", content=text)
    tomorrow = f"{datetime.now(UTC) + timedelta(days=1):%Y-%m-%dT09:00}"
    OpenPage.at(visitor, "/me/reminders").send(
        "Set a reminder", text="Water the plants", when=tomorrow
    )
    world.rows(
        "INSERT INTO store (prefix, key, value) VALUES (%s, 'facts', jsonb_build_object('items', "
        "jsonb_build_array(jsonb_build_object('text', 'Lives in Kyoto', 'request_id', 'r1', "
        "'updated_at', '2026-03-02T10:00:00+00:00')))) RETURNING key",
        f"users.{user}",
    )


def resize(browser: webdriver.Chrome, width: int) -> None:
    """Also narrower than a window can be."""
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def look(browser: webdriver.Chrome, name: str) -> list[str]:
    """The problems of the page in both schemes and at both widths."""
    problems = []
    for scheme in SCHEMES:
        media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        for width in WIDTHS:
            resize(browser, width)
            problems += [f"{name} {scheme} {width}: {one}" for one in axe_problems(browser)]
            if browser.execute_script(OVERFLOWS):
                problems.append(f"{name} {scheme} {width}: it is wider than the screen")
            if SCREENSHOTS:
                browser.save_screenshot(str(Path(SCREENSHOTS) / f"me-{name}-{width}-{scheme}.png"))
    return problems


@pytest.fixture
def visitor(world: World, user: int) -> Iterator[Visitor]:
    """A second browser of the user, without JavaScript."""
    with visiting(world, user) as opened:
        yield opened


@pytest.fixture
def signed_in(browser: webdriver.Chrome, world: World, user: int) -> webdriver.Chrome:
    """The browser, signed in."""
    browser.get(sign_in_link(world, user))
    wait_until(lambda: browser.find_element(By.ID, "composer").is_displayed(), "signed in")
    return browser


@pytest.mark.feature("agenda", "reminder")
def test_every_page_is_for_everybody(
    signed_in: webdriver.Chrome, world: World, visitor: Visitor, user: int
) -> None:
    """Light and dark, wide and narrow, from right to left: no finding of axe, nothing cut off."""
    home = world.environment["PUBLIC_URL"]
    furnish(world, visitor, user)
    problems = []
    for locale in ("en", "ar", *(("de", "ja") if SCREENSHOTS else ())):
        world.rows(
            "UPDATE users SET locale = %s WHERE telegram_user_id = %s RETURNING 1", locale, user
        )
        for page in PAGES:
            signed_in.get(f"{home}/me/{page}")
            problems += look(signed_in, f"{locale}-{page}")
    assert problems == []


def element(browser: webdriver.Chrome, path: str) -> WebElement:
    """The first element of an XPath, once it is there."""
    found = wait_until(lambda: browser.find_elements(By.XPATH, path) or None, f"there is {path}")
    return found[0]


def changes(browser: webdriver.Chrome) -> str:
    """The announcement of the page."""
    return str(browser.execute_script("return document.getElementById('changes').innerText"))


def is_announced(browser: webdriver.Chrome, text: str) -> bool:
    """Whether the page announces a text."""
    return text in changes(browser)


def tab_to(browser: webdriver.Chrome, identity: str) -> None:
    """Press Tab until the element with this id has the focus."""
    for _ in range(80):
        if browser.switch_to.active_element.get_attribute("id") == identity:
            return
        ActionChains(browser).send_keys(Keys.TAB).perform()
    raise AssertionError(f"Tab does not lead to {identity}")


@pytest.mark.feature("agenda")
def test_keyboard_alone_moves_and_completes(
    signed_in: webdriver.Chrome, world: World, visitor: Visitor
) -> None:
    """The focus stays where it is, and what happened is announced."""
    day = OpenPage.at(visitor, "/me/today")
    day = day.send("Add to your schedule", title="Report", start_time="09:00")
    day.send("Add a task", title="Call Anna")
    signed_in.get(f"{world.environment['PUBLIC_URL']}/me/today")
    later = element(signed_in, "//button[.='Later']").get_attribute("id")
    tab_to(signed_in, str(later))
    for span in ("9:15–9:45", "9:30–10:00"):
        ActionChains(signed_in).send_keys(Keys.ENTER).perform()
        wait_until(partial(is_announced, signed_in, span), f"moved to {span}")
        assert signed_in.switch_to.active_element.get_attribute("id") == later
    done = element(signed_in, "//li[contains(., 'Call Anna')]//button[.='Done']")
    tab_to(signed_in, str(done.get_attribute("id")))
    ActionChains(signed_in).send_keys(Keys.ENTER).perform()
    wait_until(lambda: "Done: “Call Anna”" in changes(signed_in), "done")
    assert OpenPage.at(visitor, "/me/tasks").rows() == []


@pytest.mark.feature("agenda")
def test_row_is_dragged_to_another_time(
    signed_in: webdriver.Chrome, world: World, visitor: Visitor
) -> None:
    """A block moves; a task of the list gets a time; a drop outside changes nothing."""
    day = OpenPage.at(visitor, "/me/today")
    day = day.send("Add to your schedule", title="Report", start_time="09:00")
    day.send("Add a task", title="Call Anna")
    signed_in.get(f"{world.environment['PUBLIC_URL']}/me/today")

    def drag(text: str, to: WebElement) -> None:
        what = element(signed_in, f"//*[@class='what'][.='{text}']")
        hand = ActionChains(signed_in).move_to_element(what).click_and_hold()
        hand.move_by_offset(4, 10).move_to_element(to).release().perform()

    drag("Report", element(signed_in, "//h1"))
    drag("Report", element(signed_in, "//*[contains(@class, 'slot')][contains(., '10:30')]"))
    wait_until(lambda: "10:30–11:00" in changes(signed_in), "moved")
    drag("Call Anna", element(signed_in, "//*[contains(@class, 'slot')][contains(., '20:00')]"))
    wait_until(lambda: "20:00–20:30" in changes(signed_in), "placed")
    assert [row for row in OpenPage.at(visitor, "/me/today").rows() if row != "Call Anna"] == [
        "Report"
    ]


@pytest.mark.feature("agenda")
def test_change_is_seen_in_all_tabs_and_in_the_chat(
    signed_in: webdriver.Chrome, world: World, visitor: Visitor, user: int
) -> None:
    """A press in Telegram, and one in another tab, change the page that is open."""
    page = OpenPage.at(visitor, "/me/tasks")
    page = page.send("Add a task", title="Pay the rent").send("Add a task", title="Call Anna")
    home = world.environment["PUBLIC_URL"]
    first = signed_in.current_window_handle
    signed_in.get(f"{home}/me/tasks")
    signed_in.switch_to.new_window("tab")
    signed_in.get(f"{home}/me/tasks")
    second = signed_in.current_window_handle

    def shown(handle: str, text: str) -> bool:
        signed_in.switch_to.window(handle)
        return bool(signed_in.find_elements(By.XPATH, f"//*[@class='what'][.='{text}']"))

    def hidden(handle: str) -> bool:
        return not shown(handle, "Pay the rent")

    listing = command(world, user, "/tasks")
    press(world, user, listing, "✓ 1")
    for handle in (first, second):
        wait_until(partial(hidden, handle), "done in Telegram")
    signed_in.switch_to.window(first)
    element(signed_in, "//li[contains(., 'Call Anna')]//button[.='Delete']").click()
    wait_until(lambda: not shown(second, "Call Anna"), "deleted in the other tab")
    assert "You have no open tasks" in str(world.ask(user, "/tasks")["text"])


@pytest.mark.feature("agenda")
def test_link_of_telegram_leads_to_the_pages(
    browser: webdriver.Chrome, world: World, user: int
) -> None:
    """/web has a button for them, which signs in; the chat's page leads there, too."""
    message = command(world, user, "/web")
    assert "The link leads there, too: Your pages" in message["text"]
    chat = press(world, user, message, "Link for a browser")
    buttons = [button for row in chat["messages"][-1]["buttons"] for button in row]
    (address,) = (one["url"] for one in buttons if one["text"] == "Your pages")
    browser.get(address)
    element(browser, "//h1[.='Today']")
    assert browser.current_url == f"{world.environment['PUBLIC_URL']}/me/today"
    element(browser, "//header//a[.='Chat']").click()
    element(browser, "//header//a[.='Your pages']").click()
    element(browser, "//h1[.='Today']")
