"""A real browser for tests of pages, and who uses it."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
FAKE_DEVICE = "--use-fake-device-for-media-stream"
"""A microphone that beeps."""
FAKE_CONSENT = "--use-fake-ui-for-media-stream"
SCREENSHOTS = os.environ.get("RICH_AGENT_SCREENSHOTS")

needs_browser = (
    pytest.mark.browser,
    pytest.mark.skipif(
        not (CHROMIUM and DRIVER) and not os.environ.get("RICH_AGENT_REQUIRE_BROWSER"),
        reason="Chromium and chromedriver are not installed",
    ),
)


@contextmanager
def fresh_browser(*more: str) -> Iterator[webdriver.Chrome]:
    """A browser that has never been used, with further command line arguments."""
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for argument in (
            "--headless=new",
            "--no-sandbox",
            # What is still fading in has no text yet.
            "--force-prefers-reduced-motion",
            "--window-size=1280,900",
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
def fresh_profile(browser: webdriver.Chrome) -> Iterator[webdriver.Chrome]:
    """The browser with a window whose storage, cookies and permissions are new, and its own.

    It takes a third of the time of a new browser. What is emulated ends with the window.
    """
    before = browser.current_window_handle
    profile = browser.browser.create_user_context()
    browser.switch_to.window(browser.browsing_context.create(type="window", user_context=profile))
    try:
        yield browser
    finally:
        browser.browser.remove_user_context(profile)  # closes its windows too
        browser.switch_to.window(before)
