"""All pages of an area in a real browser: what axe finds, whether they fit, pictures of them."""

from collections.abc import Iterator
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.acceptance.browsing import OVERFLOWS, SCREENSHOTS, axe_problems
from tests.acceptance.world import World

LOOKS = (("en", "light", 1280), ("en", "dark", 390), ("ar", "light", 390), ("ar", "dark", 1280))
"""Language, scheme and width: each pair of a scheme and a width, and of a language and a width."""


def speak(world: World, user: int, locale: str) -> None:
    """Choose a language for the user, as /language does."""
    choose = "UPDATE users SET locale = %s WHERE telegram_user_id = %s RETURNING locale"
    world.rows(choose, locale, user)


def look_like(browser: webdriver.Chrome, scheme: str, width: int, height: int = 900) -> None:
    """Have the browser show pages in a scheme and a size, also narrower than a window can be."""
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def paths_of(browser: webdriver.Chrome) -> list[str]:
    """The addresses in the navigation of the page that is shown."""
    links = browser.find_elements(By.CSS_SELECTOR, "header nav:not(.elsewhere) a")
    return [str(link.get_attribute("href")) for link in links]


def page_problems(
    browser: webdriver.Chrome, addresses: list[str], look: tuple[str, str, int]
) -> Iterator[str]:
    """The problems of the pages at these addresses in a language, scheme and width."""
    _, scheme, width = look
    for address in addresses:
        look_like(browser, scheme, width)
        _messages(browser)
        browser.get(address)
        path = "-".join(address.partition("//")[2].split("?")[0].split("/")[1:])
        yield from problems_shown(browser, path, look)


def problems_shown(
    browser: webdriver.Chrome, path: str, look: tuple[str, str, int]
) -> Iterator[str]:
    """The problems of the page that is shown, in a language, scheme and width."""
    locale, scheme, width = look
    name = f"{path}-{locale}-{scheme}-{width}"
    yield from (f"{name}: {problem}" for problem in axe_problems(browser))
    if browser.execute_script(OVERFLOWS):
        yield f"{name}: wider than the window"
    # A page that is refused is shown, too, and the console says with which status.
    yield from (f"{name}: {text}" for text in _messages(browser) if "a status of 40" not in text)
    if SCREENSHOTS:
        height = browser.execute_script("return document.documentElement.scrollHeight")
        look_like(browser, scheme, width, height)
        browser.save_screenshot(str(Path(SCREENSHOTS) / f"{name}.png"))


def _messages(browser: webdriver.Chrome) -> list[str]:
    """The messages of the console since they were last read."""
    entries = browser.get_log("browser")  # type: ignore[no-untyped-call]
    return [entry["message"] for entry in entries]
