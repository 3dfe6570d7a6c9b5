"""A real browser for tests of pages, and who uses it."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

_WHOLE = shutil.which("chromium") or shutil.which("google-chrome")
CHROMIUM = shutil.which("chromium-headless-shell") or _WHOLE
"""The shell draws nothing for a screen, and takes an eighth less of the processor."""
DRIVER = shutil.which("chromedriver")
FAKE_DEVICE = "--use-fake-device-for-media-stream"
"""A microphone that beeps."""
FAKE_CONSENT = "--use-fake-ui-for-media-stream"
_SIZE = (1280, 900)
SCREENSHOTS = os.environ.get("RICH_AGENT_SCREENSHOTS")
OVERFLOWS = "return document.documentElement.scrollWidth > document.documentElement.clientWidth"
_AXE = Path(__file__).parent / "axe" / "axe.min.js"
_FIND_PROBLEMS = """
const [place, done] = arguments;
axe.run(place || document, {resultTypes: ["violations"]}).then(
  (found) => done(found.violations
    .map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(" ")}`)));
"""

needs_browser = (
    pytest.mark.browser,
    pytest.mark.skipif(
        not (CHROMIUM and DRIVER) and not os.environ.get("RICH_AGENT_REQUIRE_BROWSER"),
        reason="Chromium and chromedriver are not installed",
    ),
)


def axe_problems(browser: webdriver.Chrome, place: str = "") -> list[str]:
    """The problems that axe finds in a place (a selector), or on the whole page."""
    browser.execute_script(_AXE.read_text("utf-8"))
    return list(browser.execute_async_script(_FIND_PROBLEMS, place))


@contextmanager
def fresh_browser(*more: str) -> Iterator[webdriver.Chrome]:
    """A browser that has never been used, with further command line arguments."""
    options = webdriver.ChromeOptions()
    # The shell never tells a page that its user refused it a device.
    options.binary_location = str(_WHOLE if FAKE_DEVICE in more else CHROMIUM)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for argument in (
            "--headless=new",
            "--no-sandbox",
            # What is still fading in has no text yet.
            "--force-prefers-reduced-motion",
            "--window-size={},{}".format(*_SIZE),
            f"--user-data-dir={profile}",
            *more,
        ):
            options.add_argument(argument)
        options.enable_bidi = True
        driver = webdriver.Chrome(options=options, service=Service(str(DRIVER)))
        try:
            yield driver
        finally:
            driver.quit()


@contextmanager
def fresh_tab(browser: webdriver.Chrome) -> Iterator[webdriver.Chrome]:
    """The browser with a tab of its own that finds nothing stored; what is emulated ends with it.

    A tab takes 0.3 s of the processor, a window with a profile of its own 1.1 s, a browser 2.6 s.
    """
    before = browser.current_window_handle
    browser.switch_to.window(browser.browsing_context.create(type="tab"))
    browser.set_window_size(*_SIZE)  # the last test may have made it narrow
    try:
        yield browser
    finally:
        for opened in {*browser.window_handles} - {before}:
            browser.switch_to.window(opened)
            _forget_pages(browser)
            browser.close()
        browser.switch_to.window(before)


def _forget_pages(browser: webdriver.Chrome) -> None:
    """Delete all that the pages of the current tab have stored, and what they were permitted."""
    history = browser.execute_cdp_cmd("Page.getNavigationHistory", {})["entries"]
    pages = {urlsplit(page["url"]) for page in history}
    for origin in {f"{page.scheme}://{page.netloc}" for page in pages if page.netloc}:
        stored = {"origin": origin, "storageTypes": "all"}
        browser.execute_cdp_cmd("Storage.clearDataForOrigin", stored)
    for command in ("Network.clearBrowserCookies", "Network.clearBrowserCache"):
        browser.execute_cdp_cmd(command, {})
    browser.execute_cdp_cmd("Browser.resetPermissions", {})
