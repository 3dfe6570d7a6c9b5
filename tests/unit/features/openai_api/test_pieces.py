"""Pieces of a text that is known at once."""

from rich_agent.domain.runs import Run, RunAsked
from rich_agent.features.openai_api.endpoints import CompletionWriter, pieces


def test_pieces_of_a_list_take_little_more_than_their_text() -> None:
    """A line of a few characters is no event of its own."""
    text = "\n".join(f"{number}. item" for number in range(8_000))
    writer = CompletionWriter(Run(-1, 42, "r1", "t1", RunAsked("List")), 0)
    parts = list(pieces(text))
    assert "".join(parts) == text
    assert sum(len(writer.chunk({"content": part})) for part in parts) < 4 * len(text)
