"""Queries for questions on the tables that a prompt declares."""

import pytest

from rich_agent_sandbox.model.prompt import Prompt, read_prompt
from rich_agent_sandbox.model.request import FunctionSpec
from rich_agent_sandbox.model.tables import query_for
from rich_agent_sandbox.model.turns import next_call

DECLARED = """
-- sales.csv: 500 rows
CREATE TABLE table1 (
  "region" VARCHAR,
  "fruit" VARCHAR,
  "boxes" BIGINT,
  "price" DECIMAL -- in EUR
);
-- first rows:
-- North | plums | 3 | 1.20
-- last rows:
-- West | O'pears | 4 | 2.50
"""
TABLES = read_prompt([{"role": "user", "content": f"<tables>{DECLARED}</tables>"}]).tables


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("what is the sum of boxes?", 'SELECT sum("boxes") FROM table1'),
        ("average price of plums?", 'SELECT avg("price") FROM table1 WHERE "fruit" = \'plums\''),
        (
            "how many boxes in the north?",
            'SELECT sum("boxes") FROM table1 WHERE "region" = \'North\'',
        ),
        ("How many rows are there?", "SELECT count(*) FROM table1"),
        (
            "Total of boxes per region",
            'SELECT "region", sum("boxes") FROM table1 GROUP BY "region" ORDER BY "region"',
        ),
        (
            "highest price of O'pears?",
            "SELECT max(\"price\") FROM table1 WHERE \"fruit\" = 'O''pears'",
        ),
        ("which region sold most?", None),
        ("what is the sum of regions?", None),
    ],
)
def test_query_names_what_the_question_names(question: str, sql: str | None) -> None:
    """A column of numbers, rows by a value that is shown, a group; no form, no query."""
    query = query_for(Prompt(question, tables=TABLES))
    assert (query and query["sql"]) == sql


def test_query_is_made_once_and_only_where_it_is_offered() -> None:
    """Without the tool the passages are all there is."""
    prompt, tool = (
        Prompt("what is the sum of boxes?", tables=TABLES),
        FunctionSpec(name="query_tables"),
    )
    call = next_call(prompt, [tool])
    assert call is not None
    assert call.name == "query_tables"
    assert next_call(prompt, []) is None
