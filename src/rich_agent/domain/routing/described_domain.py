"""The domain as a model described it, and when it has to be described again."""

from dataclasses import dataclass
from datetime import datetime

CHANGED_SHARE = 0.25
"""The share of the documents from which they are described again if so many changed."""


@dataclass(frozen=True, slots=True)
class DescribedDomain:
    """A description of the documents.

    `documents`: how many there were then; `changed`: how many came, changed or went since.
    """

    description: str
    examples: tuple[str, ...]
    documents: int
    changed: int
    described_at: datetime


def is_due(described: DescribedDomain | None, documents: int) -> bool:
    """Whether documents have to be described; `documents` is their number now."""
    if described is None:
        return documents > 0
    changed = max(described.changed, abs(documents - described.documents))
    return changed > 0 and changed >= CHANGED_SHARE * described.documents
