"""A conversation that outgrows its window: what was said at its beginning is still known."""

import asyncio
from typing import Any

import pytest

from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.turns.checkpoints import make_checkpointer
from rich_agent.settings.settings import Settings
from tests.acceptance.prompt_reading import texts_of
from tests.acceptance.world import World, wait_until

RECENT_TURNS = Settings().turn.recent_turns
BURST = 18


def say_at_once(world: World, user: int, texts: list[str]) -> None:
    """Send messages without waiting for each answer; they are answered in order."""
    sent = [world.sandbox.say(user, text) for text in texts]
    wait_until(lambda: world.is_done(sent[-1]) or None, "the burst is answered")


def messages_kept(world: World, user: int) -> int:
    """The number of messages that the thread's newest checkpoint holds."""

    async def read() -> int:
        async with open_pool(world.database_url, max_size=2) as pool:
            found = await make_checkpointer(pool).aget_tuple(
                {"configurable": {"thread_id": f"tg:{user}", "checkpoint_ns": ""}}
            )
        return len(found.checkpoint["channel_values"]["messages"]) if found else 0

    return asyncio.run(read())


def prompts(world: World, since: int, holding: str) -> list[str]:
    """The texts of model calls that hold a text."""
    bodies: list[dict[str, Any]] = [call["body"] for call in world.sandbox.calls("openai", since)]
    texts = ["".join(text for _, text in texts_of(body)) for body in bodies if "messages" in body]
    return [text for text in texts if holding in text]


@pytest.mark.soak
@pytest.mark.req("MEM-6")
def test_conversation_of_60_turns_is_remembered_from_its_first(world: World, user: int) -> None:
    """At most K turns in the checkpoint; an early fact, and the first question, are answered."""
    before = world.sandbox.mark()
    world.ask(user, "How old is the moon?")
    world.ask(user, "I live in Oslo.")
    world.ask(user, "My job is at the Quillfeather archive.")
    for _ in range(3):
        say_at_once(world, user, ["hi"] * BURST)
        assert 0 < messages_kept(world, user) <= 2 * RECENT_TURNS
    assert "Oslo" in world.ask(user, "Where do I live?")["text"]
    # No rule of memory learns it: only the running summary can tell.
    assert "Quillfeather" in world.ask(user, "What is my job?")["text"]
    assert "How old is the moon?" in world.ask(user, "What did I ask you first?")["text"]

    (asked,) = prompts(world, before, "<past_turn date=")
    assert "<asked>How old is the moon?</asked>" in asked
    folds = prompts(world, before, "Fold the turns of a conversation")
    assert 60 // RECENT_TURNS <= len(folds) <= 60 // (RECENT_TURNS // 2 + 1)
    assert sum("<asked>I live in Oslo.</asked>" in fold for fold in folds) == 1
    sizes = [len(c["body"].get("messages", ())) for c in world.sandbox.calls("openai", before)]
    assert max(sizes) <= 2 * RECENT_TURNS + 2, "a window, an instruction and a question"
    (summary,) = world.rows(
        "SELECT value FROM store WHERE prefix = %s AND key = 'conversation_summary'",
        f"users.{user}",
    )
    assert summary["value"]["updated_at"]


@pytest.mark.req("MEM-6")
@pytest.mark.parametrize(
    ("told", "greeting", "questions"),
    [
        ("月は何歳ですか？", "やあ", ("最初に何を聞いた？", "月の話をしたっけ？")),
        (
            "Wie alt ist der Mond?",
            "Hallo",
            ("Was habe ich dich zuerst gefragt?", "Habe ich dich nach dem Mond gefragt?"),
        ),
        ("月球有多大？", "你好", ("我最先问了你什么？", "我们聊过月球吗？")),
    ],
)
def test_question_about_the_past_is_answered_from_the_archive(
    world: World, user: int, told: str, greeting: str, questions: tuple[str, str]
) -> None:
    """In the user's language, after /new too; the web is not searched for it."""
    world.ask(user, told)
    world.ask(user, "/new")
    world.ask(user, greeting)
    before = world.sandbox.mark()
    for question in questions:
        assert told in world.ask(user, question)["text"]
        assert world.decisions(user)[-1]["plan"] == "direct"
    assert world.sandbox.calls("tavily", before) == []


@pytest.mark.req("MEM-6")
@pytest.mark.parametrize(
    "question",
    [
        "Worüber haben wir gestern gesprochen?",
        "我们昨天聊了什么？",
        "What did we talk about yesterday?",
    ],
)
def test_question_about_a_day_is_answered_from_that_day(
    world: World, user: int, question: str
) -> None:
    """The planner gives the day as a date; other days are left out."""
    for number, text in enumerate(("How old is the moon?", "How far is the sun?")):
        world.ask(user, text)
        world.ask(user, "/new")
        world.ask(user, "hi")
        if number == 0:
            world.rows(
                "UPDATE turn_archive SET asked_at = asked_at - interval '1 day' "
                "WHERE user_id = %s RETURNING 1",
                user,
            )
    answer = world.ask(user, question)["text"]
    assert "How old is the moon?" in answer
    assert "How far is the sun?" not in answer


@pytest.mark.req("MEM-3", "MEM-6")
def test_question_about_the_past_finds_nothing_of_others(world: World, user: int) -> None:
    """A question that somebody else asked is in no prompt of this user."""
    other = user + 50_000
    world.ask(other, "Where is my Zanzibar umbrella?")
    world.ask(other, "/new")
    world.ask(other, "hi")
    before = world.sandbox.mark()
    world.ask(user, "Did I tell you about my umbrella?")
    assert prompts(world, before, "Zanzibar") == []
    assert len(prompts(world, before, "holds nothing on it")) == 1
