"""Prints which requirement is shown by how many tests: `python -m tests.docs.requirements`."""

import contextlib
import io
import re
from collections import Counter

import pytest


class _Collector:
    """Counts the tests of each requirement id as pytest collects them."""

    def __init__(self) -> None:
        self.tests: Counter[str] = Counter()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Note the ids of every test."""
        for item in items:
            for marker in item.iter_markers("req"):
                self.tests.update(map(str, marker.args))


def collect() -> Counter[str]:
    """The number of tests for each requirement id."""
    collector = _Collector()
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main(["--collect-only", "-q"], [collector])
    return collector.tests


def _in_order(requirement: str) -> tuple[str, int]:
    number = re.search(r"\d+", requirement)
    return requirement.partition("-")[0], int(number[0]) if number else 0


def main() -> None:
    """Print the table."""
    found = collect()
    print("requirement  tests")
    for requirement in sorted(found, key=_in_order):
        print(f"{requirement:11}  {found[requirement]:5}")


if __name__ == "__main__":
    main()
