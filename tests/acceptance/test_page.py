"""The chat page in a real browser, as a person uses it."""

import base64
import json
import re
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import httpx
import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from rich_agent.domain.answer.citation import Answer, Citation
from rich_agent.rendering.answers import render
from tests.acceptance.browsing import OVERFLOWS, SCREENSHOTS, axe_problems, needs_browser
from tests.acceptance.pictures import picture
from tests.acceptance.world import World, wait_until
from tests.sandbox_server import start_sandbox

ELSEWHERE = "http://127.0.0.1:9"

pytestmark = list(needs_browser)


class Page:
    """The page of one user."""

    def __init__(self, browser: webdriver.Chrome, world: World, user: int) -> None:
        self.browser, self.world, self.user = browser, world, user
        browser.get(f"{world.sandbox.url}/#{user}")

    def send(self, text: str) -> None:
        """Write and press Enter."""
        composer = self.browser.find_element(By.ID, "composer")
        composer.send_keys(text, Keys.ENTER)

    def bubbles(self, sender: str) -> list[WebElement]:
        """The messages shown, oldest first."""
        return self.browser.find_elements(
            By.CSS_SELECTOR, f'[data-message-id][data-from="{sender}"]'
        )

    def answer(self, number: int, holds: str) -> WebElement:
        """The bot's n-th bubble once it shows `holds`."""

        def found() -> WebElement | None:
            shown = self.bubbles("bot")
            return (
                shown[number - 1]
                if len(shown) >= number and holds in shown[number - 1].text
                else None
            )

        return wait_until(found, f"bubble {number} shows {holds!r}")

    def tool(self, bubble: WebElement, name: str) -> WebElement:
        """A tool beside a bubble, which shows when the pointer is over it."""
        webdriver.ActionChains(self.browser).move_to_element(bubble).perform()
        return bubble.find_element(By.CSS_SELECTOR, f'[data-testid="{name}"]')

    def screenshot(self, name: str) -> None:
        """Kept in RICH_AGENT_SCREENSHOTS, where it is set."""
        if SCREENSHOTS:
            self.browser.save_screenshot(str(Path(SCREENSHOTS) / f"{name}.png"))


@pytest.mark.req("ROUTE-2", "RAG-4", "TOOL-2", "ROUTE-3")
def test_page_shows_a_conversation_with_sources_that_open(
    browser: webdriver.Chrome, world: World, user: int
) -> None:
    """A greeting without retrieval; a streamed answer whose links are right; the bot's own docs."""
    page = Page(browser, world, user)
    before = world.sandbox.mark()
    page.send("hi")
    page.answer(1, "Ask me anything")
    assert world.sandbox.calls("openai", before) == []
    page.send("What is proof of history?")
    answer = page.answer(2, "Sources")
    links = [link.get_attribute("href") or "" for link in answer.find_elements(By.TAG_NAME, "a")]
    assert any("/library/solana/proof-of-history" in link for link in links)
    page.send("what are your sources?")
    own = page.answer(3, "[1] About this bot")
    assert "/library/docs/" in (own.find_element(By.TAG_NAME, "a").get_attribute("href") or "")
    page.screenshot("conversation")
    browser.get(links[-1])
    assert "Proof of history" in browser.find_element(By.TAG_NAME, "h1").text
    edits = [c for c in world.sandbox.calls("telegram", before) if c["method"] == "editMessageText"]
    assert edits, "the answer grew"


@pytest.mark.req("TG-2", "TG-3", "VIS-2")
def test_page_sends_a_photo_and_a_reply_to_it(
    browser: webdriver.Chrome, world: World, user: int, tmp_path: Path
) -> None:
    """A photo with a question, then a reply to that photo: both use it, with one vision call."""
    file = tmp_path / "picture.png"
    file.write_bytes(picture("orange", "navy", seed=user + 7))
    page = Page(browser, world, user)
    before = world.sandbox.mark()
    browser.find_element(By.ID, "photo-input").send_keys(str(file))
    page.send("what is in this picture?")
    page.answer(1, "orange")
    photo = page.bubbles("user")[0]
    webdriver.ActionChains(browser).move_to_element(photo).perform()
    photo.find_element(By.CSS_SELECTOR, '[data-testid="reply"]').click()
    page.send("which colour is on the right?")
    page.answer(2, "navy")
    page.screenshot("photo")
    calls = [c for c in world.sandbox.calls("openai", before) if "image_bytes" in str(c["body"])]
    assert len(calls) == 1


def test_page_shows_users_apart_and_the_calls_of_the_bot(
    browser: webdriver.Chrome, world: World, user: int
) -> None:
    """Two users side by side, each with their own messages; the drawer lists the bot's calls."""
    page = Page(browser, world, user)
    page.send("hi")
    page.answer(1, "Ask me anything")
    other = Page(browser, world, user + 500)
    browser.refresh()
    wait_until(lambda: not other.bubbles("bot") or None, "the other user's chat is empty")
    assert browser.find_elements(By.CSS_SELECTOR, f'#users [data-user-id="{user}"]')
    browser.find_element(By.CSS_SELECTOR, 'button[aria-controls="calls"], #calls-toggle').click()
    wait_until(
        lambda: "sendMessage" in browser.find_element(By.ID, "calls").text or None,
        "the drawer lists sendMessage",
    )
    page.screenshot("drawer")


def test_page_fits_a_phone(browser: webdriver.Chrome, world: World, user: int) -> None:
    """At 390 x 844 nothing is wider than the screen."""
    browser.set_window_size(390, 844)
    page = Page(browser, world, user)
    page.send("What is proof of history?")
    page.answer(1, "Sources")
    page.screenshot("phone")
    assert browser.execute_script(OVERFLOWS) is False


def test_page_edits_forwards_and_sends_other_kinds(
    browser: webdriver.Chrome, world: World, user: int
) -> None:
    """An edit changes the answer in its place; forward and sticker are shown as such."""
    page = Page(browser, world, user)
    page.send("What is proof of history?")
    page.answer(1, "Sources")
    page.tool(page.bubbles("user")[0], "edit").click()
    composer = browser.find_element(By.ID, "composer")
    composer.clear()
    page.send("hi")
    page.answer(1, "Ask me anything")
    assert len(page.bubbles("bot")) == 1
    world.sandbox.pause(user)
    page.tool(page.bubbles("user")[0], "forward").click()
    wait_until(lambda: len(page.bubbles("user")) == 2 or None, "the forward is shown")
    assert "Forwarded from" in page.bubbles("user")[1].text
    page.answer(2, "Ask me anything")
    browser.find_element(By.ID, "attach-other").click()
    browser.find_element(By.CSS_SELECTOR, '[data-attachment="sticker"]').click()
    page.answer(3, "on a sticker")
    assert "😀" in page.bubbles("user")[2].text
    page.screenshot("kinds")
    browser.set_window_size(390, 844)
    page.screenshot("kinds-phone")
    assert browser.execute_script(OVERFLOWS) is False


def _texts(browser: webdriver.Chrome, selector: str) -> list[str]:
    # In one step: the page may draw what is looked at again.
    script = (
        "return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText.trim())"
    )
    found: list[str] = browser.execute_script(script, selector)
    return found


def test_page_shows_what_answers_are_made_of(browser: webdriver.Chrome) -> None:
    """Code with its language, folded quotes, spoilers and links look like themselves."""
    link = "https://docs.example.com/a#:~:text=one%20two"
    cited = (Citation(1, "c1", "document", link, link, "Guide", "Start"),)
    text = f"So [1]. ||hidden||\n\n```python\nx = 1\n```\n\n> {'long quote ' * 60}\n\nSee evil.com"
    (message,) = render(Answer(text, cited), locale="en")
    body = asdict(message) | {"chat_id": 42}
    with start_sandbox(journal=None) as sandbox:
        httpx.post(f"{sandbox.url}/sim/chats/42/messages", json={"text": "hi"}).raise_for_status()
        httpx.post(f"{sandbox.api_url}/sendMessage", json=without_nulls(body)).raise_for_status()
        browser.get(f"{sandbox.url}/#42")
        wait_until(lambda: _texts(browser, ".bubble pre") == ["x = 1"], "code")
        found = {
            selector: _texts(browser, f".text {selector}")
            for selector in (
                "pre[data-language=python]",
                "code",
                "blockquote.expandable",
                ".spoiler",
            )
        }
        links = browser.find_elements(By.CSS_SELECTOR, ".text a")
        assert found["pre[data-language=python]"] == ["x = 1"]
        assert found["code"] == ["x = 1", "evil.com"]
        assert len(found["blockquote.expandable"]) == len(found[".spoiler"]) == 1
        assert [a.get_attribute("href") for a in links] == [link, link]


@pytest.mark.parametrize(("language", "photo"), [("en", "Your photo"), ("ar", "صورتك")])
def test_welcome_is_whole_on_low_screens_in_the_language_of_its_user(
    browser: webdriver.Chrome, language: str, photo: str
) -> None:
    """The pictures are in sight without scrolling; their names are for the user."""
    asked = ("What is tea?", "What is the oldest tea house?", "What is milk made of?")
    about = ("This is a demo. " * 12, f"ar:{'هذا عرض تجريبي. ' * 12}")
    with start_sandbox(journal=None, about=about, suggestions=asked) as sandbox:
        browser.get(sandbox.url)
        _remember_user(browser, language)
        for width, height in ((1280, 757), (390, 700)):
            size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            browser.get(f"{sandbox.url}/?{width}#42")
            wait_until(lambda: _texts(browser, _OWN_PHOTO) == [photo], "the card is there")
            assert browser.execute_script(_CUT) is False


def _remember_user(browser: webdriver.Chrome, language: str) -> None:
    """Ada, whose app speaks this language, has the chat 42."""
    ada = {"chat_id": 42, "user_id": 42, "chat_type": "private", "first_name": "Ada"}
    people = json.dumps([ada | {"language_code": language}])
    browser.execute_script("localStorage.setItem('sandbox.users', arguments[0])", people)


_VISIBLE_WORDS = {
    "en": ("Message", "No messages yet", "Private chat", "All", "A demo."),
    "pt-br": ("Mensagem", "Nenhuma mensagem ainda", "Conversa privada", "Todos", "Uma demo."),
    "zh-tw": ("訊息", "還沒有訊息", "私人聊天", "全部", "一個示範。"),
    "ar": ("رسالة", "لا رسائل بعد", "محادثة خاصة", "الكل", "عرض."),
    "sv": ("Message", "No messages yet", "Private chat", "All", "A demo."),
}


@pytest.mark.parametrize("language", _VISIBLE_WORDS)
def test_page_speaks_the_language_of_its_user_around_the_messages(
    browser: webdriver.Chrome, language: str
) -> None:
    """The field, the list of people, the places, the topics and the notice."""
    about = ("A demo.", "ar:عرض.", "pt-BR:Uma demo.", "zh-Hans:一个演示。", "zh-Hant:一個示範。")
    field, empty, place, topic, notice = _VISIBLE_WORDS[language]
    with start_sandbox(journal=None, about=about) as sandbox:
        browser.get(sandbox.url)
        _remember_user(browser, language)
        browser.get(f"{sandbox.url}/?{language}#42")
        wait_until(lambda: _texts(browser, "[data-testid=about]") == [notice], "the notice")
        composer = browser.find_element(By.ID, "composer")
        assert composer.get_attribute("placeholder") == field
        assert _texts(browser, "#users .last") == [empty]
        assert _texts(browser, "#place option:checked") == [place]
        assert _texts(browser, "[data-topic=all]") == [topic]


def test_page_is_open_to_everybody(browser: webdriver.Chrome) -> None:
    """No finding of axe: the card, messages, calls and people, in both schemes and directions."""
    with start_sandbox(journal=None, about=("A demo.",), suggestions=("What is tea?",)) as sandbox:
        browser.get(sandbox.url)
        _remember_user(browser, "ar")
        browser.get(f"{sandbox.url}/?open#42")
        wait_until(lambda: _texts(browser, "[data-testid=suggestion]") or None, "the card")
        assert _findings(browser) == []
        _say(sandbox.url, 42, {"text": "ما هو الشاي؟", "language_code": "ar"})
        link = {"type": "text_link", "offset": 5, "length": 3, "url": f"{ELSEWHERE}/library/a"}
        keys = [[{"text": "Yes", "callback_data": "y", "style": "success"}]]
        said = {"chat_id": 42, "text": "Tea. [1]", "entities": [link]}
        said |= {"reply_markup": {"inline_keyboard": keys}}
        httpx.post(f"{sandbox.api_url}/sendMessage", json=said).raise_for_status()
        wait_until(lambda: _texts(browser, "[data-callback=y]") or None, "the answer")
        browser.find_element(By.ID, "calls-toggle").click()
        wait_until(lambda: _texts(browser, ".call-lines summary") or None, "the calls")
        assert _findings(browser) == []
        browser.find_element(By.ID, "calls-toggle").click()
        size = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        browser.find_element(By.ID, "back").click()
        wait_until(lambda: _texts(browser, "#users .last") or None, "the people")
        assert _findings(browser) == []


def _findings(browser: webdriver.Chrome) -> list[str]:
    """The problems that axe finds in either scheme."""
    findings: list[str] = []
    for scheme in ("light", "dark"):
        media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        findings += axe_problems(browser)
    return findings


_OWN_PHOTO = "[data-testid=suggest-photo]"
_CUT = """
const card = document.getElementById("welcome");
return card.scrollHeight > card.clientHeight;
"""


def test_page_offers_what_can_be_sent_with_one_tap(browser: webdriver.Chrome) -> None:
    """It says what this is; questions and sample pictures are sent as they are, and then gone."""
    asked = ("What is tea?", "What is milk?", "ja:お茶とは？")
    with start_sandbox(journal=None, about=("This is a demo.",), suggestions=asked) as sandbox:
        browser.get(f"{sandbox.url}/#42")
        wait_until(lambda: _texts(browser, "[data-testid=about]") == ["This is a demo."], "about")
        assert _texts(browser, "[data-testid=suggestion]") == list(asked[:2])
        browser.find_element(By.CSS_SELECTOR, "[data-testid=suggest-picture]").click()
        wait_until(lambda: _texts(browser, ".bubble .text") or None, "the picture is sent")
        said = {"chat_id": 42, "text": "Seen.", "entities": []}
        httpx.post(f"{sandbox.api_url}/sendMessage", json=said).raise_for_status()
        chips = "#suggested [data-testid=suggestion]"
        wait_until(lambda: _texts(browser, chips) == list(asked[:2]), "the questions remain")
        browser.find_element(By.CSS_SELECTOR, chips).click()
        offers = browser.find_element(By.ID, "suggested")
        wait_until(lambda: not offers.is_displayed() or None, "nothing is offered meanwhile")
        httpx.post(f"{sandbox.api_url}/sendMessage", json=said).raise_for_status()
        wait_until(lambda: _texts(browser, chips) == ["What is milk?"], "what was asked is gone")
        sent = httpx.get(f"{sandbox.url}/sim/chats/42").json()["messages"]
        texts = ["Which month was the best?", "Seen.", asked[0], "Seen."]
        assert [message["text"] for message in sent] == texts
        assert sent[0]["photo_url"] is not None


@pytest.mark.req("ACT-1")
def test_page_plays_a_scene_with_the_bot(
    browser: webdriver.Chrome, world: World, user: int
) -> None:
    """One press: a task is added, a receipt is read, a reminder is set, and taken back by Undo."""
    browser.get(f"{world.sandbox.url}/#{user}")
    wait_until(lambda: _texts(browser, "[data-testid=scene]") or None, "the card is there")
    browser.find_element(By.CSS_SELECTOR, "[data-testid=scene]").click()

    def undone() -> bool:
        told = [reply["text"] for reply in world.sandbox.replies(user)]
        return any("Undone" in text for text in told)

    wait_until(undone, "the scene ends with Undo")
    told = "\n".join(reply["text"] for reply in world.sandbox.replies(user))
    assert "4.50" in told
    (task,) = world.rows("SELECT title FROM tasks WHERE user_id = %s", user)
    assert task["title"] == "Bread"
    states = world.rows("SELECT text, status FROM schedules WHERE user_id = %s", user)
    assert [(row["text"], row["status"] == "active") for row in states] in (
        [],
        [("Buy the cheese", False)],
    )


def test_page_shows_albums_and_tools_as_a_client_does(browser: webdriver.Chrome) -> None:
    """One grid for an album, tools on demand, the latest chat on top, links at this port."""
    with start_sandbox(journal=None) as sandbox:
        photo = base64.b64encode(picture("orange", "navy")).decode()
        for number in range(3):
            part = {"photo_base64": photo, "media_group_id": "g", "text": f"n {number}"[:number]}
            _say(sandbox.url, 42, {name: value for name, value in part.items() if value})
        _say(sandbox.url, 43, {"text": "later"})
        _say(sandbox.url, 42, {"text": "latest"})
        link = {"type": "text_link", "offset": 0, "length": 4, "url": f"{ELSEWHERE}/library/a#b"}
        said = {"chat_id": 42, "text": "here", "entities": [link]}
        httpx.post(f"{sandbox.api_url}/sendMessage", json=said).raise_for_status()
        browser.get(f"{sandbox.url}/#42")
        wait_until(lambda: len(_texts(browser, ".album .photo")) == 3 or None, "the album")
        shown = [m for m in browser.find_elements(By.CSS_SELECTOR, ".user") if m.is_displayed()]
        assert len(shown) == 2
        (address,) = browser.find_elements(By.CSS_SELECTOR, ".text a")
        assert address.get_attribute("href") == f"{sandbox.url}/library/a#b"
        people = browser.find_elements(By.CSS_SELECTOR, "#users [data-user-id]")
        assert [one.get_attribute("data-user-id") for one in people][:2] == ["42", "43"]
        assert not re.search(r"\b0\d:\d\d [AP]M", browser.find_element(By.ID, "messages").text)
        tools = shown[1].find_element(By.CSS_SELECTOR, ".tools")
        assert tools.value_of_css_property("opacity") == "0"
        webdriver.ActionChains(browser).move_to_element(shown[1]).perform()
        wait_until(lambda: tools.value_of_css_property("opacity") == "1" or None, "the tools")


def test_page_shows_cards_and_what_comes_unasked(
    browser: webdriver.Chrome,
) -> None:
    """A reminder at once, its time in the reader's zone, rows of buttons, files, and a toast."""
    tomorrow = 1_795_424_400  # 2026-11-23 09:00 in UTC
    when = {"type": "date_time", "unix_time": tomorrow, "date_time_format": "wDt"}
    soon = {**when, "unix_time": int(time.time()) + 7_300, "date_time_format": "r"}
    text = "Reminder: water the plants\nSunday at nine, that is soon"
    entities = [{**when, "offset": 27, "length": 14}, {**soon, "offset": 51, "length": 4}]
    rows = [
        [_button("10 minutes"), _button("1 hour"), _button("Tomorrow")],
        [_button("Approve", style="success"), _button("Cancel", style="danger")],
        [_button("Adjust: say in words what to change before anything is written")],
    ]
    card = {"text": text, "entities": entities, "reply_markup": {"inline_keyboard": rows}}
    with start_sandbox(journal=None) as sandbox:
        _say(sandbox.url, 42, {"text": "hi"})
        browser.get(f"{sandbox.url}/#42")
        wait_until(lambda: len(_texts(browser, ".bubble")) == 1 or None, "the page is there")
        _bot(sandbox.api_url, "sendMessage", **card)
        wait_until(
            lambda: len(_texts(browser, ".bubble")) == 2 or None, "the reminder comes by itself"
        )
        shown = _texts(browser, ".text time.tag")
        at = "new Date(arguments[0] * 1000).toLocaleDateString([], {weekday: 'long'})"
        assert browser.execute_script(f"return {at}", tomorrow) in shown[0]
        assert shown[1] == "in 2 hours"
        assert _texts(browser, ".keys") == ["\n".join(b["text"] for b in row) for row in rows]
        file = {"photo": ("chart.png", picture("orange", "navy"))}
        _bot(
            sandbox.api_url,
            "sendPhoto",
            files=file,
            caption="The week",
            reply_markup={"inline_keyboard": rows[:1]},
        )
        _bot(sandbox.api_url, "sendDocument", files={"document": ("tasks.ics", b"BEGIN:VCALENDAR")})
        wait_until(lambda: _texts(browser, ".document-name b") == ["tasks.ics"], "the file")
        wait_until(
            lambda: browser.execute_script("return document.querySelector('.photo').complete"),
            "photo",
        )
        browser.find_element(By.CSS_SELECTOR, ".key.success").click()
        (query,) = _updates(sandbox.api_url, "callback_query")
        _bot(
            sandbox.api_url,
            "answerCallbackQuery",
            callback_query_id=query["id"],
            text="2 tasks added",
        )
        wait_until(lambda: _texts(browser, ".toast") == ["2 tasks added"] or None, "the toast")
        for name, width in (("card", 1280), ("card-phone", 390)):
            browser.set_window_size(width, 900)
            if SCREENSHOTS:
                browser.save_screenshot(str(Path(SCREENSHOTS) / f"{name}.png"))
            assert browser.execute_script(OVERFLOWS) is False


def _button(text: str, **more: str) -> dict[str, str]:
    return {"text": text, "callback_data": text[:60], **more}


def _bot(api: str, method: str, files: Any = None, **body: Any) -> Any:
    """Call the Bot API as the bot does by itself in the chat of user 42."""
    if files:
        fields = {k: v if isinstance(v, str) else json.dumps(v) for k, v in body.items()}
        answer = httpx.post(f"{api}/{method}", data={"chat_id": "42", **fields}, files=files)
    else:
        answer = httpx.post(f"{api}/{method}", json={"chat_id": 42, **body})
    assert answer.is_success, answer.text
    return answer.json()["result"]


def _updates(api: str, kind: str) -> list[Any]:
    return wait_until(
        lambda: [one[kind] for one in _bot(api, "getUpdates") if kind in one] or None, kind
    )


def _say(url: str, user: int, message: dict[str, Any]) -> None:
    httpx.post(f"{url}/sim/chats/{user}/messages", json=message).raise_for_status()


def without_nulls(value: Any) -> Any:
    """The same JSON without what is null."""
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [without_nulls(item) for item in value]
    return value
