"""Answers in words to calls that wait for approval.

A reply that is the label of a button, or a word for yes or no, is certain. What else a reply means
a model says; code guesses nothing.
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
"""Characters of a word for yes or no, or of a label."""
_BETWEEN = "|"


def decision_in(reply: TurnRequest, question: ClarificationState) -> Decided:
    """The decision that a reply surely makes on the calls that wait, "" for other words."""
    message = reply.message
    if message.photos or message.files or message.forwarded or len(message.text) > _LONGEST_ANSWER:
        return ""
    reply_words = _plain(_own_words(message))
    labels = dict(zip(map(_plain, question["choices"]), DECISIONS, strict=False))
    return labels.get(reply_words) or _words().get(reply_words, "")


def _own_words(message: IncomingMessage) -> str:
    """The user's own part of a message, without what they quote in it."""
    return "" if message.text_words.is_foreign else split_passed_on(message.text)[0]


@cache
def _words() -> Mapping[str, Decided]:
    """The words for yes and no of all languages: no language's yes is another one's no."""
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
    return bare_words(text) or text.strip()


async def read_answer(
    reply: TurnRequest, state: TurnState, context: NodeContext
) -> Decided | Literal["changes", "other"] | None:
    """Read what a reply in words does with the calls that wait; None if nobody could say.

    Without words of the user it decides nothing.
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
        case other:
            return other


async def _classify_reply(
    reply: TurnRequest, state: TurnState, context: NodeContext
) -> ReplyMeaning | None:
    slots = {"asked": question_text(state), "reply": _own_words(reply.message)}
    fitting, _ = fit_slots("N10_take_answer", slots, context.services)
    try:
        async with asyncio.timeout(_CLASSIFY_TIMEOUT_S):
            return await context.services.planner.read_reply(
                render_prompt("N10_take_answer", **fitting)
            )
    except (UpstreamError, DailyLimitError, TimeoutError) as error:
        context.run.notes.survive("reply_not_read", error)
        return None


def repeat_question(question: ClarificationState, reply: TurnRequest) -> TurnUpdate:
    """Return the state in which the same calls wait on: nobody could say what the reply meant."""
    waits: ClarificationState = {
        **question,
        "status": "wanted",
        "round": question.get("round", 0) + 1,
        "shown_by": reply.request_id,
    }
    return {"clarification": waits}


async def drop_question(question: ClarificationState, state: TurnState) -> TurnUpdate:
    """Leave the question unanswered in the conversation, and begin with what came instead."""
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
