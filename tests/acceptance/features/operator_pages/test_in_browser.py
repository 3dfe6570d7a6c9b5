"""The operator's pages in a real browser, as somebody uses them."""

from selenium import webdriver

from tests.acceptance.browsed_pages import LOOKS, look_like, page_problems, paths_of, speak
from tests.acceptance.browsing import needs_browser
from tests.acceptance.test_web_chat import sign_in_link
from tests.acceptance.world import ADMIN, World, wait_until

pytestmark = list(needs_browser)


def sign_in(browser: webdriver.Chrome, world: World, user: int) -> None:
    """Sign in by the link of /web, and open the pages."""
    browser.get(sign_in_link(world, user))
    signed_in = "return !document.getElementById('composer').closest('form').hidden"
    wait_until(lambda: browser.execute_script(signed_in) or None, "the chat")
    browser.get(f"{world.environment['PUBLIC_URL']}/operator")


def test_pages_fit_and_can_be_read_by_everybody(browser: webdriver.Chrome, world: World) -> None:
    """Every page of the navigation: light and dark, wide and narrow, in both directions."""
    world.ask(ADMIN, "What is proof of history?")
    sign_in(browser, world, ADMIN)
    addresses = paths_of(browser)
    assert len(addresses) >= 2
    problems: list[str] = []
    try:
        for locale, scheme, width in LOOKS:
            speak(world, ADMIN, locale)
            look_like(browser, scheme, width)
            problems += page_problems(browser, addresses, f"{locale}-{scheme}-{width}")
    finally:
        speak(world, ADMIN, "en")
    assert problems == []
