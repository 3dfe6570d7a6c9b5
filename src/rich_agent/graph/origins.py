"""Authors of the texts in a turn's prompts, and what of it later turns have to know."""

import asyncio
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
    files_of,
    images_of,
    messages_before,
    passages_of,
    photo_of,
)

_BETWEEN_WORDS = str.maketrans("_-.", "   ")
READ = "read"
"""What holds the foreign words behind an answer, in the marks of a message or a turn's `meta`."""


def words_of_prompt(state: TurnState) -> list[Words]:
    """Every text of the turn's prompts that somebody wrote, with who did."""
    return [*_of_this_turn(state), *_of_earlier_turns(state)]


@dataclass(frozen=True, slots=True)
class QueryJudge:
    """Judges what queries of a turn, planned before anything was read, may carry to the web.

    What came with the message may be looked up, and so may, word by word, what its images show, how
    its files are called and what was said in the conversation. Everybody knows which year it is.
    """

    copies: PromptProvenance
    words: PromptProvenance

    @classmethod
    def of(cls, state: TurnState, now: datetime) -> Self:
        """The judge of a turn."""
        incoming, earlier = input_of(state), list(_of_earlier_turns(state))
        quoted_texts = [one.text for one in (incoming.forwarded, incoming.reply) if one]
        # Strangers speak in it all the same: they may want to know what is kept.
        others = (*(replace(words, text="") for words in _of_message(state)), *earlier)
        own = "" if incoming.text_words.is_foreign else incoming.text
        message = "\n".join((own, *quoted_texts))
        trusted_texts = [one.text for one in earlier if one.origin in {"user", "assistant"}]
        trusted_texts += [passage.words.text for passage in photo_of(state)]
        trusted_texts += [*map(_words_of_name, names_of_files(state)), f"{now:%Y}"]
        return cls(
            PromptProvenance(message, others),
            PromptProvenance("\n".join((message, *trusted_texts)), others),
        )

    def private_words(self, query: str) -> Literal["", "copied", "unknown"]:
        """Return "copied" for something that is kept, and "" for what may leave.

        "unknown" is a word that nobody said and not everybody uses.
        """
        if self.copies.private_authors([query], ""):
            return "copied"
        return "unknown" if self.words.holds_back([query], "") else ""


def names_of_files(state: TurnState) -> list[str]:
    """The names of the files that came with the message, each at least once."""
    files = state.get("files") or {}
    names = [file["name"] for file in (*files.get("read", ()), *files.get("refused", ()))]
    return [*(file.name for file in files_of(state)), *names]


def _words_of_name(name: str) -> str:
    """The name of a file, and its words: `Annual_report-2026.pdf` has four."""
    return f"{name}\n{name.translate(_BETWEEN_WORDS)}"


def is_foreign(state: TurnState) -> bool:
    """Whether the turn's prompts hold words that neither the user nor the bot wrote."""
    return any(words.is_foreign for words in words_of_prompt(state))


async def answer_message(text: str, state: TurnState, **marks: object) -> AIMessage:
    """Return the bot's message for the conversation, marked with the foreign words behind it.

    All of this turn's, and of earlier turns' those that the text repeats.
    """
    now, before = list(_of_this_turn(state)), list(_of_earlier_turns(state))

    def marks_of() -> dict[str, object]:
        fresh, earlier = words_behind_text(text, now, before)
        read, guards = [*fresh, *earlier], guards_behind(text, state)
        return {
            **({READ: [words.to_state() for words in read]} if read else {}),
            **({GUARDS: guards} if guards else {}),
        }

    # In a thread: what was read may be long.
    source_marks = await asyncio.to_thread(marks_of)
    message_id = f"{request_of(state).request_id}:assistant"
    return AIMessage(text, id=message_id, additional_kwargs={**source_marks, **marks})


def words_behind(message: BaseMessage) -> list[WordsState]:
    """The foreign words that a message was marked with."""
    return list(message.additional_kwargs.get(READ, ()))


def words_behind_answer(state: TurnState) -> list[WordsState]:
    """The foreign words that the turn's own answer was marked with."""
    own = f"{request_of(state).request_id}:assistant"
    return [words for one in state["messages"] if one.id == own for words in words_behind(one)]


def _of_this_turn(state: TurnState) -> Iterator[Words]:
    yield from _of_message(state)
    yield from (passage.words for passage in (*passages_of(state), *photo_of(state)))
    for one in acting_of(state).get("rounds", []):
        for call, result in zip(one["calls"], one["results"], strict=True):
            if not (result["passages"] or source_of(call["name"])):
                yield _of_own_tool(call, result)
            yield from (Passage.from_state(passage).words for passage in result["passages"])
            for words in read_words(result.get("words")):
                yield replace(words, text=words.text or result["content"])
    for turn in state["memory"].get("past_turns", ()):
        yield from read_words(turn.get(READ))


def _of_own_tool(call: CallState, result: ResultState) -> Words:
    """The words that a tool of the product read for the user, or their answer to a question."""
    if call["name"] == ASK_TOOL:
        return Words(result["content"], "user")
    with suppress(ValueError, RecursionError):
        return Words("\n".join(values_in(json.loads(result["content"]))), "memory")
    return Words(result["content"], "memory")


def _of_message(state: TurnState) -> Iterator[Words]:
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
    """The text of a message; what a user passes on in it is somebody else's."""
    own, quotation = split_passed_on(text) if origin == "user" else (text, "")
    yield Words(own, origin)
    if quotation:
        yield Words(quotation, "other")


def _author_of_reply(reply: ReplyContext, state: TurnState) -> Origin:
    """Return the author of the message replied to; "other" if its answer left the conversation."""
    if reply.author != "assistant":
        return reply.author
    answers = (str(one.text) for one in messages_before(state) if isinstance(one, AIMessage))
    return reply.author if any(is_part_of(reply.text, one) for one in answers) else "other"


def _of_earlier_turns(state: TurnState) -> Iterator[Words]:
    memory = state["memory"]
    yield from (Words(entry, "memory") for entry in memory.get("long_term_entries", ()))
    yield Words(memory.get("conversation_summary", ""), "assistant")
    yield from read_words(memory.get("summary_words"))
    for message in messages_before(state):
        is_own = not isinstance(message, AIMessage)
        yield from _parts_of(str(message.text), "user" if is_own else "assistant")
        yield from read_words(words_behind(message))
        marks = message.additional_kwargs
        if quotation := marks.get("forwarded"):
            yield Words(quotation["text"], "other", quotation["author"])
        yield from (Words(name, "file", name) for name in marks.get("files", ()))
