"""Messages of a group for one member, on the chat page in a real browser."""

import httpx
import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.acceptance.browsing import axe_problems, needs_browser
from tests.acceptance.world import wait_until
from tests.sandbox_server import RunningSandbox, start_sandbox

pytestmark = list(needs_browser)
ADA, OTHER = 1001, 1002
ONLY_YOU = (By.CSS_SELECTOR, "[data-testid=only-you]")


def send(sandbox: RunningSandbox, text: str, **more: object) -> None:
    """The bot sends a message to Ada's group."""
    body = {"chat_id": -ADA, "text": text, **more}
    httpx.post(f"{sandbox.api_url}/sendMessage", json=body, trust_env=False).raise_for_status()


@pytest.mark.costs("it opens a page")
def test_page_marks_what_only_its_user_sees(browser: webdriver.Chrome) -> None:
    """Among what everybody sees, in order; what another member sees is not drawn at all."""
    with start_sandbox(journal=None) as sandbox:
        messages = f"{sandbox.url}/sim/chats/{ADA}/messages"
        hello = {"text": "hello", "chat_type": "group"}
        httpx.post(messages, json=hello, trust_env=False).raise_for_status()
        members = f"{sandbox.url}/sim/groups/{-ADA}/members"
        httpx.post(members, json={"user_id": OTHER}, trust_env=False).raise_for_status()
        for user in (ADA, OTHER):
            text = f"for {user} alone"
            send(sandbox, text, ephemeral_message_parameters={"receiver_user_id": user})
        send(sandbox, "for all")
        browser.get(f"{sandbox.url}/#{-ADA}")
        wait_until(lambda: browser.find_elements(*ONLY_YOU) or None, "the message is drawn")
        bubbles = browser.find_elements(By.CSS_SELECTOR, "#messages .bubble")
        texts = [bubble.text.split("\n") for bubble in bubbles]
        assert [lines[0] for lines in texts] == ["hello", "Only you can see this", "for all"]
        assert texts[1][1] == f"for {ADA} alone"
        assert axe_problems(browser) == []
