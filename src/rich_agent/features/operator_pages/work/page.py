"""The page Work: approvals, dead letters and due work, without the words of conversations."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from starlette.responses import Response

from rich_agent.feature.accounts import Accounts
from rich_agent.feature.operations import (
    MOST_COUNTED,
    Approval,
    Approvals,
    Citation,
    DeadLetters,
    DueWorkEntry,
    DueWorkReader,
    DueWorkSum,
    LetterSummary,
    Verdict,
    label_user,
    redact,
    summarize_letter,
)
from rich_agent.feature.pages import PageGoneError, PageRefusedError, PageRoute, Visit
from rich_agent.feature.text import whole_number
from rich_agent.feature.times import say_duration
from rich_agent.features.operator_pages.codes import say_work
from rich_agent.features.operator_pages.repositories.lanes import Lanes
from rich_agent.features.operator_pages.roles import CHANGERS, READERS

PATH: Final = "/operator/work"
_LETTERS = f"{PATH}/letters"
_MOST_APPROVALS = 20
_MOST_FAILURES = 50
_LETTERS_SHOWN = 25
_MOST_WORDS = 10_000
_REFRESH_S = 5.0
_VERDICTS: Final[Mapping[str, Verdict]] = {
    "approve": "approved",
    "correct": "corrected",
    "reject": "rejected",
}


@dataclass(frozen=True, slots=True)
class WorkPage:
    """Shows what waits, and does what an operator decides about it."""

    approvals: Approvals
    letters: DeadLetters
    due_work: DueWorkReader
    lanes: Lanes
    accounts: Accounts

    def routes(self) -> Sequence[PageRoute]:
        """The routes of the page and of its forms."""
        letter, post = f"{_LETTERS}/{{letter}}", ("POST",)
        return (
            PageRoute(PATH, self.show, roles=READERS),
            # The audit is kept for good, and viewers read it: no words of conversations.
            PageRoute(
                f"{PATH}/approvals/{{approval:int}}",
                self.decide,
                post,
                CHANGERS,
                "approval.decide",
                secret_fields=("words",),
            ),
            PageRoute(f"{letter}/replay", self.replay, post, CHANGERS, "letter.replay"),
            PageRoute(f"{letter}/drop", self.drop, post, CHANGERS, "letter.drop"),
            PageRoute(f"{PATH}/due/{{row:int}}/retry", self.retry, post, CHANGERS, "work.retry"),
        )

    async def show(self, visit: Visit) -> Response:
        """The work that waits now. Only who may decide reads the drafts."""
        approvals, waiting_approvals = await self.approvals.pending(_MOST_APPROVALS)
        lanes, sums = await self.lanes.waiting(), await self.due_work.sums()
        failures = await self.due_work.failures(_MOST_FAILURES)
        before = _place(visit.query.get("after", ""))
        letters = await self.letters.page(before, _LETTERS_SHOWN + 1)
        last = letters[_LETTERS_SHOWN - 1] if len(letters) > _LETTERS_SHOWN else None
        summaries = [summarize_letter(letter) for letter in letters[:_LETTERS_SHOWN]]
        user_ids = {approval.draft.user_id for approval in approvals}
        user_ids |= {letter.user_id for letter in summaries}
        user_ids |= {row.user_id for row in failures if row.user_id is not None}
        names = await self.accounts.names(user_ids)
        waited = lanes.waited(visit.clocks.now)
        return visit.page(
            "work.html",
            title=visit.say("operator_pages-work"),
            refresh_s=_REFRESH_S,
            may_change=visit.role in CHANGERS,
            approvals=[_approval(one, names, visit) for one in approvals],
            more_approvals=waiting_approvals - len(approvals),
            letters=[_letter(one, names, visit) for one in summaries],
            next=f"{last.dead_at.isoformat()}_{last.update_id}" if last else "",
            is_first=before is None,
            lanes=lanes,
            waited=say_duration(waited, visit.locale) if waited else "",
            is_slow=lanes.is_slow(visit.clocks.now),
            sums=[_sum(one, visit) for one in sums],
            failures=[_failure(row, names, visit) for row in failures],
        )

    async def decide(self, visit: Visit) -> Response:
        """Decide on a draft, as its buttons in Telegram do; the first verdict counts."""
        verdict = _VERDICTS.get(visit.text("verdict"))
        words = visit.text("words", _MOST_WORDS)
        if verdict is None or (verdict != "approved" and not words):
            raise PageRefusedError(visit.say("operator_pages-words-missing"))
        visit.note(characters=len(words))
        if verdict == "approved" and words:
            buttons = {name: visit.say(f"button-{name}") for name in ("approve", "correct")}
            raise PageRefusedError(visit.say("operator_pages-words-dropped", **buttons))
        approval_id = int(visit.request.path_params["approval"])
        approval = await self.approvals.decide(approval_id, verdict, visit.user_id, words)
        if approval is None or (approval.state, approval.decided_by) != (verdict, visit.user_id):
            raise PageRefusedError(visit.say("operator_pages-decided-before"))
        return visit.done(PATH, "operator_pages-said-decided")

    async def replay(self, visit: Visit) -> Response:
        """Have a message answered after all, with those that belong to it."""
        return await self._settle(visit, self.letters.replay, "operator_pages-said-replayed")

    async def drop(self, visit: Visit) -> Response:
        """Delete a message that was given up, with those that belong to it."""
        return await self._settle(visit, self.letters.drop, "operator_pages-said-dropped")

    async def retry(self, visit: Visit) -> Response:
        """Have a piece of due work done now."""
        if not await self.due_work.retry([int(visit.request.path_params["row"])]):
            raise PageGoneError
        return visit.done(PATH, "operator_pages-said-retried")

    async def _settle(
        self, visit: Visit, act: Callable[[Sequence[int]], Awaitable[Sequence[int]]], said: str
    ) -> Response:
        text = str(visit.request.path_params["letter"])
        number = whole_number(text.removeprefix("-"))
        update_ids = [] if number is None else [-number if text.startswith("-") else number]
        settled_ids = await act(update_ids) if update_ids else ()
        if not settled_ids:
            raise PageGoneError
        visit.note(letters=list(settled_ids))
        return visit.done(PATH, said)


def _approval(approval: Approval, names: Mapping[int, str], visit: Visit) -> dict[str, Any]:
    draft = approval.draft
    return {
        "id": approval.id,
        "at": visit.clocks.moment(approval.requested_at),
        "user": label_user(draft.user_id, names),
        "intent": draft.intent,
        "question": draft.question,
        "answer": draft.answer,
        "sources": [Citation.from_state(one).label for one in draft.citations],
    }


def _letter(letter: LetterSummary, names: Mapping[int, str], visit: Visit) -> dict[str, Any]:
    return {
        "id": letter.update_id,
        "path": f"{_LETTERS}/{letter.update_id}",
        "kind": letter.kind,
        "user": label_user(letter.user_id, names),
        "at": visit.clocks.moment(letter.dead_at),
        "attempts": letter.attempts,
        "error": letter.last_error,
    }


def _failure(row: DueWorkEntry, names: Mapping[int, str], visit: Visit) -> dict[str, Any]:
    return {
        "id": row.id,
        "kind": say_work(row.kind, visit),
        "user": label_user(row.user_id, names) if row.user_id is not None else "",
        "is_set_aside": row.state == "set_aside",
        "at": visit.clocks.moment(row.due_at),
        "tries": row.tries,
        "error": redact(row.last_error),
    }


def _sum(one: DueWorkSum, visit: Visit) -> list[str]:
    since = visit.clocks.moment(one.since) if one.since else "–"
    counts = (one.rows, one.running, one.overdue)
    failures = (one.failed, one.set_aside)
    return [say_work(one.kind, visit), *map(_count, counts), since, *map(_count, failures)]


def _count(number: int) -> str:
    return f"{number:,}+" if number == MOST_COUNTED else f"{number:,}"


def _place(after: str) -> tuple[datetime, int] | None:
    """Time and id of the last letter that was shown; None for the first page."""
    moment, _, number = after.rpartition("_")
    try:
        at, update_id = datetime.fromisoformat(moment), int(number)
    except ValueError:
        return None
    return (at, update_id) if at.tzinfo and abs(update_id) < 2**63 else None
