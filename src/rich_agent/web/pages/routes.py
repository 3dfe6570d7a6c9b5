"""Declarations of an area of pages: routes, entries in the navigation, and links to it."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich_agent.errors import RichAgentError

if TYPE_CHECKING:
    from starlette.responses import Response

    from rich_agent.web.pages.visits import Visit

FORM_BYTES = 1_000_000
"""Most bytes of a form without files."""
EVERYBODY: frozenset[str] = frozenset({""})
"""The roles of an area that knows none: whoever may use the bot."""


class PageRefusedError(RichAgentError):
    """A form with wrong input. The sentence says what to do; what was typed stays in the form."""


class PageGoneError(RichAgentError):
    """A page of, or an action on, what is not there or no longer: 404, with the navigation."""

    def __init__(self) -> None:
        super().__init__("There is nothing here, or not any more.")


@dataclass(frozen=True, slots=True)
class PageRoute:
    """A page, or an action that its forms ask for."""

    path: str
    """Path with the area's path at its beginning; `{name}` stands for a part that varies."""
    answer: "Callable[[Visit], Awaitable[Response]]"
    """Returns the page; after an action, usually `Visit.done`.

    Raises: PageRefusedError, PageGoneError.
    """
    methods: Collection[str] = ("GET",)
    roles: frozenset[str] = EVERYBODY
    """Roles that may use the route."""
    action: str = ""
    """Word of the audit for what a POST does, such as "access.block"."""
    body_bytes: int = FORM_BYTES
    """Most bytes of a form."""
    subject_fields: Collection[str] = ()
    """Fields of the form that name the subject in the audit, beside the parts of the path."""
    secret_fields: Collection[str] = ()
    """Fields of the form that the audit leaves out."""


@dataclass(frozen=True, slots=True)
class PageEntry:
    """A page in the navigation of its area."""

    path: str
    words_key: str
    """Key of the phrase that names the page."""
    roles: frozenset[str] = EVERYBODY
    """Roles that see the entry."""


async def is_for_everybody(_user_id: int) -> bool:
    """Tell that a link is for whoever may use the bot."""
    return True


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link to an area of pages, or to another page of the bot."""

    path: str
    words_key: str
    """Key of the phrase that names the place."""
    is_for: Callable[[int], Awaitable[bool]] = is_for_everybody
    """Tells whether the link is for the user with this id."""
