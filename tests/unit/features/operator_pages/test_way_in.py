"""The links that lead to the operator's pages, by role."""

from dataclasses import dataclass
from typing import cast

import pytest

from rich_agent.domain.access import Access
from rich_agent.features.operator_pages.roles import GivenRoles, OperatorRoles


@dataclass(frozen=True)
class OneRole:
    """A database in which everybody has one role."""

    role: str | None

    async def find(self, _user_id: int) -> str | None:
        """See `GivenRoles.find`."""
        return self.role


@pytest.mark.parametrize(
    ("role", "reads_all", "is_author"),
    [
        ("owner", True, False),
        ("operator", True, False),
        ("viewer", True, False),
        ("author", False, True),
        (None, False, False),
    ],
)
async def test_each_role_is_led_to_a_page_that_opens(
    role: str | None, *, reads_all: bool, is_author: bool
) -> None:
    """An author may not see the first page, so that another link leads to the page on documents."""
    roles = OperatorRoles(Access(), cast("GivenRoles", OneRole(role)))
    assert (await roles.reads_all(5), await roles.is_author(5)) == (reads_all, is_author)
