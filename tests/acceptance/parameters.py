"""Parameters of which each run takes some, and `make soak` all."""

from collections.abc import Iterable

import pytest
from _pytest.mark.structures import ParameterSet


def some_of(names: Iterable[str], *each_run: str) -> list[ParameterSet]:
    """The names as parameters; those that are not in `each_run` are soak tests.

    Raises: ValueError if one of `each_run` is not among the names.
    """
    every = list(names)
    if missing := set(each_run) - set(every):
        raise ValueError(f"no such parameters: {sorted(missing)}")
    return [pytest.param(one, marks=() if one in each_run else pytest.mark.soak) for one in every]
