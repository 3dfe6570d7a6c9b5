"""Reads tables that a prompt declares in SQL, with rows of theirs in comments below."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TABLE = re.compile(r"CREATE TABLE (\w+) \(\n(.*?)\n\);\n?((?:--[^\n]*(?:\n|\Z))*)", re.DOTALL)
_COLUMN = re.compile(r'\s*"((?:[^"]|"")+)"\s+(\w+)')


@dataclass(frozen=True, slots=True)
class DeclaredTable:
    """A table: its columns in order, each with its type, and the values of some rows."""

    name: str
    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, ...], ...] = ()


def declared_tables(text: str) -> Iterator[DeclaredTable]:
    """The tables that a text declares, in order."""
    for name, inner, comments in _TABLE.findall(text):
        columns = tuple(
            (found[1].replace('""', '"'), found[2])
            for line in inner.splitlines()
            if (found := _COLUMN.match(line))
        )
        listed = (line.removeprefix("--").strip() for line in comments.splitlines())
        rows = tuple(tuple(map(str.strip, line.split("|"))) for line in listed if "|" in line)
        yield DeclaredTable(name, columns, tuple(row for row in rows if len(row) == len(columns)))
