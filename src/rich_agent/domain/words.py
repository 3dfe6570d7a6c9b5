"""Words in a prompt and their authors, who may or may not give orders."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NotRequired, Self, TypedDict, overload

from typing_extensions import override

Origin = Literal[
    "user",
    "memory",
    "assistant",
    "operator",
    "document",
    "page",
    "private_page",
    "file",
    "server",
    "other",
]
"""The author of words, by kind:

- "user": the user, in this conversation.
- "memory": the user, in what the bot keeps: earlier statements, tasks and notes.
- "assistant": the bot.
- "operator": the operator, in the bot's persona.
- "document": the author of a registered document.
- "page": the author of a page that anybody can read.
- "private_page": the author of a page that opens only from here, or by a secret address.
- "file": the author of a file that the user sent.
- "server": another program.
- "other": another person.
"""
OWN: frozenset[Origin] = frozenset({"user", "memory", "assistant"})
_OF_BOT: frozenset[Origin] = OWN | {"operator"}
"""Authors whose words turn nothing into a doubt. The operator's ask for nothing all the same."""
_PROVIDED: frozenset[Origin] = frozenset({"document", "file"})
"""Documents that the operator registered, and files that the user sent."""


class WordsState(TypedDict):
    """`Words` as JSON, for the graph's state and for stored turns."""

    origin: Origin
    name: NotRequired[str]
    text: NotRequired[str]


@dataclass(frozen=True, slots=True)
class Words:
    """A text and its author.

    `text` is "" if the words were read, but are not kept. `name` is that of the page, file, server
    or person, "" if it is not known.
    """

    text: str
    origin: Origin
    name: str = ""

    @property
    def is_foreign(self) -> bool:
        """Whether somebody else than the user, the bot and its operator wrote the words.

        Such words may give no orders.
        """
        return self.origin not in _OF_BOT

    @property
    def is_untrusted(self) -> bool:
        """Whether the author is a page, another person or another program."""
        return self.origin not in _OF_BOT | _PROVIDED

    def to_state(self) -> WordsState:
        """The words as JSON, without empty fields."""
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
    """Words that are read at the first access, since most turns call no tool."""

    read: Callable[[], Iterable[Words]]

    @cached_property
    def _all(self) -> tuple[Words, ...]:
        """The words, read once."""
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
    """The stored words; () for turns that were stored before authors were known."""
    return tuple(map(Words.from_state, states or ()))
