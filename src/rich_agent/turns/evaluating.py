"""Asks questions whose answers are known, on services that store nothing, and marks the answers."""

import asyncio
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from langgraph.types import StateSnapshot

from rich_agent.domain.answer.citation import Citation
from rich_agent.domain.answer.trace import NodeReport, calls_in
from rich_agent.domain.evaluating.marks import AnswerMarks
from rich_agent.domain.evaluating.questions import ExpectedAnswer
from rich_agent.domain.message import IncomingMessage, TurnRequest, User, thread_of
from rich_agent.domain.text import shorten
from rich_agent.domain.usage_limits import Prices, spent
from rich_agent.errors import RichAgentError
from rich_agent.graph.services import Services
from rich_agent.graph.state import request_to_state
from rich_agent.ports.models import AnswerJudge, AnswerOpinion
from rich_agent.prompts import render_prompt
from rich_agent.turns.replay import run_to_answer
from rich_agent.turns.snapshots import outcome_of, state_of

NO_USER = 0
"""Asks the questions: Telegram gives no one this id, so nothing is known of this user."""
_MOST_JUDGED = 12_000
"""Characters of an answer that a judge reads."""


@dataclass(frozen=True, slots=True)
class Evaluator:
    """Runs turns on `services`, which have to keep nothing; `prices` are those of their models.

    The `judge` is asked what the wording of an answer leaves open. So many questions are asked
    `at_once`.
    """

    services: Services
    judge: AnswerJudge
    prices: Prices
    at_once: int = 1

    async def ask_all(
        self, questions: Sequence[ExpectedAnswer], on_answer: Callable[[AnswerMarks], object]
    ) -> list[AnswerMarks]:
        """The marks of each answer, in the order of the questions; tells of each as it comes.

        A question that fails by a known error is marked as failed.
        """
        slots = asyncio.Semaphore(self.at_once)

        async def ask(question: ExpectedAnswer) -> AnswerMarks:
            async with slots:
                marks = await self._ask(question)
            on_answer(marks)
            return marks

        async with asyncio.TaskGroup() as tasks:
            asked = [tasks.create_task(ask(question)) for question in questions]
        return [task.result() for task in asked]

    async def _ask(self, question: ExpectedAnswer) -> AnswerMarks:
        started = time.monotonic()
        try:
            snapshot = await run_to_answer(_request(question.ask), (), self.services)
            seconds = time.monotonic() - started
            return replace(await self._mark(question, snapshot), seconds=round(seconds, 3))
        except RichAgentError as error:
            return _failed(question, str(error))

    async def _mark(self, question: ExpectedAnswer, snapshot: StateSnapshot) -> AnswerMarks:
        answer = outcome_of(snapshot).answer
        unstated = question.unstated(answer.text)
        refused = _is_surely_refused(snapshot)
        opinion = AnswerOpinion(frozenset(), refuses=refused)
        is_asked = question.refuse and not refused
        if unstated or is_asked:
            opinion = await self._opinion(question, unstated, answer.text)
        named = {fact for number, fact in enumerate(unstated, 1) if number in opinion.stated}
        calls = calls_in(map(NodeReport.from_json, state_of(snapshot)["node_log"].values()))
        used = spent(calls, self.prices)
        return AnswerMarks(
            question.ask,
            answer.text,
            {fact[0]: fact[0] not in unstated or fact[0] in named for fact in question.facts},
            any(map(question.is_cited_by, map(_place, answer.citations)))
            if question.sources
            else None,
            opinion.refuses if question.refuse else None,
            judged=len(unstated) + is_asked,
            tokens=used.usage.tokens,
            cost_usd=None if used.cost is None or used.unpriced else float(used.cost),
        )

    async def _opinion(
        self, question: ExpectedAnswer, facts: Sequence[str], answer: str
    ) -> AnswerOpinion:
        prompt = render_prompt(
            "judge_answer",
            facts=facts,
            question=question.ask,
            answer=shorten(answer, _MOST_JUDGED),
        )
        return await self.judge.judge(prompt)


def _request(text: str) -> dict[str, object]:
    request = TurnRequest(
        thread_of(NO_USER), f"eval:{uuid.uuid4()}", IncomingMessage(User(NO_USER), text)
    )
    return request_to_state(request)


def _is_surely_refused(snapshot: StateSnapshot) -> bool:
    """Whether the product refused by itself: nothing was found, or nothing supported the answer."""
    state = state_of(snapshot)
    if snapshot.interrupts:
        return False
    checks = state["answer"].get("debug", {})
    is_empty = state["routing"]["plan"] != "direct" and not state["rag"].get("retrieved_chunks")
    return bool(checks.get("refused") or checks.get("found_nothing") or is_empty)


def _place(citation: Citation) -> str:
    return f"{citation.source_url}\n{citation.link}\n{citation.label}"


def _failed(question: ExpectedAnswer, reason: str) -> AnswerMarks:
    return AnswerMarks(
        question.ask,
        facts={fact[0]: False for fact in question.facts},
        cites=False if question.sources else None,
        refuses=False if question.refuse else None,
        failure=reason,
    )
