"""The page Quality: questions that were not answered well, and the work on their subjects."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from starlette.responses import PlainTextResponse, Response

from rich_agent.feature.accounts import Access, Accounts
from rich_agent.feature.pages import PageGoneError, PageRefusedError, PageRoute, Visit
from rich_agent.feature.registry import Reader, Spaces
from rich_agent.feature.surface import Surface, TurnKey
from rich_agent.feature.text import shorten, whole_number
from rich_agent.feature.turns import AskedQuestion, KeepQuestion, StoredTurn
from rich_agent.features.operator_pages.quality.exporting import as_test_questions
from rich_agent.features.operator_pages.quality.recording import FindTurn
from rich_agent.features.operator_pages.quality.records import QuestionSubject, State, WeakQuestion
from rich_agent.features.operator_pages.quality.repository import MAX_ID, WeakQuestions
from rich_agent.features.operator_pages.roles import (
    KNOWLEDGE_CHANGERS,
    KNOWLEDGE_READERS,
    GivenRoles,
)

PATH: Final = "/operator/quality"
_PER_PAGE = 25
_NAME_CHARS = 160
_MOST_NOTE = 2_000
_REFRESH_S = 5.0
_MOST_EXPORTED = 100
_LISTS: Final = ("open", "mine", "done")


@dataclass(frozen=True, slots=True)
class Workers:
    """People who may work on subjects."""

    access: Access
    roles: GivenRoles
    accounts: Accounts

    async def workers(self) -> Mapping[int, str]:
        """Their names by id."""
        roles = await self.roles.all_of_them()
        role_holders = {user_id for user_id, role in roles.items() if role in KNOWLEDGE_CHANGERS}
        return await self.label(sorted({*role_holders, *self.access.admins}))

    async def label(self, user_ids: Sequence[int]) -> Mapping[int, str]:
        """Names by id, with the id where a name is not known."""
        names = await self.accounts.names(user_ids)
        return {user_id: names.get(user_id, str(user_id)) for user_id in user_ids}


@dataclass(frozen=True, slots=True)
class QualityPage:
    """Lists subjects, and shows one with its questions."""

    questions: WeakQuestions
    people: Workers
    find_turn: FindTurn
    surface: Surface
    spaces: Spaces
    test_questions: Sequence[KeepQuestion] = ()
    """Functions that keep a question as a test question, read when a page is shown."""

    def routes(self) -> Sequence[PageRoute]:
        """The routes of the lists, of a subject and of its forms."""
        subject, changers, post = f"{PATH}/{{subject:int}}", KNOWLEDGE_CHANGERS, ("POST",)
        return (
            PageRoute(PATH, self.show_list, roles=KNOWLEDGE_READERS),
            PageRoute(subject, self.show_subject, roles=KNOWLEDGE_READERS),
            PageRoute(f"{subject}/questions.toml", self.export, roles=KNOWLEDGE_READERS),
            PageRoute(f"{subject}/{{question:int}}", self.show_question, roles=KNOWLEDGE_READERS),
            PageRoute(
                f"{subject}/{{question:int}}/test", self.keep_test, post, changers, "question.test"
            ),
            PageRoute(f"{subject}/work", self.assign, post, changers, "question.assign"),
            PageRoute(f"{subject}/state", self.settle, post, changers, "question.state"),
            PageRoute(f"{subject}/again", self.ask_again, post, changers, "question.ask_again"),
        )

    async def show_list(self, visit: Visit) -> Response:
        """Subjects of one list, those first that were asked about last."""
        list_name = visit.query.get("list", "open")
        list_name = list_name if list_name in _LISTS else "open"
        state: State = "done" if list_name == "done" else "open"
        subjects = await self.questions.subjects(
            state,
            _PER_PAGE + 1,
            assignee_id=visit.user_id if list_name == "mine" else None,
            before=_place(visit.query.get("after", "")),
        )
        names = await self.people.label(
            sorted({one.assignee_id for one in subjects if one.assignee_id is not None})
        )
        last = subjects[_PER_PAGE - 1] if len(subjects) > _PER_PAGE else None
        return visit.page(
            "quality.html",
            title=visit.say("operator_pages-quality"),
            refresh_s=_REFRESH_S,
            lists=_LISTS,
            chosen=list_name,
            subjects=[_subject(one, names, visit) for one in subjects[:_PER_PAGE]],
            next=f"{last.asked_at.isoformat()}_{last.id}" if last else "",
            is_first="after" not in visit.query,
        )

    async def show_subject(self, visit: Visit) -> Response:
        """A subject with the work on it and its questions, newest first."""
        subject = await self.questions.subject(int(visit.request.path_params["subject"]))
        if subject is None:
            raise PageGoneError
        before = whole_number(visit.query.get("after", "")) or MAX_ID
        questions = await self.questions.questions(subject.id, _PER_PAGE + 1, before)
        workers = await self.people.workers()
        rows = [await self._question(one, visit) for one in questions[:_PER_PAGE]]
        return visit.page(
            "quality_subject.html",
            title=shorten(subject.name, _NAME_CHARS) or visit.say("operator_pages-quality"),
            refresh_s=_REFRESH_S,
            path=f"{PATH}/{subject.id}",
            subject=_subject(subject, workers, visit),
            workers=workers,
            questions=rows,
            may_change=visit.role in KNOWLEDGE_CHANGERS,
            keeps_tests=bool(self.test_questions),
            next=str(questions[_PER_PAGE - 1].id) if len(questions) > _PER_PAGE else "",
            is_first=before == MAX_ID,
        )

    async def export(self, visit: Visit) -> Response:
        """The newest questions of a subject as a file of test questions, to be completed."""
        subject_id = int(visit.request.path_params["subject"])
        questions = await self.questions.questions(subject_id, _MOST_EXPORTED)
        headers = {
            **visit.frame.headers,
            "Content-Disposition": 'attachment; filename="questions.toml"',
        }
        text = as_test_questions([question.query for question in questions])
        return PlainTextResponse(text, headers=headers)

    async def keep_test(self, visit: Visit) -> Response:
        """Keep a question as a test question."""
        question = await self._find(visit)
        if question is None:
            raise PageGoneError
        asked = AskedQuestion(
            question.query, question.thread_id, question.request_id, question.asked_at
        )
        for keep in self.test_questions:
            await keep(asked)
        return self._done(
            visit, is_there=bool(self.test_questions), said="operator_pages-said-test"
        )

    async def _find(self, visit: Visit) -> WeakQuestion | None:
        """The question of the address, None if its subject has none such."""
        question = await self.questions.question(int(visit.request.path_params["question"]))
        subject_id = int(visit.request.path_params["subject"])
        return question if question and question.subject_id == subject_id else None

    async def show_question(self, visit: Visit) -> Response:
        """A question, and how its answer came about."""
        question = await self._find(visit)
        if question is None:
            raise PageGoneError
        turn = TurnKey(question.thread_id, question.request_id)
        return visit.page(
            "quality_question.html",
            title=shorten(question.query, _NAME_CHARS),
            back=f"{PATH}/{question.subject_id}",
            question=await self._question(question, visit),
            explanation=await self.surface.explain_to(visit.user_id, turn, visit.locale),
        )

    async def assign(self, visit: Visit) -> Response:
        """Give the work to somebody who may do it, with a note."""
        subject_id = int(visit.request.path_params["subject"])
        assignee_id = whole_number(visit.text("assignee")) or None
        if assignee_id is not None and assignee_id not in await self.people.workers():
            raise PageRefusedError(visit.say("operator_pages-no-worker"))
        note = visit.text("note", _MOST_NOTE)
        is_there = await self.questions.assign(subject_id, assignee_id, note)
        return self._done(visit, is_there=is_there, said="operator_pages-said-saved")

    async def settle(self, visit: Visit) -> Response:
        """Close the work, or open it again."""
        state: State = "done" if visit.text("state") == "done" else "open"
        subject_id = int(visit.request.path_params["subject"])
        is_there = await self.questions.settle(subject_id, state)
        return self._done(visit, is_there=is_there, said="operator_pages-said-saved")

    async def ask_again(self, visit: Visit) -> Response:
        """Have the newest questions asked again, by a worker."""
        count = await self.questions.ask_again(int(visit.request.path_params["subject"]))
        return self._done(visit, is_there=count > 0, said="operator_pages-said-asked")

    def _done(self, visit: Visit, *, is_there: bool, said: str) -> Response:
        if not is_there:
            raise PageGoneError
        return visit.done(f"{PATH}/{visit.request.path_params['subject']}", said)

    async def _question(self, question: WeakQuestion, visit: Visit) -> Mapping[str, object]:
        """A question for its template; with what was said only if its user sent it as feedback."""
        said = answer = ""
        if question.is_rated_down:
            turn = await self.find_turn(question.request_id, question.thread_id)
            if turn and turn.said:
                said = turn.said.question
                answer = turn.said.answer if await self._may_read(turn, visit) else ""
        return {
            "id": question.id,
            "query": question.query,
            "at": visit.clocks.moment(question.asked_at),
            "is_unanswered": question.is_unanswered,
            "is_rated_down": question.is_rated_down,
            "said": said,
            "answer": answer,
            "again": question.again,
            "again_at": visit.clocks.moment(question.again_at) if question.again_at else "",
            "again_answer": question.again_answer,
            "again_sources": question.again_sources,
        }

    async def _may_read(self, turn: StoredTurn, visit: Visit) -> bool:
        """Whether the visitor may read all that the answer rests on.

        If the turn read no passage, its answer may rest on any earlier answer: that is not known.
        """
        guards = turn.decision.guards
        is_known = bool(turn.decision.retrieved)
        return is_known and guards <= await self.spaces.open_of(Reader(visit.user_id), guards)


def _subject(
    subject: QuestionSubject, names: Mapping[int, str], visit: Visit
) -> Mapping[str, object]:
    assignee = subject.assignee_id
    return {
        "id": subject.id,
        "path": f"{PATH}/{subject.id}",
        "name": shorten(subject.name, _NAME_CHARS) or "–",
        "state": subject.state,
        "assignee_id": assignee,
        "assignee": "" if assignee is None else names.get(assignee, str(assignee)),
        "note": subject.note,
        "count": subject.question_count,
        "at": visit.clocks.moment(subject.asked_at),
        "is_reopened": subject.state == "open" and subject.reopened_at is not None,
    }


def _place(after: str) -> tuple[datetime, int] | None:
    """Time and number of the last subject that was shown; None for the first page."""
    moment, _, number = after.rpartition("_")
    try:
        at = datetime.fromisoformat(moment)
    except ValueError:
        return None
    subject_id = whole_number(number)
    return (at, subject_id) if subject_id is not None and at.tzinfo else None
