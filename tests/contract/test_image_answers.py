"""One suite for answers to questions on images in PostgreSQL and for their twin."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from rich_agent.domain.vision import ImageQuestion
from rich_agent.ports.images import MOST_ANSWERS, AskedImage, ImageAnswers
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.images import PostgresImageAnswers
from tests.twins.knowledge import InMemoryImageAnswers


@pytest.fixture(params=["postgres", "in_memory"])
async def answers(request: pytest.FixtureRequest) -> AsyncIterator[ImageAnswers]:
    """No answer is known yet."""
    if request.param == "in_memory":
        yield InMemoryImageAnswers()
        return
    async with open_pool(request.getfixturevalue("database_url"), max_size=2) as pool:
        yield PostgresImageAnswers(pool)


def asked(question: str = "How many cars?", **changes: str) -> AskedImage:
    """A question of user 42."""
    key = ImageQuestion(question).key
    return replace(AskedImage("tg:42", "a" * 64, "vision-1", key), **changes)


async def test_image_answers_are_found_by_the_same_question(answers: ImageAnswers) -> None:
    """However it is spaced, capitalised and ended; the first answer stays."""
    await answers.store(asked(), "Three.")
    await answers.store(asked(), "Four.")
    assert await answers.find(asked("how many  CARS")) == "Three."


@pytest.mark.parametrize(
    "other", [{"thread_id": "tg:43"}, {"sha256": "b" * 64}, {"model": "vision-2"}]
)
async def test_image_answers_serve_their_user_image_and_model_alone(
    answers: ImageAnswers, other: dict[str, str]
) -> None:
    """Somebody else who asks the same about the same image finds nothing."""
    await answers.store(asked(), "Three.")
    assert await answers.find(asked(**other)) is None
    assert await answers.find(asked("How many vans?")) is None


async def test_image_answers_of_a_user_stay_bounded(answers: ImageAnswers) -> None:
    """The user's oldest answers make room; other users' answers stay."""
    await answers.store(asked(thread_id="tg:43"), "Two.")
    for number in range(MOST_ANSWERS + 2):
        await answers.store(asked(f"Question {number}?"), "Three.")
    assert await answers.find(asked("Question 1?")) is None
    assert await answers.find(asked("Question 2?")) == "Three."
    assert await answers.find(asked(thread_id="tg:43")) == "Two."


async def test_image_answers_take_words_that_postgres_refuses(answers: ImageAnswers) -> None:
    """NUL and lone surrogates of a model's output are dropped."""
    await answers.store(asked(), "A\x00B\ud800")
    assert await answers.find(asked()) == "AB"
