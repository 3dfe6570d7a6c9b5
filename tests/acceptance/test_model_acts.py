"""The sandbox's own model acts for a user, as in the demo: nothing is scripted."""

import pytest

from tests.acceptance.world import World, ask, environment


@pytest.mark.feature("agenda")
@pytest.mark.parametrize(
    ("wish", "title", "question"),
    [
        ("Add a task: call Anna", "Call Anna", "What are my tasks?"),
        ("牛乳を買うタスクを追加して", "牛乳を買う", "タスクを見せて"),
        (
            "Füge eine Aufgabe hinzu: Müll rausbringen",
            "Müll rausbringen",
            "Zeig mir meine Aufgaben",
        ),
    ],
)
def test_model_keeps_a_task_and_shows_it(
    world: World, user: int, wish: str, title: str, question: str
) -> None:
    """In the user's own language."""
    world.ask(user, wish)
    rows = world.rows("SELECT title FROM tasks WHERE user_id = %s", user)
    assert [row["title"] for row in rows] == [title]
    assert title in world.ask(user, question)["text"]


@pytest.mark.feature("agenda")
@pytest.mark.parametrize("server", ["ollama", "llamacpp"])
def test_model_acts_behind_servers_as_they_are(
    prepared: World, database_url: str, user: int, server: str
) -> None:
    """One that chooses tools by itself, and one that takes none: they are described in words."""
    url = f"{prepared.sandbox.url}/servers/{server}/v1"
    settings = environment(
        prepared.sandbox.url, database_url, OPENAI_BASE_URL=url, EMBEDDING_MODEL="none"
    )
    ask("Add a task: call Anna", settings, "--user", str(user))
    world = World(prepared.sandbox, settings, database_url)
    rows = world.rows("SELECT title FROM tasks WHERE user_id = %s", user)
    assert [row["title"] for row in rows] == ["Call Anna"]
