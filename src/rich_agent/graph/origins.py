"""The authors of the texts in a turn's prompts, and the marks for later turns about them."""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, Self

from langchain_core.messages import AIMessage, BaseMessage

from rich_agent.domain.message import ReplyContext
from rich_agent.domain.origins import PromptProvenance
from rich_agent.domain.quotations import split_passed_on
from rich_agent.domain.repetition import words_behind_text
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.tools import ASK_TOOL, CallState, ResultState, source_of
from rich_agent.domain.value_texts import values_in
from rich_agent.domain.verbatim import is_part_of
from rich_agent.domain.words import Origin, Words, WordsState, read_words
from rich_agent.graph.rights import GUARDS, guards_behind
from rich_agent.graph.state import TurnState, input_of, request_of
from rich_agent.graph.views import (
    acting_of,
    answer_persona_of,
    files_of,
    images_of,
    messages_before,
    passages_of,
    persona_of,
    photo_of,
)
from rich_agent.runtime.concurrency import in_thread_if_long

_BETWEEN_WORDS = str.maketrans("_-.", "   ")
READ = "read"
"""The key of the foreign words that an answer read, in a message's marks or a turn's `meta`."""


def words_of_prompt(state: TurnState) -> list[Words]:
    """Every text in the turn's prompts that somebody wrote, with its author."""
    return [*personas_in(state), *_words_of_turn(state), *_words_of_earlier_turns(state)]


def personas_in(state: TurnState) -> Iterator[Words]:
    """The words of the personas in the turn's prompts: they shape answers, and ask for nothing."""
    for persona in filter(None, (persona_of(state), answer_persona_of(state))):
        yield persona.words


@dataclass(frozen=True, slots=True)
class QueryJudge:
    """Judges which words of a query planned for the web may leave.

    What came with the message may leave as it is. Words that its images show, that name its files,
    or that the conversation contains may leave one by one. So may the present year.
    """

    copies: PromptProvenance
    """The texts that may leave as they are, and the texts that may not."""
    words: PromptProvenance
    """The texts whose words may leave one by one, and the texts that may not."""

    @classmethod
    def of(cls, state: TurnState, now: datetime) -> Self:
        """The judge of a turn; `now` gives the present year."""
        incoming, earlier_words = input_of(state), list(_words_of_earlier_turns(state))
        quotations = [
            quotation.text for quotation in (incoming.forwarded, incoming.reply) if quotation
        ]
        # The authors count without their texts, since a foreign one may ask for private data.
        other_words = (
            *(replace(words, text="") for words in _words_of_message(state)),
            *earlier_words,
        )
        own_text = "" if incoming.text_words.is_foreign else incoming.text
        message = "\n".join((own_text, *quotations))
        trusted_texts = [
            words.text for words in earlier_words if words.origin in {"user", "assistant"}
        ]
        trusted_texts += [passage.words.text for passage in photo_of(state)]
        trusted_texts += [*map(_words_of_name, names_of_files(state)), f"{now:%Y}"]
        return cls(
            PromptProvenance(message, other_words),
            PromptProvenance("\n".join((message, *trusted_texts)), other_words),
        )

    def private_words(self, query: str) -> Literal["", "copied", "unknown"]:
        """Return "copied" if the query has private texts, "unknown" for unusual words, else "".

        An unusual word is one that nobody said and that is not an everyday word.
        """
        if self.copies.private_authors([query], ""):
            return "copied"
        return "unknown" if self.words.holds_back([query], "") else ""


def names_of_files(state: TurnState) -> list[str]:
    """The names of the files that came with the message; a name can stand twice."""
    files = state.get("files") or {}
    file_names = [file["name"] for file in (*files.get("read", ()), *files.get("refused", ()))]
    return [*(file.name for file in files_of(state)), *file_names]


def _words_of_name(name: str) -> str:
    """A file's name, followed by its words: `Annual_report-2026.pdf` has four."""
    return f"{name}\n{name.translate(_BETWEEN_WORDS)}"


def is_foreign(state: TurnState) -> bool:
    """Whether the turn's prompts hold words that neither the user nor the bot wrote."""
    return any(words.is_foreign for words in words_of_prompt(state))


async def answer_message(text: str, state: TurnState, **marks: object) -> AIMessage:
    """The bot's message for the conversation, marked with the foreign words behind it.

    These are all foreign words of this turn, and those of earlier turns that the text repeats.
    """
    turn_words, earlier_words = list(_words_of_turn(state)), list(_words_of_earlier_turns(state))

    def marks_of() -> dict[str, object]:
        new_words, repeated_words = words_behind_text(text, turn_words, earlier_words)
        words_read, guards = [*new_words, *repeated_words], guards_behind(text, state)
        return {
            **({READ: [words.to_state() for words in words_read]} if words_read else {}),
            **({GUARDS: guards} if guards else {}),
        }

    read_texts = (text, *(words.text for words in (*turn_words, *earlier_words)))
    source_marks = await in_thread_if_long(sum(map(len, read_texts)), marks_of)
    message_id = f"{request_of(state).request_id}:assistant"
    return AIMessage(text, id=message_id, additional_kwargs={**source_marks, **marks})


def words_behind(message: BaseMessage) -> list[WordsState]:
    """The foreign words that a message is marked with."""
    return list(message.additional_kwargs.get(READ, ()))


def words_behind_answer(state: TurnState) -> list[WordsState]:
    """The foreign words that this turn's answer is marked with."""
    answer_id = f"{request_of(state).request_id}:assistant"
    return [
        words
        for message in state["messages"]
        if message.id == answer_id
        for words in words_behind(message)
    ]


def _words_of_turn(state: TurnState) -> Iterator[Words]:
    """The texts that came with this turn, and that its searches and tools returned."""
    yield from _words_of_message(state)
    yield from (passage.words for passage in (*passages_of(state), *photo_of(state)))
    for tool_round in acting_of(state).get("rounds", []):
        for call, tool_result in zip(tool_round["calls"], tool_round["results"], strict=True):
            if not (tool_result["passages"] or source_of(call["name"])):
                yield _words_of_own_tool(call, tool_result)
            yield from (Passage.from_state(passage).words for passage in tool_result["passages"])
            for words in read_words(tool_result.get("words")):
                yield replace(words, text=words.text or tool_result["content"])
    for past_turn in state["memory"].get("past_turns", ()):
        yield from read_words(past_turn.get(READ))


def _words_of_own_tool(call: CallState, tool_result: ResultState) -> Words:
    """The text that a tool of the product read for the user, or the user's answer to a question."""
    if call["name"] == ASK_TOOL:
        return Words(tool_result["content"], "user")
    with suppress(ValueError, RecursionError):
        return Words("\n".join(values_in(json.loads(tool_result["content"]))), "memory")
    return Words(tool_result["content"], "memory")


def _words_of_message(state: TurnState) -> Iterator[Words]:
    """The texts of the message, its files, and the messages that it forwards or replies to."""
    message = input_of(state)
    yield from _parts_of(message.text, message.origin)
    if quotation := message.forwarded:
        yield Words(quotation.text, "other", quotation.author)
    if reply := message.reply:
        yield Words(f"{reply.text}\n{reply.quote}", _author_of_reply(reply, state))
    if images_of(state):
        yield Words("", "file")
    for name in names_of_files(state):
        yield Words(name, "file", name)
    yield from (Words("", "file") for _ in state["routing"].get("file_ids", ()))


def _parts_of(text: str, origin: Origin) -> Iterator[Words]:
    """The text of a message, split into the user's own words and their quotes."""
    own_text, quotation = split_passed_on(text) if origin == "user" else (text, "")
    yield Words(own_text, origin)
    if quotation:
        yield Words(quotation, "other")


def _author_of_reply(reply: ReplyContext, state: TurnState) -> Origin:
    """The author of the message replied to.

    "other" for a message of the bot that is no longer in the conversation.
    """
    if reply.author != "assistant":
        return reply.author
    answers = (
        str(answer.text) for answer in messages_before(state) if isinstance(answer, AIMessage)
    )
    return reply.author if any(is_part_of(reply.text, answer) for answer in answers) else "other"


def _words_of_earlier_turns(state: TurnState) -> Iterator[Words]:
    """The texts from memory, the summary and the conversation before this turn."""
    memory = state["memory"]
    yield from (
        Words(memory_entry, "memory") for memory_entry in memory.get("long_term_entries", ())
    )
    yield Words(memory.get("conversation_summary", ""), "assistant")
    yield from read_words(memory.get("summary_words"))
    for message in messages_before(state):
        is_from_user = not isinstance(message, AIMessage)
        yield from _parts_of(str(message.text), "user" if is_from_user else "assistant")
        yield from read_words(words_behind(message))
        marks = message.additional_kwargs
        if quotation := marks.get("forwarded"):
            yield Words(quotation["text"], "other", quotation["author"])
        yield from (Words(name, "file", name) for name in marks.get("files", ()))
