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


def look_like(browser: webdriver.Chrome, scheme: str, width: int) -> None:
    """Have the browser show pages in a scheme and a width, also narrower than a window can be."""
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def paths_of(browser: webdriver.Chrome) -> list[str]:
    """The addresses in the navigation of the page that is shown."""
    links = browser.find_elements(By.CSS_SELECTOR, "header nav:not(.elsewhere) a")
    return [str(link.get_attribute("href")) for link in links]


def page_problems(browser: webdriver.Chrome, addresses: list[str], look: str) -> Iterator[str]:
    """The problems of the pages at these addresses; `look` is for the names of pictures."""
    for address in addresses:
        browser.get(address)
        name = "-".join(address.partition("//")[2].split("?")[0].split("/")[1:])
        if SCREENSHOTS:
            height = browser.execute_script("return document.documentElement.scrollHeight")
            size = browser.execute_script("return document.documentElement.clientWidth")
            whole = {"width": size, "height": height, "deviceScaleFactor": 1, "mobile": False}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", whole)
            browser.save_screenshot(str(Path(SCREENSHOTS) / f"{name}-{look}.png"))
        yield from (f"{name} {look}: {problem}" for problem in axe_problems(browser))
        if browser.execute_script(OVERFLOWS):
            yield f"{name} {look}: wider than the window"
        yield from (f"{name} {look}: {entry['message']}" for entry in browser.get_log("browser"))
