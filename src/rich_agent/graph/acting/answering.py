"""Answers in words to a question whether calls may run.

A label of a button, or a word for yes or no, is certain. A model says what any other reply means;
code guesses nothing.
"""

import asyncio
from collections.abc import Mapping
from functools import cache
from typing import Literal

from rich_agent.domain.languages import SUPPORTED_LOCALES
from rich_agent.domain.message import (
    DECISIONS,
    Decided,
    IncomingMessage,
    ReplyMeaning,
    TurnRequest,
)
from rich_agent.domain.quotations import split_passed_on
from rich_agent.domain.text import bare_words
from rich_agent.errors import DailyLimitError, UpstreamError
from rich_agent.graph.answer.material import fit_slots
from rich_agent.graph.origins import answer_message
from rich_agent.graph.planning import clarification_of, question_text
from rich_agent.graph.services import NodeContext
from rich_agent.graph.state import ClarificationState, TurnState, TurnUpdate, input_of
from rich_agent.graph.views import message_of
from rich_agent.phrases import say
from rich_agent.prompts import render_prompt

_CLASSIFY_TIMEOUT_S = 20.0
_LONGEST_ANSWER = 60
"""The most characters of a word for yes or no, or of a label."""
_BETWEEN = "|"
"""The separator between words in a phrase."""


def decision_in(reply: TurnRequest, question: ClarificationState) -> Decided:
    """The user's decision on the waiting calls if the reply is a label, or a yes or no; else ""."""
    message = reply.message
    if message.photos or message.files or message.forwarded or len(message.text) > _LONGEST_ANSWER:
        return ""
    reply_words = _plain(_own_words(message))
    decision_by_label = dict(zip(map(_plain, question["choices"]), DECISIONS, strict=False))
    return decision_by_label.get(reply_words) or _words().get(reply_words, "")


def _own_words(message: IncomingMessage) -> str:
    """The message without the user's quotes in it; "" if the user did not write its text."""
    return "" if message.text_words.is_foreign else split_passed_on(message.text)[0]


@cache
def _words() -> Mapping[str, Decided]:
    """The decision for each word for yes or no, in all languages.

    No language's word for yes means no in another.
    """
    kinds: tuple[tuple[str, Decided], ...] = (
        ("approve-words-yes", "approved"),
        ("approve-words-no", "cancelled"),
    )
    return {
        _plain(word): decision
        for locale in SUPPORTED_LOCALES
        for key, decision in kinds
        for word in say(locale, key).split(_BETWEEN)
    }


def _plain(text: str) -> str:
    """The bare words of a text, or the trimmed text if it has no words."""
    return bare_words(text) or text.strip()


async def read_answer(
    reply: TurnRequest, state: TurnState, context: NodeContext
) -> Decided | Literal["changes", "other"] | None:
    """The decision of a reply in words on the waiting calls; None if no model could read it.

    "changes" and "other" leave the calls undecided. A reply without words of the user is "other".
    """
    if decision := decision_in(reply, clarification_of(state)):
        return decision
    if not _own_words(reply.message).strip():
        return "other"
    match await _classify_reply(reply, state, context):
        case "approves":
            return "approved"
        case "refuses":
            return "cancelled"
        case meaning:
            return meaning


async def _classify_reply(
    reply: TurnRequest, state: TurnState, context: NodeContext
) -> ReplyMeaning | None:
    """The model's reading of a reply, None if the model fails or is too slow."""
    slots = {"asked": question_text(state), "reply": _own_words(reply.message)}
    fitting_slots, _ = fit_slots("N10_take_answer", slots, context.services)
    try:
        async with asyncio.timeout(_CLASSIFY_TIMEOUT_S):
            return await context.services.planner.read_reply(
                render_prompt("N10_take_answer", **fitting_slots)
            )
    except (UpstreamError, DailyLimitError, TimeoutError) as error:
        context.run.notes.survive("reply_not_read", error)
        return None


def repeat_question(question: ClarificationState, reply: TurnRequest) -> TurnUpdate:
    """The state in which the question is asked again, since no model could read the reply."""
    repeated_question: ClarificationState = {
        **question,
        "status": "wanted",
        "round": question.get("round", 0) + 1,
        "shown_by": reply.request_id,
    }
    return {"clarification": repeated_question}


async def drop_question(question: ClarificationState, state: TurnState) -> TurnUpdate:
    """Keep the question in the conversation as unanswered, and start a turn with the reply."""
    return {
        "clarification": {**question, "status": "dropped"},
        "request": question["reply"],
        "messages": [
            message_of(input_of(state), question["request_id"]).model_copy(
                update={"content": question["said"]}
            ),
            await answer_message(question_text(state), state),
        ],
    }
