"""The page Audit: who changed what, when and from where, and its export."""

import csv
import io
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass

from starlette.responses import Response, StreamingResponse

from rich_agent.feature.accounts import LARGEST_ID, Accounts
from rich_agent.feature.audit import Audit, AuditRecord, AuditSubject
from rich_agent.feature.operations import label_user
from rich_agent.feature.pages import PageRoute, Visit
from rich_agent.feature.text import whole_number
from rich_agent.features.operator_pages.codes import say_action, say_role
from rich_agent.features.operator_pages.roles import READERS

PATH = "/operator/audit"
_PER_PAGE = 50
_LONGEST_SEARCH = 200
_ON_PEOPLE = ("access.allow", "access.block", "role.give", "knowledge.search_as")
"""The actions whose subject is a person."""


@dataclass(frozen=True, slots=True)
class AuditPage:
    """Lists the records of the audit, newest first."""

    audit: Audit
    accounts: Accounts

    def routes(self) -> Sequence[PageRoute]:
        """The routes of the list and of its export."""
        return (
            PageRoute(PATH, self.show, roles=READERS),
            PageRoute(f"{PATH}/audit.csv", self.export, roles=READERS),
        )

    async def show(self, visit: Visit) -> Response:
        """A page of records, of those that hold the words sought."""
        text = visit.query.get("q", "").strip()[:_LONGEST_SEARCH]
        before = whole_number(visit.query.get("after", ""))
        person_id = _person_in(visit)
        subject = AuditSubject(str(person_id or ""), _ON_PEOPLE)
        records = await self.audit.page(before, _PER_PAGE + 1, text, subject)
        user_ids = {one.by for one in records if one.by is not None}
        names = await self.accounts.names(user_ids | ({person_id} if person_id else set()))
        fields = {"q": text, "person": str(person_id or "")}
        return visit.page(
            "audit.html",
            title=visit.say("operator_pages-audit"),
            records=[_row_of(one, names, visit) for one in records[:_PER_PAGE]],
            text=text,
            person_id=person_id,
            person=label_user(person_id, names) if person_id else "",
            fields={name: value for name, value in fields.items() if value},
            next=str(records[_PER_PAGE - 1].id) if len(records) > _PER_PAGE else "",
            is_first=before is None,
        )

    async def export(self, visit: Visit) -> Response:
        """All records as CSV, oldest first."""
        headers = {
            **visit.frame.headers,
            "Content-Disposition": 'attachment; filename="audit.csv"',
        }
        return StreamingResponse(self._lines(), media_type="text/csv", headers=headers)

    async def _lines(self) -> AsyncIterator[str]:
        yield _line("id", "at", "user", "role", "action", "subject", "details", "from", "outcome")
        async for one in self.audit.all_records():
            details = json.dumps(one.details, ensure_ascii=False)
            cells = (one.by, one.role, one.action, one.subject, details, one.origin, one.outcome)
            yield _line(one.id, one.at.isoformat(), *cells)


def _person_in(visit: Visit) -> int | None:
    """The person whose changes are to be shown."""
    user_id = whole_number(visit.query.get("person", ""))
    return user_id if user_id and user_id <= LARGEST_ID else None


_BEGINS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def _line(*cells: object) -> str:
    """A line of CSV. No cell is a formula for a spreadsheet. Source: OWASP, CSV Injection."""
    texts = ["" if cell is None else str(cell) for cell in cells]
    buffer = io.StringIO()
    csv.writer(buffer).writerow(
        [f"'{text}" if text.startswith(_BEGINS_A_FORMULA) else text for text in texts]
    )
    return buffer.getvalue()


def _row_of(record: AuditRecord, names: Mapping[int, str], visit: Visit) -> Mapping[str, object]:
    by = "–" if record.by is None else f"{names.get(record.by, '')} {record.by}".strip()
    return {
        "at": visit.clocks.moment(record.at),
        "by": by,
        "role": say_role(record.role, visit),
        "action": say_action(record.action, visit),
        "code": record.action,
        "subject": record.subject,
        "details": [(name, _text(value)) for name, value in record.details.items()],
        "origin": record.origin,
        "outcome": record.outcome or "unknown",
    }


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
