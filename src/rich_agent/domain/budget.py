"""What fits into one prompt: the newest first, whole messages only."""

from collections.abc import Sequence

from rich_agent.domain.passage import Passage
from rich_agent.domain.text import estimate_tokens


def fit_history(
    history: Sequence[tuple[str, str]], budget_tokens: int
) -> tuple[tuple[str, str], ...]:
    """The newest (role, text) pairs whose estimated tokens fit, oldest first."""
    kept: list[tuple[str, str]] = []
    left = budget_tokens
    for role, text in reversed(history):
        left -= estimate_tokens(text)
        if left < 0:
            break
        kept.append((role, text))
    return tuple(reversed(kept))


def fit_passages(passages: Sequence[Passage], budget_tokens: int) -> list[Passage]:
    """The best passages whose estimated tokens fit; always at least the first."""
    kept: list[Passage] = []
    left = budget_tokens
    for passage in passages:
        left -= estimate_tokens(passage.content)
        if left < 0 and kept:
            break
        kept.append(passage)
    return kept
