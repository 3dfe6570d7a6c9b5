"""The form “Connect a model” of the demo's page, in a real browser."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from rich_agent_sandbox.page.model_control import ModelControl
from tests.acceptance.browsing import OVERFLOWS, SCREENSHOTS, axe_problems
from tests.acceptance.world import wait_until
from tests.sandbox_server import RunningSandbox, start_sandbox

KEY = "sk-never-shown-4711"


class Program:
    """The program behind the form: it knows one server, and remembers what was wished for."""

    def __init__(self) -> None:
        self.wishes: list[dict[str, Any]] = []
        self.control = ModelControl(self.take, ("A stand-in answers.",))

    def take(self, line: str) -> None:
        """Answer a wish at once."""
        asked = json.loads(line)
        self.wishes.append(asked)
        if asked["wish"] == "reset":
            told: dict[str, Any] = {"about": ["A stand-in answers."]}
        elif asked["api_key"] != KEY:
            told = {"error": "the account is not accepted (401).", "hint": "Check the key."}
        elif asked["wish"] == "test":
            address = "http://127.0.0.1:9000/v1"
            told = {"base_url": address, "model": "large", "models": ["small", "large"]}
            told |= {"sees": True, "seconds": 0.4}
        else:
            told = {"about": [f"{asked['model']} answers."]}
        self.control.receive(json.dumps({"id": asked["id"], **told}).encode())


@pytest.fixture
def program() -> Program:
    """One for each test."""
    return Program()


@pytest.fixture
def demo_page(program: Program) -> Iterator[RunningSandbox]:
    """A sandbox whose page has the form."""
    with start_sandbox(program.control, about=("A stand-in answers.",)) as running:
        yield running


class Form:
    """The form, as a person sees it."""

    def __init__(self, browser: webdriver.Chrome, demo_page: RunningSandbox) -> None:
        self.browser = browser
        browser.get(f"{demo_page.url}/#1001")
        opener = wait_until(lambda: self._find("welcome-connect"), "the page offers the form")
        opener.click()

    def _find(self, name: str) -> Any:
        found = self.browser.find_elements(By.CSS_SELECTOR, f'[data-testid="{name}"]')
        return found[0] if found else None

    def write(self, name: str, text: str) -> None:
        """Replace the content of a field."""
        field = self._find(name)
        field.clear()
        field.send_keys(text)

    def press(self, name: str, told: str) -> None:
        """Press a button, and wait for what is told."""
        self._find(name).click()
        wait_until(lambda: told in self._find("model-result").text or None, f"{told!r} is shown")

    def value(self, name: str) -> str:
        """The content of a field."""
        return str(self._find(name).get_attribute("value"))

    def screenshot(self, name: str) -> None:
        """Kept in RICH_AGENT_SCREENSHOTS, where it is set."""
        if SCREENSHOTS:
            self.browser.save_screenshot(str(Path(SCREENSHOTS) / f"{name}.png"))


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_form_connects_a_model(
    browser: webdriver.Chrome, demo_page: RunningSandbox, program: Program, width: int, scheme: str
) -> None:
    """A refusal says what to do; a test fills in the rest; the key is gone once it is used."""
    size = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    form = Form(browser, demo_page)
    form.write("model-address", "http://127.0.0.1:9000")
    form.write("model-key", "wrong")
    form.press("model-test", "the account is not accepted (401). Check the key.")
    form.screenshot(f"model-refused-{width}")
    form.write("model-key", KEY)
    form.press("model-test", "large answers: first word after 0.4 s.")
    form.screenshot(f"model-tested-{width}")
    assert form.value("model-address") == "http://127.0.0.1:9000/v1"
    assert form.value("model-name") == "large"
    assert browser.execute_script(OVERFLOWS) is False
    assert axe_problems(browser, "#model") == []
    form.press("model-use", "Connected.")
    assert form.value("model-key") == ""
    used = program.wishes[-1]
    assert (used["wish"], used["model"], used["api_key"], used["sees"]) == (
        "use",
        "large",
        KEY,
        True,
    )
    told = httpx.get(f"{demo_page.url}/sim/bot", trust_env=False)
    assert told.json()["about"] == ["large answers."]
    assert KEY not in told.text
    wait_until(
        lambda: browser.find_element(By.ID, "model-now").text == "large answers." or None,
        "the page says what answers",
    )
    form.press("model-reset", "as at its start")
    assert program.control.about == ("A stand-in answers.",)


def test_form_is_for_this_machine_and_its_own_page(
    demo_page: RunningSandbox, program: Program
) -> None:
    """A page of another site, a form and another host are refused; nothing reaches the program."""
    url = f"{demo_page.url}/sim/model/use"
    body = {"base_url": "http://127.0.0.1:9000", "api_key": KEY}
    for headers, status in (
        ({"origin": "https://evil.example"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"host": "rebound.example"}, 403),
        ({"content-type": "text/plain"}, 415),
    ):
        answer = httpx.post(url, json=body, headers=headers, trust_env=False)
        assert answer.status_code == status
    for wrong in ({}, {"base_url": "file:///etc/passwd"}, {"base_url": "http://a", "api_key": 1}):
        assert httpx.post(url, json=wrong, trust_env=False).status_code == 400
    assert program.wishes == []


async def test_wish_from_another_machine_is_refused(program: Program) -> None:
    """Even where the sandbox is reached by others, with --host and --allow-host."""
    with pytest.raises(Exception, match="from this machine only"):
        await program.control.ask("reset", "192.0.2.7")


def test_page_without_a_program_has_no_form() -> None:
    """A sandbox of its own has nobody who could change the model."""
    with start_sandbox() as plain, httpx.Client(base_url=plain.url, trust_env=False) as http:
        assert http.get("/sim/bot").json()["can_connect"] is False
        assert http.post("/sim/model/reset").status_code == 400
