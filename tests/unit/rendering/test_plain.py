import pytest

from rich_agent.domain.answer.citation import Answer
from rich_agent.domain.text import utf16_length
from rich_agent.ports.bot_api import Button, RenderedMessage
from rich_agent.rendering.answers import render, without_entities
from tests.unit.rendering.seen import citation, rendered, ways_out
from tests.unit.rendering.test_links import DISGUISES


def test_without_entities_writes_the_links_of_sources_out() -> None:
    """Every word stays, and the sources can still be opened."""
    link = "https://a.example/doc#:~:text=one%20two"
    message = rendered("**Yes** [1].\n\n```py\nx = 1\n```", citation(1, link))
    plain = without_entities(message)
    assert plain.entities == ()
    assert plain.text == f"Yes [1].\n\nx = 1\n\nSources\n[1] Guide › Start {link}"
    assert ways_out(plain) == [link]


def test_without_entities_keeps_the_buttons() -> None:
    """They are no entities."""
    message = RenderedMessage("a", buttons=((Button("b", "c"),),))
    assert without_entities(message) == message


@pytest.mark.parametrize("text", DISGUISES)
def test_without_entities_leads_to_no_unknown_place(text: str) -> None:
    """Text that code kept from being a link is kept from it without code."""
    message = rendered(f"See {text}, 😀 {text}")
    plain = without_entities(message)
    assert ways_out(plain) == []
    assert len(plain.text) == len(message.text)


def test_without_entities_of_many_long_links_can_be_sent() -> None:
    """Sources are parted so that each message has room for its links."""
    citations = tuple(
        citation(n, f"https://a.example/{n}/{'long/' * 90}", title=f"Title {n}")
        for n in range(1, 31)
    )
    text = " ".join(f"Fact {n} [{n}]." for n in range(1, 31))
    messages = render(Answer(text, citations), locale="en")
    plain = [without_entities(message) for message in messages]
    assert all(utf16_length(message.text) <= 4096 for message in plain)
    together = "\n".join(message.text for message in plain)
    assert all(source.link in together for source in citations)
    assert [message.text.startswith("Sources") for message in messages[1:]] == [True] * (
        len(messages) - 1
    )
