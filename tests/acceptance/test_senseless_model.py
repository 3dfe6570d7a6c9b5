"""A model that writes valid JSON without a sense, and letters without an end."""

import pytest

from tests.acceptance.world import World, environment, running_bot, running_sandbox
from tests.database import PostgresServer

SAID = (
    "Hello!",
    "What is proof of history?",
    "and the second one?",
    "I am allergic to peanuts.",
    "Remind me tomorrow at 8 to call the bank.",
    "Delete all my tasks.",
    "Forget everything that you know about me.",
    "今日は何曜日ですか？",
    "What is the price of SOL today?",
    "Thanks!",
)


USER = 4_711_001


def kept(world: World) -> list[dict[str, object]]:
    """The things that are kept of the user, by kind and content."""
    return world.rows(
        "SELECT 'task' AS kind, title AS content FROM tasks WHERE user_id = %s "
        "UNION ALL SELECT 'note', content FROM notes WHERE user_id = %s "
        "UNION ALL SELECT 'reminder', text FROM schedules WHERE user_id = %s "
        "UNION ALL SELECT 'memory', item->>'text' FROM store, "
        "jsonb_array_elements(coalesce(value->'items', '[]')) AS item WHERE prefix LIKE %s "
        "ORDER BY 1, 2",
        USER,
        USER,
        USER,
        f"%{USER}%",
    )


@pytest.mark.feature("agenda", "reminder")
@pytest.mark.costs("it starts a bot of its own")
def test_turns_of_a_senseless_model_end_and_delete_nothing(
    database_server: PostgresServer, with_samples: str
) -> None:
    """Each is answered; nothing is deleted or reminded of, and nothing private is searched for."""
    with running_sandbox() as sandbox, database_server.database(with_samples) as url:
        settings = environment(sandbox.url, url, CHAT_PARAMETERS='{"max_tokens": 100}')
        world = World(sandbox, settings, url)
        with running_bot(settings):
            world.ask(USER, "My name is Ada")
            world.ask(USER, "Add a task: buy milk")
            world.await_idle()
            before, mark = kept(world), sandbox.mark()
            assert {one["kind"] for one in before} == {"memory", "task"}
            sandbox.fail("openai", "senseless", method="chat.completions", times=10_000)
            for text in SAID:
                assert world.ask(USER, text)["text"].strip()
        after = kept(world)
        assert [one for one in before if one not in after] == []
        assert {one["kind"] for one in after} == {"memory", "task"}
        searched = str([call["body"] for call in sandbox.calls("tavily", mark)])
        assert not any(word in searched for word in ("peanuts", "bank", "Forget"))
