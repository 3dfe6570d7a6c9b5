"""The download of a model on the demo's page, in a real browser."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.select import Select

from rich_agent_sandbox.page.model_control import ModelControl
from tests.acceptance.browsing import OVERFLOWS, SCREENSHOTS, axe_problems
from tests.acceptance.world import wait_until
from tests.sandbox_server import RunningSandbox, start_sandbox

GB = 1_000_000_000
MODELS = (("qwen3:4b-instruct", 2_500_000_000), ("qwen2.5:1.5b", 990_000_000))


class Program:
    """The program behind the page: it offers a download, and remembers what was wished for."""

    def __init__(self) -> None:
        self.wishes: list[tuple[str, str]] = []
        self.control = ModelControl(self.take, ("A stand-in answers.",))

    def take(self, line: str) -> None:
        """Answer a wish at once."""
        wish = json.loads(line)
        self.wishes.append((wish["wish"], wish.get("model", "")))
        self.control.receive(json.dumps({"id": wish["id"]}).encode())

    def tell(self, state: str, **details: Any) -> None:
        """Send a state of the download."""
        models = [{"name": name, "size_bytes": size} for name, size in MODELS]
        told = {"state": state, "server": "Ollama", "starts_server": False, "models": models}
        told |= {"free_bytes": 40 * GB, "install_line": "", **details}
        self.control.receive(json.dumps({"download": told}).encode())


@pytest.fixture
def program() -> Program:
    """One for each test."""
    return Program()


@pytest.fixture
def demo_page(program: Program) -> Iterator[RunningSandbox]:
    """A sandbox whose page offers the download."""
    with start_sandbox(program.control, about=("A stand-in answers.",)) as running:
        program.tell("offered")
        yield running


class DownloadPage:
    """The page of a user who speaks `language`, at a width and in a colour scheme."""

    def __init__(self, browser: webdriver.Chrome, url: str, user: tuple[str, int, str]) -> None:
        language, width, scheme = user
        self.browser, self.name = browser, f"download-{language}-{width}-{scheme}"
        size = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        browser.get(f"{url}/static/app.css")  # of the same origin
        ada = {"chat_id": 1001, "user_id": 1001, "chat_type": "private", "first_name": "Ada"}
        users = json.dumps([{**ada, "language_code": language}])
        browser.execute_script("localStorage.setItem('sandbox.users', arguments[0]);", users)
        browser.get(f"{url}/#1001")

    def find(self, place: str, name: str) -> WebElement:
        """A visible element in one of the places."""
        selector = f'[data-testid="{place}"] [data-testid="{name}"]'

        def visible() -> WebElement | None:
            elements = self.browser.find_elements(By.CSS_SELECTOR, selector)
            with suppress(StaleElementReferenceException):  # built again meanwhile
                return next((one for one in elements if one.is_displayed()), None)
            return None

        return wait_until(visible, f"{name} is in {place}")

    def text(self, place: str) -> str:
        """The text of a place, "" if it is hidden."""
        return self.browser.find_element(By.CSS_SELECTOR, f'[data-testid="{place}"]').text

    def check(self, step: str) -> None:
        """Nothing overflows, and axe finds nothing; a screenshot is kept where one is asked for."""
        if SCREENSHOTS:
            self.browser.save_screenshot(str(Path(SCREENSHOTS) / f"{self.name}-{step}.png"))
        assert self.browser.execute_script(OVERFLOWS) is False
        assert axe_problems(self.browser, ".download:not([hidden])") == []


@pytest.mark.browser
@pytest.mark.parametrize(
    "user", [("en", 390, "dark"), ("en", 1280, "light"), ("ar", 390, "light"), ("ar", 1280, "dark")]
)
def test_page_downloads_a_model(
    browser: webdriver.Chrome,
    demo_page: RunningSandbox,
    program: Program,
    user: tuple[str, int, str],
) -> None:
    """Offered with its size, begun at one press, cancelled, tried again, told when it answers."""
    page = DownloadPage(browser, demo_page.url, user)
    start = page.find("download-card", "download-start")
    assert "qwen3:4b-instruct" in page.text("download-card")
    page.check("offered")
    Select(page.find("download-card", "download-model")).select_by_value("qwen2.5:1.5b")
    start.click()
    wait_until(lambda: program.wishes or None, "the wish came")
    assert program.wishes == [("download", "qwen2.5:1.5b")]
    model = {"model": "qwen2.5:1.5b", "step": "pulling 0a", "total_bytes": GB}
    program.tell("running", **model, done_bytes=250_000_000, left_s=120)
    cancel = page.find("download-strip", "download-cancel")
    bar = page.find("download-strip", "download-bar")
    wait_until(lambda: bar.get_property("value") == 0.25 or None, "a quarter is there")
    page.check("running")
    program.tell("running", **model, done_bytes=GB // 2, left_s=60)
    wait_until(lambda: bar.get_property("value") == 0.5 or None, "half of it is there")
    cancel.click()  # it is the same button still
    wait_until(lambda: program.wishes[1:] or None, "the wish came")
    assert program.wishes[-1][0] == "cancel"
    program.tell("failed", model="qwen2.5:1.5b", error="Ollama: no space left", hint="Free some.")
    page.find("download-strip", "download-again").click()
    assert "Ollama: no space left. Free some." in page.text("download-strip")
    page.check("failed")
    program.tell("ready", model="qwen2.5:1.5b")
    page.find("download-strip", "download-message")
    page.check("ready")
    page.find("download-strip", "download-close").click()
    wait_until(lambda: page.text("download-strip") == "" or None, "the notice is closed")


@pytest.mark.browser
def test_form_tells_what_to_install(
    browser: webdriver.Chrome, demo_page: RunningSandbox, program: Program
) -> None:
    """The line to install where nothing is, and a button that looks again."""
    program.tell("missing", install_line="curl -fsSL https://ollama.com/install.sh | sh")
    page = DownloadPage(browser, demo_page.url, ("en", 390, "light"))
    page.find("welcome", "welcome-connect").click()
    assert page.find("model", "download-install").text.startswith("curl -fsSL")
    page.check("missing")
    page.find("model", "download-look").click()
    wait_until(lambda: program.wishes or None, "the wish came")
    assert program.wishes == [("look", "")]


def test_download_is_for_this_machine_and_its_own_page(
    demo_page: RunningSandbox, program: Program
) -> None:
    """A page of another site, a form and another host are refused; nothing reaches the program."""
    for path in ("download", "cancel", "look"):
        for headers, status in (
            ({"origin": "https://evil.example"}, 403),
            ({"sec-fetch-site": "cross-site"}, 403),
            ({"host": "rebound.example"}, 403),
            ({"content-type": "text/plain"}, 415),
        ):
            url = f"{demo_page.url}/sim/model/{path}"
            answer = httpx.post(url, json={"model": ""}, headers=headers, trust_env=False)
            assert answer.status_code == status, path
    url = f"{demo_page.url}/sim/model/download"
    for wrong in ({"model": 1}, {"model": "x" * 201}, {"base_url": "http://a"}):
        assert httpx.post(url, json=wrong, trust_env=False).status_code == 400
    assert program.wishes == []


async def test_download_from_another_machine_is_refused(program: Program) -> None:
    """Even where the sandbox is reached by others."""
    with pytest.raises(Exception, match="from this machine only"):
        await program.control.ask("download", "192.0.2.7")
