"""The result of a fault, and the type of the table's rows."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from bench.faults.ground import Ground


@dataclass(slots=True)
class Finding:
    """Measurements, `broken` promises, and `missed` goals, which depend on the machine."""

    measured: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    def expect(self, holds: bool, otherwise: str) -> None:  # noqa: FBT001 - an assertion reads so
        """Record a broken promise unless it holds."""
        if not holds:
            self.broken.append(otherwise)

    def aim(self, what: str, measured: float, at_most: float, unit: str = "s") -> None:
        """Record a figure, and whether it misses its goal."""
        said = f"{what} {measured:.2f} {unit}"
        self.measured.append(said)
        if measured > at_most:
            self.missed.append(f"{said}, aim {at_most:g} {unit}")

    @property
    def verdict(self) -> str:
        """One word, and why."""
        if self.broken:
            return "BROKEN: " + "; ".join(self.broken)
        return "missed: " + "; ".join(self.missed) if self.missed else "holds"


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a trial: `count` repetitions, waits of `wait_s`."""

    count: int
    wait_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Fault:
    """A row of the table; `full` is what the bench does, `short` what the tests do."""

    name: str
    what: str
    expected: str
    show: Callable[[Ground, Size], Finding]
    full: Size
    short: Size
    disk_mb: int | None = None


@contextmanager
def promised(finding: Finding) -> Iterator[None]:
    """Record a condition that was not met in time as a broken promise, and go on."""
    try:
        yield
    except AssertionError as error:
        finding.broken.append(str(error).splitlines()[0])
