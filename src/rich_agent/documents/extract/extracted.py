"""The result of extraction, for all formats."""

from dataclasses import dataclass, field
from typing import Literal

from rich_agent.documents.extract.markdown import Section
from rich_agent.domain.inventory import Inventory
from rich_agent.errors import RichAgentError

PIPELINE_VERSION = 8
"""Increase this with each change of extraction or chunking that stored documents need too."""


PageKind = Literal["sign_in", "made_by_scripts", "consent", "moved"]
"""A page to sign in, one that programs fill in a browser, a question with buttons, or a page that
leads on to another by itself."""
ExtractionFailure = Literal["damaged", "encrypted", "empty", "too_long", PageKind]


class ExtractionError(RichAgentError):
    """A document from which nothing can be extracted.

    The message tells the reason, `kind` only the sort of failure.
    """

    def __init__(self, message: str, kind: ExtractionFailure = "damaged") -> None:
        super().__init__(message)
        self.kind: ExtractionFailure = kind


@dataclass(frozen=True, slots=True)
class Extracted:
    """A document in its normal form."""

    title: str
    text: str
    """Markdown, or plain text if the format has no markup."""
    sections: tuple[Section, ...]
    canonical_url: str = ""
    """Address that a page names as its own, "" if it names none."""
    is_partial: bool = False
    """Whether rows of a table were left out."""
    inventory: Inventory = field(default_factory=Inventory)
    """What the document holds besides its text, and how much of it stands in the text."""
    bare_pages: tuple[int, ...] = ()
    """Numbers of the pages without text on which a person sees something."""
    is_noindex: bool = False
    """Whether a page says that programs may not index it."""
