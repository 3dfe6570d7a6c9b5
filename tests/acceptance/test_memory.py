"""Memories of a user: what the bot remembers, replaces, forgets, and lets shape its answers."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Jsonb

from tests.acceptance.test_commands import command
from tests.acceptance.world import World, wait_until


def remembered(world: World, user: int, kind: str = "facts") -> list[dict[str, Any]]:
    """The stored items of one kind."""
    rows = world.rows(
        "SELECT value FROM store WHERE prefix = %s AND key = %s", f"users.{user}", kind
    )
    return list(rows[0]["value"]["items"]) if rows else []


def texts(world: World, user: int, kind: str = "facts") -> list[str]:
    """Their texts."""
    return [item["text"] for item in remembered(world, user, kind)]


def prompts(world: World, since: int) -> str:
    """Everything that the model server was sent since a call."""
    return json.dumps([c["body"] for c in world.sandbox.calls("openai", since)], ensure_ascii=False)


@pytest.mark.req("MEM-4")
def test_new_home_replaces_the_old_one(world: World, user: int) -> None:
    """Only Rome is left, with the message that taught it, in the store and in /memory."""
    world.ask(user, "I live in Oslo.")
    world.ask(user, "I moved to Rome.")
    (home,) = remembered(world, user)
    assert (home["text"], home["topic"]) == ("Lives in Rome", "residence")
    assert home["request_id"].startswith("tg:")
    listed = command(world, user, "/memory")["text"]
    assert "Lives in Rome (today)" in listed
    assert "Oslo" not in listed


@pytest.mark.req("MEM-4")
@pytest.mark.parametrize(
    ("told", "then", "left"),
    [
        ("Ich wohne in Oslo.", "Ich bin nach Rom gezogen.", "Ich bin nach Rom gezogen"),
        ("Vivo en Oslo.", "Me he mudado a Roma.", "Me he mudado a Roma"),
        ("我住在奥斯陆。", "我搬到罗马了。", "我搬到罗马了"),
        ("オスロに住んでいます。", "ローマに引っ越しました。", "ローマに引っ越しました"),
    ],
)
def test_new_home_replaces_the_old_one_in_any_language(
    world: World, user: int, told: str, then: str, left: str
) -> None:
    """One home is left, whatever the words."""
    world.ask(user, told)
    world.ask(user, then)
    assert texts(world, user) == [left]


@pytest.mark.req("MEM-4")
@pytest.mark.parametrize(
    ("told", "about"), [("Seine Frau wohnt in Rom.", "Frau"), ("Mi mujer vive en Roma.", "mujer")]
)
def test_home_of_another_is_not_the_users(world: World, user: int, told: str, about: str) -> None:
    """It is kept next to theirs, and shown as that of another."""
    world.ask(user, "I live in Oslo.")
    world.ask(user, told)
    (oslo, rome) = remembered(world, user)
    assert (oslo["text"], oslo["about"]) == ("Lives in Oslo", "")
    assert (rome["topic"], rome["about"]) == ("residence", about)
    assert f" · {about} (" in command(world, user, "/memory")["text"]


@pytest.mark.req("MEM-4")
@pytest.mark.parametrize(
    ("text", "learned"),
    [
        ("Ich wohne in Berlin, kennst du ein gutes Restaurant?", "Lives in Berlin"),
        ("저는 서울에 살아요. 좋은 식당 아세요?", "Lives in 서울"),
        ("我住在柏林，有什么好餐厅吗？", "Lives in 柏林"),
    ],
)
def test_message_that_tells_and_asks_is_learned(
    world: World, user: int, text: str, learned: str
) -> None:
    """The planner says that it teaches; a question alone asks no extractor."""
    world.ask(user, text)
    assert texts(world, user) == [learned]
    before = world.sandbox.mark()
    world.ask(user, "What is proof of history?")
    assert "LearnedAboutUser" not in prompts(world, before)


@pytest.mark.req("MEM-4")
def test_task_has_a_date_and_ends_when_it_is_done(world: World, user: int) -> None:
    """The user's words for the day are kept beside the ISO date; another task stays."""
    world.ask(user, "I need to buy the ticket tomorrow.")
    world.ask(user, "I have to call Ann.")
    ticket = remembered(world, user, "tasks")[0]
    today = datetime.now(UTC).date()
    assert ticket["text"] == "Buy the ticket tomorrow"
    # The turn may have run just before midnight.
    assert ticket["due"] in {(today + timedelta(days=days)).isoformat() for days in (0, 1)}
    assert "due tomorrow" in command(world, user, "/memory")["text"]
    world.ask(user, "I've bought the ticket.")
    assert texts(world, user, "tasks") == ["Call Ann"]


@pytest.mark.req("MEM-4")
def test_model_that_invents_changes_no_memory(world: World, user: int) -> None:
    """Neither what nobody said is remembered, nor what is known removed or replaced by it."""
    world.ask(user, "My name is Ada.")
    invented = {
        "facts": [
            {"said": "I moved to Rome", "text": "Lives in Rome", "topic": "residence"},
            {"said": "gemhhv irfst", "text": "Name is Gemhhv", "action": "replace", "number": 1},
            {"said": "e", "text": "", "action": "remove", "number": 1},
            {"said": "I live in Oslo", "text": "Wohnt in Oslo"},
        ],
        "preferences": [{"text": "Keep answers short", "topic": "length"}],
    }
    message = "I live in Oslo."
    aim = [message, "LearnedAboutUser"]
    world.sandbox.fail("openai", "scripted", containing=aim, text=json.dumps(invented))
    world.ask(user, message)
    assert texts(world, user) == ["Name is Ada", "Wohnt in Oslo"]
    assert texts(world, user, "preferences") == []


@pytest.mark.req("MEM-4")
def test_secrets_and_quotes_are_not_remembered(world: World, user: int) -> None:
    """Neither a password, nor what somebody else said; the rest of the message is."""
    world.ask(user, "Remember that my password is hunter2.")
    before = world.sandbox.mark()
    world.ask(user, "> I live in Paris\n> My name is Bob\nMy name is Ann.")
    assert texts(world, user) == ["Name is Ann"]
    calls = [str(call["body"]) for call in world.sandbox.calls("openai", before)]
    (extraction,) = [body for body in calls if "LearnedAboutUser" in body]
    assert "Ann" in extraction
    assert "Paris" not in extraction


@pytest.mark.costs("it is a conversation of several turns")
def test_preferred_language_holds_until_another_is_told(world: World, user: int) -> None:
    """In the model's answers and in the product's own words, unless /language says otherwise."""
    world.ask(user, "Please answer in Japanese.")
    world.ask(user, "I live in Oslo.")
    assert "覚えていること" in world.ask(user, "Where do I live, please?")["text"]
    assert "こんにちは" in world.ask(user, "hi")["text"]
    assert "覚えています" in command(world, user, "/memory")["text"]
    command(world, user, "/language english")
    assert "Hi" in world.ask(user, "hi")["text"]
    command(world, user, "/language auto")
    world.ask(user, "Please answer in English.")
    assert texts(world, user, "preferences") == ["Answer in English"]
    assert "Hello" in world.ask(user, "hi")["text"]


@pytest.mark.parametrize(
    "wish", ["From now on, answer in French.", "Antworte mir ab jetzt auf Französisch."]
)
def test_wish_for_a_language_holds_in_the_next_turn(world: World, user: int, wish: str) -> None:
    """Also one that the product's own phrases do not speak."""
    world.ask(user, wish)
    (preference,) = remembered(world, user, "preferences")
    assert (preference["topic"], preference["language"]) == ("language", "fr")
    answer = world.ask(user, "Are you having a nice day over there, my friend?")["text"]
    assert answer.startswith("Dans cette démo")


def test_preferred_length_shortens_the_answer(world: World, user: int) -> None:
    """The same question, with and without the wish."""
    question = "What is proof of history?"
    long = world.ask(user, question)["text"]
    other = user + 60_000
    world.ask(other, "Please keep your answers short.")
    short = world.ask(other, question)["text"]
    assert len(short.split("Sources")[0]) < len(long.split("Sources")[0])


@pytest.mark.req("MEM-5", "MEM-3")
def test_many_memories_are_recalled_by_meaning_within_a_budget(world: World, user: int) -> None:
    """One call embeds the question; the oldest fact is found, another user's never.

    Newer ones hold the same word beside many others: by words they would come first.
    """
    told = datetime.now(UTC)
    facts = ["Keeps tortoises in the garden"]
    series = "of the blue tortoises series of Peru, bought at an auction in Lima"
    facts += [f"Owns stamp number {number} {series}" for number in range(90)]
    for owner, changed in ((user, facts), (user + 900_000, ["Keeps tortoises and a marmoset"])):
        items = [
            {
                "text": text,
                "request_id": "tg:0",
                "updated_at": (told + timedelta(seconds=n)).isoformat(),
            }
            for n, text in enumerate(changed)
        ]
        with psycopg.connect(world.database_url) as connection:
            connection.execute(
                "INSERT INTO store (prefix, key, value) VALUES (%s, 'facts', %s)",
                (f"users.{owner}", Jsonb({"items": items})),
            )
    before = world.sandbox.mark()
    world.ask(user, "hi")
    assert world.sandbox.calls("openai", before) == []
    for _ in range(2):
        world.ask(user, "Which metals rust, please?")
    vectors = world.rows("SELECT 1 FROM store_vectors WHERE prefix = %s", f"users.{user}")
    assert len(vectors) == len(facts)
    before = world.sandbox.mark()
    world.ask(user, "Where are my tortoises, please?")
    asked = [c for c in world.sandbox.calls("openai", before) if c["method"] == "embeddings"]
    assert [c["body"]["input"] for c in asked][:1] == [["Where are my tortoises, please?"]]
    told_to_model = prompts(world, before)
    (answering,) = [c for c in world.sandbox.calls("openai", before) if c["body"].get("stream")]
    assert "Keeps tortoises in the garden" in str(answering["body"])
    assert "marmoset" not in told_to_model
    for call in world.sandbox.calls("openai", before):
        assert json.dumps(call["body"]).count("Owns stamp number") < len(facts) - 1


@pytest.mark.req("MEM-4")
def test_what_a_failing_model_kept_the_bot_from_learning_is_learned_later(
    world: World, user: int
) -> None:
    """The extraction is refused for a second; the user need not say it again."""
    sandbox, told = world.sandbox, f"My cat is called Tibbles{user}."
    # The planner's call comes first, the answer's second; both are served.
    sandbox.fail("openai", "429", method="chat.completions", containing="LearnedAboutUser")
    world.ask(user, told)
    world.ask(user, "hi")

    wait_until(lambda: f"Tibbles{user}" in str(texts(world, user)), "the cat is remembered")

    def is_done() -> bool:
        return not world.rows("SELECT 1 FROM due_work WHERE user_id = %s", user)

    wait_until(is_done, "nothing is left to be learned")
