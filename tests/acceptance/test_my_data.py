"""Data about a user: what they see, export and delete of what is kept."""

import json
import re

import psycopg
import pytest
from psycopg import sql

from rich_agent.phrases import say
from tests.acceptance.pictures import writing
from tests.acceptance.test_commands import command, labels, press, press_data, shown
from tests.acceptance.world import ROOT, World, wait_until


def rows_naming(world: World, word: str) -> dict[str, list[str]]:
    """The rows of all tables that hold a word, bytes read as text; by table."""
    found: dict[str, list[str]] = {}
    with psycopg.connect(world.database_url) as connection:
        tables = connection.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
        ).fetchall()
        for (table,) in tables:
            columns = connection.execute(
                "SELECT column_name, data_type FROM information_schema.columns "
                "WHERE table_schema = 'public' AND table_name = %s",
                (table,),
            ).fetchall()
            texts = [
                sql.SQL("encode({}, 'escape')" if kind == "bytea" else "{}::text").format(
                    sql.Identifier(name)
                )
                for name, kind in columns
            ]
            query = sql.SQL("SELECT row::text FROM (SELECT {} FROM {}) AS row WHERE row::text ~ {}")
            rows = connection.execute(
                query.format(
                    sql.SQL(", ").join(
                        sql.SQL("{} AS {}").format(text, sql.Identifier(f"c{number}"))
                        for number, text in enumerate(texts)
                    ),
                    sql.Identifier(table),
                    sql.Literal(rf"(?i)\m{word}\M"),
                )
            ).fetchall()
            if rows:
                found[table] = [row for (row,) in rows]
    return found


def live_through(world: World, user: int) -> None:
    """Leave traces of every kind."""
    world.ask(user, "My name is Quillfeather and I live in Oslo.")
    command(world, user, "/new")
    command(world, user, "/language english")
    photo = writing("Serial 6502", dot=2, seed=user % 100_000)
    question = "What does the small text in the quillfeather picture say?"
    world.ask(user, question, photo=photo)
    answer = world.ask(user, "What is proof of history?")
    press(world, user, answer, "👍")
    command(world, user, "/forget")


LEAVING, STAYING = 7_312_345_678, 73_123_456_781


@pytest.fixture(scope="module")
def both(served: World) -> World:
    """Two users have lived through the same; the number of one begins like that of the other."""
    for one in (LEAVING, STAYING):
        live_through(served, one)
    return served


def second_call_is_under_way(world: World, user: int, text: str) -> None:
    """Send a message, and return while its turn waits for the second of its model's answers."""
    before = world.sandbox.mark()
    for delay_s in (0.1, 8.0):
        world.sandbox.fail("openai", "slow", method="chat.completions", delay_s=delay_s)
    world.sandbox.say(user, text)
    # The stand-in lists a call once it has ended; the bot reserves one before it begins.
    wait_until(lambda: world.sandbox.calls("openai", before) or None, "the first call is over")
    is_open = "SELECT 1 FROM usage_reservations WHERE user_id = %s AND kind = 'text'"
    wait_until(lambda: world.rows(is_open, user) or None, "the second call is under way")


@pytest.fixture
def someone(user: int) -> int:
    """A user whose number stands in no other row by chance."""
    return user + 7_100_000_000


def test_memory_lists_what_is_remembered_and_deletes_one(world: World, user: int) -> None:
    """The other items stay; a button of an item that is gone does nothing but say so."""
    assert "remember nothing" in command(world, user, "/memory")["text"]
    world.ask(user, "I live in Oslo.")
    world.ask(user, "I prefer short answers.")
    listed = command(world, user, "/memory")
    assert "Oslo" in listed["text"]
    assert labels(listed) == ["✕ 1", "✕ 2"]
    number = next(line[0] for line in listed["text"].splitlines() if "Oslo" in line)
    deleting = listed["buttons"][0][int(number) - 1]["callback_data"]
    chat = press_data(world, user, listed["message_id"], deleting)
    left = shown(chat, listed["message_id"])
    assert "Oslo" not in left["text"]
    assert labels(left) == ["✕ 1"]
    assert press_data(world, user, listed["message_id"], deleting)["messages"][-1] == left
    command(world, user, "/new")
    before = world.sandbox.mark()
    world.ask(user, "Where do I live, please tell me?")
    assert "Oslo" not in str([call["body"] for call in world.sandbox.calls("openai", before)])


def test_memory_of_somebody_else_is_out_of_reach(world: World, user: int) -> None:
    """The same button in another chat deletes nothing there, and nothing here."""
    other = user + 70_000
    world.ask(other, "I live in Oslo.")
    theirs = command(world, other, "/memory")
    mine = world.ask(user, "hi")
    data = theirs["buttons"][0][0]["callback_data"]
    press_data(world, user, mine["message_id"], data)
    assert "Oslo" in command(world, other, "/memory")["text"]


def test_export_is_a_file_with_everything_of_mine(both: World) -> None:
    """Every part of docs/reference/export.md is there, and nothing of who did the same."""
    world, someone = both, LEAVING
    told = command(world, someone, "/export")
    (document,) = [
        message["document"]
        for message in world.sandbox.chat(someone)["messages"]
        if message.get("document")
    ]
    file = world.sandbox.http.get(f"{world.sandbox.url}{document['url']}")
    data = json.loads(file.content)
    described = (ROOT / "docs" / "reference" / "export.md").read_text(encoding="utf-8")
    of_core, of_features = (
        set(re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE))
        for part in described.split("Features add parts")
    )
    assert of_core <= set(data) <= of_core | of_features
    assert data["schema"] == "rich-agent/export/1"
    assert data["profile"]["telegram_user_id"] == someone
    assert data["profile"]["chosen_language"] == "en"
    assert [message["role"] for message in data["messages"]] == ["user", "assistant"] * 3
    (archived,) = data["archived_turns"]
    assert "Quillfeather" in archived["question"]
    assert "Oslo" in str(data["memory"]["facts"])
    assert [decision["feedback"] for decision in data["decisions"]] == [None, None, "up"]
    assert data["decisions"][-1]["retrieved"]
    assert {line["kind"] for line in data["usage"]} >= {"text", "vision"}
    used = world.rows("SELECT 1 FROM usage_days WHERE user_id = %s", someone)
    assert len(data["usage"]) == len(used)
    (image,) = data["images"]
    assert image["summary"]
    assert len(image["sha256"]) == 64
    (looked,) = data["image_answers"]
    assert (looked["sha256"], "6502" in looked["answer"]) == (image["sha256"], True)
    assert "6 messages, 3 decisions, 1 image summary" in told["text"]


@pytest.mark.req("MEM-3")
def test_forget_leaves_no_row_of_the_user_in_any_table(both: World) -> None:
    """Every table of both trees, as the catalogue lists them; another user's rows stay."""
    world, someone, other = both, LEAVING, STAYING
    asked = command(world, someone, "/forget")
    before = rows_naming(world, str(someone))
    traces = {"users", "messages", "checkpoints", "store", "vision_senders", "vision_answers"}
    assert traces <= before.keys()
    chat = press(world, someone, asked, "Yes, delete everything")
    assert "is deleted" in shown(chat, asked["message_id"])["text"]
    assert rows_naming(world, str(someone)) == {}
    assert len(rows_naming(world, str(other))) >= len(before) - 1
    assert "Quillfeather" not in world.ask(someone, "What is my name? Tell me, please.")["text"]


PROMISES = tuple(say("en", f"status-{stage}") for stage in ("searching", "drafting"))


def test_forget_breaks_off_an_answer_that_is_being_written(world: World, someone: int) -> None:
    """Nothing of it reappears; what is sent afterwards is answered."""
    world.ask(someone, "hi")
    asked = command(world, someone, "/forget")
    second_call_is_under_way(world, someone, "What is a butterscotch validator?")
    world.sandbox.say(someone, "And what waits behind it, butterscotch?")
    press(world, someone, asked, "Yes, delete everything")
    assert rows_naming(world, str(someone)) == {}
    assert rows_naming(world, "butterscotch") == {}
    assert "Hi" in world.ask(someone, "hi")["text"]
    assert len(world.decisions(someone)) == 1
    shown = [reply["text"] for reply in world.sandbox.replies(someone)]
    assert not [text for text in shown if text in PROMISES or text.endswith(" …")]


def test_forget_takes_a_yes_from_the_one_who_was_asked_alone(world: World, user: int) -> None:
    """Nobody else's press, no second one, and none after a no."""
    other = user + 80_000
    world.ask(other, "I live in Oslo.")
    asked = command(world, other, "/forget")
    mine = world.ask(user, "hi")
    yes = asked["buttons"][0][0]["callback_data"]
    chat = press_data(world, user, mine["message_id"], yes)
    assert "has expired" in chat["press_answers"][-1]["text"]
    chat = press(world, other, asked, "No, keep it")
    assert "Nothing was deleted" in shown(chat, asked["message_id"])["text"]
    chat = press_data(world, other, asked["message_id"], yes)
    assert "has expired" in chat["press_answers"][-1]["text"]
    assert "Oslo" in command(world, other, "/memory")["text"]
