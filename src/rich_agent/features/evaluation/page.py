"""The operator's page of test questions, and of evaluations over time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Final

from pydantic import ValidationError
from starlette.responses import PlainTextResponse, Response

from rich_agent.feature.pages import PageRefusedError, PageRoute, Visit
from rich_agent.feature.text import clean_text, whole_number
from rich_agent.features.evaluation.files import WrittenQuestion, file_of_stored
from rich_agent.features.evaluation.intervals import Interval, bound_in_words
from rich_agent.features.evaluation.runs import MAX_ID, EvaluationRun, EvaluationRuns
from rich_agent.features.evaluation.stored import MOST_ASK, StoredQuestion, StoredQuestions

PATH: Final = "/operator/evaluation"
TEMPLATES = Path(__file__).parent / "templates"
CHANGERS = frozenset({"owner", "operator", "author"})
READERS = CHANGERS | {"viewer"}
_MEASURES: Final = ("right", "facts", "citations", "refusals", "tokens", "seconds", "cost")
_PER_PAGE, _RUNS_PER_PAGE = 25, 30
_MOST_CHARS = 8_000
_BETWEEN_WORDINGS: Final = "|"
_REFRESH_S = 30.0


@dataclass(frozen=True, slots=True)
class EvaluationPage:
    """Shows evaluations, and shows and changes the stored questions."""

    questions: StoredQuestions
    runs: EvaluationRuns

    def routes(self) -> Sequence[PageRoute]:
        """The page, a question, the questions as a file, and what the forms do."""
        question, post = f"{PATH}/{{question:int}}", ("POST",)
        return (
            PageRoute(PATH, self.show, roles=READERS),
            PageRoute(f"{PATH}/questions.toml", self.export, roles=READERS),
            PageRoute(question, self.show_question, roles=READERS),
            PageRoute(PATH, self.add, post, CHANGERS, "test.add"),
            PageRoute(question, self.change, post, CHANGERS, "test.change"),
            PageRoute(f"{question}/remove", self.remove, post, CHANGERS, "test.remove"),
        )

    async def show(self, visit: Visit) -> Response:
        """Evaluations over time, and the newest questions."""
        before = whole_number(visit.query.get("after", "")) or MAX_ID
        questions = await self.questions.newest(_PER_PAGE + 1, min(before, MAX_ID))
        runs = await self.runs.newest(_RUNS_PER_PAGE)
        return visit.page(
            "evaluation.html",
            title=visit.say("evaluation-title"),
            refresh_s=_REFRESH_S,
            may_change=visit.role in CHANGERS,
            charts=_charts(runs, visit),
            heads=[visit.say(f"evaluation-{name}") for name in ("when", "with", *_MEASURES)],
            runs=[_cells(run, visit) for run in runs],
            questions=questions[:_PER_PAGE],
            form=_fields(WrittenQuestion(ask="?")) | {"ask": ""},
            next=str(questions[_PER_PAGE - 1].id) if len(questions) > _PER_PAGE else "",
            is_first=before == MAX_ID,
        )

    async def show_question(self, visit: Visit) -> Response:
        """A question with its form."""
        question = await self._find(visit)
        if question is None:
            return visit.page(
                "problem.html",
                title=visit.say("evaluation-title"),
                status=404,
                sentence=visit.say("evaluation-gone"),
            )
        return visit.page(
            "evaluation_question.html",
            title=visit.say("evaluation-question"),
            may_change=visit.role in CHANGERS,
            question=question,
            path=f"{PATH}/{question.id}",
            back=PATH,
            form=_fields(question.written),
        )

    async def export(self, visit: Visit) -> Response:
        """All questions, as a file for `rich-agent eval answers`."""
        headers = {
            **visit.frame.headers,
            "Content-Disposition": 'attachment; filename="questions.toml"',
        }
        questions = await self.questions.all_of_them()
        lines = file_of_stored(question.written for question in questions)
        return PlainTextResponse("\n".join(lines), headers=headers)

    async def add(self, visit: Visit) -> Response:
        """Store a question that was written here."""
        if not await self.questions.add(_written(visit)):
            raise PageRefusedError(visit.say("evaluation-twice"))
        return visit.done(PATH, "evaluation-said-done")

    async def change(self, visit: Visit) -> Response:
        """Write a question anew."""
        question = await self._find(visit)
        if question is None:
            raise PageRefusedError(visit.say("evaluation-gone"))
        if not await self.questions.change(question.id, _written(visit)):
            raise PageRefusedError(visit.say("evaluation-twice"))
        return visit.done(PATH, "evaluation-said-done")

    async def remove(self, visit: Visit) -> Response:
        """Delete a question."""
        question = await self._find(visit)
        if question is None:
            raise PageRefusedError(visit.say("evaluation-gone"))
        await self.questions.remove(question.id)
        return visit.done(PATH, "evaluation-said-done")

    async def _find(self, visit: Visit) -> StoredQuestion | None:
        number = int(visit.request.path_params["question"])
        return await self.questions.find(number) if number <= MAX_ID else None


def _written(visit: Visit) -> WrittenQuestion:
    """The question in the form. Raises: PageRefusedError if it is not complete."""
    facts = [
        [wording.strip() for wording in line.split(_BETWEEN_WORDINGS)]
        for line in _lines(visit, "facts")
    ]
    try:
        question = WrittenQuestion(
            ask=clean_text(visit.text("ask", MOST_ASK)).replace("\r\n", "\n").strip(),
            facts=[wordings[0] if len(wordings) == 1 else wordings for wordings in facts],
            sources=_lines(visit, "sources"),
            refuse=bool(visit.text("refuse")),
        )
    except ValidationError as error:
        raise PageRefusedError(visit.say("evaluation-wrong")) from error
    if question.problem():
        raise PageRefusedError(visit.say("evaluation-wrong"))
    return question


def _lines(visit: Visit, field: str) -> list[str]:
    lines = clean_text(visit.text(field, _MOST_CHARS)).splitlines()
    return [line.strip() for line in lines if line.strip()]


def _fields(written: WrittenQuestion) -> dict[str, str]:
    """The texts of the form's fields."""
    between = f" {_BETWEEN_WORDINGS} "
    facts = (fact if isinstance(fact, str) else between.join(fact) for fact in written.facts)
    return {
        "ask": written.ask,
        "facts": "\n".join(facts),
        "sources": "\n".join(written.sources),
        "refuse": "1" if written.refuse else "",
    }


def _charts(
    runs: Sequence[EvaluationRun], visit: Visit
) -> Mapping[str, Sequence[tuple[str, float, str]]]:
    """For each set of questions, the share of right answers with the present settings, by time."""
    name_of = attrgetter("question_set")
    own = sorted((run for run in reversed(runs) if not run.changes), key=name_of)
    return {
        _set_name(name, visit): [
            (visit.clocks.moment(run.started_at), right.value, _in_words("right", right))
            for run in of_set
            if (right := run.measures.get("right"))
        ]
        for name, of_set in groupby(own, name_of)
    }


def _cells(run: EvaluationRun, visit: Visit) -> Sequence[str]:
    """A row of the table."""
    described = (
        run.model,
        run.changes,
        f"rich-agent {run.version}",
        _set_name(run.question_set, visit),
        f"n = {run.question_count}",
    )
    measures = (_in_words(name, run.measures.get(name)) for name in _MEASURES)
    return [visit.clocks.moment(run.started_at), " · ".join(filter(None, described)), *measures]


def _set_name(name: str, visit: Visit) -> str:
    return name or visit.say("evaluation-stored")


def _in_words(name: str, interval: Interval | None) -> str:
    if interval is None:
        return "–"
    value, low, high = (
        bound_in_words(name, bound) for bound in (interval.value, interval.low, interval.high)
    )
    return f"{value} ({low}–{high})"
