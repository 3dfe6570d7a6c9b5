"""Pieces of a text, and the chunks of a stream."""

from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.types.chat import ChatCompletionChunk

from rich_agent.domain.runs import Run, RunAsked
from rich_agent.features.openai_api.endpoints import CompletionWriter, pieces


def test_pieces_of_a_list_take_little_more_than_their_text() -> None:
    """A line of a few characters is no event of its own."""
    text = "\n".join(f"{number}. item" for number in range(8_000))
    writer = CompletionWriter(Run(-1, 42, "r1", "t1", RunAsked("List")), 0)
    parts = list(pieces(text))
    assert "".join(parts) == text
    assert sum(len(writer.chunk({"content": part})) for part in parts) < 4 * len(text)


def test_chunks_are_joined_by_the_client_of_openai() -> None:
    """They are all of one choice, and the last one ends it."""
    writer = CompletionWriter(Run(-1, 42, "r1", "t1", RunAsked("Tea?")), 0)
    deltas = ({"role": "assistant", "content": ""}, {"content": "Green "}, {"content": "tea."})
    lines = [*map(writer.chunk, deltas), writer.chunk({}, "stop")]
    stream: ChatCompletionStreamState[None] = ChatCompletionStreamState()
    for line in lines:
        stream.handle_chunk(ChatCompletionChunk.model_validate_json(line.removeprefix("data: ")))
    (choice,) = stream.get_final_completion().choices
    assert (choice.message.content, choice.finish_reason) == ("Green tea.", "stop")
