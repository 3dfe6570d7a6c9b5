"""Asks questions with expected answers, on a bot that stores nothing, and marks the answers."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from pydantic import Field

from rich_agent.feature import (
    FormModel,
    ModelOutput,
    MostItems,
    Rehearsal,
    RehearsedTurn,
    RichAgentError,
    render_prompt,
)
from rich_agent.feature.text import shorten
from rich_agent.features.evaluation.marks import AnswerMarks
from rich_agent.features.evaluation.questions import ExpectedAnswer

PROMPTS = Path(__file__).parent / "prompts"
_MOST_JUDGED = 12_000
"""Number of characters of an answer that a judge reads."""


class AnswerOpinion(ModelOutput):
    """The opinion of a model on an answer."""

    stated: Annotated[list[int], MostItems(40)] = Field(
        default_factory=list, description="The numbers of the facts that the answer states."
    )
    refuses: bool = Field(
        default=False, description="Whether it only says that there is no answer."
    )


@dataclass(frozen=True, slots=True)
class Evaluator:
    """Lets a `rehearsal` answer questions, and marks the answers.

    `judge`: the model that judges an answer if its wording is not enough.
    `at_once`: the number of questions asked at once.
    """

    rehearsal: Rehearsal
    judge: FormModel
    at_once: int = 1

    async def ask_all(
        self, questions: Sequence[ExpectedAnswer], on_answer: Callable[[AnswerMarks], object]
    ) -> list[AnswerMarks]:
        """The marks of all answers, in the order of the questions.

        `on_answer` gets each at once. A question whose turn raises a known error is marked as
        failed.
        """
        slots = asyncio.Semaphore(self.at_once)

        async def ask(question: ExpectedAnswer) -> AnswerMarks:
            async with slots:
                marks = await self._ask(question)
            on_answer(marks)
            return marks

        async with asyncio.TaskGroup() as tasks:
            question_tasks = [tasks.create_task(ask(question)) for question in questions]
        return [task.result() for task in question_tasks]

    async def _ask(self, question: ExpectedAnswer) -> AnswerMarks:
        start = time.monotonic()
        try:
            turn = await self.rehearsal.ask(question.ask)
            seconds = time.monotonic() - start
            return replace(await self._mark(question, turn), seconds=round(seconds, 3))
        except RichAgentError as error:
            return _failure_marks(question, str(error))

    async def _mark(self, question: ExpectedAnswer, turn: RehearsedTurn) -> AnswerMarks:
        missing_facts = question.missing_facts(turn.text)
        needs_refusal_opinion = question.refuse and not turn.is_refusal
        opinion = AnswerOpinion(refuses=turn.is_refusal)
        if missing_facts or needs_refusal_opinion:
            opinion = await self._opinion(question, missing_facts, turn.text)
        judged_facts = {
            fact for position, fact in enumerate(missing_facts, 1) if position in opinion.stated
        }
        spending = turn.spending
        return AnswerMarks(
            question.ask,
            turn.text,
            {
                fact[0]: fact[0] not in missing_facts or fact[0] in judged_facts
                for fact in question.facts
            },
            any(map(question.is_cited_by, turn.sources)) if question.sources else None,
            opinion.refuses if question.refuse else None,
            judged=len(missing_facts) + needs_refusal_opinion,
            tokens=spending.usage.tokens,
            cost_usd=None if spending.cost is None or spending.unpriced else float(spending.cost),
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
        return await self.judge.fill(prompt, AnswerOpinion)


def _failure_marks(question: ExpectedAnswer, reason: str) -> AnswerMarks:
    return AnswerMarks(
        question.ask,
        facts={fact[0]: False for fact in question.facts},
        cites=False if question.sources else None,
        refuses=False if question.refuse else None,
        failure=reason,
    )
