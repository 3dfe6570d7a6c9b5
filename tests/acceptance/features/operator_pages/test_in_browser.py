"""The operator's pages in a real browser, as somebody uses them."""

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.acceptance.browsed_pages import LOOKS, page_problems, paths_of, speak
from tests.acceptance.browsing import needs_browser
from tests.acceptance.operators import sign_in
from tests.acceptance.test_commands import command
from tests.acceptance.test_web_chat import sign_in_link
from tests.acceptance.world import ADMIN, World, wait_until

pytestmark = list(needs_browser)


def test_pages_fit_and_can_be_read_by_everybody(browser: webdriver.Chrome, world: World) -> None:
    """Every page of the navigation: light and dark, wide and narrow, in both directions."""
    world.ask(ADMIN, "What is proof of history?")
    sign_in(browser, world, ADMIN)
    addresses = paths_of(browser)
    assert len(addresses) >= 2
    addresses.append(f"{world.environment['PUBLIC_URL']}/operator/settings/DAILY_TOKENS")
    problems: list[str] = []
    try:
        for look in LOOKS:
            speak(world, ADMIN, look[0])
            problems += page_problems(browser, addresses, look)
    finally:
        speak(world, ADMIN, "en")
    assert problems == []


def test_chat_leads_to_the_pages_and_back(browser: webdriver.Chrome, world: World) -> None:
    """For whoever has a role; the chat of others has no such link."""
    browser.get(sign_in_link(world, ADMIN))
    links = "return [...document.querySelectorAll('#pages a')].map((link) => link.textContent)"
    wait_until(lambda: "Operator pages" in browser.execute_script(links) or None, "the link")
    browser.find_element(By.LINK_TEXT, "Operator pages").click()
    wait_until(lambda: browser.current_url.endswith("/operator") or None, "the page")
    browser.find_element(By.LINK_TEXT, "Chat").click()
    wait_until(lambda: browser.current_url.endswith("/chat") or None, "the chat")


def test_page_follows_what_others_change(
    browser: webdriver.Chrome, world: World, user: int
) -> None:
    """Within a second, without a reload; what is being filled in and what is open stays."""
    name = f"Noor {user}"
    world.answer(user, world.sandbox.say(user, "hi there", first_name=name))
    sign_in(browser, world, ADMIN)
    browser.get(f"{world.environment['PUBLIC_URL']}/operator/people?q={user}")
    number = browser.find_element(By.ID, "number")
    number.send_keys("12345")
    state = "return document.querySelector('tbody td').textContent.trim()"
    assert browser.execute_script(state) == "may use the bot"
    command(world, ADMIN, f"/deny {user}")
    wait_until(lambda: browser.execute_script(state) == "blocked" or None, "it follows")
    assert number.get_attribute("value") == "12345"
    assert browser.switch_to.active_element == number


def test_form_says_what_is_wrong_and_keeps_its_input(
    browser: webdriver.Chrome, world: World, user: int
) -> None:
    """Without leaving the page; what is right leads on and says so."""
    sign_in(browser, world, ADMIN)
    browser.get(f"{world.environment['PUBLIC_URL']}/operator/people?q={user}")
    number = browser.find_element(By.ID, "number")
    number.send_keys("@zoe")
    browser.execute_script("document.getElementById('number').removeAttribute('pattern')")
    number.send_keys(Keys.ENTER)
    alert = "return document.getElementById('alert').textContent"
    wait_until(lambda: "digits only" in browser.execute_script(alert) or None, "the reason")
    assert number.get_attribute("value") == "@zoe"
    listed = "return document.querySelector('main').textContent.includes(arguments[0])"
    command(world, ADMIN, f"/allow {user}")
    wait_until(lambda: browser.execute_script(listed, str(user)) or None, "the page is refreshed")
    assert "digits only" in browser.execute_script(alert)
    number.clear()
    number.send_keys(str(user), Keys.ENTER)
    said = "return document.getElementById('said').textContent"
    wait_until(lambda: browser.execute_script(said) == "Let in." or None, "it is done")
    assert browser.current_url.endswith(f"/operator/people/{user}")
