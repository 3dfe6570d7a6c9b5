"""Files in the chat, made by real programs: read whole, searched, cited, kept and forgotten."""

import base64
from collections.abc import Mapping
from typing import Any

from tests.acceptance.world import Sent, World
from tests.documents import document


def send(world: World, user: int, name: str, text: str | None = None, **more: Any) -> Sent:
    """The user sends a document; its bytes are those of tests/documents unless `data` is given."""
    data = more.pop("data", None)
    encoded = base64.b64encode(document(name) if data is None else data).decode("ascii")
    return world.sandbox.say(user, text, document_base64=encoded, file_name=name, **more)


def sent(
    world: World, user: int, name: str, text: str | None = None, **more: Any
) -> dict[str, Any]:
    """The bot's last message after the document."""
    return world.answer(user, send(world, user, name, text, **more))


def buttons(message: Mapping[str, Any]) -> dict[str, str]:
    """The data of the buttons under a message, by their texts."""
    return {one["text"]: one["data"] for row in message["buttons"] for one in row}


def test_pdf_that_fits_is_read_whole_and_cited_by_page(world: World, user: int) -> None:
    """Ten pages: the answer stands on page 3, the source names it, and the note says whole."""
    answer = sent(world, user, "report.pdf", "What does the crossing cost for adults?")
    assert "14 euros" in answer["text"]
    assert "report.pdf › page 3" in answer["text"]
    assert "I read all of report.pdf." in answer["text"]
    assert {"Remember", "Only here"} <= buttons(answer).keys()


def test_later_question_is_answered_from_the_file(world: World, user: int) -> None:
    """It was not sent again, and is named by what it is."""
    sent(world, user, "report.pdf", "What does the crossing cost for adults?")
    answer = world.ask(user, "Who is the harbour master in the report?")
    assert "Petra Ahlberg" in answer["text"]
    assert "report.pdf › page 4" in answer["text"]
