"""Paths, rights and refusals that the pages on documents share."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rich_agent.feature import SettingsError
from rich_agent.feature.connectors import ConnectorError
from rich_agent.feature.pages import PageRefusedError, Visit
from rich_agent.feature.registry import (
    OPERATOR,
    KnowledgeListing,
    ListedSource,
    PrincipalError,
    Reader,
    SourceError,
)
from rich_agent.features.operator_pages.roles import CHANGERS

PATH: Final = "/operator/knowledge"
PER_PAGE: Final = 50
ASK_OPERATOR: Final = "Ask an operator or the owner."
_REFUSED: Final = (SourceError, PrincipalError, SettingsError, ConnectorError)


@contextmanager
def refusals(visit: Visit) -> Iterator[None]:
    """Show the errors of wrong input at the form, with what to do. Raises: PageRefusedError."""
    try:
        yield
    except _REFUSED as error:
        raise PageRefusedError(str(error), hint=error.hint) from error
    except TimeoutError as error:
        raise PageRefusedError(visit.say("operator_pages-knowledge-slow")) from error


def reader_of(visit: Visit, *, has_rights: bool = False) -> Reader:
    """The rights with which a visitor sees documents.

    Owners and operators see all, but not what a service lets only some read (`has_rights`): of that
    they see what they may read themselves, as everybody else does of all documents.
    """
    sees_all = visit.role in CHANGERS and not has_rights
    return OPERATOR if sees_all else Reader(visit.user_id)


async def changeable_source(
    listing: KnowledgeListing, source_id: str, visit: Visit
) -> ListedSource | None:
    """A source that a visitor may change, None if there is none: authors change what they read.

    Raises: PageRefusedError for one that the visitor may not read.
    """
    source = await listing.source(source_id, reader_of(visit))
    if source is not None and not source.is_readable:
        problem = "You may not read this source, so you may not change it either."
        raise PageRefusedError(problem, hint=ASK_OPERATOR)
    return source
