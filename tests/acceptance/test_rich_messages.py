"""Rich messages, by setting: tables and lists as Telegram shows them, with guarded links."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.acceptance.world import World, environment, running_bot, running_sandbox
from tests.database import PostgresServer

TABLE = """## Prices

| Fruit | Price |
|:--|--:|
| Apple | **2 €** |
| Pear, from [the shop](https://evil.example/pay) | 3 € |

1. Wash them.
2. Eat them.
   - with `salt`

Look at https://evil.example/more or https://allowed.example/page too."""


@pytest.fixture(scope="module", params=["edit", "off"])
def world(
    request: pytest.FixtureRequest, database_server: PostgresServer, database_template: str
) -> Iterator[World]:
    """Bots with rich messages: one edits its preview into one, one sends it whole."""
    settings = {"RICH_MESSAGES": "true", "STREAMING": request.param}
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        made = World(sandbox, environment(sandbox.url, url, LINKS_PER_MESSAGE="0", **settings), url)
        with running_bot(made.environment):
            yield made
            made.await_idle()


def answer_with(world: World, user: int, text: str, asked: str = "fruit") -> dict[str, Any]:
    """The answer that the user sees when the model says `text`."""
    world.sandbox.script(f"write a poem about {asked}", text)
    return world.ask(user, f"Please write a poem about {asked}, as on https://allowed.example/page")


def links_in(part: object) -> list[str]:
    """The addresses that the links of blocks lead to."""
    if isinstance(part, list):
        return [link for one in part for link in links_in(one)]
    if not isinstance(part, dict):
        return []
    own = [part["url"]] if part.get("type") == "url" else []
    return own + [link for value in part.values() for link in links_in(value)]


def test_answer_with_a_table_is_a_rich_message(world: World, user: int) -> None:
    """Heading, table with alignment and styles, nested list; buttons as always."""
    shown = answer_with(world, user, TABLE)
    kinds = [block["type"] for block in shown["blocks"]]
    assert kinds == ["heading", "table", "list", "paragraph"]
    header, apple, _ = shown["blocks"][1]["cells"]
    assert [cell["align"] for cell in header] == ["left", "right"]
    assert all(cell["is_header"] for cell in header)
    assert apple[1]["text"] == {"type": "bold", "text": "2 €"}
    wash, eat = shown["blocks"][2]["items"]
    assert (wash["value"], eat["value"]) == (1, 2)
    assert [block["type"] for block in eat["blocks"]] == ["paragraph", "list"]
    assert shown["buttons"]


def test_links_of_a_rich_message_lead_only_to_permitted_places(world: World, user: int) -> None:
    """A link that the user wrote is one; others are words, and Telegram finds none by itself."""
    mark = world.sandbox.mark()
    shown = answer_with(world, user, TABLE, "links")
    assert links_in(shown["blocks"]) == ["https://allowed.example/page"]
    calls = world.sandbox.calls("telegram", mark)
    (rich,) = [call["body"]["rich_message"] for call in calls if "rich_message" in call["body"]]
    assert rich["skip_entity_detection"] is True
    assert set(rich) == {"blocks", "skip_entity_detection"}


def test_answer_in_paragraphs_is_an_ordinary_message(world: World, user: int) -> None:
    """Nothing is gained for it by a form that some clients show blank."""
    shown = answer_with(world, user, "One.\n\n> Two.\n\n**Three.**", "words")
    assert shown["blocks"] == []
    assert shown["text"].startswith("One.")


def test_table_that_is_too_wide_is_shown_in_ordinary_messages(world: World, user: int) -> None:
    """Telegram takes 20 columns."""
    cells = [f"c{number}" for number in range(21)]
    rows = ["|".join(row) for row in (cells, ["-"] * 21, cells)]
    shown = answer_with(world, user, "\n".join(f"|{row}|" for row in rows), "columns")
    assert shown["blocks"] == []
    assert "c20" in shown["text"]


def test_refused_rich_message_is_sent_as_ordinary_ones(world: World, user: int) -> None:
    """A server of an older Bot API refuses it: the answer comes all the same, once."""
    method = "editMessageText" if world.environment["STREAMING"] == "edit" else "sendRichMessage"
    world.sandbox.fail("telegram", "400_entities", method=method, containing="rich_message")
    shown = answer_with(world, user, TABLE, "refusals")
    assert shown["blocks"] == []
    assert "Apple" in shown["text"]
    assert len(world.sandbox.replies(user)) == 1


def test_reply_to_a_rich_message_is_about_its_words(world: World, user: int) -> None:
    """The table that is replied to is in the prompt."""
    first = answer_with(world, user, TABLE, "replies")
    world.ask(user, "/new")
    mark = world.sandbox.mark()
    answer = world.ask(user, "Which is cheaper?", reply_to_message_id=first["message_id"])
    prompts = [json.dumps(call, ensure_ascii=False) for call in world.sandbox.calls("openai", mark)]
    assert any("2 €" in prompt for prompt in prompts)
    assert "could not look at" not in answer["text"]


@pytest.mark.costs("it is a very long answer")
def test_long_answer_is_one_rich_message(world: World, user: int) -> None:
    """A text that ordinary messages split is one here, up to 32,768 characters."""
    days = [f"On day {n} all work and no play makes the answer long." for n in range(180)]
    paragraphs = [" ".join(days[first : first + 20]) for first in range(0, 180, 20)]
    shown = answer_with(world, user, "\n\n".join(paragraphs), "length")
    assert len(shown["blocks"]) == 9
    assert len(world.sandbox.replies(user)) == 1
