"""SQL that the stand-in writes over declared tables."""

import pytest

from rich_agent_sandbox.model.acting.querying import queried
from rich_agent_sandbox.model.declared import DeclaredTable
from rich_agent_sandbox.model.prompt import Prompt
from rich_agent_sandbox.model.request import FunctionSpec

BUDGET = DeclaredTable(
    "budget",
    (("month", "VARCHAR"), ("item", "VARCHAR"), ("amount", "BIGINT")),
    (("jan", "rent", "900"), ("jan", "food", "310")),
)
SPEC = FunctionSpec(
    name="compute",
    parameters={"type": "object", "properties": {"sql": {"type": "string"}}, "required": ["sql"]},
)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("What is the sum of amount?", 'SELECT sum("amount") FROM budget'),
        (
            "How much did I spend on food?",
            """SELECT sum("amount") FROM budget WHERE "item" = 'food'""",
        ),
        (
            "Wie viel habe ich insgesamt für food ausgegeben?",
            """SELECT sum("amount") FROM budget WHERE "item" = 'food'""",
        ),
        ("¿Cuánto gasté en total?", 'SELECT sum("amount") FROM budget'),
        ("How many rows are there?", "SELECT count(*) FROM budget"),
    ],
)
def test_queried_computes_what_a_question_asks(question: str, sql: str) -> None:
    """In several languages, with the conditions that the rows name."""
    step = queried(Prompt(question, tables=(BUDGET,)), [SPEC])
    assert step is not None
    assert [call.arguments for call in step.calls] == [{"sql": sql}]


def test_queried_leaves_alone_what_needs_no_computing() -> None:
    """A question about what stands there."""
    assert queried(Prompt("Who made this?", tables=(BUDGET,)), [SPEC]) is None
