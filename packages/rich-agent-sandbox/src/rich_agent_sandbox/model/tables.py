"""Writes the query for a sum, an average, an extreme or a number of rows that a question names.

The columns, and the values to choose rows by, are those that the prompt declares and shows.
"""

import re
from dataclasses import dataclass
from typing import Any

from rich_agent_sandbox.model.language.text import content_words, stem, words
from rich_agent_sandbox.model.prompt import Prompt

QUERY_TOOL = "query_tables"
_TABLE = re.compile(r"CREATE TABLE (\w+) \(\n(.*?)\n\);([^;]*)", re.DOTALL)
_COLUMN = re.compile(r'^\s*"([^"\n]+)" ([A-Z]+)', re.MULTILINE)
_ROW = re.compile(r"^-- (.+ \| .+)$", re.MULTILINE)
_GROUP = re.compile(r"\b(?:per|by|for each|in each) (\w+)")
_OF_NUMBERS = frozenset({"BIGINT", "INTEGER", "HUGEINT", "DOUBLE", "DECIMAL"})
_FUNCTIONS = {
    "sum": "sum", "total": "sum", "average": "avg", "mean": "avg", "highest": "max",
    "largest": "max", "lowest": "min", "smallest": "min",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Table:
    name: str
    types: dict[str, str]
    rows: tuple[tuple[str, ...], ...]

    def column(self, said: set[str], *, of_numbers: bool) -> str:
        """The first column whose words are all among the stems; "" if none is."""
        return next(
            (
                name
                for name, kind in self.types.items()
                if (not of_numbers or kind in _OF_NUMBERS)
                and {stem(word) for word in words(name.replace("_", " "))} <= said
            ),
            "",
        )

    def conditions(self, said: set[str]) -> list[str]:
        """Equations of columns of texts with values that the rows show and the question names."""
        equations = {
            name: f"{_quoted(name)} = '{cell.replace(chr(39), chr(39) * 2)}'"
            for row in self.rows
            for (name, kind), cell in zip(self.types.items(), row, strict=False)
            if kind == "VARCHAR" and words(cell) and set(words(cell)) <= said
        }
        return list(equations.values())


def query_for(prompt: Prompt) -> dict[str, Any] | None:
    """The arguments of the query that the question asks for, None if no form fits."""
    question_words = words(prompt.question)
    stems = {stem(word) for word in question_words}
    function = next((_FUNCTIONS[word] for word in question_words if word in _FUNCTIONS), "")
    counts = question_words[:2] == ["how", "many"]
    for table in _tables(prompt.tables):
        column = table.column(stems, of_numbers=True)
        if counts and "rows" in question_words:
            value = "count(*)"
        elif column and (function or counts):
            value = f"{function or 'sum'}({_quoted(column)})"
        else:
            continue
        return {"sql": _select(table, value, prompt.question), "in_words": prompt.question}
    return None


def _select(table: _Table, value: str, question: str) -> str:
    group = _GROUP.search(question.lower())
    key = table.column({stem(group[1])}, of_numbers=False) if group else ""
    conditions = table.conditions(set(content_words(question)))
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    if not key:
        return f"SELECT {value} FROM {table.name}{where}"
    name = _quoted(key)
    return f"SELECT {name}, {value} FROM {table.name}{where} GROUP BY {name} ORDER BY {name}"


def _tables(text: str) -> list[_Table]:
    return [
        _Table(
            match[1],
            dict(_COLUMN.findall(match[2])),
            tuple(tuple(row.split(" | ")) for row in _ROW.findall(match[3])),
        )
        for match in _TABLE.finditer(text)
    ]


def _quoted(name: str) -> str:
    return f'"{name}"'
