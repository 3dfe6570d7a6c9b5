"""Authors of the words in a prompt, and whether these may order anything."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NotRequired, Self, TypedDict, overload

from typing_extensions import override

Origin = Literal[
    "user", "memory", "assistant", "document", "page", "private_page", "file", "server", "other"
]
"""Who wrote words: "document" stands for its author, "other" for another person.

A "page" can be read by anybody, a "private_page" only from here or by its secret address.

"memory" is what the bot keeps for the user: what they told it before, their tasks and notes.
"""
OWN: frozenset[Origin] = frozenset({"user", "memory", "assistant"})
_PROVIDED: frozenset[Origin] = frozenset({"document", "file"})
"""What the operator registered, and what the user sent of their own."""


class WordsState(TypedDict):
    """`Words` as JSON, for the graph's state and for what is stored of a turn."""

    origin: Origin
    name: NotRequired[str]
    text: NotRequired[str]


@dataclass(frozen=True, slots=True)
class Words:
    """A text and who wrote it; `name` says which page, file, server or person, "" if unknown.

    `text` is what is left of them: "" where they were read and are not kept.
    """

    text: str
    origin: Origin
    name: str = ""

    @property
    def is_foreign(self) -> bool:
        """Whether neither the user nor the bot wrote them, so that they may order nothing."""
        return self.origin not in OWN

    @property
    def is_untrusted(self) -> bool:
        """Whether they are of a page, a forward, another person or another program."""
        return self.origin not in OWN | _PROVIDED

    def to_state(self) -> WordsState:
        """The words as JSON, without what is empty."""
        state: WordsState = {"origin": self.origin}
        if self.name:
            state["name"] = self.name
        if self.text:
            state["text"] = self.text
        return state

    @classmethod
    def from_state(cls, value: Mapping[str, Any]) -> Self:
        """The words that `to_state` wrote."""
        return cls(value.get("text", ""), value["origin"], value.get("name", ""))


@dataclass(frozen=True)
class LazyWords(Sequence[Words]):
    """Words that are read once somebody looks at them: most turns call no tool."""

    read: Callable[[], Iterable[Words]]

    @cached_property
    def _all(self) -> tuple[Words, ...]:
        return tuple(self.read())

    @overload
    def __getitem__(self, place: int) -> Words: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Words, ...]: ...

    @override
    def __getitem__(self, place: int | slice) -> Words | tuple[Words, ...]:
        return self._all[place]

    @override
    def __len__(self) -> int:
        return len(self._all)


def read_words(states: Iterable[Mapping[str, Any]] | None) -> tuple[Words, ...]:
    """Words as they were stored, none for what was stored before their authors were known."""
    return tuple(map(Words.from_state, states or ()))
