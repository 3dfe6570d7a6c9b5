"""Writes SQL over tables that the prompt declares, for a tool that takes it.

It knows sums, averages, counts, extremes, one grouping, and conditions on values of text columns.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

from rich_agent_sandbox.model.acting.arguments import needed_by, parts_of
from rich_agent_sandbox.model.acting.steps import Intended, Step
from rich_agent_sandbox.model.declared import DeclaredTable
from rich_agent_sandbox.model.language.text import normalise, stem, words
from rich_agent_sandbox.model.prompt import Prompt
from rich_agent_sandbox.model.request import FunctionSpec

_SQL = re.compile(r"\bSQL\b", re.IGNORECASE)
_NUMBERS = frozenset({"BIGINT", "INTEGER", "DECIMAL", "DOUBLE", "NUMERIC", "REAL"})
_TEXTS = frozenset({"VARCHAR", "TEXT"})
_AGGREGATES: Final = {
    "avg": re.compile(r"\b(?:average|mean|durchschnitt\w*|promedio|media)\b|平均"),
    "max": re.compile(r"\b(?:highest|largest|biggest|most|maximum|hochste\w*|maximo)\b|最大|最高"),
    "min": re.compile(r"\b(?:lowest|smallest|least|minimum|niedrigste\w*|minimo)\b|最小|最低"),
    "sum": re.compile(
        r"\b(?:sum|totals?|add up|how much|summe|(?:ins)?gesamt\w*|wie viel|suma|total\w*|cuanto"
        r"|combien|quanto)\b|合計|総額|合わせて|いくら|总共|一共|多少"
    ),
    "count": re.compile(
        r"\b(?:how many|count|number of|wie viele|anzahl|cuant[oa]s)\b|何件|何行|いくつ|件数"
    ),
}
_BY = re.compile(r"\b(?:by|per|for each|each|pro|je|por)\b|ごと|別")
_SPOKEN: Final = {
    "en": {"sum": "sum of {}", "avg": "average of {}", "max": "highest {}", "min": "lowest {}",
           "count": "number of rows", "where": ", where {}", "by": ", for each {}"},
    "ja": {"sum": "{}の合計", "avg": "{}の平均", "max": "{}の最大", "min": "{}の最小",
           "count": "行の数", "where": "（{}）", "by": "、{}ごと"},
}  # fmt: skip
_JAPANESE = re.compile(r"[\u3041-\u30ff]")


def queried(prompt: Prompt, offered: Sequence[FunctionSpec]) -> Step | None:
    """A call of the tool that takes SQL; None without one, without a table, or without a need."""
    spec = next((one for one in offered if _sql_parameter(one)), None)
    if spec is None or not prompt.tables or any(act.name == spec.name for act in prompt.acts):
        return None
    asked = normalise(prompt.question)
    aggregate = next((name for name, said in _AGGREGATES.items() if said.search(asked)), "")
    if not aggregate:
        return None
    table = max(prompt.tables, key=lambda one: len(_named(one, asked)))
    sql, told = _query(table, aggregate, prompt.question)
    given: dict[str, Any] = {
        name: sql if name == _sql_parameter(spec) else told for name in needed_by(spec.parameters)
    }
    return Step((Intended(spec.name, given),))


def _sql_parameter(spec: FunctionSpec) -> str:
    """The name of the parameter that takes SQL, "" if there is none."""
    return next(
        (
            name
            for name, part in parts_of(spec.parameters)
            if _SQL.fullmatch(name) or _SQL.search(part.get("description", "")[:80])
        ),
        "",
    )


def _query(table: DeclaredTable, aggregate: str, question: str) -> tuple[str, str]:
    """The statement, and what it computes in words."""
    asked = normalise(question)
    named = _named(table, asked)
    types = dict(table.columns)
    numbers = [
        name for name, kind in table.columns if kind in _NUMBERS and not name.startswith("_")
    ]
    wanted = next((name for name in named if types[name] in _NUMBERS), "") or (numbers or [""])[-1]
    conditions = _conditions(table, question)
    groups = [name for name in named if types[name] not in _NUMBERS and name not in conditions]
    group = groups[0] if groups and _BY.search(asked) else ""
    what = "count(*)" if aggregate == "count" or not wanted else f"{aggregate}({_quoted(wanted)})"
    spoken = _SPOKEN["ja" if _JAPANESE.search(question) else "en"]
    told = spoken[aggregate if wanted else "count"].format(wanted)
    selected = f"{_quoted(group)}, {what}" if group else what
    sql = f"SELECT {selected} FROM {table.name}"
    if conditions:
        tests = (f"{_quoted(name)} = '{_escaped(value)}'" for name, value in conditions.items())
        sql += f" WHERE {' AND '.join(tests)}"
        said = ", ".join(f"{name} = {value}" for name, value in conditions.items())
        told += spoken["where"].format(said)
    if group:
        sql += f" GROUP BY {_quoted(group)} ORDER BY {_quoted(group)}"
        told += spoken["by"].format(group)
    return sql, told


def _named(table: DeclaredTable, asked: str) -> list[str]:
    """The columns that a question names, by a word of theirs."""
    said = {stem(word) for word in words(asked)}

    def is_named(name: str) -> bool:
        own = {stem(word) for word in words(name)}
        return bool(own and own <= said) or (not own and normalise(name) in asked)

    return [name for name, _ in table.columns if is_named(name)]


def _conditions(table: DeclaredTable, question: str) -> dict[str, str]:
    """Values of text columns that the question names, as the rows shown have them."""
    asked = f" {' '.join(words(question))} "
    found: dict[str, str] = {}
    for place, (name, kind) in enumerate(table.columns):
        for value in {row[place] for row in table.rows} if kind in _TEXTS else ():
            own = " ".join(words(value))
            if (own and f" {own} " in asked) or (value and not own and value in question):
                found[name] = value
    return found


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _escaped(value: str) -> str:
    return value.replace("'", "''")
