"""The numbers of calls that are refused are those of the kernel's headers."""

import re
from pathlib import Path

import pytest

from rich_agent.runtime.call_filter import BEYOND_READING, BY_ARGUMENTS, NEVER

HEADERS = ("x86_64-linux-gnu/asm/unistd_64.h", "asm-generic/unistd.h")
_NUMBER = re.compile(r"^#define __NR(?:3264)?_(\w+)\s+(\d+)$", re.MULTILINE)


@pytest.mark.parametrize("place", [0, 1], ids=["x86_64", "arm64"])
def test_numbers_of_calls_are_the_kernels(place: int) -> None:
    """Of both machines, on each; calls that are newer than the headers are passed over."""
    header = Path("/usr/include") / HEADERS[place]
    if not header.exists():
        pytest.skip("no headers of the kernel (linux-libc-dev)")
    numbers = {name: int(number) for name, number in _NUMBER.findall(header.read_text("utf-8"))}
    newest = max(numbers.values())
    for name, pair in {**NEVER, **BEYOND_READING, **BY_ARGUMENTS}.items():
        if max(pair) <= newest:
            assert numbers.get(name, -1) == pair[place], name
