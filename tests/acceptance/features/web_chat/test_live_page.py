"""One conversation in two tabs, on a phone and in Telegram; in real browsers."""

import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import httpx
import pytest
from selenium import webdriver

from rich_agent.domain.languages import LANGUAGES
from rich_agent.phrases import say
from tests.acceptance.browsing import fresh_browser, needs_browser
from tests.acceptance.reminding import TEXT, plan, reminded
from tests.acceptance.scripting import calling, planning
from tests.acceptance.test_commands import command, press
from tests.acceptance.test_web_chat import Chat, from_end, sign_in_link
from tests.acceptance.world import (
    World,
    environment,
    free_port,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer

pytestmark = list(needs_browser)
QUESTION = "What is proof of history?"
SLOW = "How is funding paid on perpetual futures?"
SOON_S = 30.0
"""The deadline on a machine with many tests; alone it takes less than a second."""


@dataclass(slots=True)
class Tabs:
    """Two tabs of one browser, of which either is looked at."""

    chat: Chat
    first: str
    second: str

    def __call__(self, tab: str) -> Chat:
        """The page of a tab."""
        self.chat.browser.switch_to.window(tab)
        return self.chat


@contextmanager
def two_tabs(world: World, user: int) -> Iterator[Tabs]:
    """Both show the conversation."""
    with fresh_browser("--lang=en") as browser:
        chat = Chat(browser, world, user)
        chat.open()
        first = browser.current_window_handle
        browser.switch_to.new_window("window")
        browser.get(world.environment["PUBLIC_URL"] + "/chat")
        chat.await_shown("#composer")
        yield Tabs(chat, first, browser.current_window_handle)


@contextmanager
def phone(world: World, user: int) -> Iterator[Chat]:
    """Another browser, as wide as a phone."""
    with fresh_browser("--lang=en") as browser:
        chat = Chat(browser, world, user)
        chat.resize(390, 844)
        chat.open()
        yield chat


def shown(chat: Chat) -> list[str]:
    """The turns that a page shows, as text; without those by which the pages were opened."""
    texts: list[str] = chat.browser.execute_script(
        "return [...document.querySelectorAll('.turn')].map((one) => "
        "[...one.querySelectorAll('.asked p, .text')].map((part) => part.innerText).join('\\n'))"
    )
    return [one for one in texts if not one.startswith("/web\n")]


def await_text(chat: Chat, text: str) -> None:
    """Return once a turn of the page holds a text."""
    wait_until(lambda: text in "\n".join(shown(chat)) or None, f"{text!r} is shown", SOON_S)


@pytest.mark.feature("agenda", "reminder")
def test_two_tabs_a_phone_and_telegram_show_the_same(world: World, user: int) -> None:
    """Whoever writes: a tab, Telegram, a command, a reminder; growing where it is written."""
    with two_tabs(world, user) as tabs, phone(world, user) as mobile:
        tabs(tabs.first).send(QUESTION)
        tabs(tabs.first).await_shown(".sources")
        await_text(tabs(tabs.second), QUESTION)
        tabs(tabs.second).await_shown(".sources")
        world.sandbox.fail("openai", "slow", containing='"stream":true', delay_s=6.0)
        sent = world.sandbox.say(user, SLOW)
        await_text(mobile, SLOW)
        mobile.await_shown(".turn:last-child .text")
        assert not world.is_done(sent), "the words are there while they are written"
        wait_until(lambda: world.is_done(sent) or None, "it is answered")
        command(world, user, "/tasks")
        plan(world, user)
        reminded(world, user)
        world.ask(user, "hi there")
        pages = [mobile, tabs(tabs.first)]
        for page in pages:
            await_text(page, TEXT)
            await_text(page, "hi there")
        told = wait_until(lambda: _alike(mobile, tabs), "all pages show the same", SOON_S)
        assert [one.split("\n")[0] for one in told] == [
            *(QUESTION, SLOW, "/tasks", TEXT_SHOWN, "hi there"),
        ]
        assert len(told) == len(set(told))
        mobile.browser.refresh()
        await_text(mobile, "hi there")
        assert shown(mobile) == told


TEXT_SHOWN = f"⏰ {TEXT}"


def _alike(mobile: Chat, tabs: Tabs) -> list[str] | None:
    found = [shown(mobile), shown(tabs(tabs.first)), shown(tabs(tabs.second))]
    return found[0] if found[0] == found[1] == found[2] else None


def wish_for_two_tasks(world: World, user: int) -> str:
    """A message for which the model makes two calls that ask together."""
    wish = f"Add the tasks of list {user}"
    calls = [calling("create_task", title="Bread"), calling("create_task", title="Salt")]
    world.sandbox.script(wish, {"calls": calls}, "Both are on your list.")
    return wish


@pytest.mark.feature("agenda")
def test_approval_is_decided_in_telegram_and_seen_on_the_page(world: World, user: int) -> None:
    """The card that Telegram shows is on the page too, and goes when it is decided there."""
    wish = wish_for_two_tasks(world, user)
    with phone(world, user) as page:
        asked = world.ask(user, wish)
        page.await_shown(".card", "Salt")
        press(world, user, asked, "Approve")
        await_text(page, "Both are on your list.")
        wait_until(lambda: not page.all(".card:not(.done)") or None, "the card is gone", SOON_S)
        assert len(page.all(".turn")) == 1


@pytest.mark.feature("agenda")
def test_typed_answer_to_a_card_stands_once(world: World, user: int) -> None:
    """Its question has one answer, also after a reload; the words are those of a button."""
    wish = wish_for_two_tasks(world, user)
    with phone(world, user) as page:
        page.send(wish)
        page.await_shown(".card", "Salt")
        page.send("yes")
        await_text(page, "Both are on your list.")
        wait_until(lambda: len(page.all(".turn")) == 1 or None, "it is one turn", SOON_S)
        turns = shown(page)
        assert turns[0].startswith(f"{wish}\nBoth are on your list.")
        assert page.all(".card:not(.done)") == []
        page.browser.refresh()
        await_text(page, "Both are on your list.")
        assert shown(page) == turns


@pytest.mark.feature("agenda")
@pytest.mark.req("ACT-2")
def test_card_of_the_page_that_is_passed_over_says_so(world: World, user: int) -> None:
    """Below the next answer: nothing dies silently."""
    wish = wish_for_two_tasks(world, user)
    with phone(world, user) as page:
        page.send(wish)
        page.await_shown(".card", "Salt")
        page.send("thanks")
        await_text(page, "✗ Add a task: Not done.")


def test_reader_who_scrolled_up_stays_there_and_is_told_of_new_messages(
    world: World, user: int
) -> None:
    """The button leads to the end, and goes there."""
    long = "\n\n".join(f"Paragraph {number}." for number in range(60))
    world.sandbox.fail("openai", "scripted", **planning(f"list {user}"))
    # An answer that was begun early and not wanted takes one.
    world.sandbox.script(f"list {user}", long, long)
    with phone(world, user) as page:
        page.send(f"Tell me list {user}")
        page.await_shown(".copy")
        await_text(page, "Paragraph 59.")
        page.browser.execute_script("document.getElementById('scroll').scrollTop = 0")
        world.ask(user, "hi there")
        page.await_shown("#newest", say("en", "web_chat-new-messages"))
        assert from_end(page) > 1_000
        assert page.browser.execute_script(_SCROLLS) is False, "only the conversation scrolls"
        assert page.serious() == []
        page.screenshot("new-messages")
        page.await_shown("#newest").click()
        wait_until(lambda: from_end(page) < 5 or None, "the end is in sight", SOON_S)
        wait_until(lambda: not page.all("#newest")[0].is_displayed() or None, "it is gone", SOON_S)


_SCROLLS = """
const {scrollHeight, clientHeight} = document.documentElement;
return scrollHeight > clientHeight;
"""


def test_page_signs_out_when_its_session_is_ended_elsewhere(world: World, user: int) -> None:
    """Without a reload, and without what was said."""
    with phone(world, user) as page:
        world.ask(user, "hi there")
        await_text(page, "hi there")
        press(world, user, command(world, user, "/web"), "✕ 1")
        page.await_shown("#sign-in", "/web")
        wait_until(lambda: not page.all(".turn") or None, "it is empty", SOON_S)


@pytest.mark.parametrize("locale", ["en", "ar"])
def test_page_is_open_to_everybody(world: World, user: int, locale: str) -> None:
    """No finding of axe at both widths, in both schemes and directions; nothing is too wide."""
    press(world, user, command(world, user, "/language"), LANGUAGES[locale])
    with fresh_browser("--lang=en") as browser:
        page = Chat(browser, world, user)
        browser.get(sign_in_link(world, user, locale))
        page.await_shown("#composer")
        page.await_shown("#new-thread").click()
        page.send(f"{QUESTION} {'Tell me slowly and at length. ' * 8}")
        page.await_shown(".sources")
        page.await_over()
        page.await_shown(".thread[aria-current]", "Tell me slowly")
        world.ask(user, "hi there")
        page.await_shown(".thread").location_once_scrolled_into_view  # noqa: B018
        assert browser.execute_script(_TOO_WIDE) == []
        for scheme in ("light", "dark"):
            media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
            for width, height in ((1280, 900), (390, 844)):
                page.resize(width, height)
                assert page.serious() == [], f"{scheme}, {width} px"
                assert browser.execute_script(_TOO_WIDE) == [], f"{scheme}, {width} px"
        page.screenshot(f"live-{locale}")
        page.resize(390, 844)
        page.await_shown("#open-threads").click()
        page.await_shown("#new-thread")
        assert page.serious() == []


_TOO_WIDE = """
const list = document.getElementById("threads");
const found = [...list.querySelectorAll("*")].filter((one) => one.checkVisibility()
    && (one.getBoundingClientRect().right > list.getBoundingClientRect().right + 1
        || one.getBoundingClientRect().left < list.getBoundingClientRect().left - 1));
const {scrollWidth, clientWidth} = document.documentElement;
return [...found.map((one) => one.outerHTML), ...(scrollWidth > clientWidth ? ["page"] : [])];
"""


def test_page_is_called_by_the_name_of_the_bot(world: World, user: int) -> None:
    """In its tab and in its header."""
    name = httpx.get(f"{world.sandbox.url}/bot{_token(world)}/getMe", trust_env=False)
    called = name.json()["result"]["first_name"]
    with phone(world, user) as page:
        assert page.browser.title == page.await_shown("#title").text == called


def _token(world: World) -> str:
    return world.environment["TELEGRAM_BOT_TOKEN"]


@pytest.fixture(scope="module")
def apart(database_server: PostgresServer, database_template: str) -> Iterator[World]:
    """A sandbox and a database of their own, for processes that are killed."""
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        yield World(sandbox, environment(sandbox.url, url), url)


def test_page_goes_on_when_processes_are_killed(apart: World, user: int) -> None:
    """The worker in the middle of an answer, then the process that the page is connected to."""
    workers = {**apart.environment, "PORT": str(free_port())}
    with ExitStack() as stack:
        serving = stack.enter_context(running_bot(apart.environment, "serve"))
        worker = stack.enter_context(running_bot(workers, "worker"))
        page = stack.enter_context(phone(apart, user))
        apart.sandbox.fail("openai", "slow", containing='"stream":true', delay_s=60.0)
        sent = apart.sandbox.say(user, "What can you tell me about gardens?")
        page.await_shown(".turn .status:not(:empty)")
        worker.send_signal(signal.SIGKILL)
        apart.sandbox.recover()
        stack.enter_context(running_bot({**workers, "PORT": str(free_port())}, "worker"))
        wait_until(lambda: apart.is_done(sent) or None, "it is answered")
        page.await_shown(".turn .copy")
        assert len(page.all(".turn")) == 1
        serving.send_signal(signal.SIGKILL)
        serving.wait(10)
        stack.enter_context(running_bot(apart.environment, "serve"))
        apart.ask(user, "thank you")
        await_text(page, "thank you")
        assert len(page.all(".turn")) == 2


@pytest.mark.feature("agenda")
def test_page_that_was_away_for_long_has_it_all(world: World, user: int) -> None:
    """All that came while it was offline is there, in order and once; so is what has left."""
    with phone(world, user) as page:
        first = world.sandbox.say(user, QUESTION)
        world.answer(user, first)
        await_text(page, QUESTION)
        _offline(page.browser, is_offline=True)
        world.sandbox.say(user, "What is staking?", edit_message_id=first.message_id)
        for text in ("hi there", "/tasks", "thank you"):
            world.ask(user, text)
        wait_until(lambda: world.rows(_REVISED, f"tg:{first.update_id}") or None, "it is edited")
        _offline(page.browser, is_offline=False)
        await_text(page, "thank you")
        wait_until(lambda: _first_lines(page) == _ALL or None, "all of it, in order", SOON_S)


_REVISED = "SELECT FROM messages WHERE request_id = %s AND content LIKE '%%staking%%'"
_ALL = ["What is staking?", "hi there", "/tasks", "thank you"]


def _first_lines(page: Chat) -> list[str]:
    return [one.split("\n")[0] for one in shown(page)]


def _offline(browser: webdriver.Chrome, *, is_offline: bool) -> None:
    browser.execute_cdp_cmd("Network.enable", {})
    network = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    browser.execute_cdp_cmd("Network.emulateNetworkConditions", {**network, "offline": is_offline})
