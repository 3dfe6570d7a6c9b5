"""The newest thing sent is what a message is about; the bot's own messages are no material."""

import base64
from typing import Any

import pytest

from tests.acceptance.pictures import picture
from tests.acceptance.test_agui import events_of, program, wanted
from tests.acceptance.test_files import sent
from tests.acceptance.test_interrupts import is_pending
from tests.acceptance.world import World
from tests.documents import document


def encoded(name: str) -> str:
    """A document as the sandbox takes it."""
    return base64.b64encode(document(name)).decode("ascii")


def photo() -> dict[str, Any]:
    """A photo without words."""
    return {"photo": picture("teal", "orange", seed=7)}


def file() -> dict[str, Any]:
    """A file without words."""
    return {"document_base64": encoded("minutes.docx"), "file_name": "minutes.docx"}


def link() -> dict[str, Any]:
    """A link without words."""
    return {"text": "https://example.com/lighthouse"}


def forward() -> dict[str, Any]:
    """Somebody else's words."""
    return {"text": "The lighthouse is closed.", "forward_from": "Mallory"}


@pytest.mark.costs("files are read and photos looked at")
@pytest.mark.req("INT-1", "TG-2")
@pytest.mark.parametrize(
    ("material", "named"),
    [(photo, "teal"), (file, "minutes.docx"), (link, "lighthouse"), (forward, "")],
)
def test_what_comes_after_a_file_is_not_the_answer_about_it(
    world: World, user: int, material: Any, named: str
) -> None:
    """A file came without a word, and then something else: the second is not swallowed."""
    asked = sent(world, user, "report.pdf")
    assert "report.pdf" in asked["text"]
    assert is_pending(world, user)
    world.sandbox.pause(user)
    answer = world.ask(user, **material())["text"]
    assert named in answer.lower()
    assert "14 euros" not in answer
    assert "report.pdf" not in answer
    (turn,) = world.rows(
        "SELECT count(*) AS n FROM retrieval_decisions WHERE thread_id = %s", f"tg:{user}"
    )
    assert turn["n"] == 2


@pytest.mark.costs("files are read and photos looked at")
@pytest.mark.req("INT-1", "TG-2")
def test_file_after_a_photo_is_not_the_answer_about_it(world: World, user: int) -> None:
    """The other way round; words about the newest then resume."""
    world.ask(user, None, **photo())
    world.sandbox.pause(user)
    asked = world.ask(user, None, **file())["text"]
    assert "minutes.docx" in asked
    answer = world.ask(user, "When is the garden party at the old mill?")["text"]
    assert "20 June" in answer


@pytest.mark.req("INT-1")
def test_picture_after_a_picture_in_the_web_chat_is_a_new_one(world: World, user: int) -> None:
    """As in Telegram: the second question is about the second picture."""
    with program(world, user) as client:
        questions = []
        for run, colours in (("r1", ("teal", "orange")), ("r2", ("red", "white"))):
            data = base64.b64encode(picture(*colours, seed=user)).decode()
            source = {"type": "data", "mimeType": "image/png", "value": data}
            content = [{"type": "text", "text": "?"}, {"type": "image", "source": source}]
            events = events_of(client.post("/agui", json=wanted(content, run)))
            questions.append(str(events[-1]["outcome"]).lower())
    assert "teal" in questions[0]
    assert "red" in questions[1]
    assert "teal" not in questions[1]
