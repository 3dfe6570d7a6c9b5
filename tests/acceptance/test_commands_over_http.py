"""Commands over AG-UI, which the web chat speaks: the answers of Telegram, and no model call."""

import httpx
import pytest

from rich_agent.chat_commands.menu import FOR_ALL, Menu
from rich_agent.phrases import say
from rich_agent.rendering.markdown import convert
from tests.acceptance.test_agui import Json, client, events_of, program, text_in, wanted
from tests.acceptance.test_commands import command
from tests.acceptance.world import ADMIN, World

__all__ = ["client"]


def answered(world: World, client: httpx.Client, text: str, run_id: str) -> str:
    """The answer to a command as a reader sees it, which costs no call of any model."""
    before = world.sandbox.mark()
    events = events_of(client.post("/agui", json=wanted(text, run_id)))
    assert events[-1]["type"] == "RUN_FINISHED"
    assert world.sandbox.calls("openai", before) == []
    assert world.sandbox.calls("tavily", before) == []
    return convert(text_in(events)).text


@pytest.mark.feature("agenda")
def test_commands_over_http_are_answered_as_in_telegram(
    world: World, user: int, client: httpx.Client
) -> None:
    """The same text, with a sentence about the buttons where there are any."""
    for number, text in enumerate(("/help", "/tasks", "/memory", "/sources", "/language")):
        there = command(world, user, text)
        here = answered(world, client, text, f"r{number}")
        elsewhere = say("en", "only-in-telegram", command=text)
        expected = [there["text"], *([elsewhere] if there["buttons"] else [])]
        assert here == "\n\n".join(expected)


@pytest.mark.feature("agenda")
def test_unknown_command_over_http_is_corrected(
    world: World, user: int, client: httpx.Client
) -> None:
    """With the name that was probably meant; a path is an ordinary question."""
    assert answered(world, client, "/taks", "r1") == command(world, user, "/taks")["text"]
    assert "/tasks" in answered(world, client, "/taks", "r2")
    before = world.sandbox.mark()
    events_of(client.post("/agui", json=wanted("/etc/passwd is what?", "r3")))
    assert world.sandbox.calls("openai", before) != []


def test_files_and_secrets_of_commands_stay_in_telegram(world: World, client: httpx.Client) -> None:
    """An export has no place in a conversation; a password is not taken there, and not kept."""
    for number, text in enumerate(("/export", "/Connect https://dav.example ada s3cr3t-4471")):
        name = text.split()[0].lower()
        said = answered(world, client, text, f"r{number}")
        assert said == say("en", "only-in-telegram", command=name)
    for table in ("runs", "run_events", "telegram_inbox", "messages", "turn_archive"):
        assert not world.rows(f"SELECT FROM {table} AS kept WHERE strpos(kept::text, 's3cr3t') > 0")


@pytest.mark.parametrize("text", ["/retry", "/plan"])
def test_commands_over_http_that_ask_a_question_run_a_turn(
    world: World, client: httpx.Client, text: str
) -> None:
    """The turn belongs to the run that the command began."""
    asked: Json = wanted("What is proof of history?", "r1")
    first = text_in(events_of(client.post("/agui", json=asked)))
    before = world.sandbox.mark()
    events = events_of(client.post("/agui", json=wanted(text, "r2")))
    assert events[-1]["type"] == "RUN_FINISHED"
    assert first
    assert text_in(events)
    assert world.sandbox.calls("openai", before) != []


def test_admins_commands_are_given_in_telegram_only(world: World) -> None:
    """A program with an admin's token chats; it does not decide who may use the bot."""
    with program(world, ADMIN) as client:
        said = answered(world, client, "/allow 4711", "r1")
    assert said == say("en", "only-in-telegram", command="/allow")


_BEGUN_BY_MODELS = {"plan", "review", "brainstorm", "retry"}
_WITHOUT_USE = {"spaces", "stop", "voice"}
"""Spaces and voices are chosen by buttons, and there are none
here; the page has a button that stops an answer."""


def test_commands_of_the_web_chat_refer_nobody_to_telegram(
    world: World, client: httpx.Client
) -> None:
    """The page lists what works there; the time zone is changed by words instead of buttons."""
    assert answered(world, client, "/timezone Berlin", "zone")
    listed = {name for name, _ in Menu().describe_elsewhere("en")} - {"timezone"}
    for name in sorted(set(FOR_ALL) - _BEGUN_BY_MODELS - _WITHOUT_USE):
        said = answered(world, client, f"/{name}", f"r-{name}")
        refers = convert(say("en", "only-in-telegram", command=f"/{name}")).text in said
        assert refers == (name not in listed), name


@pytest.mark.feature("reminder")
def test_reminders_over_http_are_changed_by_words(world: World, client: httpx.Client) -> None:
    """The list has buttons in Telegram only."""
    said = answered(world, client, "/reminders", "r1")
    assert convert(say("en", "only-in-telegram", command="/reminders")).text in said
