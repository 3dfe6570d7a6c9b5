"""Visits of pages: what they tell the audit."""

from datetime import UTC, datetime

from starlette.datastructures import FormData
from starlette.requests import Request

from rich_agent.times import Clocks
from rich_agent.web.pages.visits import Frame, Visit


def test_note_leaves_the_fields_of_the_form_as_they_were_sent() -> None:
    """The audit's record of what was sent is never altered, so that a detail gets another name."""
    form = FormData([("name", "what was typed")])
    clocks = Clocks("en", "UTC", datetime(2026, 1, 1, tzinfo=UTC))
    frame = Frame(lambda _name: None, str, {})  # type: ignore[arg-type,return-value]  # no page
    visit = Visit(Request({"type": "http"}), 7, "owner", clocks, frame, form)
    visit.noted.update(form)
    visit.note(name="what it became", source="src_1")
    assert visit.noted == {
        "name": "what was typed",
        "name_noted": "what it became",
        "source": "src_1",
    }
