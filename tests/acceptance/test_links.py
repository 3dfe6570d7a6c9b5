"""Links in the chat: pages are read when that is wanted, cited, and never obeyed."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.acceptance.test_commands import command, labels, press, press_data
from tests.acceptance.world import World, environment, running_bot, running_sandbox
from tests.acceptance.world import command as run_command
from tests.database import PostgresServer


@pytest.fixture(scope="module")
def world(database_server: PostgresServer, database_template: str) -> Iterator[World]:
    """A bot that may read pages of this machine, whose sandbox serves some."""
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        more = {"LINK_PRIVATE_HOSTS": "127.0.0.1"}
        made = World(sandbox, environment(sandbox.url, url, **more), url)
        with running_bot(made.environment):
            yield made
            made.await_idle()


def page(world: World, name: str) -> str:
    """The address of a page of the sandbox."""
    return f"{world.sandbox.url}/pages/{name}"


def prompts(world: World, since: int) -> str:
    """Everything that models were sent."""
    return json.dumps([call["body"] for call in world.sandbox.calls("openai", since)])


def links(answer: dict[str, Any]) -> list[str]:
    """The addresses that the links of an answer lead to."""
    return [one["url"] for one in answer["entities"] if one["type"] == "text_link"]


def buttons(answer: dict[str, Any]) -> dict[str, str]:
    """The data of the buttons by their labels."""
    return {one["text"]: one.get("callback_data", "") for row in answer["buttons"] for one in row}


@pytest.mark.parametrize("name", ["ferry", "moved"])
def test_link_with_a_question_is_read_and_cited(world: World, user: int, name: str) -> None:
    """Also behind a redirect: the citation is the address with the section's fragment."""
    answer = world.ask(user, f"When does the ferry leave? {page(world, name)}")
    assert "11:15" in answer["text"]
    assert f"{page(world, name)}#times" in links(answer)
    assert "Ferry with a new timetable" in answer["text"]


def test_pdf_behind_a_link_is_read_as_a_document(world: World, user: int) -> None:
    """Its page is cited."""
    answer = world.ask(user, f"When does the lighthouse open? {page(world, 'leaflet.pdf')}")
    assert "9:30" in answer["text"]
    assert "page 1" in answer["text"]


def test_link_that_is_only_noted_down_is_not_fetched(world: World, user: int) -> None:
    """The planner says that its text is not needed."""
    answer = world.ask(user, f"Write down this address for me: {page(world, 'ferry')}")
    assert "11:15" not in answer["text"]
    assert world.rows("SELECT 1 FROM user_files WHERE user_id = %s", user) == []


@pytest.mark.costs("it reads pages in several turns")
def test_link_alone_offers_what_to_do(world: World, user: int) -> None:
    """Nothing is fetched before the user chose; Summarise reads all of it."""
    asked = world.ask(user, page(world, "ferry"))
    assert list(buttons(asked))[:3] == ["Summarise", "Remember", "Ignore"]
    assert world.rows("SELECT 1 FROM user_files WHERE user_id = %s", user) == []
    mark = world.sandbox.mark()
    press_data(world, user, asked["message_id"], buttons(asked)["Summarise"])
    world.await_idle()
    answer = world.sandbox.replies(user)[-1]
    assert "I read all of" in answer["text"]
    assert "bicycle" in prompts(world, mark)
    assert any(link.startswith(page(world, "ferry")) for link in links(answer)), answer["text"]


def test_question_with_a_link_after_a_link_alone_is_answered(world: World, user: int) -> None:
    """Instead of a button: the page that the question names is read as well."""
    world.ask(user, page(world, "tulips"))
    answer = world.ask(user, f"{page(world, 'ferry')} When does the ferry leave?")
    assert "11:15" in answer["text"]
    assert f"{page(world, 'ferry')}#times" in links(answer)


def test_remembered_link_is_listed_and_outlasts_the_conversation(world: World, user: int) -> None:
    """No model answers the button; /files lists the page, and /new does not lose it."""
    asked = world.ask(user, page(world, "ferry"))
    press_data(world, user, asked["message_id"], buttons(asked)["Remember"])
    world.await_idle()
    assert "remember" in world.sandbox.replies(user)[-1]["text"]
    assert "Ferry with a new timetable" in command(world, user, "/files")["text"]
    command(world, user, "/new")
    answer = world.ask(user, "According to the ferry page, what does a bicycle cost?")
    assert "3 euros" in answer["text"]


def test_ignored_link_is_left_unread(world: World, user: int) -> None:
    """Nobody fetches it."""
    asked = world.ask(user, page(world, "ferry"))
    press_data(world, user, asked["message_id"], buttons(asked)["Ignore"])
    world.await_idle()
    assert "unread" in world.sandbox.replies(user)[-1]["text"]
    assert world.rows("SELECT 1 FROM user_files WHERE user_id = %s", user) == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("to-private", "private network"),
        ("disallowed", "does not allow programs"),
        ("members", "signed in"),
        ("nothing", "no page"),
        ("sign-in", "signed in"),
        ("app", "only in a browser"),
        ("consent", "a question with buttons"),
        ("empty", "no text"),
        ("broken", "could not get"),
        ("huge", "too large"),
        ("picture", "not a page or document"),
    ],
)
def test_page_that_cannot_be_read_gets_a_plain_message(
    world: World, user: int, name: str, words: str
) -> None:
    """Each reason in words of its own; the model is told that it did not see the page."""
    answer = world.ask(user, f"What does this page say? {page(world, name)}")
    assert words in answer["text"]
    assert world.rows("SELECT 1 FROM user_files WHERE user_id = %s", user) == []


def test_private_addresses_are_not_fetched(world: World, user: int) -> None:
    """Names and numbers of this machine and of networks like it, however they are written."""
    port = world.sandbox.url.rpartition(":")[2]
    for host in ("127.0.0.2", "2130706434", "[::ffff:127.0.0.2]", "169.254.169.254"):
        answer = world.ask(user, f"What does this say? http://{host}:{port}/pages/ferry")
        assert "11:15" not in answer["text"], host
    assert world.rows("SELECT 1 FROM user_files WHERE user_id = %s", user) == []


def test_slow_page_is_given_up(world: World, user: int) -> None:
    """One that sends a byte now and then never ends by itself."""
    answer = world.ask(user, f"What does this page say? {page(world, 'slow')}")
    assert "too long" in answer["text"]


@pytest.mark.feature("agenda")
def test_page_cannot_give_orders(world: World, user: int) -> None:
    """Its text stands between tags, and a change that a model wants after it needs approval."""
    mark = world.sandbox.mark()
    world.ask(user, f"How deep are tulips planted? {page(world, 'tulips')}")
    told = prompts(world, mark)
    assert "ignore all previous instructions" in told
    assert world.rows("SELECT 1 FROM tasks WHERE user_id = %s", user) == []


def test_more_links_than_the_limit_are_said_to_be_unread(world: World, user: int) -> None:
    """Three are read, the fourth is named."""
    several = " ".join(page(world, f"ferry?n={number}") for number in range(4))
    answer = world.ask(user, f"What do these say about fares? {several}")
    assert "more links than I read" in answer["text"]
    assert "n=3" in answer["text"]


@pytest.mark.costs("it reads pages in several turns")
def test_page_is_private_and_goes_with_forget(world: World, user: int) -> None:
    """No other user's question meets it, and /forget deletes it."""
    world.ask(user, f"When does the ferry leave? {page(world, 'ferry')}")
    assert world.rows("SELECT 1 FROM user_files WHERE user_id = %s", user) != []
    mark = world.sandbox.mark()
    world.ask(user + 50_000, "When does the ferry leave on Sundays?")
    assert "11:15" not in prompts(world, mark)
    asked = command(world, user, "/forget")
    press(world, user, asked, labels(asked)[0])
    world.await_idle()
    assert world.rows("SELECT 1 FROM user_files WHERE user_id = %s", user) == []


def test_terminal_reads_links_too(world: World) -> None:
    """There no messenger marks addresses."""
    question = f"When does the ferry leave? {page(world, 'ferry')}"
    done = run_command(["rich_agent.cli", "ask", question, "--json"], world.environment)
    answer = json.loads(done.stdout)
    assert "11:15" in answer["answer"]


def test_reply_to_a_cited_answer_reads_no_page_of_its_sources(world: World, user: int) -> None:
    """Its links are the bot's own; the user sent no page."""
    source = page(world, "ferry")
    run_command(["ingest.cli", "add-source", source, "--name", "ferry"], world.environment)
    try:
        run_command(["ingest.cli", "sync", "ferry"], world.environment)
        cited = world.ask(user, "When does the ferry leave?")
        assert any(link.startswith(source) for link in links(cited)), cited["text"]
        reply = {"reply_to_message_id": cited["message_id"]}
        answer = world.ask(user, "When does the ferry leave on Sundays?", **reply)
        assert "I read all of" not in answer["text"]
        assert "Remember" not in buttons(answer)
        assert world.rows("SELECT 1 FROM user_files WHERE user_id = %s", user) == []
    finally:
        run_command(["ingest.cli", "remove-source", "ferry"], world.environment)


def test_reply_to_ones_own_link_reads_its_page(world: World, user: int) -> None:
    """The link that the user sent before stays theirs."""
    sent = world.sandbox.say(user, f"Write down this address for me: {page(world, 'ferry')}")
    world.answer(user, sent)
    reply = {"reply_to_message_id": sent.message_id}
    answer = world.ask(user, "When does the ferry leave according to this page?", **reply)
    assert "11:15" in answer["text"]
