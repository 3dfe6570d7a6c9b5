"""Figures that should stay small or large, their file, and what is worse than it was."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

TOLERANCE = 0.15
"""The share by which a figure may be worse: more than runs differ, see docs/benchmarks.md."""
_HEAD = "# What a turn may cost. Written by `python -m bench.guard --accept`.\n"


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures by name: those that should stay small, and those that should stay large."""

    small: Mapping[str, float] = field(default_factory=dict)
    large: Mapping[str, float] = field(default_factory=dict)

    @property
    def by_name(self) -> Mapping[str, float]:
        """The figures of both kinds by name."""
        return {**self.small, **self.large}

    def __or__(self, other: "Figures") -> "Figures":
        """All figures of both."""
        return Figures({**self.small, **other.small}, {**self.large, **other.large})

    @classmethod
    def read(cls, path: Path) -> "Figures":
        """The figures of a file; none if there is no file."""
        if not path.exists():
            return cls()
        tables = tomllib.loads(path.read_text("utf-8"))
        return cls(tables["small"], tables["large"])

    def write(self, path: Path) -> None:
        """Write the file."""
        tables = {"small": self.small, "large": self.large}
        sections = (
            f"\n[{name}]\n"
            + "".join(f"{json.dumps(key)} = {rounded(table[key])}\n" for key in table)
            for name, table in tables.items()
        )
        path.write_text(_HEAD + "".join(sections), "utf-8")


def rounded(value: float) -> float:
    """The value as it is committed and shown: whole from 100 on, else with three decimals."""
    return round(value) if value >= 100 else round(value, 3)


def regressions(committed: Figures, current: Figures) -> Iterator[str]:
    """Yield the figures that are worse than committed, that are missing, or that are new."""
    old, new = committed.by_name, current.by_name
    for name in old.keys() - new.keys():
        yield f"{name}: was not measured"
    for name in new.keys() - old.keys():
        yield f"{name}: has no committed figure"
    for name in old.keys() & new.keys():
        limit = old[name] * (1 + (TOLERANCE if name in committed.small else -TOLERANCE))
        is_worse = new[name] > limit if name in committed.small else new[name] < limit
        if is_worse:
            yield f"{name}: {rounded(new[name])}, committed {rounded(old[name])}"
