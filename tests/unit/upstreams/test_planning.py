"""Plans of a planning model, read as far as they can be."""

import pytest
from pydantic import ValidationError

from rich_agent.domain.retrieval.further_search import FurtherSearch
from rich_agent.domain.routing.plan import ForgetWish
from rich_agent.upstreams.models.planning import PlannedForgetting, PlannedTurn, WantedSearch


def test_planned_turn_takes_null_for_what_is_left_out() -> None:
    """A plan is not lost for a field that a small model filled with nothing."""
    nothing = dict.fromkeys(("query", "queries", "reason", "clarification", "image_question"))
    planned = PlannedTurn.model_validate({"intent": "x", "plan": "direct", **nothing})
    assert (planned.query, planned.queries, planned.reason) == ("", [], "")


def test_planned_turn_takes_one_query_as_text() -> None:
    """A text is a list of one."""
    given = {"intent": "x", "plan": "rag", "query": "q", "queries": "q", "reason": "r"}
    assert PlannedTurn.model_validate(given).queries == ["q"]


@pytest.mark.parametrize(
    ("given", "read"),
    [({"web": "now"}, "now"), ({}, None), ({"web": None}, None), ({"web": True}, None),
     ({"web": "yes"}, None), ({"web": ["now"]}, None), ({"web_allowed": True}, None)],
)  # fmt: skip
def test_planned_turn_permits_the_web_in_one_word_only(
    given: dict[str, object], read: str | None
) -> None:
    """A missing or unknown word is no permission, and the plan is kept."""
    planned = PlannedTurn.model_validate({"intent": "x", "plan": "rag", **given})
    assert (planned.plan, planned.web) == ("rag", read)


@pytest.mark.parametrize(
    ("given", "read"),
    [({"teaches": False}, False), ({"teaches": "No"}, False), ({"teaches": True}, True),
     ({}, True), ({"teaches": None}, True), ({"teaches": "lives in Rome"}, True)],
)  # fmt: skip
def test_planned_turn_lets_the_extractor_look_when_in_doubt(
    given: dict[str, object],
    read: bool,  # noqa: FBT001 - a table
) -> None:
    """Only a plain no spares the call; the plan is kept whatever the field holds."""
    assert PlannedTurn.model_validate({"intent": "x", "plan": "rag", **given}).teaches is read


@pytest.mark.parametrize("given", [[], "rag", {"intent": "x"}, {"intent": "x", "plan": "maybe"}])
def test_planned_turn_refuses_what_is_no_plan(given: object) -> None:
    """Without a plan the rules decide."""
    with pytest.raises(ValidationError):
        PlannedTurn.model_validate(given)


@pytest.mark.parametrize(
    ("given", "wish"),
    [
        ({"scope": "last", "what": "", "words": []}, ForgetWish("last")),
        ({"what": "my job", "words": "baker"}, ForgetWish("subject", "my job", ("baker",))),
        ({"scope": "some", "what": "tea", "words": None}, ForgetWish("subject", "tea")),
        ({"scope": "everything"}, ForgetWish("everything")),
        ("my job", ForgetWish("subject", "my job")),
        ({}, None),
        ({"scope": "subject", "what": " ", "words": [""]}, None),
    ],
)
def test_planned_forgetting_is_read_leniently(given: object, wish: ForgetWish | None) -> None:
    """An unknown scope means a subject, which is shown first; one without a word means nothing."""
    assert PlannedForgetting.model_validate(given).to_wish() == wish


@pytest.mark.parametrize(
    ("given", "search"),
    [
        (
            {"useful": [2], "queries": [" Ada Moss\nheight "]},
            FurtherSearch((2,), ("Ada Moss height",)),
        ),
        ({"queries": "Ada Moss", "useful": None}, FurtherSearch((), ("Ada Moss",))),
        ({"queries": ["", " "], "goes_on": True}, FurtherSearch(goes_on=True)),
        ({}, FurtherSearch()),
    ],
)
def test_wanted_search_is_read_as_far_as_it_can_be(
    given: dict[str, object], search: FurtherSearch
) -> None:
    """A small model leaves out lists, or writes one query as a text."""
    assert WantedSearch.model_validate(given).to_search() == search
