"""The chat model, which writes answers and summaries, and calls tools."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import openai
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from rich_agent.domain.text import LONGEST_ANSWER, clean_text, estimate_tokens
from rich_agent.domain.tools import ToolCall
from rich_agent.errors import (
    BrokenAnswerError,
    EarlyEndError,
    EmptyCompletionError,
    UpstreamError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.ports.models import GrowingCall, ModelPiece, Prompt
from rich_agent.prompts import disarm, markup_tags, render_prompt
from rich_agent.runtime.concurrency import closing_after
from rich_agent.upstreams.models.repetition import LoopWatch
from rich_agent.upstreams.servers.capabilities import ModelAccess
from rich_agent.upstreams.servers.chat_client import open_chat_client
from rich_agent.upstreams.servers.refusals import is_about_form, translate_openai_errors
from rich_agent.upstreams.servers.replies import (
    Ending,
    ReplyPiece,
    ending_of,
    refusal_in,
    thinking_in,
)
from rich_agent.upstreams.servers.template_text import TemplateTextFilter, without_template
from rich_agent.upstreams.servers.tool_calls import (
    ProseCallReader,
    ToolCallReader,
    function_of,
    in_words,
    round_messages,
    rounds_in_words,
    template_calls,
)

_ANCHOR_CHARS = 80
_EXAMINED_CHARS = 400
"""Characters of a continuation that are examined before any of it is passed on."""
_MIN_REPEATED_CHARS = 12
"""A shorter overlap may be a coincidence: "ha" may continue with "ha"."""


def ask_to_continue(prompt: Prompt, answer: str) -> Prompt:
    """The prompt with the answer so far and the request to continue.

    The oldest messages are dropped to make room, so that the new prompt is no longer than the old
    one if possible.
    """
    request = render_prompt("N6_continue", last_words=last_words(answer)).user
    extra_tokens = estimate_tokens(answer) + estimate_tokens(request)
    history = list(prompt.history)
    while history and extra_tokens > 0:
        extra_tokens -= estimate_tokens(history.pop(0)[1])
    return replace(prompt, history=tuple(history)).with_follow_up(disarm(answer), request)


def last_words(text: str) -> str:
    """The last 80 characters of a text, from the beginning of a word if the text has spaces."""
    last_chars = text[-_ANCHOR_CHARS:]
    partial_word, space, words = last_chars.partition(" ")
    return (
        words if space and len(partial_word) < _ANCHOR_CHARS // 2 and words.strip() else last_chars
    )


@dataclass(slots=True)
class ContinuationJoin:
    """Passes on the new part of a continuation, without the text that the continuation repeats.

    A model may go on with the next character, repeat the last words, or begin the whole answer
    again. The prompt asks for the last words, so that spaces and halves of words are clear.
    `is_lost`: the model began again with other words, so the parts cannot be joined.
    """

    text_so_far: str
    is_lost: bool = False
    _held: str = ""
    _is_joined: bool = False
    _has_begun_again: bool = False

    def feed(self, piece: str) -> str:
        """Take a piece; return the new text in the piece and in the text held back before."""
        if self.is_lost:
            return ""
        if self._is_joined or not self.text_so_far:
            return piece
        self._held += piece
        if self._begins_again():
            return self._new_part() if len(self._held) >= len(self.text_so_far) else ""
        return self._join() if len(self._held) >= _EXAMINED_CHARS else ""

    def finish(self) -> str:
        """Return the new text that is still held back."""
        if self._is_joined or not self._held:
            return ""
        return self._new_part() if self._begins_again() else self._join()

    def _begins_again(self) -> bool:
        start = self._held[:_EXAMINED_CHARS]
        length = min(len(start), len(self.text_so_far))
        is_same_beginning = length >= _ANCHOR_CHARS and self.text_so_far[:length] == start[:length]
        self._has_begun_again = self._has_begun_again or is_same_beginning
        return is_same_beginning

    def _new_part(self) -> str:
        self._is_joined = True
        self.is_lost = not self._held.startswith(self.text_so_far)
        return "" if self.is_lost else self._held[len(self.text_so_far) :]

    def _join(self) -> str:
        self._is_joined = True
        anchor = last_words(self.text_so_far)
        position = (
            self._held[: 2 * _EXAMINED_CHARS].find(anchor)
            if len(anchor) >= _MIN_REPEATED_CHARS
            else -1
        )
        if position >= 0:
            return self._held[position + len(anchor) :]
        start = self._held.lstrip(" \n….\"'«»“”`")
        for length in range(
            min(len(start), len(self.text_so_far), _EXAMINED_CHARS), _MIN_REPEATED_CHARS - 1, -1
        ):
            if self.text_so_far.endswith(start[:length]):
                return start[length:]
        self.is_lost = self._has_begun_again
        return "" if self.is_lost else self._held


MOST_CONTINUATIONS = 4
"""Automatic continuations of an answer that runs out of tokens; after these the user decides."""
_SUMMARY_TOKENS = 2_000


def to_messages(prompt: Prompt) -> list[BaseMessage]:
    """The prompt as messages: instructions, history, question, rounds of tool calls, follow-up."""
    if prompt.follow_up and prompt.rounds:
        # Some servers refuse messages with calls in a request that offers no tools.
        prompt = rounds_in_words(prompt)
    return [
        SystemMessage(prompt.system),
        *_spoken(prompt.history),
        HumanMessage(prompt.user),
        *(message for tool_round in prompt.rounds for message in round_messages(tool_round)),
        *_spoken(prompt.follow_up),
    ]


def _spoken(pairs: Sequence[tuple[str, str]]) -> list[BaseMessage]:
    """Pairs of (role, text) as messages."""
    return [AIMessage(text) if role == "assistant" else HumanMessage(text) for role, text in pairs]


_MAX_CHARS_READ = 3 * LONGEST_ANSWER
"""Characters read over all calls, including dropped repetitions and template text."""


@dataclass(slots=True)
class AnswerSoFar:
    """The answer so far, over all calls to the model.

    `is_full`: the model sent more than an answer may hold.
    """

    text: str = ""
    refusal: str = ""
    is_full: bool = False
    ending: Ending | None = None
    calls: ToolCallReader = field(default_factory=ToolCallReader)
    template: TemplateTextFilter = field(default_factory=TemplateTextFilter)
    repeats: LoopWatch = field(default_factory=LoopWatch)
    thought_repeats: LoopWatch = field(default_factory=LoopWatch)
    _read: int = 0

    def take(self, chunk: ReplyPiece, join: ContinuationJoin | None) -> Iterator[str | GrowingCall]:
        """Read a piece of the reply; yield its new text, then the tool calls that have grown.

        Raises: EarlyEndError, see `grow`.
        """
        growing = list(self.calls.feed(chunk))
        self.refusal += self._fitting_part(refusal_in(chunk), self.refusal)
        self.ending = self.ending or ending_of(chunk)
        words, thinking = str(chunk.text), thinking_in(chunk)
        self._read += len(words)
        self.is_full = self.is_full or self._read > _MAX_CHARS_READ
        text = self.template.feed(words)
        # Template text, such as a call, is checked for repetitions like a thought.
        piece = self.grow(join.feed(text) if join else text, thinking or ("" if text else words))
        if piece or words or thinking or chunk.tool_call_chunks:
            yield piece
        yield from growing

    def _fitting_part(self, piece: str, previous_text: str) -> str:
        """The part of a piece that fits after the previous text."""
        free_chars = LONGEST_ANSWER - len(previous_text)
        self.is_full = self.is_full or len(piece) > free_chars
        return piece[:free_chars]

    def grow(self, piece: str, thinking: str) -> str:
        """Add new text and a new thought; return the part of the text that fits.

        Raises: EarlyEndError once the text or the thought repeats itself without end.
        """
        piece = self._fitting_part(piece, self.text)
        self.text += piece
        if self.thought_repeats.feed(thinking) is not None:
            raise EarlyEndError("model", "repeated")
        if (length := self.repeats.feed(piece)) is not None:
            raise EarlyEndError("model", "repeated", kept=length)
        return piece


class OpenAIChatModel:
    """Implements `ChatModel`."""

    def __init__(self, access: ModelAccess) -> None:
        self._access = access
        self._client = open_chat_client(access)

    async def stream(self, prompt: Prompt) -> AsyncIterator[ModelPiece]:
        answer = AnswerSoFar(template=TemplateTextFilter(prompt_tags=markup_tags(prompt)))
        if prompt.tools and self._takes_no_tools:
            prompt = in_words(prompt)
        prose = ProseCallReader(frozenset(tool.name for tool in prompt.tools))
        try:
            async with closing_after(self._call(prompt, answer)) as pieces:
                async for piece in pieces:
                    yield prose.feed(piece) if isinstance(piece, str) else piece
        except (UpstreamRefusedError, UpstreamUnavailableError) as error:
            # llama.cpp refuses tools with a 500.
            if not self._refuses_tools(prompt, error):
                raise
            self._client.capabilities.refuses_tools = True
            prompt = in_words(prompt)
            async with closing_after(self._call(prompt, answer)) as pieces:
                async for piece in pieces:
                    yield prose.feed(piece) if isinstance(piece, str) else piece
        if calls := _calls_of(answer, prose, prompt):
            _ending(answer)
            for call in calls:
                yield call
            return
        if held_text := prose.rest():
            yield held_text
        async with closing_after(self._continue(prompt, answer)) as continuation:
            async for piece in continuation:
                yield piece
        _require_whole_answer(answer)

    async def _continue(self, prompt: Prompt, answer: AnswerSoFar) -> AsyncIterator[str]:
        """The rest of an answer that reached its token limit."""
        for _ in range(MOST_CONTINUATIONS):
            if answer.ending != "length" or answer.is_full or not answer.text.strip():
                return
            join = ContinuationJoin(answer.text)
            request = ask_to_continue(prompt, answer.text)
            try:
                async with closing_after(self._call(request, answer, join)) as pieces:
                    async for piece in pieces:
                        if isinstance(piece, str):
                            yield piece
            except UpstreamError as error:
                if isinstance(error, EarlyEndError) and error.reason == "repeated":
                    raise
                raise EarlyEndError("model", "length") from error
            if join.is_lost:
                answer.ending = "length"
                return

    @property
    def _takes_no_tools(self) -> bool:
        capabilities = self._client.capabilities
        return capabilities.refuses_tools or capabilities.has_two_roles

    def _refuses_tools(self, prompt: Prompt, error: UpstreamError) -> bool:
        cause = error.__cause__
        is_form = isinstance(cause, openai.APIStatusError) and is_about_form(cause)
        return bool(prompt.tools) and is_form and not self._takes_no_tools

    async def _call(
        self, prompt: Prompt, answer: AnswerSoFar, join: ContinuationJoin | None = None
    ) -> AsyncIterator[str | GrowingCall]:
        answer.ending = None
        tools = () if self._takes_no_tools else prompt.tools
        options: dict[str, Any] = {"tools": [function_of(tool) for tool in tools]} if tools else {}
        try:
            with translate_openai_errors("model", self._access.role):
                messages = to_messages(prompt)
                most_tokens = prompt.most_tokens
                chunks = self._client.pieces(messages, most_tokens=most_tokens, **options)
                async with closing_after(chunks) as pieces:
                    async for chunk in pieces:
                        for piece in answer.take(chunk, join):
                            yield piece
                        if answer.is_full or (join and join.is_lost):
                            answer.ending = "length"
                            break
                        # Reading chunks that have arrived does not wait, so other tasks run here.
                        await asyncio.sleep(0)
        except (UpstreamUnavailableError, UpstreamTimeoutError) as error:
            if answer.text:
                raise BrokenAnswerError("model", f"the answer broke off ({error})") from error
            raise
        if answer.template.is_over and answer.ending == "length":
            answer.ending = "whole"
        remaining_text = answer.template.finish(
            lambda section: bool(template_calls([section], prompt.tools))
        )
        if remaining_text := answer.grow(
            join.feed(remaining_text) + join.finish() if join else remaining_text, ""
        ):
            yield remaining_text


def _calls_of(
    answer: AnswerSoFar, prose: ProseCallReader, prompt: Prompt
) -> Sequence[str | ToolCall]:
    """The tool calls of a reply, after the held-back text if they are from template text."""
    if not prompt.tools:
        return ()
    if calls := answer.calls.read():
        return calls
    if calls := template_calls(answer.template.sections, prompt.tools):
        return (*filter(None, [prose.rest()]), *calls)
    return prose.read()


def _ending(answer: AnswerSoFar) -> Ending:
    """The ending of the reply. Raises: BrokenAnswerError if the reply broke off."""
    if answer.ending is None or answer.ending == "broken":
        raise BrokenAnswerError("model", "the answer broke off before its end")
    return answer.ending


def _require_whole_answer(answer: AnswerSoFar) -> None:
    """Check that the answer is whole.

    Raises: BrokenAnswerError, EmptyCompletionError, EarlyEndError.
    """
    ending = _ending(answer)
    if answer.refusal:
        raise EarlyEndError("model", "refused", answer.refusal)
    if ending == "length" and not answer.text.strip():
        raise EmptyCompletionError(
            "model",
            "its answer is empty: it used up its tokens before its first word",
            hint="Allow it more tokens, or less reasoning, in CHAT_PARAMETERS.",
        )
    if ending != "whole":
        raise EarlyEndError("model", ending)


class OpenAISummarizer:
    """Implements `Summarizer`."""

    def __init__(self, access: ModelAccess) -> None:
        self._access = access
        self._client = open_chat_client(access)

    async def summarize(self, prompt: Prompt) -> str:
        with translate_openai_errors("model", self._access.role):
            messages = to_messages(prompt)
            reply = await self._client.reply(messages, most_tokens=_SUMMARY_TOKENS)
        if (ending := ending_of(reply)) not in {None, "whole"}:
            raise BrokenAnswerError("model", f"the summary is incomplete ({ending})")
        summary = clean_text(without_template(str(reply.text))).strip()
        if not summary:
            raise EmptyCompletionError("model", "the summary was empty")
        return summary
