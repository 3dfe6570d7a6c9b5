"""The budget of a prompt in tokens: functions that keep as much as fits.

The newest messages are kept whole; long texts lose their middle. `count` gives a text's tokens.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, takewhile
from typing import Any, TypeVar

from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.text import TokenCounter

Item = TypeVar("Item")
_MOST_CHARS_PER_TOKEN = 8
CUT = "\n[…]\n"
"""The mark in place of a text's middle that was left out."""


def first_within(
    items: Sequence[Item], budget_tokens: int, cost: Callable[[Item], int]
) -> list[Item]:
    """The longest beginning of `items` whose costs fit into the budget together."""
    sums = accumulate(map(cost, items))
    return list(items[: sum(1 for _ in takewhile(lambda sum_: sum_ <= budget_tokens, sums))])


def leave_out(
    items: Sequence[Item],
    removable: Sequence[Item],
    excess_tokens: int,
    cost: Callable[[Item], int],
) -> list[Item]:
    """The items without those of `removable`, the last first, that free the excess tokens."""
    remaining_items = list(items)
    for item in reversed(removable):
        if excess_tokens <= 0:
            break
        remaining_items.remove(item)
        excess_tokens -= cost(item)
    return remaining_items


def fit_passages(
    passages: Sequence[Passage], budget_tokens: int, count: TokenCounter
) -> list[Passage]:
    """The first passages that fit into the budget. If the first is too long, it is cut to fit."""
    fitting_passages = first_within(
        passages, budget_tokens, lambda passage: passage_tokens(passage, count)
    )
    return fitting_passages or [
        replace(passage, content=fit_text(passage.content, budget_tokens, count))
        for passage in passages[:1]
    ]


def passage_tokens(passage: Passage, count: TokenCounter) -> int:
    """The tokens of a passage in a prompt."""
    unread = " ".join(passage.unread)
    places = f"{passage.title} {passage.section} {passage.source_url} {unread}"
    return count(f"{places} {passage.content}")


def fit_text(text: str, budget_tokens: int, count: TokenCounter) -> str:
    """The text, or as much of its beginning and its end as fits, cut between words.

    The request of a message with a long text usually stands before or after that text.
    """
    # A token has one byte at least.
    if len(text.encode()) <= budget_tokens or count(text) <= budget_tokens:
        return text
    low, high = 0, min(len(text) // 2, _MOST_CHARS_PER_TOKEN * max(0, budget_tokens))
    while low < high:
        middle = (low + high + 1) // 2
        if count(_ends(text, middle)) <= budget_tokens:
            low = middle
        else:
            high = middle - 1
    return _ends(text, low) if low else ""


def fit_entries(entries: Sequence[Any], budget_tokens: int, count: TokenCounter) -> list[Any]:
    """The first entries (texts, or mappings of texts) that fit into the budget, in order."""
    return first_within(entries, budget_tokens, lambda entry: tokens_in(entry, count) + 1)


def tokens_in(value: object, count: TokenCounter) -> int:
    """The number of tokens of all texts in a value of strings, lists and mappings."""
    if isinstance(value, str):
        return count(value)
    if isinstance(value, Mapping):
        return sum(tokens_in(part, count) for part in value.values())
    if isinstance(value, Sequence):
        return sum(tokens_in(part, count) + 1 for part in value)
    return 0


@dataclass(slots=True)
class PromptBudget:
    """The budget of a prompt to which parts are added, the most important first."""

    whole: int
    """Tokens for the whole prompt."""
    count: TokenCounter
    left: int
    """Tokens that are still free."""

    def fit(self, value: Any, share: float) -> Any:  # noqa: ANN401 - a slot of any shape
        """As much of a text, list or mapping as fits. Its tokens are taken from the budget.

        A part gets at most a `share` (0 to 1) of the whole budget, and at most the free tokens.
        """
        most = max(0, min(round(self.whole * share), self.left))
        part = self._cut_to_fit(value, most)
        self.left -= tokens_in(part, self.count)
        return part

    def _cut_to_fit(self, value: Any, token_limit: int) -> Any:  # noqa: ANN401 - as in `fit`
        if isinstance(value, str):
            return fit_text(value, token_limit, self.count)
        if isinstance(value, Mapping):
            return self._mapping(value, token_limit)
        if isinstance(value, list):
            return fit_entries(value, token_limit, self.count)
        return value

    def _mapping(self, value: Mapping[str, Any], remaining_tokens: int) -> dict[str, Any]:
        """The mapping with its short values whole. Long values share the remaining tokens."""
        cut_values: dict[str, Any] = {}
        shortest_first = sorted(value, key=lambda key: tokens_in(value[key], self.count))
        for position, key in enumerate(shortest_first):
            cut_values[key] = self._cut_to_fit(
                value[key], remaining_tokens // (len(value) - position)
            )
            remaining_tokens -= tokens_in(cut_values[key], self.count)
        return {key: cut_values[key] for key in value}


def _ends(text: str, length: int) -> str:
    """The first and the last `length` characters, without cut words if the text has spaces."""
    head, tail = text[:length], text[len(text) - length :]
    if " " in head[length // 2 :]:
        head = head[: head.rindex(" ")]
    if " " in tail[: length // 2]:
        tail = tail[tail.index(" ") + 1 :]
    return f"{head}{CUT}{tail}"
