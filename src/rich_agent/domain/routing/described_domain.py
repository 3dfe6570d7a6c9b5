"""The domain as a model described it, and when it has to be described again."""

from dataclasses import dataclass
from datetime import datetime, timedelta

CHANGED_SHARE = 0.25
"""The share of the documents from which they are described again if so many changed."""
_HOLDS = timedelta(days=1)
"""Documents that change all the time are described once a day."""


@dataclass(frozen=True, slots=True)
class DescribedDomain:
    """A description of the documents that everybody may read.

    `documents`: how many there were then; `changed`: how many came or changed since.
    `is_open`: whether everybody may still read those that it was written from.
    """

    description: str
    examples: tuple[str, ...]
    documents: int
    changed: int
    described_at: datetime
    is_open: bool = True


def is_due(described: DescribedDomain | None, documents: int, now: datetime) -> bool:
    """Whether documents have to be described; `documents` is their number now."""
    if described is None:
        return documents > 0
    if not described.is_open:
        return True
    many = max(1.0, CHANGED_SHARE * described.documents)
    if abs(documents - described.documents) >= many:
        return True
    return described.changed >= many and now - described.described_at >= _HOLDS
