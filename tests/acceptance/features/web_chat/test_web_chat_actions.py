"""Below answers of the web chat, and in its list of conversations, as somebody uses them."""

from pathlib import Path

import pytest
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from rich_agent.domain.languages import LANGUAGES
from rich_agent.phrases import say
from tests.acceptance.browsing import fresh_browser, needs_browser
from tests.acceptance.scripting import calling
from tests.acceptance.test_commands import command, press, shown
from tests.acceptance.test_web_chat import QUESTION, Chat, field, threads_of, wish
from tests.acceptance.world import World, wait_until

pytestmark = list(needs_browser)
RATINGS = (
    "SELECT rating FROM answer_feedback JOIN retrieval_decisions ON decision_id = id "
    "WHERE thread_id = %s"
)


@pytest.fixture
def chat(browser: webdriver.Chrome, world: World, user: int) -> Chat:
    """The page of a user who has just signed in."""
    page = Chat(browser, world, user)
    page.open()
    return page


def ask(chat: Chat, text: str, number: int = 1) -> None:
    """Ask, and wait until so many answers are complete."""
    chat.send(text)
    wait_until(lambda: len(chat.all(".answer .copy")) == number or None, "the answer")
    chat.await_over()


def await_listed(chat: Chat, title: str, *, count: int) -> None:
    """Return once the list has so many conversations, of which this one is shown."""

    def is_listed() -> bool | None:
        try:
            found = threads_of(chat)
        except StaleElementReferenceException:
            return None
        return ((title, True) in found and len(found) == count) or None

    wait_until(is_listed, f"{title!r} among {count}")


def is_pressed(chat: Chat, selector: str) -> str | None:
    """Whether a button is pressed, as a screen reader tells it."""
    return chat.await_shown(selector).get_attribute("aria-pressed")


def test_answer_is_rated_and_explained_below_it(chat: Chat, world: World, user: int) -> None:
    """With the keyboard; it is so after a reload; the explanation opens and closes."""
    ask(chat, QUESTION)
    up = chat.await_shown(".rate.up")
    assert up.get_attribute("aria-label") == "Good answer"
    up.send_keys(Keys.ENTER)
    wait_until(lambda: is_pressed(chat, ".rate.up") == "true" or None, "it is pressed")
    wait_until(lambda: world.rows(RATINGS, f"tg:{user}") == [{"rating": "up"}] or None, "rated")
    chat.browser.refresh()
    assert is_pressed(chat, ".rate.up") == "true"
    chat.await_shown(".rate.down").click()
    wait_until(lambda: world.rows(RATINGS, f"tg:{user}") == [{"rating": "down"}] or None, "rated")
    assert "can now read this question" in chat.await_shown(".turn .told").text
    chat.await_shown(".why-button").click()
    told = chat.await_shown(".why", "Reference")
    assert "Looked for" in told.text
    assert chat.await_shown(".why-button").get_attribute("aria-expanded") == "true"
    assert chat.serious() == []
    chat.screenshot("why")
    chat.await_shown(".why-button").click()
    wait_until(lambda: not chat.all(".why") or None, "it is closed")


@pytest.mark.feature("agenda")
def test_question_is_asked_again_and_edited(chat: Chat, world: World, user: int) -> None:
    """In place; only the newest one; what was done is taken back; a reload shows the same."""
    world.sandbox.script(wish(user), {"calls": [calling("create_task", title="Bread")]}, "Bread!")
    ask(chat, "hi there")
    ask(chat, wish(user), 2)
    assert len([one for one in chat.all(".again") if one.is_displayed()]) == 1
    world.sandbox.script(wish(user), {"calls": [calling("create_task", title="Salt")]}, "Salt!")
    chat.await_shown(".again").click()
    chat.await_shown(".answer .text", "Salt!")
    chat.await_over()
    assert len(chat.all(".turn")) == 2
    titles = "SELECT title FROM tasks WHERE user_id = %s AND deleted_at IS NULL"
    assert world.rows(titles, user) == [{"title": "Salt"}]
    chat.await_shown(".edit-question").click()
    written = chat.await_shown(".editing textarea")
    assert chat.browser.switch_to.active_element == written
    assert written.get_attribute("value") == wish(user)
    assert chat.serious() == []
    chat.screenshot("editing-question")
    written.send_keys(Keys.ESCAPE)
    chat.await_shown(".asked", wish(user))
    chat.await_shown(".edit-question").click()
    written = chat.await_shown(".editing textarea")
    written.clear()
    written.send_keys(QUESTION, Keys.ENTER)
    chat.await_shown(".asked", QUESTION)
    chat.await_shown(".sources")
    chat.await_over()
    asked = ["hi there", QUESTION]
    assert [one.text for one in chat.all(".asked p")] == asked
    chat.browser.refresh()
    chat.await_shown(".sources")
    assert [one.text for one in chat.all(".asked p")] == asked
    assert chat.serious() == []


def test_question_is_edited_while_its_answer_is_written(chat: Chat, world: World) -> None:
    """That answer is stopped, and leaves nothing."""
    world.sandbox.fail("openai", "slow", containing='"stream":true', delay_s=30.0)
    chat.send("How is funding paid on perpetual futures?")
    chat.await_shown(".answer .text")
    chat.await_shown(".edit-question").click()
    world.sandbox.recover()
    written = chat.await_shown(".editing textarea")
    written.clear()
    written.send_keys(QUESTION, Keys.ENTER)
    chat.await_shown(".sources")
    chat.await_over()
    assert [one.text for one in chat.all(".asked p")] == [QUESTION]
    chat.browser.refresh()
    chat.await_shown(".sources")
    assert [one.text for one in chat.all(".asked p")] == [QUESTION]


def test_conversation_is_renamed_and_deleted(chat: Chat, world: World, user: int) -> None:
    """In a dialog, after a question; the conversation of Telegram has no such button."""
    chat.await_shown("#new-thread").click()
    ask(chat, QUESTION)
    await_listed(chat, QUESTION, count=2)
    (options,) = chat.all(".options")
    options.click()
    name = chat.await_shown("dialog input")
    assert chat.serious() == []
    chat.screenshot("rename")
    name.clear()
    name.send_keys("My garden", Keys.ENTER)
    await_listed(chat, "My garden", count=2)
    chat.all(".options")[0].click()
    chat.await_shown("dialog .secondary", "Cancel")
    chat.all("dialog .secondary")[0].click()
    chat.await_shown("dialog h3", "Delete “My garden”?")
    assert chat.browser.switch_to.active_element.text == "Cancel"
    chat.screenshot("delete")
    chat.await_shown("dialog .primary", "Delete").click()
    await_listed(chat, "Telegram", count=1)
    assert chat.all(".turn") == []
    assert world.rows("SELECT id FROM conversations WHERE user_id = %s", user) == []


def test_search_opens_a_conversation_at_a_message(chat: Chat, world: World, user: int) -> None:
    """Of Telegram too; the link opens it in another tab; Escape shows the list again."""
    world.ask(user, f"hi there Quincelina{user}")
    for _ in range(14):
        world.ask(user, "hi there")
    chat.await_shown("#new-thread").click()
    ask(chat, QUESTION)
    find = chat.await_shown("#find")
    find.send_keys(f"quincelina{user}")
    found = chat.await_shown("#found a")
    assert f"Quincelina{user}" in found.text
    assert found.find_element(By.TAG_NAME, "mark").text == f"Quincelina{user}"
    assert chat.await_shown("#find-status").text == "Results: 1"
    assert chat.serious() == []
    chat.screenshot("search")
    link = found.get_attribute("href") or ""
    found.click()
    chat.await_shown(".sought", f"Quincelina{user}")
    assert chat.browser.switch_to.active_element.get_attribute("class") == "turn sought"
    chat.await_shown("#newest").click()
    wait_until(lambda: not chat.all(".sought") or None, "the newest messages")
    find.clear()
    find.send_keys("xyzzyquux")
    chat.await_shown("#find-status", "Nothing found.")
    find.send_keys(Keys.ESCAPE)
    chat.await_shown("#thread-list")
    chat.browser.get("about:blank")
    chat.browser.get(link)
    chat.await_shown(".sought", f"Quincelina{user}")
    assert "#" not in chat.browser.current_url
    chat.send("hi there")
    wait_until(lambda: not chat.all(".sought") or None, "the newest messages")
    chat.await_over()


def test_files_are_remembered_below_an_answer(
    chat: Chat, world: World, user: int, tmp_path: Path
) -> None:
    """Or not; a reload shows what was chosen."""
    file = tmp_path / "prices.csv"
    file.write_text("ticket,price\nadult,14\nchild,6\n")
    chat.browser.find_element(By.ID, "files").send_keys(str(file))
    chat.await_shown("#attached .file", "prices.csv")
    ask(chat, "What does a child pay?")
    chat.await_shown(".keep", "Only here")
    chat.all(".keep")[0].click()
    kept = "SELECT is_kept FROM user_files WHERE user_id = %s"
    wait_until(lambda: world.rows(kept, user) == [{"is_kept": True}] or None, "it is remembered")
    chat.browser.refresh()
    chat.await_shown(".keep", "Only here")
    assert [one.get_attribute("aria-pressed") for one in chat.all(".keep")] == ["true", "false"]
    assert chat.serious() == []
    chat.screenshot("keep")


@pytest.mark.feature("agenda")
def test_call_is_told_in_the_words_of_its_user(chat: Chat, world: World, user: int) -> None:
    """The title of a task instead of its number, choices in words, on the card and folded."""
    world.rows("INSERT INTO tasks (user_id, title) VALUES (%s, %s) RETURNING id", user, "Bread")
    (task,) = world.rows("SELECT id FROM tasks WHERE user_id = %s", user)
    number = task["id"]
    calls = [
        calling(
            "update_task",
            task_id=number,
            title="Rye bread",
            priority="urgent",
            status="in_progress",
        ),
        calling("create_task", title="Salt"),
    ]
    menu = command(world, user, "/language")
    press(world, user, menu, LANGUAGES["de"])
    world.sandbox.script(wish(user), {"calls": calls}, "Fertig.")
    chat.browser.refresh()
    chat.await_shown("#composer")
    chat.send(wish(user))
    card = chat.await_shown(".card", say("de", "approve-yes"))
    line = f"{say('de', 'tool-update_task')}: Bread · Titel: Rye bread · "
    assert line in card.text
    assert say("de", "value-urgent") in card.text
    assert "in_progress" not in card.text
    chat.all(".card .edit summary")[0].click()
    options = [one.text for one in chat.all(".card select option")]
    assert say("de", "value-low") in options
    assert field(chat, say("de", "argument-task_id")).get_attribute("value") == str(number)
    assert field(chat, say("de", "argument-priority")).get_attribute("value") == "urgent"
    chat.screenshot("card-de")
    chat.await_shown(".card .primary").click()
    chat.await_shown(".answer .text", "Fertig.")
    brief = chat.all("details.tool .brief")[0].text
    assert brief == f"Bread ({number}) · Rye bread · dringend · {say('de', 'value-in-progress')}"


def test_actions_are_there_in_arabic_on_a_phone(world: World, user: int) -> None:
    """Mirrored, in words of the language, and nothing is wider than the screen."""
    with fresh_browser("--lang=en") as opened:
        page = Chat(opened, world, user)
        menu = command(world, user, "/language")
        press(world, user, menu, LANGUAGES["ar"])
        message = command(world, user, "/web")
        told = press(world, user, message, say("ar", "web_chat-command-link"))
        ((button,), *_) = shown(told, message["message_id"])["buttons"]
        opened.get(button["url"])
        page.await_shown("#composer")
        ask(page, "ما هو proof of history؟")
        page.resize(390, 844)
        page.await_shown(".why-button", say("ar", "why-button")).click()
        page.await_shown(".why")
        assert page.serious() == []
        assert opened.execute_script("return document.documentElement.scrollWidth") == 390
        page.screenshot("actions-ar")
