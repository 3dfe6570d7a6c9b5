"""Numbers about a table of which some rows were read, and which of them a query computed."""

import pytest

from rich_agent.domain.answer.comparison import judge
from rich_agent.domain.answer.computation import uncomputed_claims
from tests import make

ROWS = make.passage(
    1, id="file:7:1", kind="file", content="Oslo, 771.00, paid in full\nLima, 15.25"
)
RESULT = make.passage(2, id="file:7:query", kind="file", content='{"rows": [[33941, 9]]}')
PAGE = make.passage(3, content="The shop opened in 1987.")


def uncomputed(text: str, *, is_computed: bool) -> list[str]:
    """The claims of an answer about the table, with or without the result of a query."""
    passages = [ROWS, RESULT, PAGE] if is_computed else [ROWS, PAGE]
    judged = judge(text, passages, "\n".join(one.content for one in passages))
    return [one.text for one in uncomputed_claims(judged, [7], "The highest of 400 orders?")]


@pytest.mark.req("ACT-5")
@pytest.mark.parametrize(
    ("text", "is_computed"),
    [
        ("The highest is 771.00. [1]", False),
        ("Orders that are open: 7. [1]", False),
        ("The sum is 34,700. [1]", True),
        ("The sum is 33,941, and 771 of it is for Oslo. [1][2]", True),
    ],
)
def test_uncomputed_claims_have_a_number_of_no_query(text: str, *, is_computed: bool) -> None:
    """It was read off the rows that the model saw."""
    assert len(uncomputed(text, is_computed=is_computed)) == 1


@pytest.mark.req("ACT-5")
@pytest.mark.parametrize(
    ("text", "is_computed"),
    [
        ("The sum is 33,941. [2]", True),
        ("The sum is 33,941, of 9 orders. [1][2]", True),
        ("The rounded sum is 33,900. [1]", True),
        ("33,941 × 2 = 67,882 [1]", True),
        ("The shop opened in 1987. [2]", False),
        ("Oslo has the highest of the 400 orders. [1]", False),
        ("Oslo, 771.00, paid in full [1]", False),
    ],
)
def test_uncomputed_claims_leave_what_was_computed(text: str, *, is_computed: bool) -> None:
    """Results, what is worked out from them, quoted rows, other documents, and no number."""
    assert uncomputed(text, is_computed=is_computed) == []
