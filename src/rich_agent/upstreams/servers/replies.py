"""Reads the replies of a chat client: separates thoughts from text, and notices their ending."""

from dataclasses import dataclass, field

from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk

from rich_agent.upstreams.servers.call_pieces import ReplyPiece
from rich_agent.upstreams.servers.messages import (
    Ending,
    ending_of,
    read_message,
    thought_in,
    told_ending,
)
from rich_agent.upstreams.servers.reasoning import ThinkingFilter


@dataclass(slots=True)
class StreamSoFar:
    """The part of a stream that has come: its thoughts, whether text or calls, and how it ended."""

    thinking: ThinkingFilter = field(default_factory=ThinkingFilter)
    is_begun: bool = False
    is_said: bool = False
    ending: Ending | None = None

    @property
    def is_spent(self) -> bool:
        """Whether its tokens ran out before its first word."""
        return self.ending == "length" and not self.is_said

    def _grow(self, message: BaseMessage) -> None:
        has_calls = isinstance(message, AIMessageChunk) and bool(message.tool_call_chunks)
        self.is_said = self.is_said or has_calls or bool(message.text.strip())
        self.is_begun = self.is_begun or self.is_said or bool(thought_in(message))
        self.ending = self.ending or ending_of(message)

    def read(self, chunk: ChatGenerationChunk) -> ChatGenerationChunk:
        """The next piece, with only its text as content."""
        ending = told_ending(chunk.message, chunk.generation_info)
        text = self.thinking.feed(str(chunk.message.text))
        if ending:
            text += self.thinking.finish(was_cut=ending == "length")
        thought = self.thinking.new_thought()
        message = ReplyPiece.of(read_message(chunk.message, text, thought, ending))
        self._grow(message)
        return ChatGenerationChunk(message=message, generation_info=chunk.generation_info)

    def rest(self) -> ChatGenerationChunk:
        """The text that was held back, as the last piece of a stream without a mark of its end."""
        told = {"ending": "whole"}
        return ChatGenerationChunk(
            message=ReplyPiece(content=self.thinking.finish(), response_metadata=told)
        )


def read_whole(generation: ChatGeneration) -> ThinkingFilter:
    """Read a reply that was not streamed, in place; how its thoughts were marked."""
    message = generation.message
    ending = told_ending(message, generation.generation_info)
    reading = ThinkingFilter()
    text = reading.feed(str(message.text)) + reading.finish(was_cut=ending == "length")
    generation.message = read_message(message, text, reading.thought, ending)
    return reading
